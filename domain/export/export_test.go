package export_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/export"
)

var (
	start  = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	window = 14 * 24 * time.Hour
)

// world is one order with its export, and the carrier's doings as steps.
type world struct {
	t      *testing.T
	record export.Record
	order  export.Order
	facts  export.Facts
}

type step func(*world)

func change(payload string) step {
	return func(w *world) {
		w.order.Fingerprint = []byte(payload)
		w.consider()
	}
}

// fetch does what reading the feed records.
func fetch(w *world) {
	if w.record.State == export.Pending {
		w.record.Fetched = w.record.Version
	}
}

func exported(version int, payload string) step { return ack(version, payload, export.StatusExported) }

func failed(version int, payload string) step { return ack(version, payload, export.StatusFailed) }

func ack(version int, payload string, status export.Status) step {
	return func(w *world) {
		var err error
		w.record, err = export.Acknowledge(w.record,
			export.Acknowledgement{Version: version, Fingerprint: []byte(payload), Status: status}, w.facts)
		require.NoError(w.t, err)
		if w.record.Owed {
			w.consider()
		}
	}
}

func refused(version int, payload string) step {
	return func(w *world) {
		before := w.record
		after, err := export.Acknowledge(w.record,
			export.Acknowledgement{Version: version, Fingerprint: []byte(payload), Status: export.StatusFailed}, w.facts)
		require.ErrorIs(w.t, err, export.ErrSpent)
		require.Equal(w.t, before, after)
	}
}

func cancel(w *world) {
	w.order.Cancelled, w.order.Fingerprint = true, []byte("cancelled")
	w.consider()
}

func reactivate(payload string) step {
	return func(w *world) {
		w.order.Cancelled = false
		change(payload)(w)
	}
}

func retype(carrier, payload string) step {
	return func(w *world) {
		w.order.Carrier = carrier
		change(payload)(w)
	}
}

func pass(d time.Duration) step {
	return func(w *world) {
		w.facts.Now = w.facts.Now.Add(d)
		w.consider()
	}
}

func toggle(w *world) {
	w.facts.Now = w.facts.Now.Add(time.Second)
	w.facts.Reexport.On = !w.facts.Reexport.On
	if w.facts.Reexport.On {
		w.facts.Reexport.Since = w.facts.Now
	}
}

func mark(w *world) {
	var err error
	w.record, err = export.Mark(w.record, w.order, w.facts)
	require.NoError(w.t, err)
}

func (w *world) consider() { w.record = export.Consider(w.record, w.order, w.facts) }

