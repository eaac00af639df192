package e2e_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"waybill/api/contract"
	"waybill/internal/child"
)

// TestMailServerOutageIsDetected stops the mail server: metrics, the log, the
// message and its workflow report the outage, and its end.
func TestMailServerOutageIsDetected(t *testing.T) {
	t.Parallel()
	i := install(t, "serve")
	mail, metrics := freeAddress(t), freeAddress(t)
	require.NoError(t, i.start("work", "WAYBILL_SMTP_URL=smtp://"+mail, "WAYBILL_WORK_HTTP_ADDR="+metrics))
	o := i.organization(t)
	order := orderID(t, o.importOrders(t, orders(o.reachable("A-1", "away@example.com", "")))[0])
	const unavailable = `waybill_provider_requests_total{channel="EMAIL",outcome="unavailable",provider="smtp"}`
	eventually(t, "attempts are counted", func() bool { return number(t, metrics, unavailable) >= 3 })
	waiting := o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "queued")
	timeline := fmt.Sprintf("/v1/notifications-log/emails/%d/timeline", waiting.ID)
	steps := read[contract.NotificationTimeline](t, o.get(t, timeline)).Steps
	last := steps[len(steps)-1]
	if last.Kind != "fault" {
		last = steps[len(steps)-2]
	}
	require.NotNil(t, last.NextAttemptAt)
	require.True(t, last.NextAttemptAt.After(last.At))
	logged := func() string {
		text, err := os.ReadFile(i.log("work"))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, 1, strings.Count(logged(), `"level":"WARN","msg":"mail server unavailable"`))
	require.Contains(t, logged(), fmt.Sprintf(`"org_id":%d,"order_id":%d`, o.id, order))
	temporal := o.temporalClient(t)
	eventually(t, "operators find the message", func() bool {
		found, err := temporal.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: i.temporal.Namespace(), Query: "WorkflowType = 'Notification' and WaybillState = 'retrying'",
		})
		return err == nil && found.GetCount() == 1
	})
	_, err := i.admin.Exec(t.Context(), "update notifications set created_at = created_at - interval '11 minutes'")
	require.NoError(t, err)
	eventually(t, "the age of the oldest message grows", func() bool {
		return number(t, metrics, `waybill_oldest_waiting_message_seconds{channel="EMAIL"}`) > 600
	})

	listener, err := net.Listen("tcp", mail)
	require.NoError(t, err)
	back := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return taker{}, nil }))
	back.Domain = "localhost"
	go func() { _ = back.Serve(listener) }()
	t.Cleanup(func() { _ = back.Close() })
	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	eventually(t, "the log says that it is back", func() bool {
		return strings.Count(logged(), `"msg":"mail server available again"`) == 1
	})
	eventually(t, "the message is counted", func() bool {
		return number(t, metrics, `waybill_messages_ended_total{channel="EMAIL",outcome="sent"}`) == 1
	})
}

// taker takes every mail.
type taker struct{}

func (taker) Mail(string, *smtp.MailOptions) error { return nil }
func (taker) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (taker) Reset()                               {}
func (taker) Logout() error                        { return nil }
func (taker) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func freeAddress(t *testing.T) string {
	t.Helper()
	port, err := child.FreePort()
	require.NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// number reads a metric of a process; 0 when it is not there.
func number(t *testing.T, address, name string) (value float64) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get("http://" + address + "/metrics")
	if err != nil {
		return 0 // it starts
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, name+" "); found {
			_, err = fmt.Sscan(rest, &value)
			require.NoError(t, err)
		}
	}
	return value
}
