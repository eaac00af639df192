package contract_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// shown is the contract as the page shows it.
func shown(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := contract.Shown()
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	return doc
}

// samples are the code of one language, of each operation for keys.
func samples(t *testing.T, language string) (sources []string) {
	t.Helper()
	for path, item := range shown(t).Paths.Map() {
		for method, op := range item.Operations() {
			if !slices.Contains(op.Extensions["x-callers"].([]any), any("key")) {
				continue
			}
			all, ok := op.Extensions["x-codeSamples"].([]any)
			require.True(t, ok, "%s %s has no samples", method, path)
			for _, one := range all {
				if one := one.(map[string]any); one["lang"] == language {
					sources = append(sources, one["source"].(string))
				}
			}
			require.Equal(t, "Try it", op.ExternalDocs.Description, path)
		}
	}
	require.Greater(t, len(sources), 100, language)
	return sources
}

func TestSamplesForTheShellAreCommands(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "samples.sh")
	require.NoError(t, os.WriteFile(script, []byte(strings.Join(samples(t, "Shell"), "\n")), 0o600))
	printed, err := exec.CommandContext(t.Context(), "bash", "-n", script).CombinedOutput()
	require.NoError(t, err, string(printed))
}

// The samples fail to compile after an incompatible change of the client.
func TestSamplesInGoCompile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"os\"\n\n" +
		"\t\"github.com/waybill-tms/waybill-go\"\n)\n\nvar _ = json.Unmarshal\n")
	for i, source := range samples(t, "Go") {
		fmt.Fprintf(&b, "\nfunc sample%d(ctx context.Context) error {\n%s\n}\n", i, source)
	}
	b.WriteString("\nfunc main() {}\n")
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	printed, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput()
	require.NoError(t, err, string(printed))
}

// The checker of types knows each method, its arguments and its body.
func TestSamplesInPythonHaveTheRightTypes(t *testing.T) {
	t.Parallel()
	python, err := filepath.Abs("../../bin/tools/python/bin/python")
	require.NoError(t, err)
	if _, err := os.Stat(python); err != nil {
		t.Skip("there are no tools in Python, so its samples are not checked: run tools/python/install")
	}
	client, err := filepath.Abs("../../clients/python")
	require.NoError(t, err)
	var b strings.Builder
	for i, source := range samples(t, "Python") {
		fmt.Fprintf(&b, "def sample%d() -> None:\n    %s\n\n\n", i, strings.ReplaceAll(source, "\n", "\n    "))
	}
	file := filepath.Join(t.TempDir(), "samples.py")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	check := exec.CommandContext(t.Context(), python, "-m", "mypy", "--strict", "--cache-dir", t.TempDir(), file)
	check.Env = append(os.Environ(), "MYPYPATH="+client)
	printed, err := check.CombinedOutput()
	require.NoError(t, err, string(printed))
}

// The compiler checks each path and its parameters.
func TestSamplesInTypeScriptCompile(t *testing.T) {
	t.Parallel()
	const clients = "../../clients/typescript"
	compiler, err := filepath.Abs(clients + "/node_modules/.bin/tsc")
	require.NoError(t, err)
	built, err := filepath.Abs(clients + "/dist/src/index.js")
	require.NoError(t, err)
	for _, needed := range []string{compiler, built} {
		if _, err := os.Stat(needed); err != nil {
			t.Skip("the client in TypeScript is not built, so its samples are not compiled: run make lint/clients")
		}
	}
	types, err := filepath.Abs(clients + "/node_modules/@types")
	require.NoError(t, err)
	const imported = `import { Waybill } from "@waybill/client";`
	var b strings.Builder
	fmt.Fprintf(&b, "import { Waybill } from %q;\n", built)
	for _, source := range samples(t, "TypeScript") {
		fmt.Fprintf(&b, "{%s}\n", strings.ReplaceAll(source, imported, ""))
	}
	file := filepath.Join(t.TempDir(), "samples.mts")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	compile := exec.CommandContext(t.Context(), compiler, "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022",
		"--module", "nodenext", "--typeRoots", types, "--types", "node", file)
	printed, err := compile.CombinedOutput()
	require.NoError(t, err, string(printed))
}
