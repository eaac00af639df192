package docs_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// The reasons for which a name may keep a retired word.
const (
	byContract = "the contract's name for an operation"
	inContract = "in package contract: to be renamed with the contract's other helpers"
	ofActions  = "the kind of a driver's action: to be renamed together with its use in operations and the contract's tests"
	ofMigrated = "released migrations and their test don't change"
)

// exceptions are the Go names that keep a retired word, with the reason.
var exceptions = map[string]string{
	"Deed":                           ofActions,
	"Deeds":                          ofActions,
	"IsForTelephones":                inContract,
	"StartPlanAfresh":                byContract,
	"StartPlanAfresh202JSONResponse": byContract,
	"StartPlanAfreshRequestObject":   byContract,
	"StartPlanAfreshResponseObject":  byContract,
	"deed":                           ofActions,
	"deeds":                          ofActions,
	"isBesideWriters":                ofMigrated,
}

var (
	retiredRow  = regexp.MustCompile("(?m)^\\| (`[^|]*) \\|")
	retiredWord = regexp.MustCompile("`([a-z]+)`")
	acronymEnd  = regexp.MustCompile(`([A-Z])([A-Z][a-z])`)
	namePart    = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	wholeWord   = regexp.MustCompile(`\pL+`)
)

// retired returns the words in the glossary's table of retired words.
func retired(t *testing.T) []string {
	t.Helper()
	_, table, found := strings.Cut(read(t, "glossary.md"), "## Retired words")
	require.True(t, found)
	var words []string
	for _, row := range retiredRow.FindAllStringSubmatch(table, -1) {
		for _, word := range retiredWord.FindAllStringSubmatch(row[1], -1) {
			words = append(words, word[1])
		}
	}
	require.NotEmpty(t, words)
	return words
}

// partsOf splits a name such as createDriver or TestStatusFeed into its words,
// in lower case.
func partsOf(name string) []string {
	parts := namePart.FindAllString(acronymEnd.ReplaceAllString(name, "$1 $2"), -1)
	for i := range parts {
		parts[i] = strings.ToLower(parts[i])
	}
	return parts
}

// goNames calls visit with the names in each Go file, except generated ones.
func goNames(t *testing.T, visit func(file, name string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bin" || path != ".." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || bytes.Contains(source[:min(len(source), 400)], []byte("DO NOT EDIT")) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				visit(path, id.Name)
			}
			return true
		})
		return nil
	}))
}

// TestNamesInGoUseNoRetiredWords checks the names of everything in Go,
// including tests.
func TestNamesInGoUseNoRetiredWords(t *testing.T) {
	t.Parallel()
	words := retired(t)
	used := map[string]bool{}
	goNames(t, func(file, name string) {
		for _, part := range partsOf(name) {
			if !slices.Contains(words, part) || used[name] {
				continue
			}
			used[name] = true
			assert.Contains(t, exceptions, name, "%s: the word %q is retired (docs/glossary.md)", file, part)
		}
	})
	for name := range exceptions {
		assert.Contains(t, used, name, "docs/glossary_test.go: the exception is not needed any more")
	}
}

// TestContractUsesNoRetiredWords checks the names of schemas, properties and
// operations.
func TestContractUsesNoRetiredWords(t *testing.T) {
	t.Parallel()
	words, document := retired(t), apitest.Document(t)
	check := func(name string) {
		for _, part := range partsOf(name) {
			if slices.Contains(words, part) {
				assert.Contains(t, contractExceptions, name, "the word %q is retired (docs/glossary.md)", part)
			}
		}
	}
	for name, schema := range document.Components.Schemas {
		check(name)
		for property := range schema.Value.Properties {
			check(property)
		}
	}
	for _, path := range document.Paths.Map() {
		for _, operation := range path.Operations() {
			check(operation.OperationID)
		}
	}
}

// contractExceptions are the names in the contract that keep a retired word.
var contractExceptions = map[string]string{
	"startPlanAfresh": "released as the name of the operation, which generated clients use",
}

// TestScreensUseNoRetiredWords checks the English texts of the web apps and of
// the service's pages and errors.
func TestScreensUseNoRetiredWords(t *testing.T) {
	t.Parallel()
	words := retired(t)
	for _, file := range []string{
		"../web/shared/messages/active.en.toml", "../web/driver/messages/active.en.toml", "../api/edge/messages/active.en.toml",
	} {
		var messages map[string]map[string]string
		_, err := toml.DecodeFile(file, &messages)
		require.NoError(t, err)
		require.NotEmpty(t, messages, file)
		for id, forms := range messages {
			for _, text := range forms {
				for _, word := range wholeWord.FindAllString(strings.ToLower(text), -1) {
					assert.NotContains(t, words, word, "%s: %s: the word is retired (docs/glossary.md)", file, id)
				}
			}
		}
	}
}
