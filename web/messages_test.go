package web

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

type message struct{ One, Other string }

func readMessages(t *testing.T, tag string) map[string]message {
	t.Helper()
	var all map[string]message
	_, err := toml.DecodeFile("shared/messages/active."+tag+".toml", &all)
	require.NoError(t, err)
	return all
}

var argument = regexp.MustCompile(`\{\{\.\w+\}\}`)

// arguments are what a text takes, each once.
func arguments(text string) []string {
	found := argument.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestEveryWordIsThereInEveryLanguage(t *testing.T) {
	t.Parallel()
	english := readMessages(t, "en")
	require.NotEmpty(t, english)
	for _, tag := range []string{"nb", "da"} {
		other := readMessages(t, tag)
		for key, said := range english {
			require.Contains(t, other, key, tag)
			require.NotEmpty(t, other[key].Other, "%s in %s", key, tag)
			require.Equal(t, said.One == "", other[key].One == "", "%s counts in both or in none of en and %s", key, tag)
			require.Equal(t, arguments(said.Other), arguments(other[key].Other), "%s in %s", key, tag)
		}
		require.Len(t, other, len(english), "%s has words that English lacks", tag)
	}
}

// TestEveryWordIsSaid finds words that no page says any more. Words of a family, such
// as those of statuses, are said by their codes.
func TestEveryWordIsSaid(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, folder := range []string{"console/src", "shared"} {
		require.NoError(t, filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(name, "words.") || strings.HasSuffix(name, ".toml") ||
				strings.HasSuffix(name, ".gen.ts") {
				return err
			}
			content, err := os.ReadFile(name)
			sources.Write(content)
			return err
		}))
	}
	text := sources.String()
	for key := range readMessages(t, "en") {
		family, _, _ := strings.Cut(key, ".")
		require.True(t, strings.Contains(text, "'"+key+"'") || strings.Contains(text, "nameOf('"+family+"'"),
			"no page says %s", key)
	}
}
