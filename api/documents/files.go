package documents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/documents"
	"waybill/store"
)

// Files stores the bytes of documents and proofs under keys, and signs URLs for
// them that work without an API key.
type Files interface {
	UploadURL(ctx context.Context, key, contentType string, lives time.Duration) (string, error)
	DownloadURL(ctx context.Context, key string, lives time.Duration) (string, error)
	// Signed returns the key of an address of ours that is still good.
	Signed(ctx context.Context, method string, address *url.URL) (key string, ok bool)
	// Write stores a complete file if it has exactly as many bytes as declared,
	// and returns its SHA-256; otherwise it stores nothing.
	Write(ctx context.Context, key string, file attachment.File, content io.Reader) ([]byte, error)
	Read(ctx context.Context, key string) (attachment.Content, error)
	Delete(ctx context.Context, key string) error
}

// How long signed addresses work.
const (
	uploadLifetime   = time.Hour
	downloadLifetime = 15 * time.Minute
)

// uploadKey names a document in the address that its bytes are sent to.
func uploadKey(org, id int64) string { return fmt.Sprintf("documents/%d/%d", org, id) }

func documentOf(key string) (org, id int64, err error) {
	_, err = fmt.Sscanf(key, "documents/%d/%d", &org, &id)
	return org, id, err
}

// storageKey returns a new key for the bytes of a document. Each upload has
// its own, so a second one cannot change the first.
func storageKey(org, id int64) string { return fmt.Sprintf("%d/documents/%d/%s", org, id, rand.Text()) }

// FileRoutes mounts the signed addresses. The signature is the permission, so
// there is no authentication.
func (h *Handlers) FileRoutes(r chi.Router) {
	r.Put("/v1/files", h.edge.Handle(h.uploadFile))
	r.Get("/v1/files", h.edge.Handle(h.downloadFile))
}

// uploadFile stores the bytes of a declared document.
func (h *Handlers) uploadFile(w http.ResponseWriter, r *http.Request) error {
	keepPrivate(w.Header())
	key, ok := h.files.Signed(r.Context(), http.MethodPut, r.URL)
	if !ok {
		return badSignature()
	}
	org, id, err := documentOf(key)
	if err != nil {
		return badSignature()
	}
	declared, err := h.store.Document(r.Context(), org, id)
	if err != nil {
		return err
	}
	if err := checkHeaders(r, declared.File); err != nil {
		return err
	}
	if err := h.storeUpload(r, org, declared); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// badSignature is the error of an address that we have not signed, or that has
// expired.
func badSignature() error {
	return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("file.bad_signature")}
}

// checkHeaders checks the headers of an upload against its declaration.
func checkHeaders(r *http.Request, declared attachment.File) error {
	if got := attachment.MediaType(r.Header.Get("Content-Type")); got != declared.ContentType {
		return fault.Field("Content-Type", fault.Say("document.wrong_type", "type", declared.ContentType))
	}
	if r.ContentLength >= 0 && r.ContentLength != declared.Size {
		return fault.Field("Content-Length", fault.Say("document.wrong_length", "size", strconv.FormatInt(declared.Size, 10)))
	}
	return nil
}

// storeUpload stores the bytes and records them. Unwanted uploads are deleted
// again.
func (h *Handlers) storeUpload(r *http.Request, org int64, declared store.StoredDocument) error {
	ctx := r.Context()
	body := &upload{Reader: r.Body}
	key := storageKey(org, declared.ID)
	sum, err := h.files.Write(ctx, key, declared.File, body)
	if body.err != nil {
		return body.fault()
	}
	if err != nil {
		return err
	}
	by := caller.Service(org, edge.RequestID(ctx))
	completion, err := h.operations.Documents.CompleteDocument(ctx, by, declared.ID, key, sum)
	if err == nil && completion == documents.Completed {
		return nil
	}
	if err == nil { // whether it was recorded is unknown
		h.deleteFile(ctx, key)
	}
	if completion == documents.CompletedOtherwise {
		return &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("document.uploaded_already"),
			Resource: "document", Name: strconv.FormatInt(declared.ID, 10),
		}
	}
	return err
}

func (h *Handlers) deleteFile(ctx context.Context, key string) {
	if err := h.files.Delete(ctx, key); err != nil {
		h.logger.LogAttrs(ctx, slog.LevelWarn, "cannot delete unneeded file",
			slog.String("request_id", edge.RequestID(ctx)), slog.Any("error", err))
	}
}

// upload is a body that remembers why it could not be read to its end.
type upload struct {
	io.Reader
	err error
}

// Read reads on.
func (u *upload) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		u.err = err
	}
	return n, err
}

// fault returns the fault for an interrupted body.
func (u *upload) fault() error {
	var tooLarge *http.MaxBytesError
	if errors.As(u.err, &tooLarge) {
		return u.err
	}
	f := fault.Field("", fault.Say("document.broken_off"))
	f.Cause = u.err
	return f
}

// downloadFile returns a file out.
func (h *Handlers) downloadFile(w http.ResponseWriter, r *http.Request) error {
	keepPrivate(w.Header())
	key, ok := h.files.Signed(r.Context(), http.MethodGet, r.URL)
	if !ok {
		return badSignature()
	}
	content, err := h.files.Read(r.Context(), key)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	contentType, disposition, modified := content.Describe()
	header := w.Header()
	header.Set("Content-Type", contentType)
	if !strings.HasPrefix(disposition, "attachment") {
		disposition = "attachment"
	}
	header.Set("Content-Disposition", disposition)
	http.ServeContent(w, r, "", modified, content)
	return nil
}

// keepPrivate keeps the response out of caches, other sites and search
// engines, and prevents browsers from running it as a page of the service.
func keepPrivate(h http.Header) {
	h.Set("Cache-Control", "private, no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
}
