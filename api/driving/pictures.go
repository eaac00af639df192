package driving

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/domain/fault"
	"waybill/store"
)

// PictureRoutes are the routes that accept bytes.
func (h *Handlers) PictureRoutes(r chi.Router) {
	r.Method(http.MethodPut, "/v1/driver/proofs/{sha256}", h.edge.Handle(h.putPicture))
}

// pictureTypes are the media types of pictures.
var pictureTypes = []string{"image/jpeg", "image/png", "image/webp"}

// putPicture stores the bytes of a picture that an action names by their hash.
func (h *Handlers) putPicture(w http.ResponseWriter, r *http.Request) error {
	p := edge.PrincipalOf(r.Context())
	wanted := chi.URLParam(r, "sha256")
	if !sum.MatchString(wanted) {
		return fault.Field("sha256", fault.Say("driven.no_sum"))
	}
	kind := attachment.MediaType(r.Header.Get("Content-Type"))
	if !slices.Contains(pictureTypes, kind) {
		return fault.Field("Content-Type", fault.Say("request.not_one_of", "allowed", strings.Join(pictureTypes, ", ")))
	}
	if r.ContentLength <= 0 {
		return fault.Field("Content-Length", fault.Say("param.required"))
	}
	here, err := h.store.HasPicture(r.Context(), p.OrgID, wanted)
	if err == nil && !here {
		err = h.operations.Driving.AdmitPicture(r.Context(), edge.Caller(r.Context()), p.DriverID, r.ContentLength)
	}
	if err == nil && !here {
		err = looksLike(r, kind)
	}
	if err == nil && !here {
		err = h.keep(r, &store.Picture{
			SHA256: wanted, ContentType: kind, Size: r.ContentLength, DriverID: p.DriverID,
			StorageKey: fmt.Sprintf("%d/pictures/%s/%s", p.OrgID, wanted, rand.Text()),
		})
	}
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// looksLike checks the first bytes of a body without consuming them, and
// rejects anything but a picture of the declared media type.
func looksLike(r *http.Request, kind string) error {
	const first = 512 // as many as http.DetectContentType reads
	body := bufio.NewReaderSize(r.Body, first)
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	begin, err := body.Peek(first)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if http.DetectContentType(begin) != kind {
		return fault.Field("Content-Type", fault.Say("driven.no_picture", "type", kind))
	}
	return nil
}

// keep stores the bytes without the camera's metadata, and records them; unwanted pictures
// are deleted again. The picture keeps the name that the action uses: the hash of the
// original bytes.
func (h *Handlers) keep(r *http.Request, picture *store.Picture) error {
	ctx := r.Context()
	content, err := whole(r, picture)
	if err != nil {
		return err
	}
	content = attachment.WithoutMetadata(picture.ContentType, content)
	picture.Size = int64(len(content))
	name := "picture." + strings.TrimPrefix(picture.ContentType, "image/")
	file := attachment.File{Name: name, ContentType: picture.ContentType, Size: picture.Size}
	if _, err := h.files.Write(ctx, picture.StorageKey, file, bytes.NewReader(content)); err != nil {
		return err
	}
	first, err := h.operations.Driving.KeepPicture(ctx, edge.Caller(ctx), picture)
	if err == nil && !first {
		err = h.files.Delete(ctx, picture.StorageKey)
	}
	return err
}

// whole reads a picture, and rejects one that is not the announced one.
func whole(r *http.Request, picture *store.Picture) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r.Body, picture.Size+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) != picture.Size {
		return nil, fault.Field("", fault.Say("document.wrong_length", "size", strconv.FormatInt(picture.Size, 10)))
	}
	if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != picture.SHA256 {
		return nil, unprocessable("sha256", fault.Say("driven.other_bytes"))
	}
	return content, nil
}
