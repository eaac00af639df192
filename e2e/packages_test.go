package e2e_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPackagesOfTheClients builds the packages of the clients as they are published, installs each into an
// empty project, and runs a program that uses it.
func TestPackagesOfTheClients(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	released := filepath.Join(t.TempDir(), "release")
	build := exec.CommandContext(t.Context(), "tools/release", released)
	build.Dir = ".."
	printed, err := build.CombinedOutput()
	require.NoError(t, err, string(printed))
	for language, install := range map[string]func(*testing.T, string) *exec.Cmd{"Go": goProject, "TypeScript": nodeProject, "Python": pythonProject} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o.runPackaged(t, install(t, released), "PKG-"+language)
		})
	}
}

// runPackaged runs a program that imports an order, reads it back, verifies a webhook, and
// provokes each kind of error.
func (o *organization) runPackaged(t *testing.T, program *exec.Cmd, number string) {
	t.Helper()
	limited, err := o.command(t.Context(), "keys", "create", "--org", o.slug, "--name", number, "--personal-data", "none")
	require.NoError(t, err)
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		code, err := strconv.Atoi(status)
		if err != nil {
			code = http.StatusNoContent
		}
		w.Header().Set("X-Request-ID", "stub")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "<html>not Waybill</html>")
	}))
	t.Cleanup(stub.Close)
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"type":"order.delivered"}`
	webhook := signed(t, stub.URL, secret, "msg_1", time.Now(), body)
	program.Env = append(program.Env,
		"WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key, "LIMITED_KEY="+limited, "STUB_URL="+stub.URL,
		"NUMBER="+number, "DAY="+time.Now().AddDate(0, 0, 1).Format(time.DateOnly), "SECRET="+secret, "WEBHOOK_BODY="+body,
		"WEBHOOK_ID=msg_1", "WEBHOOK_TIMESTAMP="+webhook.Header.Get("webhook-timestamp"), "WEBHOOK_SIGNATURE="+webhook.Header.Get("webhook-signature"))
	printed, err := program.CombinedOutput()
	require.NoError(t, err, string(printed))
	require.Equal(t, []string{
		"created true", "read " + number, "webhook true true",
		"invalid true", "unauthorized true", "forbidden true", "not found true", "conflict true", "gone true",
		"precondition failed true", "rate limited true", "unavailable true", "not modified true", "no response true", "reason true",
	}, strings.Split(strings.TrimSpace(string(printed)), "\n"))
}

// project is an empty folder with a program in it.
func project(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/packages/" + program)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, program), text, 0o600))
	return folder
}

// inProject runs a command in a project, and expects it to succeed.
func inProject(t *testing.T, folder string, environment []string, words ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	printed, err := command.CombinedOutput()
	require.NoError(t, err, "%s: %s", words, printed)
}

// goProject downloads the module from the folder of a release, as from a proxy.
func goProject(t *testing.T, released string) *exec.Cmd {
	t.Helper()
	folder := project(t, "main.go")
	version, err := os.ReadFile("../VERSION")
	require.NoError(t, err)
	environment := []string{
		"GOPROXY=file://" + released + "/go", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE=" + t.TempDir(),
	}
	inProject(t, folder, environment, "go", "mod", "init", "example.com/erp")
	inProject(t, folder, environment, "go", "get", "github.com/waybill-tms/waybill-go@v"+strings.TrimSpace(string(version)))
	inProject(t, folder, environment, "go", "build", "-o", "erp", ".")
	return &exec.Cmd{Path: filepath.Join(folder, "erp"), Dir: folder, Env: os.Environ()}
}

// artifact returns the only file of a release that has an ending.
func artifact(t *testing.T, released, ending string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(released, "*"+ending))
	require.NoError(t, err)
	if len(found) != 1 {
		t.Skipf("tools/release built no package *%s: run make lint/clients", ending)
	}
	return found[0]
}

// nodeProject installs the tarball, and compiles the program with the compiler's strictest settings.
func nodeProject(t *testing.T, released string) *exec.Cmd {
	t.Helper()
	tarball := artifact(t, released, ".tgz")
	folder := project(t, "main.ts")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"name": "erp", "type": "module", "private": true}`), 0o600))
	inProject(t, folder, []string{"NPM_CONFIG_CACHE=" + t.TempDir()}, "npm", "install", "--offline", "--no-audit", "--no-fund", tarball)
	modules, err := filepath.Abs("../clients/typescript/node_modules")
	require.NoError(t, err)
	inProject(t, folder, nil, modules+"/.bin/tsc", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess",
		"--target", "es2022", "--module", "nodenext", "--typeRoots", modules+"/@types", "--types", "node", "main.ts")
	node, err := exec.LookPath("node")
	require.NoError(t, err)
	return &exec.Cmd{Path: node, Args: []string{node, "main.js"}, Dir: folder, Env: os.Environ()}
}

// pythonProject installs the wheel into an empty environment, which has only what it depends on from
// the tools, and checks the types of the program.
func pythonProject(t *testing.T, released string) *exec.Cmd {
	t.Helper()
	wheel := artifact(t, released, ".whl")
	artifact(t, released, ".tar.gz")
	folder := project(t, "main.py")
	tools, err := filepath.Abs("../bin/tools/python")
	require.NoError(t, err)
	python := filepath.Join(tools, "bin/python")
	installed := filepath.Join(folder, "installed")
	inProject(t, folder, nil, python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", installed, wheel)
	require.FileExists(t, installed+"/waybill_client/py.typed")
	inProject(t, folder, []string{"MYPYPATH=" + installed}, python, "-m", "mypy", "--strict", "main.py")
	return &exec.Cmd{Path: python, Args: []string{python, "main.py"}, Dir: folder, Env: append(os.Environ(), "PYTHONPATH="+installed)}
}
