package driving_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/domain/order"
)

var morning = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// said returns a driver's fact at a minute of the day.
func said(id string, minute float64, driver int64, deed driving.Deed, stop order.StopKind) driving.Fact {
	at := morning.Add(time.Duration(minute * float64(time.Minute)))
	return driving.Fact{ID: id, Deed: deed, At: at, Clock: at, DriverID: driver, Stop: stop}
}

func undo(id string, minute float64, of string) driving.Fact {
	f := said(id, minute, nora, driving.Undo, order.Pickup)
	f.Undoes = of
	return f
}

func office(id string, minute float64, deed driving.Deed, to order.Status) driving.Fact {
	f := said(id, minute, 0, deed, "")
	f.To = to
	return f
}

func standing(facts ...driving.Fact) driving.Standing {
	return driving.History{GivenTo: nora, Facts: facts}.Standing()
}

// facts are the reports, and effects their results.
type (
	facts   []driving.Fact
	effects map[string]driving.Effect
)

func TestStandingOfAnOrder(t *testing.T) {
	t.Parallel()
	arrive := said("a", 0, nora, driving.Arrive, order.Pickup)
	pick := said("p", 5, nora, driving.PickUp, order.Pickup)
	there := said("b", 20, nora, driving.Arrive, order.Delivery)
	deliver := said("d", 25, nora, driving.Deliver, order.Delivery)
	for name, c := range map[string]struct {
		said    facts
		status  order.Status
		driver  int64
		effects effects
	}{
		"nothing": {nil, order.Planned, nora, nil},
		"all": {
			facts{arrive, pick, there, deliver},
			order.Delivered, nora, nil,
		},
		"what lies between": {facts{deliver}, order.Delivered, nora, nil},
		"late":              {facts{deliver, arrive}, order.Delivered, nora, nil},
		"cancelled before": {
			facts{office("x", 24, driving.Cancel, 8), deliver},
			order.Cancelled, nora,
			effects{"d": driving.OrderCancelled},
		},
		"cancelled after the deed": {
			facts{office("x", 26, driving.Cancel, 8), deliver},
			order.Delivered, nora,
			effects{"x": driving.AlreadyDone},
		},
		"cancelled on the way": {
			facts{office("x", 7, driving.Cancel, 8), pick},
			order.Cancelled, nora, nil,
		},
		"brought back": {
			facts{pick, office("x", 7, driving.Cancel, 8), office("y", 9, driving.Reactivated, 1)},
			order.Planned, nora, nil,
		},
		"another one began": {
			facts{said("j", 3, jens, driving.PickUp, order.Pickup), deliver},
			order.PickedUp, jens,
			effects{"d": driving.NotYours},
		},
		"another one has not begun": {
			facts{said("j", 3, jens, driving.PickUp, order.Pickup)},
			order.PickedUp, jens, nil,
		},
		"delivered by another one": {
			facts{said("j", 3, jens, driving.Deliver, order.Delivery), deliver},
			order.Delivered, jens,
			effects{"d": driving.AlreadyDone},
		},
		"undone": {
			facts{pick, undo("u", 5.5, "p")},
			order.Planned, nora,
			effects{"p": driving.TakenBack},
		},
		"undone before it came": {
			facts{undo("u", 5.5, "p"), pick},
			order.Planned, nora,
			effects{"p": driving.TakenBack},
		},
		"undone too late": {
			facts{pick, undo("u", 6.5, "p")},
			order.PickedUp, nora,
			effects{"u": driving.UndoTooLate},
		},
		"nothing to undo": {
			facts{pick, undo("u", 5.5, "q")},
			order.PickedUp, nora,
			effects{"u": driving.NothingToUndo},
		},
		"failed at the pickup": {
			facts{arrive, said("f", 5, nora, driving.Fail, order.Pickup)},
			order.Failed, nora, nil,
		},
		"no failure at a pickup that is done": {
			facts{pick, said("f", 6, nora, driving.Fail, order.Pickup)},
			order.PickedUp, nora,
			effects{"f": driving.AlreadyDone},
		},
		"failed, then delivered": {
			facts{said("f", 20, nora, driving.Fail, order.Delivery), deliver},
			order.Failed, nora,
			effects{"d": driving.AlreadyDone},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := standing(c.said...)
			require.Equal(t, c.status, s.Status)
			require.Equal(t, c.driver, s.DriverID)
			for id, effect := range c.effects {
				require.Equal(t, effect, s.Effects[id], id)
			}
		})
	}
}

