package privacy

import "time"

// Kind is a kind of personal data with its own retention period.
type Kind string

// The kinds.
const (
	// People are those of orders: contacts, addresses, instructions, receivers of messages,
	// notes and carriers' reports.
	People Kind = "people"
	// Proofs are the proofs of deliveries: the signatory, signatures, pictures,
	// and drivers' positions.
	Proofs Kind = "proofs"
	// Drivers are working hours and drivers' actions without an order.
	Drivers Kind = "drivers"
)

// LeastKept is for how many days any kind is kept at least.
const LeastKept = 30

// Retention is how many days an organization keeps each kind, counted from the date of the
// order or the day of work; 0 keeps it permanently.
type Retention struct{ People, Proofs, Drivers int }

// UsualRetention is that of a new organization. Proofs are kept for the three
// years within which a carrier can be sued for wilful misconduct (CMR, article
// 32).
var UsualRetention = Retention{People: 400, Proofs: 1095, Drivers: 400}

// Kinds are all kinds, in the sequence of erasure.
func Kinds() []Kind { return []Kind{People, Proofs, Drivers} }

// Before returns the time before which a kind is erased, or false if it is kept
// permanently.
func (r Retention) Before(kind Kind, now time.Time) (time.Time, bool) {
	days := map[Kind]int{People: r.People, Proofs: r.Proofs, Drivers: r.Drivers}[kind]
	return now.AddDate(0, 0, -days), days > 0
}
