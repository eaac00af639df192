// Package docs_test compares the documents with their subjects.
package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// row is what the table of api.md says of one operation.
type row struct {
	operation, file, testFile, test string
}

var rowPattern = regexp.MustCompile(
	"^\\| ([A-Z]+) \\| `([^`]+)` \\| `([^`]+)` \\| \\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\) \\| \\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\) `([^`]+)` \\|$")

// rows reads the table, by method and path.
func rows(t *testing.T) map[string]row {
	t.Helper()
	text, err := os.ReadFile("api.md")
	require.NoError(t, err)
	found := map[string]row{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Method ") {
			continue
		}
		m := rowPattern.FindStringSubmatch(line)
		require.NotNil(t, m, "docs/api.md: not of the form of its table: %s", line)
		key := m[1] + " " + m[2]
		require.NotContains(t, found, key, "docs/api.md has two rows for it")
		assert.Equal(t, m[4], m[5], "docs/api.md: the link of %s leads elsewhere", key)
		assert.Equal(t, m[6], m[7], "docs/api.md: the link of %s leads elsewhere", key)
		found[key] = row{operation: m[3], file: m[4], testFile: m[6], test: m[8]}
	}
	return found
}

// TestEveryOperationHasARow fails with the rows that docs/api.md lacks, ready to
// be completed and put in.
func TestEveryOperationHasARow(t *testing.T) {
	t.Parallel()
	table := rows(t)
	var missing []string
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			key := method + " " + path
			known, ok := table[key]
			delete(table, key)
			if !ok {
				missing = append(missing, fmt.Sprintf(
					"| %s | `%s` | `%s` | [`api/FILE.go`](../api/FILE.go) | [`e2e/FILE_test.go`](../e2e/FILE_test.go) `TestNAME` |",
					method, path, op.OperationID))
				continue
			}
			assert.Equal(t, op.OperationID, known.operation, "docs/api.md: the operation of %s", key)
		}
	}
	assert.Empty(t, missing, "docs/api.md lacks these rows:\n%s", strings.Join(missing, "\n"))
	for key := range table {
		assert.Fail(t, "docs/api.md has a row that the contract does not: "+key)
	}
}

func TestReferencesOfRowsExist(t *testing.T) {
	t.Parallel()
	for key, r := range rows(t) {
		assert.FileExists(t, filepath.Join("..", r.file), "docs/api.md: what serves %s", key)
		source, err := os.ReadFile(filepath.Join("..", r.testFile))
		if assert.NoError(t, err, "docs/api.md: what shows %s", key) {
			assert.Contains(t, string(source), "func "+r.test+"(t *testing.T)", "docs/api.md: the test that shows %s is not in %s", key, r.testFile)
		}
	}
}
