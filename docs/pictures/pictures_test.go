package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPicturesAreUpToDate(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, source := range sources {
		want, err := drawFile(source)
		require.NoError(t, err)
		have, err := os.ReadFile(target(source))
		require.NoError(t, err, "run make pictures")
		assert.Equal(t, string(want), string(have), "%s is not up to date: run make pictures", target(source))
	}
	drawn, err := filepath.Glob("*.svg")
	require.NoError(t, err)
	assert.Len(t, drawn, len(sources), "a picture has no source")
}

func TestUndrawableTextIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a word":    {"circle a", `line 1: unknown word "circle"`},
		"a kind":    {"box a 1,1 odd | A", `line 1: unknown kind "odd"`},
		"a place":   {"box a one,1 plain | A", "line 1:"},
		"a box":     {"box a 1,1 plain | A\narrow a -> b", `line 2: no box "b" above this line`},
		"a side":    {"box a 1,1 plain | A\narrow a.x -> a", `line 2: no side "x"`},
		"an option": {"box a 1,1 plain | A\narrow a -> a bold", `line 2: unknown option "bold"`},
	} {
		_, err := parse(c.text)
		assert.ErrorContains(t, err, c.want, name)
	}
}

func TestChartsAreDrawn(t *testing.T) {
	t.Parallel()
	text := "title A & B\nunit min\nbar Mon-1 12\nmark now\nbar Tue-2 3.5\n"
	require.True(t, isChart(text))
	c, err := parseChart(text)
	require.NoError(t, err)
	svg := string(c.svg())
	for _, part := range []string{"A &amp; B", "Mon 1: 12.0 min", "Tue 2: 3.5 min", ">now<", `height="240.0" fill="#94a3b8"`, `height="70.0" fill="#2563eb"`} {
		assert.Contains(t, svg, part)
	}
	for text, want := range map[string]string{
		"bar A":             `line 1: "" is no value of a bar`,
		"bar A -1":          `line 1: "-1" is no value of a bar`,
		"bar A 1\nline B 2": `line 2: unknown word "line"`,
	} {
		_, err := parseChart(text)
		assert.ErrorContains(t, err, want)
	}
}
