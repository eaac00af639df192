package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"sync"
)

// Shown returns the contract with code that calls each operation for API keys, and a way to
// try it, for programs that draw contracts. It is made once, when somebody first asks.
func Shown() ([]byte, error) { return shownOnce() }

var shownOnce = sync.OnceValues(newShown)

// operationLine is where the contract says what an operation is called. What is shown besides
// is written below it, in JSON, which is YAML, too.
var operationLine = regexp.MustCompile(`(?m)^      operationId: (\w+)$`)

func newShown() ([]byte, error) {
	ref, err := ReadReference()
	if err != nil {
		return nil, err
	}
	return operationLine.ReplaceAllFunc(document, func(line []byte) []byte {
		line = line[:len(line):len(line)] // what follows in the document stays
		op := ref.Described(string(operationLine.FindSubmatch(line)[1]))
		if op == nil || op.Samples() == nil {
			return line
		}
		return append(line, fmt.Sprintf("\n      externalDocs: %s\n      x-codeSamples: %s", inJSON(map[string]string{
			"description": "Try it", "url": "/docs/try#/" + url.PathEscape(op.Tag) + "/" + op.ID,
		}), inJSON(op.Samples()))...)
	}), nil
}

// inJSON writes texts and what is made of them, which always goes well.
func inJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
