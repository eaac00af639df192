package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"waybill/api/contract"
)

// hostFault is what happens to a host, for a time, and how that ends.
type hostFault struct {
	name  string
	lasts time.Duration
	begin func(t *testing.T, s *site, host string)
	end   func(t *testing.T, s *site, host string)
	// away is whether the host does nothing meanwhile.
	away bool
}

var hostFaults = []hostFault{
	{
		name: "cut", lasts: 20 * time.Second, away: true,
		begin: func(_ *testing.T, s *site, host string) { s.hosts[host].Cut() },
		end:   func(_ *testing.T, s *site, host string) { s.hosts[host].Heal() },
	},
	{
		name: "slow", lasts: 30 * time.Second,
		begin: func(_ *testing.T, s *site, host string) { s.hosts[host].Slow(200*time.Millisecond, 0.05) },
		end:   func(_ *testing.T, s *site, host string) { s.hosts[host].Heal() },
	},
	{
		name: "freeze", lasts: time.Minute, away: true,
		begin: func(t *testing.T, s *site, host string) {
			t.Helper()
			require.NoError(t, s.hosts[host].Signal(unix.SIGSTOP))
		},
		end: func(t *testing.T, s *site, host string) {
			t.Helper()
			require.NoError(t, s.hosts[host].Signal(unix.SIGCONT))
		},
	},
	{
		name: "kill", lasts: 10 * time.Second, away: true,
		begin: func(t *testing.T, s *site, host string) {
			t.Helper()
			require.NoError(t, s.crash(host))
		},
		end: func(t *testing.T, s *site, host string) {
			t.Helper()
			require.NoError(t, s.run(host))
		},
	},
}

// alone are the hosts without which nothing answers, or no import. Their faults are
// measured from their end.
var alone = []string{"proxy", "postgres-a", "frontend", "history", "matching"}

// calm is how long the site is watched after a fault.
const calm = 15 * time.Second

// measured is what callers noticed of a fault.
type measured struct {
	fault, host string
	// Longest times without an answer, and without a place for an event.
	reads, imports, relay time.Duration
}

// TestHosts cuts off, slows down, freezes and kills each host of a site in turn, under
// load; then it promotes the standby, and runs programs whose clock is wrong. Nothing
// may be lost or doubled. It prints how long callers had no answer.
//
// WAYBILL_TEST_HOSTS=all has all faults, and work-a/kill,promote only some.
func TestHosts(t *testing.T) {
	chosen := os.Getenv(hostsVariable)
	if chosen == "" {
		t.Skip("make test/hosts runs it, as root")
	}
	s := newSite(t)
	load := newLoad(t, s, demoOrganization(t))
	load.plans = s.organization(t)
	load.receives(t)
	day := s.organization(t)
	day.readyToDrive(t, 40)
	steps := chosenSteps(strings.Split(chosen, ","))
	day.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": paceOf(steps)})

	stop := s.under(t, load)
	table := []measured{watched(t, load, "none", "", func() {}, func() {}, 0, false)}
	for _, step := range steps {
		t.Log(time.Now().Format(time.TimeOnly), step.name)
		table = append(table, step.do(t, s, load)...)
	}
	stop()
	t.Log(tableOf(table))

	load.requireAll(t)
	require.Equal(t, contract.SandboxRunStateDONE, day.awaitDriven(t, tomorrow()).State)
	require.Zero(t, one[int](t, s.installation, "select count(*) from orders where org_id = $1 and status_id not in (6, 7, 8)", day.id))
	require.Zero(t, one[int](t, s.installation,
		"select count(*) - count(distinct (order_id, stop_id, type)) from driver_actions where org_id = $1 and type in ('DELIVER', 'PICK_UP')", day.id),
		"each stop was done once")
}

