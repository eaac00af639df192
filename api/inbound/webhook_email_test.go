package inbound_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
)

// sendgrid signs events as the provider does.
type sendgrid struct {
	*apitest.PostOffice
	private *ecdsa.PrivateKey
}

func newSendgrid(t *testing.T) *sendgrid {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	require.NoError(t, err)
	return &sendgrid{private: private, PostOffice: apitest.NewPostOffice(t, func(c *api.Config, _ *api.Dependencies) {
		c.Webhooks.SendgridKey = base64.StdEncoding.EncodeToString(public)
	})}
}

func (s *sendgrid) sign(by *ecdsa.PrivateKey, stamp, body string) string {
	sum := sha256.Sum256([]byte(stamp + body))
	signature, err := ecdsa.SignASN1(rand.Reader, by, sum[:])
	require.NoError(s.T, err)
	return base64.StdEncoding.EncodeToString(signature)
}

func (s *sendgrid) post(stamp, signature, body string) *httptest.ResponseRecorder {
	return s.Send(http.MethodPost, "/webhooks/email/sendgrid/post", body, "Content-Type", "application/json",
		"X-Twilio-Email-Event-Webhook-Timestamp", stamp, "X-Twilio-Email-Event-Webhook-Signature", signature)
}

// stamp is the time of signing, so far from the server's.
func (s *sendgrid) stamp(away time.Duration) string {
	return strconv.FormatInt(s.Clock.Now().Add(away).Unix(), 10)
}

// event is of a message by our id of it.
func (s *sendgrid) event(kind, bounce string, id int64) map[string]any {
	return map[string]any{
		"event": kind, "type": bounce, "smtp-id": fmt.Sprintf("<waybill.%d.%d@test.example>", s.Org, id), "reason": "because",
		"sg_event_id": fmt.Sprint(kind, id), "timestamp": s.Clock.Now().Unix(), "email": "kari@example.com",
		"unheard": object{"of": 1},
	}
}

type object = map[string]any

// statuses returns the statuses of messages, with the notes on each.
func (s *sendgrid) statuses(ids ...int64) string {
	return s.Text(`select string_agg(
			status || (select count(*) from notification_steps x where x.org_id = n.org_id and x.notification_id = n.id)
			|| case when exists (select from suppressions u where u.org_id = n.org_id and u.address = lower(n.receiver))
				then ' closed' else '' end, ', ' order by id)
		from notifications n where org_id = $1 and id = any ($2)`, ids)
}

func TestSendgridReports(t *testing.T) {
	t.Parallel()
	s := newSendgrid(t)
	ids := make([]int64, 5)
	for n := range ids {
		ids[n] = s.Message("sent")
	}
	encoded, err := json.Marshal([]object{
		s.event("delivered", "", ids[0]), s.event("bounce", "bounce", ids[1]), s.event("spamreport", "", ids[2]),
		s.event("bounce", "blocked", ids[3]), s.event("open", "", ids[4]), s.event("delivered", "", 999_999),
	})
	require.NoError(t, err)
	body, stamp := string(encoded), s.stamp(0)
	good := s.sign(s.private, stamp, body)
	another, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)

	for what, answer := range map[string]*httptest.ResponseRecorder{
		"no signature":       s.post(stamp, "", body),
		"no base64":          s.post(stamp, "§", body),
		"of another key":     s.post(stamp, s.sign(another, stamp, body), body),
		"of another text":    s.post(stamp, good, strings.Replace(body, "blocked", "bounced", 1)),
		"of another time":    s.post(s.stamp(time.Second), good, body),
		"no time":            s.post("", s.sign(s.private, "", body), body),
		"an old one":         s.post(s.stamp(-11*time.Minute), s.sign(s.private, s.stamp(-11*time.Minute), body), body),
		"one of the future":  s.post(s.stamp(11*time.Minute), s.sign(s.private, s.stamp(11*time.Minute), body), body),
		"signed as the time": s.post(stamp, s.sign(s.private, "", body), body),
	} {
		require.Equal(t, http.StatusForbidden, answer.Code, "%s: %s", what, answer.Body)
	}
	require.Equal(t, "sent0, sent0, sent0, sent0, sent0", s.statuses(ids...), "nothing came of them")
	require.Equal(t, http.StatusBadRequest, s.post(stamp, s.sign(s.private, stamp, "{"), "{").Code)

	for range 2 { // repeats change nothing
		answer := s.post(stamp, good, body)
		require.Equal(t, http.StatusOK, answer.Code, "%s", answer.Body)
		require.JSONEq(t, `{"reports": 6, "unknown": 1}`, answer.Body.String())
		require.Equal(t, "delivered2, bounced2 closed, spam2 closed, bounced2, sent1", s.statuses(ids...))
	}
	require.Equal(t, "notification.bounced notification.bounced notification.delivered notification.spam",
		s.Text("select string_agg(kind, ' ' order by kind) from events where org_id = $1 and notification_id is not null"))
	require.NoError(t, testutil.GatherAndCompare(s.Registry, strings.NewReader(`
# HELP waybill_webhook_reports_total Reports of providers, by whether the message is known.
# TYPE waybill_webhook_reports_total counter
waybill_webhook_reports_total{message="known",provider="postmark"} 0
waybill_webhook_reports_total{message="known",provider="sendgrid"} 10
waybill_webhook_reports_total{message="known",provider="twilio"} 0
waybill_webhook_reports_total{message="unknown",provider="postmark"} 0
waybill_webhook_reports_total{message="unknown",provider="sendgrid"} 2
waybill_webhook_reports_total{message="unknown",provider="twilio"} 0
`), "waybill_webhook_reports_total"))

	// Another organization's message is an unknown one.
	foreign := strings.ReplaceAll(body, fmt.Sprintf("waybill.%d.", s.Org), fmt.Sprintf("waybill.%d.", s.Org+1))
	answer := s.post(stamp, s.sign(s.private, stamp, foreign), foreign)
	require.JSONEq(t, `{"reports": 6, "unknown": 6}`, answer.Body.String())
}
