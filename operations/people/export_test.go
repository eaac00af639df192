package people

import "github.com/alexedwards/argon2id"

// WatchPassphrases passes each hash that is compared with a passphrase to a
// function.
func (o *Operations) WatchPassphrases(tell func(hash string)) {
	o.passphrases.check = func(passphrase, hash string) (bool, *argon2id.Params, error) {
		tell(hash)
		return argon2id.CheckHash(passphrase, hash)
	}
}
