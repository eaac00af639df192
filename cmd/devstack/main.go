// Command devstack runs Waybill on one machine: a private Postgres, a Temporal
// dev server and a mailbox, for people (`make run`), for the tests (`make test`)
// and for the benchmarks.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	err := newCommand().ExecuteContext(interruptible())
	var status exitStatus
	switch {
	case err == nil:
	case errors.As(err, &status):
		os.Exit(int(status))
	default:
		fmt.Fprintln(os.Stderr, "devstack: "+err.Error())
		os.Exit(1)
	}
}

// interruptible is a context that ends at Ctrl-C or a similar signal. Later
// signals have no effect: the shutdown is orderly, with a time limit.
func interruptible() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		stop()
	}()
	return ctx
}

// exitStatus is the status of a command that devstack ran, which it passes on.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "devstack",
		Short:         "Run Waybill and everything it needs on this machine",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(newRunCommand(), newTestCommand(), newCleanCommand())
	return cmd
}
