package driving_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
)

const (
	nora, jens = int64(17), int64(18)
)

func at(status order.Status, driver int64) driving.Order {
	return driving.Order{Order: &order.Order{ID: 1, Number: "A-1", Status: status}, DriverID: driver}
}

// after is the order as an outcome leaves it.
func after(o driving.Order, out driving.Outcome) driving.Order {
	next := *o.Order
	next.Status = out.Status
	return driving.Order{Order: &next, DriverID: out.DriverID, LockedTo: o.LockedTo, Prohibited: o.Prohibited}
}

// reasonOf is why something is refused: the reason, or that of the first field.
func reasonOf(t require.TestingT, err error) string {
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	if len(f.Violations) > 0 {
		return f.Violations[0].Field + " " + f.Violations[0].Text.Reason()
	}
	return f.Text.Reason()
}

func TestTheTableOfTransitions(t *testing.T) {
	t.Parallel()
	// One line per status before, one column per status after; + is allowed, = is
	// where the order is.
	table := map[order.Status]string{
		order.Registered: "=+++++--",
		order.Planned:    "+=+++++-",
		order.AtPickup:   "--=++++-",
		order.PickedUp:   "---=+++-",
		order.AtDelivery: "----=++-",
		order.Delivered:  "-----=--",
		order.Failed:     "------=-",
		order.Cancelled:  "--------",
	}
	for from, line := range table {
		for to := order.Registered; to <= order.Cancelled; to++ {
			o := at(from, nora)
			out, err := o.Move(driving.Move{To: to})
			switch line[to-1] {
			case '+':
				require.NoError(t, err, "%d to %d", from, to)
				require.Equal(t, to, out.Status)
				require.Len(t, out.Events, 1)
				require.Equal(t, to, out.Events[0].Status)
				require.NotEqual(t, event.OrderCorrected, out.Events[0].Kind)
				require.Contains(t, driving.Allowed(from), to)
			case '=':
				require.NoError(t, err)
				require.Empty(t, out.Events)
			default:
				require.Equal(t, "ILLEGAL_TRANSITION", reasonOf(t, err), "%d to %d", from, to)
				require.NotContains(t, driving.Allowed(from), to)
			}
		}
	}
}

// TestSkippedStatusesAreImplied moves orders by all steps and by some of them:
// the result is the same, and repeating an action changes nothing.
func TestSkippedStatusesAreImplied(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.SampledFrom([]order.Status{order.Delivered, order.Failed}).Draw(t, "end")
		o := at(order.Planned, nora)
		for s := order.AtPickup; s <= order.AtDelivery; s++ {
			for range rapid.IntRange(0, 2).Draw(t, "times") {
				out, err := o.Move(driving.Move{To: s})
				require.NoError(t, err)
				o = after(o, out)
			}
		}
		out, err := o.Move(driving.Move{To: to})
		require.NoError(t, err)
		require.Equal(t, driving.Outcome{Status: to, DriverID: nora, Events: out.Events}, out)
		again, err := after(o, out).Move(driving.Move{To: to})
		require.NoError(t, err)
		require.Empty(t, again.Events)
	})
}

// TestDrivingRulesCannotBeBypassed plays random moves, locks and prohibitions and
// checks the invariants: an order ends once, a planned order has a driver, no
// driver has an order against a lock or prohibition, and every refusal has a
// reason.
func TestDrivingRulesCannotBeBypassed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := at(order.Registered, 0)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			before := o
			var out driving.Outcome
			var err error
			who := rapid.SampledFrom([]int64{0, nora, jens}).Draw(t, "driver")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				if out, err = o.Lock(who); err == nil {
					o.LockedTo = who
				}
			case 1:
				if out, err = o.Prohibit([]int64{who}); err == nil {
					o.Prohibited = []int64{who}
				}
			default:
				to := order.Status(rapid.IntRange(1, 8).Draw(t, "to"))
				out, err = o.Move(driving.Move{To: to, DriverID: who})
			}
			if err != nil {
				require.NotEmpty(t, reasonOf(t, err))
				o = before
				continue
			}
			o = after(o, out)
			if before.Status.Over() {
				require.Equal(t, before.Status, o.Status)
			}
			if o.Status == order.Planned {
				require.NotZero(t, o.DriverID)
				require.NotContains(t, o.Prohibited, o.DriverID)
				if o.LockedTo != 0 {
					require.Equal(t, o.LockedTo, o.DriverID)
				}
			}
			require.Equal(t, before.Status != o.Status || before.DriverID != o.DriverID || before.LockedTo != o.LockedTo ||
				len(out.Events) > 0, len(out.Events) > 0, "what changes is told")
		}
	})
}

