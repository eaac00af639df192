package notifications_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

const resendings = "/v1/notification-resendings"

// since returns the time an hour ago, as in a request.
func since() string { return time.Now().Add(-time.Hour).UTC().Format(time.RFC3339) }

// ask calls an operation and returns its response.
func ask[T any](p *apitest.Bundle, who string, want int, method, path, body string) (said T) {
	p.T.Helper()
	answer := p.Send(method, path, body, "Authorization", who)
	require.Equal(p.T, want, answer.Code, answer.Body)
	if want < 300 {
		require.NoError(p.T, json.Unmarshal(answer.Body.Bytes(), &said))
	}
	return said
}

// TestFailedMessagesAreResent goes from the request to the receiver's mailbox.
func TestFailedMessagesAreResent(t *testing.T) {
	t.Parallel()
	p := apitest.NewPostOffice(t)
	for range 3 {
		p.Message("failed")
	}
	p.Message("sent")
	person, body := p.AsRole(p.Org, caller.Support), `{"since":"`+since()+`"}`
	for who, want := range map[string]int{"apikey " + p.Key: 403, p.AsRole(p.Org, caller.Driver): 403} {
		ask[any](p.Bundle, who, want, http.MethodPost, resendings, body)
	}
	begun := ask[contract.Resending](p.Bundle, person, http.StatusAccepted, http.MethodPost, resendings, body)
	require.Equal(t, []any{contract.ResendingStateRUNNING, int32(3), int32(0)},
		[]any{begun.State, begun.Total, begun.Sent})
	require.Equal(t, "user:12", begun.StartedBy)
	ask[any](p.Bundle, person, http.StatusConflict, http.MethodPost, resendings, body)

	mailbox := p.Work(t)
	workflow := fmt.Sprintf("resending/%d/%d", p.Org, begun.ID)
	require.NoError(t, p.Temporal.GetWorkflow(t.Context(), workflow, "").Get(t.Context(), nil))
	one := fmt.Sprintf("%s/%d", resendings, begun.ID)
	ended := ask[contract.Resending](p.Bundle, person, http.StatusOK, http.MethodGet, one, "")
	require.Equal(t, []any{contract.ResendingStateCOMPLETED, int32(3), int32(0)},
		[]any{ended.State, ended.Sent, ended.Refused})
	require.NotNil(t, ended.EndedAt)
	require.Eventually(t, func() bool {
		mails, err := filepath.Glob(filepath.Join(mailbox, "*.eml"))
		return err == nil && len(mails) == 3
	}, time.Minute, 50*time.Millisecond, "each is sent once")
	require.Equal(t, "3", p.Text(`select count(*)::text from events
		where org_id = $1 and kind = 'notification.retried' and actor = 'user:12'`))
	described, err := p.Temporal.DescribeWorkflowExecution(t.Context(), workflow, "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, described.WorkflowExecutionInfo.Status)
	again := ask[contract.Resending](p.Bundle, person, http.StatusAccepted, http.MethodPost, resendings, body)
	require.Zero(t, again.Total, "all were retried")
	ask[any](p.Bundle, p.AsRole(p.Org+1, caller.Support), http.StatusNotFound, http.MethodGet, one, "")
}

// TestAResendingIsPreviewed by the reasons of failures, and rejects an empty
// selection.
func TestAResendingIsPreviewed(t *testing.T) {
	t.Parallel()
	o := apitest.NewOffice(t)
	o.ID(`with r as (
			insert into notification_rules (org_id, event, channel, receiver)
			values ($1, 'ORDER_CREATED', 'SMS', 'CUSTOMER') returning id
		), n as (
			insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver,
				sender, provider, status, failure)
			select $1, 'SMS', n || '-1-0', 'w' || n, 'r', 'ORDER_CREATED', n, r.id, '+4740000001', 'N', 'twilio', 'failed',
				case when n > 3 then 'Suppressed' else 'Unavailable' end
			from r, generate_series(1, 4) n returning id
		) select max(id) from n`)
	person := o.AsRole(o.Org, caller.Support)
	preview := func(body string) contract.ResendingPreview {
		return ask[contract.ResendingPreview](o.Bundle, person, http.StatusOK, http.MethodPost, resendings+"/preview", body)
	}
	require.Equal(t, contract.ResendingPreview{Total: 3, Reasons: []contract.ResendingCount{
		{FailureReason: contract.NotificationFailureUnavailable, Messages: 3},
		{FailureReason: contract.NotificationFailureSuppressed, Messages: 1, IsLeftOut: true},
	}}, preview(`{"since":"`+since()+`"}`))
	require.EqualValues(t, 4, preview(`{"since":"`+since()+`","deadAddresses":true}`).Total)
	one := preview(`{"since":"` + since() + `","failureReason":"Suppressed","channel":"SMS","provider":"twilio"}`)
	require.EqualValues(t, 1, one.Total)
	require.Zero(t, preview(`{"since":"`+since()+`","event":"ORDER_FAILED"}`).Total)
	for _, wrong := range []string{
		`{}`, `{"since":"2999-01-01T00:00:00Z"}`, `{"since":"` + since() + `","until":"2999-01-01T00:00:00Z"}`,
		`{"since":"` + since() + `","until":"2020-01-01T00:00:00Z"}`, `{"since":"` + since() + `","channel":"PIGEON"}`,
		`{"since":"` + since() + `","event":"ACCOUNT_RESET_NOW"}`, `{"since":"` + since() + `","failureReason":"Bad"}`,
		`{"since":"` + since() + `","reason":"Unavailable"}`,
	} {
		ask[any](o.Bundle, person, http.StatusBadRequest, http.MethodPost, resendings+"/preview", wrong)
	}
}

// TestResendingsAreListed lists resendings page by page, one of them
// stopped.
func TestResendingsAreListed(t *testing.T) {
	t.Parallel()
	o := apitest.NewOffice(t)
	last := o.ID(`with r as (
			insert into resendings (org_id, since, until, total, actor, cause, state, ended_at)
			select $1, now() - interval '1 hour', now(), n, 'user:12', 'request',
				case when n = 3 then 'RUNNING' else 'COMPLETED' end, case when n < 3 then now() end
			from generate_series(1, 3) n returning id
		) select max(id) from r`)
	person, outsider := o.AsRole(o.Org, caller.Support), o.AsRole(o.Other, caller.Support)
	list := func(who string, query url.Values) contract.ResendingPage {
		return ask[contract.ResendingPage](o.Bundle, who, http.StatusOK, http.MethodGet, resendings+"?"+query.Encode(), "")
	}
	first := list(person, url.Values{"pageSize": {"2"}})
	require.Len(t, first.Items, 2)
	require.Equal(t, last, first.Items[0].ID, "the newest first")
	second := list(person, url.Values{"pageSize": {"2"}, "token": {first.NextToken}})
	require.Len(t, second.Items, 1)
	require.False(t, second.HasMore)
	require.Empty(t, list(outsider, nil).Items, "another organization's")

	stop := fmt.Sprintf("%s/%d/stop", resendings, last)
	ask[any](o.Bundle, outsider, http.StatusNotFound, http.MethodPost, stop, "")
	ask[any](o.Bundle, "apikey "+o.Key, http.StatusForbidden, http.MethodPost, stop, "")
	stopped := ask[contract.Resending](o.Bundle, person, http.StatusOK, http.MethodPost, stop, "")
	require.Equal(t, contract.ResendingStateSTOPPED, stopped.State)
	require.Equal(t, "user:12", *stopped.StoppedBy)
	require.NotNil(t, stopped.EndedAt)
	again := ask[contract.Resending](o.Bundle, person, http.StatusOK, http.MethodPost, stop, "")
	require.Equal(t, stopped, again, "one that has ended stays as it is")
}
