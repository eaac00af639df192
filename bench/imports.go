package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// memoryTarget is how much each process may take in bulk imports, in MiB.
const memoryTarget = 300

// importRuns are the measurements of bulk imports: new orders, the same again,
// and all of them changed, each compared with a copy of the rows of the new
// ones.
type importRuns struct {
	site   *site
	copier *copier
	rounds [3]pairs
	// updated is how many rows were updated for each new order, after they were inserted.
	updated float64
}

// updatesTarget is how many rows may be updated for an imported order: its
// event, which gets its position in the log. A few rows of the import as a
// whole come on top.
const updatesTarget = 1.01

// importKinds are the imports of a round, in sequence.
var importKinds = [3]struct {
	name   string
	state  revision
	result string
	target float64
}{
	{"new", first, `{"orderCreated":`, 0.6},
	{"unchanged", first, `{"orderUpdated":`, 0.9},
	{"all changed", changed, `{"orderUpdated":`, 0.65},
}

func measureImports(ctx context.Context, s *site) ([]result, error) {
	runs := &importRuns{site: s}
	if err := runs.warmUp(ctx); err != nil {
		return nil, err
	}
	defer runs.copier.close(ctx)
	for round := range s.sizes.ImportRounds {
		if err := runs.round(ctx, round); err != nil {
			return nil, err
		}
	}
	memory, err := s.memory()
	return append(runs.results(), memory...), err
}

// warmUp imports and copies once without measuring. Its import is what is
// copied from then on.
func (r *importRuns) warmUp(ctx context.Context) error {
	org, err := r.site.newOrganization(ctx, "imported")
	if err != nil {
		return err
	}
	if _, err := r.site.bulkImport(ctx, org, 0); err != nil {
		return err
	}
	if err := r.site.settle(ctx); err != nil {
		return err
	}
	r.site.imported = org
	if r.copier, err = newCopier(ctx, r.site, org.id); err != nil {
		return err
	}
	if _, err = r.copy(ctx, "warm-up"); err != nil {
		return err
	}
	return r.countUpdates(ctx)
}

// countUpdates counts the rows that are updated while new orders are imported.
func (r *importRuns) countUpdates(ctx context.Context) error {
	before, err := r.site.rowsUpdated(ctx)
	if err != nil {
		return err
	}
	org, err := r.site.newOrganization(ctx, "updates")
	if err != nil {
		return err
	}
	if _, err := r.site.bulkImport(ctx, org, 0); err != nil {
		return err
	}
	if err := r.site.settle(ctx); err != nil {
		return err
	}
	after, err := r.site.rowsUpdated(ctx)
	r.updated = (after - before) / float64(r.site.sizes.Orders)
	return err
}

// rowsUpdated is the number of updated rows in the largest tables of orders so
// far, once every session has reported its statistics.
func (s *site) rowsUpdated(ctx context.Context) (rows float64, err error) {
	if err := rest(ctx, rowsSeenWithin); err != nil {
		return 0, err
	}
	err = s.owner.QueryRow(ctx, `select coalesce(sum(n_tup_upd), 0)::float8 from pg_stat_user_tables
		where relname ~ '^(events|order|erp_orders|locations|stop_|documents|custom_field)'`).Scan(&rows)
	if err != nil {
		return 0, fmt.Errorf("count updated rows: %w", err)
	}
	return rows, nil
}

// round measures every kind of import in a new organization, with a copy after
// each.
func (r *importRuns) round(ctx context.Context, round int) error {
	org, err := r.site.newOrganization(ctx, fmt.Sprintf("import-%d", round))
	if err != nil {
		return err
	}
	for kind := range importKinds {
		ours, err := r.site.bulkImport(ctx, org, kind)
		if err != nil {
			return err
		}
		if err := r.site.settle(ctx); err != nil {
			return err
		}
		bare, err := r.copy(ctx, fmt.Sprintf("%d-%d", round, kind))
		if err != nil {
			return err
		}
		r.rounds[kind].add(ours, bare)
		note("import, %s: %.0f ms; copy: %.0f ms", importKinds[kind].name, ours, bare)
	}
	return nil
}

func (r *importRuns) copy(ctx context.Context, name string) (float64, error) {
	org, err := r.site.emptyOrganization(ctx, "copy-"+name)
	if err != nil {
		return 0, err
	}
	took, err := r.copier.copyTo(ctx, org.id)
	if err != nil {
		return 0, err
	}
	return took, r.site.settle(ctx)
}

func (r *importRuns) results() []result {
	results := make([]result, 0, len(importKinds))
	for kind, runs := range r.rounds {
		name := fmt.Sprintf("import of %d orders, %s", r.site.sizes.Orders, importKinds[kind].name)
		ratios := runs.quotients(bareByOurs)
		figure := atLeast(importKinds[kind].target, name, "ms", median(runs.ours), median(runs.bare), median(ratios))
		results = append(results, figure.inRounds(ratios))
	}
	return append(results, within(updatesTarget, "rows updated for a new order", "rows", r.updated))
}

// bulkImport imports all orders by one call, and returns how long the answer
// took to be there as a whole, in milliseconds.
func (s *site) bulkImport(ctx context.Context, org *organization, kind int) (float64, error) {
	body, err := importBody("B", s.sizes.Orders, importKinds[kind].state)
	if err != nil {
		return 0, err
	}
	return s.importOf(ctx, org, body, importKinds[kind].result)
}

// importOf imports a body with all orders, and requires that each has the result.
func (s *site) importOf(ctx context.Context, org *organization, body []byte, result string) (took float64, err error) {
	var answer []byte
	took, err = timed(func() error {
		answer, err = s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
		return err
	})
	if err != nil {
		return 0, err
	}
	if got := bytes.Count(answer, []byte(result)); got != s.sizes.Orders {
		return 0, fmt.Errorf("%d of %d orders became %s: %.300s", got, s.sizes.Orders, result, answer)
	}
	return took, nil
}

const settledWithin = 5 * time.Minute

// settle waits until the relay has assigned all positions, so that this work
// does not fall into the next measurement.
func (s *site) settle(ctx context.Context) error {
	if err := s.until(ctx, "select not exists (select from events where position is null)"); err != nil {
		return fmt.Errorf("wait for the relay: %w", err)
	}
	return nil
}

// until waits until a query returns true.
func (s *site) until(ctx context.Context, query string, args ...any) error {
	return s.untilWithin(ctx, settledWithin, query, args...)
}

// untilWithin is until with another patience.
func (s *site) untilWithin(ctx context.Context, patience time.Duration, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		var reached bool
		if err := s.owner.QueryRow(ctx, query, args...).Scan(&reached); err != nil || reached {
			return err
		}
		if err := rest(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// memory returns the peaks of both services, unless the kernel does not report
// them.
func (s *site) memory() ([]result, error) {
	var results []result
	for _, running := range s.services {
		peak, err := peakMemory(running.process.Pid())
		if errors.Is(err, fs.ErrNotExist) {
			note("no figure for the memory of %s: %v", running.name, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		results = append(results, within(memoryTarget, "memory of "+running.name+" at its peak", "MiB", peak))
	}
	return results, nil
}
