package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"waybill/testing/stack"
)

// testOptions says which servers a command gets.
type testOptions struct {
	temporal string
	durable  bool
	waybill  string
}

func newTestCommand() *cobra.Command {
	var options testOptions
	cmd := &cobra.Command{
		Use:   "test [flags] -- COMMAND...",
		Short: "Run a command with temporary servers",
		Long: `Start a Postgres cluster and a Temporal server on free ports with their data in a
temporary folder, run the command, remove the servers and exit with the command's exit
code. The command gets these environment variables:

  WAYBILL_TEST_DATABASE_URL      URL of the database postgres, as superuser
  WAYBILL_TEST_TEMPORAL_ADDRESS  address of the Temporal server
  WAYBILL_TEST_TEMPORAL_CLI      path of the temporal program, to start more servers
  WAYBILL_BIN                    path of the waybill program`,
		Example: `  devstack test --temporal=postgres -- go test ./...
  devstack test --temporal=postgres --durable -- go run ./bench`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTest(cmd.Context(), options, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(
		&options.temporal, "temporal", temporalDev, "Temporal server: dev, postgres (for whole test runs) or none",
	)
	flags.BoolVar(&options.durable, "durable", false, "write to disk as in production, for benchmarks")
	flags.StringVar(&options.waybill, "waybill", "bin/waybill", "path of the waybill program")
	_ = cmd.RegisterFlagCompletionFunc("temporal",
		cobra.FixedCompletions([]string{temporalDev, temporalPostgres, temporalNone}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// The values of --temporal.
const (
	temporalDev      = "dev"
	temporalPostgres = "postgres"
	temporalNone     = "none"
)

// runTest starts the servers, runs the command and removes the servers.
func runTest(ctx context.Context, options testOptions, args []string) (err error) {
	var servers testServers
	defer func() { err = errors.Join(err, servers.close()) }()
	if err := servers.start(ctx, options); err != nil {
		return err
	}
	waybill, err := filepath.Abs(options.waybill)
	if err != nil {
		return fmt.Errorf("find waybill: %w", err)
	}
	environment := append(os.Environ(), servers.environment()...)
	environment = append(environment, "WAYBILL_BIN="+waybill)
	return runCommand(ctx, servers.group, args, environment)
}

// commandGrace is how long an interrupted command may take.
const commandGrace = 30 * time.Second

// runCommand runs a command until it ends, or a server does, or a person has
// had enough.
func runCommand(ctx context.Context, servers *stack.Group, args, environment []string) error {
	command, err := stack.Launch(stack.Command{
		Name: args[0], Path: args[0], Args: args[1:], Env: environment,
		StopSignal: syscall.SIGINT, Grace: commandGrace,
	})
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	go func() {
		<-command.Done()
		cancel()
	}()
	if err := servers.Wait(ended); err != nil {
		return errors.Join(err, command.Stop())
	}
	if ctx.Err() != nil {
		_ = command.Stop() // the status says it all
	}
	if status := command.ExitCode(); status != 0 {
		return exitStatus(status)
	}
	return nil
}

// testServers are the servers of one test run.
type testServers struct {
	group    *stack.Group
	postgres *stack.Postgres
	temporal temporalServer
}

// temporalServer is either kind of Temporal server.
type temporalServer interface {
	stack.Part
	Start(ctx context.Context) error
	Close() error
	Address() string
}

// start starts the requested servers.
func (s *testServers) start(ctx context.Context, options testOptions) error {
	s.group = stack.NewGroup()
	if err := s.prepare(options); err != nil {
		return err
	}
	starts, startCtx := errgroup.WithContext(ctx)
	starts.Go(func() error {
		if err := s.postgres.Start(startCtx); err != nil {
			return err
		}
		if options.temporal != temporalPostgres {
			return nil
		}
		return s.temporal.Start(startCtx)
	})
	if options.temporal == temporalDev {
		starts.Go(func() error { return s.temporal.Start(startCtx) })
	}
	if err := starts.Wait(); err != nil {
		return err
	}
	s.group.Add(s.postgres)
	if s.temporal != nil {
		s.group.Add(s.temporal)
	}
	return nil
}

// prepare creates the servers, without starting them.
func (s *testServers) prepare(options testOptions) error {
	pg, err := stack.NewPostgres(stack.PostgresOptions{NoSync: !options.durable})
	if err != nil {
		return err
	}
	s.postgres = pg
	switch options.temporal {
	case temporalNone:
		return nil
	case temporalDev:
		server, err := stack.NewTemporal(stack.TemporalOptions{NoSync: !options.durable})
		if err != nil {
			return err
		}
		s.temporal = server
	case temporalPostgres:
		server, err := stack.NewTemporalServer(pg)
		if err != nil {
			return err
		}
		s.temporal = server
	default:
		return fmt.Errorf("--temporal is %s; it must be %s, %s or %s", options.temporal, temporalDev, temporalPostgres, temporalNone)
	}
	return nil
}

// environment has the addresses of the servers for a command.
func (s *testServers) environment() []string {
	set := []string{"WAYBILL_TEST_DATABASE_URL=" + s.postgres.URL(stack.Superuser, stack.Maintenance)}
	if s.temporal != nil {
		set = append(set, "WAYBILL_TEST_TEMPORAL_ADDRESS="+s.temporal.Address())
	}
	if program, err := stack.FindTemporal(); err == nil {
		set = append(set, stack.TemporalProgramVariable+"="+program)
	}
	return set
}

// close stops the servers and forgets their data.
func (s *testServers) close() error {
	var errs []error
	if s.temporal != nil {
		errs = append(errs, s.temporal.Close())
	}
	if s.postgres != nil {
		errs = append(errs, s.postgres.Close())
	}
	return errors.Join(errs...)
}
