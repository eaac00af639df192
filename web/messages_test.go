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

// said are the sources of each app's texts, and the files that use them.
var said = map[string][]string{
	"shared/messages": {"console/src", "shared"},
	"driver/messages": {"driver/src"},
}

func readMessages(t *testing.T, folder, tag string) map[string]message {
	t.Helper()
	var all map[string]message
	_, err := toml.DecodeFile(folder+"/active."+tag+".toml", &all)
	require.NoError(t, err)
	return all
}

var argument = regexp.MustCompile(`\{\{\.\w+\}\}`)

// arguments are the distinct placeholders of a text.
func arguments(text string) []string {
	found := argument.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestEveryTextExistsInEveryLanguage(t *testing.T) {
	t.Parallel()
	for folder := range said {
		english := readMessages(t, folder, "en")
		require.NotEmpty(t, english)
		for _, tag := range []string{"nb", "da"} {
			other := readMessages(t, folder, tag)
			for key, said := range english {
				require.Contains(t, other, key, tag)
				require.NotEmpty(t, other[key].Other, "%s in %s", key, tag)
				require.Equal(t, said.One == "", other[key].One == "", "%s counts in both or in none of en and %s", key, tag)
				require.Equal(t, arguments(said.Other), arguments(other[key].Other), "%s in %s", key, tag)
			}
			require.Len(t, other, len(english), "%s has words that English lacks", tag)
		}
	}
}

// TestEveryTextIsUsed finds unused texts. Texts in a family, such as those of
// statuses, are used by code.
func TestEveryTextIsUsed(t *testing.T) {
	t.Parallel()
	for folder, folders := range said {
		text := sources(t, folders)
		for key := range readMessages(t, folder, "en") {
			family, _, _ := strings.Cut(key, ".")
			require.True(t, strings.Contains(text, "'"+key+"'") || strings.Contains(text, "nameOf('"+family+"'"),
				"no page says %s", key)
		}
	}
}

// TestDriversAppHasItsTexts finds texts that the drivers' app uses and
// only the console has: it would show nothing.
func TestDriversAppHasItsTexts(t *testing.T) {
	t.Parallel()
	known := readMessages(t, "driver/messages", "en")
	for _, found := range regexp.MustCompile(`\bt\('([^']+)'`).FindAllStringSubmatch(sources(t, said["driver/messages"]), -1) {
		require.Contains(t, known, found[1])
	}
}

// sources are the texts of all files of some folders, but for words.
func sources(t *testing.T, folders []string) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(name, "words.") || strings.HasSuffix(name, ".toml") ||
				strings.HasSuffix(name, ".gen.ts") {
				return err
			}
			content, err := os.ReadFile(name)
			all.Write(content)
			return err
		}))
	}
	return all.String()
}
