package caller

import "slices"

// Personal is a kind of personal data that a key may be kept from.
type Personal string

// The kinds.
const (
	// Contacts are contacts, addresses, customers, drivers, receivers of messages and custom
	// fields.
	Contacts Personal = "CONTACTS"
	// Proofs are proofs, notes and pictures of drivers, carriers' reports and documents.
	Proofs Personal = "PROOFS"
	// Positions are plans with their positions, and working hours.
	Positions Personal = "POSITIONS"
)

// AllPersonal are all kinds.
func AllPersonal() []Personal { return []Personal{Contacts, Proofs, Positions} }

// Known reports whether the kind exists.
func (p Personal) Known() bool { return slices.Contains(AllPersonal(), p) }
