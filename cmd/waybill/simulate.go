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
	"waybill/operations"
	"waybill/store"
	"waybill/workflows"
)

// simulate says which day of a sandbox is driven, and how fast.
type simulate struct {
	org, date       string
	trouble         string
	pace, incidents int
}

func newSimulateCommand() *cobra.Command {
	var s simulate
	cmd := &cobra.Command{
		Use:   "simulate --org SLUG",
		Short: "Simulates the drivers of a sandbox for a day",
		Long: `Simulates the drivers of a sandbox for a day by themselves, beginning
now, and says how far they are until all is done. Ctrl-C ends the watching, and not
the day.

How an order's number ends decides what happens to it: -FAIL and -NOTHOME fail, -LATE
comes 45 minutes later, and at -OFFLINE the telephone has no signal. With the usual
trouble drivers also wait at doors, deliver out of sequence, set out early, find
goods that are not ready, and have goods refused.

An organization is a sandbox when its document says so: settings: {sandbox: true}.`,
		Example: "  waybill simulate --org nordfrakt --pace 60\n" +
			"  waybill simulate --org nordfrakt --date 2026-03-02 --pace 240 --incidents 10",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, s.org, func(of tenant) error { return s.run(cmd, of) })
		},
	}
	orgFlags(cmd, &s.org, nil)
	flags := cmd.Flags()
	flags.StringVar(&s.date, "date", "", "the day, such as 2026-03-02; the first with something to drive when it is left out")
	flags.IntVar(&s.pace, "pace", operations.UsualSandboxPace, "how many minutes of the plan pass in one")
	flags.IntVar(&s.incidents, "incidents", 0, "how many orders in a hundred meet with an incident, whatever their numbers")
	flags.StringVar(&s.trouble, "trouble", "usual", "how much goes wrong besides that: none, usual or much")
	return cmd
}

// ask reads what is asked for.
func (s simulate) ask() (operations.SandboxAsk, error) {
	ask := operations.SandboxAsk{Pace: s.pace, Incidents: s.incidents, Trouble: simulation.Trouble(strings.ToUpper(s.trouble))}
	switch {
	case !slices.Contains(simulation.Troubles(), ask.Trouble):
		return ask, fmt.Errorf("--trouble is %q; it must be none, usual or much", s.trouble)
	case s.pace < 1 || s.pace > operations.FastestSandboxPace:
		return ask, fmt.Errorf("--pace is %d; it must be from 1 to %d", s.pace, operations.FastestSandboxPace)
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
	run, started, err := of.operations.StartSandboxRun(cmd.Context(), of.by, ask)
	if err != nil {
		return whyNotDriven(err, s.org)
	}
	if err := startSimulation(cmd.Context(), of, &run); err != nil {
		return err
	}
	out, day := cmd.OutOrStdout(), run.Day.Format(time.DateOnly)
	if !started {
		say(out, "%s is being driven already, at pace %d.", day, run.Pace)
	} else {
		say(out, "The drivers of %s set out, at pace %d.", day, run.Pace)
	}
	if run, err = watch(cmd.Context(), out, of, run.ID); err != nil || run.State == simulation.Running {
		return err
	}
	say(out, "%s", s.next(&run))
	return nil
}

// whyNotDriven says in plain words why no day can be driven.
func whyNotDriven(err error, org string) error {
	var unfit *fault.Error
	if !errors.As(err, &unfit) {
		return err
	}
	switch unfit.Text.ID {
	case "sandbox.none":
		return fmt.Errorf("%s is no sandbox: its document must say `settings: {sandbox: true}`", org)
	case "sandbox.busy":
		return fmt.Errorf("%s is being driven; only one day can be at a time", unfit.Text.Args["day"])
	case "sandbox.nothing":
		return errors.New("there is no order to drive, today or later: import some, such as with demo/orders.sh")
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
	temporal, err := connectTemporal(ctx, c, of.operations)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return workflows.StartSimulation(ctx, workflows.Naming(temporal, of.store.WorkflowName), workflows.SimulationInput{
		OrgID: run.OrgID, RunID: run.ID, Date: run.Day.Format(time.DateOnly), Pace: run.Pace,
	}, "")
}

// watch prints how far a run is, whenever that is news, until it is over or nobody
// watches any more.
func watch(ctx context.Context, out io.Writer, of tenant, id int64) (store.SandboxRun, error) {
	const look = time.Second
	var last string
	for {
		run, err := of.operations.SandboxRun(ctx, of.by.OrgID, id)
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
	line := fmt.Sprintf("%d of %d on the road · %d delivered, %d failed, %d under way, %d to come",
		r.OnTheRoad, r.Drivers, n.Delivered, n.Failed, n.UnderWay, n.Planned)
	if n.Waiting > 0 {
		line += fmt.Sprintf(", %d wait for the plan", n.Waiting)
	}
	if n.LeftOver > 0 {
		line += fmt.Sprintf(", %d left over", n.LeftOver)
	}
	return line
}

// next is what to do when a day is driven.
func (s simulate) next(r *store.SandboxRun) string {
	day := r.Day.Format(time.DateOnly)
	if r.State == simulation.Stopped {
		return fmt.Sprintf("It was stopped. The same command with --date %s goes on.", day)
	}
	if r.Orders.Delivered+r.Orders.Failed == 0 {
		return fmt.Sprintf("Nobody had anything to drive: see GET /v2/plans/%s, or name another day with --date.", day)
	}
	return fmt.Sprintf(`%s is done. What came of it:

  changes of status       GET /v2/orders/summary/orderstatusfeed
  an order, stop by stop  GET /v1/orders/internal/NUMBER?loads=OrderLocations
  who signed for it       GET /v2/orders/ORDER/completion-proof
  the messages of it      POST /v1/order-notifications-log

  waybill proofs verify --org %s`, day, s.org)
}
