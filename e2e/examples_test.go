package e2e_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// saying writes the response of each command of a document to a file. A failing
// jq -e only means that a value is not there yet.
const saying = `
set -uo pipefail
curl() { command curl -w '%{stderr}@@ %{http_code} %{method} %{url_effective}\n' "$@" 2>>"$ANSWERS"; }
bin/waybill() { "$PROGRAM" "$@" || echo "@@ failed bin/waybill $*" >>"$ANSWERS"; }
jq() { command jq "$@" || { [[ $1 == -e* ]] && return 1; echo "@@ failed jq $*" >>"$ANSWERS"; }; }
`

// TestTheExamplesWork runs docs/examples.md, command by command, like a new
// user who has imported the demo orders: the service accepts everything.
func TestTheExamplesWork(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	o.knowsOslo(t)
	o.importOrders(t, ordersFrom(t, ""))
	folder := t.TempDir()
	rules, err := os.ReadFile("../demo/transformations.yaml")
	require.NoError(t, err)
	own := filepath.Join(folder, "transformations.yaml")
	require.NoError(t, os.WriteFile(own, []byte(strings.ReplaceAll(string(rules), "nordfrakt", o.slug)), 0o600))
	o.runDocument(t, "../docs/examples.md", nil, "demo/transformations.yaml", own,
		"labels.pdf", folder+"/labels.pdf", "/tmp/note.txt", folder+"/note.txt")
	labels, err := os.ReadFile(folder + "/labels.pdf")
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(labels[:4]))
}

// TestTheTutorialWorks runs docs/tutorial.md like a new user. The day passes
// faster than a person would want to watch it.
func TestTheTutorialWorks(t *testing.T) {
	t.Parallel()
	const secret = "a secret of the tutorial and its carrier"
	i := install(t, "work")
	require.NoError(t, i.start("serve", "WAYBILL_CARRIER_POSTNORD="+secret))
	require.NoError(t, i.ready(t.Context()))
	o := i.organization(t)
	admin := o.person(t, "admin")
	o.runDocument(t, "../docs/tutorial.md", []string{
		"WAYBILL_CARRIER_POSTNORD=" + secret,
		"WAYBILL_ADMIN_EMAIL=" + admin["email"], "WAYBILL_ADMIN_PASSPHRASE=" + admin["passphrase"],
	},
		"nordfrakt", o.slug, "--pace 60", "--pace 3600", ".local/cookies", filepath.Join(t.TempDir(), "cookies"))
}

// runDocument runs the commands of a document, with some of its words replaced, and expects the
// service and the program to take each of them.
func (o *organization) runDocument(t *testing.T, document string, environment []string, replaced ...string) {
	t.Helper()
	for _, needed := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("there is no %s on this machine, which the commands of %s need", needed, document)
		}
	}
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	script := strings.NewReplacer(append(replaced,
		". .local/waybill.env\n", "", "set -a; . .local/waybill.env; set +a\n", "", "alias wb=", "# ")...,
	).Replace(saying + wb + commandsIn(t, string(text)))
	answers := filepath.Join(t.TempDir(), "answers")
	run := exec.CommandContext(t.Context(), "bash", "-c", script)
	run.Dir, run.Env = "..", slices.Concat(o.environment(), []string{
		"PROGRAM=" + o.program, "WAYBILL_URL=http://" + o.address, "WAYBILL_API_KEY=" + o.key, "ANSWERS=" + answers,
	}, environment)
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
}