func TestProgressOfStops(t *testing.T) {
	t.Parallel()
	s := standing(said("p", 5, nora, driving.PickUp, order.Pickup), said("b", 20, nora, driving.Arrive, order.Delivery))
	require.Equal(t, driving.StopCompleted, s.Pickup.Status)
	require.Equal(t, morning.Add(5*time.Minute), s.Pickup.Ended)
	require.Equal(t, driving.StopStanding{Status: driving.StopArrived, Arrived: morning.Add(20 * time.Minute)}, s.Delivery)
	failed := said("f", 30, nora, driving.Fail, order.Delivery)
	failed.Reason = "Nobody at home"
	s = standing(failed)
	require.Equal(t, driving.StopCompleted, s.Pickup.Status, "it is on board")
	require.Equal(t, driving.StopFailed, s.Delivery.Status)
	require.Equal(t, "Nobody at home", s.Reason)
}

func TestCorrectionAlwaysCounts(t *testing.T) {
	t.Parallel()
	wrong := office("x", 30, driving.ByOffice, order.Planned)
	wrong.Corrects = true
	deliver := said("d", 25, nora, driving.Deliver, order.Delivery)
	s := standing(deliver, wrong)
	require.Equal(t, order.Planned, s.Status)
	require.False(t, s.Begun)
	again := said("e", 40, nora, driving.Deliver, order.Delivery)
	require.Equal(t, "e", standing(again, wrong, deliver).Delivered)
}

func TestEventsOfDriving(t *testing.T) {
	t.Parallel()
	of := &order.Order{ID: 1, Number: "A-1", Status: order.Planned}
	h := driving.History{GivenTo: nora}
	deliver := said("d", 25, nora, driving.Deliver, order.Delivery)
	a := h.With(of, deliver)
	require.Equal(t, event.OrderDelivered, a.Event.Kind)
	require.Equal(t, order.Delivery, a.Event.Stop)
	require.Equal(t, deliver.At, a.Event.At)
	h.Facts = append(h.Facts, deliver)

	late := h.With(of, said("a", 1, nora, driving.Arrive, order.Pickup))
	require.Nil(t, late.Event, "the status stays")
	require.True(t, late.Changes(), "but when the driver arrived is known now")

	back := said("u", 25.5, nora, driving.Undo, order.Delivery)
	back.Undoes = "d"
	a = h.With(of, back)
	require.Equal(t, event.OrderCorrected, a.Event.Kind, "so that nobody gets a message")
	require.Equal(t, order.Planned, a.Event.Status)
}

// TestFactsInAnySequence checks the promise to offline phones: any permutation,
// repetition and delay of facts, mixed with changes by the office, ends in one
// state.
func TestFactsInAnySequence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		facts := rapid.SliceOfN(rapid.Custom(anyFact), 1, 12).Draw(t, "facts")
		for i := range facts {
			facts[i].ID = strconv.Itoa(i)
		}
		want := history{}.hear(t, facts...)
		sequence := rapid.Permutation(facts).Draw(t, "sequence")
		for range rapid.IntRange(0, 5).Draw(t, "repetitions") {
			again := rapid.SampledFrom(facts).Draw(t, "again")
			sequence = slices.Insert(sequence, rapid.IntRange(0, len(sequence)).Draw(t, "where"), again)
		}
		got := history{}.hear(t, sequence...)
		require.Equal(t, want, got)
	})
}

// history adds facts one by one, each once, as the service does: it keeps only
// the changes of each advance.
type history struct {
	driving.History
	kept driving.Standing
}

