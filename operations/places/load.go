// Package places loads address registers, and says and corrects where addresses are.
package places

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"waybill/domain/place"
	"waybill/domain/region"
	"waybill/providers/registers"
	"waybill/store/places"
)

// ErrNoAddresses means that a file has no address that can be found. The source's earlier content
// stays.
var ErrNoAddresses = errors.New("the file has no addresses; the source is left as it was")

// saidEvery is the number of records between progress reports.
const saidEvery = 20_000

// Load loads files of registers, as the owner of the tables.
type Load struct {
	Owner *places.Owner
	// Country is the country of addresses without one, or empty to detect it.
	Country string
	// Again loads files that are already loaded.
	Again bool
	// Said receives the progress, as one line.
	Said func(string)
}

// Result is the result for a file.
type Result struct {
	Source, Format, Attribution string
	// Country is the detected country of addresses without one, or empty if it
	// was given.
	Country string
	// Unchanged is true if the file was already loaded.
	Unchanged bool
	// Resumed is how many addresses an interrupted run had loaded.
	Resumed int64
	places.Loaded
}

// SourceOf is the name of a file's source: the file's own without its endings.
func SourceOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// File loads one file as a source and replaces the source's earlier content.
// Running it again resumes an interrupted load.
func (l *Load) File(ctx context.Context, path, source string) (Result, error) {
	return l.file(ctx, path, source, nil)
}

// file also switches to a region, if there is one, in the same transaction.
func (l *Load) file(ctx context.Context, path, source string, r *region.Region) (result Result, err error) {
	file, err := registers.Open(path, l.Country)
	if err != nil {
		return result, err
	}
	result.Source, result.Format, result.Attribution = source, file.Format.Name, file.Format.Attribution
	fingerprint, err := file.Fingerprint()
	if err != nil {
		return result, err
	}
	about := places.About{
		Name: source, Format: file.Format.Name, Attribution: file.Format.Attribution, Rank: file.Format.Rank,
		Fingerprint: fingerprint,
	}
	if result.Unchanged, err = l.Owner.IsLoaded(ctx, about); err != nil || result.Unchanged && !l.Again {
		if err == nil && r != nil {
			err = l.Owner.PutRegion(ctx, r)
		}
		return result, err
	}
	result.Unchanged = false
	result.Loaded, result.Resumed, err = l.load(ctx, file, about, r)
	if l.Country == "" {
		result.Country = file.Country
	}
	return result, err
}

func (l *Load) load(
	ctx context.Context, file *registers.File, about places.About, r *region.Region,
) (done places.Loaded, resumed int64, err error) {
	loading, err := l.Owner.Begin(ctx, about)
	if err != nil {
		return places.Loaded{}, 0, err
	}
	resumed = loading.Resumed()
	count := 0
	err = file.Read(ctx, func(r place.Record) error {
		if count++; count%saidEvery == 0 {
			l.Said(progress(about.Name, file.Progress(), count))
		}
		return loading.Add(ctx, &r)
	})
	if err != nil {
		return places.Loaded{}, resumed, err
	}
	if count == 0 && r == nil { // a truncated download must not empty a source
		return places.Loaded{}, resumed, fmt.Errorf("%s: %w", about.Name, ErrNoAddresses)
	}
	l.Said(about.Name + ": swapping")
	if r == nil {
		done, err = loading.Swap(ctx)
	} else {
		done, err = loading.SwapRegion(ctx, r)
	}
	return done, resumed, err
}

// progress is a line with a bar.
func progress(source string, share float64, count int) string {
	const width = 30
	full := int(share * width)
	return fmt.Sprintf("%s [%s%s] %3.0f %%  %d addresses", source, strings.Repeat("#", full),
		strings.Repeat(".", width-full), share*100, count)
}
