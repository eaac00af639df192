package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/housekeeping"
	"waybill/store/queries"
)

// Forgetting selects rows to delete: those from before a moment, at most Batch
// of them. If Dry is set, they are only counted.
type Forgetting struct {
	Before time.Time
	Batch  int32
	Dry    bool
}

// ErrStillNeeded is returned for rows that can't be deleted, because they still
// have to be processed.
var ErrStillNeeded = errors.New("still needed")

// Forget deletes the rows that a duty is for, in all organizations. It returns
// their number and whether there may be more.
func (s *Store) Forget(ctx context.Context, duty housekeeping.Duty, f Forgetting) (counted int, left bool, err error) {
	switch duty {
	case housekeeping.Documents:
		counted, left, err = s.forgetDocuments(ctx, f)
	case housekeeping.Log:
		counted, left, err = s.forgetEvents(ctx, f)
	default:
		var n int32
		n, err = s.forgetRows(ctx, duty, f)
		counted, left = int(n), n >= f.Batch || duty == housekeeping.Imports && n > 0
	}
	if err != nil {
		return 0, false, fmt.Errorf("delete %s: %w", duty, translate(err))
	}
	return counted, left && !f.Dry, nil
}

func (s *Store) forgetRows(ctx context.Context, duty housekeeping.Duty, f Forgetting) (int32, error) {
	q := s.anyone()
	switch duty {
	case housekeeping.Keys:
		return q.ForgetKeys(ctx, queries.ForgetKeysParams(f))
	case housekeeping.SignIns:
		return q.ForgetSignIns(ctx, queries.ForgetSignInsParams(f))
	case housekeeping.Tallies:
		return q.ForgetTallies(ctx, queries.ForgetTalliesParams(f))
	case housekeeping.Positions:
		return q.ForgetPositions(ctx, queries.ForgetPositionsParams(f))
	case housekeeping.Imports:
		return q.ForgetImports(ctx, queries.ForgetImportsParams(f))
	case housekeeping.Templates:
		return q.ForgetTemplateChanges(ctx, queries.ForgetTemplateChangesParams(f))
	case housekeeping.Texts:
		return q.ForgetMessageTexts(ctx, queries.ForgetMessageTextsParams(f))
	case housekeeping.Payloads:
		return q.ForgetExportPayloads(ctx, queries.ForgetExportPayloadsParams(f))
	case housekeeping.Bodies:
		return q.ForgetCarrierBodies(ctx, queries.ForgetCarrierBodiesParams(f))
	case housekeeping.Links:
		return q.ForgetTrackingLinks(ctx, queries.ForgetTrackingLinksParams(f))
	case housekeeping.Pictures:
		return q.ForgetUnnamedPictures(ctx, queries.ForgetUnnamedPicturesParams(f))
	case housekeeping.Sessions:
		return q.ForgetSessions(ctx, queries.ForgetSessionsParams(f))
	case housekeeping.Codes:
		return q.ForgetAccountCodes(ctx, queries.ForgetAccountCodesParams(f))
	case housekeeping.Legs:
		return q.ForgetOldTravelLegs(ctx, queries.ForgetOldTravelLegsParams(f))
	case housekeeping.Webhooks:
		return q.ForgetWebhooks(ctx, queries.ForgetWebhooksParams(f))
	case housekeeping.PlaceAnswers:
		return q.ForgetPlaceAnswers(ctx, queries.ForgetPlaceAnswersParams(f))
	case housekeeping.ParkedEvents:
		return q.ForgetParkedEvents(ctx, queries.ForgetParkedEventsParams(f))
	}
	return 0, fmt.Errorf("unknown housekeeping duty %q", duty)
}

func (s *Store) forgetDocuments(ctx context.Context, f Forgetting) (counted int, left bool, err error) {
	row, err := s.anyone().ForgetDocuments(ctx, queries.ForgetDocumentsParams(f))
	return int(row.Counted), row.Seen >= f.Batch, err
}

// forgetEvents lets go one month of the log at a time.
func (s *Store) forgetEvents(ctx context.Context, f Forgetting) (counted int, left bool, err error) {
	row, err := s.anyone().ForgetEvents(ctx, queries.ForgetEventsParams{Before: f.Before, Dry: f.Dry})
	if err == nil && row.Needed != "" {
		err = fmt.Errorf("a follower or webhook endpoint has not processed all of %s: %w", row.Needed, ErrStillNeeded)
	}
	return int(row.Counted), row.Counted > 0, err
}

