// Package event is the catalogue of the log: every kind of event, its subjects
// and its audience, and the constructors of events, one per type of subject.
// Statements that append the events of many rows contain their kinds
// themselves; a test compares them with the catalogue.
package event

import "fmt"

// Event is a state change for the log. The transaction that writes it adds the
// actor, cause and time.
type Event struct {
	Kind    Kind
	Subject SubjectType
	ID      int64 // of the subject
	// Name is the subject's public name: a number or an external id.
	Name string
	// Data is further content of the event, for JSON, or nil. It has no
	// personal data.
	Data any
}

// about panics when the kind does not fit the subject, because only a bug
// can combine the two.
func about(subject SubjectType, id int64, name string, kind Kind) Event {
	if !kind.About(subject) {
		panic(fmt.Sprintf("event: %q is not about a subject of type %q", kind, subject))
	}
	return Event{Kind: kind, Subject: subject, ID: id, Name: name}
}

// Order creates the events of an order that are not decided with its content.
type Order struct {
	ID     int64
	Number string
}

// Event returns an event of the order.
func (o Order) Event(kind Kind) Event { return about(OfOrder, o.ID, o.Number, kind) }

// Report is a carrier's report on a shipment, as an event names it.
type Report struct {
	Update int64 `json:"update"`
}

// Reported returns the event of a carrier's report about an order.
func (o Order) Reported(update int64) Event {
	e := o.Event(ExportUpdated)
	e.Data = Report{update}
	return e
}

// Template creates the events of a template of recurring orders.
type Template struct {
	ID   int64
	Name string // the prefix of its orders' numbers
}

// Event returns an event of the template.
func (t Template) Event(kind Kind) Event { return about(OfTemplate, t.ID, t.Name, kind) }

// Driver creates the events of a driver.
type Driver struct{ ID int64 }

// Event returns an event of the driver.
func (d Driver) Event(kind Kind) Event { return about(OfDriver, d.ID, "", kind) }

// Vehicle creates the events of a vehicle.
type Vehicle struct{ ID int64 }

// Event returns an event of the vehicle.
func (v Vehicle) Event(kind Kind) Event { return about(OfVehicle, v.ID, "", kind) }

// Plan creates the events of the plan of a department's day.
type Plan struct {
	ID  int64
	Day string // as YYYY-MM-DD
}

// Event returns an event of the plan.
func (p Plan) Event(kind Kind) Event { return about(OfPlan, p.ID, p.Day, kind) }

// CustomField creates the events of a custom field's definition.
type CustomField struct {
	ID         int64
	ExternalID string
}

// Event returns an event of the definition.
func (f CustomField) Event(kind Kind) Event { return about(OfCustomField, f.ID, f.ExternalID, kind) }

// Location creates the events of a location.
type Location struct {
	ID         int64
	ExternalID string
}

// Event returns an event of the location.
func (l Location) Event(kind Kind) Event { return about(OfLocation, l.ID, l.ExternalID, kind) }

// Record creates the events of a record of master data.
type Record struct {
	Type SubjectType
	ID   int64
	Name string // its public name, or empty
}

// Difference names the members of a record that changed.
type Difference struct {
	Changed []string `json:"changed"`
}

// Event returns an event of the record.
func (r Record) Event(kind Kind) Event { return about(r.Type, r.ID, r.Name, kind) }

// Changed returns an event of the record that lists the changed members.
func (r Record) Changed(kind Kind, members []string) Event {
	e := about(r.Type, r.ID, r.Name, kind)
	e.Data = Difference{Changed: members}
	return e
}

// Organization creates the events of an organization.
type Organization struct {
	ID   int64
	Slug string
}

// Counts are numbers of rows by kind.
type Counts struct {
	Created int `json:"created"`
	Updated int `json:"updated"`
	Removed int `json:"removed"`
}

// ZoneChange is the previous time zone of an organization, and the new one.
type ZoneChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// ZoneChanged returns the event of an organization whose days begin at another
// midnight from now on.
func (o Organization) ZoneChanged(from, to string) Event {
	e := about(OfOrganization, o.ID, o.Slug, OrganizationZoneChanged)
	e.Data = ZoneChange{From: from, To: to}
	return e
}

// FlagChange is a switch that was turned on or off.
type FlagChange struct {
	Name    string `json:"name"`
	Enabled bool   `json:"enabled"`
}

// FlagChanged returns the event of a switch that was turned on or off.
func (o Organization) FlagChanged(name string, enabled bool) Event {
	e := about(OfOrganization, o.ID, o.Slug, FeatureFlagChanged)
	e.Data = FlagChange{Name: name, Enabled: enabled}
	return e
}

// SettingsChange names the changed settings of an organization.
type SettingsChange struct {
	Changed []string `json:"changed"`
}

// SettingsChanged returns the event for changed settings.
func (o Organization) SettingsChanged(settings []string) Event {
	e := about(OfOrganization, o.ID, o.Slug, OrganizationUpdated)
	e.Data = SettingsChange{Changed: settings}
	return e
}

// SimulatedDate is the day that a run of a sandbox drives, as YYYY-MM-DD.
type SimulatedDate struct {
	Date string `json:"date"`
}

// Suspension returns the event of an organization that was suspended or resumed.
func (o Organization) Suspension(kind Kind) Event {
	return about(OfOrganization, o.ID, o.Slug, kind)
}

// PlacesChanged returns the event of an organization with a changed pin.
func (o Organization) PlacesChanged() Event {
	return about(OfOrganization, o.ID, o.Slug, PlacesChanged)
}

