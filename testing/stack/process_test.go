package stack_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/testing/stack"
)

func launch(t *testing.T, script string, grace time.Duration) *stack.Process {
	t.Helper()
	p, err := stack.Launch(stack.Command{
		Name: "the script", Path: "sh", Args: []string{"-c", script},
		Log: filepath.Join(t.TempDir(), "script.log"), Grace: grace,
	})
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

func TestProcess(t *testing.T) {
	t.Parallel()

	t.Run("SaysWhyItEndedWithTheEndOfItsLog", func(t *testing.T) {
		t.Parallel()
		p := launch(t, "echo cannot find the map; exit 7", time.Minute)
		<-p.Done()
		require.ErrorContains(t, p.Failure(), "the script stopped unexpectedly (exit status 7)")
		require.ErrorContains(t, p.Failure(), "cannot find the map")
		require.Equal(t, 7, p.ExitCode())
	})

	t.Run("EndingItOnPurposeIsNoFailure", func(t *testing.T) {
		t.Parallel()
		p := launch(t, "sleep 1000", time.Minute)
		require.NoError(t, p.Stop())
		require.NoError(t, p.Failure())
	})

	t.Run("IsKilledWhenItDoesNotStop", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "pid")
		p := launch(t, "trap '' TERM; echo $$ > "+file+"; while :; do sleep 0.01; done", 100*time.Millisecond)
		readPid(t, file)
		require.ErrorContains(t, p.Stop(), "was killed")
	})

	t.Run("TakesItsChildrenAlong", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "pid")
		p := launch(t, "sleep 1000 & echo $! > "+file+".part; mv "+file+".part "+file+"; wait", time.Minute)
		child := readPid(t, file)
		p.Kill()
		require.Eventually(t, func() bool { return gone(child) }, time.Minute, time.Millisecond)
	})
}

// readPid waits for a file with a process id.
func readPid(t *testing.T, file string) (pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, time.Minute, time.Millisecond)
	return pid
}

// gone reports whether a process has ended, reaped or not.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

// TestMain lets this program be the parent in the test below.
func TestMain(m *testing.M) {
	if file := os.Getenv("STACK_TEST_PARENT"); file != "" {
		p, err := stack.Launch(stack.Command{Name: "a child", Path: "sleep", Args: []string{"1000"}, Log: file + ".log"})
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, []byte(strconv.Itoa(p.Pid())+"\n"), 0o600); err != nil {
			panic(err)
		}
		select {}
	}
	os.Exit(m.Run())
}

func TestAChildEndsWhenItsParentIsKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a child of its parent's death")
	}
	file := filepath.Join(t.TempDir(), "pid")
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "STACK_TEST_PARENT="+file)
	require.NoError(t, parent.Start())
	child := readPid(t, file)
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	require.Eventually(t, func() bool { return gone(child) }, time.Minute, time.Millisecond)
}
