package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// TestEveryLifecycleIsShown holds the pages for operators against the program.
func TestEveryLifecycleIsShown(t *testing.T) {
	t.Parallel()
	operations, names := read(t, "operations.md"), read(t, "../workflows/names.go")
	types := regexp.MustCompile(`\t\w+Type = "(\w+)"`).FindAllStringSubmatch(names, -1)
	require.NotEmpty(t, types)
	for _, name := range types {
		require.Contains(t, operations, "| `"+name[1]+"` | `", "the table of lifecycles")
	}
	kinds := regexp.MustCompile(`Sprintf\("([\w-]+)/%s/`).FindAllStringSubmatch(read(t, "../workflows/ids.go"), -1)
	require.NotEmpty(t, kinds)
	for _, kind := range kinds {
		require.Contains(t, operations, "`"+kind[1]+"/{organization}/")
	}
	production := read(t, "production.md")
	for _, key := range workflows.SearchAttributes() {
		require.Contains(t, production, "`"+key.GetName()+"`", "what Temporal Cloud must be told")
	}
}

// TestPicturesOfTheUIAreFewAndSmall keeps the repository light.
func TestPicturesOfTheUIAreFewAndSmall(t *testing.T) {
	t.Parallel()
	pictures, err := filepath.Glob("pictures/temporal/*")
	require.NoError(t, err)
	require.NotEmpty(t, pictures)
	require.LessOrEqual(t, len(pictures), 10)
	for _, picture := range pictures {
		about, err := os.Stat(picture)
		require.NoError(t, err)
		require.LessOrEqual(t, about.Size(), int64(150_000), picture)
		require.Contains(t, read(t, "operations.md"), "]("+filepath.ToSlash(picture)+")")
	}
}
