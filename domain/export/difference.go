package export

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Change is one field in which two payloads differ. A side without the field is
// nil.
type Change struct {
	Field    string
	Was, Now jsontext.Value
}

// Difference lists the fields in which two payloads differ, by their paths, such
// as "delivery.address.city" or "products[0].children[1].quantity".
func Difference(was, now []byte) ([]Change, error) {
	before, err := flatten(was)
	if err != nil {
		return nil, err
	}
	after, err := flatten(now)
	if err != nil {
		return nil, err
	}
	fields := map[string]bool{}
	for field := range before {
		fields[field] = true
	}
	for field := range after {
		fields[field] = true
	}
	changes := []Change{}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if b, a := before[field], after[field]; !bytes.Equal(b, a) {
			changes = append(changes, Change{Field: field, Was: b, Now: a})
		}
	}
	return changes, nil
}

// flatten returns the values of a document that hold no others, by their paths.
func flatten(payload []byte) (map[string]jsontext.Value, error) {
	leaves := map[string]jsontext.Value{}
	if len(payload) == 0 {
		return leaves, nil
	}
	var document any
	if err := jsonv2.Unmarshal(payload, &document); err != nil {
		return nil, fmt.Errorf("read payload: %w", err)
	}
	return leaves, descend(leaves, "", document)
}

func descend(leaves map[string]jsontext.Value, path string, value any) error {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			at := name
			if path != "" {
				at = path + "." + name
			}
			if err := descend(leaves, at, inner); err != nil {
				return err
			}
		}
		return nil
	case []any:
		for i, inner := range value {
			if err := descend(leaves, fmt.Sprintf("%s[%d]", path, i), inner); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := jsonv2.Marshal(value)
	leaves[path] = text
	return err
}