func TestLogNamesEventSubjectAndActor(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		from order.Status
		move driving.Move
		kind event.Kind
		stop order.StopKind
	}{
		{order.Planned, driving.Move{To: order.AtPickup, At: noon}, event.StopArrived, order.Pickup},
		{order.AtPickup, driving.Move{To: order.PickedUp}, event.OrderPickedUp, order.Pickup},
		{order.PickedUp, driving.Move{To: order.AtDelivery}, event.StopArrived, order.Delivery},
		{order.AtDelivery, driving.Move{To: order.Delivered}, event.OrderDelivered, order.Delivery},
		{order.AtPickup, driving.Move{To: order.Failed}, event.OrderFailed, order.Pickup},
		{order.Planned, driving.Move{To: order.Failed, Stop: order.Delivery}, event.OrderFailed, order.Delivery},
		{order.PickedUp, driving.Move{To: order.Failed}, event.OrderFailed, order.Delivery},
	} {
		out, err := at(c.from, nora).Move(c.move)
		require.NoError(t, err)
		e := out.Events[0]
		require.Equal(t, c.kind, e.Kind)
		require.Equal(t, c.stop, e.Stop)
		require.Equal(t, nora, e.DriverID)
		require.Equal(t, c.move.At, e.At)
	}
	out, err := at(order.Registered, 0).Move(driving.Move{To: order.Planned, DriverID: jens})
	require.NoError(t, err)
	require.Equal(t, event.OrderPlanned, out.Events[0].Kind)
	require.Equal(t, jens, out.DriverID)
	out, err = at(order.Planned, nora).Move(driving.Move{To: order.Registered})
	require.NoError(t, err)
	require.Equal(t, event.OrderUnplanned, out.Events[0].Kind)
	require.Zero(t, out.DriverID)
}

func TestContradictoryMovesAreRefused(t *testing.T) {
	t.Parallel()
	locked, prohibited := at(order.Registered, 0), at(order.Registered, 0)
	locked.LockedTo, prohibited.Prohibited = nora, []int64{jens}
	for _, c := range []struct {
		order  driving.Order
		move   driving.Move
		reason string
	}{
		{at(order.Registered, 0), driving.Move{To: order.Planned}, "driver_id DRIVING_DRIVER_MISSING"},
		{at(order.Planned, nora), driving.Move{To: order.Registered, DriverID: jens}, "driver_id DRIVING_DRIVER_LEFT"},
		{at(order.PickedUp, nora), driving.Move{To: order.Failed, Stop: order.Pickup}, "stop DRIVING_WRONG_STOP"},
		{at(order.Planned, nora), driving.Move{To: order.AtPickup, Stop: order.Delivery}, "stop DRIVING_WRONG_STOP"},
		{at(order.PickedUp, nora), driving.Move{To: order.AtDelivery, DriverID: jens}, "DRIVING_UNDER_WAY"},
		{locked, driving.Move{To: order.Planned, DriverID: jens}, "DRIVING_LOCKED"},
		{prohibited, driving.Move{To: order.AtPickup, DriverID: jens}, "DRIVING_PROHIBITED"},
	} {
		_, err := c.order.Move(c.move)
		require.Equal(t, c.reason, reasonOf(t, err), "%+v", c.move)
	}
}

func TestCorrectionBypassesTransitionsWithoutMessages(t *testing.T) {
	t.Parallel()
	out, err := at(order.Delivered, nora).Move(driving.Move{To: order.AtDelivery, Correct: true})
	require.NoError(t, err)
	require.Equal(t, order.AtDelivery, out.Status)
	require.Equal(t, event.OrderCorrected, out.Events[0].Kind)
	out, err = at(order.AtDelivery, nora).Move(driving.Move{To: order.Delivered, Correct: true})
	require.NoError(t, err)
	require.Equal(t, event.OrderDelivered, out.Events[0].Kind, "what the table allows is no correction")
	for _, c := range [][2]order.Status{{order.Cancelled, order.Registered}, {order.Registered, order.Cancelled}} {
		_, err = at(c[0], nora).Move(driving.Move{To: c[1], Correct: true})
		require.Equal(t, "ILLEGAL_TRANSITION", reasonOf(t, err))
	}
}

func TestLocksAndProhibitionsOfPlannedOrders(t *testing.T) {
	t.Parallel()
	planned := at(order.Planned, nora)
	out, err := planned.Prohibit([]int64{nora})
	require.NoError(t, err)
	require.Equal(t, []event.Kind{event.OrderDriversProhibited, event.OrderUnplanned}, kinds(out))
	require.Equal(t, order.Registered, out.Status)
	require.Zero(t, out.DriverID)

	out, err = planned.Prohibit([]int64{jens})
	require.NoError(t, err)
	require.Equal(t, nora, out.DriverID)
	out, err = planned.Lock(jens)
	require.NoError(t, err)
	require.Equal(t, []event.Kind{event.OrderLocked, event.OrderUnplanned}, kinds(out))
	out, err = planned.Lock(nora)
	require.NoError(t, err)
	require.Equal(t, []event.Kind{event.OrderLocked}, kinds(out))

	_, err = at(order.PickedUp, nora).Prohibit([]int64{nora})
	require.Equal(t, "DRIVING_UNDER_WAY", reasonOf(t, err))
	_, err = at(order.PickedUp, nora).Lock(jens)
	require.Equal(t, "DRIVING_UNDER_WAY", reasonOf(t, err))
	_, err = at(order.Delivered, nora).Lock(jens)
	require.Equal(t, "DRIVING_OVER", reasonOf(t, err))
	locked := at(order.Registered, 0)
	locked.LockedTo = nora
	_, err = locked.Prohibit([]int64{nora})
	require.Equal(t, "DRIVING_LOCKED", reasonOf(t, err))
	out, err = locked.Lock(0)
	require.NoError(t, err)
	require.Equal(t, []event.Kind{event.OrderUnlocked}, kinds(out))
}

func kinds(out driving.Outcome) []event.Kind {
	var all []event.Kind
	for _, e := range out.Events {
		all = append(all, e.Kind)
	}
	return all
}
