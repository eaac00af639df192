package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

var linkPattern = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)

// TestLinksResolve follows the links of the documents to files of the
// repository.
func TestLinksResolve(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("*.md")
	require.NoError(t, err)
	below, err := filepath.Glob("*/*.md")
	require.NoError(t, err)
	documents = append(documents, below...)
	for _, document := range append(documents, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md") {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, link := range linkPattern.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(link[1], "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(document), link[1]))
				assert.NoError(t, err, "%s links to what is not there", document)
			}
		}
	}
}

// TestEveryReasonIsExplained fails when the guide for integrators leaves out a
// reason of the contract.
func TestEveryReasonIsExplained(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("integrating.md")
	require.NoError(t, err)
	schemas := apitest.Document(t).Components.Schemas
	for _, name := range []string{"ImportReasonCode", "NotAppliedReason"} {
		codes := schemas[name].Value.Enum
		require.NotEmpty(t, codes, name)
		for _, code := range codes {
			assert.Contains(t, string(guide), "| `"+code.(string)+"` |", "docs/integrating.md does not explain it")
		}
	}
}
