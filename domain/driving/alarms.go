package driving

import "time"

// Alarm is a rule by which the office is alerted during a driver's day: of stops that will be
// late by some time, or of a driver who has been silent for some time.
type Alarm struct {
	RuleID int64
	// Silence marks a rule about a silent driver.
	Silence bool
	After   time.Duration
}

// Ringing is an alert of a day that was raised and is not resolved.
type Ringing struct {
	ID, RuleID int64
	// Stop is an index in the route. It is -1 for a silent driver, and for a stop that is not on
	// the route any more.
	Stop int
	// Silence marks the alert of a silent driver.
	Silence bool
}

// Alarmed is an alert to raise.
type Alarmed struct {
	RuleID int64
	// Stop is an index in the route, or -1 for a silent driver.
	Stop int
	// By is how late the stop will be, or how long the driver has been silent.
	By time.Duration
	// At is when service will begin at the stop, or since when the driver is silent.
	At time.Time
	// due is when it is raised if nothing happens until then.
	due time.Time
}

// bell names what an alert is about. A rule has at most one alert of it.
type bell struct {
	rule int64
	stop int
}

// Alarms returns the alerts to raise, the ids of those that are over, and when a rule has to be
// looked at again, the zero time if none has to. An alert of a late stop lasts until the stop is
// over or will be on time again.
func (w *Watch) Alarms(rules []Alarm, ringing []Ringing) (raise []Alarmed, over []int64, wake time.Time) {
	watched := map[bell]Alarmed{}
	for i := range rules {
		for _, a := range w.watched(&rules[i]) {
			watched[bell{a.RuleID, a.Stop}] = a
		}
	}
	for _, r := range ringing {
		of := bell{r.RuleID, r.Stop}
		a, goesOn := watched[of]
		if r.Silence {
			goesOn = goesOn && !a.due.After(w.Now)
		}
		if !goesOn || a.By <= 0 || r.Stop < 0 && !r.Silence {
			over = append(over, r.ID)
			continue
		}
		delete(watched, of)
	}
	for i := range rules {
		for _, a := range w.watched(&rules[i]) {
			if _, rings := watched[bell{a.RuleID, a.Stop}]; !rings {
				continue
			}
			if a.By >= rules[i].After {
				raise = append(raise, a)
			} else if a.due.After(w.Now) && (wake.IsZero() || a.due.Before(wake)) {
				wake = a.due
			}
		}
	}
	return raise, over, wake
}

// watched returns what a rule is about: the driver, or each stop ahead of them.
func (w *Watch) watched(rule *Alarm) (all []Alarmed) {
	switch {
	case w.over() || w.Simulated && (rule.Silence || !w.Troubled):
	case rule.Silence:
		if next := w.next(); next >= 0 {
			since := w.expected(next)
			all = append(all, Alarmed{
				RuleID: rule.RuleID, Stop: -1, By: w.Now.Sub(since), At: since, due: since.Add(rule.After),
			})
		}
	default:
		for i := range w.Stops {
			s := &w.Stops[i]
			if s.Standing.Status.Over() {
				continue
			}
			all = append(all, Alarmed{
				RuleID: rule.RuleID, Stop: i, By: w.Begins(i).Sub(s.Latest), At: w.Begins(i), due: s.Latest.Add(rule.After),
			})
		}
	}
	return all
}