func (h history) hear(t *rapid.T, facts ...driving.Fact) driving.Standing {
	of := &order.Order{ID: 1, Number: "A-1"}
	h.GivenTo = nora
	h.kept = h.Standing()
	for _, f := range facts {
		if slices.ContainsFunc(h.Facts, func(known driving.Fact) bool { return known.ID == f.ID }) {
			continue
		}
		a := h.With(of, f)
		require.Equal(t, h.kept.Status, a.Before.Status)
		if a.Changes() || f.Deed == driving.Cancel || f.Deed == driving.Reactivated {
			h.kept = a.After
		}
		h.Facts = append(h.Facts, f)
	}
	h.kept.Effects = nil
	return h.kept
}

// Exports get an event when a late fact cancels an order or restores it.
func TestUndoneCancellationReachesExports(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := driving.History{GivenTo: nora, Facts: rapid.SliceOfN(rapid.Custom(anyFact), 0, 6).Draw(t, "facts")}
		for i := range h.Facts {
			h.Facts[i].ID = strconv.Itoa(i)
		}
		late := rapid.Custom(anyFact).Filter(func(f driving.Fact) bool {
			return f.Deed != driving.Cancel && f.Deed != driving.Reactivated && f.Deed != driving.ByOffice
		}).Draw(t, "late")
		late.ID = "late"
		a := h.With(&order.Order{ID: 1, Number: "A-1"}, late)
		if (a.Before.Status == order.Cancelled) != (a.After.Status == order.Cancelled) && a.Changes() {
			require.Contains(t, export.MovedKinds(), a.Event.Kind)
		}
	})
}

func anyFact(t *rapid.T) driving.Fact {
	minute := float64(rapid.IntRange(0, 20).Draw(t, "half minute")) / 2
	stop := rapid.SampledFrom([]order.StopKind{order.Pickup, order.Delivery}).Draw(t, "stop")
	driver := rapid.SampledFrom([]int64{nora, jens}).Draw(t, "driver")
	deed := rapid.SampledFrom([]driving.Deed{
		driving.Arrive, driving.PickUp, driving.Deliver, driving.Fail, driving.Undo, driving.Cancel, driving.Reactivated,
		driving.ByOffice, driving.ByCarrier,
	}).Draw(t, "deed")
	f := said("", minute, driver, deed, stop)
	switch deed {
	case driving.PickUp:
		f.Stop = order.Pickup
	case driving.Deliver:
		f.Stop = order.Delivery
	case driving.Undo:
		f.Undoes = strconv.Itoa(rapid.IntRange(0, 11).Draw(t, "undoes"))
	case driving.Cancel, driving.Reactivated, driving.ByOffice, driving.ByCarrier:
		f.DriverID, f.Stop = 0, ""
		f.To = order.Status(rapid.IntRange(3, 7).Draw(t, "to"))
		f.Corrects = deed == driving.ByOffice && rapid.Bool().Draw(t, "corrects")
	}
	return f
}

func TestWrongPhoneClocks(t *testing.T) {
	t.Parallel()
	sent, received := morning, morning.Add(10*time.Minute)
	skew := driving.Skew(0, sent, received)
	require.Equal(t, 10*time.Minute, skew)
	require.Equal(t, skew, driving.Skew(skew, sent, received.Add(30*time.Second)), "the way took longer")
	require.Equal(t, 9*time.Minute, driving.Skew(skew, sent, received.Add(-time.Minute)), "the way was shorter")
	require.Equal(t, time.Second, driving.Skew(time.Second, sent, sent.Add(time.Minute)))

	long := morning.Add(-24 * time.Hour)
	require.Equal(t, received.Add(-time.Minute), driving.Happened(sent.Add(-time.Minute), skew, received, long))
	require.Equal(t, sent, driving.Happened(sent, time.Minute, received, long), "nearly right is believed")
	require.Equal(t, received, driving.Happened(received.Add(time.Hour), 0, received, long), "not after it was heard of")
	require.Equal(t, long, driving.Happened(long.Add(-time.Hour), 0, received, long), "not before there was the order")
}
