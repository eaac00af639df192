package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"waybill/internal/child"
)

// ErrNoValhalla says that Valhalla is not installed.
var ErrNoValhalla = errors.New("Valhalla not found: install it with `make deps`")

// Valhalla is a server of road times and distances for one extract of OpenStreetMap, with
// Valhalla's default limits.
type Valhalla struct {
	process *Process
	port    int
	dir     string
}

// StartValhalla builds the road data of an extract in a folder, which takes some seconds for a
// town, starts a server on a free port of 127.0.0.1, and waits until it answers. The server
// writes to a log in the folder.
func StartValhalla(ctx context.Context, extract, dir string) (*Valhalla, error) {
	version, ok := findTool(filepath.Join("valhalla", "version"))
	if !ok {
		return nil, ErrNoValhalla
	}
	home, v := filepath.Dir(version), &Valhalla{}
	var err error
	if v.port, err = child.FreePort(); err != nil {
		return nil, err
	}
	// The names of its sockets must be short.
	if v.dir, err = os.MkdirTemp("", "valhalla"); err != nil {
		return nil, err
	}
	if err := v.start(ctx, home, extract, dir); err != nil {
		_ = os.RemoveAll(v.dir)
		return nil, err
	}
	return v, nil
}

func (v *Valhalla) start(ctx context.Context, home, extract, dir string) error {
	config := filepath.Join(dir, "valhalla.json")
	if err := v.configure(filepath.Join(home, "config.json"), config, dir); err != nil {
		return fmt.Errorf("configure Valhalla: %w", err)
	}
	environment := append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(home, "lib"))
	build := exec.CommandContext(ctx, filepath.Join(home, "bin", "valhalla_build_tiles"), "-c", config, "-j", "1", extract)
	build.Env = environment
	if printed, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build road data with Valhalla: %w\n%s", err, child.LastLines(printed, child.TailBytes))
	}
	var err error
	v.process, err = Launch(Command{
		Name: "Valhalla", Path: filepath.Join(home, "bin", "valhalla_service"), Args: []string{config, "1"},
		Log: filepath.Join(dir, "valhalla.log"), Env: environment,
	})
	if err != nil {
		return err
	}
	if err := await(ctx, v.process, v.answers); err != nil {
		v.process.Kill()
		return err
	}
	return nil
}

// configure writes the default configuration with the server's own folders, sockets and port.
func (v *Valhalla) configure(defaults, file, dir string) error {
	text, err := os.ReadFile(defaults)
	if err != nil {
		return err
	}
	var config map[string]map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		return err
	}
	socket := func(name string) string { return "ipc://" + filepath.Join(v.dir, name) }
	config["mjolnir"]["tile_dir"] = filepath.Join(dir, "tiles")
	for _, absent := range []string{"tile_extract", "traffic_extract", "admin", "landmarks", "timezone", "transit_dir", "transit_feeds_dir"} {
		delete(config["mjolnir"], absent)
	}
	// Without a database of countries, people would drive on the left.
	config["mjolnir"]["data_processing"].(map[string]any)["use_admin_db"] = false
	config["httpd"]["service"] = map[string]any{
		"listen": "tcp://" + child.Local(v.port), "loopback": socket("loopback"), "interrupt": socket("interrupt"),
		"drain_seconds": 1, "shutdown_seconds": 1, "timeout_seconds": -1,
	}
	for _, part := range []string{"loki", "thor", "odin", "meili"} {
		config[part]["service"] = map[string]any{"proxy": socket(part)}
	}
	if text, err = json.Marshal(config); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// URL is where the travel provider finds the server, as WAYBILL_TRAVEL_URL has it.
func (v *Valhalla) URL() string { return "valhalla+http://" + child.Local(v.port) }

// Kill ends the server at once.
func (v *Valhalla) Kill() {
	v.process.Kill()
	_ = os.RemoveAll(v.dir)
}

func (v *Valhalla) answers(ctx context.Context) error {
	return answering(ctx, "http://"+child.Local(v.port)+"/status")
}
