package service

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

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
)

//go:embed docs
var docs embed.FS

// docsPolicy lets the page of the contract load what is ours, and nobody put it into
// a page of theirs.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
	"img-src 'self' data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// assets are the contract and the page that shows it, all from memory.
type assets map[string]asset

type asset struct {
	content     []byte
	contentType string
	etag        string
}

func newAssets() (assets, error) {
	a := assets{"openapi.yaml": newAsset("openapi.yaml", contract.Document())}
	files, err := fs.ReadDir(docs, "docs")
	if err != nil {
		return nil, fmt.Errorf("read the API documentation: %w", err)
	}
	for _, file := range files {
		content, err := docs.ReadFile("docs/" + file.Name())
		if err != nil {
			return nil, fmt.Errorf("read a page of the contract: %w", err)
		}
		a[file.Name()] = newAsset(file.Name(), content)
	}
	return a, nil
}

func newAsset(name string, content []byte) asset {
	sum := sha256.Sum256(content)
	return asset{content: content, contentType: contentType(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// contentType does not ask the machine's own table, which differs.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".yaml":
		return "application/yaml"
	case ".json":
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

// postmanFile is the contract as a collection for Postman.
const postmanFile = "waybill.postman_collection.json"

// postman answers the contract as a collection for Postman.
func (h *Handlers) postman(w http.ResponseWriter, r *http.Request) error {
	collection, err := contract.Postman()
	if err != nil {
		return err
	}
	newAsset(postmanFile, collection).ServeHTTP(w, r)
	return nil
}

// shownFile is the contract as the page shows it.
const shownFile = "contract.yaml"

// shown answers the contract with code samples and the changelog.
func (h *Handlers) shown(w http.ResponseWriter, r *http.Request) error {
	document, err := contract.Shown()
	if err != nil {
		return err
	}
	newAsset(shownFile, document).ServeHTTP(w, r)
	return nil
}

// docsFile answers what the page of the contract is made of.
func (h *Handlers) docsFile(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "file")
	file, ok := h.assets[name]
	if !ok || path.Ext(name) == ".yaml" || path.Ext(name) == ".html" {
		return fault.Missing("page", name)
	}
	file.ServeHTTP(w, r)
	return nil
}

// ServeHTTP answers the content; a browser that has it already gets a 304.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", a.etag)
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", "no-cache") // ask again, but do not load again
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", docsPolicy)
	if had := edge.Matching(r.Header.Get("If-None-Match"), a.etag); had != "" {
		h.Set("ETag", had)
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.content))
}
