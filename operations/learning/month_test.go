package learning_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/driving"
	"waybill/domain/learning"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/simulation"
	learnops "waybill/operations/learning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
	"waybill/providers/travel"
)

var update = flag.Bool("update", false, "write docs/pictures/learned-month.txt")

// shops are where the orders of a month go, each a few minutes from the next.
const shops = 12

// ordersOfDay is how many orders a day of the month has.
const ordersOfDay = 18

// month is an organization whose drivers have realistic days. Its first three weeks have the plan of their last day, and
// each day after these its own.
type month struct {
	*operationstest.Dispatch

	zone *time.Location
	crow *travel.Tables
	days []drivenDay
	// dice says how drivers and places are; it is the organization's own, if 0. shared means that all drivers have as many
	// orders, the same ones each day.
	dice   int64
	shared bool
}

// drivenDay is a day of the month, and by how much its deliveries were earlier or later than its plan had them.
type drivenDay struct {
	date time.Time
	off  []time.Duration
}

// firstWeeks is how many days are driven before anything is accepted.
const firstWeeks = 21

func newMonth(t *testing.T, shared bool) *month {
	t.Helper()
	places := "locations:\n"
	for n := range shops {
		places += fmt.Sprintf("  - {externalId: S-%d, name: Shop %d, address: {postalCode: \"%04d\", city: Oslo, country: \"NO\", latitude: %.4f, longitude: %.4f}}\n",
			n, n, 150+n, 59.88+float64(n%4)*0.03, 10.62+float64(n%5)*0.07)
	}
	change := []string{"locations:\n", places}
	if shared { // nobody waits for the terminal
		change = append(change, `readyFrom: "08:00"`, `readyFrom: "06:00"`)
	}
	m := &month{
		Dispatch: operationstest.NewDispatch(t, change...), crow: travel.NewTables(travel.Crow{}, time.Now), shared: shared,
	}
	var err error
	m.zone, err = time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	m.plan(operationstest.PlannedOn)
	m.repeat()
	return m
}

// plan has the day's orders come, and plans them in the morning.
func (m *month) plan(day time.Time) {
	m.T.Helper()
	m.Now = day.Add(4 * time.Hour)
	for n := range ordersOfDay {
		number := fmt.Sprintf("%s-%d", day.Format("0102"), n)
		m.Load(number, fmt.Sprintf("S-%d", n%shops), func(r *order.Request) { r.Date = day.Format(time.DateOnly) })
	}
	m.Do("update orders set created_at = $2 where org_id = $1", m.Org, operationstest.PlannedOn.AddDate(0, 0, -60))
	if m.shared {
		m.Do(`insert into order_driver_locks (org_id, order_id, driver_id, locked_by)
			select o.org_id, o.id, (select r.id from drivers r where r.org_id = $1
				order by r.id offset split_part(o.number, '-', 2)::int % 3 limit 1), 'test'
			from orders o where o.org_id = $1 and o.date = $2`, m.Org, day)
	}
	m.replan(day)
}

// replan plans a day again.
func (m *month) replan(day time.Time) {
	m.T.Helper()
	_, err := m.Planning.PlanDay(m.T.Context(), caller.Service(m.Org, "plan/test"),
		planningops.PlanningSlice{Area: planning.Area{Date: day}})
	require.NoError(m.T, err)
}

