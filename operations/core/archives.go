package core

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"waybill/domain/attachment"
	"waybill/store"
)

// archivePatience is how long a file may take to be kept: rows are locked meanwhile.
const archivePatience = 40 * time.Second

// WriteArchive keeps content as an archive of an organization, and returns the archive with
// the key and the checksum of its file.
func WriteArchive(
	ctx context.Context, storage FileStorage, org int64, a *store.Archive, content io.Reader,
) (store.Archive, error) {
	ctx, cancel := context.WithTimeout(ctx, archivePatience)
	defer cancel()
	month := a.Month.Format("2006-01")
	a.StorageKey = fmt.Sprintf("%d/archives/%s/%s.jsonl.gz", org, month, rand.Text())
	sum, err := storage.Write(ctx, a.StorageKey, attachment.File{
		Name: "orders-" + month + ".jsonl.gz", ContentType: "application/gzip", Size: a.Size,
	}, content)
	if err != nil {
		return store.Archive{}, fmt.Errorf("save the archive: %w", err)
	}
	a.Sha256 = sum
	return *a, nil
}
