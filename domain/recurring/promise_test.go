package recurring_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/order"
	"waybill/domain/recurring"
)

// series is a template with its generated orders, on its own calendar.
type series struct {
	recurring.Template

	zone     *time.Location
	today    time.Time
	existing []recurring.Existing
	batch    int
}

func newSeries(t testing.TB, rule, start string, ahead int) *series {
	t.Helper()
	oslo := zone(t, "Europe/Oslo")
	s := &series{Template: template(t, rule, start, oslo), zone: oslo, batch: order.ChunkSize}
	s.DaysAhead, s.today = ahead, recurring.DayOf(s.Start, oslo)
	return s
}

// step does one batch, as generation does, and reports whether more is left.
func (s *series) step(t require.TestingT) (left bool) {
	if !s.Works() {
		return false
	}
	plan, err := s.Compare(s.existing, s.today, s.zone)
	require.NoError(t, err)
	batch := plan.Batch(s.batch)
	for _, list := range [][]recurring.Existing{batch.Change, batch.Cancel, batch.Restore} {
		for _, e := range list {
			x := s.find(e.Key)
			x.Version, x.Withdrawn = s.Version, slices.ContainsFunc(
				batch.Cancel,
				func(c recurring.Existing) bool { return c.Key == e.Key },
			)
			x.Status = order.Registered
			if x.Withdrawn {
				x.Status = order.Cancelled
			}
		}
	}
	for _, p := range batch.Protect {
		s.find(p.Key).Version = s.Version
	}
	for _, o := range batch.Create {
		s.existing = append(s.existing, recurring.Existing{
			Occurrence: o, Number: s.Number(o), OrderID: 1, Status: order.Registered, Version: s.Version,
		})
	}
	if through := s.Through(&plan, &batch, s.today, s.zone); through != nil {
		s.GeneratedThrough = through
	}
	if left = plan.Size() > batch.Size(); !left {
		s.AppliedTo = s.AppliedFrom
	}
	return left
}

func (s *series) find(key string) *recurring.Existing {
	return &s.existing[slices.IndexFunc(s.existing, func(e recurring.Existing) bool { return e.Key == key })]
}

// generate does all pending work.
func (s *series) generate(t require.TestingT) *series {
	for s.step(t) { // each step does a batch
	}
	return s
}

// put makes a change, and leaves generating to the caller.
func (s *series) put(t testing.TB, text string) *series {
	t.Helper()
	c := change(t, text)
	after, err := c.Apply(s.Template, s.zone)
	require.NoError(t, err, text)
	s.Template = after
	return s
}

// orders returns the active orders, as day and hour.
func (s *series) orders() []string {
	all := []string{}
	for _, e := range s.existing {
		if e.Status != order.Cancelled {
			all = append(all, e.Date.Format("02.")+e.Key[8:11])
		}
	}
	slices.Sort(all)
	return all
}

// run are days with an order at an hour each.
func run(from, to int, hour string) (all []string) {
	for day := from; day <= to; day++ {
		all = append(all, fmt.Sprintf("%02d.T%s", day, hour))
	}
	return all
}

func joined(lists ...[]string) []string { return slices.Concat(lists...) }

