// Package version prevents lost updates: every record has a version, and a
// change can name the version that it is based on.
package version

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"waybill/domain/fault"
)

// Version names one state of a record. It is opaque: two are the same or not.
type Version string

// At returns the version of a record that was last changed then; none for no
// time.
func At(changed time.Time) Version {
	if changed.IsZero() {
		return ""
	}
	return Version(strconv.FormatInt(changed.UnixMicro(), 36))
}

// Of returns the version of a record whose whole content is this.
func Of(content []byte) Version {
	sum := sha256.Sum256(content)
	return Version(hex.EncodeToString(sum[:10]))
}

// Any matches every version.
const Any Version = "*"

// Expected are the acceptable versions; none means any.
type Expected []Version

// Check refuses a change when the record's version is not among those
// expected: somebody else changed it first.
func (e Expected) Check(present Version, resource, name string) error {
	if len(e) == 0 || slices.Contains(e, Any) || slices.Contains(e, present) {
		return nil
	}
	return &fault.Error{Kind: fault.Stale, Text: fault.Say("changed.meanwhile"), Resource: resource, Name: name}
}
