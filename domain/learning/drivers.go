package learning

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"waybill/domain/driver"
	"waybill/domain/traffic"
)

// DriverPace is how long one driver takes by what was learned. A factor of 0 is one of which nothing new was learned.
type DriverPace struct {
	DriverID int64   `json:"driverId"`
	Driving  float64 `json:"drivingFactor,omitempty"`
	Visits   float64 `json:"visitFactor,omitempty"`
	// DrivingBefore and VisitsBefore are what plans had until then.
	DrivingBefore float64 `json:"drivingFactorBefore"`
	VisitsBefore  float64 `json:"visitFactorBefore"`
	// LegsDriven and VisitsMade are how many each was learned from.
	LegsDriven int `json:"legs,omitempty"`
	VisitsMade int `json:"visits,omitempty"`
}

// How many legs or visits there must be of a driver, of how many days, and by how much a factor must differ from the
// present one. It takes more to say something about a person than about an hour.
const (
	manyOfDriver   = 60
	daysOfDriver   = 8
	drivingDiffers = 0.05
	visitsDiffer   = 0.1
)

// Predictions are what plans go by for everybody, and what each driver has now.
type Predictions struct {
	Hours []traffic.RushHours
	Zone  *time.Location
	Known *Known
	Paces map[int64]driver.Pace
}