func TestChangeKeepsGeneratedOrders(t *testing.T) {
	t.Parallel()
	const nine = `{"startDate": "2026-03-01T08:00:00Z"}`
	daily := func(t *testing.T) *series { return newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6).generate(t) }
	t.Run("Hour", func(t *testing.T) {
		t.Parallel()
		s := daily(t).put(t, nine).generate(t)
		require.Equal(t, run(1, 7, "08"), s.orders(), "nothing is doubled")
		s.today = s.today.AddDate(0, 0, 2)
		require.Equal(t, joined(run(1, 7, "08"), run(8, 9, "09")), s.generate(t).orders())
	})
	t.Run("SeveralInARow", func(t *testing.T) {
		t.Parallel()
		s := daily(
			t,
		).put(t, nine).
			put(t, `{"startDate": "2026-03-01T09:00:00Z"}`).
			generate(t).
			put(t, `{"daysToGenerateAhead": 8}`)
		require.Equal(t, joined(run(1, 7, "08"), run(8, 9, "10")), s.generate(t).orders())
	})
	t.Run("Weekdays", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=WEEKLY;BYDAY=TU,TH", "2026-03-01T07:00:00Z", 14).generate(t)
		require.Equal(t, []string{"03.T08", "05.T08", "10.T08", "12.T08"}, s.orders())
		require.Len(t, s.put(t, `{"rruleset": "FREQ=WEEKLY;BYDAY=MO,FR"}`).generate(t).orders(), 4)
		s.today = s.today.AddDate(0, 0, 5)
		require.Equal(t, []string{"03.T08", "05.T08", "10.T08", "12.T08", "16.T08", "20.T08"}, s.generate(t).orders())
	})
	t.Run("InTheMiddleOfTheFirstGeneration", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6)
		s.batch = 3
		require.True(t, s.step(t))
		require.Equal(t, joined(run(1, 3, "08"), run(4, 7, "09")), s.put(t, nine).generate(t).orders())
	})
	t.Run("NoDayIsLeftHalfGenerated", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY;BYHOUR=8,12", "2026-03-01T07:00:00Z", 3)
		s.batch = 3
		require.True(t, s.step(t))
		require.Equal(
			t,
			[]string{"01.T08", "01.T12", "02.T12"},
			s.put(t, `{"rruleset": "FREQ=DAILY;BYHOUR=12", "daysToGenerateAhead": 1}`).generate(t).orders(),
		)
	})
	t.Run("WhilePaused", func(t *testing.T) {
		t.Parallel()
		s := daily(t)
		s.Paused = true
		s.put(t, nine).generate(t)
		s.Paused, s.today = false, s.today.AddDate(0, 0, 1)
		require.Equal(t, joined(run(1, 7, "08"), run(8, 8, "09")), s.generate(t).orders())
	})
	t.Run("NarrowerAndWider", func(t *testing.T) {
		t.Parallel()
		s := daily(t).put(t, `{"daysToGenerateAhead": 2}`).generate(t).put(t, nine).generate(t)
		require.Equal(t, run(1, 7, "08"), s.orders())
		require.Equal(
			t,
			joined(run(1, 7, "08"), run(8, 10, "09")),
			s.put(t, `{"daysToGenerateAhead": 9}`).generate(t).orders(),
		)
	})
	t.Run("NarrowerByAPromise", func(t *testing.T) {
		t.Parallel()
		s := daily(t).put(t, `{"daysToGenerateAhead": 2, "updateExistingOrders": true}`).generate(t).put(t, nine).generate(t)
		require.Equal(
			t,
			joined(run(1, 7, "08"), run(8, 10, "09")),
			s.put(t, `{"daysToGenerateAhead": 9}`).generate(t).orders(),
			"what lies beyond the horizon keeps its days, too",
		)
	})
	t.Run("Count", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY;COUNT=3", "2026-03-01T07:00:00Z", 6).generate(t)
		require.Equal(t, run(1, 3, "08"), s.put(t, `{"startDate": "2026-03-01T08:00:00Z"}`).generate(t).orders())
		require.Equal(
			t,
			joined(run(1, 3, "08"), run(4, 5, "09")),
			s.put(t, `{"rruleset": "FREQ=DAILY;COUNT=5"}`).generate(t).orders(),
		)
	})
	t.Run("End", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6).put(t, `{"endDate": "2026-03-03T07:00:00Z"}`).generate(t)
		require.Equal(t, run(1, 7, "08"), s.put(t, `{"endDate": null}`).generate(t).orders())
		s.put(t, `{"endDate": "2026-03-02T07:00:00Z"}`).generate(t)
		require.Equal(t, run(1, 7, "08"), s.orders(), "what is there stays")
	})
	t.Run("AnEndThatWithdrewAndIsTakenBack", func(t *testing.T) {
		t.Parallel()
		s := daily(t).put(t, `{"endDate": "2026-03-01T07:00:00Z", "updateExistingOrders": true}`).generate(t)
		require.Equal(t, run(1, 1, "08"), s.orders())
		require.Equal(t, run(1, 7, "08"), s.put(t, `{"endDate": null}`).generate(t).orders())
	})
	t.Run("WithAPromise", func(t *testing.T) {
		t.Parallel()
		s := daily(t).put(t, `{"startDate": "2026-03-01T08:00:00Z", "updateExistingOrders": true}`)
		require.Equal(t, run(1, 7, "09"), s.generate(t).orders())
	})
}

