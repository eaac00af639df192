package exports_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/operations/operationstest"
	"waybill/store"
)

// life is what happens to an order, beside the model of what its carrier knows.
type life struct {
	*carrier
	*model

	tokens map[int]string // of what was fetched, by version
	record export.Record
	check  require.TestingT
}

func newLife(t *testing.T) *life {
	t.Helper()
	l := &life{carrier: newCarrier(t)}
	l.Do("select set_config('app.org_id', $1::bigint::text, false)", l.key.OrgID)
	return l
}

// window is how long after an export the order may come back.
const window = export.DefaultWindow

// mostRuns is how many lives of an order are tried: each takes hundreds of
// transactions.
const mostRuns = 20

// begin forgets what happened to the order.
func (l *life) begin(check require.TestingT) {
	l.check = check
	for _, table := range []string{"export_acknowledgements", "export_versions", "order_exports", "external_updates"} {
		l.Do("delete from " + table)
	}
	l.model = &model{present: "a", hasCarrier: true, now: time.Now(), on: true, heard: map[int]string{}}
	l.since = l.now.Add(-time.Hour)
	l.tokens, l.record = map[int]string{}, export.Record{}
	l.Do("update organizations set reexport = true, reexport_since = now() - interval '1 hour'")
	l.write()
	l.consider()
}

// write makes the order what the model says.
func (l *life) write() {
	l.Do(`update orders set reference = $1, status_id = case when $2 then 8 else 1 end,
		cancelled_at = case when $2 then now() end`, l.present, l.cancelled)
	l.Do("update order_types set export_carrier = case when $1 then 'postnord' end", l.hasCarrier)
}

func (l *life) consider() {
	before := l.record
	var err error
	l.record, err = l.Exports.ConsiderExport(l.T.Context(), l.key, l.order)
	require.NoError(l.check, err)
	again, err := l.Exports.ConsiderExport(l.T.Context(), l.key, l.order)
	require.NoError(l.check, err)
	require.Equal(l.check, l.record, again, "looking again changes nothing")
	require.LessOrEqual(l.check, l.record.Version, before.Version+1)
	l.settle()
}

// fetch reads the feed, which holds the newest or nothing.
func (l *life) fetch() {
	page, err := l.Exports.ExportFeed(l.T.Context(), l.key, store.Page{Number: 1, Size: 10})
	require.NoError(l.check, err)
	require.Equal(l.check, l.inFeed, len(page.Shipments) == 1)
	if !l.inFeed {
		return
	}
	got := page.Shipments[0]
	var shipment struct {
		Reference string `json:"reference"`
		Cancelled bool   `json:"cancelled"`
	}
	require.NoError(l.check, json.Unmarshal(got.Payload, &shipment))
	require.Equal(l.check, l.cancelled, shipment.Cancelled, "the newest is offered")
	require.Equal(l.check, l.present, shipment.Reference, "the newest is offered")
	require.Equal(l.check, l.succeeded, got.IsUpdate)
	version := operationstest.One[int](l.Office, "select version from export_versions where token = $1", got.Token)
	l.heard[version], l.tokens[version] = l.present, got.Token
}

// answer says something of what was fetched, and reports whether there was
// an acknowledgement left.
func (l *life) answer(version int, status export.Status) (counted bool) {
	done, err := l.Exports.AcknowledgeExport(l.T.Context(), l.key, store.Acknowledgement{
		Token: l.tokens[version], Status: status,
	})
	if l.used == export.Limit {
		require.Equal(l.check, fault.IllegalState, fault.KindOf(err))
		return false
	}
	require.NoError(l.check, err)
	l.record = done.Export
	l.settle()
	l.acknowledge(version, status)
	return true
}

// wait lets time pass: what has been moves into the past.
func (l *life) wait(d time.Duration) {
	l.now = l.now.Add(d)
	l.Do("update order_exports set succeeded_at = succeeded_at - $1::interval, closes_at = closes_at - $1::interval", d)
	l.Do("update organizations set reexport_since = reexport_since - $1::interval", d)
	l.settle()
}