// UnreferencedFiles returns those of some object storage keys that nothing
// refers to. It ignores keys that Waybill did not create.
func (s *Store) UnreferencedFiles(ctx context.Context, keys []string) ([]string, error) {
	loose, err := s.anyone().UnreferencedFiles(ctx, keys)
	return loose, translate(err)
}

// Living returns the records of all organizations that are marked as looked
// after by a workflow since before a moment, with ids after a given one. The kind is usually that
// of the duty.
func (s *Store) Living(
	ctx context.Context, duty housekeeping.Duty, kind string, quietSince time.Time, afterOrg, afterID int64, atMost int32,
) ([]housekeeping.Life, error) {
	if duty == housekeeping.LiveImports {
		return s.livingImports(ctx, quietSince, afterOrg, afterID, atMost)
	}
	rows, err := s.anyone().Living(ctx, queries.LivingParams{
		Kind: kind, QuietSince: quietSince, AfterOrg: afterOrg, AfterID: afterID, Batch: atMost,
	})
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", duty, translate(err))
	}
	lives := make([]housekeeping.Life, len(rows))
	for i, r := range rows {
		lives[i] = housekeeping.Life(r)
	}
	return lives, nil
}

// ClosedOrganizations returns the organizations whose removal has begun.
func (s *Store) ClosedOrganizations(ctx context.Context) ([]int64, error) {
	closed, err := s.anyone().ClosedOrganizations(ctx)
	return closed, translate(err)
}

func (s *Store) livingImports(
	ctx context.Context, quietSince time.Time, afterOrg, afterID int64, atMost int32,
) ([]housekeeping.Life, error) {
	rows, err := s.anyone().LivingImports(ctx, queries.LivingImportsParams{
		QuietSince: quietSince, AfterOrg: afterOrg, AfterID: afterID, Batch: atMost,
	})
	if err != nil {
		return nil, fmt.Errorf("find imports: %w", translate(err))
	}
	lives := make([]housekeeping.Life, len(rows))
	for i, r := range rows {
		lives[i] = housekeeping.Life{OrgID: r.OrgID, ID: r.ID}
	}
	return lives, nil
}

// HouseMark returns where a duty continues, or an empty mark if it starts from
// the beginning.
func (s *Store) HouseMark(ctx context.Context, duty housekeeping.Duty) (string, error) {
	mark, err := s.anyone().FindMark(ctx, string(duty))
	return mark, translate(err)
}

// SetHouseMark records where a duty continues.
func (s *Store) SetHouseMark(ctx context.Context, duty housekeeping.Duty, mark string) error {
	return translate(s.anyone().SetMark(ctx, queries.SetMarkParams{Duty: string(duty), Mark: mark}))
}

// SetLivesMark records where a duty that checks workflows continues, and how
// many failed workflows it found since the last mark. An empty mark means that
// it has checked all of them.
func (s *Store) SetLivesMark(ctx context.Context, duty housekeeping.Duty, mark string, failed int) error {
	return translate(s.anyone().SetLivesMark(ctx, queries.SetLivesMarkParams{
		Duty: string(duty), Mark: mark, Seen: int64(failed),
	}))
}

// OverdueTemplates returns how many templates should have generated orders by a moment,
// and have not.
func (s *Store) OverdueTemplates(ctx context.Context, at time.Time) (int64, error) {
	n, err := s.anyone().OverdueTemplates(ctx, at)
	return n, translate(err)
}

// NeedsAttention returns how many records need a person at a moment, by kind.
func (s *Store) NeedsAttention(ctx context.Context, at time.Time) (map[string]int64, error) {
	rows, err := s.anyone().NeedsAttention(ctx, at)
	counts := make(map[string]int64, len(rows))
	for _, r := range rows {
		counts[r.Kind] = r.Counted
	}
	return counts, translate(err)
}

// OldestWaitingMessages returns for how many seconds the oldest due message of
// each channel has been waiting.
func (s *Store) OldestWaitingMessages(ctx context.Context, at time.Time) (map[string]float64, error) {
	rows, err := s.anyone().OldestWaitingMessages(ctx, at)
	oldest := make(map[string]float64, len(rows))
	for _, r := range rows {
		oldest[r.Channel] = r.Seconds
	}
	return oldest, translate(err)
}

// FailedLives returns how many workflows have failed per duty, as of the last
// complete check.
func (s *Store) FailedLives(ctx context.Context) (map[housekeeping.Duty]int64, error) {
	rows, err := s.anyone().FailedLives(ctx)
	failed := make(map[housekeeping.Duty]int64, len(rows))
	for _, r := range rows {
		failed[housekeeping.Duty(r.Duty)] = r.Failed
	}
	return failed, translate(err)
}
