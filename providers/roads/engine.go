package roads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"

	"waybill/domain/region"
	"waybill/internal/child"
	"waybill/providers/regions"
)

const (
	// tableSize is the largest table: as many places on both sides together.
	tableSize = 6000
	// startPatience is how long an engine may take to load its data.
	startPatience = 10 * time.Minute
	// stopPatience is how long the requests of an engine may take when it is replaced.
	stopPatience = time.Minute
	// grace is how long a process may take to end.
	grace = 5 * time.Second
	// firstPause and longestPause lie between the starts of an engine that ends by itself.
	firstPause   = 200 * time.Millisecond
	longestPause = 30 * time.Second
)

// engine is osrm-routed for the road data of one profile of a region. It is started again when it
// ends.
type engine struct {
	data     region.Data
	version  *regions.Version
	programs regions.Programs
	logger   *slog.Logger
	port     int
	client   *http.Client
	cancel   context.CancelFunc
	ended    chan struct{}
	// requests are those under way.
	requests sync.WaitGroup

	mu      sync.Mutex
	running *child.Process // nil while none is
	ends    int            // how often the process ended
	last    error          // how it ended last
}

// startEngine starts the engine of road data, and waits until it answers.
func startEngine(
	ctx context.Context, folder regions.Folder, programs regions.Programs, data *region.Data, logger *slog.Logger,
) (*engine, error) {
	version, err := folder.Use(&region.Region{Name: data.Region, Version: data.Version})
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &engine{
		data: *data, version: version, programs: programs, cancel: cancel, ended: make(chan struct{}),
		logger: logger.With("region", data.Region, "profile", data.Profile),
		client: &http.Client{Transport: &http.Transport{
			MaxIdleConnsPerHost: 32, IdleConnTimeout: 3 * time.Second, DisableCompression: true,
		}},
	}
	if e.port, err = child.FreePort(); err != nil {
		cancel()
		return nil, errors.Join(err, version.Close())
	}
	go e.run(running)
	if err := e.await(ctx); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	e.logger.InfoContext(ctx, "road data served", "version", data.Version)
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
	cmd, err := e.programs.Serve(e.version.Roads(e.data.Profile), e.port, tableSize)
	if err != nil {
		return err
	}
	var output child.Output
	cmd.Stdout, cmd.Stderr = &output, &output
	running, err := child.Start(cmd, syscall.SIGKILL)
	if err != nil {
		return fmt.Errorf("start osrm-routed: %w", err)
	}
	e.setRunning(running)
	err = running.Wait(ctx, syscall.SIGTERM, grace)
	e.setRunning(nil)
	if err == nil {
		err = errors.New("it ended without an error")
	}
	return fmt.Errorf("%w: %s", err, output.Last())
}

func (e *engine) setRunning(p *child.Process) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running = p
}

// isRunning reports whether there is a process to ask.
func (e *engine) isRunning() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running != nil
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
	b := e.data.Bounds
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
	if !e.isRunning() {
		return nil, errDown
	}
	to := url.URL{Scheme: "http", Host: child.Local(e.port), Path: address.Path, RawQuery: address.RawQuery}
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
	child.ReleasePort(e.port)
	return e.version.Close()
}