func TestExport(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		steps  []step
		state  export.State
		reason export.Reason
		update bool // of one in the feed
		offer  int  // the version that was offered last
		used   int
	}{
		{"a new order is offered", []step{change("a")}, export.Pending, "", false, 1, 0},
		{"looking again changes nothing", []step{change("a"), change("a"), change("a")}, export.Pending, "", false, 1, 0},
		{"a change makes a new version", []step{change("a"), change("b")}, export.Pending, "", false, 2, 0},
		{"an exported order waits", []step{change("a"), fetch, exported(1, "a")}, export.Exported, "", true, 1, 1},
		{"a failure leaves it in the feed", []step{change("a"), fetch, failed(1, "a")}, export.Pending, "", false, 1, 1},
		{
			"a failure of an update leaves it there",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), fetch, failed(2, "b")},
			export.Pending, "", true, 2, 2,
		},
		{
			"a change brings it back", []step{change("a"), fetch, exported(1, "a"), change("b")}, export.Pending, "", true, 2, 1,
		},
		{
			"no real change does not",
			[]step{change("a"), fetch, exported(1, "a"), change("a")},
			export.Exported, "", true, 1, 1,
		},
		{
			"changed back before anyone fetched",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), change("a")},
			export.Exported, "", true, 2, 1,
		},
		{
			"changed back after it was fetched",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), fetch, change("a")},
			export.Pending, "", true, 3, 1,
		},
		{
			"changed back by way of another",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), fetch, change("c"), change("a")},
			export.Pending, "", true, 4, 1,
		},
		{
			"changed back to what was acknowledged meanwhile",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), fetch, change("c"), exported(2, "b"), change("b")},
			export.Exported, "", true, 3, 2,
		},
		{
			"an older version hides no newer one",
			[]step{change("a"), fetch, change("b"), exported(1, "a")},
			export.Pending, "", true, 2, 1,
		},
		{
			"not even when re-export is off",
			[]step{toggle, change("a"), fetch, change("b"), exported(1, "a")},
			export.Pending, "", true, 2, 1,
		},
		{
			"an older version that is the same as the newest",
			[]step{change("a"), fetch, change("b"), change("a"), exported(1, "a")},
			export.Exported, "", true, 3, 1,
		},
		{
			"acknowledgements out of order",
			[]step{change("a"), fetch, change("b"), fetch, exported(2, "b"), exported(1, "a")},
			export.Exported, "", true, 2, 2,
		},
		{"an older failure counts", []step{change("a"), fetch, change("b"), failed(1, "a")}, export.Pending, "", false, 2, 1},
		{
			"a failure after a success counts",
			[]step{change("a"), fetch, exported(1, "a"), failed(1, "a")},
			export.Exported, "", true, 1, 2,
		},
		{
			"five failures",
			[]step{
				change("a"), fetch, failed(1, "a"), failed(1, "a"), failed(1, "a"), failed(1, "a"), failed(1, "a"), refused(1, "a"),
			},
			export.Closed, export.Spent, false, 1, 5,
		},
		{
			"the fifth takes even a newer version out",
			[]step{
				change("a"), fetch, failed(1, "a"), failed(1, "a"), failed(1, "a"),
				failed(1, "a"), change("b"), exported(1, "a"), change("c"), refused(1, "a"),
			},
			export.Closed, export.Spent, true, 2, 5,
		},
		{
			"the window closes it",
			[]step{change("a"), fetch, exported(1, "a"), pass(window), change("b")},
			export.Closed, export.WindowOver, true, 1, 1,
		},
		{
			"a change just before it does",
			[]step{change("a"), fetch, exported(1, "a"), pass(window - 1), change("b"), pass(1)},
			export.Pending, "", true, 2, 1,
		},
		{
			"what came back stays after the window",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), pass(2 * window), change("c")},
			export.Pending, "", true, 3, 1,
		},
		{
			"and is over when it is changed back then",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), pass(2 * window), change("a")},
			export.Closed, export.WindowOver, true, 2, 1,
		},
		{
			"a new success opens a new window",
			[]step{
				change("a"), fetch, exported(1, "a"), pass(window - 1), change("b"),
				fetch, exported(2, "b"), pass(window - 1), change("c"),
			},
			export.Pending, "", true, 3, 2,
		},
		{
			"a late acknowledgement does not reopen it",
			[]step{change("a"), fetch, exported(1, "a"), pass(window), exported(1, "a"), change("b")},
			export.Closed, export.WindowOver, true, 1, 2,
		},
		{
			"without re-export it is final",
			[]step{toggle, change("a"), fetch, exported(1, "a"), change("b")},
			export.Closed, export.ReexportOff, true, 1, 1,
		},
		{
			"also when it is enabled later",
			[]step{toggle, change("a"), fetch, exported(1, "a"), toggle, change("b")},
			export.Closed, export.ReexportOff, true, 1, 1,
		},
		{
			"off and on again makes it final",
			[]step{change("a"), fetch, exported(1, "a"), toggle, toggle, change("b")},
			export.Closed, export.ReexportOff, true, 1, 1,
		},
		{
			"updates leave when it is switched off",
			[]step{change("a"), fetch, exported(1, "a"), change("b"), toggle, change("b")},
			export.Closed, export.ReexportOff, true, 2, 1,
		},
		{"first offers do not", []step{change("a"), fetch, toggle, change("b")}, export.Pending, "", false, 2, 0},
		{"cancelled before it was exported", []step{change("a"), fetch, cancel}, export.Closed, export.Left, false, 1, 0},
		{"cancelled before it was ever offered", []step{cancel}, "", "", false, 0, 0},
		{
			"cancelled, and exported after all",
			[]step{change("a"), fetch, cancel, exported(1, "a")},
			export.Pending, "", true, 2, 1,
		},
		{
			"cancelled, and refused after all",
			[]step{change("a"), fetch, cancel, failed(1, "a")},
			export.Closed, export.Left, false, 1, 1,
		},
		{
			"cancelled after it was exported",
			[]step{change("a"), fetch, exported(1, "a"), cancel},
			export.Pending, "", true, 2, 1,
		},
		{
			"it says so once",
			[]step{change("a"), fetch, exported(1, "a"), cancel, fetch, exported(2, "cancelled"), cancel},
			export.Exported, "", true, 2, 2,
		},
		{"re-activated after it had left", []step{change("a"), cancel, reactivate("a")}, export.Pending, "", false, 2, 0},
		{
			"re-activated after it had said so",
			[]step{change("a"), fetch, exported(1, "a"), cancel, fetch, exported(2, "cancelled"), reactivate("a")},
			export.Pending, "", true, 3, 2,
		},
		{"a type without a carrier", []step{retype("", "a")}, "", "", false, 0, 0},
		{"a type that gets one", []step{retype("", "a"), retype("postnord", "b")}, export.Pending, "", false, 1, 0},
		{"a type that loses it", []step{change("a"), retype("", "b")}, export.Closed, export.Left, false, 1, 0},
		{
			"a type that loses it after the export",
			[]step{change("a"), fetch, exported(1, "a"), retype("", "b")},
			export.Pending, "", true, 2, 1,
		},
		{"marked by hand", []step{retype("", "a"), mark, change("b")}, export.Pending, "", false, 2, 0},
		{"marked by hand though it is there", []step{change("a"), mark}, export.Pending, "", false, 1, 0},
		{
			"marked by hand after it was closed",
			[]step{change("a"), fetch, exported(1, "a"), pass(window), mark},
			export.Pending, "", true, 2, 1,
		},
		{
			"marked by hand without re-export",
			[]step{toggle, change("a"), fetch, exported(1, "a"), mark, change("b")},
			export.Pending, "", true, 3, 1,
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, order: export.Order{Carrier: "postnord"}, facts: export.Facts{
				Now: start, Window: window, Reexport: export.Reexport{On: true, Since: start.Add(-time.Hour)},
			}}
			for _, s := range tc.steps {
				s(w)
			}
			r := w.record
			require.Equal(t, tc.state, r.State)
			require.Equal(t, tc.reason, r.Reason)
			require.Equal(t, tc.update, r.IsUpdate())
			require.Equal(t, tc.offer, r.Version)
			require.Equal(t, tc.used, r.Used)
			require.Equal(t, tc.state == export.Pending, r.InFeed(w.facts.Reexport))
		})
	}
}

func TestMarkRefuses(t *testing.T) {
	t.Parallel()
	facts := export.Facts{Now: start, Window: window}
	_, err := export.Mark(export.Record{}, export.Order{Cancelled: true}, facts)
	require.ErrorIs(t, err, export.ErrCancelled)
	_, err = export.Mark(export.Record{State: export.Closed, Reason: export.Spent, Used: export.Limit},
		export.Order{}, facts)
	require.ErrorIs(t, err, export.ErrSpent)
}
