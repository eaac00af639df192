// Command waybill is the program: the API (serve), the workers (work), and the
// commands of operators (migrate, apply, keys, config). It wires everything
// together, and has no rules of its own.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "waybill:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return newCommand().ExecuteContext(ctx)
}
