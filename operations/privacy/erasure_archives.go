package privacy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"waybill/domain/caller"
	"waybill/operations/core"
	"waybill/store"
)

// archivedLines is how many lines of an archive are looked at at a time.
const archivedLines = 100

// archiveEraser erases a person from the archives of an organization.
type archiveEraser struct {
	operations *Operations
	caller     caller.Caller
	storage    core.FileStorage
	// addresses and pattern are what the person is found by; at is when they are erased.
	addresses, pattern string
	at                 time.Time
}

// namesInArchives are what the person is called in contacts of archived orders.
func (o *Operations) namesInArchives(ctx context.Context, org int64, addresses string) (names []string, err error) {
	archives, err := o.store.Archives(ctx, org)
	if err != nil || len(archives) == 0 {
		return nil, err
	}
	storage, err := o.files.Open(ctx)
	if err != nil {
		return nil, err
	}
	for i := range archives {
		err := readArchive(ctx, storage, &archives[i], func(lines []string) error {
			called, err := o.store.FindInArchive(ctx, org, lines, addresses)
			names = append(names, called...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// eraseFromArchives writes each archive that names the person again without them, and
// returns how many lines those are. An archive that is put together with others meanwhile
// is an error: it is not known what the new one has.
func (o *Operations) eraseFromArchives(
	ctx context.Context, c caller.Caller, addresses, pattern string, dry bool,
) (count int, err error) {
	archives, err := o.store.Archives(ctx, c.OrgID)
	if err != nil || len(archives) == 0 {
		return 0, err
	}
	storage, err := o.files.Open(ctx)
	if err != nil {
		return 0, err
	}
	e := &archiveEraser{
		operations: o, caller: c, storage: storage, addresses: addresses, pattern: pattern, at: o.now().UTC(),
	}
	for i := range archives {
		var size counting
		erased, err := e.rewrite(ctx, &archives[i], &size)
		if err == nil && erased > 0 && !dry {
			err = e.replace(ctx, &archives[i], int64(size))
		}
		if err != nil {
			return count, fmt.Errorf("archive %s: %w", archives[i].StorageKey, err)
		}
		count += erased
	}
	return count, nil
}

// counting counts the bytes that are written.
type counting int64

// Write implements io.Writer.
func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

// replace puts an archive without the person in the place of the one with them, which it
// deletes. The object storage wants to know the size beforehand: the archive is written
// twice, the first time to nowhere.
func (e *archiveEraser) replace(ctx context.Context, old *store.Archive, size int64) error {
	r, w := io.Pipe()
	go func() {
		_, err := e.rewrite(ctx, old, w)
		_ = w.CloseWithError(err)
	}()
	kept, err := core.WriteArchive(ctx, e.storage, e.caller.OrgID, &store.Archive{
		Month: old.Month, Lines: old.Lines, Size: size,
	}, r)
	_ = r.CloseWithError(err)
	if err != nil {
		return err
	}
	if err := e.operations.store.ReplaceArchives(ctx, e.caller, []int64{old.ID}, &kept); err != nil {
		return err
	}
	return e.storage.Delete(ctx, old.StorageKey)
}

// rewrite writes an archive without the person, and returns how many lines named them.
func (e *archiveEraser) rewrite(ctx context.Context, archive *store.Archive, to io.Writer) (count int, err error) {
	zip := gzip.NewWriter(to)
	err = readArchive(ctx, e.storage, archive, func(lines []string) error {
		erased, err := e.operations.store.ErasedLines(ctx, e.caller.OrgID, lines, e.addresses, e.pattern, e.at)
		if err != nil {
			return err
		}
		for _, line := range erased {
			if line.IsErased {
				count++
			}
			if _, err := io.WriteString(zip, line.Line+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
	return count, errors.Join(err, zip.Close())
}

// readArchive reads the lines of an archive, some at a time, and sees that it is what was
// kept.
func readArchive(
	ctx context.Context, storage core.FileStorage, archive *store.Archive, take func(lines []string) error,
) (err error) {
	content, err := storage.Read(ctx, archive.StorageKey)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	sum := sha256.New()
	packed := io.TeeReader(content, sum)
	zip, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("archive %s was changed: %w", archive.StorageKey, err)
	}
	if err := takeLines(bufio.NewReader(zip), take); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, packed); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), archive.Sha256) {
		return fmt.Errorf("archive %s was changed", archive.StorageKey)
	}
	return nil
}

func takeLines(from *bufio.Reader, take func(lines []string) error) error {
	for ended := false; !ended; {
		var lines []string
		for len(lines) < archivedLines && !ended {
			line, err := from.ReadBytes('\n')
			if ended = errors.Is(err, io.EOF); err != nil && !ended {
				return err
			}
			if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
				lines = append(lines, string(line))
			}
		}
		if len(lines) > 0 {
			if err := take(lines); err != nil {
				return err
			}
		}
	}
	return nil
}
