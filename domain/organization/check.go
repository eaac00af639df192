package organization

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that the zones do not depend on the machine
	"unicode"
	"unicode/utf8"

	"waybill/domain/learning"
	"waybill/domain/masterdata"
	"waybill/domain/order"
	"waybill/domain/privacy"
	"waybill/domain/proof"
	"waybill/domain/recurrence"
	"waybill/domain/visit"
)

// The longest texts that are kept, in bytes.
const (
	maxName        = 255
	maxDescription = 10_000
	maxWindows     = 100
)

// checker collects the problems of a document.
type checker struct {
	document *Document
	problems Problems
	zone     *time.Location
}

// Check returns all invalid values of a document. References to the database
// are checked when it is applied.
func (d *Document) Check() Problems {
	if d.Organization.Language == "" {
		d.Organization.Language = "en"
	}
	c := &checker{document: d, zone: time.UTC}
	c.organization()
	c.calendars()
	c.departments()
	c.customers()
	c.vehicleTypes()
	c.orderTypes()
	c.carriers()
	names(c, "skills", d.Skills, func(s Skill) string { return s.Name })
	names(c, "groups", d.Groups, func(n Named) string { return n.Name })
	c.customFields()
	c.transformations()
	c.locations()
	c.vehicles()
	c.drivers()
	c.users()
	c.zones()
	c.freightLevels()
	c.intervals()
	c.priceLists()
	c.messaging()
	c.notifications()
	return c.problems
}

func (c *checker) complain(path, format string, args ...any) {
	c.problems = append(c.problems, c.document.Problem(path, format, args...))
}

func (c *checker) organization() {
	o := &c.document.Organization
	if !matches(`^[a-z0-9][a-z0-9-]{0,62}$`, o.Slug) {
		c.complain("organization.slug", "must be 1 to 63 lower-case letters, digits and hyphens, and not start with a hyphen")
	}
	c.name("organization.name", o.Name)
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil || o.Timezone == "" || o.Timezone == "Local" {
		c.complain("organization.timezone", "must be an IANA time zone, such as Europe/Oslo")
	} else {
		c.zone = zone
	}
	c.oneOf("organization.language", o.Language, Languages...)
	if s := c.document.Settings; s != nil && (s.Approach() < 1 || s.Approach() > LongestApproach) {
		c.complain("settings.approachingMinutes", "must be between 1 and %d", LongestApproach)
	}
	if s := c.document.Settings; s != nil && s.SSCCPrefix != "" && !matches(`^[0-9]{7,12}$`, s.SSCCPrefix) {
		c.complain("settings.ssccPrefix", "must be a GS1 company prefix of 7 to 12 digits")
	}
	if s := c.document.Settings; s != nil && s.KeepOrdersDays != 0 && s.KeepOrdersDays < LeastKeptOrders {
		c.complain("settings.keepOrdersDays", "must be at least %d, or 0 to keep them forever", LeastKeptOrders)
	}
	if s := c.document.Settings; s != nil {
		c.retention(&s.Retention)
		if s.OfficePhone != nil && *s.OfficePhone != "" && !IsPhone(*s.OfficePhone) {
			c.complain("settings.officePhone", "must be a phone number, such as +47 22 00 00 00")
		}
		c.proof("settings.proof", s.Proof)
		c.goodsApart(s.GoodsApart)
		c.said(s.LoadDimensions.Problems("settings.loadDimensions"))
		c.shiftLimits("settings", s.MaxStops, s.MaxDrivingMinutes, -1)
		c.costs("settings.costs", s.Costs)
		c.rushHours("settings.rushHours", s.RushHours)
		c.recipientPage("settings.recipientPage", s.RecipientPage)
		if s.LearnTravel != nil && !learning.Mode(*s.LearnTravel).Known() {
			c.complain("settings.learnTravel", "must be one of OFF, PROPOSE, ACCEPT")
		}
		if m := s.LoadingMinutes; m != nil && (*m < -1 || *m > mostLoading) {
			c.complain("settings.loadingMinutes", "must be between 0 and %d, or -1 to load during the shift", mostLoading)
		}
	}
}

