package notifications_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

// TestAPersonRetriesAMessage goes all the way from the request to the
// receiver's mailbox.
func TestAPersonRetriesAMessage(t *testing.T) {
	t.Parallel()
	p := apitest.NewPostOffice(t)
	failed, sent := p.Message("failed"), p.Message("sent")
	person, driver := p.AsRole(p.Org, caller.Support), p.AsRole(p.Org, caller.Driver)
	outsider := p.AsRole(p.Org+1, caller.Support)
	retry := func(who string, id int64) *httptest.ResponseRecorder {
		return p.Send(http.MethodPost, fmt.Sprintf("/v1/notifications/%d/retry", id), "", "Authorization", who)
	}

	require.Equal(t, http.StatusForbidden, retry("apikey "+p.Key, failed).Code, "a key may not")
	require.Equal(t, http.StatusForbidden, retry(driver, failed).Code, "nor may a driver")
	require.Equal(t, http.StatusNotFound, retry(person, 999_999).Code)
	require.Equal(t, http.StatusNotFound, retry(outsider, failed).Code, "another organization's")
	require.Equal(t, http.StatusConflict, retry(person, sent).Code, "it did not fail")

	// Any number of simultaneous requests makes one retry.
	var codes [8]int
	var asking sync.WaitGroup
	for n := range codes {
		asking.Go(func() {
			answer := retry(person, failed)
			codes[n] = answer.Code
			var said contract.NotificationRetry
			if json.Unmarshal(answer.Body.Bytes(), &said) != nil || said.RetryOf != failed {
				t.Errorf("the answer is %s", answer.Body)
			}
		})
	}
	asking.Wait()
	require.Equal(t, []int{http.StatusAccepted}, slices.Compact(codes[:]))
	require.Equal(t, "0", p.Text("select count(*)::text from notifications where org_id = $1 and retry_of is not null"),
		"nobody works yet")
	workflow := p.Text("select workflow_id || '-r1' from notifications where org_id = $1 and id = $2", failed)
	run, err := p.Temporal.DescribeWorkflowExecution(t.Context(), workflow, "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, run.WorkflowExecutionInfo.Status)

	require.Equal(t, fmt.Sprintf("user:12 %d", failed), p.Text(`
		select string_agg(concat(actor, ' ', data ->> 'message'), ', ')
		from events where org_id = $1 and kind = 'notification.retried'`), "who did it, once")

	mailbox := p.Work(t)
	require.NoError(t, p.Temporal.GetWorkflow(t.Context(), workflow, "").Get(t.Context(), nil))
	require.Equal(t, "kari@example.com sent 1 "+workflow,
		p.Text(`select string_agg(concat_ws(' ', receiver, status, try, workflow_id), ', ')
			from notifications where org_id = $1 and retry_of = $2`, failed))
	require.Equal(t, "failed", p.Text("select status from notifications where org_id = $1 and id = $2", failed),
		"what failed stays as it was")
	mails, err := filepath.Glob(filepath.Join(mailbox, "*.eml"))
	require.NoError(t, err)
	require.Len(t, mails, 1)

	require.Equal(t, http.StatusConflict, retry(person, failed).Code, "it was retried")
	require.Equal(t, "3", p.Text("select count(*)::text from notifications where org_id = $1"))
}
