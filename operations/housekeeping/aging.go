package housekeeping

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/operations/core"
	"waybill/store"
)

// How much one step of ageing out does of an organization.
const (
	agedRows = 200
	// mergedBytes is how large archives are put together to.
	mergedBytes = 256 << 20
)

// ageOut archives and removes what has aged out, a batch of each of some organizations.
func (o *Operations) ageOut(ctx context.Context, dry bool) (done housekeeping.Batch, err error) {
	if dry {
		return o.countAged(ctx)
	}
	aging := o.store.NewAging()
	id := func(org store.AgingOrganization) int64 { return org.ID }
	return core.InTurns(ctx, o.store, housekeeping.Orders, o.store.AgingOrganizations, id,
		func(org store.AgingOrganization) (int, bool, error) { return o.ageOutOf(ctx, aging, org) })
}

// agedBefore is before which moment something must be over to have aged out: a month is
// archived when all of it has. What the log still tells of stays.
func (o *Operations) agedBefore(org store.AgingOrganization) time.Time {
	keeps := max(time.Duration(org.KeepDays)*24*time.Hour, o.keeps(housekeeping.Log))
	before := o.now().Add(-keeps).UTC()
	return time.Date(before.Year(), before.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// ageOutOf archives and removes a batch of an organization. When nothing is left of it,
// its archives of a month are put together.
func (o *Operations) ageOutOf(
	ctx context.Context, aging *store.Aging, org store.AgingOrganization,
) (count int, left bool, err error) {
	storage, err := o.settings.OpenFiles.Open(ctx)
	if err != nil {
		return 0, false, err
	}
	by := caller.Service(org.ID, "housekeeping")
	for _, root := range store.AgingRoots() {
		count, err = aging.AgeOut(ctx, by, &root, o.agedBefore(org), agedRows, func(aged store.Aged) (store.Archive, error) {
			return keepArchive(ctx, storage, org.ID, aged)
		})
		if err != nil || count > 0 {
			return count, err == nil, err
		}
	}
	merged, err := o.mergeArchives(ctx, by, storage)
	return 0, merged, err
}

// keepArchive keeps lines as a file of their own. Its name is new each time: what is
// tried again never overwrites what counts.
func keepArchive(ctx context.Context, storage core.FileStorage, org int64, aged store.Aged) (store.Archive, error) {
	var text bytes.Buffer
	zip := gzip.NewWriter(&text)
	for _, line := range aged.Lines {
		_, _ = zip.Write(line) // a buffer takes all
		_, _ = zip.Write([]byte("\n"))
	}
	if err := zip.Close(); err != nil {
		return store.Archive{}, err
	}
	return core.WriteArchive(ctx, storage, org, &store.Archive{
		Month: aged.Month, Lines: int32(len(aged.Lines)), Size: int64(text.Len()),
	}, &text)
}

// mergeArchives puts the archives of one month together, if there are several, and
// reports whether it did. Gzipped files behind one another are one gzipped file. The
// files that it is made from are tidied away later.
func (o *Operations) mergeArchives(ctx context.Context, by caller.Caller, storage core.FileStorage) (bool, error) {
	all, err := o.store.Archives(ctx, by.OrgID)
	if err != nil {
		return false, err
	}
	parts := mergeable(all)
	if parts == nil {
		return false, nil
	}
	whole := store.Archive{Month: parts[0].Month}
	ids := make([]int64, len(parts))
	for i, part := range parts {
		ids[i], whole.Lines, whole.Size = part.ID, whole.Lines+part.Lines, whole.Size+part.Size
	}
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(copyArchives(ctx, storage, parts, w)) }()
	kept, err := core.WriteArchive(ctx, storage, by.OrgID, &whole, r)
	_ = r.CloseWithError(err)
	if err != nil {
		return false, err
	}
	return true, o.store.ReplaceArchives(ctx, by, ids, &kept)
}

// mergeable are archives of one month that are not too large together; nil for none.
func mergeable(all []store.Archive) (parts []store.Archive) {
	var size int64
	for _, a := range all {
		if len(parts) > 0 && (!a.Month.Equal(parts[0].Month) || size+a.Size > mergedBytes) {
			if len(parts) > 1 {
				return parts
			}
			parts, size = nil, 0
		}
		parts, size = append(parts, a), size+a.Size
	}
	if len(parts) > 1 {
		return parts
	}
	return nil
}

// copyArchives copies archives one behind the other, and sees that they are what was
// kept.
func copyArchives(ctx context.Context, storage core.FileStorage, parts []store.Archive, to io.Writer) error {
	for _, part := range parts {
		content, err := storage.Read(ctx, part.StorageKey)
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(io.MultiWriter(to, sum), content)
		err = errors.Join(err, content.Close())
		if err == nil && !bytes.Equal(sum.Sum(nil), part.Sha256) {
			err = fmt.Errorf("archive %s was changed", part.StorageKey)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// countAged counts what has aged out of all organizations.
func (o *Operations) countAged(ctx context.Context) (done housekeeping.Batch, err error) {
	orgs, err := o.store.AgingOrganizations(ctx, 0)
	if err != nil {
		return done, err
	}
	for _, org := range orgs {
		for _, root := range store.AgingRoots() {
			n, err := o.store.CountAged(ctx, org.ID, &root, o.agedBefore(org), core.DryRunCount-done.Done)
			if err != nil {
				return done, err
			}
			if done.Done += n; done.Done >= core.DryRunCount {
				return done, nil
			}
		}
	}
	return done, nil
}
