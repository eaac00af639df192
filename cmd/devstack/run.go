package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"waybill/testing/stack"
)

const defaultState = ".local"

// runOptions says what to run, and for whom.
type runOptions struct {
	state        string
	waybill      string
	document     string
	extract      string
	organization string
}

func newRunCommand() *cobra.Command {
	var options runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run Waybill with a demo organization until Ctrl-C",
		Long: `Start Postgres, Temporal, a mailbox and a fake SMS provider, update the schema, build the region of central
Oslo, apply the demo organization, start the API, the worker and the roads, and print their addresses. The data stays in the state folder for the next run.

The environment is passed on to waybill. To change ports, set WAYBILL_HTTP_ADDR,
WAYBILL_WORK_HTTP_ADDR, WAYBILL_ROADS_HTTP_ADDR, WAYBILL_POSTGRES_PORT, WAYBILL_TEMPORAL_PORT,
WAYBILL_TEMPORAL_UI_PORT, WAYBILL_SMTP_PORT, WAYBILL_MAILBOX_PORT or
WAYBILL_SMS_PORT.
This command sets DATABASE_URL, DATABASE_MIGRATE_URL and TEMPORAL_ADDRESS.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStack(cmd.Context(), options) },
	}
	flags := cmd.Flags()
	flags.StringVar(&options.state, "state", defaultState, "folder for the data of this machine")
	flags.StringVar(&options.waybill, "waybill", "bin/waybill", "path of the waybill program")
	flags.StringVar(&options.document, "apply", "demo/organization.yaml", "YAML file of the demo organization")
	flags.StringVar(&options.extract, "region", "demo/regions/oslo-center.osm.pbf", "extract of the region to build; empty for none")
	flags.StringVar(&options.organization, "org", "nordfrakt", "slug of the organization in that file, which gets an API key")
	return cmd
}

// run is one `make run`.
type run struct {
	options  runOptions
	settings settings
	state    *state
	file     environmentFile
	progress progress
	group    *stack.Group
	postgres *stack.Postgres
	temporal *stack.Temporal
	mailbox  *stack.Mailbox
	sms      *stack.SMS
	waybill  waybill
	tools    regionTools
}

// partEnded is the cause of a run that nobody stopped.
type partEnded struct{ error }

// runStack runs everything until ctx ends or a part does.
func runStack(ctx context.Context, options runOptions) (err error) {
	r, err := newRun(options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.state.close()) }()
	runCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		if ended := r.group.Wait(runCtx); ended != nil {
			cancel(partEnded{ended})
		}
	}()
	err = r.start(runCtx)
	if err == nil {
		<-runCtx.Done()
	}
	stopped := r.stop()
	var ended partEnded
	switch {
	case errors.As(context.Cause(runCtx), &ended):
		return errors.Join(ended, stopped)
	case ctx.Err() != nil:
		return stopped // as a person wished
	default:
		return errors.Join(err, stopped)
	}
}

// newRun checks everything that may be missing or in the way.
func newRun(options runOptions) (*run, error) {
	r := &run{options: options, group: stack.NewGroup(), progress: newProgress(os.Stderr)}
	if _, err := os.Stat(options.waybill); err != nil {
		return nil, fmt.Errorf("%s not found: build it with `make build`", options.waybill)
	}
	_, postgresErr := stack.FindPostgres()
	_, temporalErr := stack.FindTemporal()
	if err := errors.Join(postgresErr, temporalErr); err != nil {
		return nil, err
	}
	var err error
	if r.settings, err = loadSettings(); err != nil {
		return nil, err
	}
	if r.state, err = openState(options.state); err != nil {
		return nil, err
	}
	r.tools = findRegionTools()
	r.file = readEnvironmentFile(r.state.path("waybill.env"))
	if err := r.prepare(); err != nil {
		return nil, errors.Join(err, r.state.close())
	}
	return r, nil
}

// prepare creates the servers, without starting them.
func (r *run) prepare() (err error) {
	r.postgres, err = stack.NewPostgres(stack.PostgresOptions{
		Dir: r.state.path("pg"), Port: r.settings.PostgresPort, Log: r.log("postgres"),
	})
	if err != nil {
		return err
	}
	r.temporal, err = stack.NewTemporal(stack.TemporalOptions{
		Port: r.settings.TemporalPort, UIPort: r.settings.TemporalUIPort, Namespace: r.settings.Namespace,
		DBFile: r.state.path("temporal.db"), Log: r.log("temporal"),
	})
	if err != nil {
		return err
	}
	r.mailbox, err = stack.NewMailbox(stack.MailboxOptions{
		Dir: r.state.path("mailbox"), SMTPPort: r.settings.SMTPPort, HTTPPort: r.settings.MailboxPort,
	})
	if err != nil {
		return err
	}
	r.sms, err = stack.NewSMS(stack.SMSOptions{Port: r.settings.SMSPort, File: r.state.path("sms.json")})
	return err
}

func (r *run) log(name string) string { return r.state.path(filepath.Join("logs", name+".log")) }

// start starts everything and prints the addresses.
func (r *run) start(ctx context.Context) error {
	if err := requireFreePorts(r.settings.ports()); err != nil {
		return err
	}
	if err := r.startServers(ctx); err != nil {
		return err
	}
	variables, err := r.describe()
	if err != nil {
		return err
	}
	r.waybill = newWaybill(r.options.waybill, r.settings, variables)
	if err := r.prepareData(ctx); err != nil {
		return err
	}
	if err := r.prepareRegion(ctx); err != nil {
		return err
	}
	if err := r.startWaybill(ctx); err != nil {
		return err
	}
	key, err := r.key(ctx)
	if err != nil {
		return err
	}
	people, err := r.people(ctx)
	if err != nil {
		return err
	}
	variables = append(variables, variable{apiKeyVariable, key})
	if err := r.file.write(append(variables, people...)); err != nil {
		return err
	}
	r.print(os.Stdout, key, people)
	return nil
}

// startServers starts Waybill's dependencies concurrently.
func (r *run) startServers(ctx context.Context) error {
	starts, ctx := errgroup.WithContext(ctx)
	begin := func(name string, part stack.Part, start func(context.Context) error) {
		starts.Go(func() error {
			err := r.progress.step(name, func() error { return start(ctx) })
			if err == nil {
				r.group.Add(part)
			}
			return err
		})
	}
	begin("Postgres", r.postgres, r.postgres.Start)
	begin("Temporal", r.temporal, r.temporal.Start)
	begin("Mailbox", r.mailbox, r.mailbox.Start)
	begin("Text messages", r.sms, r.sms.Start)
	return starts.Wait()
}

// prepareData brings the databases to where Waybill can work.
func (r *run) prepareData(ctx context.Context) error {
	return r.progress.step("Schema and demo organization", func() error {
		if _, err := r.postgres.EnsureDatabase(ctx, database, ownerRole); err != nil {
			return err
		}
		if _, err := r.waybill.call(ctx, "migrate"); err != nil {
			return err
		}
		_, err := r.waybill.call(ctx, "apply", "-f", r.options.document)
		return err
	})
}

// waybillGrace is longer than waybill's own grace period for requests and
// activities.
const waybillGrace = 70 * time.Second

// startWaybill starts the worker and the API. The API is stopped first, while
// the worker can still answer its last requests.
func (r *run) startWaybill(ctx context.Context) error {
	return r.progress.step("API and worker", func() error {
		parts := []struct{ name, verb string }{{"the worker", "work"}, {"the API", "serve"}}
		if r.hasRoads() {
			parts = append([]struct{ name, verb string }{{"the roads", "roads"}}, parts...)
		}
		for _, part := range parts {
			process, err := stack.Launch(stack.Command{
				Name: part.name, Path: r.waybill.path, Args: []string{part.verb},
				Env: r.waybill.environment, Log: r.log(part.verb), Grace: waybillGrace,
			})
			if err != nil {
				return err
			}
			r.group.Add(process)
		}
		return r.waybill.ready(ctx)
	})
}

// key is the demo organization's API key: the last run's while it works, or a
// new one.
func (r *run) key(ctx context.Context) (string, error) {
	if key := r.file.previous[apiKeyVariable]; key != "" {
		works, err := r.waybill.accepts(ctx, key)
		if works || err != nil {
			return key, err
		}
	}
	return r.waybill.call(ctx, "keys", "create", "--org", r.options.organization, "--name", "demo")
}

// stop ends everything in the reverse order.
func (r *run) stop() error {
	r.progress.say("Stopping")
	return r.group.Stop()
}