// repeat gives the days before the first one its plan, and has the road data know its ways.
func (m *month) repeat() {
	m.T.Helper()
	m.Do(`insert into travel_ways (org_id, provider, profile, from_place, to_place, seconds, meters)
		select s.org_id, l.provider, l.profile, l.from_place, l.to_place, s.driving_seconds, s.meters
		from plans p cross join legs_of_plan(p.org_id, p.id, null) l
		join plan_stops s on s.org_id = p.org_id and s.plan_id = p.id and s.driver_id = l.driver_id and s.seq = l.seq
		where p.org_id = $1 and l.from_place is not null on conflict do nothing`, m.Org)
	w := &weeks{m.Dispatch}
	w.copyDays(firstWeeks, "orders", `jsonb_build_object('id', x.id + n * $2::bigint, 'number', x.number || '/' || n,
		'serial', x.serial + n * $2::bigint, 'date', x.date - n)`)
	w.copyDays(firstWeeks, "order_stops", `jsonb_build_object('id', x.id + n * $2::bigint, 'order_id', x.order_id + n * $2::bigint,
		'earliest', x.earliest - n * interval '1 day', 'latest', x.latest - n * interval '1 day')`)
	w.copyDays(firstWeeks, "plans", `jsonb_build_object('id', x.id + n * $2::bigint, 'day', x.day - n)`)
	w.copyDays(firstWeeks, "plan_routes", `jsonb_build_object('plan_id', x.plan_id + n * $2::bigint,
		'starts_at', x.starts_at - n * interval '1 day', 'ends_at', x.ends_at - n * interval '1 day',
		'break_starts_at', x.break_starts_at - n * interval '1 day', 'break_ends_at', x.break_ends_at - n * interval '1 day',
		'breaks', coalesce((select jsonb_agg(b || jsonb_build_object('starts', (b ->> 'starts')::timestamptz - n * interval '1 day',
			'ends', (b ->> 'ends')::timestamptz - n * interval '1 day')) from jsonb_array_elements(x.breaks) b), '[]'))`)
	w.copyDays(firstWeeks, "plan_stops", `jsonb_build_object('plan_id', x.plan_id + n * $2::bigint, 'order_id', x.order_id + n * $2::bigint,
		'arrives_at', x.arrives_at - n * interval '1 day', 'starts_at', x.starts_at - n * interval '1 day',
		'leaves_at', x.leaves_at - n * interval '1 day', 'eta', x.eta - n * interval '1 day')`)
}

// drive has the simulated drivers drive a day, keeps what they say, and notes by how much the plan was off.
func (m *month) drive(day time.Time) {
	m.T.Helper()
	arrived, ended := m.simulate(day)
	m.keep(arrived, ended)
	m.days = append(m.days, drivenDay{day, m.off(day, ended)})
}

// simulate has the simulated drivers drive a day, and returns when its stops begin and end.
func (m *month) simulate(day time.Time) (arrived, ended map[int64]time.Time) {
	m.T.Helper()
	run := &simulation.Run{OrgID: m.Org, ID: 1, Day: day, Started: day, Pace: 1, Realistic: true, Zone: m.zone}
	run.Clock = simulation.Clock{From: day, Since: day, Pace: 1}
	drivers, err := m.Store.SimulatedDrivers(m.T.Context(), run)
	require.NoError(m.T, err)
	run.OrgID = cmp.Or(m.dice, m.Org)
	arrived, ended = map[int64]time.Time{}, map[int64]time.Time{}
	for i := range drivers {
		m.base(&drivers[i])
		steps, _ := run.Steps(&drivers[i], day.AddDate(0, 0, 2))
		for _, s := range steps {
			switch s.Deed {
			case driving.Arrive:
				arrived[s.StopID] = s.At
			case driving.PickUp, driving.Deliver:
				ended[s.StopID] = s.At
			}
		}
	}
	return arrived, ended
}

// base sets how long the ways of a driver take by the road data: later plans drive other legs than the first one.
func (m *month) base(d *simulation.Driver) {
	m.T.Helper()
	points := make([]travel.Point, len(d.Stops))
	for i := range d.Stops {
		points[i] = travel.Point{Latitude: d.Stops[i].Latitude, Longitude: d.Stops[i].Longitude}
	}
	table, err := m.crow.Table(m.T.Context(), nil, planning.Car, points)
	require.NoError(m.T, err)
	for i := 1; i < len(points); i++ {
		d.Stops[i].Base = time.Duration(table.Travel.Leg(i-1, i).Seconds) * time.Second
	}
}

// keep writes when the stops of a day began and ended.
func (m *month) keep(arrived, ended map[int64]time.Time) {
	m.T.Helper()
	stops := slices.Sorted(maps.Keys(ended))
	froms, untils := make([]time.Time, len(stops)), make([]time.Time, len(stops))
	for i, stop := range stops {
		froms[i], untils[i] = arrived[stop], ended[stop]
	}
	m.Do(`insert into order_progress (org_id, order_id, pickup_status, delivery_status, pickup_arrived_at, pickup_ended_at,
			delivery_arrived_at, delivery_ended_at)
		select $1, s.order_id, 'completed', 'completed', max(x.arrived) filter (where s.kind = 'pickup'),
			max(x.ended) filter (where s.kind = 'pickup'), max(x.arrived) filter (where s.kind = 'delivery'),
			max(x.ended) filter (where s.kind = 'delivery')
		from unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) x (stop, arrived, ended)
		join order_stops s on s.org_id = $1 and s.id = x.stop group by s.order_id`, m.Org, stops, froms, untils)
}