func TestAPromiseIsKept(t *testing.T) {
	t.Parallel()
	const tuesdays = `{"rruleset": "FREQ=WEEKLY;BYDAY=TU", "updateExistingOrders": true}`
	t.Run("AfterADeactivation", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 20)
		s.batch = 8
		require.True(t, s.step(t))
		s.put(t, tuesdays).put(t, `{"isActive": false}`)
		require.True(t, s.Works())
		require.Equal(t, []string{"03.T08"}, s.generate(t).orders(), "nothing is added behind what was generated")
		require.False(t, s.Works(), "once")
	})
	t.Run("WithOrdersOfAnotherHour", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6).generate(t)
		s.put(t, `{"startDate": "2026-03-01T08:00:00Z", "updateExistingOrders": true}`).put(t, `{"isActive": false}`)
		require.Equal(t, run(1, 7, "09"), s.generate(t).orders(), "as if the template were deactivated afterwards")
	})
	t.Run("ByAChangeThatOvertakesIt", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6).generate(t)
		s.put(t, `{"startDate": "2026-03-01T08:00:00Z", "updateExistingOrders": true}`).
			put(t, `{"startDate": "2026-03-01T09:00:00Z"}`)
		require.Equal(t, run(1, 7, "10"), s.generate(t).orders())
	})
	t.Run("AndNotMadeByADeactivationAlone", func(t *testing.T) {
		t.Parallel()
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 6).generate(t).put(t, `{"isActive": false}`)
		require.False(t, s.Works())
	})
}

func TestDaysThatGetASecondOrderAreNamed(t *testing.T) {
	t.Parallel()
	s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", 3).generate(t)
	s.existing[0].Status, s.existing[1].Edited, s.existing[2].Status = order.AtPickup, true, order.Cancelled
	s.put(t, `{"startDate": "2026-03-01T08:00:00Z", "updateExistingOrders": true}`)
	plan, err := s.Compare(s.existing, s.today, s.zone)
	require.NoError(t, err)
	require.Equal(t, []time.Time{day(t, "2026-03-01"), day(t, "2026-03-02")}, plan.Doubled)
	require.Equal(
		t,
		[]time.Time{day(t, "2026-03-01"), day(t, "2026-03-02"), day(t, "2026-03-03"), day(t, "2026-03-04")},
		plan.Days(),
	)
}

// TestNoDayGetsTwoOrders changes a template at random, also in the middle of a generation.
// Its rules have at most one occurrence a day, so no day may have two orders; and once a
// change is applied, the orders match the rule exactly.
func TestNoDayGetsTwoOrders(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := newSeries(t, "FREQ=DAILY", "2026-03-01T07:00:00Z", rapid.IntRange(0, 20).Draw(rt, "ahead"))
		s.batch = rapid.IntRange(1, 9).Draw(rt, "batch")
		for range rapid.IntRange(1, 12).Draw(rt, "turns") {
			c := recurring.Change{UpdateExisting: rapid.Bool().Draw(rt, "promises")}
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				start := at(t, fmt.Sprintf("2026-03-01T%02d:00:00Z", rapid.IntRange(6, 12).Draw(rt, "hour")))
				c.Start = &start
			case 1:
				rule := rapid.SampledFrom([]string{
					"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=TU,TH", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;COUNT=5",
				}).Draw(rt, "rule")
				c.RuleSet = &rule
			case 2:
				ahead := rapid.IntRange(0, 25).Draw(rt, "days")
				c.DaysAhead = &ahead
			case 3:
				active := rapid.Bool().Draw(rt, "active")
				c.Active = &active
			case 4:
				end := s.Start.AddDate(0, 0, rapid.IntRange(0, 30).Draw(rt, "end"))
				c.End, c.NoEnd = &end, false
			case 5:
				c.NoEnd = true
			}
			after, err := c.Apply(s.Template, s.zone)
			require.NoError(rt, err)
			s.Template = after
			for range rapid.IntRange(0, 9).Draw(rt, "steps") {
				if !s.step(rt) {
					break
				}
			}
			live := map[time.Time]int{}
			for _, e := range s.existing {
				if e.Status != order.Cancelled {
					live[e.Date]++
					require.Equal(rt, 1, live[e.Date], "%s has two orders", e.Date)
				}
			}
			s.requireKept(rt, &c)
			s.today = s.today.AddDate(0, 0, rapid.IntRange(0, 3).Draw(rt, "days pass"))
			s.existing = slices.DeleteFunc(s.existing, func(e recurring.Existing) bool { return e.Date.Before(s.today) })
		}
	})
}

// requireKept compares the orders with the occurrences once a change is completely
// applied.
func (s *series) requireKept(t require.TestingT, c *recurring.Change) {
	if !c.UpdateExisting || s.Promised() || !s.Generates() {
		return
	}
	first, last := s.Horizon(s.today, s.zone)
	wanted, err := s.Occurrences(first, last, s.zone)
	require.NoError(t, err)
	var want, got []string
	for _, o := range wanted {
		want = append(want, o.Key)
	}
	for _, e := range s.existing {
		if e.Status != order.Cancelled && !e.Date.After(last) {
			got = append(got, e.Key)
		}
	}
	slices.Sort(got)
	require.Equal(t, want, got)
}
