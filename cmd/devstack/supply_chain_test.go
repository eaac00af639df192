package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// program writes a shell script that imitates a program.
func program(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700))
	return path
}

func TestVulnerabilityScanUsesItsDatabase(t *testing.T) {
	t.Parallel()
	database := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }))
	t.Cleanup(database.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	looked := func(at, found string) (out string, status int) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(root, "tools/vulnerabilities"))
		cmd.Env = append(os.Environ(), "GOVULNDB="+at,
			"GOVULNCHECK="+program(t, "govulncheck", "echo looked at $2; exit "+found))
		text, _ := cmd.CombinedOutput()
		return string(text), cmd.ProcessState.ExitCode()
	}

	out, status := looked(database.URL, "3")
	require.Equal(t, 3, status, "what is found is an error")
	require.Contains(t, out, "looked at "+database.URL)

	out, status = looked(gone.URL, "3")
	require.Zero(t, status)
	require.Contains(t, out, "SKIPPED")
	require.NotContains(t, out, "looked")
}

func TestImagesArePinnedByTheirDigests(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	docker := filepath.Dir(program(t, "docker", `[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo "${ANSWER:-sha256:`+sum+`}"`))
	path := "PATH=" + docker + ":" + os.Getenv("PATH")
	pinned := regexp.MustCompile(`@sha256:` + sum + `\b`)
	for _, name := range []string{"Dockerfile", "docker-compose.yml"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		without := regexp.MustCompile(`@sha256:\w+`).ReplaceAllString(string(text), "")
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, []byte(without), 0o600))
		pin := func(environment string, args ...string) error {
			cmd := exec.CommandContext(t.Context(), filepath.Join(root, "tools/pin-images"), append(args, file)...)
			cmd.Env = append(os.Environ(), path, environment)
			return cmd.Run()
		}
		read := func() string {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			return string(text)
		}

		require.Error(t, pin("", "--verify"), "no image has a digest yet")
		require.Error(t, pin("ANSWER=toomanyrequests"), "what is no digest is not written")
		require.Equal(t, without, read())
		require.NoError(t, pin(""))
		once := read()
		require.Len(t, pinned.FindAllString(once, -1), images(without))
		require.Equal(t, without, pinned.ReplaceAllString(once, ""), "nothing else has changed")
		require.NoError(t, pin("", "--verify"))
		require.NoError(t, pin(""))
		require.Equal(t, once, read())
	}
}

// images counts the images of others that a file names.
func images(text string) int {
	all := regexp.MustCompile(`(?m)^(?:\s*image:|FROM)\s+(\S+)`).FindAllStringSubmatch(text, -1)
	return len(slices.DeleteFunc(all, func(match []string) bool { return strings.HasPrefix(match[1], "waybill:") }))
}

// Earlier versions have known vulnerabilities.
func TestImagesHaveNoKnownVulnerabilities(t *testing.T) {
	t.Parallel()
	least := map[string][3]int{
		"postgres": {17, 10}, "temporalio/server": {1, 30, 4}, "temporalio/admin-tools": {1, 30, 4}, "axllent/mailpit": {1, 29, 2},
		"temporalio/ui": {2, 44}, "golang": {1, 26, 8}, "node": {24}, "alpine": {3, 23}, "python": {3, 13},
	}
	var text strings.Builder
	for _, name := range []string{"Dockerfile", "docker-compose.yml"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text.Write(content)
	}
	seen := map[string]bool{}
	image := regexp.MustCompile(`(?m)^(?:\s*image:|FROM)\s+([\w/-]+):v?([\d.]+)`)
	for _, match := range image.FindAllStringSubmatch(text.String(), -1) {
		want, known := least[match[1]]
		require.True(t, known, "%s has no least version here", match[1])
		var is [3]int
		for i, number := range strings.SplitN(match[2], ".", 3) {
			_, err := fmt.Sscan(number, &is[i])
			require.NoError(t, err)
		}
		require.GreaterOrEqual(t, slices.Compare(is[:], want[:]), 0, match[0])
		seen[match[1]] = true
	}
	require.Len(t, seen, len(least))
}

// The update bot covers every pinned version.
func TestEveryManifestIsKeptUpToDate(t *testing.T) {
	t.Parallel()
	var bot struct {
		Updates []struct {
			Ecosystem   string   `yaml:"package-ecosystem"`
			Directory   string   `yaml:"directory"`
			Directories []string `yaml:"directories"`
		} `yaml:"updates"`
	}
	text, err := os.ReadFile(filepath.Join(root, ".github/dependabot.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &bot))
	covered := map[string]bool{}
	for _, update := range bot.Updates {
		for _, folder := range append(update.Directories, update.Directory) {
			covered[update.Ecosystem+" "+folder] = true
		}
	}

	ecosystems := map[string]string{
		"go.mod": "gomod", "package-lock.json": "npm", "requirements.txt": "pip", "pyproject.toml": "pip",
		"Dockerfile": "docker", "docker-compose.yml": "docker-compose",
	}
	found := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"node_modules", ".git", "bin", ".local", "out"}, name):
			return filepath.SkipDir
		case ecosystems[name] != "":
			folder, err := filepath.Rel(root, filepath.Dir(path))
			require.NoError(t, err)
			require.True(t, covered[ecosystems[name]+" "+filepath.ToSlash(filepath.Join("/", folder))], path)
			found++
		}
		return nil
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, found, 5)
}
