package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/operations/operationstest"
)

// crewed is a fleet with a skill that takes two people. Everybody works on the day.
type crewed struct {
	*operationstest.Dispatch

	nora, jens, amir int64
}

func newCrewed(t *testing.T) crewed {
	t.Helper()
	d := operationstest.NewDispatch(t, "  - {name: ADR}", "  - {name: ADR}\n  - {name: Two people, forTwo: true}")
	id := func(name string) int64 {
		return operationstest.One[int64](d.Office, "select id from drivers where org_id = $1 and external_id = $2",
			d.Org, name)
	}
	return crewed{d, id("nora"), id("jens"), id("amir")}
}

// workday has somebody ride along with a driver on the day of the plan, or nobody.
func (c crewed) workday(of int64, with driver.Second, hours ...driver.Hours) {
	c.T.Helper()
	day := driver.Workday{Date: operationstest.PlannedOn, Hours: driver.Hours{Starts: 420, Ends: 960}, Second: with}
	if len(hours) > 0 {
		day.Hours = hours[0]
	}
	require.NoError(c.T, c.MasterData.ScheduleDriver(c.T.Context(), caller.Service(c.Org, "test"), of, driver.Schedule{
		Start: day.Date, End: day.Date, Days: []driver.Workday{day},
	}))
}

// off takes the day of a driver away.
func (c crewed) off(of int64) {
	c.T.Helper()
	require.NoError(c.T, c.MasterData.ScheduleDriver(c.T.Context(), caller.Service(c.Org, "test"), of, driver.Schedule{
		Start: operationstest.PlannedOn, End: operationstest.PlannedOn,
	}))
}

// drivers are those whom the plan can use, each with the one who rides along.
func (c crewed) drivers() map[int64]int64 {
	c.T.Helper()
	day, err := c.Store.PlanningDay(c.T.Context(), c.Org, operationstest.Area, c.Now)
	require.NoError(c.T, err)
	all := map[int64]int64{}
	for i := range day.Drivers {
		all[day.Drivers[i].ID] = 0
		if with := day.Drivers[i].CoDriver; with != nil {
			all[day.Drivers[i].ID] = with.ID
		}
	}
	return all
}

// TestTheOrderOfWritesMakesNoDifference has a crew, whoever's day is written first, and frees the co-driver whose
// driver is off.
func TestTheOrderOfWritesMakesNoDifference(t *testing.T) {
	t.Parallel()
	c := newCrewed(t)
	require.Equal(t, map[int64]int64{c.nora: 0, c.jens: 0, c.amir: 0}, c.drivers())
	c.workday(c.nora, driver.Second{CoDriverID: c.jens})
	crew := map[int64]int64{c.nora: c.jens, c.amir: 0}
	require.Equal(t, crew, c.drivers(), "though the rules of the document say that Jens works")
	c.workday(c.jens, driver.Second{})
	require.Equal(t, crew, c.drivers(), "and his own day, written afterwards, too")
	c.workday(c.jens, driver.Second{}, driver.Hours{Starts: 1000, Ends: 1200})
	require.Equal(t, map[int64]int64{c.nora: c.jens, c.jens: 0, c.amir: 0}, c.drivers(), "he drives in the evening")
	c.off(c.jens)
	require.Equal(t, crew, c.drivers(), "a co-driver needs no workday")
	c.workday(c.jens, driver.Second{})
	c.off(c.nora)
	require.Equal(t, map[int64]int64{c.jens: 0, c.amir: 0}, c.drivers(), "he is free again")
	c.workday(c.nora, driver.Second{CoDriverID: c.jens})
	_, err := c.MasterData.DeactivateDriver(t.Context(), caller.Service(c.Org, "test"), c.jens, operationstest.PlannedOn)
	require.NoError(t, err)
	require.Equal(t, map[int64]int64{c.nora: 0, c.amir: 0}, c.drivers())
	c.Do("update driver_workdays set co_driver_id = $2 where org_id = $1 and driver_id = $3", c.Org, c.jens, c.nora)
	require.Equal(t, map[int64]int64{c.nora: 0, c.amir: 0}, c.drivers(), "nobody rides who is inactive")
}