func (l *life) toggle() {
	l.wait(time.Second)
	l.on = !l.on
	if l.on {
		l.since = l.now
	}
	l.Do("update organizations set reexport = $1, reexport_since = case when $1 then clock_timestamp() end", l.on)
	l.settle()
}

// TestTheFeedHidesUpdatesAtOnceWhenReexportIsSwitchedOff looks at the feed before
// anybody has considered the order.
func TestTheFeedHidesUpdatesAtOnceWhenReexportIsSwitchedOff(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.begin(t)
	l.fetch()
	require.True(t, l.answer(1, export.StatusExported))
	l.present = "b"
	l.write()
	l.consider()
	require.True(t, l.inFeed)
	l.fetch()
	l.toggle()
	require.False(t, l.inFeed)
	l.fetch()
	l.toggle()
	require.False(t, l.inFeed, "what was acknowledged before it was enabled stays final")
	l.fetch()
}

// Whatever happens to an order, and in whatever order: what the carrier lacks is
// in the feed as long as it may be, and nothing else is.
func TestFeedHasWhatTheCarrierLacks(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	perhaps := func(t *rapid.T, look func()) {
		if rapid.Bool().Draw(t, "looks") {
			look()
		}
	}
	runs, failed := 0, false
	rapid.Check(t, func(t *rapid.T) {
		if runs++; runs > mostRuns && !failed {
			return
		}
		defer func() { failed = failed || t.Failed() }()
		l.begin(t)
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				if !l.cancelled {
					l.present = rapid.SampledFrom([]string{"a", "b", "a", "b", "c"}).Draw(t, "payload")
				}
				l.write()
				l.consider()
			},
			"cancel": func(*rapid.T) {
				l.cancelled, l.present = true, "cancelled"
				l.write()
				l.consider()
			},
			"reactivate": func(t *rapid.T) {
				if l.cancelled {
					l.cancelled, l.present = false, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "payload")
				}
				l.write()
				l.consider()
			},
			"retype": func(t *rapid.T) {
				l.hasCarrier = rapid.Bool().Draw(t, "has a carrier")
				l.write()
				l.consider()
			},
			"fetch": func(*rapid.T) { l.fetch() },
			"acknowledge": func(t *rapid.T) {
				if len(l.heard) == 0 {
					t.Skip("nothing was fetched")
				}
				version := rapid.SampledFrom(slices.Sorted(maps.Keys(l.heard))).Draw(t, "version")
				status := rapid.SampledFrom([]export.Status{export.StatusExported, export.StatusFailed}).Draw(t, "status")
				if !l.answer(version, status) {
					return
				}
				if l.record.Owed {
					l.consider()
					return
				}
				perhaps(t, l.consider)
			},
			"export": func(t *rapid.T) { // as carriers mostly do
				if l.fetch(); !l.inFeed || l.used == export.Limit {
					t.Skip("nothing is offered")
				}
				l.answer(slices.Max(slices.Collect(maps.Keys(l.heard))), export.StatusExported)
				perhaps(t, l.consider)
			},
			"wait": func(t *rapid.T) {
				l.wait(rapid.SampledFrom([]time.Duration{time.Second, window / 2, window}).Draw(t, "time"))
				perhaps(t, l.consider)
			},
			"toggle": func(t *rapid.T) {
				for range rapid.IntRange(1, 2).Draw(t, "times") {
					l.toggle()
				}
				perhaps(t, l.consider)
			},
			"": func(t *rapid.T) {
				is, err := l.Exports.OrderExport(l.T.Context(), l.key, l.order)
				require.NoError(t, err)
				require.Equal(t, l.used, is.Used)
				require.Equal(t, l.succeeded, is.IsUpdate())
				require.Equal(t, l.inFeed, is.InFeed)
				require.Equal(t, l.final, is.Final())
				offered := operationstest.One[[]bool](l.Office, "select coalesce(array_agg(is_update), '{}') from export_feed")
				require.Equal(t, l.inFeed, len(offered) == 1, "the feed holds it")
				require.True(t, !l.inFeed || offered[0] == l.succeeded)
			},
		})
	})
}
