package e2e_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// saying has each command of a document say what it was answered, in a file.
const saying = `
set -uo pipefail
curl() { command curl -w '%{stderr}@@ %{http_code} %{method} %{url_effective}\n' "$@" 2>>"$ANSWERS"; }
bin/waybill() { "$PROGRAM" "$@" || echo "@@ failed bin/waybill $*" >>"$ANSWERS"; }
jq() { command jq "$@" || echo "@@ failed jq $*" >>"$ANSWERS"; }
`

// TestTheExamplesWork runs what docs/examples.md says, command by command, as somebody
// new does it who has imported the demo orders: the service takes all of it.
func TestTheExamplesWork(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("there is no %s on this machine, which the examples need", needed)
		}
	}
	document, err := os.ReadFile("../docs/examples.md")
	require.NoError(t, err)
	o := install(t, "serve", "work").organization(t)
	o.importOrders(t, ordersFrom(t, ""))
	folder := t.TempDir()
	rules, err := os.ReadFile("../demo/transformations.yaml")
	require.NoError(t, err)
	own := filepath.Join(folder, "transformations.yaml")
	require.NoError(t, os.WriteFile(own, []byte(strings.ReplaceAll(string(rules), "nordfrakt", o.slug)), 0o600))
	script := strings.NewReplacer(
		". .local/waybill.env\n", "", "alias wb=", "# ", "demo/transformations.yaml", own,
		"labels.pdf", folder+"/labels.pdf", "/tmp/note.txt", folder+"/note.txt",
	).Replace(saying + wb + commandsIn(t, string(document)))
	answers := filepath.Join(folder, "answers")
	run := exec.CommandContext(t.Context(), "bash", "-c", script)
	run.Dir, run.Env = "..", append(o.environment(),
		"PROGRAM="+o.program, "WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key, "ANSWERS="+answers)
	printed, err := run.CombinedOutput()
	require.NoError(t, err, string(printed))
	said, err := os.ReadFile(answers)
	require.NoError(t, err)
	var wrong []string
	count := 0
	for lines := bufio.NewScanner(strings.NewReader(string(said))); lines.Scan(); {
		if line, is := strings.CutPrefix(lines.Text(), "@@ "); is {
			count++
			if !strings.HasPrefix(line, "2") {
				wrong = append(wrong, line)
			}
		}
	}
	require.Empty(t, wrong, string(printed))
	require.GreaterOrEqual(t, count, strings.Count(script, "\nwb "), "each command was run")
	labels, err := os.ReadFile(folder + "/labels.pdf")
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(labels[:4]))
}
