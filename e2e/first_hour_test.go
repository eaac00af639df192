package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// guideBlock is a block of commands, or a program that names its file in its first line.
var guideBlock = regexp.MustCompile("(?s)```(sh|go|ts|python)\n(?:(?://|#) (\\S+\\.\\w+)\n)?(.*?)```")

// TestTheFirstHour follows docs/first-hour.md like somebody who has an address and a key, and nothing else:
// in an empty folder, with the packages as they are published.
func TestTheFirstHour(t *testing.T) {
	t.Parallel()
	released := filepath.Join(t.TempDir(), "release")
	build := exec.CommandContext(t.Context(), "tools/release", released)
	build.Dir = ".."
	printed, err := build.CombinedOutput()
	require.NoError(t, err, string(printed))
	for language, registry := range map[string]func(*testing.T, string) packages{"Go": goPackages, "TypeScript": nodePackages, "Python": pythonPackages} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o := shared.organization(t)
			printed := o.firstHour(t, language, registry(t, released))
			for _, line := range []string{
				`"sandbox": true`, "created FIRST-1", "verified order.delivered ", "FIRST-1 registered", "FIRST-1 planned", "FIRST-1 delivered",
				"verified order.delivered FIRST-1",
			} {
				require.Contains(t, printed, line)
			}
			require.JSONEq(t, `{"items": []}`, string(o.get(t, "/v2/webhook-endpoints").body), "it leaves nothing behind")
		})
	}
}

// packages are where a language finds the packages of a release instead of in its registry.
type packages struct {
	environment []string
	// replaced are commands that need a registry, each with one that does without.
	replaced []string
}

func goPackages(t *testing.T, released string) packages {
	t.Helper()
	return packages{environment: []string{
		"GOPROXY=file://" + released + "/go", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE=" + t.TempDir(),
	}}
}

func nodePackages(t *testing.T, released string) packages {
	t.Helper()
	modules, err := filepath.Abs("../clients/typescript/node_modules")
	require.NoError(t, err)
	return packages{
		environment: []string{"NPM_CONFIG_CACHE=" + t.TempDir(), "NPM_CONFIG_OFFLINE=true", "NPM_CONFIG_AUDIT=false"},
		replaced: []string{
			"npm install @waybill/client\n", "npm install " + artifact(t, released, ".tgz") + "\n",
			"npm install --save-dev typescript @types/node\n",
			"mkdir -p node_modules/.bin && ln -s " + modules + "/@types node_modules && ln -s " + modules + "/.bin/tsc node_modules/.bin\n",
		},
	}
}

// pythonPackages has what the client depends on from the tools.
func pythonPackages(t *testing.T, released string) packages {
	t.Helper()
	artifact(t, released, ".whl")
	tools, err := filepath.Abs("../bin/tools/python")
	require.NoError(t, err)
	depended, err := filepath.Glob(tools + "/lib/python*/site-packages")
	require.NoError(t, err)
	require.Len(t, depended, 1)
	return packages{environment: []string{
		"PATH=" + tools + "/bin:" + os.Getenv("PATH"), "PYTHONPATH=" + depended[0],
		"PIP_NO_INDEX=1", "PIP_NO_DEPS=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_FIND_LINKS=" + released,
	}}
}

// firstHour runs what the guide has for every language, and for one, and returns what that prints.
func (o *organization) firstHour(t *testing.T, language string, from packages) string {
	t.Helper()
	folder := t.TempDir()
	script := strings.NewReplacer(from.replaced...).Replace(unpackedGuide(t, language, folder))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "bash", "-euxo", "pipefail", "-c", script)
	run.Dir, run.WaitDelay = folder, 10*time.Second
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the receiver stays in the background if something fails
	kill := func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGKILL) }
	run.Cancel = kill
	run.Env = append(append(os.Environ(), from.environment...), "WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key, "PORT=0")
	printed, err := run.CombinedOutput()
	if err != nil && run.Process != nil {
		_ = kill()
	}
	require.NoError(t, err, string(printed))
	return string(printed)
}

// unpackedGuide puts the programs of the guide into a folder, and returns the commands.
func unpackedGuide(t *testing.T, language, folder string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/first-hour.md")
	require.NoError(t, err)
	var commands strings.Builder
	for _, section := range []string{"Before you begin", language} {
		_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
		require.True(t, found, section)
		body, _, _ := strings.Cut(rest, "\n## ")
		for _, block := range guideBlock.FindAllStringSubmatch(body, -1) {
			if block[1] == "sh" {
				commands.WriteString(block[3])
				continue
			}
			file := filepath.Join(folder, block[2])
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
			require.NoError(t, os.WriteFile(file, []byte(block[3]), 0o600))
		}
	}
	return commands.String()
}
