package exports_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/mocks"
	"pgregory.net/rapid"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/operations/operationstest"
	"waybill/relay"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

// history is a carrier whose exports follow the log, as they do when the relay runs:
// an order is considered when a follower of the log says so, and never else.
type history struct {
	*carrier

	check     require.TestingT
	driver    int64
	followers []relay.Follower
	read      int64     // up to which event the log was followed
	date      time.Time // of the orders of this run, so that none merges into an earlier one's
	numbers   []string
	deeds     []driving.DriverAction
}

func newHistory(t *testing.T) *history {
	t.Helper()
	h := &history{carrier: newCarrier(t), date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}
	h.driver = operationstest.One[int64](h.Office, "insert into drivers (org_id, name) values ($1, 'Nora') returning id", h.key.OrgID)
	h.Do("update organizations set reexport = true, reexport_since = now() - interval '1 hour', allow_merge = true")
	h.Do("select set_config('app.org_id', $1::bigint::text, false)", h.key.OrgID) // the feed is a view of one organization
	temporal := &mocks.Client{}
	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.Anything, workflows.ExportChangedSignal,
		mock.Anything, mock.Anything, mock.Anything, mock.Anything).
		Run(func(args mock.Arguments) { h.consider(args.String(1)) }).Return(nil, nil)
	temporal.On("SignalWorkflow", mock.Anything, mock.Anything, mock.Anything, mock.Anything, mock.Anything).Return(nil)
	for _, f := range followers.All(followers.Deps{Store: h.Store, Temporal: temporal}) {
		if f.Name == "exports" || f.Name == "acknowledgements" {
			h.followers = append(h.followers, f)
		}
	}
	return h
}

// consider does what the workflow of an export does when it is told of a change.
func (h *history) consider(workflowID string) {
	id, err := strconv.ParseInt(workflowID[strings.LastIndex(workflowID, "/")+1:], 10, 64)
	if err != nil {
		panic(err)
	}
	if _, err := h.Exports.ConsiderExport(h.T.Context(), h.key, id); err != nil {
		h.T.Errorf("consider: %v", err)
	}
}

// begin starts with an order of its own.
func (h *history) begin(check require.TestingT) {
	h.check, h.date = check, h.date.AddDate(0, 0, 1)
	day := h.date.Format(time.DateOnly)
	h.numbers, h.deeds = []string{day + "/1", day + "/2"}, nil
	h.enters(h.numbers[0], "PO")
}

// enters has an order imported, as if somebody had done so a day ago.
func (h *history) enters(number, reference string) {
	entry := operationstest.HeavyOrder(number)
	entry.Date, entry.Reference = h.date.Format(time.DateOnly), reference
	h.Imported(h.key.OrgID, entry)
	h.Do("update orders set created_at = now() - interval '1 day' where created_at > now() - interval '1 hour'")
}

// orderID is the order that a number leads to; ok is false for none.
func (h *history) orderID(number string) (id int64, ok bool) {
	id = operationstest.One[int64](h.Office, `select coalesce((
		select order_id from order_numbers where org_id = $1 and number = $2), 0)`, h.key.OrgID, number)
	return id, id != 0
}

// may requires that nothing went wrong but what the rules refuse.
func (h *history) may(err error) {
	if err != nil && !slices.Contains([]fault.Kind{fault.IllegalState, fault.Invalid, fault.NotFound}, fault.KindOf(err)) {
		require.NoError(h.check, err)
	}
}

func (h *history) moves(number string, m driving.Move) {
	if id, ok := h.orderID(number); ok {
		office := h.key
		office.Roles = []caller.Role{caller.Admin}
		_, err := h.Planning.MoveOrder(h.T.Context(), office, id, m, nil, version.Expected{})
		h.may(err)
	}
}

func (h *history) acts(a driving.DriverAction) {
	device := caller.Caller{OrgID: h.key.OrgID, Kind: caller.Device, ID: 1, Roles: []caller.Role{caller.Driver}, Cause: "test"}
	a.DriverID, a.Sent = h.driver, time.Now()
	a.ID = operationstest.One[string](h.Office, "select gen_random_uuid()::text")
	_, err := h.Driving.Act(h.T.Context(), device, []driving.DriverAction{a})
	require.NoError(h.check, err)
	h.deeds = append(h.deeds, a)
}

