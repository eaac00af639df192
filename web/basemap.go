package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/go-chi/chi/v5"
)

// BasemapKind is how a basemap is read.
type BasemapKind string

// The kinds of basemaps, as the contract calls them.
const (
	Schematic BasemapKind = "SCHEMATIC" // the coasts that the console has itself
	PMTiles   BasemapKind = "PMTILES"   // a file that is served in ranges
	Tiles     BasemapKind = "TILES"     // pictures by {z}, {x} and {y}
	Style     BasemapKind = "STYLE"     // a style of MapLibre
)

// basemapPath is where a file of tiles is served.
const basemapPath = "/map/basemap.pmtiles"

// Basemap is the source of the console's maps. The zero basemap is schematic.
type Basemap struct {
	Kind BasemapKind
	// URL is its address, or empty if the console contains it.
	URL string
	// host is the only other host that the console may load it from.
	host string
	// file is the file that is served.
	file string
}

// ReadBasemap parses a basemap: nothing, pmtiles: before the name of a file, or
// the URL of tiles or of a style.
func ReadBasemap(text string) (Basemap, error) {
	if text == "" {
		return Basemap{Kind: Schematic}, nil
	}
	if file, isFile := strings.CutPrefix(text, "pmtiles:"); isFile {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			return Basemap{}, fmt.Errorf("is not a file: %s", file)
		}
		return Basemap{Kind: PMTiles, URL: basemapPath, file: file}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") ||
		strings.ContainsAny(u.Host, " ;,'\"*") {
		return Basemap{}, errors.New("must be pmtiles: with a file, or an http or https URL without a user name")
	}
	kind := Style
	if strings.Contains(text, "{z}") && strings.Contains(text, "{x}") && strings.Contains(text, "{y}") {
		kind = Tiles
	}
	return Basemap{Kind: kind, URL: text, host: u.Scheme + "://" + u.Host}, nil
}

// sources are where the console may read it from, for a policy.
func (b Basemap) sources() string {
	if b.host == "" {
		return ""
	}
	return " " + b.host
}

// routes serve the file of tiles, if there is one. It shows only streets, so it
// is public.
func (b Basemap) routes(r chi.Router) {
	if b.file == "" {
		return
	}
	r.Get(basemapPath, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.ServeFile(w, r, b.file)
	})
}
