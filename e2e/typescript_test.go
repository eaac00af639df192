package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// make lint/typescript compiles the program in TypeScript. The test is skipped
// without it, or without Node; CI has both.
func TestAClientInTypeScript(t *testing.T) {
	t.Parallel()
	const program = "../tools/typescript/out/use.js"
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node on this machine, so the client in TypeScript is not used")
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("the client in TypeScript is not compiled: run make lint/typescript")
	}
	o := shared.organization(t)
	sent, err := json.Marshal([]object{newOrder("TS-1"), newOrder("TS-2", object{"pickup": nil})})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	use := exec.CommandContext(ctx, node, program)
	use.Env = append(os.Environ(),
		"WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key, "WAYBILL_ORDERS="+string(sent))
	use.Stderr = os.Stderr
	printed, err := use.Output()
	require.NoError(t, err)

	var saw struct {
		Outcomes  []string
		Cancelled []bool
		Changes   []string
		Refusal   string
	}
	require.NoError(t, json.Unmarshal(printed, &saw), string(printed))
	require.Len(t, saw.Outcomes, 2)
	require.Regexp(t, `^created TS-1 as \d+$`, saw.Outcomes[0])
	require.Equal(t, "draft of TS-2: STOP_MISSING", saw.Outcomes[1])
	require.Equal(t, []bool{true, false}, saw.Cancelled, "the second time it is refused by reason")
	require.Equal(t, []string{"TS-1 is registered", "TS-1 is cancelled"}, saw.Changes)
	require.Equal(t, "REQUEST_INVALID", saw.Refusal)
}
