package operations

import (
	"slices"

	"github.com/alexedwards/argon2id"

	"waybill/domain/order"
)

// WatchPassphrases has each hash told that a passphrase is compared with from now on.
func (o *Operations) WatchPassphrases(tell func(hash string)) {
	o.passphrases.check = func(passphrase, hash string) (bool, *argon2id.Params, error) {
		tell(hash)
		return argon2id.CheckHash(passphrase, hash)
	}
}

// PanicOver has the rules of imports panic over an order with this number.
func (o *Operations) PanicOver(number string) {
	o.decide = func(s *order.Snapshot, d order.Defaults, entries []order.Request) order.Plan {
		if slices.ContainsFunc(entries, func(r order.Request) bool { return r.ExternalID == number }) {
			panic("no rule foresaw " + number)
		}
		return order.Decide(s, d, entries)
	}
}
