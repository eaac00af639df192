package e2e_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shellBlocks are the commands that a document shows.
var shellBlocks = regexp.MustCompile("(?s)```sh\n(.*?)```")

// wb is the documentation's short name for curl.
const wb = `wb() { curl -s -H "Authorization: apikey $WAYBILL_API_KEY" -H "Content-Type: application/json" "$@"; }` + "\n"

// commandsIn are the commands of a text.
func commandsIn(t *testing.T, text string) string {
	t.Helper()
	var commands []string
	for _, block := range shellBlocks.FindAllStringSubmatch(text, -1) {
		commands = append(commands, block[1])
	}
	require.NotEmpty(t, commands)
	return strings.Join(commands, "\n")
}

// commandsOf are the commands of a section of a document.
func commandsOf(t *testing.T, document, section string) string {
	t.Helper()
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n"+section+"\n")
	require.True(t, found, section)
	body, _, _ := strings.Cut(rest, "\n## ")
	return commandsIn(t, body)
}

// TestTheGuideTestsAWholeDelivery follows the guide for integrators, word by
// word, from the import to the proof.
func TestTheGuideTestsAWholeDelivery(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	script := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c",
		wb+commandsOf(t, "../docs/integrating.md", "## 8. Test a whole delivery"))
	script.Env = append(os.Environ(), "WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key)
	script.Dir = t.TempDir()
	printed, err := script.CombinedOutput()
	require.NoError(t, err, string(printed))
	// The guide uses tomorrow by the caller's clock, which may be today in
	// Oslo.
	require.Regexp(t, `\{"date":"\d{4}-\d{2}-\d{2}","state":"RUNNING"\}`, string(printed))
	for _, line := range []string{
		`"externalId":"TRY-5-OFFLINE","orderStatusId":1`,
		`{"state":"DONE","orders":{"delivered":3,"failed":2,"leftOver":0,"planned":0,"total":5,"underWay":0,"waiting":0}}`,
		"TRY-1\tat_delivery", "TRY-2-FAIL\tfailed", "TRY-4-LATE\tdelivered", "TRY-5-OFFLINE\tdelivered",
		`["ORDER_CREATED","sent"]`,
		`{"stop":"delivery","status":"delivered","town":"Oslo"}`,
		`{"proofType":"IN_PERSON","signee":"Kari Nordmann"}`,
		`["TRY-2-FAIL",null,"The goods are damaged."]`, `["TRY-3-NOTHOME",null,"Nobody was at home."]`,
	} {
		require.Contains(t, string(printed), line, string(printed))
	}
}