// under runs the load until it is stopped, and returns when it has begun.
func (s *site) under(t *testing.T, load *steadyLoad) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { load.run(ctx) })
	running.Go(func() { s.keepStandby(ctx, t) })
	eventually(t, "the load runs", func() bool { return load.reads.longestGap(load.began, time.Now()) < time.Since(load.began)/2 })
	return func() {
		cancel()
		running.Wait()
	}
}

// step is one part of the test.
type step struct {
	name  string
	lasts time.Duration
	do    func(t *testing.T, s *site, load *steadyLoad) []measured
}

// allSteps are those of the whole test, in their sequence.
func allSteps() (steps []step) {
	for _, host := range siteHosts {
		for _, fault := range hostFaults {
			steps = append(steps, step{host.name + "/" + fault.name, fault.lasts, func(t *testing.T, s *site, load *steadyLoad) []measured {
				t.Helper()
				isAlone := fault.away && slices.Contains(alone, host.name)
				return []measured{watched(t, load, fault.name, host.name,
					func() { fault.begin(t, s, host.name) }, func() { fault.end(t, s, host.name) }, fault.lasts, isAlone)}
			}})
		}
	}
	return append(steps,
		step{"promote", time.Minute, promote},
		step{"clocks", 2 * time.Minute, wrongClocks},
	)
}

// chosenSteps are the steps of those names; all of them by default.
func chosenSteps(names []string) (steps []step) {
	for _, step := range allSteps() {
		if slices.ContainsFunc(names, func(name string) bool {
			return name == "all" || name == step.name || strings.HasPrefix(step.name, name+"/")
		}) {
			steps = append(steps, step)
		}
	}
	return steps
}

// paceOf lets the drivers be under way for as long as the faults last.
func paceOf(steps []step) int {
	lasts := time.Duration(0)
	for _, step := range steps {
		lasts += step.lasts + calm
	}
	const day = 6 * time.Hour
	return int(min(max(day/max(lasts, time.Minute), 5), 240))
}

// watched measures one fault, and waits until all is well again.
func watched(t *testing.T, load *steadyLoad, fault, host string, begin, end func(), lasts time.Duration, fromEnd bool) measured {
	t.Helper()
	load.backlog.take()
	from := time.Now()
	begin()
	time.Sleep(lasts) // how long a fault lasts is its nature
	if fromEnd {
		load.backlog.take()
		from = time.Now()
	}
	end()
	time.Sleep(calm)
	to := time.Now()
	m := measured{
		fault: fault, host: host,
		reads: load.reads.longestGap(from, to), imports: load.imports.longestGap(from, to), relay: load.backlog.take(),
	}
	eventually(t, "all is well after "+fault+" of "+host, func() bool {
		since := time.Now().Add(-3 * time.Second)
		return load.reads.longestGap(since, time.Now()) < 3*time.Second && load.imports.longestGap(since, time.Now()) < 3*time.Second
	})
	return m
}

// tableOf prints measurements.
func tableOf(table []measured) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "\nfault\thost\treads\timports\trelay\t(longest time without an answer, or a place in the log)")
	for _, m := range table {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.1f s\t%.1f s\t%.1f s\t\n", m.fault, m.host, m.reads.Seconds(), m.imports.Seconds(), m.relay.Seconds())
	}
	_ = w.Flush()
	return text.String()
}

// wrongClocks run a serve and a work process whose clock is two minutes fast, then
// slow.
func wrongClocks(t *testing.T, s *site, load *steadyLoad) (table []measured) {
	t.Helper()
	program := skewedProgram(t, s.dir)
	for _, skew := range []string{"120", "-120"} {
		t.Setenv(skewVariable, skew)
		for _, host := range []string{"serve-b", "work-b"} {
			table = append(table, watched(t, load, "clock "+skew+" s", host, func() {
				require.NoError(t, s.crash(host))
				require.NoError(t, s.runProgram(host, program))
			}, func() {}, 20*time.Second, false))
		}
	}
	for _, host := range []string{"serve-b", "work-b"} {
		require.NoError(t, s.crash(host))
		require.NoError(t, s.run(host))
	}
	return table
}
