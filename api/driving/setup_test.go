package driving_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/providers/files"
)

type object = map[string]any

// depot is an office whose drivers have phones.
type depot struct {
	*apitest.Office

	dispatcher string // the dispatcher's Authorization header
	files      *files.Storage
	folder     string // for the files
}

func newDepot(t *testing.T) depot {
	t.Helper()
	return newDepotWith(t, func(*api.Config, *api.Dependencies) {})
}

// newDepotWith is newDepot with a server that edit changes.
func newDepotWith(t *testing.T, edit func(*api.Config, *api.Dependencies)) depot {
	t.Helper()
	folder := t.TempDir()
	storage, err := files.Open(t.Context(), "file://"+folder, "http://localhost/v1/files", []byte("key"))
	require.NoError(t, err)
	o := apitest.NewOffice(t, func(c *api.Config, d *api.Dependencies) {
		d.Files, c.Documents = storage, attachment.Limits{MaxBytes: 1 << 20}
	}, edit)
	return depot{Office: o, dispatcher: o.AsRole(o.Org, caller.Dispatcher), files: storage, folder: folder}
}

// phone is the phone of a driver.
type phone struct {
	depot
	driver int64
	header string
	ahead  time.Duration // of its clock
}

func (d depot) phone(name string) *phone {
	d.T.Helper()
	p := &phone{depot: d}
	p.driver = d.ID("insert into drivers (org_id, name) values ($1, $2) returning id", name)
	session := d.ID(`insert into sessions (org_id, kind, public_part, hash, driver_id, created_at, last_used_at,
			expires_at)
		values ($1, 'device', $2, '\x00', $3, now(), now(), now() + interval '1 day') returning id`, rand.Text(), p.driver)
	p.header = d.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: d.Org, Kind: caller.Device, ID: session, Roles: []caller.Role{caller.Driver}},
		Zone:   time.UTC, Language: "en", SessionID: session, DriverID: p.driver,
	})
	return p
}

// give gives the driver a new order that was created a day ago, and returns it
// with its stops.
func (p *phone) give(number string) (id, pickup, delivery int64) {
	p.T.Helper()
	id = p.Import(number)
	p.exec("update orders set created_at = now() - interval '1 day' where org_id = $1 and id = $2", id)
	p.move(id, 2, p.driver)
	stop := "select id from order_stops where org_id = $1 and order_id = $2 and kind = $3"
	return id, p.ID(stop, id, "pickup"), p.ID(stop, id, "delivery")
}

// move has the dispatcher bring an order to a status.
func (d depot) move(id int64, status int, driver int64) *httptest.ResponseRecorder {
	d.T.Helper()
	said := object{"order_status_id": status}
	if driver != 0 {
		said["driver_id"] = driver
	}
	body, err := json.Marshal(said)
	require.NoError(d.T, err)
	path := fmt.Sprintf("/v1/orders/%d/status", id)
	return d.Send(http.MethodPut, path, string(body), "Authorization", d.dispatcher)
}

func (d depot) exec(sql string, args ...any) {
	d.T.Helper()
	_, err := d.Owner.Exec(d.T.Context(), sql, append([]any{d.Org}, args...)...)
	require.NoError(d.T, err)
}

func uuid() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// did returns an action of the driver some time ago.
func (p *phone) did(what string, stop int64, ago time.Duration, more ...object) object {
	now := time.Now().Add(p.ahead)
	a := object{"id": uuid(), "type": what, "occurredAt": now.Add(-ago), "sentAt": now}
	if stop != 0 {
		a["stopId"] = stop
	}
	for _, m := range more {
		for name, value := range m {
			a[name] = value
		}
	}
	return a
}

func (p *phone) post(actions ...object) *httptest.ResponseRecorder {
	p.T.Helper()
	return p.ask(http.MethodPost, "/v1/driver/actions", object{"actions": actions})
}

func (p *phone) ask(method, path string, body any) *httptest.ResponseRecorder {
	p.T.Helper()
	text, err := json.Marshal(body)
	require.NoError(p.T, err)
	return p.Send(method, path, string(text), "Authorization", p.header)
}

// says sends valid actions, and returns the results.
func (p *phone) says(actions ...object) []contract.DriverActionResult {
	p.T.Helper()
	w := p.post(actions...)
	require.Equal(p.T, http.StatusOK, w.Code, "%s %v", w.Body, p.Logs.Records(p.T, "request failed"))
	var out contract.DriverActionResults
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &out))
	require.Len(p.T, out.Results, len(actions))
	return out.Results
}

// outcomes are answers in short: with why, and the status of the order then.
func outcomes(results []contract.DriverActionResult) (all []string) {
	for _, r := range results {
		s := string(r.Outcome)
		if r.Reason != nil {
			s += " " + string(*r.Reason)
		}
		if r.OrderStatusID != nil {
			s += fmt.Sprintf(" %d", *r.OrderStatusID)
		}
		all = append(all, s)
	}
	return all
}

// story are the events of an order since it was planned, with their data but for
// the ids of actions.
func (d depot) story(order int64) string {
	return d.Text(`select coalesce(string_agg(concat_ws(' ', kind, order_status_id, 'driver='||driver_id, stop,
			split_part(actor, ':', 1), data - 'action' - 'type' - 'sha256'), E'\n' order by id), '')
		from events where org_id = $1 and subject_type = 'order' and subject_id = $2
			and id > (select max(id) from events where org_id = $1 and subject_id = $2 and kind = 'order.planned')`, order)
}

// stand returns the order's state in all its rows.
func (d depot) stand(order int64) string {
	return d.Text(`select concat_ws(' ', o.status_id, 'driver='||o.driver_id, g.pickup_status, g.delivery_status,
			g.failure_reason, (select string_agg(p.delivered||'/'||p.refused, ',' order by p.order_product_id)
				from order_product_deliveries p where p.org_id = o.org_id and p.order_id = o.id),
			(select string_agg(c.type, ',') from completion_proofs c
				where c.org_id = o.org_id and c.order_id = o.id and c.counts))
		from orders o left join order_progress g on g.org_id = o.org_id and g.order_id = o.id
		where o.org_id = $1 and o.id = $2`, order)
}
