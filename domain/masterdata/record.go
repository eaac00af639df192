package masterdata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Record is a record of master data that people may make and change.
type Record interface {
	// Kind is the kind of the record.
	Kind() Kind
	// Called returns the public name, or empty; it is unique within its kind.
	Called() string
	// Active reports whether it is in use.
	Active() bool
	// Check normalizes the record for storage, or returns a fault with all
	// violations.
	Check() error
	// References are the records that it names.
	References() []Reference
}

// Reference is a record that a field names, by its id or else by its name.
type Reference struct {
	Field string
	Kind  Kind
	ID    int64
	Name  string
}

// Read returns a record from its document in the API.
func Read(kind Kind, document []byte) (Record, error) {
	r := kind.New()
	if err := json.Unmarshal(document, r); err != nil {
		return nil, fmt.Errorf("read %s: %w", kind, err)
	}
	if shown, ok := r.(interface{ asKept() }); ok {
		shown.asKept()
	}
	return r, nil
}

// Changed returns a record with the changes of a body: an absent member is
// unchanged, and null clears it.
func Changed(r Record, body any) (Record, error) {
	all, err := members(r)
	if err != nil {
		return nil, err
	}
	wanted, err := membersOf(body)
	if err != nil {
		return nil, fmt.Errorf("change %s: %w", r.Kind(), err)
	}
	maps.Copy(all, wanted)
	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("change %s: %w", r.Kind(), err)
	}
	return Read(r.Kind(), text)
}

// NewReferences returns the references of a record that it did not have before;
// before is nil for a new one.
func NewReferences(before, after Record) []Reference {
	var known []Reference
	if before != nil {
		known = before.References()
	}
	return slices.DeleteFunc(after.References(), func(r Reference) bool {
		return slices.ContainsFunc(known, func(k Reference) bool {
			return k.Kind == r.Kind && k.ID == r.ID && k.Name == r.Name
		})
	})
}

// Differing returns the names of the members in which two records differ, in
// alphabetical order.
func Differing(a, b Record) ([]string, error) {
	before, err := members(a)
	if err != nil {
		return nil, err
	}
	after, err := members(b)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !bytes.Equal(before[name], after[name]) {
			names = append(names, name)
		}
	}
	return names, nil
}

func members(r Record) (map[string]json.RawMessage, error) {
	all, err := membersOf(r)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", r.Kind(), err)
	}
	return all, nil
}

func membersOf(object any) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	err = json.Unmarshal(text, &all)
	return all, err
}
