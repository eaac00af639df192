package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/store/queries"
)

// Health is the state of all organizations together, for the person on call.
type Health = queries.InstallationHealthRow

// Health counts waiting, skipped and paused work at a moment.
func (s *Store) Health(ctx context.Context, at time.Time) (Health, error) {
	row, err := s.anyone().InstallationHealth(ctx, at)
	if err != nil {
		return row, fmt.Errorf("read the health of the installation: %w", translate(err))
	}
	return row, nil
}

// RelayStanding describes who runs the relay.
type RelayStanding = queries.RelayStandingRow

// RelayStanding returns which member sequences events, and the shards that no
// member holds.
func (s *Store) RelayStanding(ctx context.Context) (RelayStanding, error) {
	row, err := s.anyone().RelayStanding(ctx)
	if err != nil {
		return row, fmt.Errorf("read the leader of the relay: %w", translate(err))
	}
	return row, nil
}

// Caused is how many events of a kind an organization caused.
type Caused = queries.ActivitySinceRow

// mostActivity is how many of the newest events are looked at.
const mostActivity = 200_000

// CausedSince returns what an organization, or all of them for 0, caused since
// a moment. If there was more than it reads, IsWhole is false and the counts
// are of the newest.
func (s *Store) CausedSince(ctx context.Context, since time.Time, org int64) ([]Caused, error) {
	rows, err := s.anyone().ActivitySince(ctx, queries.ActivitySinceParams{Since: since, OrgID: org, Most: mostActivity})
	if err != nil {
		return nil, fmt.Errorf("read the activity of organizations: %w", translate(err))
	}
	return rows, nil
}

// RowsSince is how much an organization had written.
type RowsSince = queries.RowsSinceRow

// RowsSince counts the rows written for an organization since a moment.
func (s *Store) RowsSince(ctx context.Context, org int64, since time.Time) (RowsSince, error) {
	row, err := s.reads(org).RowsSince(ctx, queries.RowsSinceParams{OrgID: org, Since: since})
	if err != nil {
		return row, fmt.Errorf("count written rows: %w", translate(err))
	}
	return row, nil
}

// Why explains the state of an order, without personal data. What does not
// exist is nil.
type Why struct {
	Number   string
	Order    *queries.WhyOrderRow
	Draft    *queries.WhyDraftRow
	Import   *WhyImport
	Stops    []queries.WhyPlannedRow
	Unfit    *queries.WhyUnplannedRow
	Export   *queries.WhyExportedRow
	Messages []queries.WhyMessagesRow
	Parked   []queries.WhyParkedRow
}

// WhyImport is the last import that changed an order or draft.
type WhyImport struct {
	ID         int64
	WorkflowID string
	At         time.Time
	// Result is the result for the number, or nil if the import is deleted.
	Result *queries.WhyImportResultRow
}

// Why explains the state of an order or draft by its number, or returns
// ErrNotFound.
func (s *Store) Why(ctx context.Context, org int64, number string) (Why, error) {
	w := Why{Number: number}
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		draft, err := t.q.WhyDraft(ctx, queries.WhyDraftParams{OrgID: org, Number: number})
		if w.Draft, err = optional(draft, err); err != nil {
			return err
		}
		id, err := t.q.OrderIDByNumber(ctx, queries.OrderIDByNumberParams{OrgID: org, Number: number})
		found, err := optional(id, err)
		switch {
		case err != nil:
			return err
		case found != nil:
			return w.readOrder(ctx, t, id)
		case w.Draft != nil:
			return w.readImport(ctx, t, "draft", w.Draft.ID)
		}
		return ErrNotFound
	})
	return w, err
}

// optional makes an absent row nil.
func optional[Row any](row Row, err error) (*Row, error) {
	err = translate(err)
	if errors.Is(err, ErrNotFound) {
		return nil, nil //nolint:nilnil // an absent row is an answer here
	}
	return &row, err
}

func (w *Why) readOrder(ctx context.Context, t *Tx, id int64) error {
	order, err := t.q.WhyOrder(ctx, queries.WhyOrderParams{OrgID: t.org, ID: id})
	if err != nil {
		return translate(err)
	}
	w.Order = &order
	if w.Stops, err = t.q.WhyPlanned(ctx, queries.WhyPlannedParams{OrgID: t.org, OrderID: id}); err != nil {
		return translate(err)
	}
	unfit, err := t.q.WhyUnplanned(ctx, queries.WhyUnplannedParams{OrgID: t.org, OrderID: id})
	if w.Unfit, err = optional(unfit, err); err != nil {
		return err
	}
	exported, err := t.q.WhyExported(ctx, queries.WhyExportedParams{OrgID: t.org, OrderID: id})
	if w.Export, err = optional(exported, err); err != nil {
		return err
	}
	if w.Messages, err = t.q.WhyMessages(ctx, queries.WhyMessagesParams{OrgID: t.org, OrderID: &id}); err != nil {
		return translate(err)
	}
	if w.Parked, err = t.q.WhyParked(ctx, queries.WhyParkedParams{OrgID: t.org, OrderID: id}); err != nil {
		return translate(err)
	}
	return w.readImport(ctx, t, "order", id)
}

// readImport reads the last import that changed an order or draft, as its events name it.
func (w *Why) readImport(ctx context.Context, t *Tx, about string, id int64) error {
	row, err := t.q.WhyImported(ctx, queries.WhyImportedParams{OrgID: t.org, About: about, ID: id})
	found, err := optional(row, err)
	if err != nil || found == nil {
		return err
	}
	w.Import = &WhyImport{WorkflowID: row.Cause, At: row.RecordedAt}
	number, err := strconv.ParseInt(row.Cause[strings.LastIndex(row.Cause, "/")+1:], 10, 64)
	if err != nil {
		return nil //nolint:nilerr // it is no import of ours
	}
	w.Import.ID = number
	result, err := t.q.WhyImportResult(ctx, queries.WhyImportResultParams{
		OrgID: t.org, ImportID: number, Number: w.Number,
	})
	w.Import.Result, err = optional(result, err)
	return err
}
