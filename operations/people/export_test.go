package people

import "github.com/alexedwards/argon2id"

// WatchPassphrases has each hash told that a passphrase is compared with from now on.
func (o *Operations) WatchPassphrases(tell func(hash string)) {
	o.passphrases.check = func(passphrase, hash string) (bool, *argon2id.Params, error) {
		tell(hash)
		return argon2id.CheckHash(passphrase, hash)
	}
}
