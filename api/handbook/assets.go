package handbook

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"

	"waybill/api/edge"
)

//go:embed files
var files embed.FS

// What browsers may do with a page: load our files, and send nothing elsewhere.
// Other sites can't embed a page. Swagger UI sets styles on elements, as
// pictures do.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	policyWithStyles = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
		"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// asset is something to answer from memory.
type asset struct {
	content     []byte
	contentType string
	etag        string
	policy      string
}

// newStatic reads the files that pages are made of.
func newStatic() (map[string]asset, error) {
	static := make(map[string]asset)
	entries, err := fs.ReadDir(files, "files")
	if err != nil {
		return nil, fmt.Errorf("read the files of the documentation: %w", err)
	}
	for _, entry := range entries {
		content, err := files.ReadFile("files/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read a file of the documentation: %w", err)
		}
		static[entry.Name()] = newAsset(entry.Name(), content)
	}
	return static, nil
}

func newAsset(name string, content []byte) asset {
	sum := sha256.Sum256(content)
	a := asset{
		content: content, contentType: contentType(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`, policy: policy,
	}
	if name == "try.html" || path.Ext(name) == ".svg" {
		a.policy = policyWithStyles
	}
	return a
}

// contentType does not use the machine's own table, which varies.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".yaml":
		return "application/yaml"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	}
	return "text/plain; charset=utf-8"
}

// ServeHTTP serves the content, or a 304 if the browser has it.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.answerHeaders(w, r) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.content))
	}
}

// serveStatus serves the content with the given status.
func (a asset) serveStatus(w http.ResponseWriter, r *http.Request, status int) {
	if status == http.StatusOK {
		a.ServeHTTP(w, r)
		return
	}
	a.etag = ""
	a.answerHeaders(w, r)
	w.WriteHeader(status)
	_, _ = w.Write(a.content) // otherwise the client is gone
}

// answerHeaders reports whether the content must follow.
func (a asset) answerHeaders(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", "no-cache") // revalidate, but do not load again
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", a.policy)
	if a.etag == "" {
		return true
	}
	h.Set("ETag", a.etag)
	if had := edge.Matching(r.Header.Get("If-None-Match"), a.etag); had != "" {
		h.Set("ETag", had)
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return false
	}
	return true
}
