package driving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// sends has the dispatcher send a message of today, and returns the messages.
func (d depot) sends(text string, drivers ...int64) []contract.DriverMessage {
	d.T.Helper()
	body, err := json.Marshal(object{"driverIds": drivers, "text": text})
	require.NoError(d.T, err)
	status, answer := d.asDispatcher(http.MethodPost, "/v2/plans/"+today()+"/messages", string(body))
	require.Equal(d.T, http.StatusOK, status, answer)
	var out contract.SentMessages
	require.NoError(d.T, json.Unmarshal([]byte(answer), &out))
	return out.Items
}

// messages are those of today as the office sees them.
func (d depot) messages(query string) (page contract.MessagesOfDay) {
	d.T.Helper()
	status, answer := d.asDispatcher(http.MethodGet, "/v2/plans/"+today()+"/messages?"+query, "")
	require.Equal(d.T, http.StatusOK, status, answer)
	require.NoError(d.T, json.Unmarshal([]byte(answer), &page))
	return page
}

// written is a message of the driver, written some time ago.
func written(text string, ago time.Duration, more ...object) object {
	now := time.Now()
	m := object{"id": uuid(), "date": today(), "text": text, "occurredAt": now.Add(-ago), "sentAt": now}
	for _, fields := range more {
		for name, value := range fields {
			m[name] = value
		}
	}
	return m
}

// writes sends a message of the driver, and returns it as it is stored.
func (p *phone) writes(m object) (out contract.DriverMessage) {
	p.T.Helper()
	w := p.ask(http.MethodPost, "/v1/driver/messages", m)
	require.Equal(p.T, http.StatusOK, w.Code, w.Body)
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &out))
	return out
}

// messages are those that the phone shows.
func (p *phone) messages() (page contract.OwnMessages) {
	p.T.Helper()
	w := p.Send(http.MethodGet, "/v1/driver/messages", "", "Authorization", p.header)
	require.Equal(p.T, http.StatusOK, w.Code, w.Body)
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &page))
	return page
}

func textsOf(messages []contract.DriverMessage) (all []string) {
	for _, m := range messages {
		all = append(all, string(m.From)+" "+m.Text)
	}
	return all
}

// logged are the events of messages, oldest first.
func (d depot) logged() string {
	d.T.Helper()
	return d.Text(`select coalesce(string_agg(kind || ' ' || (data ->> 'from'), ', ' order by id), '') from events
		where org_id = $1 and kind like 'driver.message%'`)
}

func TestTheOfficeAndADriverWriteToEachOther(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	sent := d.sends("  Bridge closed, use E18. ", ola.driver, nora.driver)
	require.Equal(t, []int64{ola.driver, nora.driver}, []int64{sent[0].DriverID, sent[1].DriverID})
	require.Equal(t, "Bridge closed, use E18.", sent[0].Text)
	order, _, _ := nora.give("ABOUT")
	mine := nora.writes(written("Ferry late", 5*time.Minute, object{"orderId": order}))
	require.Equal(t, "ABOUT", mine.ExternalID.MustGet())
	require.Equal(t, "Nora", mine.SentByName.MustGet())
	require.InDelta(t, (5 * time.Minute).Seconds(), mine.SentAt.Sub(mine.WrittenAt).Seconds(), 5)

	require.Equal(t, []string{"DRIVER Ferry late", "OFFICE Bridge closed, use E18."}, textsOf(nora.messages().Items))
	require.Equal(t, int32(1), nora.messages().Unread)
	require.Equal(t, []string{"OFFICE Bridge closed, use E18."}, textsOf(ola.messages().Items), "only their own")
	page := d.messages("")
	require.Len(t, page.Items, 3)
	require.Equal(t, []contract.UnreadOfDriver{{DriverID: nora.driver, DriverName: "Nora", Count: 1}}, page.Unread)
	require.Len(t, d.messages(fmt.Sprintf("driverId=%d", ola.driver)).Items, 1)
	require.Equal(t, "driver.message_sent OFFICE, driver.message_sent OFFICE, driver.message_sent DRIVER", d.logged())
	require.Equal(t, "user driver", d.Text(`select split_part(min(actor), ':', 1) || ' ' || min(subject_type) from events
		where org_id = $1 and kind = 'driver.message_sent' and data ->> 'from' = 'OFFICE'`))

	first := d.messages("pageSize=2")
	require.True(t, first.HasMore)
	require.Len(t, d.messages("pageSize=2&token="+first.NextToken).Items, 1)

	other := newDepot(t)
	require.Empty(t, other.messages("").Items)
	another := other.phone("Kari")
	require.Empty(t, another.messages().Items)
	status, text := d.asDispatcher(http.MethodPost, "/v2/plans/"+today()+"/messages",
		fmt.Sprintf(`{"driverIds": [%d, %d], "text": "x"}`, nora.driver, another.driver))
	require.Equal(t, http.StatusUnprocessableEntity, status, text)
	require.Len(t, d.messages("").Items, 3, "all drivers get it, or none")
}

