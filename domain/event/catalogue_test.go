package event_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/notification"
)

// literal is a kind in SQL, or the prefix of one that a status completes.
var literal = regexp.MustCompile(`'([a-z_]+\.[a-z_]*)'`)

// TestCatalogueHasEveryWrittenKind finds every kind that SQL writes in the
// catalogue, and a writer or reader for every kind of the catalogue.
func TestCatalogueHasEveryWrittenKind(t *testing.T) {
	t.Parallel()
	used := usedByGo(t)
	for place, text := range currentSQL(t) {
		for _, found := range literal.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(found[1], "app.") || strings.HasPrefix(found[1], "waybill.") {
				continue // names of settings and locks
			}
			kinds := completions(event.Kind(found[1]))
			require.NotEmpty(t, kinds, "%s: %s is not in the catalogue", place, found[0])
			for _, k := range kinds {
				used[k] = true
			}
		}
	}
	for _, e := range event.Catalogue() {
		require.True(t, used[e.Kind], "%s is in the catalogue and used nowhere", e.Kind)
	}
}

// completions returns the kinds that start with a literal.
func completions(literal event.Kind) (all []event.Kind) {
	if !strings.HasSuffix(string(literal), ".") {
		if literal.Known() {
			all = append(all, literal)
		}
		return all
	}
	for _, e := range event.Catalogue() {
		if strings.HasPrefix(string(e.Kind), string(literal)) {
			all = append(all, e.Kind)
		}
	}
	return all
}

// TestCatalogueHasEachKindOnce also checks that each message status has a
// kind, because SQL derives one from the other.
func TestCatalogueHasEachKindOnce(t *testing.T) {
	t.Parallel()
	seen := map[event.Kind]bool{}
	for _, e := range event.Catalogue() {
		require.False(t, seen[e.Kind], "%s is there twice", e.Kind)
		require.NotEmpty(t, e.Subjects, e.Kind)
		seen[e.Kind] = true
	}
	declared := constants(t)
	require.Len(t, declared, len(seen))
	for name, kind := range declared {
		require.True(t, seen[kind], "%s is not in the catalogue", name)
	}
	for _, status := range []notification.Status{
		notification.Queued, notification.Sent, notification.Failed,
		notification.Delivered, notification.Bounced, notification.Spam,
	} {
		require.True(t, event.Kind("notification."+status).Known(), status)
	}
}

var (
	query    = regexp.MustCompile(`(?m)^-- name: (\w+)`)
	comments = regexp.MustCompile(`(?m)--.*$`)
)

// currentSQL returns the queries and the definitions of functions, views and triggers, by
// name.
func currentSQL(t *testing.T) map[string]string {
	t.Helper()
	current := map[string]string{}
	for _, file := range files(t, "store/queries/*.sql") {
		text := read(t, file)
		starts := query.FindAllStringSubmatchIndex(text, -1)
		for i, at := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			current["query "+text[at[2]:at[3]]] = comments.ReplaceAllString(text[at[0]:end], "")
		}
	}
	require.NotEmpty(t, current)
	for _, file := range files(t, "migrations/definitions/*/*.sql") {
		current[strings.TrimSuffix(filepath.Base(file), ".sql")] = comments.ReplaceAllString(read(t, file), "")
	}
	require.Contains(t, current, "take_seat")
	require.Contains(t, current, "order_status_feed")
	return current
}

// constructor is one for events of one kind.
var constructor = regexp.MustCompile(`(?s)func \(\w+ (\w+)\) (\w+)\([^)]*\) Event \{\n(.*?)\n\}`)

// usedByGo returns the kinds that code outside of this package names, or makes
// by their own constructor.
func usedByGo(t *testing.T) map[event.Kind]bool {
	t.Helper()
	used := map[event.Kind]bool{}
	code := productCode(t)
	for name, kind := range constants(t) {
		used[kind] = regexp.MustCompile(`\bevent\.` + name + `\b`).MatchString(code)
		for _, c := range constructor.FindAllStringSubmatch(read(t, filepath.Join(root, "domain/event/event.go")), -1) {
			if regexp.MustCompile(`\b` + name + `\b`).MatchString(c[3]) {
				used[kind] = regexp.MustCompile(`\bevent\.` + c[1] + `\b.*\.` + c[2] + `\(`).MatchString(code)
			}
		}
	}
	return used
}

// constant is the declaration of a kind.
var constant = regexp.MustCompile(`(?m)^\t(\w+) +Kind = "(.*)"`)

// constants are the kinds that this package declares, by name.
func constants(t *testing.T) map[string]event.Kind {
	t.Helper()
	found := map[string]event.Kind{}
	for _, file := range files(t, "domain/event/*.go") {
		for _, c := range constant.FindAllStringSubmatch(read(t, file), -1) {
			found[c[1]] = event.Kind(c[2])
		}
	}
	require.NotEmpty(t, found)
	return found
}

const root = "../.."

// productCode are the lines of Go outside of this package and of tests that name
// something of this package.
func productCode(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, room := range []string{"api", "cmd", "domain", "operations", "relay", "store", "workflows", "activities"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "domain/event/") {
				return err
			}
			for line := range strings.Lines(read(t, path)) {
				if strings.Contains(line, "event.") {
					all.WriteString(line)
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	return all.String()
}

func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, pattern))
	require.NoError(t, err)
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
