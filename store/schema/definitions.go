package schema

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"waybill/migrations"
)

// definition is a file with the present text of a function with all its overloads, of a
// view or of a trigger.
type definition struct {
	// file is the path below migrations/definitions, such as orders/v1_orders.sql.
	file string
	object
	text, hash string
	// creates is how many objects the file creates: more than one for a function with overloads.
	creates int
	// needs are the views and functions that the text mentions.
	needs []object
}

// object names something in the schema of the database.
type object struct {
	kind kind
	name string
}

// key is the name of the object in schema_definitions.
func (o object) key() string { return string(o.kind) + " " + o.name }

// kind is the word of SQL for what a definition creates.
type kind string

const (
	function kind = "FUNCTION"
	view     kind = "VIEW"
	trigger  kind = "TRIGGER"
)

var (
	creation = regexp.MustCompile(`(?m)^CREATE OR REPLACE (FUNCTION|VIEW|TRIGGER) (\w+)`)
	remark   = regexp.MustCompile(`(?m)--.*$`)
	mention  = regexp.MustCompile(`\b(\w+)\b\s*(\()?`)
)

// presentDefinitions are the definitions of this program.
var presentDefinitions = sync.OnceValues(func() ([]definition, error) {
	return readDefinitions(migrations.Definitions)
})

// readDefinitions reads definitions/SUBJECT/NAME.sql and returns the definitions in an order
// in which each follows those that it needs.
func readDefinitions(files fs.FS) ([]definition, error) {
	paths, err := fs.Glob(files, "definitions/*/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list definitions: %w", err)
	}
	all := map[object]*definition{}
	for _, p := range paths {
		text, err := fs.ReadFile(files, p)
		if err != nil {
			return nil, fmt.Errorf("read definitions: %w", err)
		}
		d, err := parseDefinition(strings.TrimPrefix(p, "definitions/"), string(text))
		if err != nil {
			return nil, err
		}
		if other := all[d.object]; other != nil {
			return nil, fmt.Errorf("%s and %s define the same name", other.file, d.file)
		}
		all[d.object] = d
	}
	for _, d := range all {
		d.needs = mentioned(d.text, all)
	}
	return inOrder(all)
}

func parseDefinition(file, text string) (*definition, error) {
	sum := sha256.Sum256([]byte(text))
	d := &definition{file: file, text: text, hash: hex.EncodeToString(sum[:])}
	d.name = strings.TrimSuffix(path.Base(file), ".sql")
	for _, created := range creation.FindAllStringSubmatch(text, -1) {
		if created[2] != d.name {
			return nil, fmt.Errorf("%s creates %s: it must create only what it is named after", file, created[2])
		}
		d.kind = kind(created[1])
		d.creates++
	}
	if d.creates == 0 {
		return nil, fmt.Errorf("%s creates nothing: begin a line with CREATE OR REPLACE FUNCTION, VIEW or TRIGGER %s",
			file, d.name)
	}
	return d, nil
}

// mentioned are the views and functions of which a text has the names, sorted by name.
func mentioned(text string, all map[object]*definition) (found []object) {
	for _, m := range mention.FindAllStringSubmatch(remark.ReplaceAllString(text, ""), -1) {
		candidates := []object{{view, m[1]}}
		if m[2] != "" {
			candidates = append(candidates, object{function, m[1]})
		}
		for _, o := range candidates {
			if all[o] != nil {
				found = append(found, o)
			}
		}
	}
	slices.SortFunc(found, compareObjects)
	return slices.Compact(found)
}

func compareObjects(a, b object) int {
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(string(a.kind), string(b.kind)))
}

// errCircle means that no order of definitions serves.
var errCircle = errors.New("definitions need one another in a circle")

// inOrder sorts definitions so that each follows those that it needs.
func inOrder(all map[object]*definition) (ordered []definition, err error) {
	names := make([]object, 0, len(all))
	for o := range all {
		names = append(names, o)
	}
	slices.SortFunc(names, compareObjects)
	begun, done := map[object]bool{}, map[object]bool{}
	var visit func(o object) error
	visit = func(o object) error {
		if done[o] {
			return nil
		}
		if begun[o] {
			return fmt.Errorf("%w at %s", errCircle, all[o].file)
		}
		begun[o] = true
		for _, need := range all[o].needs {
			if need == o { // it calls itself, or another overload
				continue
			}
			if err := visit(need); err != nil {
				return err
			}
		}
		done[o] = true
		ordered = append(ordered, *all[o])
		return nil
	}
	for _, o := range names {
		if err := visit(o); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}
