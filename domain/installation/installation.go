// Package installation decides to which database a Temporal namespace belongs.
// A copy of the database has the same identity as the original, so the identity
// alone is not enough: the location of the database identifies copies restored
// elsewhere, and a counter that only grows identifies old copies restored in
// place.
package installation

import (
	"fmt"
	"time"
)

// Identity identifies a database.
type Identity struct {
	ID     string    `json:"id"`
	MadeAt time.Time `json:"madeAt"`
	// Place is the Postgres cluster and the database in it; empty where the server does
	// not report it.
	Place string `json:"place"`
	// Turn counts on every ten minutes while a process is at work.
	Turn int64 `json:"turn"`
}

// Claim is a namespace's record of the database that it belongs to.
type Claim struct {
	Identity
	// SeenAt is when a process of the installation last wrote the claim.
	SeenAt time.Time `json:"seenAt"`
}

// lost is how many turns a standby may lack that takes over: it may have missed the last one.
const lost = 1

// Kind is why a database is refused.
type Kind string

// The kinds of strangers.
const (
	// Other is the database of another installation.
	Other Kind = "other"
	// Copy is a copy of the database in another place.
	Copy Kind = "copy"
	// Old is the database as it was at an earlier time.
	Old Kind = "old"
)

// ForeignNamespaceError means that a namespace belongs to another database than this one.
type ForeignNamespaceError struct {
	Kind      Kind
	Namespace string
	Here      Identity
	There     Claim
}

// Error names the owner of the namespace, and what to do.
func (e *ForeignNamespaceError) Error() string {
	day := func(t time.Time) string { return t.UTC().Format("2 January 2006") }
	seen := e.There.SeenAt.UTC().Format("2006-01-02 15:04:05Z")
	var what string
	switch e.Kind {
	case Other:
		what = fmt.Sprintf(
			"it belongs to installation %s (created on %s, last seen %s), but this database is installation %s (created on %s)",
			e.There.ID, day(e.There.MadeAt), seen, e.Here.ID, day(e.Here.MadeAt),
		)
	case Copy:
		what = fmt.Sprintf(
			"this database is a copy of installation %s: the namespace belongs to the database last seen %s "+
				"in another place (there %s, here %s)",
			e.Here.ID, seen, e.There.Place, e.Here.Place,
		)
	case Old:
		what = fmt.Sprintf(
			"this database is an earlier state of installation %s: the namespace belongs to the state last seen %s "+
				"(turn %d there, turn %d here)",
			e.Here.ID, seen, e.There.Turn, e.Here.Turn,
		)
	}
	return fmt.Sprintf(
		"the Temporal namespace %s does not belong to this database: %s. To try a copy, set TEMPORAL_NAMESPACE to another "+
			"namespace. If this database should take over, stop every process of the other one and run "+
			"\"waybill adopt-namespace\"",
		e.Namespace, what,
	)
}

// Compare returns a *ForeignNamespaceError unless the namespace belongs to the database.
func Compare(namespace string, here Identity, there Claim) error {
	foreign := func(kind Kind) error {
		return &ForeignNamespaceError{Kind: kind, Namespace: namespace, Here: here, There: there}
	}
	switch {
	case here.ID != there.ID:
		return foreign(Other)
	case here.Place != there.Place && here.Place != "" && there.Place != "":
		return foreign(Copy)
	case here.Turn+lost < there.Turn:
		return foreign(Old)
	}
	return nil
}