func TestMessagesOfTheOfficeAreChecked(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	for body, says := range map[string]string{
		`{"driverIds": [], "text": "x"}`:                                                        "driverIds",
		`{"driverIds": [9], "text": "x"}`:                                                       "There is no driver 9",
		fmt.Sprintf(`{"driverIds": [%d, %[1]d], "text": "x"}`, nora.driver):                     "twice",
		fmt.Sprintf(`{"driverIds": [%d], "text": "   "}`, nora.driver):                          `"text"`,
		fmt.Sprintf(`{"driverIds": [%d], "text": "\u0000"}`, nora.driver):                       `"text"`,
		fmt.Sprintf(`{"driverIds": [%d], "text": "x", "orderId": 987}`, nora.driver):            "There is no order 987",
		fmt.Sprintf(`{"driverIds": [%d], "text": "%s"}`, nora.driver, strings.Repeat("å", 501)): "500 characters",
		fmt.Sprintf(`{"driverIds": [%s1], "text": "x"}`, strings.Repeat("1, ", 100)):            "driverIds",
	} {
		status, text := d.asDispatcher(http.MethodPost, "/v2/plans/"+today()+"/messages", body)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, status, body)
		require.Contains(t, text, says, body)
	}
	status, text := d.asDispatcher(http.MethodPost, "/v2/plans/2026-03-02/messages",
		fmt.Sprintf(`{"driverIds": [%d], "text": "x"}`, nora.driver))
	require.Equal(t, http.StatusUnprocessableEntity, status, text)
	require.Contains(t, text, "over")
	require.Empty(t, d.messages("").Items)
	d.sends(strings.Repeat("å", 500), nora.driver)

	path := "/v2/plans/" + today() + "/messages"
	for who, asked := range map[string]string{
		d.AsRole(d.Org, caller.Support): path, nora.header: path, d.dispatcher: "/v1/driver/messages",
	} {
		require.Equal(t, http.StatusForbidden, d.Send(http.MethodGet, asked, "", "Authorization", who).Code, asked)
	}
}

func TestARepeatedMessageOfTheOfficeIsSentOnce(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	var answers []string
	for _, replayed := range []string{"", "true"} {
		body := fmt.Sprintf(`{"driverIds": [%d], "text": "x"}`, nora.driver)
		w := d.Send(http.MethodPost, "/v2/plans/"+today()+"/messages", body, "Authorization", d.dispatcher,
			"Content-Type", "application/json", "Idempotency-Key", "once")
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Equal(t, replayed, w.Header().Get("Idempotent-Replayed"))
		answers = append(answers, w.Body.String())
	}
	require.Equal(t, answers[0], answers[1])
	require.Len(t, nora.messages().Items, 1)
}

func TestAMessageOfAPhoneIsStoredOnce(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	of, _, _ := ola.give("HIS")
	said := written("Running late", time.Hour, object{"orderId": of})
	first := nora.writes(said)
	require.True(t, first.OrderID.IsNull(), "an order of another driver is left out")
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			w := nora.ask(http.MethodPost, "/v1/driver/messages", said)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
		})
	}
	sending.Wait()
	require.Equal(t, first, nora.writes(said))
	require.Len(t, nora.messages().Items, 1)
	require.Equal(t, "driver.message_sent DRIVER", d.logged())
	require.NotEqual(t, first.ID, ola.writes(said).ID, "another driver's phone may choose the same id")

	long := nora.writes(written("From the tunnel", 240*time.Hour))
	require.InDelta(t, 168, long.SentAt.Sub(long.WrittenAt).Hours(), 0.1)
	early := nora.writes(written("A clock that goes wrong", -time.Hour))
	require.False(t, early.WrittenAt.After(early.SentAt))
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	require.Equal(t, yesterday, nora.writes(written("Sent late", 0, object{"date": yesterday})).Date.Format(time.DateOnly))
	require.Len(t, nora.messages().Items, 3, "the phone shows the current day's")

	for field, value := range map[string]any{
		"id": "1", "text": " ", "date": "2026-03-02", "occurredAt": "0001-01-01T00:00:00Z", "sentAt": "0001-01-01T00:00:00Z",
	} {
		w := nora.ask(http.MethodPost, "/v1/driver/messages", written("x", 0, object{field: value}))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, w.Code, field)
		require.Contains(t, w.Body.String(), fmt.Sprintf("%q", field))
	}
}