func (c *checker) retention(r *Retention) {
	for _, period := range []struct {
		name string
		days *int
	}{{"peopleDays", r.PeopleDays}, {"proofsDays", r.ProofsDays}, {"driversDays", r.DriversDays}} {
		if period.days != nil && *period.days != 0 && (*period.days < privacy.LeastKept || *period.days > mostKept) {
			c.complain("settings.retention."+period.name, "must be between %d and %d, or 0 to keep the data forever",
				privacy.LeastKept, mostKept)
		}
	}
}

// mostLoading is the longest loading before a shift, in minutes.
const mostLoading = 24 * 60

// mostKept is the longest finite retention of personal data in days: a hundred years.
const mostKept = 36_500

// IsPhone reports whether a text can be a phone number, as people write it.
func IsPhone(text string) bool { return matches(`^\+?[0-9][0-9 ()-]{2,29}$`, text) }

// ways are the members of proof rules as documents name them.
var ways = map[string]string{"in_person": "inPerson", "contactless": "contactless", "failure": "failure"}

func (c *checker) proof(path string, rules *proof.Rules) {
	if rules == nil {
		return
	}
	for _, m := range rules.Misfits() {
		field := path + "." + ways[m.Way] + "." + m.Thing
		if m.Never {
			c.complain(field, "is not allowed here")
		} else {
			c.complain(field, "must be one of %s", proof.ListOfLevels())
		}
	}
}

// timesOfService are the members of service times as documents name them, and the longest ones.
var timesOfService = map[string]struct {
	name string
	most int
}{
	"setup_seconds": {"setupSeconds", visit.MostSeconds}, "order_seconds": {"orderSeconds", visit.MostSeconds},
	"seconds_per_kg": {"secondsPerKg", visit.MostPerUnit}, "seconds_per_m3": {"secondsPerM3", visit.MostPerUnit},
	"seconds_per_collo": {"secondsPerCollo", visit.MostPerUnit},
}

func (c *checker) serviceTime(path string, t *visit.ServiceTime) {
	for _, problem := range t.Problems("") {
		of := timesOfService[strings.TrimPrefix(problem.Field, ".")]
		c.complain(path+"."+of.name, "must be between 0 and %d", of.most)
	}
}

func (c *checker) departments() {
	names(c, "departments", c.document.Departments, func(d Department) string { return d.Name })
	for i := range c.document.Departments {
		r, path := c.document.Departments[i].Release, at("departments", i)+".release"
		if r == nil {
			continue
		}
		if r.At != nil && *r.At >= order.EndOfDay {
			c.complain(path+".at", "must be before 24:00")
		}
		if d := r.DaysBefore; d != nil && (*d < 0 || *d > masterdata.MostDaysBefore) {
			c.complain(path+".daysBefore", "must be between 0 and %d", masterdata.MostDaysBefore)
		}
		if m := r.ThresholdMinutes; m != nil && (*m < 0 || *m > masterdata.MostThreshold) {
			c.complain(path+".thresholdMinutes", "must be between 0 and %d", masterdata.MostThreshold)
		}
	}
}

func (c *checker) customers() {
	customers := c.document.Customers
	identities := seen[string]{}
	for i, customer := range customers {
		path := at("customers", i)
		c.name(path+".businessName", customer.BusinessName)
		c.text(path+".externalId", customer.ExternalID, maxName)
		c.text(path+".department", customer.Department, maxName)
		c.text(path+".emailAddress", customer.EmailAddress, maxName)
		c.text(path+".phoneNumber", customer.PhoneNumber, maxName)
		if customer.ExternalID != "" {
			identities.add(c, "x"+customer.ExternalID, path+".externalId", path)
		} else {
			identities.add(c, "n"+Fold(customer.BusinessName), path+".businessName", path)
		}
	}
}

func (c *checker) orderTypes() {
	names(c, "orderTypes", c.document.OrderTypes, func(t OrderType) string { return t.Name })
	for i, t := range c.document.OrderTypes {
		path := at("orderTypes", i)
		c.text(path+".exportCarrier", t.ExportCarrier, maxName)
		c.proof(path+".proof", t.Proof)
		c.serviceTime(path+".serviceTime", t.ServiceTime)
		if t.ReadyFrom == nil && (t.PickUpBefore != nil || t.DeliverBefore != nil) {
			c.complain(path+".readyFrom", "is missing: pickUpBefore and deliverBefore need it")
		}
		for _, end := range []struct {
			name  string
			clock *order.Clock
		}{{"pickUpBefore", t.PickUpBefore}, {"deliverBefore", t.DeliverBefore}} {
			if t.ReadyFrom != nil && end.clock != nil && *end.clock == *t.ReadyFrom {
				c.complain(path+"."+end.name, "must differ from readyFrom")
			}
		}
		c.notNegative(path+".minBookAheadMinutes", t.MinBookAheadMinutes)
		c.notNegative(path+".maxBookAheadMinutes", t.MaxBookAheadMinutes)
		if t.MinBookAheadMinutes != nil && t.MaxBookAheadMinutes != nil && *t.MinBookAheadMinutes > *t.MaxBookAheadMinutes {
			c.complain(path+".minBookAheadMinutes", "must not be greater than maxBookAheadMinutes")
		}
	}
}

func (c *checker) carriers() {
	names(c, "carriers", c.document.Carriers, func(of Carrier) string { return of.Name })
	for i, of := range c.document.Carriers {
		if !matches(`^WAYBILL_CARRIER_[A-Z0-9_]{1,200}$`, of.SecretEnv) {
			c.complain(at("carriers", i)+".secretEnv",
				"must be the name of an environment variable that begins with WAYBILL_CARRIER_, such as WAYBILL_CARRIER_POSTNORD")
		} else if strings.HasSuffix(of.SecretEnv, OtherSecret) {
			c.complain(at("carriers", i)+".secretEnv", "must not end with "+OtherSecret+", which names the second secret")
		}
	}
}

func (c *checker) customFields() {
	fields := c.document.CustomFields
	identities := seen[string]{}
	for i := range fields {
		f, path := &fields[i], at("customFields", i)
		c.name(path+".externalId", f.ExternalID)
		identities.add(c, f.ExternalID, path+".externalId", path)
		c.name(path+".label", f.Label)
		c.name(path+".title", f.Title)
		c.text(path+".description", f.Description, maxDescription)
		c.text(path+".icon", f.Icon, maxName)
		c.color(path+".colorScheme.background", f.ColorScheme.Background)
		c.color(path+".colorScheme.text", f.ColorScheme.Text)
		c.choice(path+".sortOrderBatch", &f.SortOrderBatch, "num", "char", "load", "drive")
		c.choice(path+".displayOn", &f.DisplayOn, "current", "opposite", "both", "pickup", "delivery")
		c.choice(path+".displayStyle", &f.DisplayStyle, "badge", "card", "registration", "popup")
	}
}

func (c *checker) locations() {
	identities := seen[any]{}
	for i := range c.document.Locations {
		l, path := &c.document.Locations[i], at("locations", i)
		c.text(path+".externalId", l.ExternalID, maxName)
		c.text(path+".name", l.Name, maxName)
		c.address(path+".address", &l.Address)
		if l.ExternalID != "" {
			identities.add(c, l.ExternalID, path+".externalId", path)
		} else {
			identities.add(c, l.Key(), path, path)
		}
		if h := l.OpeningHours; h != nil {
			c.hours(path+".openingHours", h.Opens, h.Closes)
		}
		c.serviceTime(path+".serviceTime", l.ServiceTime)
		c.pauses(path+".pauses", l.Pauses)
		if len(l.TimeWindows) > maxWindows {
			c.complain(path+".timeWindows", "must be %d or fewer", maxWindows)
		}
		for j, w := range l.TimeWindows {
			inner := fmt.Sprintf("%s.timeWindows[%d]", path, j)
			c.hours(inner, w.Opens, w.Closes)
			if _, err := recurrence.ParseDays(w.RRule, c.zone); err != nil {
				c.complain(inner+".rrule", "%v", err)
			}
		}
	}
}

func (c *checker) pauses(path string, pauses []order.Pause) {
	if len(pauses) > order.MostPauses {
		c.complain(path, "must be %d or fewer", order.MostPauses)
	}
	for _, i := range order.WrongPauses(pauses) {
		c.complain(fmt.Sprintf("%s[%d]", path, i), "must end after it begins, and begin after the one before it has ended")
	}
}

