package child_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/child"
)

// shell starts a script, and returns what it prints.
func shell(t *testing.T, script string) (*child.Process, *child.Output) {
	t.Helper()
	output := &child.Output{}
	cmd := exec.Command("sh", "-c", script)
	cmd.Stdout, cmd.Stderr = output, output
	p, err := child.Start(cmd, syscall.SIGKILL)
	require.NoError(t, err)
	t.Cleanup(func() { p.Stop(syscall.SIGKILL, 0) })
	return p, output
}

func TestAProgramSaysHowItEnded(t *testing.T) {
	t.Parallel()
	p, output := shell(t, "echo cannot find the map; exit 7")
	require.ErrorContains(t, p.Wait(t.Context(), syscall.SIGTERM, time.Minute), "exit status 7")
	require.Equal(t, "cannot find the map", output.Last())
	_, killed := p.KilledBy()
	require.False(t, killed)
	require.Positive(t, p.Memory())

	p, _ = shell(t, "kill -9 $$")
	require.Error(t, p.Wait(t.Context(), syscall.SIGTERM, time.Minute))
	signal, killed := p.KilledBy()
	require.True(t, killed)
	require.Equal(t, syscall.SIGKILL, signal)
}

func TestAProgramIsStoppedWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p, _ := shell(t, "sleep 1000")
	cancel()
	require.ErrorIs(t, p.Wait(ctx, syscall.SIGTERM, time.Minute), context.Canceled)
	signal, _ := p.KilledBy()
	require.Equal(t, syscall.SIGTERM, signal)
}

func TestAProgramYields(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows it in /proc")
	}
	p, _ := shell(t, "sleep 1000")
	require.NoError(t, p.Yield())
	score, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", p.Pid()))
	require.NoError(t, err)
	require.Equal(t, "1000", strings.TrimSpace(string(score)))
	priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, p.Pid())
	require.NoError(t, err)
	require.Equal(t, 20-10, priority, "the system call counts down from 20")
}

func TestOutputKeepsTheLastLines(t *testing.T) {
	t.Parallel()
	var percents []string
	output := &child.Output{Keep: func(line string) bool {
		if strings.HasSuffix(line, "%") {
			percents = append(percents, line)
			return false
		}
		return true
	}}
	_, _ = fmt.Fprint(output, "first\n10%\r20")
	_, _ = fmt.Fprint(output, "%\r\n\nlast")
	require.Equal(t, "first\nlast", output.Last())
	require.Equal(t, []string{"10%", "20%"}, percents)
	for n := range 10_000 {
		_, _ = fmt.Fprintf(output, "line %d\n", n)
	}
	last := output.Last()
	require.True(t, strings.HasPrefix(last, "line 9"), last)
	require.True(t, strings.HasSuffix(last, "line 9999"), last)
	require.LessOrEqual(t, len(last), child.TailBytes)
}
