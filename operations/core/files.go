package core

import (
	"context"
	"errors"
	"fmt"
	"io"

	"waybill/domain/attachment"
	"waybill/providers/files"
)

// FileStorage is the object storage as housekeeping needs it.
type FileStorage interface {
	List(ctx context.Context, mark string, atMost int) (found []files.Found, next string, err error)
	Delete(ctx context.Context, key string) error
	Write(ctx context.Context, key string, file attachment.File, content io.Reader) (sha256 []byte, err error)
	Read(ctx context.Context, key string) (attachment.Content, error)
}

// OpenFiles opens the object storage; nil where there is none.
type OpenFiles func(ctx context.Context) (FileStorage, error)

// Open opens the object storage. It is an error when there is none.
func (open OpenFiles) Open(ctx context.Context) (FileStorage, error) {
	if open == nil {
		return nil, errors.New("no object storage configured")
	}
	return open(ctx)
}

// DeleteAll deletes files, and returns how many it deleted until one failed.
func DeleteAll(ctx context.Context, storage FileStorage, keys []string) (deleted int, err error) {
	for _, key := range keys {
		if err := storage.Delete(ctx, key); err != nil {
			return deleted, fmt.Errorf("delete a file: %w", err)
		}
		deleted++
	}
	return deleted, nil
}
