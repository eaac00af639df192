package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newDoctorCommand() *cobra.Command {
	var asJSON bool
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check everything that Waybill depends on",
		Long: `Check the settings of this environment and everything they refer to: Postgres, Temporal,
the object storage, the mail server and the SMS account. Doctor also checks the running
processes: whether one is the leader, whether all task queues are polled, and whether
anything is overdue.

All checks run at the same time, each for at most --limit. Doctor writes one small file
to the object storage and deletes it, and signs in to the mail server and the SMS
account without sending anything. It changes nothing else, and prints no secrets and no
personal data.

The exit code is 1 if a check fails; warnings don't count. If a check fails, the checks
that depend on it are skipped. docs/troubleshooting.md#doctor explains every check.`,
		Example: "  waybill doctor\n  waybill doctor --json | jq '.checks[] | select(.status == \"fail\")'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := newDoctor(cmd.Context(), limit)
			defer d.close()
			report := d.examine(cmd.Context())
			var err error
			if asJSON {
				encoder := json.NewEncoder(cmd.OutOrStdout())
				encoder.SetIndent("", "  ")
				err = encoder.Encode(report)
			} else {
				report.print(cmd.OutOrStdout())
			}
			return errors.Join(err, report.failure())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().DurationVar(&limit, "limit", checkLimit, "maximum duration of each check")
	return cmd
}

// checkLimit is how long one check may take.
const checkLimit = 5 * time.Second

// checkStatus is the result of a check.
type checkStatus string

// The statuses of checks.
const (
	checkOK      checkStatus = "ok"
	checkWarns   checkStatus = "warn"
	checkFails   checkStatus = "fail"
	checkSkipped checkStatus = "skipped"
)

// finding is the finding of a check.
type finding struct {
	Name   string      `json:"name"`
	Status checkStatus `json:"status"`
	// Meaning is the finding and its consequences.
	Meaning string `json:"meaning"`
	// Next is what to do, or empty.
	Next string `json:"next,omitempty"`
	// Docs is the section of the documentation.
	Docs        string `json:"docs,omitempty"`
	Millisecond int64  `json:"milliseconds"`
}

// doctorReport has the findings of all checks.
type doctorReport struct {
	Version string      `json:"version"`
	At      time.Time   `json:"at"`
	Status  checkStatus `json:"status"`
	Checks  []finding   `json:"checks"`
}

// newReport sums the checks up: it fails when one fails.
func newReport(at time.Time, checks []finding) doctorReport {
	r := doctorReport{Version: version, At: at.UTC().Truncate(time.Second), Status: checkOK, Checks: checks}
	switch {
	case r.count(checkFails) > 0:
		r.Status = checkFails
	case r.count(checkWarns) > 0:
		r.Status = checkWarns
	}
	return r
}

func (r doctorReport) count(status checkStatus) (n int) {
	for _, c := range r.Checks {
		if c.Status == status {
			n++
		}
	}
	return n
}

// failure is the error that makes the exit code 1.
func (r doctorReport) failure() error {
	if failed := r.count(checkFails); failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, plural(len(r.Checks), "check"))
	}
	return nil
}
