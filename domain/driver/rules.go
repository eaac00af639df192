package driver

import (
	_ "embed" // the rules are a file
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
)

// DrivingRule is how long drivers may drive and must rest. Its times are in minutes.
type DrivingRule struct {
	Name string `yaml:"name"`
	// Driving is the longest driving without a break of Break minutes, which may be taken in Parts: a
	// first and a second one, or none if it may not.
	Driving int   `yaml:"driving"`
	Break   int   `yaml:"break"`
	Parts   []int `yaml:"parts"`
	// Day is the driving of a day, and LongDay that of so many days a week.
	Day      int `yaml:"day"`
	LongDay  int `yaml:"longDay"`
	LongDays int `yaml:"longDays"`
	// Week is the driving of a week from Monday on, and Fortnight that of two in a row.
	Week      int `yaml:"week"`
	Fortnight int `yaml:"fortnight"`
	// Rest is how long a driver rests within 24 hours, and ShortRest so many times a week.
	Rest       int `yaml:"rest"`
	ShortRest  int `yaml:"shortRest"`
	ShortRests int `yaml:"shortRests"`
	// Weekly is the rest between two weeks of work, or nil.
	Weekly *WeeklyRest `yaml:"weekly"`
	// Two is what changes for two who drive in turns, or nil.
	Two *TwoDrivers `yaml:"two"`
}

// TwoDrivers is how two people who drive in turns must rest: for Rest minutes within each Period.
type TwoDrivers struct {
	Period int `yaml:"period"`
	Rest   int `yaml:"rest"`
}

// WeeklyRest begins at most Period minutes after the one before, and lasts Rest minutes; one after such a rest may
// last ShortRest minutes only.
type WeeklyRest struct {
	Period    int `yaml:"period"`
	Rest      int `yaml:"rest"`
	ShortRest int `yaml:"shortRest"`
}

//go:embed rules.yaml
var ruleFile []byte

// rules are those of the file, by name.
var rules = readRules(ruleFile)

func readRules(file []byte) []DrivingRule {
	var all []DrivingRule
	if err := yaml.Unmarshal(file, &all); err != nil { // a test reads the file
		panic(fmt.Errorf("read driving rules: %w", err))
	}
	return all
}

// DrivingRuleOf returns the driving rule of a name, or nil if there is none.
func DrivingRuleOf(name string) *DrivingRule {
	at := slices.IndexFunc(rules, func(r DrivingRule) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return &rules[at]
}

// RuleNames returns the names of all driving rules.
func RuleNames() (names []string) {
	for i := range rules {
		names = append(names, rules[i].Name)
	}
	return names
}

// Worked is what a driver did in the shift of an earlier day. Night is the part of the driving after
// midnight, which counts for the week of the next day.
type Worked struct {
	Date           time.Time
	Driving, Night time.Duration
	Starts, Ends   time.Time
	// Shared is true if two drove in turns; the driving is half of theirs.
	Shared bool
}

// since returns how long a driver drove in a shift from the beginning of a day on.
func (w *Worked) since(day time.Time) time.Duration {
	switch {
	case !w.Date.Before(day):
		return w.Driving
	case w.Date.Equal(day.AddDate(0, 0, -1)):
		return w.Night
	}
	return 0
}

// DrivingLeft returns how long a driver may drive on a day, after the earlier days, which are in their order.
func (r *DrivingRule) DrivingLeft(day time.Time, before []Worked) time.Duration {
	monday := mondayOf(day)
	var week, fortnight time.Duration
	long := 0
	for i := range before {
		w := &before[i]
		week, fortnight = week+w.since(monday), fortnight+w.since(monday.AddDate(0, 0, -7))
		if !w.Date.Before(monday) && w.Driving > minutes(r.Day) {
			long++
		}
	}
	most := minutes(r.Day)
	if long < r.LongDays {
		most = minutes(r.LongDay)
	}
	return max(0, min(most, minutes(r.Week)-week, minutes(r.Fortnight)-fortnight))
}

// RestNeeded returns how long a driver must rest before or after the work of a day: a short rest as long
// as the driver has any in this week.
func (r *DrivingRule) RestNeeded(day time.Time, before []Worked) time.Duration {
	monday, short := mondayOf(day), 0
	for i := 1; i < len(before); i++ {
		rest := before[i].Starts.Sub(before[i-1].Ends)
		if !before[i].Date.Before(monday) && rest < minutes(r.Rest) && !before[i-1].Shared {
			short++
		}
	}
	if short < r.ShortRests {
		return minutes(r.ShortRest)
	}
	return minutes(r.Rest)
}

// RestBefore returns how long a driver must rest between the last of the days before and the work of a day: for less
// after driving in turns.
func (r *DrivingRule) RestBefore(day time.Time, before []Worked) time.Duration {
	if last := len(before) - 1; last >= 0 && before[last].Shared && r.Two != nil {
		return minutes(r.Two.Rest)
	}
	return r.RestNeeded(day, before)
}

// RestOfTwo returns how long two who drive in turns must rest after a shift, and how long that may last.
func (t *TwoDrivers) RestOfTwo() (rest, shift time.Duration) {
	return minutes(t.Rest), minutes(t.Period - t.Rest)
}

// WeekOfWork returns until when a driver may work before the next weekly rest, after the days before, and when
// that rest would be over if it began at the end of the last of them. Both are zero without such days.
func (r *DrivingRule) WeekOfWork(before []Worked) (until, rested time.Time) {
	if r.Weekly == nil || len(before) == 0 {
		return until, rested
	}
	began, least := before[0].Starts, minutes(r.Weekly.ShortRest)
	for i := 1; i < len(before); i++ {
		rest := before[i].Starts.Sub(before[i-1].Ends)
		if rest < least {
			continue
		}
		began = before[i].Starts
		if least = minutes(r.Weekly.ShortRest); rest < minutes(r.Weekly.Rest) {
			least = minutes(r.Weekly.Rest)
		}
	}
	return began.Add(minutes(r.Weekly.Period)), before[len(before)-1].Ends.Add(least)
}

// mondayOf returns the Monday on or before a day.
func mondayOf(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }
