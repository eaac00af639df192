package learning

// Mode is what an organization does with what is learned.
type Mode string

// The modes of organizations.
const (
	Off     Mode = "OFF"
	Propose Mode = "PROPOSE"
	Accept  Mode = "ACCEPT"
)

// Known reports whether the mode exists.
func (m Mode) Known() bool { return m == Off || m == Propose || m == Accept }

// State is how far a proposal is.
type State string

// The states of proposals.
const (
	Open      State = "OPEN"
	Accepted  State = "ACCEPTED"
	Dismissed State = "DISMISSED"
)

// Kind is what a proposal is about.
type Kind string

// The kinds of proposals: when driving takes longer or shorter, how long visits take, and how drivers differ in both.
const (
	OfHours   Kind = "HOURS"
	OfVisits  Kind = "VISITS"
	OfDrivers Kind = "DRIVERS"
)
