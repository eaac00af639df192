package simulation

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/road"
)

// State is how far a simulated day is.
type State string

// The states of simulated days.
const (
	Running State = "RUNNING"
	Done    State = "DONE"
	Stopped State = "STOPPED"
)

// Run is one simulated day.
type Run struct {
	OrgID, ID int64
	Day       time.Time
	// Started is when the first driver sets out.
	Started time.Time
	// Pace is the number of planned minutes per real minute.
	Pace int
	// Incidents is the percentage of orders with an incident that their
	// numbers do not request.
	Incidents int
	// Trouble is how much else goes wrong.
	Trouble Trouble
	// Realistic has driving, docks and drivers differ from the plan: see Rush.
	Realistic bool
	// Zone is the time zone of the organization; nil is UTC.
	Zone *time.Location
	// Clock is the clock of the day; zero before the first driver leaves.
	Clock Clock
}

// Driver is a driver with a route, and their progress in a run by their own
// reports.
type Driver struct {
	ID int64
	// Turn is the driver's position in the order of departure, from 0 on.
	Turn int
	// Last is the time of the last action, zero for never; Starts and Ends count
	// the starts and ends of the route, Rejected the refused actions.
	Last time.Time
	// SetsOut is when the route begins by the plan, zero when unknown.
	SetsOut                time.Time
	Starts, Ends, Rejected int
	// Was is the last position; nil when unknown.
	Was *driving.Position
	// Stops are the open stops of the route, in sequence.
	Stops []Stop
}

// Stop is a stop that is not over.
type Stop struct {
	ID                  int64
	Kind                order.StopKind
	Number              string // of its order
	Arrived             bool
	Latitude, Longitude float64
	// Known is when the stop was added: the driver does not leave for it
	// before.
	Known time.Time
	// Way is the planned time from the stop before, with a break in between, and
	// Driving its driving time. Zero means Driving.
	Way, Driving time.Duration
	// Line is the way there along streets, from the stop before, if it is known.
	Line road.Line
	// Earliest is from when on the stop may be served, by the clock of the day; Setup is how
	// long the driver sets up before, and Service how long serving takes.
	Earliest       time.Time
	Setup, Service time.Duration
	// Base is how long the way takes by the road data, 0 if nobody knows. Joined is set if the stop is at the place of
	// the one before, and OwnTime if its order says how long it takes.
	Base            time.Duration
	Joined, OwnTime bool
	// Contact is the person who signs, or empty.
	Contact string
	// Products are those of its order.
	Products []Product
}

// Product is how much of a product an order has.
type Product struct {
	ID       int64
	Quantity float64
}

// Step is something that a driver does.
type Step struct {
	ID     string // id of the action, deterministic
	Deed   driving.Deed
	StopID int64
	// At is when it happens, and Sent when the phone sends it.
	At, Sent time.Time
	Position *driving.Position
	Reason   string
	Comment  string
	// Signee is who signed for a delivery.
	Signee string
	// Products are the delivered quantities; empty means that all were
	// delivered.
	Products []driving.Product
}

// between is how far apart drivers set out, by the plan's clock.
const between = time.Minute

// mostRejected is how many refusals make a driver stop for the day: an action that
// is always refused is not sent endlessly.
const mostRejected = 50

// OnTheRoad reports whether a driver has begun their route and not ended
// it.
func (d *Driver) OnTheRoad() bool { return d.Starts > d.Ends }

// Steps returns what a driver sends until a moment, in the sequence in which
// the phone sends it, and when it sends next; zero means never.
func (r *Run) Steps(d *Driver, until time.Time) (due []Step, next time.Time) {
	if d.Rejected >= mostRejected {
		return nil, time.Time{}
	}
	w := walk{run: r, driver: d, at: d.Last, until: until}
	w.setOut()
	for left := slices.Clone(d.Stops); len(left) > 0; {
		next := r.next(d, left)
		way, _ := r.way(d, left, next, later(w.at, left[next].Known))
		stop := left[next]
		left = slices.Delete(left, next, next+1)
		done, failed := w.serve(&stop, way)
		if !done {
			return w.due, w.next
		}
		if failed {
			left = slices.DeleteFunc(left, func(s Stop) bool { return s.Number == stop.Number })
		}
	}
	if d.OnTheRoad() || len(d.Stops) > 0 {
		w.send(w.step(driving.EndRoute, nil))
	}
	return w.due, w.next
}

// walk goes along a route.
type walk struct {
	run    *Run
	driver *Driver
	until  time.Time
	// at is when the driver is free, and held until when nothing is sent.
	at, held time.Time
	due      []Step
	next     time.Time
	// served is set after the first stop of this walk.
	served bool
}

// setOut begins the route of a driver with open stops.
func (w *walk) setOut() {
	d := w.driver
	if d.OnTheRoad() || len(d.Stops) == 0 {
		return
	}
	w.at = later(d.Last, w.run.setsOut(d))
	w.send(w.step(driving.StartRoute, nil))
}

// setsOut returns when a driver begins their route: by the plan, or else one after
// another.
func (r *Run) setsOut(d *Driver) time.Time {
	if r.Clock.Runs() && !d.SetsOut.IsZero() {
		return r.Clock.When(d.SetsOut.Add(-r.early(d)))
	}
	return r.Started.Add(r.scaled(time.Duration(d.Turn) * between))
}

