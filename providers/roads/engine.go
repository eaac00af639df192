package roads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"waybill/domain/region"
	"waybill/providers/regions"
)

const (
	// tableSize is the largest table: as many places on both sides together.
	tableSize = 6000
	// startPatience is how long an engine may take to load its data.
	startPatience = 10 * time.Minute
	// stopPatience is how long the requests of an engine may take when it is replaced.
	stopPatience = time.Minute
	// firstPause and longestPause lie between the starts of an engine that ends by itself.
	firstPause   = 200 * time.Millisecond
	longestPause = 30 * time.Second
)

// engine is osrm-routed for one version of a region. It is started again when it ends.
type engine struct {
	region  region.Region
	version *regions.Version
	logger  *slog.Logger
	path    string
	env     []string
	client  *http.Client
	cancel  context.CancelFunc
	ended   chan struct{}
	// requests are those under way.
	requests sync.WaitGroup

	mu      sync.Mutex
	address string // of the process that is running
	pid     int
	ends    int   // how often the process ended
	last    error // how it ended last
}

// startEngine starts the engine of a region, and waits until it answers.
func startEngine(
	ctx context.Context, folder regions.Folder, programs regions.Programs, r *region.Region, logger *slog.Logger,
) (*engine, error) {
	version, err := folder.Use(r)
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &engine{
		region: *r, version: version, logger: logger.With("region", r.Name), cancel: cancel, ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{
			MaxIdleConnsPerHost: 32, IdleConnTimeout: 3 * time.Second, DisableCompression: true,
		}},
	}
	if e.path, e.env, err = programs.Server(); err != nil {
		cancel()
		return nil, errors.Join(err, version.Close())
	}
	go e.run(running)
	if err := e.await(ctx); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	e.logger.InfoContext(ctx, "region served", "version", r.Version)
	return e, nil
}

// run starts the process again and again until ctx ends.
func (e *engine) run(ctx context.Context) {
	defer close(e.ended)
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, longestPause) {
		began := time.Now()
		err := e.runOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > longestPause {
			pause = firstPause
		}
		e.noteEnd(err)
		e.logger.ErrorContext(ctx, "osrm-routed ended and is started again", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// runOnce runs the process until it ends, or until ctx does.
func (e *engine) runOnce(ctx context.Context) error {
	// Linux kills the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	//nolint:gosec // the operator names the program
	cmd := exec.CommandContext(ctx, e.path, "--algorithm", "mld", "--ip", "127.0.0.1", "--port", strconv.Itoa(port),
		"--max-table-size", strconv.Itoa(tableSize), "--verbosity", "WARNING", e.version.Roads())
	cmd.Env, cmd.SysProcAttr = append(os.Environ(), e.env...), childAttributes()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start osrm-routed: %w", err)
	}
	e.setProcess(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), cmd.Process.Pid)
	err = cmd.Wait()
	e.setProcess("", 0)
	if err == nil {
		err = errors.New("it ended without an error")
	}
	return fmt.Errorf("%w: %s", err, &said)
}

func (e *engine) setProcess(address string, pid int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address, e.pid = address, pid
}

// base is the address of the process, or empty while none is running.
func (e *engine) base() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

func (e *engine) noteEnd(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ends++
	e.last = err
}

// failed returns the last error of a process that ended so often that it cannot be started.
func (e *engine) failed() error {
	const often = 3
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ends < often {
		return nil
	}
	return fmt.Errorf("osrm-routed cannot be started: %w", e.last)
}

// await waits until the engine answers. It gives up when the process ended a few times.
func (e *engine) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	const pause = 50 * time.Millisecond
	for {
		err := e.answers(ctx)
		if err == nil {
			return nil
		}
		if failed := e.failed(); failed != nil {
			return failed
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("osrm-routed does not answer: %w", err)
		case <-time.After(pause):
		}
	}
}

// errDown is returned while no process is running.
var errDown = errors.New("osrm-routed is being started")

// answers asks for the road nearest to the middle of the region, which needs its data.
func (e *engine) answers(ctx context.Context) error {
	b := e.region.Bounds
	path := fmt.Sprintf("/nearest/v1/driving/%.5f,%.5f", (b.West+b.East)/2, (b.South+b.North)/2)
	response, err := e.ask(ctx, &url.URL{Path: path})
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("osrm-routed answers with status %d", response.StatusCode)
	}
	return nil
}

// ask sends a request to the process. The caller closes the body of the response.
func (e *engine) ask(ctx context.Context, address *url.URL) (*http.Response, error) {
	base := e.base()
	if base == "" {
		return nil, errDown
	}
	to := url.URL{Scheme: "http", Host: base, Path: address.Path, RawQuery: address.RawQuery}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	return e.client.Do(request)
}

// stop waits for the requests under way, ends the process, and unlocks the files.
func (e *engine) stop() error {
	done := make(chan struct{})
	go func() { e.requests.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(stopPatience):
	}
	e.cancel()
	<-e.ended
	e.client.CloseIdleConnections()
	return e.version.Close()
}

// freePort finds a port that nobody listens on. Another process may take it before osrm-routed
// does, which then ends and is started again.
func freePort(ctx context.Context) (int, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	return strconv.Atoi(port)
}

// tail keeps the end of a program's output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 2048

// Write keeps the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(bytes.ToValidUTF8(t.text, nil)))
}

var _ io.Writer = (*tail)(nil)
