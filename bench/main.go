// Command bench measures Waybill's speed compared with that of its engines,
// doing the least that the job needs. Every figure is a ratio of two
// measurements taken in turns, in one run, against the same servers: README.md
// explains each. It is a measurement, not a test: a missed target is only
// shown. A failed measurement does not stop the others; the exit code is 1
// then.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// gcPercent makes this process collect garbage rarely, because it shares two
// cores with everything that is measured.
const gcPercent = 400

func run() (err error) {
	options, err := readOptions()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if options.bareAddress != "" {
		return serveBare(ctx, options.bareAddress)
	}
	if options.day {
		return oneLongDay(ctx, options)
	}
	debug.SetGCPercent(gcPercent)
	s, err := openSite(ctx, options.sizes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	results, failed := measure(ctx, s, measurements, options.only)
	if options.asJSON {
		return errors.Join(failed, printJSON(os.Stdout, results))
	}
	return errors.Join(failed, printTable(os.Stdout, results))
}

// measurement takes one or more figures.
type measurement struct {
	name string
	take func(context.Context, *site) ([]result, error)
}

// measurements are all measurements, in the order in which they run: reads use
// the orders of the imports.
var measurements = []measurement{
	{"imports", measureImports},
	{"rules", measureRules},
	{"small-imports", measureSmallImports},
	{"reads", measureReads},
	{"people", measurePeople},
	{"neighbors", measureNeighbors},
	{"held-bodies", measureHeldBodies},
	{"many-orders", measureManyOrders},
	{"days", measureDays},
	{"growth", measureGrowth},
	{"bookings", measureBookings},
	{"feed", measureFeed},
	{"looks", measureLooks},
	{"recurring", measureRecurring},
	{"idle-templates", measureIdleTemplates},
	{"acknowledgements", measureAcknowledgements},
	{"export-feed", measureExportFeed},
	{"exported-imports", measureImportsOfExported},
	{"notifications", measureNotifications},
	{"notification-log", measureNotificationLog},
	{"idle-notifications", measureIdleNotifications},
	{"push", measureWebhooks},
	{"places", measurePlaces},
	{"plans", measurePlans},
	{"terminal", measureTerminal},
	{"busy-day", measureBusyDay},
	{"driving", measureDriving},
	{"planning", measurePlanning},
	{"costs", measureCosts},
	{"importers", measureImporters},
	{"restart", measureRestart},
}

// measure takes all figures, or only those of the named measurements. A failed
// one does not stop the others; the error names all that failed.
func measure(ctx context.Context, s *site, all []measurement, only []string) ([]result, error) {
	var results []result
	var failed error
	for _, m := range all {
		if len(only) > 0 && !slices.Contains(only, m.name) {
			continue
		}
		if ctx.Err() != nil {
			return results, errors.Join(failed, ctx.Err())
		}
		taken, err := m.take(ctx, s)
		if err != nil {
			note("%s failed: %v", m.name, err)
			failed = errors.Join(failed, fmt.Errorf("measure %s: %w", m.name, err))
		}
		results = append(results, taken...)
	}
	return results, failed
}

// options are the command line flags.
type options struct {
	sizes       sizes
	only        []string
	asJSON      bool
	bareAddress string
	// day has a day driven instead of measuring anything.
	day     bool
	trouble string
	// realistic has the day differ from the plan.
	realistic bool
	pace      int
}

func readOptions() (options, error) {
	var o options
	quick := flag.Bool("quick", false, "small sizes, to see that everything works; the figures mean little")
	busyFor := flag.Duration("busy-for", 0, "for how long the drivers of busy-day tap, instead of the usual time")
	only := flag.String("only", "", "comma-separated names of measurements: "+strings.Join(names(), ", "))
	flag.BoolVar(&o.asJSON, "json", false, "print JSON")
	flag.StringVar(&o.bareAddress, "serve-bare", "", "be the bare server of the reads at this address")
	flag.BoolVar(&o.day, "day", false, "have a sandbox drive a day of 400 orders instead, and fail where something is lost or told twice")
	flag.BoolVar(&o.realistic, "realistic", false, "with -day: have rush hours, slow docks and different drivers")
	flag.StringVar(&o.trouble, "trouble", "USUAL", "with -day: how much goes wrong, NONE, USUAL or MUCH")
	flag.IntVar(&o.pace, "pace", 100, "with -day: planned minutes per real minute")
	flag.Parse()
	if flag.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", flag.Arg(0))
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	for _, name := range o.only {
		if !slices.Contains(names(), name) {
			return o, fmt.Errorf("unknown measurement %q; must be one of: %s", name, strings.Join(names(), ", "))
		}
	}
	o.sizes = full
	if *quick {
		o.sizes = small
	}
	if *busyFor > 0 {
		o.sizes.BusyFor = *busyFor
	}
	return o, nil
}

func names() []string {
	all := make([]string, len(measurements))
	for i, m := range measurements {
		all[i] = m.name
	}
	return all
}
