package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"waybill"
)

// Shown returns the contract for /docs: with code samples for the operations that API keys
// can call, a way to try them, and the changelog. It is generated on first use.
func Shown() ([]byte, error) { return shownOnce() }

var shownOnce = sync.OnceValues(newShown)

// operationLine matches the line with an operation's id, and tagsLine the start of its
// tags. Additions are inserted below them as JSON, which is valid YAML.
var (
	operationLine = regexp.MustCompile(`(?m)^      operationId: (\w+)$`)
	tagsLine      = regexp.MustCompile(`(?m)^tags:$`)
)

func newShown() ([]byte, error) {
	doc, err := readTried()
	if err != nil {
		return nil, err
	}
	added := map[string]string{}
	err = doc.forKeys(func(method, path string, op tried) {
		added[op.ID] = fmt.Sprintf("\n      externalDocs: %s\n      x-codeSamples: %s", inJSON(map[string]string{
			"description": "Try it", "url": "/docs/try#/" + url.PathEscape(op.Tags[0]) + "/" + op.ID,
		}), inJSON(samplesOf(method, path, op)))
	})
	if err != nil {
		return nil, err
	}
	shown := operationLine.ReplaceAllFunc(document, func(line []byte) []byte {
		id := operationLine.FindSubmatch(line)[1]
		return append(line[:len(line):len(line)], added[string(id)]...)
	})
	changelog := inJSON(map[string]any{"name": "Changelog", "x-traitTag": true, "description": changelogText()})
	return tagsLine.ReplaceAllLiteral(shown, []byte("tags:\n  - "+changelog)), nil
}

// changelogText is the changelog without its title, and without links into the repository.
func changelogText() string {
	_, text, _ := strings.Cut(waybill.Changelog(), "\n")
	return regexp.MustCompile(`\[([^\]]+)\]\([^):]+\)`).ReplaceAllString(strings.TrimSpace(text), "$1")
}

// inJSON marshals values that cannot fail.
func inJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
