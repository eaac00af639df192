package regions

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"waybill/domain/region"
)

// rules say which objects are drawn on tiles, and from which zoom level on.
//
//go:embed tiles/config.json tiles/process.lua
var rules embed.FS

// BuildRoads builds the road data of an extract in the folder of a version, and returns its
// size.
func (p Programs) BuildRoads(ctx context.Context, v *Version, extract string, w Watch) (size int64, err error) {
	profile, err := p.profile()
	if err != nil {
		return 0, err
	}
	dir := filepath.Dir(v.Roads())
	// The programs write next to the extract, so they get it under another name. They also
	// replace ".osm.pbf" anywhere in a path, so they get it without a folder.
	extractName, data := roadsName+".osm.pbf", filepath.Base(v.Roads())
	link := filepath.Join(dir, extractName)
	if err := linkTo(extract, link); err != nil {
		return 0, fmt.Errorf("build road data: %w", err)
	}
	for _, one := range []struct {
		program string
		args    []string
	}{
		{"osrm-extract", []string{"-p", profile, extractName}},
		{"osrm-partition", []string{data}},
		{"osrm-customize", []string{data}},
		// Whether the server can load what they built.
		{"osrm-routed", []string{"--algorithm", "mld", "--trial=1", data}},
	} {
		step := Step{Program: one.program, args: one.args, dir: dir}
		if step.path, step.env, err = p.program(one.program); err != nil {
			return 0, err
		}
		if err := step.run(ctx, w); err != nil {
			return 0, err
		}
	}
	if err := os.Remove(link); err != nil {
		return 0, fmt.Errorf("build road data: %w", err)
	}
	return sizeOf(dir)
}

func linkTo(extract, link string) error {
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil { //nolint:gosec // streets are public
		return err
	}
	source, err := filepath.Abs(extract)
	if err != nil {
		return err
	}
	return os.Symlink(source, link)
}

// BuildTiles builds the map tiles of an extract in the folder of a version, and returns their
// size.
func (p Programs) BuildTiles(
	ctx context.Context, v *Version, extract string, bounds region.Bounds, w Watch,
) (size int64, err error) {
	step := Step{Program: "tilemaker", dir: v.Path}
	if step.path, err = p.tilemaker(); err != nil {
		return 0, err
	}
	source, err := filepath.Abs(extract)
	if err != nil {
		return 0, fmt.Errorf("build map tiles: %w", err)
	}
	var files []string
	for _, name := range []string{"config.json", "process.lua"} {
		text, err := rules.ReadFile("tiles/" + name)
		if err != nil {
			return 0, fmt.Errorf("build map tiles: %w", err)
		}
		file := filepath.Join(v.Path, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return 0, fmt.Errorf("build map tiles: %w", err)
		}
		defer func() { _ = os.Remove(file) }()
		files = append(files, file)
	}
	step.args = []string{
		"--input", source, "--output", v.Tiles(), "--bbox", bounds.String(), "--config", files[0], "--process", files[1],
	}
	if err := step.run(ctx, w); err != nil {
		return 0, err
	}
	return sizeOf(v.Tiles())
}