// AtTheirPace returns legs and visits as those of drivers who take as long as others, by the paces that they have.
func AtTheirPace(legs []Leg, visits []Visit, paces map[int64]driver.Pace) ([]Leg, []Visit) {
	legs, visits = slices.Clone(legs), slices.Clone(visits)
	for i := range legs {
		driving, _ := paces[legs[i].DriverID].Factors()
		legs[i].Base = scaled(legs[i].Base, driving)
	}
	for i := range visits {
		_, factor := paces[visits[i].DriverID].Factors()
		visits[i].Took = scaled(visits[i].Took, 1/factor)
	}
	return legs, visits
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// task is a leg or a visit of a driver.
type task struct {
	day  time.Time
	took time.Duration
	// usually is how long everybody takes, and with how long somebody with a factor.
	usually time.Duration
	with    func(factor float64) time.Duration
}

// Drivers returns for which drivers other factors would have predicted the last quarter of the days better, and which
// these are by all days. The trial has the legs and visits of these drivers.
func (p *Predictions) Drivers(legs []Leg, visits []Visit) ([]DriverPace, Trial) {
	learned := map[int64]*DriverPace{}
	note := func(id int64) *DriverPace {
		if learned[id] == nil {
			driving, factor := p.Paces[id].Factors()
			learned[id] = &DriverPace{DriverID: id, DrivingBefore: driving, VisitsBefore: factor}
		}
		return learned[id]
	}
	present := func(id int64) float64 { driving, _ := p.Paces[id].Factors(); return driving }
	var trial tried
	for id, s := range trial.learn(p.tasksOfLegs(legs), present, drivingDiffers) {
		of := note(id)
		of.Driving, of.LegsDriven = s.factor, s.count
	}
	present = func(id int64) float64 { _, factor := p.Paces[id].Factors(); return factor }
	for id, s := range trial.learn(p.tasksOfVisits(visits), present, visitsDiffer) {
		of := note(id)
		of.Visits, of.VisitsMade = s.factor, s.count
	}
	var all []DriverPace
	for _, id := range slices.Sorted(maps.Keys(learned)) {
		all = append(all, *learned[id])
	}
	slices.SortStableFunc(all, func(a, b DriverPace) int { return cmp.Compare(b.change(), a.change()) })
	return all, trial.sum()
}

// change is by how much somebody takes longer or shorter than plans have it.
func (d *DriverPace) change() float64 {
	most := 0.0
	if d.Driving != 0 {
		most = math.Abs(d.Driving - d.DrivingBefore)
	}
	if d.Visits != 0 {
		most = max(most, math.Abs(d.Visits-d.VisitsBefore))
	}
	return most
}

func (p *Predictions) tasksOfLegs(legs []Leg) map[int64][]task {
	all := map[int64][]task{}
	for i := range legs {
		l := &legs[i]
		if !l.sound() {
			continue
		}
		with := func(factor float64) time.Duration { return scaled(l.Base, factor) }
		if road := traffic.NewRoad(p.Hours, p.Zone, l.From, l.To); road != nil {
			with = func(factor float64) time.Duration { return road.Takes(scaled(l.Base, factor), l.Left) }
		}
		all[l.DriverID] = append(all[l.DriverID], task{day: l.Day, took: l.Took, usually: with(1), with: with})
	}
	return all
}

func (p *Predictions) tasksOfVisits(visits []Visit) map[int64][]task {
	all := map[int64][]task{}
	for i := range visits {
		v := &visits[i]
		if !p.Known.sound(v) {
			continue
		}
		usually := p.Known.predict(v)
		if usually <= 0 {
			continue
		}
		with := func(factor float64) time.Duration { return scaled(usually, factor) }
		all[v.DriverID] = append(all[v.DriverID], task{day: v.Day, took: v.Took, usually: usually, with: with})
	}
	return all
}

// learnedFactor is a factor, and how many tasks it is of.
type learnedFactor struct {
	factor float64
	count  int
}

// tried are predictions of tasks on days that nothing was learned from.
type tried struct {
	before, after []time.Duration
	days          map[time.Time]bool
}

// learn returns the factors of those drivers whose tasks of the last quarter of their days are predicted better with
// what was learned from the others, and adds these predictions.
func (t *tried) learn(all map[int64][]task, present func(int64) float64, differs float64) map[int64]learnedFactor {
	learned := map[int64]learnedFactor{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		tasks, now := all[id], present(id)
		factor, enough := factorOf(tasks, manyOfDriver, daysOfDriver)
		if !enough || math.Abs(factor-now) < differs*now-1e-9 {
			continue
		}
		earlier, later, _ := heldOut(tasks, func(d *task) time.Time { return d.day })
		tentative, enough := factorOf(earlier, manyOfDriver*(held-1)/held, daysOfDriver*(held-1)/held)
		if !enough {
			continue
		}
		var before, after []time.Duration
		for i := range later {
			d := &later[i]
			before, after = append(before, (d.took-d.with(now)).Abs()), append(after, (d.took-d.with(tentative)).Abs())
		}
		one := Trial{Predicted: len(before), Before: middle(slices.Clone(before)), After: middle(slices.Clone(after))}
		if !one.Improves() {
			continue
		}
		t.add(before, after, later)
		learned[id] = learnedFactor{factor: factor, count: len(tasks)}
	}
	return learned
}

func (t *tried) add(before, after []time.Duration, tasks []task) {
	if t.days == nil {
		t.days = map[time.Time]bool{}
	}
	t.before, t.after = append(t.before, before...), append(t.after, after...)
	for i := range tasks {
		t.days[tasks[i].day] = true
	}
}

// sum returns all predictions as one trial.
func (t *tried) sum() Trial {
	if len(t.before) == 0 {
		return Trial{}
	}
	return Trial{Predicted: len(t.before), Days: len(t.days), Before: middle(t.before), After: middle(t.after)}
}

// factorOf returns the factor of which half of the time of some tasks is below, if there are enough of them.
func factorOf(tasks []task, few, days int) (factor float64, enough bool) {
	s := sample{days: map[time.Time]bool{}}
	for i := range tasks {
		d := &tasks[i]
		s.ratios, s.weigh = append(s.ratios, float64(d.took)/float64(d.usually)), append(s.weigh, d.usually.Seconds())
		s.days[d.day] = true
	}
	if len(tasks) < few || len(s.days) < days {
		return 0, false
	}
	return driver.RoundPace(s.median()), true
}

// SameDrivers reports whether two lists say nearly the same about the same drivers: what was dismissed once is not
// proposed again because of a step.
func SameDrivers(a, b []DriverPace) bool {
	if len(a) != len(b) {
		return false
	}
	known := make(map[int64]DriverPace, len(a))
	for _, d := range a {
		known[d.DriverID] = d
	}
	near := func(a, b float64) bool { return (a == 0) == (b == 0) && math.Abs(a-b) < visitsDiffer-1e-9 }
	return !slices.ContainsFunc(b, func(d DriverPace) bool {
		was, is := known[d.DriverID]
		return !is || !near(was.Driving, d.Driving) || !near(was.Visits, d.Visits)
	})
}