// way is how long after the stop before a driver gets to a stop, by the plan's clock.
func (s *Stop) way() time.Duration { return driving.PlannedWay(s.Way, s.Driving) }

// serve performs the actions at a stop at this distance. It reports whether all of
// them were sent, and whether the stop failed.
func (w *walk) serve(s *Stop, way time.Duration) (done, failed bool) {
	outcome, mishap := Outcome{}, w.run.mishapOf(w.driver, s)
	if s.Kind == order.Delivery {
		outcome = OutcomeOf(s.Number, w.run.Incidents)
	}
	if outcome.Fails == "" {
		outcome.Fails = mishap.fails
	}
	var steps []Step
	if !s.Arrived {
		steps = append(steps, w.arrive(s, way, outcome))
	}
	w.served = true
	setup, service := w.run.times(w.driver, s)
	w.at = w.at.Add(w.run.scaled(mishap.queue) + w.run.scaled(setup))
	if w.run.Clock.Runs() && !mishap.hurries {
		w.at = later(w.at, w.run.Clock.When(s.Earliest))
	}
	w.at = w.at.Add(w.run.scaled(service))
	steps = append(steps, w.finish(s, outcome, mishap))
	if outcome.Offline {
		w.held = later(w.held, w.at.Add(w.run.scaled(Outage)))
		steps = scrambled(steps)
	}
	for _, step := range steps {
		if !w.send(step) {
			return false, false
		}
	}
	return true, outcome.Fails != ""
}

// arrive has the driver get to a stop that is so far away.
func (w *walk) arrive(s *Stop, way time.Duration, outcome Outcome) Step {
	w.at = later(w.at, s.Known).Add(w.run.scaled(way))
	comment := ""
	if outcome.Late {
		w.at, comment = w.at.Add(w.run.scaled(Delay)), "Traffic: about 45 minutes late."
	}
	if was := w.driver.Was; was != nil && !w.served {
		w.at = later(w.at, was.At) // on the way to another stop until then
	}
	step := w.step(driving.Arrive, s)
	step.Comment = comment
	return step
}

// finish is how a stop ends.
func (w *walk) finish(s *Stop, outcome Outcome, mishap mishap) Step {
	switch {
	case outcome.Fails != "":
		step := w.step(driving.Fail, s)
		step.Reason = outcome.Fails
		return step
	case s.Kind == order.Pickup:
		return w.step(driving.PickUp, s)
	}
	step := w.step(driving.Deliver, s)
	if step.Signee = s.Contact; step.Signee == "" {
		step.Signee = "Reception"
	}
	if mishap.refuses {
		step.Products = s.refusal()
	}
	return step
}

// scrambled are steps as a phone sends them that had no signal: the last one
// first, and all of them once more.
func scrambled(steps []Step) []Step {
	var sent []Step
	for i := range steps {
		sent = append(sent, steps[len(steps)-1-i])
	}
	return append(sent, steps...)
}

// send adds a step that is due, and reports whether it is.
func (w *walk) send(s Step) bool {
	if s.Sent = later(s.At, w.held); s.Sent.After(w.until) {
		if w.next.IsZero() {
			w.next = s.Sent
		}
		return false
	}
	w.due = append(w.due, s)
	return true
}

// ids is the name space of actions that are simulated.
var ids = uuid.MustParse("5d0fba5e-6b0c-5f0e-9a43-0c6ad3a5f5b1")

// step is something that happens now. Its id is the same each time it is worked
// out, but another one once something was not taken from its driver.
func (w *walk) step(deed driving.Deed, s *Stop) Step {
	step := Step{Deed: deed, At: w.at}
	name := "run " + strconv.FormatInt(w.run.OrgID, 10) + "/" + strconv.FormatInt(w.run.ID, 10) + "/" +
		strconv.FormatInt(w.driver.ID, 10) + "/" + strconv.Itoa(w.driver.Rejected) + "/" + string(deed) + "/"
	if s == nil {
		name += strconv.Itoa(w.driver.Ends)
	} else {
		step.StopID, step.Position = s.ID, s.near(deed)
		name += strconv.FormatInt(s.ID, 10)
	}
	step.ID = uuid.NewSHA1(ids, []byte(name)).String()
	return step
}

// near returns a position within some meters of the stop, as a phone would
// report.
func (s *Stop) near(deed driving.Deed) *driving.Position {
	const degree, most = 111_000, 30 // metres of a degree, and away from the stop
	dice := diceOf(s.Number, string(s.Kind), string(deed))
	angle := float64(dice%360) * math.Pi / 180
	away := float64(dice/360%most) / degree
	return &driving.Position{
		Latitude:  s.Latitude + away*math.Cos(angle),
		Longitude: s.Longitude + away*math.Sin(angle)/max(math.Cos(s.Latitude*math.Pi/180), 0.1),
		Accuracy:  8,
	}
}

// scaled is how long something takes at the pace of the run.
func (r *Run) scaled(by time.Duration) time.Duration { return by / time.Duration(max(r.Pace, 1)) }

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
