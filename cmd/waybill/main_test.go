package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const actAsProgram = "WAYBILL_TEST_ACT_AS_PROGRAM"

// TestMain lets this test binary act as the program, so that tests run real
// processes, each with its own environment.
func TestMain(m *testing.M) {
	if os.Getenv(actAsProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the program with only the given environment.
func program(t *testing.T, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append([]string{actAsProgram + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, environment...)
	return cmd
}

// outcome is the result of a run of the program.
type outcome struct {
	stdout, stderr string
	status         int
}

func runProgram(t *testing.T, environment []string, args ...string) outcome {
	t.Helper()
	return finish(t, program(t, environment, args...))
}

func finish(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		require.NoError(t, err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}
