package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// print writes the report for a person, in colors where out is a terminal.
func (r doctorReport) print(out io.Writer) {
	paint := painter(out)
	for _, c := range r.Checks {
		say(out, "%s  %-18s %s", paint(c.Status, fmt.Sprintf("%-4s", c.Status.label())), c.Name, c.Meaning)
		if c.Next != "" {
			say(out, "      what to do: %s", c.Next)
		}
		if c.Docs != "" {
			say(out, "      see docs/%s", c.Docs)
		}
	}
	say(out, "\n%s: %d ok, %d warn, %d fail, %d skipped.", plural(len(r.Checks), "check"),
		r.count(checkOK), r.count(checkWarns), r.count(checkFails), r.count(checkSkipped))
	if r.Status != checkOK {
		say(out, "To ask for help, run: waybill debug bundle")
	}
}

// label is the status as displayed.
func (s checkStatus) label() string {
	switch s {
	case checkFails:
		return "FAIL"
	case checkSkipped:
		return "skip"
	case checkOK, checkWarns:
	}
	return string(s)
}

// painter colors the status of a check, if out is a terminal and NO_COLOR is not set
// (no-color.org).
func painter(out io.Writer) func(checkStatus, string) string {
	file, is := out.(*os.File)
	if !is || !isTerminal(file) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return func(_ checkStatus, text string) string { return text }
	}
	colors := map[checkStatus]string{checkOK: "32", checkWarns: "33", checkFails: "1;31", checkSkipped: "2"}
	return func(status checkStatus, text string) string { return "\x1b[" + colors[status] + "m" + text + "\x1b[0m" }
}

// oneLineOf shortens a text to one line. Errors begin with the attempted action
// and end with the cause, so it cuts the middle.
func oneLineOf(text string) string {
	const end = 160
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 2*end {
		return string(runes[:end]) + " … " + string(runes[len(runes)-end:])
	}
	return text
}

// discarded is the logger of a client whose failures the command reports
// itself.
func discarded() *slog.Logger { return slog.New(slog.DiscardHandler) }