// address accepts the same as an import: coordinates, or a street address
// with a country and a city or postal code. It also writes the country's code.
func (c *checker) address(path string, a *Address) {
	a.Country = order.Country(a.Country)
	for _, t := range []struct{ name, value string }{
		{"address1", a.Address1},
		{"address2", a.Address2},
		{"postalCode", a.PostalCode},
		{"city", a.City},
		{"state", a.State},
	} {
		c.text(path+"."+t.name, t.value, maxName)
	}
	if a.Country != "" && !order.IsCountry(a.Country) {
		c.complain(path+".country", "must be a country's two-letter ISO 3166-1 code, such as NO, or its name")
	}
	switch {
	case a.Latitude == nil && a.Longitude == nil:
		if a.Address1 == "" || a.Country == "" || a.City == "" && a.PostalCode == "" {
			c.complain(path, "needs latitude and longitude, or address1, country and one of city and postalCode")
		}
	case a.Latitude == nil || a.Longitude == nil:
		c.complain(path, "has only one of latitude and longitude")
	default:
		c.between(path+".latitude", *a.Latitude, 90)
		c.between(path+".longitude", *a.Longitude, 180)
	}
}

func (c *checker) hours(path string, opens, closes *order.Clock) {
	switch {
	case opens == nil:
		c.complain(path+".opens", "is missing")
	case closes == nil:
		c.complain(path+".closes", "is missing")
	case *opens == *closes:
		c.complain(path+".closes", "must differ from opens")
	}
}

// name checks a text that must be there.
func (c *checker) name(path, value string) {
	if strings.TrimSpace(value) == "" {
		c.complain(path, "is missing")
		return
	}
	c.text(path, value, maxName)
}

func (c *checker) text(path, value string, longest int) {
	switch {
	case len(value) > longest:
		c.complain(path, "must be %d bytes or fewer", longest)
	case value != strings.TrimSpace(value):
		c.complain(path, "must not start or end with white space")
	case !utf8.ValidString(value) || strings.ContainsFunc(value, controls):
		c.complain(path, "must not contain control characters")
	}
}

// controls reports whether a character is a control character other than a
// newline or a tab.
func controls(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func (c *checker) oneOf(path, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		c.complain(path, "must be one of %s", strings.Join(allowed, ", "))
	}
}

// choice is oneOf with the first as default.
func (c *checker) choice(path string, value *string, allowed ...string) {
	if *value == "" {
		*value = allowed[0]
	}
	c.oneOf(path, *value, allowed...)
}

func (c *checker) color(path, value string) {
	if value != "" && !matches(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`, value) {
		c.complain(path, "must be a colour such as \"#1F4E79\"")
	}
}

func (c *checker) notBelow(path string, value *float64, least float64) {
	if value != nil && *value < least {
		c.complain(path, "must be at least %g", least)
	}
}

func (c *checker) notNegative(path string, value *int) {
	if value != nil && *value < 0 {
		c.complain(path, "must not be negative")
	}
}

func (c *checker) between(path string, value, bound float64) {
	if value < -bound || value > bound {
		c.complain(path, "must be between %g and %g", -bound, bound)
	}
}

// seen finds duplicate natural keys.
type seen[K comparable] map[K]string

func (s seen[K]) add(c *checker, key K, path, item string) {
	if first, twice := s[key]; twice {
		c.complain(path, "is the same as in %s (line %d)", first, c.document.Places.Of(first).Line)
		return
	}
	s[key] = item
}

// names checks the names of a section, which are its natural keys.
func names[T any](c *checker, section string, items []T, name func(T) string) {
	identities := seen[string]{}
	for i, item := range items {
		path := at(section, i)
		c.name(path+".name", name(item))
		if name(item) != "" {
			identities.add(c, Fold(name(item)), path+".name", path)
		}
	}
}

// Fold makes names compare without regard to case.
func Fold(name string) string { return strings.ToLower(name) }

func at(section string, i int) string { return fmt.Sprintf("%s[%d]", section, i) }

func matches(pattern, value string) bool { return regexp.MustCompile(pattern).MatchString(value) }
