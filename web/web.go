// Package web is what people see of Waybill in a browser: static apps, built from
// the folders beside this file, that call the public contract and nothing else.
// Where they are not built, a plain page says how to build them.
package web

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/go-chi/chi/v5"
)

//go:embed all:console/dist
var built embed.FS

// Apps are the apps of a service.
type Apps struct {
	console *app // for those who plan, support and administer
	// IsBuilt reports whether the binary was built with the console in it.
	IsBuilt bool
	basemap Basemap
}

// New makes the apps, with what their maps are drawn on. Over https, browsers are told
// to stay with it.
func New(isHTTPS bool, basemap Basemap) (*Apps, error) {
	dist, err := fs.Sub(built, "console/dist")
	if err != nil {
		return nil, fmt.Errorf("read the console: %w", err)
	}
	console, err := newApp("/console", dist, isHTTPS, basemap.sources())
	if err != nil {
		return nil, fmt.Errorf("read the console: %w", err)
	}
	return &Apps{console: console, IsBuilt: console.index != nil, basemap: basemap}, nil
}

// Routes are those of the apps.
func (a *Apps) Routes(r chi.Router) {
	r.Method(http.MethodGet, "/console", http.RedirectHandler("/console/", http.StatusPermanentRedirect))
	r.Method(http.MethodGet, "/console/*", a.console)
	a.basemap.routes(r)
}
