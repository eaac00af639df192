package stack

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed mailbox_pages
var mailboxFiles embed.FS

var mailboxTemplates = template.Must(template.ParseFS(mailboxFiles, "mailbox_pages/*.html"))

// mailboxPages serves a list of the messages in dir and each of them.
func mailboxPages(dir string) http.Handler {
	box := pages{dir: dir}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/messages", http.StatusFound)
	})
	mux.HandleFunc("GET /messages", box.list)
	mux.HandleFunc("GET /messages/{id}", box.show)
	mux.HandleFunc("GET /messages/{id}/html", box.html)
	mux.HandleFunc("GET /messages/{id}/source", box.source)
	return ofThisMachine(mux)
}

// ofThisMachine responds only under the names of this machine: a foreign page
// whose name resolves here must not read messages.
func ofThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			name = r.Host
		}
		if address := net.ParseIP(strings.Trim(name, "[]")); name != "localhost" && !address.IsLoopback() {
			http.Error(w, "the mailbox is for this machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type pages struct{ dir string }

// list shows the messages, newest first.
func (p pages) list(w http.ResponseWriter, r *http.Request) {
	messages, err := listMessages(p.dir)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if wantsJSON(r) {
		writeJSON(w, map[string]any{"messages": messages})
		return
	}
	writePage(w, "list.html", messages)
}

// show shows one message.
func (p pages) show(w http.ResponseWriter, r *http.Request) {
	message, ok := p.find(w, r)
	if !ok {
		return
	}
	if wantsJSON(r) {
		writeJSON(w, message)
		return
	}
	writePage(w, "message.html", message)
}

// html is the HTML part of a message. It may neither run scripts nor fetch
// anything.
func (p pages) html(w http.ResponseWriter, r *http.Request) {
	message, ok := p.find(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Security-Policy",
		"sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(message.HTML)) // the reader may be gone
}

// source is a message as it arrived.
func (p pages) source(w http.ResponseWriter, r *http.Request) {
	file, ok := p.file(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	http.ServeFile(w, r, file)
}

var messageName = regexp.MustCompile(`^[0-9A-Za-z.T-]+$`)

// file is where the message in the request's path is kept.
func (p pages) file(r *http.Request) (string, bool) {
	id := r.PathValue("id")
	return filepath.Join(p.dir, id+messageSuffix), messageName.MatchString(id)
}

// find reads the message in the request's path, or responds that there is none.
func (p pages) find(w http.ResponseWriter, r *http.Request) (Message, bool) {
	file, ok := p.file(r)
	if !ok {
		http.NotFound(w, r)
		return Message{}, false
	}
	message, err := ReadMessage(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
	return message, err == nil
}

func wantsJSON(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "application/json")
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the reader may be gone
}

func writePage(w http.ResponseWriter, name string, value any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set(
		"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; script-src 'none'",
	)
	_ = mailboxTemplates.ExecuteTemplate(w, name, value) // the reader may be gone
}
