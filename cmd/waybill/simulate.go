package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/domain/fault"
	"waybill/domain/simulation"
	"waybill/internal/wait"
	"waybill/operations/sandbox"
	"waybill/store"
	"waybill/workflows"
)

// simulate selects the day of a sandbox to simulate, and the pace.
type simulate struct {
	org, date       string
	trouble         string
	pace, incidents int
	realistic       bool
}

func newSimulateCommand() *cobra.Command {
	var s simulate
	cmd := &cobra.Command{
		Use:   "simulate --org SLUG",
		Short: "Simulate a day of a sandbox's drivers",
		Long: `Simulate a day of a sandbox's drivers, starting now, and show the progress until the day
is over. Ctrl-C stops the display, but not the run.

The end of an order's number decides what happens to it: -FAIL and -NOTHOME fail, -LATE
is 45 minutes late, and -OFFLINE leaves the phone without a signal. With --trouble usual,
drivers also wait at doors, deliver out of sequence, set out early, find goods that are
not ready, and have goods refused. With --realistic, driving takes longer in rush hours than
the road data says, docks take longer than planned, and drivers differ: the service learns that
within some weeks.

To make an organization a sandbox, set settings: {sandbox: true} in its YAML file.`,
		Example: "  waybill simulate --org nordfrakt --pace 60\n" +
			"  waybill simulate --org nordfrakt --date 2026-03-02 --pace 240 --incidents 10",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, s.org, func(of tenant) error { return s.run(cmd, of) })
		},
	}
	orgFlags(cmd, &s.org, nil)
	flags := cmd.Flags()
	flags.StringVar(&s.date, "date", "", "day to simulate, such as 2026-03-02 (default the first day with planned orders)")
	flags.IntVar(&s.pace, "pace", sandbox.UsualSandboxPace, "planned minutes per real minute")
	flags.IntVar(&s.incidents, "incidents", 0, "percentage of orders with an incident, regardless of their numbers")
	flags.StringVar(&s.trouble, "trouble", "usual", "how much else goes wrong: none, usual or much")
	flags.BoolVar(&s.realistic, "realistic", false, "have rush hours, slow docks and different drivers that no plan knows")
	return cmd
}

// ask reads what is asked for.
func (s simulate) ask() (sandbox.SandboxAsk, error) {
	ask := sandbox.SandboxAsk{
		Pace: s.pace, Incidents: s.incidents, Trouble: simulation.Trouble(strings.ToUpper(s.trouble)), Realistic: s.realistic,
	}
	switch {
	case !slices.Contains(simulation.Troubles(), ask.Trouble):
		return ask, fmt.Errorf("--trouble is %q; it must be none, usual or much", s.trouble)
	case s.pace < 1 || s.pace > sandbox.FastestSandboxPace:
		return ask, fmt.Errorf("--pace is %d; it must be from 1 to %d", s.pace, sandbox.FastestSandboxPace)
	case s.incidents < 0 || s.incidents > 100:
		return ask, fmt.Errorf("--incidents is %d; it must be from 0 to 100", s.incidents)
	case s.date == "":
		return ask, nil
	}
	day, err := time.Parse(time.DateOnly, s.date)
	if err != nil {
		return ask, fmt.Errorf("--date is %q; it must be a day such as 2026-03-02", s.date)
	}
	ask.Day = &day
	return ask, nil
}

func (s simulate) run(cmd *cobra.Command, of tenant) error {
	ask, err := s.ask()
	if err != nil {
		return err
	}
	run, started, err := of.operations.Sandbox.StartSandboxRun(cmd.Context(), of.by, ask)
	if err != nil {
		return whyNotDriven(err, s.org)
	}
	if err := startSimulation(cmd.Context(), of, &run); err != nil {
		return err
	}
	out, day := cmd.OutOrStdout(), run.Day.Format(time.DateOnly)
	if !started {
		say(out, "The run of %s is already in progress, at pace %d.", day, run.Pace)
	} else {
		say(out, "Started the run of %s, at pace %d.", day, run.Pace)
	}
	if run, err = watch(cmd.Context(), out, of, run.ID); err != nil || run.State == simulation.Running {
		return err
	}
	say(out, "%s", s.next(&run))
	return nil
}

// whyNotDriven explains in plain words why no day can be simulated.
func whyNotDriven(err error, org string) error {
	var unfit *fault.Error
	if !errors.As(err, &unfit) {
		return err
	}
	switch unfit.Text.ID {
	case "sandbox.none":
		return fmt.Errorf("%s is not a sandbox: set `settings: {sandbox: true}` in its YAML file", org)
	case "sandbox.busy":
		return fmt.Errorf("a run of %s is in progress; only one day can run at a time", unfit.Text.Args["day"])
	case "sandbox.nothing":
		return errors.New("no orders to deliver today or later: import some, for example with demo/orders.sh")
	case "request.unprocessable":
		return errors.New("the day is over")
	}
	return err
}

// startSimulation starts the workflow of a run.
func startSimulation(ctx context.Context, of tenant, run *store.SandboxRun) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	temporal, err := awaitTemporal(ctx, c, of.operations)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return workflows.StartSimulation(ctx, workflows.Naming(temporal, of.store.WorkflowName), workflows.SimulationInput{
		OrgID: run.OrgID, RunID: run.ID, Date: run.Day.Format(time.DateOnly), Pace: run.Pace,
	}, "")
}

// watch prints changes of a run's progress, until it ends or is interrupted.
func watch(ctx context.Context, out io.Writer, of tenant, id int64) (store.SandboxRun, error) {
	const look = time.Second
	var last string
	for {
		run, err := of.operations.Sandbox.SandboxRun(ctx, of.by.OrgID, id)
		if err != nil {
			if ctx.Err() != nil {
				err = nil
			}
			return store.SandboxRun{Run: run.Run, State: simulation.Running}, err
		}
		if line := progressOf(&run); line != last {
			last = line
			say(out, "%6.0f s  %s", time.Since(run.Started).Seconds(), line)
		}
		if run.State != simulation.Running || !wait.For(ctx, look) {
			return run, nil
		}
	}
}

// progressOf is one line about a run.
func progressOf(r *store.SandboxRun) string {
	n := r.Orders
	line := fmt.Sprintf("%d of %d drivers on the road · %d delivered, %d failed, %d under way, %d to come",
		r.OnTheRoad, r.Drivers, n.Delivered, n.Failed, n.UnderWay, n.Planned)
	if n.Waiting > 0 {
		line += fmt.Sprintf(", %d waiting to be planned", n.Waiting)
	}
	if n.LeftOver > 0 {
		line += fmt.Sprintf(", %d left over", n.LeftOver)
	}
	return line
}

// next prints what to do after a simulated day.
func (s simulate) next(r *store.SandboxRun) string {
	day := r.Day.Format(time.DateOnly)
	if r.State == simulation.Stopped {
		return fmt.Sprintf("The run was stopped. To continue it, run the same command with --date %s.", day)
	}
	if r.Orders.Delivered+r.Orders.Failed == 0 {
		return fmt.Sprintf("No driver had a route: see GET /v2/plans/%s, or choose another day with --date.", day)
	}
	return fmt.Sprintf(`The run of %s is finished. To see the results:

  status changes          GET /v2/orders/summary/orderstatusfeed
  an order with its stops GET /v1/orders/internal/NUMBER?loads=OrderLocations
  its proof of completion GET /v2/orders/ORDER/completion-proof
  its messages            POST /v1/order-notifications-log

  waybill proofs verify --org %s`, day, s.org)
}
