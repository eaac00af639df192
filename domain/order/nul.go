package order

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// FindNUL returns the path of the first string with a NUL character, which JSON
// can contain but a database can't.
func FindNUL(raw jsontext.Value) (jsontext.Pointer, bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return "", false
		}
		if token.Kind() == '"' && strings.ContainsRune(token.String(), 0) {
			return dec.StackPointer(), true
		}
	}
}
