package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrNoOSRM says that OSRM is not installed.
var ErrNoOSRM = errors.New("OSRM not found: install it with `make deps`")

// osrmTableSize is the largest table that the server answers: as many places on a side.
const osrmTableSize = 1000

// OSRM is a server of road times, distances and routes for one extract of OpenStreetMap.
type OSRM struct {
	process *Process
	port    int
}

// BuildRoads builds the road data of an extract for cars in a folder, and returns its name
// for StartOSRM. The two programs take some seconds for a town.
func BuildRoads(ctx context.Context, extract, dir string) (data string, err error) {
	home, err := FindOSRM()
	if err != nil {
		return "", err
	}
	return buildRoads(ctx, home, extract, dir, filepath.Join(home, "profiles", "car.lua"))
}

// BuildRoadsFor does the same for a profile in Lua. It writes the profile into the folder.
func BuildRoadsFor(ctx context.Context, extract, dir string, profile []byte) (data string, err error) {
	home, err := FindOSRM()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "profile.lua")
	if err := os.WriteFile(file, profile, 0o600); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	return buildRoads(ctx, home, extract, dir, file)
}

func buildRoads(ctx context.Context, home, extract, dir, profile string) (data string, err error) {
	// The builders write next to the extract.
	name := filepath.Base(extract)
	source, err := filepath.Abs(extract)
	if err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	if err := os.Symlink(source, filepath.Join(dir, name)); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	data = filepath.Join(dir, strings.TrimSuffix(strings.TrimSuffix(name, ".pbf"), ".osm")+".osrm")
	for _, step := range [][]string{
		{"osrm-extract", "-p", profile, filepath.Join(dir, name)},
		{"osrm-contract", data},
	} {
		build := exec.CommandContext(ctx, filepath.Join(home, "bin", step[0]), step[1:]...)
		build.Env = osrmEnvironment(home)
		if printed, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build road data with %s: %w\n%s", step[0], err, lastLines(printed, 10))
		}
	}
	return data, nil
}

// StartOSRM starts a server on road data that BuildRoads made, on a free port of
// 127.0.0.1, and waits until it answers. It writes to a log.
func StartOSRM(ctx context.Context, data, log string) (*OSRM, error) {
	home, err := FindOSRM()
	if err != nil {
		return nil, err
	}
	o := &OSRM{}
	if o.port, err = FreePort(); err != nil {
		return nil, err
	}
	o.process, err = Launch(Command{
		Name: "OSRM", Path: filepath.Join(home, "bin", "osrm-routed"), Log: log, Env: osrmEnvironment(home),
		Args: []string{
			"--algorithm", "ch", "--ip", "127.0.0.1", "--port", strconv.Itoa(o.port),
			"--max-table-size", strconv.Itoa(osrmTableSize), data,
		},
	})
	if err != nil {
		return nil, err
	}
	if err := await(ctx, o.process, o.answers); err != nil {
		o.process.Kill()
		return nil, err
	}
	return o, nil
}

// URL is where the travel provider finds the server, as WAYBILL_TRAVEL_URL has it.
func (o *OSRM) URL() string {
	return fmt.Sprintf("osrm+http://%s?table=%d", local(o.port), osrmTableSize)
}

// Address is where the server listens.
func (o *OSRM) Address() string { return local(o.port) }

// Stop ends the server.
func (o *OSRM) Stop() error { return o.process.Stop() }

// Kill ends the server at once.
func (o *OSRM) Kill() { o.process.Kill() }

// Hang stops the server without ending it: it takes requests and answers none until GoOn.
func (o *OSRM) Hang() { o.process.Signal(syscall.SIGSTOP) }

// GoOn has a server that hangs answer again.
func (o *OSRM) GoOn() { o.process.Signal(syscall.SIGCONT) }

func (o *OSRM) answers(ctx context.Context) error {
	return answering(ctx, "http://"+local(o.port)+"/nearest/v1/driving/0,0")
}

// FindOSRM returns the folder into which tools/install-osrm installs.
func FindOSRM() (string, error) {
	version, ok := findTool(filepath.Join("osrm", "version"))
	if !ok {
		return "", ErrNoOSRM
	}
	return filepath.Dir(version), nil
}

// osrmEnvironment lets the programs find the libraries that came with them.
func osrmEnvironment(home string) []string {
	return append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(home, "lib"), "LUA_PATH="+filepath.Join(home, "profiles", "?.lua")+";;")
}
