// Package web serves the browser apps: static apps, built from the folders in
// this one, that call only the public contract. If they are not built, a plain
// page explains how to build them.
package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"
)

//go:embed all:console/dist all:driver/dist
var built embed.FS

// Apps are the apps of a service.
type Apps struct {
	console *app // for planning, support and administration
	driver  *app // for drivers, on their phones
	// IsBuilt reports whether the binary was built with the console in it.
	IsBuilt bool
	// HasDriver reports whether the binary was built with the drivers' app in it.
	HasDriver bool
	basemap   Basemap
	tiles     RegionTiles // nil if there are none
	drawn     *lru.Cache[drawnTile, []byte]
	drawing   chan struct{} // has room for one
}

// New returns the apps, with their basemap. Over https, it tells browsers to
// keep using that.
func New(isHTTPS bool, basemap Basemap) (*Apps, error) {
	console, consoleErr := openApp("console", isHTTPS, needs{sources: basemap.sources(), devices: noDevices})
	driver, driverErr := openApp("driver", isHTTPS, needs{wasm: true, devices: driversDevices})
	if err := errors.Join(consoleErr, driverErr); err != nil {
		return nil, err
	}
	drawn, err := lru.New[drawnTile, []byte](mostDrawn)
	if err != nil {
		return nil, fmt.Errorf("keep pictures of streets: %w", err)
	}
	return &Apps{
		console: console, driver: driver, IsBuilt: console.index != nil, HasDriver: driver.index != nil, basemap: basemap,
		drawn: drawn, drawing: make(chan struct{}, 1),
	}, nil
}

// WithTiles has the apps also serve the map tiles of regions.
func (a *Apps) WithTiles(tiles RegionTiles) *Apps {
	a.tiles = tiles
	return a
}

// The device features of the apps. The drivers' app reads codes with the camera
// and reports where a stop was done; the console uses none.
const (
	noDevices      = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
	driversDevices = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=()"
)

// Releases returns the version of each app, as its build names it. Apps that
// were not built have none.
func (a *Apps) Releases() map[string]string {
	releases := make(map[string]string)
	if a == nil {
		return releases
	}
	for name, one := range map[string]*app{"console": a.console, "driver": a.driver} {
		file := one.files["_app/version.json"]
		if file == nil {
			continue
		}
		var said struct{ Version string }
		if json.Unmarshal(file.encoded[""], &said) == nil && said.Version != "" {
			releases[name] = said.Version
		}
	}
	return releases
}

// openApp reads an app as it was built into this binary.
func openApp(name string, isHTTPS bool, n needs) (*app, error) {
	dist, err := fs.Sub(built, name+"/dist")
	if err != nil {
		return nil, fmt.Errorf("read the app %s: %w", name, err)
	}
	a, err := newApp("/"+name, dist, isHTTPS, n)
	if err != nil {
		return nil, fmt.Errorf("read the app %s: %w", name, err)
	}
	return a, nil
}

// Routes are those of the apps.
func (a *Apps) Routes(r chi.Router) {
	for _, one := range []*app{a.console, a.driver} {
		r.Method(http.MethodGet, one.base, http.RedirectHandler(one.base+"/", http.StatusPermanentRedirect))
		r.Method(http.MethodGet, one.base+"/*", one)
	}
	a.basemap.routes(r)
	a.tileRoutes(r)
}
