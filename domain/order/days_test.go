package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, ok := order.ParseDay(text)
	require.True(t, ok)
	return d
}

// edited applies an edit to the only order, and returns the order then.
func (w *world) edited(edit func(s *order.Snapshot, o *order.Order) (order.Plan, error)) *order.Order {
	s := w.snapshot()
	plan, err := edit(s, s.Orders[0])
	require.NoError(w.t, err)
	w.apply(plan)
	return w.snapshot().Orders[0]
}

// moved gives the only order another one of its days.
func (w *world) moved(to time.Time) *order.Order {
	return w.edited(func(s *order.Snapshot, o *order.Order) (order.Plan, error) { return order.MoveToDay(s, o, to) })
}

// TestOrdersKeepTheChosenDay repeats an import after another day was chosen: nothing changes. Other days are new.
func TestOrdersKeepTheChosenDay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := entry("A")
	first := day(t, a.Date)
	a.LatestDate = first.AddDate(0, 0, 3).Format(time.DateOnly)
	a.Delivery.TimeWindows = []order.TimeWindowRequest{
		{Earliest: a.Date + "T08:00:00Z", Latest: a.Date + "T09:00:00Z"},
		{Earliest: a.Date + "T11:00:00Z", Latest: a.Date + "T12:00:00Z"},
	}
	o := w.one(order.Defaults{}, a).Order
	require.Equal(t, &order.PossibleDays{First: a.Date, Latest: a.LatestDate}, o.Asks.PossibleDays)
	was := o.Delivery.Window.Earliest

	chosen := first.AddDate(0, 0, 2)
	o = w.moved(chosen)
	require.Equal(t, chosen, o.Date)
	require.Equal(t, was.AddDate(0, 0, 2), o.Delivery.Window.Earliest, "the window moves along")
	require.Equal(t, []string{"10:00-11:00", "13:00-14:00"}, spansOf(t, &o.Delivery))
	unchanged(t, w.imported(order.Defaults{}, a))

	a.Reference = "another"
	o = w.one(order.Defaults{}, a).Order
	require.Equal(t, "another", o.Reference)
	require.Equal(t, chosen, o.Date, "a correction keeps the day")
	a.LatestDate = first.AddDate(0, 0, 4).Format(time.DateOnly)
	o = w.one(order.Defaults{}, a).Order
	require.Equal(t, first, o.Date, "other days are a new choice")
	a.LatestDate = ""
	o = w.one(order.Defaults{}, a).Order
	require.Nil(t, o.Asks.PossibleDays)
}

// TestPeopleFixTheDay edits the date by hand. Imports that repeat the days keep it.
func TestPeopleFixTheDay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := entry("A")
	a.LatestDate = day(t, a.Date).AddDate(0, 0, 3).Format(time.DateOnly)
	w.one(order.Defaults{}, a)
	o := w.edited(func(s *order.Snapshot, o *order.Order) (order.Plan, error) {
		edit := order.Edit{Request: order.Editable(o), Day: true, Header: true}
		edit.Request.Date = o.Date.AddDate(0, 0, 1).Format(time.DateOnly)
		return order.ApplyEdit(s, o, edit)
	})
	require.True(t, o.Asks.Fixed)
	unchanged(t, w.imported(order.Defaults{}, a))
	o = w.snapshot().Orders[0]
	require.Equal(t, day(t, a.Date).AddDate(0, 0, 1), o.Date)
	require.True(t, o.Asks.Fixed)
}

// TestUnusableLatestDates names the field.
func TestUnusableLatestDates(t *testing.T) {
	t.Parallel()
	first := day(t, entry("A").Date)
	for _, latest := range []string{
		"soon", first.AddDate(0, 0, -1).Format(time.DateOnly), first.AddDate(0, 0, order.MostDays+1).Format(time.DateOnly),
	} {
		got := setup(t).one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.LatestDate = latest }))
		require.Equal(t, "latestDate", got.Reasons[0].Field, latest)
	}
	same := setup(t).one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.LatestDate = r.Date }))
	require.Nil(t, same.Order.Asks.PossibleDays)
}
