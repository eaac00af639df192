// Package housekeeping does the duties of the installation: it lets go what is kept for a while,
// archives what has aged out, tidies files away, finds what a workflow should look after, and
// identifies the installation.
package housekeeping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/housekeeping"
	"waybill/operations/core"
	"waybill/store"
)

// Settings are what an installation chooses.
type Settings struct {
	// KeepEvents is how long the log is kept; 0 is as usual.
	KeepEvents time.Duration
	// OpenFiles opens the object storage; nil where there is none.
	OpenFiles core.OpenFiles
	// AsksGeocoder is true if there is a geocoding provider to ask for addresses.
	AsksGeocoder bool
}

// Operations carries out what callers ask for.
type Operations struct {
	store     *store.Store
	now       func() time.Time
	reminders Reminders
	retention Retention
	settings  Settings
}

// Reminders notes which orders receivers are to be reminded of.
type Reminders interface {
	Remind(ctx context.Context, dry bool) (done housekeeping.Batch, err error)
}

// Retention erases what is personal once its organization keeps it no longer.
type Retention interface {
	Retain(ctx context.Context, dry bool) (done housekeeping.Batch, err error)
}

// New makes the operations over a store; now is the clock.
func New(
	s *store.Store, now func() time.Time, reminders Reminders, retention Retention, settings Settings,
) *Operations {
	return &Operations{store: s, now: now, reminders: reminders, retention: retention, settings: settings}
}

// How much one step of a duty does: few enough that it holds nobody up. Of imports,
// it is how many entries they have between them.
const (
	houseBatch = 5_000
	filesBatch = 500
	livesBatch = 500
)

// livesQuiet is for how long nothing must have happened to a row before its workflow
// is looked for: what has begun a moment ago may not have one yet.
const livesQuiet = 15 * time.Minute

// KeepHouse does a step of a duty that looks after no workflow. Of a dry run it only
// says how much there is to do, up to DryRunCount.
func (o *Operations) KeepHouse(
	ctx context.Context, duty housekeeping.Duty, dry bool,
) (done housekeeping.Batch, err error) {
	switch duty {
	case housekeeping.Room:
		if !dry {
			done.Done, err = o.store.MakeEventPartitions(ctx)
		}
	case housekeeping.Files:
		return o.tidyFiles(ctx, dry)
	case housekeeping.Personal:
		return o.retention.Retain(ctx, dry)
	case housekeeping.Orders:
		return o.ageOut(ctx, dry)
	case housekeeping.Reminders:
		return o.reminders.Remind(ctx, dry)
	default:
		forgetting := store.Forgetting{Before: o.now().Add(-o.keeps(duty)), Batch: houseBatch, Dry: dry}
		if dry {
			forgetting.Batch = core.DryRunCount
		}
		done.Done, done.Left, err = o.store.Forget(ctx, duty, forgetting)
	}
	return done, err
}

// keeps is how long what a duty lets go is kept.
func (o *Operations) keeps(duty housekeeping.Duty) time.Duration {
	if (duty == housekeeping.Log || duty == housekeeping.ParkedEvents) && o.settings.KeepEvents > 0 {
		return o.settings.KeepEvents
	}
	return duty.Keeps()
}

// tidyFiles deletes files that nothing refers to: a part of the storage in each step,
// from where the last one came to. One that has arrived a while ago only, its upload
// may still be about to refer to.
func (o *Operations) tidyFiles(ctx context.Context, dry bool) (done housekeeping.Batch, err error) {
	storage, err := o.settings.OpenFiles.Open(ctx)
	if err != nil {
		return done, err
	}
	if dry {
		return o.countFiles(ctx, storage)
	}
	mark, err := o.store.HouseMark(ctx, housekeeping.Files)
	if err != nil {
		return done, err
	}
	loose, next, err := o.looseFiles(ctx, storage, mark)
	if err != nil {
		// The storage may not know any more where it was: it is begun anew.
		return done, errors.Join(err, o.store.SetHouseMark(ctx, housekeeping.Files, ""))
	}
	if done.Done, err = core.DeleteAll(ctx, storage, loose); err != nil {
		return done, err
	}
	done.Left = next != ""
	return done, o.store.SetHouseMark(ctx, housekeeping.Files, next)
}