func TestMessagesAreReadOnce(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	one, two := nora.writes(written("One", 0)), nora.writes(written("Two", 0))
	ola.writes(written("Mine", 0))
	read := func(upTo int64) (count int32) {
		status, text := d.asDispatcher(http.MethodPost, "/v2/plans/"+today()+"/messages/read",
			fmt.Sprintf(`{"driverId": %d, "upTo": %d}`, nora.driver, upTo))
		require.Equal(t, http.StatusOK, status, text)
		var out contract.MessagesRead
		require.NoError(t, json.Unmarshal([]byte(text), &out))
		return out.Count
	}
	require.Equal(t, int32(1), read(one.ID))
	require.True(t, nora.messages().Items[0].ReadAt.IsNull())
	require.False(t, nora.messages().Items[1].ReadAt.IsNull())

	counts := make([]int32, 8)
	var reading sync.WaitGroup
	for i := range counts {
		reading.Go(func() { counts[i] = read(two.ID) })
	}
	reading.Wait()
	var all int32
	for _, n := range counts {
		all += n
	}
	require.Equal(t, int32(1), all, "several people read it, one of them first")
	require.Equal(t, []contract.UnreadOfDriver{{DriverID: ola.driver, DriverName: "Ola", Count: 1}}, d.messages("").Unread)

	sent := d.sends("Bridge closed", nora.driver, ola.driver)
	for _, want := range []string{`{"count":1}`, `{"count":0}`} {
		w := nora.ask(http.MethodPost, "/v1/driver/messages/read", object{"upTo": sent[1].ID})
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.JSONEq(t, want, w.Body.String())
	}
	require.Zero(t, nora.messages().Unread)
	require.Equal(t, int32(1), ola.messages().Unread)
	require.Equal(t, "2", d.Text(`select count(*)::text from events
		where org_id = $1 and kind = 'driver.messages_read' and actor like 'user:%'`))
}

func TestADayHasOnlySoManyMessages(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	d.exec(`insert into driver_messages (org_id, driver_id, day, side, author, text, client_id, written_at)
		select $1, $2, $3::date, s.side, 'user:1', 'x', case s.side when 'DRIVER' then gen_random_uuid() end, now()
		from (values ('OFFICE'), ('DRIVER')) s (side), generate_series(1, 200)`, nora.driver, today())
	status, text := d.asDispatcher(http.MethodPost, "/v2/plans/"+today()+"/messages",
		fmt.Sprintf(`{"driverIds": [%d, %d], "text": "x"}`, ola.driver, nora.driver))
	require.Equal(t, http.StatusConflict, status, text)
	require.Contains(t, text, "Nora already has 200 messages")
	require.Empty(t, ola.messages().Items)
	w := nora.ask(http.MethodPost, "/v1/driver/messages", written("x", 0))
	require.Equal(t, http.StatusConflict, w.Code, w.Body)
	require.Contains(t, w.Body.String(), "200")
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	nora.writes(written("x", 0, object{"date": tomorrow}))
}

// TestTheOfficeWritesAboutOrders sends a message about three orders to the two drivers who have them, and none about
// orders of which one has no driver.
func TestTheOfficeWritesAboutOrders(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	one, _, _ := nora.give("ONE")
	two, _, _ := ola.give("TWO")
	three, _, _ := nora.give("THREE")
	d.exec("update orders set date = $2::date where org_id = $1", today())
	path := "/v2/plans/" + today() + "/messages"
	status, answer := d.asDispatcher(http.MethodPost, path,
		fmt.Sprintf(`{"orderIds": [%d, %d, %d], "text": " Ring the bell. "}`, one, two, three))
	require.Equal(t, http.StatusOK, status, answer)
	var out contract.SentMessages
	require.NoError(t, json.Unmarshal([]byte(answer), &out))
	var said []string
	for _, m := range out.Items {
		said = append(said, fmt.Sprintf("%s %s %s", m.DriverName, m.ExternalID.MustGet(), m.Text))
	}
	require.Equal(t, []string{"Nora ONE Ring the bell.", "Ola TWO Ring the bell.", "Nora THREE Ring the bell."}, said)
	require.Len(t, nora.messages().Items, 2)
	require.Equal(t, "TWO", ola.messages().Items[0].ExternalID.MustGet())

	left := d.Import("LEFT")
	for body, want := range map[string]string{
		fmt.Sprintf(`{"orderIds": [%d, %d], "text": "x"}`, one, left):         "orderIds[1] CHAT_NO_DRIVER",
		fmt.Sprintf(`{"orderIds": [%d, %d], "text": "x"}`, one, one):          "orderIds CHAT_ORDER_TWICE",
		fmt.Sprintf(`{"orderIds": [%d], "driverIds": [1], "text": "x"}`, one): "orderIds CHAT_ORDERS_ALONE",
		`{"orderIds": [], "text": "x"}`:                                       "orderIds DRIVEN_HOW_MANY",
		`{"text": "x"}`:                                                       "driverIds DRIVEN_HOW_MANY",
	} {
		w := d.Send(http.MethodPost, path, body, "Authorization", d.dispatcher)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, w.Code, w.Body)
		require.Equal(t, want, apitest.Refusal(t, w), body)
	}
	require.Len(t, d.messages("").Items, 3, "all get it, or nobody")
}
