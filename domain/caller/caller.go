// Package caller describes who calls the service, and why. Every change
// carries its caller, and every event keeps the caller's actor and cause.
package caller

import (
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of caller.
type Kind int8

// The kinds of caller.
const (
	// System is the service itself: a workflow, a follower of the log, a command
	// of the program.
	System Kind = iota
	// Key is an API key of an organization.
	Key
	// Person is a signed-in user.
	Person
	// Device is a driver's phone.
	Device
	// Carrier is a carrier that reports to us with a signature.
	Carrier
	// Provider is a provider of messages that reports to us with a signature.
	Provider
	// Recipient is whoever has a tracking link: its code is the permission.
	Recipient
)

// Role is a set of permissions of a person, named as in the contract's
// x-callers.
type Role string

// The built-in roles of people.
const (
	Admin      Role = "admin"
	Dispatcher Role = "dispatcher"
	Support    Role = "support"
	Driver     Role = "driver"
)

// Grant is a user's role, either in full or limited to some tags of the
// contract.
type Grant struct {
	Role Role     `json:"role"`
	Tags []string `json:"tags"` // nil for the whole role
}

// Covers reports whether the grant covers an operation with these tags.
func (g Grant) Covers(tags []string) bool {
	return g.Tags == nil || slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(g.Tags, tag) })
}

// Caller is a caller on behalf of one organization, and the cause of the call.
type Caller struct {
	OrgID int64
	Kind  Kind
	// ID is the key, person or device; 0 for the others.
	ID int64
	// Name is the carrier or provider as its signature names it; "" for the
	// others.
	Name string
	// Roles are those of a person or device.
	Roles []Role
	// Grants are the roles of a user, each with its restrictions. Without
	// grants the roles are unrestricted.
	Grants []Grant
	// Cause is the reason for the call: the id of a request, the ID of a
	// workflow, "event/" and the position of an event, or a command and its
	// operator, whose name is the only personal data in it.
	Cause string
	// Repeat is set if the request must be executed only once, however often it
	// is sent.
	Repeat *Repeat
}

// Repeat is one attempt at a request that is carried out once.
type Repeat struct {
	// Operation, Repeater and Key identify the request within its organization;
	// the repeater is empty for keys, which are one integrator.
	Operation, Repeater, Key string
	// Claim identifies the attempt. One that has lost its claim to a later one
	// changes nothing.
	Claim int64
	// Outcome is the stored result of an earlier attempt whose answer was lost;
	// empty when no attempt changed anything.
	Outcome []byte
}

// Service returns the service itself as the caller in the name of an
// organization.
func Service(org int64, cause string) Caller {
	return Caller{OrgID: org, Kind: System, Cause: cause}
}

// Acting returns the service as a caller that carries out a request of actor, as returned by
// Actor: a person or a key. Events name the actor. Any other actor becomes the service.
func Acting(org int64, actor, cause string) Caller {
	c := Service(org, cause)
	kind, number, _ := strings.Cut(actor, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil:
	case kind == "user":
		c.Kind, c.ID = Person, id
	case kind == "key":
		c.Kind, c.ID = Key, id
	}
	return c
}

// Actor returns the caller as events keep it: "key:3", "user:12", "device:7",
// "carrier:postnord", "provider:twilio", "recipient" or "system".
func (c Caller) Actor() string {
	switch c.Kind {
	case Key:
		return "key:" + strconv.FormatInt(c.ID, 10)
	case Person:
		return "user:" + strconv.FormatInt(c.ID, 10)
	case Device:
		return "device:" + strconv.FormatInt(c.ID, 10)
	case Carrier:
		return "carrier:" + c.Name
	case Provider:
		return "provider:" + c.Name
	case Recipient:
		return "recipient"
	case System:
	}
	return "system"
}
