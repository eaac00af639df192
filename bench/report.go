package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// result is one figure: ours compared with the bare engine's. Without a bare
// one the target is for ours itself.
type result struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Ours  float64 `json:"ours"`
	Bare  float64 `json:"bare,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
	// Worst is the ratio of the worst round, if there are rounds. A median
	// hides outliers.
	Worst  float64 `json:"worst,omitempty"`
	Target float64 `json:"target"`
	// AtLeast distinguishes a lower bound from an upper one.
	AtLeast bool `json:"atLeast"`
	OK      bool `json:"ok"`
}

// atLeast is a figure whose ratio must reach the target.
func atLeast(target float64, name, unit string, ours, bare, ratio float64) result {
	return result{
		Name: name, Unit: unit, Ours: ours, Bare: bare, Ratio: ratio, Target: target, AtLeast: true, OK: ratio >= target,
	}
}

// atMost is a figure whose ratio must not pass the target.
func atMost(target float64, name, unit string, ours, bare, ratio float64) result {
	return result{Name: name, Unit: unit, Ours: ours, Bare: bare, Ratio: ratio, Target: target, OK: ratio <= target}
}

// inRounds adds the worst round.
func (r result) inRounds(ratios []float64) result {
	r.Worst = slices.Max(ratios)
	if r.AtLeast {
		r.Worst = slices.Min(ratios)
	}
	return r
}

// within is a figure of ours with an upper bound.
func within(target float64, name, unit string, ours float64) result {
	return result{Name: name, Unit: unit, Ours: ours, Target: target, OK: ours <= target}
}

// reached is a figure of ours with a lower bound.
func reached(target float64, name, unit string, ours float64) result {
	return result{Name: name, Unit: unit, Ours: ours, Target: target, AtLeast: true, OK: ours >= target}
}

func printJSON(out io.Writer, results []result) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(results)
}

func printTable(out io.Writer, results []result) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	rows := []string{"measured\tours\tbare\tratio\tworst\ttarget\t"}
	missed := 0
	for _, r := range results {
		rows = append(rows, r.row())
		if !r.OK {
			missed++
		}
	}
	if _, err := fmt.Fprintln(table, strings.Join(rows, "\n")); err != nil {
		return err
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d of %d targets reached\n", len(results)-missed, len(results))
	return err
}

func (r result) row() string {
	bare, ratio, target := "-", "-", fmt.Sprintf("%s %.2f", r.bound(), r.Target)
	if r.Bare != 0 {
		bare, ratio = quantity(r.Bare, r.Unit), fmt.Sprintf("%.2f", r.Ratio)
	} else {
		target = r.bound() + " " + quantity(r.Target, r.Unit)
	}
	worst, verdict := "-", "ok"
	if r.Worst != 0 {
		worst = fmt.Sprintf("%.2f", r.Worst)
	}
	if !r.OK {
		verdict = "MISSED"
	}
	return strings.Join([]string{r.Name, quantity(r.Ours, r.Unit), bare, ratio, worst, target, verdict}, "\t")
}

func (r result) bound() string {
	if r.AtLeast {
		return "≥"
	}
	return "≤"
}

// quantity shows three digits or all before the point.
func quantity(value float64, unit string) string {
	digits := 0
	switch {
	case value < 10:
		digits = 2
	case value < 100:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, value, unit)
}
