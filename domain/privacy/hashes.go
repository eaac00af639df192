package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"

	"waybill/domain/email"
	"waybill/domain/notification"
)

// Hashes computes keyed hashes of addresses, which recognize an erased address
// when it arrives again. Without the key, nobody can test addresses against
// them.
type Hashes struct {
	key     []byte
	country string
}

// NewHashes returns hashes with a key. Numbers without a country code belong to country.
func NewHashes(key []byte, country string) *Hashes { return &Hashes{key, country} }

// Of returns the hash of an address, the same for all ways to write it, and reports whether
// it is an address.
func (h *Hashes) Of(written string) (hash []byte, ok bool) {
	plain, ok := email.Normalize(written)
	if wire, good := email.Wire(plain); ok && good {
		plain = wire
	}
	if !ok {
		if plain, ok = notification.NormalizeNumber(written, h.country); !ok {
			return nil, false
		}
	}
	mac := hmac.New(sha256.New, h.key)
	_, _ = mac.Write([]byte(strings.ToLower(plain)))
	return mac.Sum(nil), true
}

// All returns the hashes of the texts that are addresses, with the kind of
// each.
func (h *Hashes) All(written []string) (hashes [][]byte, of map[string][]string) {
	of = map[string][]string{}
	for _, text := range written {
		hash, ok := h.Of(text)
		if !ok {
			continue
		}
		if of[string(hash)] == nil {
			hashes = append(hashes, hash)
		}
		of[string(hash)] = append(of[string(hash)], text)
	}
	return hashes, of
}
