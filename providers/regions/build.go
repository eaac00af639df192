package regions

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

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
	cmd := exec.Command(program, "--input", source, "--output", v.Tiles(), //nolint:gosec,noctx // run stops it
		"--bbox", bounds.String(), "--config", files[0], "--process", files[1])
	cmd.Dir = v.Path
	if err := (step{program: "tilemaker", cmd: cmd}).run(ctx, w); err != nil {
		return 0, err
	}
	return sizeOf(v.Tiles())
}
