package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"waybill/internal/child"
	"waybill/internal/osrm"
)

// osrmTableSize is the largest table that the server answers: as many places on a side.
const osrmTableSize = 1000

// OSRM is a server of road times, distances and routes for one extract of OpenStreetMap.
type OSRM struct {
	process *Process
	port    int
}

// BuildRoads builds the road data of an extract for cars in a folder, and returns its name
// for StartOSRM. The programs take some seconds for a town.
func BuildRoads(ctx context.Context, extract, dir string) (data string, err error) {
	programs, err := findOSRM()
	if err != nil {
		return "", err
	}
	profile, err := programs.Profile(osrm.Car)
	if err != nil {
		return "", err
	}
	return buildRoads(ctx, programs, extract, dir, profile)
}

// BuildRoadsFor does the same for a profile in Lua. It writes the profile into the folder.
func BuildRoadsFor(ctx context.Context, extract, dir string, profile []byte) (data string, err error) {
	programs, err := findOSRM()
	if err != nil {
		return "", err
	}
	const file = "profile.lua"
	if err := os.WriteFile(filepath.Join(dir, file), profile, 0o600); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	return buildRoads(ctx, programs, extract, dir, file)
}

func buildRoads(ctx context.Context, programs osrm.Programs, extract, dir, profile string) (data string, err error) {
	source, err := filepath.Abs(extract)
	if err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	name := osrm.Source
	if filepath.Ext(extract) == ".osm" { // the programs know XML by its name
		name = "roads.osm"
	}
	if err := os.Symlink(source, filepath.Join(dir, name)); err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	size, err := os.Stat(source)
	if err != nil {
		return "", fmt.Errorf("build road data: %w", err)
	}
	for _, step := range osrm.Steps(profile, size.Size()) {
		args := slices.Clone(step.Args)
		if at := slices.Index(args, osrm.Source); at >= 0 {
			args[at] = name
		}
		build, err := programs.Command(step.Program, args...)
		if err != nil {
			return "", err
		}
		var printed child.Output
		build.Dir, build.Stdout, build.Stderr = dir, &printed, &printed
		running, err := child.Start(build, syscall.SIGKILL)
		if err == nil {
			err = running.Wait(ctx, syscall.SIGKILL, 0)
		}
		if err != nil {
			return "", fmt.Errorf("build road data with %s: %w\n%s", step.Program, err, printed.Last())
		}
	}
	return filepath.Join(dir, osrm.Data), nil
}

// StartOSRM starts a server on road data that BuildRoads made, on a free port of
// 127.0.0.1, and waits until it answers. It writes to a log.
func StartOSRM(ctx context.Context, data, log string) (*OSRM, error) {
	programs, err := findOSRM()
	if err != nil {
		return nil, err
	}
	o := &OSRM{}
	if o.port, err = child.FreePort(); err != nil {
		return nil, err
	}
	serve, err := programs.Serve(data, o.port, osrmTableSize)
	if err != nil {
		return nil, err
	}
	o.process, err = Launch(Command{Name: "OSRM", Path: serve.Path, Args: serve.Args[1:], Env: serve.Env, Log: log})
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
	return fmt.Sprintf("osrm+http://%s?table=%d", child.Local(o.port), osrmTableSize)
}

// Address is where the server listens.
func (o *OSRM) Address() string { return child.Local(o.port) }

// Stop ends the server.
func (o *OSRM) Stop() error { return o.process.Stop() }

// Kill ends the server at once.
func (o *OSRM) Kill() { o.process.Kill() }

// Hang stops the server without ending it: it takes requests and answers none until GoOn.
func (o *OSRM) Hang() { o.process.Signal(syscall.SIGSTOP) }

// GoOn has a server that hangs answer again.
func (o *OSRM) GoOn() { o.process.Signal(syscall.SIGCONT) }

func (o *OSRM) answers(ctx context.Context) error {
	return answering(ctx, "http://"+child.Local(o.port)+"/nearest/v1/driving/0,0")
}

// FindOSRM returns the folder into which tools/install-engine installs OSRM, or
// osrm.ErrMissing.
func FindOSRM() (string, error) {
	version, ok := findTool(filepath.Join("osrm", "version"))
	if !ok {
		return "", fmt.Errorf("%w: install it with `make deps`", osrm.ErrMissing)
	}
	return filepath.Dir(version), nil
}

func findOSRM() (osrm.Programs, error) {
	home, err := FindOSRM()
	return osrm.Programs{Home: home}, err
}
