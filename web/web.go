// Package web is what people see of Waybill in a browser: static apps, built from
// the folders beside this file, that call the public contract and nothing else.
// Where they are not built, a plain page says how to build them.
package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/go-chi/chi/v5"
)

//go:embed all:console/dist all:driver/dist
var built embed.FS

// Apps are the apps of a service.
type Apps struct {
	console *app // for those who plan, support and administer
	driver  *app // for those who drive, on their phones
	// IsBuilt reports whether the binary was built with the console in it.
	IsBuilt bool
	// HasDriver reports whether the binary was built with the drivers' app in it.
	HasDriver bool
	basemap   Basemap
}

// New makes the apps, with what their maps are drawn on. Over https, browsers are told
// to stay with it.
func New(isHTTPS bool, basemap Basemap) (*Apps, error) {
	console, consoleErr := openApp("console", isHTTPS, needs{sources: basemap.sources(), devices: noDevices})
	driver, driverErr := openApp("driver", isHTTPS, needs{wasm: true, devices: driversDevices})
	if err := errors.Join(consoleErr, driverErr); err != nil {
		return nil, err
	}
	return &Apps{
		console: console, driver: driver, IsBuilt: console.index != nil, HasDriver: driver.index != nil, basemap: basemap,
	}, nil
}

// What apps use of a device. The drivers' app reads codes with the camera and says where
// a stop was done; the console uses nothing.
const (
	noDevices      = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
	driversDevices = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=()"
)

// Releases returns the version of each app, as its build names it. Apps that were not
// built have none.
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
}
