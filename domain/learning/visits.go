package learning

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"waybill/domain/visit"
)

// Visit is a visit of a place as somebody made it: orders in a row, none of which says itself how long it takes.
type Visit struct {
	// Day is the day of the plan, DriverID who drove.
	Day      time.Time
	DriverID int64
	// LocationID is where it was, and OrderTypeID the type of all its orders, 0 if they have several.
	LocationID, OrderTypeID int64
	Orders                  int
	// Took is from the arrival to the end of the last order, without what the type of the vehicle takes longer.
	Took time.Duration
}

// Known is what is set for the times of visits.
type Known struct {
	Locations  map[int64]KnownLocation
	OrderTypes map[int64]*visit.ServiceTime
}

// KnownLocation is what is set for one location.
type KnownLocation struct {
	Minutes *int32
	Times   *visit.ServiceTime
}

// VisitTime is how long the visits of a location, or of orders of a type, take by what was learned.
type VisitTime struct {
	// LocationID or OrderTypeID says whose visits these are; the other one is 0.
	LocationID  int64 `json:"locationId,omitempty"`
	OrderTypeID int64 `json:"orderTypeId,omitempty"`
	// SetupSeconds pass once per visit, OrderSeconds for each order.
	SetupSeconds int32 `json:"setupSeconds"`
	OrderSeconds int32 `json:"orderSeconds"`
	// SetupSecondsBefore and OrderSecondsBefore are what plans had until then.
	SetupSecondsBefore int32 `json:"setupSecondsBefore"`
	OrderSecondsBefore int32 `json:"orderSecondsBefore"`
	// Visits is how many it was learned from.
	Visits int `json:"visits"`
}

// The bounds of what is learned from. A driver who says at once to have arrived and to be done tapped late; one who
// stayed half a day did something else.
const (
	shortestVisit = 20 * time.Second
	longestVisit  = 4 * time.Hour
)

// How many visits there must be of a location, which is one place, and of an order type, which has many.
const (
	fewVisits  = 10
	manyVisits = 30
)

// How fine learned times are and how long they may be, and by how much they must differ from those that are set: by a
// tenth, and by half a minute.
const (
	stepSetup    = 15 * time.Second
	stepOrder    = 5 * time.Second
	longestSetup = 2 * time.Hour
	longestOrder = time.Hour
	leastChange  = 30 * time.Second
)

// MostVisitTimes is of how many locations and order types times are learned at most.
const MostVisitTimes = 200

// sound reports whether a visit says something: goods whose units take time are not learned from.
func (k *Known) sound(v *Visit) bool {
	return v.Took >= shortestVisit && v.Took <= longestVisit && v.Orders > 0 &&
		!byUnit(k.Locations[v.LocationID].Times) && !byUnit(k.OrderTypes[v.OrderTypeID])
}

func byUnit(t *visit.ServiceTime) bool {
	return t != nil && (t.SecondsPerKg != nil || t.SecondsPerM3 != nil || t.SecondsPerCollo != nil)
}

// times returns how long the setup and each order of a visit take by what is set.
func (k *Known) times(location, orderType int64) (setup, each time.Duration) {
	at := k.Locations[location]
	stop := visit.Stop{LocationMinutes: at.Minutes, Location: at.Times, OrderType: k.OrderTypes[orderType]}
	return stop.Times()
}

func (k *Known) predict(v *Visit) time.Duration {
	setup, each := k.times(v.LocationID, v.OrderTypeID)
	return setup + time.Duration(v.Orders)*each
}

// With returns what is set once some times are accepted.
func (k *Known) With(learned []VisitTime) *Known {
	with := Known{Locations: map[int64]KnownLocation{}, OrderTypes: map[int64]*visit.ServiceTime{}}
	maps.Copy(with.Locations, k.Locations)
	maps.Copy(with.OrderTypes, k.OrderTypes)
	for i := range learned {
		t := &learned[i]
		times := &visit.ServiceTime{SetupSeconds: &t.SetupSeconds, OrderSeconds: &t.OrderSeconds}
		if t.LocationID != 0 {
			with.Locations[t.LocationID] = KnownLocation{Minutes: k.Locations[t.LocationID].Minutes, Times: times}
		} else {
			with.OrderTypes[t.OrderTypeID] = times
		}
	}
	return &with
}

// ownTimes reports whether what is set for a location says how long visits take, whatever their orders are.
func (k *Known) ownTimes(location int64) bool {
	at := k.Locations[location]
	return at.Minutes != nil || at.Times != nil && (at.Times.SetupSeconds != nil || at.Times.OrderSeconds != nil)
}

// concerns reports whether the times say how long a visit takes, where these are set.
func (t *VisitTime) concerns(v *Visit, k *Known) bool {
	if t.LocationID != 0 {
		return v.LocationID == t.LocationID
	}
	return v.OrderTypeID == t.OrderTypeID && !k.ownTimes(v.LocationID)
}

