package organization

import (
	"errors"
	"fmt"
	"strings"

	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/recurrence"
)

const maxWorkdays = 50

// drivers checks drivers by the rules that apply to drivers from all
// sources.
func (c *checker) drivers() {
	identities := seen[string]{}
	for i := range c.document.Drivers {
		d, path := &c.document.Drivers[i], at("drivers", i)
		c.name(path+".name", d.Name)
		c.text(path+".externalId", d.ExternalID, maxName)
		c.driver(path, d)
		c.references(path+".skills", d.Skills, Fold)
		c.references(path+".prohibitedCustomers", d.ProhibitedCustomers, exact)
		c.references(path+".prohibitedLocations", d.ProhibitedLocations, exact)
		c.preferences(path, d)
		c.workdays(path+".workdays", d.Workdays)
		if d.ExternalID != "" {
			identities.add(c, "x"+d.ExternalID, path+".externalId", path)
		} else {
			identities.add(c, "n"+Fold(d.Name), path+".name", path)
		}
	}
}

func (c *checker) preferences(path string, d *Driver) {
	c.references(path+".preferredCustomers", d.PreferredCustomers, exact)
	c.references(path+".preferredLocations", d.PreferredLocations, exact)
	if len(d.Territory) > driver.MaxTerritory {
		c.complain(path+".territory", "must be %d or fewer", driver.MaxTerritory)
		return
	}
	for j := range d.Territory {
		c.area(fmt.Sprintf("%s.territory[%d]", path, j), &d.Territory[j])
	}
}

func (c *checker) driver(path string, d *Driver) {
	kept, err := driver.Details{
		ExternalID: d.ExternalID, Name: d.Name, PhoneNumber: d.PhoneNumber, EmailAddress: d.EmailAddress,
		Pace: driver.Pace{Driving: d.DrivingFactor, Visits: d.VisitFactor},
	}.Check()
	var wrong *fault.Error
	if !errors.As(err, &wrong) {
		d.PhoneNumber = kept.PhoneNumber
		return
	}
	for _, v := range wrong.Violations {
		switch v.Field {
		case "phone_number":
			c.complain(path+".phoneNumber", "must be a phone number with a country code, such as +47 900 12 345")
		case "email_address":
			c.complain(path+".emailAddress", "must be an email address, such as name@example.com")
		case "driving_factor", "visit_factor":
			field := map[string]string{"driving_factor": ".drivingFactor", "visit_factor": ".visitFactor"}[v.Field]
			c.complain(path+field, "must be between %v and %v, in steps of %v",
				driver.LeastPace, driver.MostPace, driver.PaceStep)
		}
	}
}

func (c *checker) workdays(path string, days []Workday) {
	if len(days) > maxWorkdays {
		c.complain(path, "must be %d or fewer", maxWorkdays)
	}
	for i, day := range days {
		inner := fmt.Sprintf("%s[%d]", path, i)
		if _, err := recurrence.ParseDays(day.RRule, c.zone); err != nil {
			c.complain(inner+".rrule", "%v", err)
		}
		missing := len(day.MoreBreaks) >= driver.MostBreaks
		if missing {
			c.complain(inner+".moreBreaks", "must have %d entries or fewer", driver.MostBreaks-1)
		}
		for _, clock := range day.clocks() {
			if !clock.given {
				c.complain(inner+"."+clock.name, "is missing")
				missing = true
			}
		}
		if missing {
			continue
		}
		if field, text := day.Hours().Problem(); field != "" {
			c.complain(inner+"."+strings.Replace(field, "more_breaks", "moreBreaks", 1), "%s", hourProblems[text.ID])
		}
	}
}

// hourProblems translates problems of hours to the English of documents.
var hourProblems = map[string]string{
	"driver.no_hours":        "must differ from starts",
	"driver.bad_break":       "must be between 1 and 1439",
	"driver.break_outside":   "must lie within the hours of work",
	"driver.break_too_short": "must be at least minutes after earliest",
	"driver.breaks_overlap":  "must not be before latest of the break before",
}

// givenClock is a time that must be there.
type givenClock struct {
	name  string
	given bool
}

func (w Workday) clocks() []givenClock {
	clocks := []givenClock{{"starts", w.Starts != nil}, {"ends", w.Ends != nil}}
	if w.Break != nil {
		clocks = append(clocks,
			givenClock{"break.earliest", w.Break.Earliest != nil}, givenClock{"break.latest", w.Break.Latest != nil})
	}
	for i, b := range w.MoreBreaks {
		at := fmt.Sprintf("moreBreaks[%d]", i)
		clocks = append(clocks, givenClock{at + ".earliest", b.Earliest != nil}, givenClock{at + ".latest", b.Latest != nil})
	}
	return clocks
}

// Hours returns the hours of days that were checked.
func (w Workday) Hours() driver.Hours {
	hours := driver.Hours{Starts: *w.Starts, Ends: *w.Ends}
	if w.Break != nil {
		hours.Break = driver.Break{Minutes: w.Break.Minutes, Earliest: *w.Break.Earliest, Latest: *w.Break.Latest}
	}
	for i, b := range w.MoreBreaks {
		hours.More[i] = driver.Break{Minutes: b.Minutes, Earliest: *b.Earliest, Latest: *b.Latest}
	}
	return hours
}
