package masterdata

import (
	"strconv"

	"waybill/domain/fault"
)

// Department is a part of the organization that customers, orders and drivers
// belong to.
type Department struct {
	Name     string `json:"name"`
	IsActive bool   `json:"is_active"`
	// LoadingMinutes is how long it takes to load a vehicle before its shift. -1 has drivers load
	// during the shift, and nil is as the organization has it.
	LoadingMinutes *int32 `json:"loading_minutes"`
	// CalendarID is the calendar that it keeps, nil for none: nobody works on its closed days.
	CalendarID *int64 `json:"calendar_id"`
	DepartmentRelease
}

// MostLoading is the longest loading before a shift, in minutes.
const MostLoading = 24 * 60

// Kind implements Record.
func (*Department) Kind() Kind { return Departments }

// Called implements Record.
func (d *Department) Called() string { return d.Name }

// Active implements Record.
func (d *Department) Active() bool { return d.IsActive }

// Check implements Record.
func (d *Department) Check() error {
	var c checker
	c.name("name", &d.Name)
	if m := d.LoadingMinutes; m != nil && (*m < -1 || *m > MostLoading) {
		c.complain("loading_minutes", fault.Say("request.out_of_range", "min", "-1", "max", strconv.Itoa(MostLoading)))
	}
	d.check(&c)
	return c.err()
}

// References implements Record.
func (d *Department) References() []Reference {
	return optional("calendar_id", Calendars, d.CalendarID)
}

// Group is a group of orders.
type Group struct {
	Name     string `json:"name"`
	IsActive bool   `json:"is_active"`
}

// Kind implements Record.
func (*Group) Kind() Kind { return Groups }

// Called implements Record.
func (g *Group) Called() string { return g.Name }

// Active implements Record.
func (g *Group) Active() bool { return g.IsActive }

// Check implements Record.
func (g *Group) Check() error { return checkName(&g.Name) }

// References implements Record.
func (*Group) References() []Reference { return nil }

// Skill is something that drivers and vehicles can do.
type Skill struct {
	Name     string `json:"name"`
	IsActive bool   `json:"is_active"`
	// ForTwo is true for what takes two people: every shift of two can do it, and no other.
	ForTwo bool `json:"for_two"`
}

// Kind implements Record.
func (*Skill) Kind() Kind { return Skills }

// Called implements Record.
func (s *Skill) Called() string { return s.Name }

// Active implements Record.
func (s *Skill) Active() bool { return s.IsActive }

// Check implements Record.
func (s *Skill) Check() error { return checkName(&s.Name) }

// References implements Record.
func (*Skill) References() []Reference { return nil }

// checkName checks a record that consists of its name.
func checkName(name *string) error {
	var c checker
	c.name("name", name)
	return c.err()
}

// Customer is a customer. A nil department means none.
type Customer struct {
	ExternalID   *string `json:"external_id"`
	BusinessName string  `json:"business_name"`
	DepartmentID *int64  `json:"department_id"`
	EmailAddress *string `json:"email_address"`
	PhoneNumber  *string `json:"phone_number"`
	// CalendarID is the calendar that it keeps, nil for none.
	CalendarID *int64 `json:"calendar_id"`
	IsActive   bool   `json:"is_active"`
}

// Kind implements Record.
func (*Customer) Kind() Kind { return Customers }

// Called implements Record. A name may be personal data, which must not be in
// the log.
func (u *Customer) Called() string {
	if u.ExternalID == nil {
		return ""
	}
	return *u.ExternalID
}

// Active implements Record.
func (u *Customer) Active() bool { return u.IsActive }

// Check implements Record.
func (u *Customer) Check() error {
	var c checker
	c.name("business_name", &u.BusinessName)
	c.text("external_id", &u.ExternalID)
	c.email("email_address", &u.EmailAddress)
	c.phone("phone_number", &u.PhoneNumber)
	return c.err()
}

// References implements Record.
func (u *Customer) References() []Reference {
	return append(
		optional("department_id", Departments, u.DepartmentID), optional("calendar_id", Calendars, u.CalendarID)...,
	)
}

// optional is the reference of an optional field.
func optional(field string, kind Kind, id *int64) []Reference {
	if id == nil {
		return nil
	}
	return []Reference{{Field: field, Kind: kind, ID: *id}}
}
