package regions

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Programs says where the builders and servers of regions are.
type Programs struct {
	// OSRM is the folder with OSRM's bin and profiles. If it is empty, the programs are those
	// on PATH.
	OSRM string
	// Tilemaker is the path of tilemaker, or its name on PATH.
	Tilemaker string
}

// The errors of missing programs.
var (
	ErrNoOSRM      = errors.New("OSRM is missing: set WAYBILL_OSRM to its folder, put osrm-routed on PATH, or use --without roads")
	ErrNoTilemaker = errors.New("tilemaker is missing: install Debian's package tilemaker, set WAYBILL_TILEMAKER, or use --without tiles")
)

// program finds one of OSRM's programs, with the environment that it needs.
func (p Programs) program(name string) (path string, env []string, err error) {
	if p.OSRM == "" {
		if path, err = exec.LookPath(name); err != nil {
			return "", nil, ErrNoOSRM
		}
		return path, nil, nil
	}
	home, err := filepath.Abs(p.OSRM)
	if err != nil {
		return "", nil, fmt.Errorf("find OSRM: %w", err)
	}
	path = filepath.Join(home, "bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", nil, fmt.Errorf("%w (there is no %s)", ErrNoOSRM, path)
	}
	libraries := filepath.Join(home, "lib")
	return path, []string{"LD_LIBRARY_PATH=" + libraries, "DYLD_LIBRARY_PATH=" + libraries}, nil
}

// profile finds the rules of the roads: in OSRM's folder, or where the programs on PATH and the
// project's container images have them.
func (p Programs) profile() (string, error) {
	path, _, err := p.program("osrm-extract")
	if err != nil {
		return "", err
	}
	folders := []string{filepath.Join(p.OSRM, "profiles")}
	if p.OSRM == "" {
		folders = []string{filepath.Join(filepath.Dir(path), "..", "share", "osrm", "profiles"), "/opt"}
	}
	for _, folder := range folders {
		profile, err := filepath.Abs(filepath.Join(folder, "car.lua"))
		if err != nil {
			return "", fmt.Errorf("find OSRM's profiles: %w", err)
		}
		if _, err := os.Stat(profile); err == nil {
			return profile, nil
		}
	}
	return "", fmt.Errorf("OSRM's profile car.lua is missing: it is not in %v", folders)
}

// Server returns osrm-routed, with the environment that it needs.
func (p Programs) Server() (path string, env []string, err error) { return p.program("osrm-routed") }

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
	_, err := p.profile()
	return err
}

// CheckTiles reports whether map tiles can be built.
func (p Programs) CheckTiles() error {
	_, err := p.tilemaker()
	return err
}