// drives has the driver report something that he did a while ago.
func (h *history) drives(number string, deed driving.Deed, ago time.Duration) {
	id, ok := h.orderID(number)
	if !ok {
		return
	}
	kind := order.Delivery
	if deed == driving.PickUp {
		kind = order.Pickup
	}
	stop := operationstest.One[int64](h.Office, "select id from order_stops where order_id = $1 and kind = $2", id, string(kind))
	h.acts(driving.DriverAction{Deed: deed, StopID: stop, Clock: time.Now().Add(-ago)})
}

// undoes has the driver take the last thing back that he said.
func (h *history) undoes() {
	if len(h.deeds) == 0 {
		return
	}
	last := h.deeds[len(h.deeds)-1]
	h.acts(driving.DriverAction{
		Deed: driving.Undo, StopID: last.StopID, Clock: last.Clock.Add(10 * time.Second), Undoes: last.ID,
	})
}

// reports has the carrier say what it did a while ago.
func (h *history) reports(number, kind string, success bool, ago time.Duration) {
	by := caller.Caller{OrgID: h.key.OrgID, Kind: caller.Carrier, Name: "postnord", Cause: "test"}
	h.may(h.Exports.RecordCarrierUpdate(h.T.Context(), by, &store.CarrierUpdate{
		ExternalID: number, EventType: kind, OccurredAt: time.Now().Add(-ago), Success: success,
		RawBody: fmt.Appendf(nil, `{"at": %d}`, time.Now().UnixNano()),
	}))
}

// acknowledges has the carrier fetch the feed, and say something of a shipment of
// this run.
func (h *history) acknowledges(status export.Status) {
	page, err := h.Exports.ExportFeed(h.T.Context(), h.key, store.Page{Number: 1, Size: 500})
	require.NoError(h.check, err)
	for _, s := range page.Shipments {
		if strings.Contains(string(s.Payload), h.numbers[0]) || strings.Contains(string(s.Payload), h.numbers[1]) {
			_, err := h.Exports.AcknowledgeExport(h.T.Context(), h.key, store.Acknowledgement{Token: s.Token, Status: status})
			h.may(err)
		}
	}
}

// follow hands the new events of the log to those that follow it for exports, and
// goes on until nothing is new.
func (h *history) follow() {
	for {
		rows, err := h.Owner.Query(h.T.Context(), `
			select id, kind, order_id, order_status_id from events where id > $1 and order_id is not null order by id`, h.read)
		require.NoError(h.check, err)
		events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Event, error) {
			e := store.Event{OrgID: h.key.OrgID}
			var status *order.Status
			err := row.Scan(&e.ID, &e.Kind, &e.OrderID, &status)
			if status != nil {
				e.Status = *status
			}
			return e, err
		})
		require.NoError(h.check, err)
		if len(events) == 0 {
			return
		}
		h.read = events[len(events)-1].ID
		for _, f := range h.followers {
			wanted := slices.DeleteFunc(slices.Clone(events), func(e store.Event) bool {
				return !slices.Contains(f.Kinds, e.Kind)
			})
			require.NoError(h.check, f.Hand(h.T.Context(), wanted))
		}
	}
}

// holds requires that the feed offers of each order of this run what the order is
// now, or rightly nothing: to consider it once more changes nothing.
func (h *history) holds() {
	ids := operationstest.One[[]int64](h.Office, `
		select coalesce(array_agg(distinct order_id), '{}') from order_numbers where number = any($1)`, h.numbers)
	var shipments map[int64]store.Shipment
	require.NoError(h.check, h.Store.InReadOnlyTx(h.T.Context(), h.key.OrgID, func(t *store.Tx) (err error) {
		shipments, err = t.Shipments(h.T.Context(), ids, false)
		return err
	}))
	for _, id := range ids {
		stands := func() string {
			return operationstest.One[string](h.Office, "select coalesce((select e::text from order_exports e where order_id = $1), '')", id)
		}
		before := stands()
		offered := operationstest.One[[]string](h.Office, `select coalesce(array_agg(v.payload), '{}') from export_feed f
			join export_versions v using (org_id, order_id, version) where f.order_id = $1`, id)
		_, err := h.Exports.ConsiderExport(h.T.Context(), h.key, id)
		require.NoError(h.check, err)
		require.Equal(h.check, before, stands(), "order %d was not considered after it changed", id)
		for _, payload := range offered {
			if shipments[id].Order.Cancelled {
				require.Contains(h.check, payload, `"cancelled":true`)
				continue
			}
			require.JSONEq(h.check, string(shipments[id].Payload), payload)
		}
	}
}

// What was delivered before it was cancelled is not offered as cancelled, whenever the
// report comes.
func TestFeedDropsLateCancellation(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.begin(t)
	number := h.numbers[0]
	h.follow()
	h.acknowledges(export.StatusExported)
	h.follow()
	_, err := h.Orders.CancelOrders(t.Context(), h.key, h.numbers[:1])
	require.NoError(t, err)
	h.follow()
	offered := func() []string {
		return operationstest.One[[]string](h.Office, `select coalesce(array_agg(v.payload), '{}') from export_feed f
			join export_versions v using (org_id, order_id, version) join orders o on o.id = f.order_id
			where o.number = $1`, number)
	}
	require.Len(t, offered(), 1)
	require.Contains(t, offered()[0], `"cancelled":true`)
	h.reports(number, store.UpdateDelivered, true, time.Hour)
	h.follow()
	require.Empty(t, offered())
	h.holds()
}

// An export is not woken by what drivers and carriers report as long as its order was
// not cancelled before and is not now.
func TestExportsSleepWhileTheirOrdersAreDriven(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.begin(t)
	h.follow()
	h.acknowledges(export.StatusExported)
	h.follow()
	h.reports(h.numbers[0], store.UpdatePickupCompleted, true, 2*time.Hour)
	h.reports(h.numbers[0], store.UpdateDelivered, true, time.Hour)
	require.Equal(t, 1, h.events(string(event.OrderDelivered)))
	id, _ := h.orderID(h.numbers[0])
	subjects, err := h.Store.ExportSubjects(t.Context(), h.key.OrgID, nil, []int64{id})
	require.NoError(t, err)
	require.Empty(t, subjects)
}

// Whatever happens to orders, and in whatever sequence it becomes known: the feed
// offers what the orders are.
func TestTheFeedFollowsTheOrders(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	runs, failed := 0, false
	rapid.Check(t, func(t *rapid.T) {
		if runs++; runs > mostRuns && !failed {
			return
		}
		defer func() { failed = failed || t.Failed() }()
		h.begin(t)
		number := func(t *rapid.T) string { return rapid.SampledFrom(h.numbers).Draw(t, "number") }
		ago := func(t *rapid.T) time.Duration {
			return rapid.SampledFrom([]time.Duration{0, time.Hour, 2 * time.Hour, 3 * time.Hour}).Draw(t, "ago")
		}
		t.Repeat(map[string]func(*rapid.T){
			"import": func(t *rapid.T) {
				h.enters(number(t), rapid.SampledFrom([]string{"PO", "PQ"}).Draw(t, "reference"))
			},
			"cancel": func(t *rapid.T) {
				_, err := h.Orders.CancelOrders(h.T.Context(), h.key, []string{number(t)})
				require.NoError(t, err)
			},
			"reactivate": func(t *rapid.T) {
				_, err := h.Orders.ReactivateOrder(h.T.Context(), h.key, number(t))
				h.may(err)
			},
			"give": func(t *rapid.T) {
				h.moves(number(t), driving.Move{To: order.Planned, DriverID: h.driver})
			},
			"correct": func(t *rapid.T) {
				to := order.Status(rapid.IntRange(int(order.Registered), int(order.Failed)).Draw(t, "to"))
				m := driving.Move{To: to, DriverID: h.driver, Correct: true}
				if to == order.Registered {
					m.DriverID = 0
				}
				h.moves(number(t), m)
			},
			"drive": func(t *rapid.T) {
				h.drives(number(t), rapid.SampledFrom([]driving.Deed{
					driving.Arrive, driving.PickUp, driving.Deliver, driving.Fail,
				}).Draw(t, "deed"), ago(t))
			},
			"undo": func(*rapid.T) { h.undoes() },
			"report": func(t *rapid.T) {
				h.reports(number(t), rapid.SampledFrom([]string{
					store.UpdatePickupCompleted, store.UpdateDelivered,
				}).Draw(t, "report"), rapid.Bool().Draw(t, "success"), ago(t))
			},
			"acknowledge": func(t *rapid.T) {
				h.acknowledges(rapid.SampledFrom([]export.Status{export.StatusExported, export.StatusFailed}).Draw(t, "status"))
			},
			"": func(t *rapid.T) {
				h.check = t
				h.follow()
				h.holds()
			},
		})
	})
}