// SandboxRun returns an event of a simulated sandbox day.
func (o Organization) SandboxRun(kind Kind, day string) Event {
	e := about(OfOrganization, o.ID, o.Slug, kind)
	e.Data = SimulatedDate{day}
	return e
}

// Applied returns the event for master data that was set from a document.
func (o Organization) Applied(changed Counts) Event {
	e := about(OfOrganization, o.ID, o.Slug, OrganizationApplied)
	e.Data = changed
	return e
}

// ContactErased returns the event of an erased person, with the number of rows
// of each kind that named them.
func (o Organization) ContactErased(counts map[string]int) Event {
	e := about(OfOrganization, o.ID, o.Slug, ContactErased)
	e.Data = counts
	return e
}

// Archived is how much of a month was archived and removed.
type Archived struct {
	// Table is orders, or another table whose rows expire together with their
	// dependents.
	Table string `json:"table"`
	Month string `json:"month"`
	Rows  int    `json:"rows"`
}

// OrdersArchived returns the event of rows that were archived and removed.
func (o Organization) OrdersArchived(a Archived) Event {
	e := about(OfOrganization, o.ID, o.Slug, OrdersArchived)
	e.Data = a
	return e
}

// Key creates the events of an API key.
type Key struct {
	ID   int64
	Name string
}

// Event returns an event of the key.
func (k Key) Event(kind Kind) Event { return about(OfKey, k.ID, k.Name, kind) }

// Message creates those events of a message that are not statuses.
type Message struct {
	ID      int64 `json:"message"`
	OrderID int64 `json:"-"` // 0 when it is about no order
}

// Event returns an event of the message, or of its order if it has one.
func (m Message) Event(kind Kind) Event {
	if m.OrderID == 0 {
		return about(OfMessage, m.ID, "", kind)
	}
	e := about(OfOrder, m.OrderID, "", kind)
	e.Data = m
	return e
}

// Suppression creates the events of an address that gets no messages.
type Suppression struct {
	MessageID int64  `json:"-"` // the message that closed it, or 0 if unknown
	Channel   string `json:"channel"`
	Reason    string `json:"reason"`
}

// Lifted returns the event of an address that gets messages again.
func (s Suppression) Lifted() Event {
	e := about(OfMessage, s.MessageID, "", SuppressionLifted)
	e.Data = s
	return e
}

// User is a person as the subject of an event.
type User struct{ ID int64 }

// Event returns an event about the person.
func (u User) Event(kind Kind) Event { return about(OfUser, u.ID, "", kind) }

// Opened is a session, a token or a device as an event names it.
type Opened struct {
	ID int64 `json:"id"`
}

// Session returns an event about the credential of a person's call.
func (u User) Session(kind Kind, id int64) Event {
	e := about(OfUser, u.ID, "", kind)
	e.Data = Opened{id}
	return e
}

// Device returns an event about a phone of the driver.
func (d Driver) Device(kind Kind, id int64) Event {
	e := about(OfDriver, d.ID, "", kind)
	e.Data = Opened{id}
	return e
}

// Duty returns the event of a driver who goes on or off duty.
func (d Driver) Duty(on bool) Event {
	e := about(OfDriver, d.ID, "", DriverDutyChanged)
	e.Data = struct {
		OnDuty bool `json:"onDuty"`
	}{on}
	return e
}

// Picture returns the event of a picture from a driver's device.
func (d Driver) Picture(sha256 string, size int64) Event {
	e := about(OfDriver, d.ID, "", DriverPictureKept)
	e.Data = struct {
		SHA256 string `json:"sha256"`
		Size   int64  `json:"size"`
	}{sha256, size}
	return e
}

// RequestedCode identifies the request for a code; it grants nothing.
type RequestedCode struct {
	Request string `json:"request"`
}

// CodeRequested returns the event for a phone that requested a code to enroll.
func (d Driver) CodeRequested(request string) Event {
	e := about(OfDriver, d.ID, "", DriverCodeRequested)
	e.Data = RequestedCode{request}
	return e
}

// Role is a role of people as the subject of an event.
type Role struct {
	ID   int64
	Name string
}

// Event returns an event about the role.
func (r Role) Event(kind Kind) Event { return about(OfRole, r.ID, r.Name, kind) }

// IdentityProvider is where people have accounts elsewhere, as the subject of an
// event.
type IdentityProvider struct {
	ID   int64
	Name string
}

// Event returns an event about the provider.
func (p IdentityProvider) Event(kind Kind) Event {
	return about(OfIdentityProvider, p.ID, p.Name, kind)
}

// WebhookEndpoint is an address to which events are sent, as the subject of an event.
type WebhookEndpoint struct{ ID int64 }

// Event returns an event about the endpoint.
func (w WebhookEndpoint) Event(kind Kind) Event { return about(OfWebhookEndpoint, w.ID, "", kind) }

// WebhookOff is why an endpoint was switched off.
type WebhookOff struct {
	Reason string `json:"reason"`
}

// SwitchedOff returns the event of an endpoint that was disabled.
func (w WebhookEndpoint) SwitchedOff(reason string) Event {
	e := about(OfWebhookEndpoint, w.ID, "", WebhookSwitchedOff)
	e.Data = WebhookOff{reason}
	return e
}

// WebhookReplay is how many events are sent again.
type WebhookReplay struct {
	Events int64 `json:"events"`
}

// Replayed returns the event of an endpoint to which events are sent again.
func (w WebhookEndpoint) Replayed(events int64) Event {
	e := about(OfWebhookEndpoint, w.ID, "", WebhookReplayed)
	e.Data = WebhookReplay{events}
	return e
}
