package regions

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/paulmach/orb"

	"waybill/domain/region"
)

// rules say which objects are drawn on tiles, and from which zoom level on.
//
//go:embed tiles/config.json tiles/process.lua
var rules embed.FS

// BuildTiles builds the map tiles of an extract in the folder of a version, and returns their
// size.
func (p Programs) BuildTiles(
	ctx context.Context, v *Version, extract string, bounds region.Bounds, w Watch,
) (size int64, err error) {
	program, err := p.tilemaker()
	if err != nil {
		return 0, err
	}
	source, err := filepath.Abs(extract)
	if err != nil {
		return 0, fmt.Errorf("build map tiles: %w", err)
	}
	work, err := os.MkdirTemp(v.Path, "tiles-")
	if err != nil {
		return 0, fmt.Errorf("build map tiles: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	sea, err := seaOf(ctx, extract, bounds)
	if err != nil {
		return 0, fmt.Errorf("build map tiles: %w", err)
	}
	if len(sea) > 0 {
		w.say("the sea: %d areas", len(sea))
	}
	config, process, err := writeRules(work, sea)
	if err != nil {
		return 0, fmt.Errorf("build map tiles: %w", err)
	}
	cmd := exec.Command(program, "--input", source, "--output", v.Tiles(), //nolint:gosec,noctx // run stops it
		"--bbox", bounds.String(), "--config", config, "--process", process)
	cmd.Dir = v.Path
	if err := (step{program: "tilemaker", cmd: cmd}).run(ctx, w); err != nil {
		return 0, err
	}
	return sizeOf(v.Tiles())
}

// writeRules writes what tilemaker reads besides the extract: its rules, and the sea as an area of
// the layer of water.
func writeRules(dir string, sea orb.MultiPolygon) (config, process string, err error) {
	config, process = filepath.Join(dir, "config.json"), filepath.Join(dir, "process.lua")
	script, err := rules.ReadFile("tiles/process.lua")
	if err != nil {
		return "", "", err
	}
	text, err := rules.ReadFile("tiles/config.json")
	if err != nil {
		return "", "", err
	}
	if len(sea) > 0 {
		shapes := filepath.Join(dir, "sea")
		if text, err = withSea(text, shapes+".shp"); err != nil {
			return "", "", err
		}
		if err := writeShapes(shapes, sea); err != nil {
			return "", "", err
		}
	}
	return config, process, errors.Join(os.WriteFile(config, text, 0o600), os.WriteFile(process, script, 0o600))
}

// withSea adds a layer from a shapefile to a configuration of tilemaker. It is drawn as the layer
// of water is, from the lowest zoom level on.
func withSea(config []byte, shapes string) ([]byte, error) {
	var all struct {
		Layers   map[string]map[string]any `json:"layers"`
		Settings map[string]any            `json:"settings"`
	}
	if err := json.Unmarshal(config, &all); err != nil {
		return nil, err
	}
	layer := maps.Clone(all.Layers["water"])
	layer["source"], layer["write_to"], layer["minzoom"] = shapes, "water", all.Settings["minzoom"]
	all.Layers["water_sea"] = layer // by name after the layer that it is written to, as tilemaker needs
	return json.Marshal(all)
}