// off is by how much the deliveries of a day were earlier or later than the plan of the morning had them.
func (m *month) off(day time.Time, ended map[int64]time.Time) (off []time.Duration) {
	m.T.Helper()
	rows, err := m.Owner.Query(m.T.Context(), `select s.id, p.leaves_at from plans l
		join plan_stops p on p.org_id = l.org_id and p.plan_id = l.id and p.kind = 'delivery'
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		where l.org_id = $1 and l.day = $2`, m.Org, day)
	require.NoError(m.T, err)
	var stop int64
	var planned time.Time
	_, err = pgx.ForEachRow(rows, []any{&stop, &planned}, func() error {
		require.Contains(m.T, ended, stop)
		off = append(off, ended[stop].Sub(planned).Abs())
		return nil
	})
	require.NoError(m.T, err)
	require.GreaterOrEqual(m.T, len(off), ordersOfDay/2)
	return off
}

func median(off []time.Duration) time.Duration { return slices.Sorted(slices.Values(off))[len(off)/2] }

func (m *month) median(days []drivenDay) time.Duration {
	var all []time.Duration
	for _, d := range days {
		all = append(all, d.off...)
	}
	return median(all)
}

// TestASimulatedMonthBringsBetterETAs drives three realistic weeks as the simulator does, has the night after them learn,
// accepts what is proposed, and drives a week whose days are planned with it. What phones say is written as they would
// have it, without a request for each.
func TestASimulatedMonthBringsBetterETAs(t *testing.T) {
	t.Parallel()
	m := newMonth(t, false)
	for n := range firstWeeks {
		m.drive(operationstest.PlannedOn.AddDate(0, 0, n-firstWeeks+1))
	}
	m.Now = operationstest.PlannedOn.Add(25 * time.Hour)
	night, err := m.Learning.Learn(t.Context(), caller.Service(m.Org, "learn-travel/test"))
	require.NoError(t, err)
	require.NotZero(t, night.Travel.Proposal, "%+v", night.Travel)
	require.NotZero(t, night.Visits.Proposal, "%+v", night.Visits)
	for _, l := range []learning.Trial{night.Travel.Trial, night.Visits.Trial} {
		t.Logf("of %d predictions of %d days, half are off by %s before, and by %s after", l.Predicted, l.Days, l.Before, l.After)
	}
	for _, proposal := range []int64{night.Travel.Proposal, night.Visits.Proposal} {
		require.NoError(t, m.Learning.Accept(t.Context(), operationstest.Clerk(m.Org), proposal))
	}
	for n := range 7 {
		day := operationstest.PlannedOn.AddDate(0, 0, n+1)
		m.plan(day)
		m.drive(day)
	}
	before, after := m.median(m.days[:firstWeeks]), m.median(m.days[firstWeeks:])
	t.Logf("half of the deliveries are off by %s before, and by %s after", before, after)
	require.LessOrEqual(t, 2*after, before)
	if *update {
		require.NoError(t, os.WriteFile("../../docs/pictures/learned-month.txt", []byte(m.chart()), 0o644))
	}
}

// differ has the first driver take much longer on the road than others, and all others much shorter. All of them take
// longer or shorter for visits.
func (m *month) differ() {
	m.T.Helper()
	rows, err := m.Owner.Query(m.T.Context(),
		"select distinct driver_id from plan_routes where org_id = $1 order by 1", m.Org)
	require.NoError(m.T, err)
	drivers, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(m.T, err)
	require.NotEmpty(m.T, drivers)
	differs := func(dice int64) bool {
		run := &simulation.Run{OrgID: dice, Realistic: true}
		for i, id := range drivers {
			drives, serves := run.Habits(&simulation.Driver{ID: id})
			if i == 0 && drives < 1.13 || i > 0 && drives > 0.88 || math.Abs(serves-1) < 0.11 {
				return false
			}
		}
		return true
	}
	for m.dice = 1; !differs(m.dice); m.dice++ {
		require.Less(m.T, m.dice, int64(20_000_000))
	}
}

