package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/term"
)

// progress reports progress to a terminal, and nowhere else.
type progress struct {
	out   io.Writer
	mu    *sync.Mutex
	watch bool
}

func newProgress(out *os.File) progress {
	return progress{out, &sync.Mutex{}, term.IsTerminal(int(out.Fd()))}
}

// say prints a line.
func (p progress) say(line string) {
	if !p.watch {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintln(p.out, line)
}

// step runs a step and prints how long it took.
func (p progress) step(name string, work func() error) error {
	began := time.Now()
	if err := work(); err != nil {
		return err
	}
	p.say(fmt.Sprintf("%s: %.1f s", name, time.Since(began).Seconds()))
	return nil
}

// row is a line of the table.
type row struct{ name, value string }

func (r *run) table(key string, people []variable) []row {
	rows := []row{
		{"API", r.settings.apiURL()},
		{"Documentation", r.settings.apiURL() + "/docs"},
		{"Metrics", r.settings.apiURL() + "/metrics and http://" + r.settings.WorkHTTPAddr + "/metrics"},
		{"Temporal UI", r.temporal.UIURL()},
		{"Mailbox", r.mailbox.PageURL()},
		{"Text messages", r.sms.URL()},
		{"API key", key},
		{"Logs", shorten(r.state.path("logs"))},
		{"Sign in", r.settings.apiURL() + "/sign-in?org=" + r.options.organization},
	}
	if len(people) > 1 { // the administrator comes first
		rows = append(rows, row{"Administrator", people[0].value + "  " + people[1].value})
	}
	return rows
}

// next prints what to do once everything runs.
const next = `
In another terminal, import the demo orders:

  . %s
  demo/orders.sh | curl "$WAYBILL_URL/v3/orders/import" -H "Authorization: apikey $WAYBILL_API_KEY" \
    -H 'Content-Type: application/json' --data-binary @-

They are planned within seconds. To simulate the drivers' day, at one planned minute per second:

  set -a; . %s; set +a
  bin/waybill simulate --org %s --pace 60 --incidents 10

Ctrl-C stops everything.
`

func (r *run) print(out io.Writer, key string, people []variable) {
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	for _, row := range r.table(key, people) {
		fmt.Fprintf(table, "  %s\t%s\n", row.name, row.value)
	}
	_ = table.Flush() // a closed terminal stops the run in its own way
	file := shorten(r.file.path)
	fmt.Fprintf(out, next, file, file, r.options.organization)
}

// shorten returns a path relative to the working directory, if that is shorter.
func shorten(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(here, path)
	if err != nil || len(relative) > len(path) {
		return path
	}
	return relative
}
