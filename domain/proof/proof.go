// Package proof makes proofs of completion tamper-evident: each has a manifest
// in canonical JSON, which is hashed and contains the hash of the one before
// it, so that no proof of an organization can be changed, added or removed
// later without detection.
package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Manifest is the content of a proof. Its JSON is canonical: keys are sorted,
// absent values are omitted, and there is no white space.
type Manifest struct {
	Accuracy  *float64   `json:"accuracyMeters,omitempty"`
	Action    string     `json:"action,omitempty"`
	Comment   string     `json:"comment,omitempty"`
	Device    int64      `json:"device,omitempty"`
	Distance  *float64   `json:"distanceMeters,omitempty"`
	Driver    int64      `json:"driver,omitempty"`
	Latitude  *float64   `json:"latitude,omitempty"`
	Longitude *float64   `json:"longitude,omitempty"`
	Occurred  time.Time  `json:"occurredAt"`
	Order     int64      `json:"order"`
	Pictures  []string   `json:"pictures,omitempty"` // their SHA-256, in hex
	Previous  string     `json:"previous"`
	Received  *time.Time `json:"receivedAt,omitempty"`
	Scans     []Scan     `json:"scans,omitempty"`     // since version 2
	Signature string     `json:"signature,omitempty"` // its SHA-256, in hex
	Signee    string     `json:"signee,omitempty"`
	Stop      int64      `json:"stop,omitempty"`
	Type      string     `json:"type"`
	// Version is the version of its content: 0 without scans, as in the first
	// manifests.
	Version int `json:"version,omitempty"`
}

// Version is the version of new manifests. Older manifests keep theirs.
const Version = 2

// Scan is a barcode that was read, with the product that it is on, if any.
type Scan struct {
	Code    string `json:"code"`
	Product int64  `json:"product,omitempty"`
}

// First is the previous hash in the first manifest of an organization.
var First = strings.Repeat("0", 2*sha256.Size)

// Text returns the canonical JSON.
func (m Manifest) Text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic(err) // it consists of texts, numbers and times only
	}
	return strings.TrimSuffix(b.String(), "\n")
}

const previousKey = `"previous":"`

// Open returns the text of a manifest without the hash of the previous one, and the
// position for that hash in characters, starting with 1: appending fills it in.
func (m Manifest) Open() (text string, at int) {
	m.Previous, m.Version = First, Version
	text = m.Text()
	before, _, _ := strings.Cut(text, previousKey)
	return text, utf8.RuneCountInString(before) + len(previousKey) + 1
}

// Link is a stored proof.
type Link struct {
	Seq  int64
	Text string
	Hash []byte
	// Erased is set when a person was erased from it, so that its text differs from the
	// hashed one.
	Erased bool
	// Archived is set when the proof was removed because of its age: only its hash
	// remains here, and its content is in an archive.
	Archived bool
	// Says is the content of the proof's rows, without the previous hash and
	// the version.
	Says Manifest
}

// version returns the version of its manifest, 0 when the text is not a manifest.
func (l *Link) version() int {
	var m struct {
		Version int `json:"version"`
	}
	_ = json.Unmarshal([]byte(l.Text), &m)
	return m.Version
}

// Chain walks the proofs of an organization from the first on.
type Chain struct {
	Seq  int64
	Hash []byte
	// Noted is the hash of a proof that was recorded elsewhere, and that the
	// chain must contain, or nil.
	Noted []byte

	// Erased counts the proofs from which a person was erased.
	Erased int
	// Archived counts the proofs that were removed because of their age.
	Archived int

	met bool // the noted one
}

// Broken is a proof that is not as it was made.
type Broken struct {
	Seq int64
	Why string
}

// Error names the broken proof.
func (b *Broken) Error() string {
	return fmt.Sprintf("proof %d was changed: %s", b.Seq, b.Why)
}

// Absent is a proof that was noted by its hash and is not in the chain.
type Absent struct{ Hash []byte }

// Error names the absent proof.
func (a *Absent) Error() string { return fmt.Sprintf("no proof has the hash %x", a.Hash) }

// Next checks the next proof.
func (c *Chain) Next(l *Link) error {
	if l.Archived && l.Seq == c.Seq+1 {
		c.Archived++
		c.take(l)
		return nil
	}
	previous := First
	if c.Hash != nil {
		previous = hex.EncodeToString(c.Hash)
	}
	said := l.Says
	said.Previous, said.Version = previous, l.version()
	sum := sha256.Sum256([]byte(l.Text))
	switch {
	case l.Seq != c.Seq+1:
		return &Broken{Seq: c.Seq + 1, Why: "it is missing"}
	case !l.Erased && !bytes.Equal(sum[:], l.Hash):
		return &Broken{Seq: l.Seq, Why: "its manifest has a different hash"}
	case said.Text() != l.Text:
		return &Broken{Seq: l.Seq, Why: "it differs from its manifest, or follows a different proof"}
	}
	if l.Erased {
		c.Erased++
	}
	c.take(l)
	return nil
}

// take advances to a proof.
func (c *Chain) take(l *Link) {
	c.Seq, c.Hash = l.Seq, l.Hash
	c.met = c.met || bytes.Equal(c.Hash, c.Noted)
}

// Last identifies the last proof of an organization.
type Last struct {
	Seq  int64
	Hash []byte
}

// End compares the end of the walk with the stored last proof, and with the
// last one in the log, which is zero if the log no longer has it.
func (c *Chain) End(kept, told Last) error {
	switch {
	case c.Seq < max(kept.Seq, told.Seq):
		return &Broken{Seq: c.Seq + 1, Why: "it is missing"}
	case c.Seq != kept.Seq || !bytes.Equal(c.Hash, kept.Hash):
		return &Broken{Seq: c.Seq, Why: "it is not the recorded last proof"}
	case told.Seq > 0 && (c.Seq != told.Seq || !bytes.Equal(c.Hash, told.Hash)):
		return &Broken{Seq: c.Seq, Why: "it is not the proof recorded in the log"}
	case c.Noted != nil && !c.met:
		return &Absent{Hash: c.Noted}
	}
	return nil
}
