package operations_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/customfield"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/storetest"
)

// TestWhatWasDoneIsNotDoneAgain has processes die between the commit of an
// operation and its answer: the next attempt answers what the first would have,
// and writes nothing.
func TestWhatWasDoneIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	booked := o.Imported(org, operationstest.HeavyOrder("booked")).Orders[0].ID
	scheduled := o.Imported(org, operationstest.HeavyOrder("scheduled")).Orders[0].ID
	unfinished := operationstest.HeavyOrder("draft")
	unfinished.Customer = nil
	draft := o.Imported(org, unfinished).Results[0].Draft.ID
	day := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	interval := booking.NewIntervalID(operationstest.One[int64](o, `
		insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
		values ($1, 'Day', 'FREQ=DAILY', 480, 600, 600, 960, 9) returning id`, org), day)
	ctx := t.Context()

	for name, operation := range map[string]func(c caller.Caller, attempt int) (any, error){
		"create driver": func(c caller.Caller, _ int) (any, error) {
			return o.MasterData.CreateDriver(ctx, c, driver.Details{Name: "Nora", ExternalID: "N"})
		},
		"create custom field": func(c caller.Caller, _ int) (any, error) {
			return o.MasterData.CreateCustomField(ctx, c, customfield.Definition{
				ExternalID: "one", Label: "L", Title: "T", SortOrderBatch: "num", DisplayOn: "both", DisplayStyle: "card",
				IsActive: true,
			})
		},
		"upsert products": func(c caller.Caller, _ int) (any, error) {
			more := order.ProductChange{ExternalID: "P-2", Name: order.Give("Chair")}
			return o.Orders.UpsertProducts(ctx, c, 0, "booked", []order.ProductChange{more})
		},
		"declare documents": func(c caller.Caller, _ int) (any, error) {
			return o.Documents.DeclareDocuments(ctx, c, []attachment.File{{Name: "a.pdf", ContentType: "application/pdf", Size: 7}})
		},
		"reserve links": func(c caller.Caller, attempt int) (any, error) {
			drawn := store.TrackingLink{Stop: order.Pickup, Code: fmt.Sprint("code", attempt), Link: fmt.Sprint("/t/code", attempt)}
			return o.Tracking.ReserveTrackingLinks(ctx, c, "booked", []store.TrackingLink{drawn}, time.Hour)
		},
		"book an order": func(c caller.Caller, _ int) (any, error) {
			return o.Bookings.Book(ctx, c, store.Booked{OrderID: booked}, interval, 0)
		},
		"book a draft": func(c caller.Caller, _ int) (any, error) {
			return o.Bookings.Book(ctx, c, store.Booked{DraftID: draft}, interval, 0)
		},
		"schedule an order": func(c caller.Caller, _ int) (any, error) { return o.Bookings.ScheduleOrder(ctx, c, scheduled, &day) },
		"stage a template": func(c caller.Caller, _ int) (any, error) {
			return o.Recurring.StageTemplate(ctx, c, []byte(`{"name": "Chairs", "rruleset": "FREQ=DAILY", "startDate": "2026-03-02T08:00:00Z",
				"daysToGenerateAhead": 3, "orderTemplate": {"customer": {"externalId": "C-100"}, "vehicleType": {"name": "Van"},
				"orderType": {"name": "Standard"}, "pickup": {"externalId": "L-1"}, "delivery": {"externalId": "L-2"}}}`), time.UTC)
		},
	} {
		first, err := operation(o.Attempt(org, name), 1)
		require.NoError(t, err, name)
		c := o.Attempt(org, name)
		before := o.EveryRow()
		again, err := operation(c, 2)
		require.NoError(t, err, name)
		require.Equal(t, text(t, first), text(t, again), name)
		require.Equal(t, before, o.EveryRow(), "%s wrote something again", name)
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	return string(raw)
}

func TestASlowAttemptChangesNothingWhenAnotherHasBegun(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	slow, next := o.Attempt(org, "k"), o.Attempt(org, "k")
	drivers := func() int { return operationstest.One[int](o, "select count(*)::int from drivers where name = 'Nora'") }

	_, err := o.MasterData.CreateDriver(t.Context(), slow, driver.Details{Name: "Nora"})
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	require.Zero(t, drivers())
	created, err := o.MasterData.CreateDriver(t.Context(), next, driver.Details{Name: "Nora"})
	require.NoError(t, err)
	require.Equal(t, 1, drivers())

	// The answer came to nothing: whoever tries again need not wait.
	require.NoError(t, o.Store.ReleaseKey(t.Context(), org, next.Repeat))
	again, err := o.MasterData.CreateDriver(t.Context(), o.Attempt(org, "k"), driver.Details{Name: "Nora"})
	require.NoError(t, err)
	require.Equal(t, created.ID, again.ID)
	require.Equal(t, 1, drivers())
}

func TestARefusalLeavesNoOutcome(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	taken := driver.Details{Name: "Nora", ExternalID: "N"}
	_, err := o.MasterData.CreateDriver(t.Context(), operationstest.Clerk(org), taken)
	require.NoError(t, err)
	_, err = o.MasterData.CreateDriver(t.Context(), o.Attempt(org, "k"), taken)
	require.Equal(t, fault.Duplicate, fault.KindOf(err))
	_, err = o.MasterData.CreateDriver(t.Context(), o.Attempt(org, "k"), driver.Details{Name: "Nora", ExternalID: "M"})
	require.NoError(t, err, "the next attempt is judged anew")
}

func TestAChangeThatIsTakenBackIsStagedAgain(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	stage := func(c caller.Caller) int64 {
		staged, err := o.Recurring.StageTemplate(t.Context(), c, []byte(`{"name": "Chairs", "rruleset": "FREQ=DAILY",
			"startDate": "2026-03-02T08:00:00Z", "daysToGenerateAhead": 3, "orderTemplate": {"customer": {"externalId": "C-100"},
			"vehicleType": {"name": "Van"}, "orderType": {"name": "Standard"}, "pickup": {"externalId": "L-1"},
			"delivery": {"externalId": "L-2"}}}`), time.UTC)
		require.NoError(t, err)
		abandoned, err := o.Recurring.AbandonTemplateChange(t.Context(), c, staged)
		require.NoError(t, err)
		require.True(t, abandoned)
		return staged.ID
	}
	require.NotEqual(t, stage(o.Attempt(org, "k")), stage(o.Attempt(org, "k")))
}
