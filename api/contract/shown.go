package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"sync"
)

// Shown returns the contract for programs that render contracts: with code samples for the
// operations that API keys can call, and a way to try them. It is generated on first use.
func Shown() ([]byte, error) { return shownOnce() }

var shownOnce = sync.OnceValues(newShown)

// operationLine matches the line with an operation's id. Additions are inserted below it as
// JSON, which is valid YAML.
var operationLine = regexp.MustCompile(`(?m)^      operationId: (\w+)$`)

func newShown() ([]byte, error) {
	ref, err := ReadReference()
	if err != nil {
		return nil, err
	}
	return operationLine.ReplaceAllFunc(published, func(line []byte) []byte {
		line = line[:len(line):len(line)] // append must not overwrite the rest of the document
		op := ref.Described(string(operationLine.FindSubmatch(line)[1]))
		if op == nil || op.Samples() == nil {
			return line
		}
		return append(line, fmt.Sprintf("\n      externalDocs: %s\n      x-codeSamples: %s", inJSON(map[string]string{
			"description": "Try it", "url": "/docs/try#/" + url.PathEscape(op.Tag) + "/" + op.ID,
		}), inJSON(op.Samples()))...)
	}), nil
}

// inJSON marshals values that cannot fail.
func inJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