// TestPlansFollowTheirCrews plans an order for two only with two, names the co-driver, and lets them change.
func TestPlansFollowTheirCrews(t *testing.T) {
	t.Parallel()
	c := newCrewed(t)
	c.Load("A-1", "D-1")
	c.Load("A-2", "D-2", func(r *order.Request) {
		r.Products[0].Skills = []order.SkillRequest{{Name: "Two people", Type: "REQUIRED"}}
	})
	done := c.Rest()
	require.Equal(t, 1, done.Planned)
	require.Equal(t, "UNPLANNABLE PROVEN NEEDS_TWO_PEOPLE", c.Reasons("A-2"))

	c.workday(c.nora, driver.Second{CoDriverID: c.jens})
	require.Equal(t, 2, c.Rest().Planned)
	require.Equal(t, "Nora", c.DriverOf("A-2"))
	with := func() int64 {
		return operationstest.One[int64](c.Office,
			"select co_driver_id from plan_routes where org_id = $1 and driver_id = $2", c.Org, c.nora)
	}
	require.Equal(t, c.jens, with())

	c.workday(c.nora, driver.Second{CoDriverID: c.amir, SharesDriving: true})
	c.Rest()
	require.Equal(t, c.amir, with(), "the plan follows")
	c.workday(c.nora, driver.Second{})
	require.Equal(t, 1, c.Rest().Planned)
	require.Equal(t, "UNPLANNABLE PROVEN NEEDS_TWO_PEOPLE", c.Reasons("A-2"))
}

// TestWhatACoDriverDidCounts reads half of the driving for both who drove in turns, and none for a helper.
func TestWhatACoDriverDidCounts(t *testing.T) {
	t.Parallel()
	c := newCrewed(t)
	c.Do("update vehicle_types set driving_rule = 'EU_561_2006' where org_id = $1", c.Org)
	before := func(days int, driver, with int64, shares bool) {
		c.Do(`with earlier as (insert into plans (org_id, day) values ($1, $2) returning id)
			insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters,
				weight_kg, volume_m3, co_driver_id, shares_driving)
			select $1, e.id, $3, $2::timestamptz + interval '8 hours', $2::timestamptz + interval '20 hours',
				36000, 0, 1, 0, 0, $4, $5
			from earlier e`, c.Org, operationstest.PlannedOn.AddDate(0, 0, -days), driver, with, shares)
	}
	before(2, c.nora, c.jens, true)
	before(1, c.amir, c.jens, false)
	c.workday(c.nora, driver.Second{CoDriverID: c.jens, SharesDriving: true})
	day, err := c.Store.PlanningDay(t.Context(), c.Org, operationstest.Area, c.Now)
	require.NoError(t, err)
	require.Len(t, day.Drivers, 2)
	nora, amir := day.Drivers[0], day.Drivers[1]
	require.Equal(t, c.nora, nora.ID)
	drove := func(all []driver.Worked) (hours []time.Duration, shared []bool) {
		for _, w := range all {
			hours, shared = append(hours, w.Driving), append(shared, w.Shared)
		}
		return hours, shared
	}
	hours, shared := drove(nora.Worked)
	require.Equal(t, []time.Duration{5 * time.Hour}, hours)
	require.Equal(t, []bool{true}, shared)
	hours, shared = drove(nora.CoDriver.Worked)
	require.Equal(t, []time.Duration{5 * time.Hour, 0}, hours, "a helper drove nothing, and worked")
	require.Equal(t, []bool{true, false}, shared)
	hours, _ = drove(amir.Worked)
	require.Equal(t, []time.Duration{10 * time.Hour}, hours)
}

// TestANightOfACoDriverIsOver lets somebody begin who rode along in the night before only after it.
func TestANightOfACoDriverIsOver(t *testing.T) {
	t.Parallel()
	c := newCrewed(t)
	c.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends, co_driver_id)
		values ($1, $2, $3, true, 1320, 540, $4)`, c.Org, c.nora, operationstest.PlannedOn.AddDate(0, 0, -1), c.jens)
	day, err := c.Store.PlanningDay(t.Context(), c.Org, operationstest.Area, c.Now)
	require.NoError(t, err)
	require.Len(t, day.Nights, 2)
	require.Equal(t, c.jens, day.Nights[1].DriverID)
	require.Zero(t, day.Nights[1].VehicleID)
	require.Equal(t, operationstest.PlannedOn.Add(8*time.Hour), day.Nights[1].Ends.UTC(), "nine o'clock in Oslo")
}
