package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// skewVariable tells a program of skewedProgram by how many seconds its clock is fast.
const skewVariable = "WAYBILL_TEST_CLOCK_SKEW"

// skewedProgram builds waybill with a standard library whose time.Now is wrong. The
// monotonic clock, by which programs measure durations, is right.
func skewedProgram(t *testing.T, dir string) string {
	t.Helper()
	root := strings.TrimSpace(ran(t, "go", "env", "GOROOT"))
	source := filepath.Join(root, "src", "time", "time.go")
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	const right = "sec, nsec, mono := runtimeNow()\n\tif mono == 0 {\n\t\treturn Time{uint64(nsec), sec + unixToInternal, Local}"
	require.Contains(t, string(text), right)
	skewed := strings.Replace(string(text), right, strings.Replace(right, "\n", "\n\tsec += clockSkew\n", 1), 1) + `
var clockSkew = func() (seconds int64) {
	text, _ := syscall.Getenv("` + skewVariable + `")
	negative := len(text) > 0 && text[0] == '-'
	for _, digit := range text {
		if digit >= '0' && digit <= '9' {
			seconds = seconds*10 + int64(digit-'0')
		}
	}
	if negative {
		return -seconds
	}
	return seconds
}()
`
	skewed = strings.Replace(skewed, "import (\n", "import (\n\t\"syscall\"\n", 1)
	replaced, overlay, program := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "waybill-skewed")
	require.NoError(t, os.WriteFile(replaced, []byte(skewed), 0o600))
	require.NoError(t, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, source, replaced), 0o600))
	ran(t, "go", "build", "-overlay", overlay, "-o", program, "../cmd/waybill")
	return program
}

// ran runs a program and returns what it prints.
func ran(t *testing.T, program string, args ...string) string {
	t.Helper()
	printed, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", program, args, printed)
	return string(printed)
}
