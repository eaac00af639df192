// Package files stores the bytes of documents and proofs in an object
// storage: a folder, S3, Google Cloud Storage or Azure. Files are identified
// by keys; their meaning is up to the caller.
package files

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/gcsblob" // gs://
	_ "gocloud.dev/blob/s3blob"  // s3://
	"gocloud.dev/gcerrors"

	"waybill/domain/attachment"
	"waybill/domain/fault"
)

// Storage is an open object storage.
type Storage struct {
	bucket *blob.Bucket
	signer *fileblob.URLSignerHMAC
	watch  func(operation string, failed bool)
}

// Watch reports each request to the storage and whether it failed. It is called before the
// storage is used.
func (s *Storage) Watch(watch func(operation string, failed bool)) { s.watch = watch }

// The requests to a storage.
const (
	OperationRead   = "read"
	OperationWrite  = "write"
	OperationDelete = "delete"
	OperationList   = "list"
)

// done reports a request, and translates errors that are not other faults to an
// unavailable storage. A canceled call does not count.
func (s *Storage) done(ctx context.Context, operation string, err error) error {
	failed := err != nil && fault.KindOf(err) == fault.Internal && ctx.Err() == nil
	if s.watch != nil {
		s.watch(operation, failed)
	}
	if !failed {
		return err
	}
	return &fault.Error{
		Kind: fault.Unavailable, Text: fault.Say("service.unavailable"),
		Cause: fmt.Errorf("object storage unavailable: %w", err),
	}
}

// sender is a body from a client. Its interruption is not a fault of the storage.
type sender struct {
	io.Reader

	broken error
}

// Read implements io.Reader.
func (s *sender) Read(into []byte) (int, error) {
	n, err := s.Reader.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		s.broken = err
	}
	return n, err
}

// Open opens the storage at a URL: file://, s3://, gs:// or azblob://. served
// is the address under which the service accepts uploads, and serves files if
// the storage can't sign its own URLs; they are signed with key.
func Open(ctx context.Context, storage, served string, key []byte) (*Storage, error) {
	at, err := url.Parse(storage)
	if err != nil {
		return nil, fmt.Errorf("open the storage: %w", err)
	}
	base, err := url.Parse(served)
	if err != nil {
		return nil, fmt.Errorf("open the storage: %w", err)
	}
	s := &Storage{signer: fileblob.NewURLSignerHMAC(base, key)}
	if at.Scheme == fileblob.Scheme {
		// A rename must not cross file systems, so unfinished files are in the
		// same folder.
		folder := fileblob.URLOpener{
			Options: fileblob.Options{URLSigner: s.signer, CreateDir: true, DirFileMode: 0o700, NoTempDir: true},
		}
		s.bucket, err = folder.OpenBucketURL(ctx, at)
	} else {
		s.bucket, err = blob.OpenBucket(ctx, storage)
	}
	if err != nil {
		return nil, fmt.Errorf("open the storage: %w", err)
	}
	return s, nil
}

// Close releases the storage's resources.
func (s *Storage) Close() error { return s.bucket.Close() }

// UploadURL signs an address that accepts one PUT of a media type. It is
// always the service's own, because only the service can enforce the
// declared length.
func (s *Storage) UploadURL(ctx context.Context, key, contentType string, lives time.Duration) (string, error) {
	u, err := s.signer.URLFromKey(
		ctx, key, &driver.SignedURLOptions{Method: http.MethodPut, ContentType: contentType, Expiry: lives},
	)
	if err != nil {
		return "", fmt.Errorf("sign an upload: %w", err)
	}
	return u.String(), nil
}

// DownloadURL signs a URL for downloading a file: the storage's own if it has
// such.
func (s *Storage) DownloadURL(ctx context.Context, key string, lives time.Duration) (string, error) {
	u, err := s.bucket.SignedURL(ctx, key, &blob.SignedURLOptions{Method: http.MethodGet, Expiry: lives})
	if err != nil {
		return "", fmt.Errorf("sign a download: %w", err)
	}
	return u, nil
}

// Signed returns the key of an address that we have signed for a method, when it
// is still good.
func (s *Storage) Signed(ctx context.Context, method string, address *url.URL) (key string, ok bool) {
	key, err := s.signer.KeyFromURL(ctx, address)
	return key, err == nil && address.Query().Get("method") == method
}

