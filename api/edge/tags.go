package edge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

const headerIfNoneMatch = "If-None-Match"

// maxTagged is the largest response that gets an entity tag. Larger ones are
// streamed, so their content is not known when the headers are sent.
const maxTagged = 256 << 10

// gzipped is the suffix for the tag of a compressed response, whose bytes
// differ from the plain one's.
const gzipped = "-gzip"

// Tag gives responses the entity tags that the contract promises, and responds
// with 304 to clients that have the current one. A tag covers every byte of the
// response, so it changes with the language, with relations, and with anything
// else that the record's version does not cover.
func (e *Edge) Tag(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if op := e.operationOf(r); op == nil || !op.Tagged {
			next.ServeHTTP(w, r)
			return
		}
		held := &taggedAnswer{ResponseWriter: w}
		next.ServeHTTP(held, r)
		held.send(r)
	})
}

// taggedAnswer buffers a response until it is complete, or too large.
type taggedAnswer struct {
	http.ResponseWriter
	status  int
	body    bytes.Buffer
	passing bool // writes pass through at once
}

// WriteHeader records the status. Only a success gets a tag.
func (a *taggedAnswer) WriteHeader(status int) {
	if a.passing || status < http.StatusOK {
		a.ResponseWriter.WriteHeader(status)
		return
	}
	if a.status == 0 {
		a.status = status
	}
	if status >= http.StatusMultipleChoices {
		a.pass()
	}
}

// Write buffers the response, up to a limit.
func (a *taggedAnswer) Write(b []byte) (int, error) {
	if !a.passing && a.body.Len()+len(b) > maxTagged {
		a.pass()
	}
	if a.passing {
		return a.ResponseWriter.Write(b)
	}
	return a.body.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *taggedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// pass sends the buffered response, and what follows.
func (a *taggedAnswer) pass() {
	a.passing = true
	if a.status != 0 {
		a.ResponseWriter.WriteHeader(a.status)
	}
	if a.body.Len() > 0 {
		_, _ = a.ResponseWriter.Write(a.body.Bytes()) // the next write meets the same connection
		a.body = bytes.Buffer{}
	}
}

// send ends an answer that was held back to its end.
func (a *taggedAnswer) send(r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	version := a.Header().Get(headerETag)
	if a.passing || a.body.Len() == 0 || !reads && version == "" {
		a.pass()
		return
	}
	tag := tagOf(version, a.body.Bytes())
	a.Header().Set(headerETag, tag)
	if had := Matching(r.Header.Get(headerIfNoneMatch), tag); reads && had != "" {
		a.Header().Set(headerETag, had)
		a.Header().Del("Content-Type")
		a.Header().Del("Content-Length")
		a.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	a.pass()
}

// tagOf returns the tag of a response. If the record has a version, the tag
// begins with it, so that one tag serves If-Match and If-None-Match.
func tagOf(version string, body []byte) string {
	sum := sha256.Sum256(body)
	name := hex.EncodeToString(sum[:10])
	if version = strings.Trim(version, `"`); version != "" {
		name = version + bodyMark + name
	}
	return `"` + name + `"`
}

// Matching returns the matching tag of If-None-Match, as it was sent, or "".
// Compression makes no difference (RFC 9110, section 13.1.2).
func Matching(ifNoneMatch, tag string) string {
	for sent := range strings.SplitSeq(ifNoneMatch, ",") {
		sent = strings.TrimSpace(sent)
		if sent == "*" {
			return tag
		}
		plain := strings.TrimSuffix(strings.TrimPrefix(sent, "W/"), `"`)
		if strings.TrimSuffix(plain, gzipped)+`"` == tag {
			return sent
		}
	}
	return ""
}
