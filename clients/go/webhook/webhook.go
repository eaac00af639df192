// Package webhook verifies that a request comes from Waybill, by the scheme of
// Standard Webhooks (https://www.standardwebhooks.com).
//
//	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//	message, err := verifier.Verify(r.Header, body)
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how far the time of a message may be from the clock of this machine.
const Tolerance = 5 * time.Minute

const (
	secretPrefix = "whsec_"
	scheme       = "v1"
)

// Errors of messages that must not be trusted.
var (
	ErrHeaders   = errors.New("webhook headers are missing or malformed")
	ErrTimestamp = errors.New("webhook timestamp is too old or in the future")
	ErrSignature = errors.New("webhook has no valid signature")
)

// Verifier verifies the messages of an endpoint.
type Verifier struct {
	secrets [][]byte
	now     func() time.Time
}

// New returns a verifier for secrets as Waybill shows them, with whsec_. Give both secrets while
// one replaces the other.
func New(secrets ...string) (*Verifier, error) {
	v := &Verifier{now: time.Now}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil || len(key) == 0 {
			return nil, errors.New("webhook secret must be whsec_ followed by base64")
		}
		v.secrets = append(v.secrets, key)
	}
	if len(v.secrets) == 0 {
		return nil, errors.New("webhook secret is missing")
	}
	return v, nil
}

// Message is a request from Waybill.
type Message struct {
	// ID is the same each time the message is sent. Process each once.
	ID string
	// Sent is when it was signed.
	Sent time.Time
}

// Verify checks the headers of a request and the bytes of its body, as they came. The error is
// [ErrHeaders], [ErrTimestamp] or [ErrSignature] when the request is not from Waybill, or too old.
func (v *Verifier) Verify(header http.Header, body []byte) (Message, error) {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || header.Get("webhook-signature") == "" {
		return Message{}, ErrHeaders
	}
	sent := time.Unix(seconds, 0)
	if v.now().Sub(sent).Abs() > Tolerance {
		return Message{}, ErrTimestamp
	}
	for _, secret := range v.secrets {
		want := sign(secret, id, stamp, body)
		for signature := range strings.FieldsSeq(header.Get("webhook-signature")) {
			if hmac.Equal([]byte(signature), []byte(want)) {
				return Message{ID: id, Sent: sent}, nil
			}
		}
	}
	return Message{}, ErrSignature
}

func sign(secret []byte, id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body) // a hash takes everything
	return scheme + "," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