// Visits returns how long visits take, by those that were made, where that differs from what is set: at each location
// with enough visits, and for each order type at all other places. First come those that change most.
func Visits(visits []Visit, known *Known) []VisitTime {
	locations, types := map[int64]*stays{}, map[int64]*stays{}
	for i := range visits {
		if v := &visits[i]; known.sound(v) {
			stayed(locations, v.LocationID, v)
		}
	}
	for i := range visits {
		v := &visits[i]
		own := known.ownTimes(v.LocationID) || locations[v.LocationID].suffice(fewVisits)
		if known.sound(v) && v.OrderTypeID != 0 && !own {
			stayed(types, v.OrderTypeID, v)
		}
	}
	ofType := func(id int64) VisitTime { return VisitTime{OrderTypeID: id} }
	atLocation := func(id int64) VisitTime { return VisitTime{LocationID: id} }
	learned := known.learned(types, manyVisits, known, ofType)
	learned = append(learned, known.learned(locations, fewVisits, known.With(learned), atLocation)...)
	slices.SortStableFunc(learned, func(a, b VisitTime) int { return cmp.Compare(b.weight(), a.weight()) })
	return learned[:min(len(learned), MostVisitTimes)]
}

// weight is how many seconds of all visits change.
func (t *VisitTime) weight() int64 {
	change := t.SetupSeconds + t.OrderSeconds - t.SetupSecondsBefore - t.OrderSecondsBefore
	return int64(max(change, -change)) * int64(t.Visits)
}

// learned returns the times of those with enough stays, if they differ from what plans would have otherwise.
func (k *Known) learned(
	all map[int64]*stays, few int, otherwise *Known, of func(id int64) VisitTime,
) (learned []VisitTime) {
	for _, id := range slices.Sorted(maps.Keys(all)) {
		s := all[id]
		if !s.suffice(few) {
			continue
		}
		some := s.visits[0]
		setupNow, eachNow := k.times(some.LocationID, some.OrderTypeID)
		setupThen, eachThen := otherwise.times(some.LocationID, some.OrderTypeID)
		setup, each := s.fit(eachThen)
		t := of(id)
		t.SetupSeconds = wholeSeconds(setup, stepSetup, longestSetup)
		t.OrderSeconds = wholeSeconds(each, stepOrder, longestOrder)
		t.SetupSecondsBefore, t.OrderSecondsBefore = int32(setupNow/time.Second), int32(eachNow/time.Second)
		t.Visits = len(s.visits)
		orders := time.Duration(s.usualOrders())
		whole := setupThen + orders*eachThen
		change := (setup + orders*each - whole).Abs()
		if change >= leastChange && change >= time.Duration(differs*float64(whole)) {
			learned = append(learned, t)
		}
	}
	return learned
}

func wholeSeconds(d, step, most time.Duration) int32 {
	return int32(min(max(d, 0), most).Round(step) / time.Second)
}

// TryVisits learns from the first days of some visits, predicts those of the last quarter, and returns what it learns
// from all days of the locations and order types whose visits it predicted better. The trial has these visits.
func TryVisits(visits []Visit, known *Known) ([]VisitTime, Trial) {
	earlier, later, days := heldOut(visits, func(v *Visit) time.Time { return v.Day })
	if days == 0 {
		return nil, Trial{}
	}
	better := Visits(earlier, known)
	kept := map[[2]int64]bool{}
	keep := func(ofType bool) {
		otherwise, with := known.With(onlyKept(better, kept)), known.With(better)
		for i := range better {
			if t := &better[i]; (t.OrderTypeID != 0) == ofType {
				of := missOfVisits(later, otherwise, with, func(v *Visit) bool { return t.concerns(v, with) })
				kept[t.subject()] = of.Improves()
			}
		}
		better = slices.DeleteFunc(better, func(t VisitTime) bool { is, tried := kept[t.subject()]; return tried && !is })
	}
	keep(true)  // order types first: a location is compared with
	keep(false) // what its orders have otherwise
	with := known.With(better)
	trial := missOfVisits(later, known, with, func(v *Visit) bool {
		return slices.ContainsFunc(better, func(t VisitTime) bool { return t.concerns(v, with) })
	})
	trial.Days = days
	return onlyKept(Visits(visits, known), kept), trial
}

// onlyKept returns those of some times that are kept.
func onlyKept(all []VisitTime, kept map[[2]int64]bool) []VisitTime {
	return slices.DeleteFunc(slices.Clone(all), func(t VisitTime) bool { return !kept[t.subject()] })
}

func (t *VisitTime) subject() [2]int64 { return [2]int64{t.LocationID, t.OrderTypeID} }

// missOfVisits returns by how much half of the predictions of some visits are off.
func missOfVisits(visits []Visit, known, with *Known, of func(*Visit) bool) Trial {
	var before, after []time.Duration
	for i := range visits {
		if v := &visits[i]; known.sound(v) && of(v) {
			before, after = append(before, (v.Took-known.predict(v)).Abs()), append(after, (v.Took-with.predict(v)).Abs())
		}
	}
	if len(before) == 0 {
		return Trial{}
	}
	return Trial{Predicted: len(before), Before: middle(before), After: middle(after)}
}

// SameVisits reports whether two lists say nearly the same about the same visits: what was dismissed once is not
// proposed again because of a step.
func SameVisits(a, b []VisitTime) bool {
	if len(a) != len(b) {
		return false
	}
	known := make(map[[2]int64]VisitTime, len(a))
	for _, t := range a {
		known[t.subject()] = t
	}
	return !slices.ContainsFunc(b, func(t VisitTime) bool {
		was, is := known[t.subject()]
		return !is || apart(was.SetupSeconds, t.SetupSeconds) || apart(was.OrderSeconds, t.OrderSeconds)
	})
}

// apart reports whether two times differ by as much as is worth a proposal.
func apart(a, b int32) bool {
	change := time.Duration(max(a-b, b-a)) * time.Second
	return change >= leastChange && change >= time.Duration(differs*float64(a))*time.Second
}
