// Package attachment holds the rules for documents: which may be declared,
// and how attaching to an order or draft affects the documents already there.
package attachment

import (
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"waybill/domain/fault"
)

// MaxNameBytes is how long the name of a document may be in UTF-8.
const MaxNameBytes = 255

// File describes a document without its bytes.
type File struct {
	Name        string
	ContentType string
	Size        int64
}

// Content is a stored file that is being read.
type Content interface {
	io.ReadSeekCloser
	// Describe returns how to serve the file, and since when it exists.
	Describe() (contentType, disposition string, modified time.Time)
}

// Limits are the limits on documents.
type Limits struct {
	MaxBytes int64
	Types    []string // media types without parameters, in lower case
}

// Accept checks a declaration. It returns the declaration with its media type
// in plain form, or its violations.
func (l Limits) Accept(f File) (File, []fault.Violation) {
	var wrong []fault.Violation
	refuse := func(field string, text fault.Text) {
		wrong = append(wrong, fault.Violation{Field: field, Text: text})
	}
	if !usableName(f.Name) {
		refuse("name", fault.Say("document.bad_name", "max", strconv.Itoa(MaxNameBytes)))
	}
	f.ContentType = MediaType(f.ContentType)
	if !slices.Contains(l.Types, f.ContentType) {
		refuse("content_type", fault.Say("document.bad_type", "types", strings.Join(l.Types, ", ")))
	}
	if f.Size < 1 || f.Size > l.MaxBytes {
		refuse("size", fault.Say("document.bad_size", "max", strconv.FormatInt(l.MaxBytes, 10)))
	}
	return f, wrong
}

// usableName reports whether a name can be shown and saved as a file's anywhere.
func usableName(name string) bool {
	return name != "" && len(name) <= MaxNameBytes && utf8.ValidString(name) && strings.TrimSpace(name) == name &&
		name != "." && name != ".." &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '/' || r == '\\'
		})
}

// MediaType is a Content-Type without its parameters, in lower case, or "" if
// invalid.
func MediaType(contentType string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return media
}
