package store

import (
	"context"
	"time"

	"waybill/domain/simulation"
	"waybill/store/queries"
)

// SandboxRun is a simulated day, running or ended.
type SandboxRun struct {
	simulation.Run

	State simulation.State
	Ended *time.Time
	// Orders are how far those of its day are, Drivers how many have a route and
	// OnTheRoad how many of them have begun it and not ended.
	Orders             SandboxOrders
	Drivers, OnTheRoad int
}

// SandboxOrders counts the orders of a day by progress. Waiting orders have no
// plan yet; unplanned ones have a reason.
type SandboxOrders struct {
	Total, Delivered, Failed, UnderWay, Planned, LeftOver, Waiting int
}

// Open are those that drivers still have to carry out.
func (o SandboxOrders) Open() int { return o.UnderWay + o.Planned }

// LockSandbox reports whether the organization is a sandbox, and its day now, and
// keeps others from starting a run meanwhile.
func (t *Tx) LockSandbox(ctx context.Context, now time.Time) (is bool, today time.Time, err error) {
	row, err := t.q.LockSandbox(ctx, queries.LockSandboxParams{OrgID: t.org, Now: now})
	return row.Sandbox, row.Today, err
}

// IsSandbox reports whether the organization is one.
func (s *Store) IsSandbox(ctx context.Context, org int64) (bool, error) {
	is, err := s.of(org).IsSandbox(ctx, org)
	return is, missing("organization", org, err)
}

// FirstDayToDrive returns the first day, from a given one on, that has work for
// drivers, or ErrNotFound.
func (t *Tx) FirstDayToDrive(ctx context.Context, since time.Time) (time.Time, error) {
	day, err := t.q.FirstDayToDrive(ctx, queries.FirstDayToDriveParams{OrgID: t.org, Since: since})
	return day, translate(err)
}

// RunningSandboxRun returns the run that is not over, or ErrNotFound.
func (t *Tx) RunningSandboxRun(ctx context.Context) (SandboxRun, error) {
	row, err := t.q.RunningSandboxRun(ctx, t.org)
	return newSandboxRun(t.org, queries.SandboxRunRow(row)), translate(err)
}

// AddSandboxRun begins a run and returns its id.
func (t *Tx) AddSandboxRun(ctx context.Context, r *simulation.Run) (int64, error) {
	return t.q.AddSandboxRun(ctx, queries.AddSandboxRunParams{
		OrgID: t.org, Day: r.Day, Pace: int32(r.Pace), Incidents: int32(r.Incidents),
		Trouble: string(r.Trouble), Realistic: r.Realistic, StartedAt: r.Started,
	})
}

// EndSandboxRun ends a run, and reports whether it was still running.
func (t *Tx) EndSandboxRun(ctx context.Context, id int64, as simulation.State, at time.Time) (bool, error) {
	n, err := t.q.EndSandboxRun(ctx, queries.EndSandboxRunParams{
		OrgID: t.org, ID: id, State: string(as), EndedAt: &at,
	})
	return n > 0, err
}

// SandboxRun reads a run with how far its day is, or returns an Absent.
func (s *Store) SandboxRun(ctx context.Context, org, id int64) (SandboxRun, error) {
	row, err := s.of(org).SandboxRun(ctx, queries.SandboxRunParams{OrgID: org, ID: id})
	if err != nil {
		return SandboxRun{}, missing("sandbox_run", id, err)
	}
	return s.withProgress(ctx, newSandboxRun(org, row))
}

// LastSandboxRun reads the last run of a day, or of any day if nil, with the
// day's progress. It returns a NotFound fault if there is none.
func (s *Store) LastSandboxRun(ctx context.Context, org int64, day *time.Time) (SandboxRun, error) {
	row, err := s.of(org).LastSandboxRun(ctx, queries.LastSandboxRunParams{OrgID: org, Day: day})
	if err != nil {
		return SandboxRun{}, absent("sandbox_run", "", err)
	}
	return s.withProgress(ctx, newSandboxRun(org, queries.SandboxRunRow(row)))
}

func newSandboxRun(org int64, row queries.SandboxRunRow) SandboxRun {
	return SandboxRun{
		Run: simulation.Run{
			OrgID: org, ID: row.ID, Day: row.Day, Started: row.StartedAt.UTC(), Pace: int(row.Pace),
			Incidents: int(row.Incidents), Trouble: simulation.Trouble(row.Trouble), Realistic: row.Realistic,
			Zone: zoneOf(row.Timezone), Clock: newClock(row.ClockFrom, row.ClockSince, row.Pace),
		},
		State: simulation.State(row.State), Ended: row.EndedAt,
	}
}

// zoneOf is a time zone that an organization has; nil if this machine does not know it.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// newClock is the clock of a run, zero before it runs.
func newClock(from, since *time.Time, pace int32) simulation.Clock {
	if from == nil || since == nil {
		return simulation.Clock{}
	}
	return simulation.Clock{From: from.UTC(), Since: since.UTC(), Pace: int(pace)}
}

// StartSandboxClock starts the clock of a run at a moment, unless it is running
// or no route of its day is known.
func (t *Tx) StartSandboxClock(ctx context.Context, r *simulation.Run, since time.Time) error {
	return t.q.StartSandboxClock(ctx, queries.StartSandboxClockParams{OrgID: t.org, ID: r.ID, Day: r.Day, Since: &since})
}

// withProgress counts the orders of the day by progress.
func (s *Store) withProgress(ctx context.Context, r SandboxRun) (SandboxRun, error) {
	q := s.of(r.OrgID)
	n, err := q.SandboxDay(ctx, queries.SandboxDayParams{OrgID: r.OrgID, Day: r.Day})
	if err != nil {
		return r, translate(err)
	}
	r.Orders = SandboxOrders{
		Total: int(n.Total), Delivered: int(n.Delivered), Failed: int(n.Failed), UnderWay: int(n.UnderWay),
		Planned: int(n.Planned), LeftOver: int(n.LeftOver), Waiting: int(n.Waiting),
	}
	drivers, err := q.SimulatedDrivers(ctx, queries.SimulatedDriversParams{OrgID: r.OrgID, Day: r.Day, Since: r.Started})
	r.Drivers = len(drivers)
	for i := range drivers {
		if drivers[i].Starts > drivers[i].Ends {
			r.OnTheRoad++
		}
	}
	return r, translate(err)
}
