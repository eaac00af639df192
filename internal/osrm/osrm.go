// Package osrm finds and runs the programs of OSRM, which builds and serves road data.
package osrm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// ErrMissing is returned where OSRM is not installed.
var ErrMissing = errors.New("OSRM is missing")

// Programs are the programs of an installation of OSRM.
type Programs struct {
	// Home is the folder with OSRM's bin and profiles. If it is empty, the programs are those
	// on PATH.
	Home string
}

// Command returns a command that runs one of the programs, with the environment that it needs.
func (p Programs) Command(name string, args ...string) (*exec.Cmd, error) {
	path, err := p.path(name)
	if err != nil {
		return nil, err
	}
	profiles, err := p.Profile(Car)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...) //nolint:gosec,noctx // the operator names the programs, and the caller stops them
	cmd.Env = append(os.Environ(), "LUA_PATH="+filepath.Join(filepath.Dir(profiles), "?.lua")+";;")
	if p.Home != "" {
		libraries := filepath.Join(filepath.Dir(filepath.Dir(path)), "lib")
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+libraries, "DYLD_LIBRARY_PATH="+libraries)
	}
	return cmd, nil
}

func (p Programs) path(name string) (string, error) {
	if p.Home == "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: there is no %s on PATH", ErrMissing, name)
		}
		return path, nil
	}
	home, err := filepath.Abs(p.Home)
	if err != nil {
		return "", fmt.Errorf("find OSRM: %w", err)
	}
	path := filepath.Join(home, "bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: there is no %s", ErrMissing, path)
	}
	return path, nil
}

// The profiles that come with OSRM.
const (
	Car  = "car.lua"
	Bike = "bicycle.lua"
)

// Profile finds one of OSRM's own profiles: in OSRM's folder, or where the programs on PATH and
// the project's container images have them.
func (p Programs) Profile(name string) (string, error) {
	program, err := p.path(Extract)
	if err != nil {
		return "", err
	}
	folders := []string{filepath.Join(p.Home, "profiles")}
	if p.Home == "" {
		folders = []string{filepath.Join(filepath.Dir(program), "..", "share", "osrm", "profiles"), "/opt"}
	}
	for _, folder := range folders {
		profile, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			return "", fmt.Errorf("find OSRM's profiles: %w", err)
		}
		if _, err := os.Stat(profile); err == nil {
			return profile, nil
		}
	}
	return "", fmt.Errorf("%w: the profile %s is not in %v", ErrMissing, name, folders)
}

// The programs.
const (
	Extract   = "osrm-extract"
	Contract  = "osrm-contract"
	Partition = "osrm-partition"
	Customize = "osrm-customize"
	Routed    = "osrm-routed"
)

// Data is the name that the programs give to data in a folder, built from the file Source there.
const (
	Data   = "roads.osrm"
	Source = "roads.osm.pbf"
)

// contracted is the end of the name of the file that only Contract writes.
const contracted = ".hsgr"

// mostContracted is the size in bytes of the largest extract whose roads are contracted. Tables of
// contracted roads take about a third of the time. Of a large country, contracting takes hours.
const mostContracted = 512 << 20

// Step is a program of a build, with about how much of the time it takes.
type Step struct {
	Program string
	Args    []string
	Share   float64
}

// Steps returns the programs that build the data of a profile from an extract of a size in bytes,
// one after the other, all in the folder with Source. The last one tries whether the server can load
// what they built.
func Steps(profile string, size int64) []Step {
	extract := Step{Extract, []string{"-p", profile, Source}, 0.8}
	if size <= mostContracted {
		return []Step{extract, {Contract, []string{Data}, 0.17}, {Routed, []string{"--algorithm", "ch", "--trial=1", Data}, 0.03}}
	}
	return []Step{
		extract,
		{Partition, []string{Data}, 0.1},
		{Customize, []string{Data}, 0.07},
		{Routed, []string{"--algorithm", "mld", "--trial=1", Data}, 0.03},
	}
}

// Serve returns the command that serves data at a port of 127.0.0.1. A table has at most that many
// places on both sides together.
func (p Programs) Serve(data string, port, tableSize int) (*exec.Cmd, error) {
	algorithm := "mld"
	if _, err := os.Stat(data + contracted); err == nil {
		algorithm = "ch"
	}
	return p.Command(Routed, "--algorithm", algorithm, "--ip", "127.0.0.1", "--port", strconv.Itoa(port),
		"--max-table-size", strconv.Itoa(tableSize), "--verbosity", "WARNING", data)
}