// learn has the next night learn, and accepts what is proposed of everybody, or else of drivers.
func (m *month) learn() (night learnops.Night) {
	m.T.Helper()
	night, err := m.Learning.Learn(m.T.Context(), caller.Service(m.Org, "learn-travel/test"))
	require.NoError(m.T, err)
	for _, proposal := range []int64{night.Travel.Proposal, night.Visits.Proposal, night.Drivers.Proposal} {
		if proposal != 0 {
			require.NoError(m.T, m.Learning.Accept(m.T.Context(), operationstest.Clerk(m.Org), proposal))
		}
	}
	return night
}

// TestLearnedFactorsOfDriversBringBetterETAs drives three realistic weeks with drivers who differ. Two nights learn
// what concerns everybody, and then the factors of drivers. Two weeks are planned and driven with these, and without.
func TestLearnedFactorsOfDriversBringBetterETAs(t *testing.T) {
	t.Parallel()
	m := newMonth(t, true)
	m.differ()
	for n := range firstWeeks {
		m.drive(operationstest.PlannedOn.AddDate(0, 0, n-firstWeeks+1))
	}
	m.Now = operationstest.PlannedOn.Add(25 * time.Hour)
	var nights []learnops.Night
	for len(nights) == 0 || proposes(&nights[len(nights)-1]) {
		nights = append(nights, m.learn())
		require.LessOrEqual(t, len(nights), 10)
	}
	first := nights[0]
	require.NotZero(t, first.Visits.Proposal, "%+v", first.Visits)
	require.Zero(t, first.Drivers.Proposal, "what concerns everybody comes first: %+v", first.Drivers)
	paces, err := m.Store.Paces(t.Context(), m.Org)
	require.NoError(t, err)
	require.NotEmpty(t, paces)
	for id, pace := range paces {
		drives, serves := (&simulation.Run{OrgID: m.dice}).Habits(&simulation.Driver{ID: id})
		t.Logf("driver %d has %+v, and takes %.2f on the road and %.2f for visits", id, pace, drives, serves)
	}
	var with, without []time.Duration
	for n := range 14 {
		day := operationstest.PlannedOn.AddDate(0, 0, n+1)
		m.plan(day)
		_, ended := m.simulate(day)
		with = append(with, m.off(day, ended)...)
		m.pace(map[int64]driver.Pace{})
		m.replan(day)
		_, ended = m.simulate(day)
		without = append(without, m.off(day, ended)...)
		m.pace(paces)
	}
	t.Logf("half of %d deliveries are off by %s with the times of everybody, and by %s with the factors of drivers",
		len(with), median(without), median(with))
	require.LessOrEqual(t, 4*median(with), 3*median(without))
}

// proposes reports whether a night has brought anything.
func proposes(n *learnops.Night) bool {
	return n.Travel.Proposal != 0 || n.Visits.Proposal != 0 || n.Drivers.Proposal != 0
}

// pace gives drivers these factors, and all others none.
func (m *month) pace(paces map[int64]driver.Pace) {
	m.T.Helper()
	m.Do("update drivers set driving_factor = null, visit_factor = null where org_id = $1", m.Org)
	for id, p := range paces {
		m.Do(`update drivers set driving_factor = nullif($3::float8, 0), visit_factor = nullif($4::float8, 0)
			where org_id = $1 and id = $2`, m.Org, id, p.Driving, p.Visits)
	}
}

// chart are the days as a source of docs/pictures.
func (m *month) chart() string {
	var s strings.Builder
	s.WriteString("# Made by: go test ./operations/learning -run TestASimulatedMonthBringsBetterETAs -update\n")
	s.WriteString("title Half of the deliveries of a day are off by so many minutes\nunit min\n")
	for n, d := range m.days {
		if n == firstWeeks {
			s.WriteString("mark what was learned is accepted\n")
		}
		fmt.Fprintf(&s, "bar %s %.1f\n", d.date.Format("Mon-2-Jan"), median(d.off).Minutes())
	}
	return s.String()
}
