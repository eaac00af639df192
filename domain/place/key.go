package place

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Key identifies an address of an organization, however it is spelled: texts that are read
// alike have one key. The zero key is that of no address.
type Key [16]byte

// Key returns the key of the address that was read. An address without any line or without a
// town has none.
func (q *Query) Key() Key {
	street, house := q.Lines, ""
	if len(q.Readings) > 0 {
		street, house = q.Readings[0].Street.Key, q.Readings[0].House.String()
	}
	if street == "" || q.PostalCode == "" && q.Town == "" {
		return Key{}
	}
	parts := []string{q.Country, q.PostalCode, q.Town, street, house}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return Key(sum[:16])
}

// ParseKey reads a key as String writes it.
func ParseKey(text string) (k Key, ok bool) {
	if hex.DecodedLen(len(text)) != len(k) {
		return Key{}, false
	}
	_, err := hex.Decode(k[:], []byte(text))
	return k, err == nil && k != Key{}
}

// String returns the key as 32 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }
