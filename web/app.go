package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

// app serves one app from memory. Whatever is no file of it is one of its pages, and
// those the browser draws from the index.
type app struct {
	base    string
	files   map[string]*file
	index   *file // nil where the app was not built
	headers map[string]string
}

// needs are an app's requirements beyond its own files.
type needs struct {
	sources string // further hosts that it may load from
	wasm    bool   // whether it compiles programs, as the reader of codes does
	devices string // the device features that it uses, as Permissions-Policy names them
}

// newApp reads the files of an app.
func newApp(base string, dist fs.FS, isHTTPS bool, n needs) (*app, error) {
	a := &app{base: base, files: make(map[string]*file)}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Base(name) == ".gitkeep" {
			return err
		}
		return a.add(dist, name)
	})
	if err != nil {
		return nil, err
	}
	a.index = a.files["index.html"]
	a.headers = a.policy(isHTTPS, n)
	return a, nil
}

// add reads a file, or one that was compressed beforehand.
func (a *app) add(dist fs.FS, name string) error {
	content, err := fs.ReadFile(dist, name)
	if err != nil {
		return err
	}
	plain, encoding := name, ""
	switch path.Ext(name) {
	case ".br":
		plain, encoding = strings.TrimSuffix(name, ".br"), "br"
	case ".gz":
		plain, encoding = strings.TrimSuffix(name, ".gz"), "gzip"
	}
	f := a.files[plain]
	if f == nil {
		f = &file{name: plain, encoded: make(map[string][]byte), tags: make(map[string]string)}
		a.files[plain] = f
	}
	sum := sha256.Sum256(content)
	f.encoded[encoding], f.tags[encoding] = content, `"`+hex.EncodeToString(sum[:8])+`"`
	return nil
}

// ServeHTTP serves a file of the app, or its index.
func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, a.base), "/")
	for header, value := range a.headers {
		w.Header().Set(header, value)
	}
	if a.index == nil {
		serveUnbuilt(w, a.base)
		return
	}
	f := a.files[name]
	if f == nil && strings.HasPrefix(name, "_app/") {
		http.NotFound(w, r) // of an earlier release: the page reloads
		return
	}
	if f == nil {
		f = a.index
	}
	f.serve(w, r)
}

// announcer is the hash of the only style that SvelteKit puts into a page: that
// of the text that announces a new page to screen readers.
const announcer = "'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='"

// policy is the app's content security policy: it may run our own code, and
// nothing else.
func (a *app) policy(isHTTPS bool, n needs) map[string]string {
	scripts := "'self'"
	if a.index != nil {
		scripts += a.index.scripts()
	}
	if n.wasm {
		scripts += " 'wasm-unsafe-eval'"
	}
	headers := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src " + scripts + "; style-src 'self'; " +
			"style-src-attr 'unsafe-hashes' " + announcer + "; img-src 'self' blob: data:" + n.sources + "; " +
			"font-src 'self'; connect-src 'self'" + n.sources + "; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; " +
			"form-action 'self'; frame-ancestors 'none'",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           n.devices,
		"Referrer-Policy":              "same-origin",
		"X-Content-Type-Options":       "nosniff",
	}
	if isHTTPS {
		headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
	}
	return headers
}

// file is a file of an app by encoding; "" is unencoded.
type file struct {
	name    string
	encoded map[string][]byte
	tags    map[string]string // the ETag of each
}

// inline finds the inline scripts of the index.
var inline = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// scripts are the hashes of the scripts in a page, which the policy permits.
func (f *file) scripts() (hashes string) {
	for _, script := range inline.FindAllSubmatch(f.encoded[""], -1) {
		sum := sha256.Sum256(script[1])
		hashes += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return hashes
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	encoding := f.encodingFor(r.Header.Get("Accept-Encoding"))
	content := f.encoded[encoding]
	h.Set("Content-Type", contentType(f.name))
	h.Set("ETag", f.tags[encoding])
	h.Set("Vary", "Accept-Encoding")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	// The names below immutable hold a hash of the content.
	if strings.HasPrefix(f.name, "_app/immutable/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// encodingFor chooses the smallest form that a browser takes.
func (f *file) encodingFor(accepted string) string {
	for _, encoding := range []string{"br", "gzip"} {
		if f.encoded[encoding] != nil && accepts(accepted, encoding) {
			return encoding
		}
	}
	return ""
}

// accepts reports whether an Accept-Encoding names an encoding, and does not refuse it.
func accepts(accepted, encoding string) bool {
	for part := range strings.SplitSeq(accepted, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && strings.TrimRight(weight, "0") != "q=0."
		}
	}
	return false
}

// contentType does not use the machine's own table, which varies.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".png":
		return "image/png"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".wasm":
		return "application/wasm"
	}
	return "application/octet-stream"
}