// looseFiles are those of a part of the storage that nothing refers to.
func (o *Operations) looseFiles(
	ctx context.Context, storage core.FileStorage, mark string,
) (loose []string, next string, err error) {
	found, next, err := storage.List(ctx, mark, filesBatch)
	if err != nil {
		return nil, "", err
	}
	before := o.now().Add(-o.keeps(housekeeping.Files))
	var old []string
	for _, f := range found {
		if f.Modified.Before(before) {
			old = append(old, f.Key)
		}
	}
	if len(old) > 0 {
		loose, err = o.store.UnreferencedFiles(ctx, old)
	}
	return loose, next, err
}

func (o *Operations) countFiles(ctx context.Context, storage core.FileStorage) (done housekeeping.Batch, err error) {
	mark := ""
	for seen := 0; seen < core.DryRunCount; seen += filesBatch {
		loose, next, err := o.looseFiles(ctx, storage, mark)
		done.Done += len(loose)
		if err != nil || next == "" {
			return done, err
		}
		mark = next
	}
	return done, nil
}

// Lives are what says that a workflow looks after it. Next is the mark behind them;
// empty when they are the last.
type Lives struct {
	All  []housekeeping.Life
	Next string
}

// Lives returns a part of what a duty looks after, behind a mark. Nobody looks after an
// organization that is being removed.
func (o *Operations) Lives(ctx context.Context, duty housekeeping.Duty, mark string) (lives Lives, err error) {
	var org, id int64
	if mark != "" {
		if _, err := fmt.Sscanf(mark, "%d/%d", &org, &id); err != nil {
			return lives, fmt.Errorf("read housekeeping mark %q: %w", mark, err)
		}
	}
	lives.All, err = o.store.Living(ctx, duty, o.kindOf(duty), o.now().Add(-livesQuiet), org, id, livesBatch)
	if n := len(lives.All); n == livesBatch {
		lives.Next = fmt.Sprintf("%d/%d", lives.All[n-1].OrgID, lives.All[n-1].ID)
	}
	if err != nil {
		return lives, err
	}
	closed, err := o.store.ClosedOrganizations(ctx)
	lives.All = slices.DeleteFunc(lives.All, func(l housekeeping.Life) bool { return slices.Contains(closed, l.OrgID) })
	return lives, err
}

// addressesKind are, in addition to the organizations with something to place, those with orders
// from before there was a geocoding provider, or before the organization let it be asked.
const addressesKind = "addresses"

func (o *Operations) kindOf(duty housekeeping.Duty) string {
	if duty == housekeeping.LivePlaces && o.settings.AsksGeocoder {
		return addressesKind
	}
	return duty.Kind()
}

// LivesMark returns where a duty goes on to look after what lives.
func (o *Operations) LivesMark(ctx context.Context, duty housekeeping.Duty) (string, error) {
	return o.store.HouseMark(ctx, duty)
}

// SetLivesMark notes how far a duty has come to look after what lives, and how many
// workflows it has seen since the last mark that have failed.
func (o *Operations) SetLivesMark(ctx context.Context, duty housekeeping.Duty, mark string, failed int) error {
	return o.store.SetLivesMark(ctx, duty, mark, failed)
}

// OverdueTemplates returns how many templates should have generated orders by now, and
// have not.
func (o *Operations) OverdueTemplates(ctx context.Context) (int64, error) {
	return o.store.OverdueTemplates(ctx, o.now())
}

// NeedsAttention returns how many things wait for a person, by kind.
func (o *Operations) NeedsAttention(ctx context.Context) (map[string]int64, error) {
	return o.store.NeedsAttention(ctx, o.now())
}

// OldestWaitingMessages returns for how many seconds the oldest message of each channel has
// waited that should have gone.
func (o *Operations) OldestWaitingMessages(ctx context.Context) (map[string]float64, error) {
	return o.store.OldestWaitingMessages(ctx, o.now())
}

// FailedLives returns how many of the workflows that each duty looks after have failed, by
// the last look at all of them.
func (o *Operations) FailedLives(ctx context.Context) (map[housekeeping.Duty]int64, error) {
	return o.store.FailedLives(ctx)
}
