package stack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"waybill/internal/child"
)

// DefaultNamespace is the namespace that every server here has.
const DefaultNamespace = "default"

// TemporalProgramVariable names the environment variable that tells tests where
// the temporal program is.
const TemporalProgramVariable = "WAYBILL_TEST_TEMPORAL_CLI"

// ErrNoTemporal is returned if the temporal program is not installed.
var ErrNoTemporal = errors.New("temporal program not found: build it with `make bin/tools/temporal` " +
	"(about three minutes, once), or install it as described in Temporal's documentation")

// The stock dev server waits up to 50 ms for every step of a workflow, spreads
// a handful of pollers over four partitions, and fires short timers late. These
// settings suit one machine, and have organizations take turns.
var dynamicConfig = []struct {
	key   string
	value string
}{
	{"history.transferProcessorMaxPollRPS", "100"},
	{"history.timerProcessorMaxTimeShift", `"10ms"`},
	{"matching.numTaskqueueReadPartitions", "1"},
	{"matching.numTaskqueueWritePartitions", "1"},
	{"matching.enableFairness", "true"},
}

// TemporalOptions configures a dev server.
type TemporalOptions struct {
	// Program is the temporal program; looked for when empty.
	Program string
	// Port is where it listens on 127.0.0.1; a free one when zero.
	Port int
	// UIPort is the port of its web interface; zero means none.
	UIPort int
	// DBFile keeps its state. When empty, it is in a temporary folder that
	// Close removes.
	DBFile string
	// Namespace is created in addition to the default one, unless it is empty.
	Namespace string
	// NoSync leaves it to the system when data reaches the disk.
	NoSync bool
	// Log is the server's log file, by default next to the state.
	Log string
}

// Temporal is a Temporal dev server.
type Temporal struct {
	options   TemporalOptions
	temporary string
	process   *Process
	// anyPort is true until the first start, which then may take another port.
	anyPort bool
}

// FindTemporal returns the temporal program: the one that the environment
// names, the one on PATH, or the one that the Makefile built in a parent
// folder.
func FindTemporal() (string, error) {
	if path := os.Getenv(TemporalProgramVariable); path != "" {
		return path, nil
	}
	if path, err := exec.LookPath("temporal"); err == nil {
		return path, nil
	}
	if path, ok := findTool("temporal"); ok {
		return path, nil
	}
	return "", ErrNoTemporal
}

// findTool looks for a program in bin/tools, here and in the folders above.
func findTool(name string) (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		path := filepath.Join(dir, "bin", "tools", name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// NewTemporal finds the program and a place for the state. It returns
// ErrNoTemporal without a program.
func NewTemporal(options TemporalOptions) (*Temporal, error) {
	t := &Temporal{options: options, anyPort: options.Port == 0}
	var err error
	if t.options.Program == "" {
		if t.options.Program, err = FindTemporal(); err != nil {
			return nil, err
		}
	}
	if t.options.Port, err = portOr(options.Port); err != nil {
		return nil, err
	}
	if options.DBFile == "" {
		if t.temporary, err = os.MkdirTemp("", "waybill-temporal-"); err != nil {
			return nil, fmt.Errorf("create the Temporal folder: %w", err)
		}
		t.options.DBFile = filepath.Join(t.temporary, "temporal.db")
	}
	if options.Log == "" {
		t.options.Log = t.options.DBFile + ".log"
	}
	return t, nil
}

// private becomes a program whose files no other account reads.
const private = `umask 077; exec "$0" "$@"`

// Start starts the server and waits until it answers.
func (t *Temporal) Start(ctx context.Context) error {
	if child.PortInUse(t.options.Port) && t.anyPort { // a program that reserves none has taken it
		var err error
		if t.options.Port, err = child.FreePort(); err != nil {
			return err
		}
	}
	t.anyPort = false
	if child.PortInUse(t.options.Port) {
		return fmt.Errorf("start Temporal: port %d is in use", t.options.Port)
	}
	process, err := Launch(Command{
		Name: "Temporal", Path: "sh", Args: append([]string{"-c", private, t.options.Program}, t.arguments()...),
		Log: t.options.Log,
	})
	if err != nil {
		return err
	}
	if err := awaitTemporal(ctx, process, t.Address(), t.Namespace()); err != nil {
		process.Kill()
		return err
	}
	t.process = process
	return nil
}

func (t *Temporal) arguments() []string {
	args := []string{
		"server", "start-dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(t.options.Port),
		"--db-filename", t.options.DBFile, "--namespace", t.Namespace(), "--log-level", "warn",
	}
	if t.options.UIPort == 0 {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-port", strconv.Itoa(t.options.UIPort))
	}
	if t.options.NoSync {
		args = append(args, "--sqlite-pragma", "synchronous=0")
	}
	for _, setting := range dynamicConfig {
		args = append(args, "--dynamic-config-value", setting.key+"="+setting.value)
	}
	return args
}

// Address is where clients find the server, once it has started.
func (t *Temporal) Address() string { return child.Local(t.options.Port) }

// Namespace is the namespace to work in.
func (t *Temporal) Namespace() string {
	if t.options.Namespace == "" {
		return DefaultNamespace
	}
	return t.options.Namespace
}

// UIURL is the address of the server's web interface, or empty.
func (t *Temporal) UIURL() string {
	if t.options.UIPort == 0 {
		return ""
	}
	return "http://" + child.Local(t.options.UIPort)
}

// Program is the temporal program that the server was started with.
func (t *Temporal) Program() string { return t.options.Program }

// Log is the server's log file.
func (t *Temporal) Log() string { return t.options.Log }

// Stop ends the server in order.
func (t *Temporal) Stop() error {
	if t.process == nil {
		return nil
	}
	return t.process.Stop()
}

// Kill ends the server as a crash would.
func (t *Temporal) Kill() {
	if t.process != nil {
		t.process.Kill()
	}
}

// Restart stops the server and starts it on the same port and state.
func (t *Temporal) Restart(ctx context.Context) error {
	return errors.Join(t.Stop(), t.Start(ctx))
}

// Done is closed when the server that was last started has ended.
func (t *Temporal) Done() <-chan struct{} { return t.process.Done() }

// Failure explains why the server ended by itself.
func (t *Temporal) Failure() error { return t.process.Failure() }

// Close stops the server, and forgets a state that was temporary.
func (t *Temporal) Close() error {
	err := t.Stop()
	if t.temporary != "" {
		err = errors.Join(err, os.RemoveAll(t.temporary))
	}
	return err
}

const temporalPatience = time.Minute

// awaitTemporal waits until a server answers for the namespace.
func awaitTemporal(ctx context.Context, p *Process, address, namespace string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, temporalPatience, errors.New("timed out"))
	defer cancel()
	// The first call waits for a listener: after a refused one, gRPC pauses for
	// a second.
	err := await(ctx, p, func(ctx context.Context) error { return listening(ctx, address) })
	if err != nil {
		return err
	}
	c, err := temporalClient(address, namespace)
	if err != nil {
		return err
	}
	defer c.Close()
	return await(ctx, p, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_, err := c.WorkflowService().DescribeNamespace(ctx,
			&workflowservice.DescribeNamespaceRequest{Namespace: namespace})
		return err
	})
}

func temporalClient(address, namespace string) (client.Client, error) {
	quiet := log.NewStructuredLogger(slog.New(slog.DiscardHandler))
	c, err := client.NewLazyClient(client.Options{HostPort: address, Namespace: namespace, Logger: quiet})
	if err != nil {
		return nil, fmt.Errorf("create the Temporal client: %w", err)
	}
	return c, nil
}
