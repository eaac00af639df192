package regions

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"waybill/internal/osrm"
)

// Programs says where the builders and servers of regions are.
type Programs struct {
	// OSRM is the folder with OSRM's bin and profiles. If it is empty, the programs are those
	// on PATH.
	OSRM string
	// Tilemaker is the path of tilemaker, or its name on PATH.
	Tilemaker string
}

// ErrNoTilemaker is returned where tilemaker is not installed.
var ErrNoTilemaker = errors.New("tilemaker is missing: install Debian's package tilemaker, set WAYBILL_TILEMAKER, or use --without tiles")

func (p Programs) osrm() osrm.Programs { return osrm.Programs{Home: p.OSRM} }

// missing says what to do where OSRM is missing.
func missing(err error) error {
	if errors.Is(err, osrm.ErrMissing) {
		return fmt.Errorf("%w: set WAYBILL_OSRM to its folder, put osrm-routed on PATH, or use --without roads", err)
	}
	return err
}

// Serve returns the command of osrm-routed that serves road data at a port of 127.0.0.1. A table
// has at most that many places on both sides together.
func (p Programs) Serve(data string, port, tableSize int) (*exec.Cmd, error) {
	cmd, err := p.osrm().Serve(data, port, tableSize)
	return cmd, missing(err)
}

func (p Programs) tilemaker() (string, error) {
	name := p.Tilemaker
	if name == "" {
		name = "tilemaker"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", ErrNoTilemaker
	}
	return filepath.Abs(path)
}

// CheckRoads reports whether road data can be built.
func (p Programs) CheckRoads() error {
	_, err := p.osrm().Profile(osrm.Car)
	return missing(err)
}

// CheckTiles reports whether map tiles can be built.
func (p Programs) CheckTiles() error {
	_, err := p.tilemaker()
	return err
}
