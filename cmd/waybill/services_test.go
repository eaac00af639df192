package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/child"
	"waybill/store/storetest"
)

const longest = 30 * time.Second

// running is a service that a test has started.
type running struct {
	cmd     *exec.Cmd
	address string
	ended   chan error
}

// start runs a service and waits until it listens.
func start(t *testing.T, environment []string, args ...string) *running {
	t.Helper()
	cmd := program(t, append(environment, "WAYBILL_LOG_FORMAT=json", "WAYBILL_BLOB_URL=file://"+t.TempDir()), args...)
	logs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	r := &running{cmd: cmd, ended: make(chan error, 1)}
	listening := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(logs); lines.Scan(); {
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
				listening <- line.Address
			}
		}
		r.ended <- cmd.Wait()
	}()
	select {
	case r.address = <-listening:
	case err := <-r.ended:
		t.Fatalf("the service ended: %v", err)
	case <-time.After(longest):
		t.Fatal("the service does not listen")
	}
	return r
}

func (r *running) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.address+path, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(text)
}

// stop stops the service, which must shut down cleanly.
func (r *running) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-r.ended:
		require.NoError(t, err)
	case <-time.After(longest):
		t.Fatal("the service does not stop")
	}
}

func TestServicesAreReadyAndStop(t *testing.T) {
	t.Parallel()
	for service, variable := range map[string]string{"serve": "WAYBILL_HTTP_ADDR", "work": "WAYBILL_WORK_HTTP_ADDR"} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			r := start(t, with(ownNamespace(t), "DATABASE_URL="+db.AppURL, variable+"=127.0.0.1:0"), service)
			require.Eventually(t, func() bool {
				status, _ := r.get(t, "/readyz")
				return status == http.StatusOK
			}, longest, 50*time.Millisecond)
			status, _ := r.get(t, "/healthz")
			require.Equal(t, http.StatusOK, status)
			_, metrics := r.get(t, "/metrics")
			require.Contains(t, metrics, "go_goroutines")
			require.Contains(t, metrics, `waybill_build_info{version="`+version+`"} 1`)
			r.stop(t)
		})
	}
}

func TestServeStartsWithoutTemporal(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := start(t, []string{
		"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t), "WAYBILL_HTTP_ADDR=127.0.0.1:0",
	}, "serve")
	status, _ := r.get(t, "/healthz")
	require.Equal(t, http.StatusOK, status)
	status, body := r.get(t, "/readyz")
	require.Equal(t, http.StatusOK, status, "it answers nearly everything without Temporal")
	require.JSONEq(t, `{"status": "degraded",
		"checks": {"running": "ok", "postgres": "ok", "schema": "ok", "temporal": "unavailable"}}`, body)
	_, metrics := r.get(t, "/metrics")
	require.Contains(t, metrics, `waybill_dependency_up{dependency="temporal"} 0`)
	require.Contains(t, metrics, `waybill_dependency_up{dependency="postgres"} 1`)
	r.stop(t)
}

func TestWorkIsNotReadyWithoutTemporal(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := start(t, []string{
		"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t), "WAYBILL_WORK_HTTP_ADDR=127.0.0.1:0",
	}, "work")
	status, body := r.get(t, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, `"temporal":"unavailable"`)
	r.stop(t)
}

func TestServicesRefuseAnotherSealingSecret(t *testing.T) {
	t.Parallel()
	const first, second = "a-secret-that-is-long-enough-0001", "a-secret-that-is-long-enough-0002"
	db := storetest.New(t)
	env := []string{"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t), "WAYBILL_HTTP_ADDR=127.0.0.1:0"}
	begin := func(secrets ...string) { start(t, with(env, secrets...), "serve").stop(t) }
	begin()
	begin("WAYBILL_SEALING_SECRET=" + first) // from now on there is one
	for _, wrong := range []string{"WAYBILL_SEALING_SECRET=" + second, "WAYBILL_SEALING_SECRET="} {
		for _, command := range []string{"serve", "work"} {
			got := runProgram(t, with(env, wrong), command)
			require.Equal(t, 1, got.status)
			require.Contains(t, got.stderr, ": set the previous value.")
			require.NotContains(t, got.stderr, second)
		}
	}
	begin("WAYBILL_SEALING_SECRET="+first, "WAYBILL_SEALING_ALSO_OPENS="+second)
	begin("WAYBILL_SEALING_SECRET="+second, "WAYBILL_SEALING_ALSO_OPENS="+first)
	shown := runProgram(t, with(env, "WAYBILL_SEALING_ALSO_OPENS="+first), "config")
	require.NotContains(t, shown.stdout, first)
}

func TestServicesRefuseARoleThatSeesEverything(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	for url, says := range map[string]string{
		db.OwnerURL:                   "it owns the tables",
		os.Getenv(storetest.Variable): "it is a superuser",
	} {
		for _, service := range []string{"serve", "work"} {
			got := runProgram(t, []string{"DATABASE_URL=" + url}, service)
			require.Equal(t, 1, got.status)
			require.Contains(t, got.stderr, says)
			require.Contains(t, got.stderr, "is not safe to use")
		}
	}
}

func TestServeSaysThatItsAddressIsTaken(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	var config net.ListenConfig
	taken, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	got := runProgram(t, []string{
		"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t), "WAYBILL_HTTP_ADDR=" + taken.Addr().String(),
	}, "serve")
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, "address already in use")
}

func TestWorkRejectsUnknownQueues(t *testing.T) {
	t.Parallel()
	got := runProgram(t, nil, "work", "--queues", "imports,parcels")
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, `unknown task queue "parcels"; must be one of: imports`)
}

// A request that has begun is finished; meanwhile the service is not ready.
func TestHTTPServerFinishesRequests(t *testing.T) {
	t.Parallel()
	address := closedPort(t)
	begun, finish := make(chan struct{}), make(chan struct{})
	server := &httpServer{
		address: address, logger: slog.New(slog.DiscardHandler), patience: longest, stopping: new(atomic.Bool),
		handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(begun)
			<-finish
			_, _ = io.WriteString(w, "done")
		}),
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	answer := make(chan string, 1)
	go func() {
		for range 100 {
			response, err := http.Get("http://" + address)
			if err != nil {
				time.Sleep(10 * time.Millisecond)
				continue
			}
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			answer <- string(text)
			return
		}
	}()
	<-begun
	stop()
	require.Eventually(t, server.stopping.Load, longest, time.Millisecond)
	select {
	case err := <-ended:
		t.Fatalf("the server ended before its request: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(finish)
	require.Equal(t, "done", <-answer)
	require.NoError(t, <-ended)
}

// closedPort is an address at which nobody listens, and which no other program
// of ours gets.
func closedPort(t *testing.T) string {
	t.Helper()
	port, err := child.FreePort()
	require.NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", port)
}