// Write stores a complete file if it has exactly as many bytes as declared, and
// returns its SHA-256; otherwise it stores nothing.
func (s *Storage) Write(ctx context.Context, key string, file attachment.File, content io.Reader) ([]byte, error) {
	from := &sender{Reader: content}
	sum, err := s.write(ctx, key, file, from)
	if from.broken != nil {
		return nil, err
	}
	return sum, s.done(ctx, OperationWrite, err)
}

func (s *Storage) write(ctx context.Context, key string, file attachment.File, content io.Reader) ([]byte, error) {
	ctx, discard := context.WithCancel(ctx)
	defer discard()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType:        file.ContentType,
		ContentDisposition: mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}),
	})
	if err != nil {
		return nil, fmt.Errorf("write a file: %w", err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(content, file.Size+1))
	if err == nil && n != file.Size {
		err = fault.Field("", fault.Say("document.wrong_length", "size", fmt.Sprint(file.Size)))
	}
	if err != nil {
		discard()
		_ = w.Close() // only reports that the write was discarded
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write a file: %w", err)
	}
	return sum.Sum(nil), nil
}

type content struct {
	*blob.Reader
	disposition string
}

// Describe returns how to serve the file, and since when it exists.
func (c content) Describe() (contentType, disposition string, modified time.Time) {
	return c.ContentType(), c.disposition, c.ModTime()
}

// Read opens a file; the caller closes it.
func (s *Storage) Read(ctx context.Context, key string) (attachment.Content, error) {
	attributes, err := s.bucket.Attributes(ctx, key)
	if err != nil {
		return nil, s.done(ctx, OperationRead, absent(err))
	}
	r, err := s.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, s.done(ctx, OperationRead, absent(err))
	}
	_ = s.done(ctx, OperationRead, nil)
	return content{r, attributes.ContentDisposition}, nil
}

func absent(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return &fault.Error{Kind: fault.NotFound, Text: fault.Say("file.gone"), Cause: err}
	}
	return fmt.Errorf("read a file: %w", err)
}

// Delete deletes a file; a missing one is no error.
func (s *Storage) Delete(ctx context.Context, key string) error {
	err := s.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = nil
	}
	return s.done(ctx, OperationDelete, err)
}

// Found is a file of the storage.
type Found struct {
	Key      string
	Modified time.Time
	Size     int64
}

// List returns at most so many files of the storage, behind a mark, and the mark
// behind them: empty when they are the last ones. An empty mark is the beginning.
func (s *Storage) List(ctx context.Context, mark string, atMost int) (found []Found, next string, err error) {
	return s.ListUnder(ctx, "", mark, atMost)
}

// ListUnder returns files whose keys begin with a prefix, as List does.
func (s *Storage) ListUnder(
	ctx context.Context, prefix, mark string, atMost int,
) (found []Found, next string, err error) {
	token := blob.FirstPageToken
	if mark != "" {
		if token, err = base64.RawURLEncoding.DecodeString(mark); err != nil {
			return nil, "", fmt.Errorf("read the list position: %w", err)
		}
	}
	objects, token, err := s.bucket.ListPage(ctx, token, atMost, &blob.ListOptions{Prefix: prefix})
	if err = s.done(ctx, OperationList, err); err != nil {
		return nil, "", fmt.Errorf("list files: %w", err)
	}
	for _, o := range objects {
		found = append(found, Found{Key: o.Key, Modified: o.ModTime, Size: o.Size})
	}
	return found, base64.RawURLEncoding.EncodeToString(token), nil
}

// probed is the key that Check writes. Housekeeping removes unreferenced files,
// so an interrupted check leaves nothing for long.
const probed = "doctor/"

// Check writes a small file, reads it back and deletes it.
func (s *Storage) Check(ctx context.Context) error {
	key, content := probed+rand.Text(), []byte("waybill doctor")
	if err := s.bucket.WriteAll(ctx, key, content, nil); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	read, err := s.bucket.ReadAll(ctx, key)
	if err != nil {
		err = fmt.Errorf("read a file: %w", err)
	} else if !bytes.Equal(read, content) {
		err = errors.New("read a file: the content differs from what was written")
	}
	if deleted := s.Delete(context.WithoutCancel(ctx), key); deleted != nil {
		err = errors.Join(err, fmt.Errorf("delete a file: %w", deleted))
	}
	return err
}
