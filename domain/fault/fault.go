// Package fault describes what can be wrong with a request, in words of the
// domain, independent of protocol, database and language. The api turns a fault
// into a status and a message in the caller's language.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is the category of a fault: it determines who can fix it and how.
type Kind int

// The kinds of fault. The api maps each to one HTTP status and one canonical
// code (design: errors).
const (
	// Internal is a fault of ours; its details are never shown to a caller.
	Internal Kind = iota
	// Invalid is a request that is malformed, or lacks something, or has a
	// value of the wrong type.
	Invalid
	// Unprocessable is a request that is well formed but semantically invalid.
	Unprocessable
	// TooLarge is a request above one of the documented limits.
	TooLarge
	// Unauthenticated is a caller without valid credentials.
	Unauthenticated
	// Forbidden is a known caller without permission.
	Forbidden
	// NotFound is a record that does not exist, or belongs to another
	// organization.
	NotFound
	// Gone is a record that is no longer kept.
	Gone
	// Duplicate is something that exists already.
	Duplicate
	// IllegalState is an operation that the present state does not allow.
	IllegalState
	// Conflict is an operation that lost a race and can be tried again.
	Conflict
	// Stale is a change of something that was changed since its caller looked.
	Stale
	// RateLimited is a caller over its rate.
	RateLimited
	// Unavailable is a part of ours that is out of reach for now.
	Unavailable
)

// Args are the values that a text is filled with, by name.
type Args map[string]string

// Text is a message that is not translated yet: the identifier of a
// translation and the values for its placeholders.
type Text struct {
	ID   string `json:"id"`
	Args Args   `json:"args,omitempty"`
}

// Say returns a Text from an identifier and pairs of names and values. It
// panics on an odd number of them, which is a bug.
func Say(id string, pairs ...string) Text {
	if len(pairs)%2 != 0 {
		panic("fault: Say needs pairs of names and values")
	}
	if len(pairs) == 0 {
		return Text{ID: id}
	}
	args := make(Args, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return Text{ID: id, Args: args}
}

// Reason returns a constant for programs that identifies the text, such as
// BOOKING_FULL. It is the same in every language.
func (t Text) Reason() string { return strings.ToUpper(strings.ReplaceAll(t.ID, ".", "_")) }

// Clip shortens a caller's input to fit into a message.
func Clip(text string) string {
	const longest = 80
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return string(runes[:longest]) + "…"
}

// Violation is an invalid field, and why. Field is a path as the caller wrote
// it, such as "orders[3].pickup.name".
type Violation struct {
	Field string
	Text  Text
}

// Error is a fault with all the details that a caller may see.
type Error struct {
	Kind       Kind
	Text       Text
	Violations []Violation
	// Resource is the missing resource (NotFound) or the one in conflict
	// (Duplicate, IllegalState), such as "order".
	Resource string
	// Name is how the caller called the resource.
	Name string
	// Cause is kept for the log and never shown.
	Cause error
}

// Error describes the fault for a log, in English.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Text.ID)
	for _, v := range e.Violations {
		fmt.Fprintf(&b, "; %s: %s", v.Field, v.Text.ID)
	}
	if e.Resource != "" {
		fmt.Fprintf(&b, " (%s %q)", e.Resource, e.Name)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Field is an Invalid fault about one field or parameter.
func Field(field string, text Text) *Error {
	return &Error{
		Kind:       Invalid,
		Text:       Say("request.invalid"),
		Violations: []Violation{{Field: field, Text: text}},
	}
}

// Violated returns an Unprocessable fault with the invalid fields, or nil
// without any.
func Violated(problems []Violation) error {
	if len(problems) == 0 {
		return nil
	}
	return &Error{Kind: Unprocessable, Text: Say("request.unprocessable"), Violations: problems}
}

// Missing is a NotFound fault about one resource, named as the caller named it.
func Missing(resource, name string) *Error {
	return &Error{
		Kind:     NotFound,
		Text:     Say(resource+".not_found", "name", name),
		Resource: resource,
		Name:     name,
	}
}

// Illegal is an IllegalState fault about one resource, named as the caller
// named it. The text may speak of its name.
func Illegal(text, resource, name string) *Error {
	return &Error{Kind: IllegalState, Text: Say(text, "name", name), Resource: resource, Name: name}
}

// KindOf returns the kind of the fault in err's chain, or Internal without
// one.
func KindOf(err error) Kind {
	var f *Error
	if errors.As(err, &f) {
		return f.Kind
	}
	return Internal
}
