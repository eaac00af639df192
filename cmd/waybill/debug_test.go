package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"waybill/store/storetest"
	"waybill/workflows"
)

// sent sends a request to a running process.
func (r *running) sent(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+r.address+path, strings.NewReader(body))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	return response.StatusCode, string(text)
}

// The private address serves profiles and log levels, and the public one never
// does.
func TestDebuggingIsPrivate(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	environment := []string{"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t)}

	public := start(t, append(environment, "WAYBILL_HTTP_ADDR=127.0.0.1:0"), "serve")
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/goroutine", "/debug/log-level"} {
		status, _ := public.get(t, path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	status, _ := public.sent(t, http.MethodPut, "/debug/log-level", "debug")
	require.Equal(t, http.StatusNotFound, status)
	public.stop(t)

	private := start(t, append(environment, "WAYBILL_WORK_HTTP_ADDR=127.0.0.1:0"), "work")
	status, stacks := private.get(t, "/debug/pprof/goroutine?debug=2")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, stacks, "goroutine ")
	status, _ = private.get(t, "/debug/pprof/heap")
	require.Equal(t, http.StatusOK, status)
	status, level := private.get(t, "/debug/log-level")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "info\n", level)
	status, _ = private.sent(t, http.MethodPut, "/debug/log-level?for=1h", "debug")
	require.Equal(t, http.StatusOK, status)
	_, level = private.get(t, "/debug/log-level")
	require.Equal(t, "debug\n", level)
	for path, body := range map[string]string{"/debug/log-level": "loud", "/debug/log-level?for=soon": "debug"} {
		status, _ = private.sent(t, http.MethodPut, path, body)
		require.Equal(t, http.StatusBadRequest, status, path)
	}
	requireBundle(t, append(environment, "WAYBILL_BLOB_URL=file://"+t.TempDir()), private.address)
	private.stop(t)
}

// requireBundle makes a bundle of a process and looks through it.
func requireBundle(t *testing.T, environment []string, address string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "bundle.tar.gz")
	got := runProgram(t, append(environment, "WAYBILL_SEALING_SECRET=s3cret-s3cret-s3cret-s3cret-s3cret", "WAYBILL_PLANNERS=3",
		"WAYBILL_SMS_TOKEN=s3cret", "WAYBILL_SMS_ACCOUNT=AC-account"),
		"debug", "bundle", "--to", to, "--from", "http://"+address, "--from", "http://"+closedPort(t))
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, to)
	files := unpacked(t, to)
	for name, text := range files {
		require.NotContains(t, text, "s3cret", name)
		require.NotContains(t, text, "AC-account", name)
	}
	process := "processes/" + strings.ReplaceAll(address, ":", "-") + "/"
	for name, has := range map[string]string{
		"version.json": version, "doctor.json": `"name": "postgres"`, "settings.json": `"WAYBILL_PLANNERS": "3"`,
		"postgres/schema.json": `"version"`, "postgres/settings.json": "max_connections", "postgres/tables.json": "orders",
		"postgres/sessions.json": "waybill-work", "postgres/followers.json": "exports",
		process + "metrics.txt": "waybill_relay_leader", process + "goroutines.txt": "goroutine ", process + "heap.pprof": "",
		process + "log-level.txt": "debug",
	} {
		require.Contains(t, files, name)
		require.Contains(t, files[name], has, name)
	}
	require.Contains(t, files["settings.json"], `"DATABASE_URL": "(set, not shown)"`)
	require.Contains(t, files["manifest.json"], "connection refused", "it says what it could not collect")
	require.NotContains(t, files, "workflows.json", "Temporal is away here")

	info, err := os.Stat(to)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	again := runProgram(t, environment, "debug", "bundle", "--to", to)
	require.Equal(t, 1, again.status, "no file is written over")
}

func unpacked(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	packed, err := gzip.NewReader(file)
	require.NoError(t, err)
	files := map[string]string{}
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		text, err := io.ReadAll(archive)
		require.NoError(t, err)
		files[header.Name] = string(text)
	}
}

// A bundle shows a setting only if it is known to be harmless. Add new settings
// here explicitly.
func TestBundleShowsOnlyHarmlessSettings(t *testing.T) {
	t.Parallel()
	var c config
	values := reflect.ValueOf(&c).Elem()
	for i := range values.NumField() {
		switch field := values.Field(i); field.Kind() {
		case reflect.String:
			field.SetString("marked-" + field.Type().String())
		case reflect.Slice:
			field.Set(reflect.ValueOf([]string{"marked"}))
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Float64:
			field.SetFloat(4711)
		default:
			field.SetInt(4711)
		}
	}
	shown, known := bundledSettings(c), map[string]bool{}
	for _, s := range settings() {
		known[s.name] = true
		if !harmless[s.name] {
			require.Equal(t, "(set, not shown)", shown[s.name], s.name)
			continue
		}
		require.NotEqual(t, "(set, not shown)", shown[s.name], s.name)
		require.Empty(t, s.secret, "%s is a secret", s.name)
	}
	for name := range harmless {
		require.True(t, known[name], "there is no setting %s", name)
	}
}

func TestTheLevelOfTheLogChanges(t *testing.T) {
	t.Parallel()
	level := new(slog.LevelVar)
	var out strings.Builder
	logger, err := loggerOf(&out, false, config{LogLevel: "warn", LogFormat: "json"}, level)
	require.NoError(t, err)
	r := chi.NewRouter()
	debugRoutes(r, newLevelSwitch(level, logger))
	put := func(path, body string) int {
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, httptest.NewRequest(http.MethodPut, path, strings.NewReader(body)))
		return answer.Code
	}
	require.False(t, logger.Enabled(t.Context(), slog.LevelDebug))
	require.Equal(t, http.StatusOK, put("/debug/log-level?for=1ms", "debug"))
	require.Eventually(t, func() bool { return level.Level() == slog.LevelWarn }, longest, time.Millisecond, "it goes back")
	require.Equal(t, http.StatusOK, put("/debug/log-level", "debug"))
	logger.Debug("a detail")
	require.Contains(t, out.String(), "a detail")
	require.Equal(t, http.StatusOK, put("/debug/log-level", "error"))
	var line struct{ Level, Msg string }
	require.NoError(t, json.Unmarshal([]byte(strings.SplitN(out.String(), "\n", 2)[0]), &line))
	require.Equal(t, "log level changed", line.Msg)
}

func TestWorkflowsAreCountedByStatus(t *testing.T) {
	t.Parallel()
	c := config{TemporalAddress: temporalAddress(t), TemporalNamespace: "default"}
	temporal, err := newTemporal(c, discarded(), nil, nil)
	require.NoError(t, err)
	t.Cleanup(temporal.Close)
	name := "DoctorCounts" // of no account, so that others' processes are not counted
	for range 2 {
		run, err := temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "of-nobody"}, name)
		require.NoError(t, err)
		t.Cleanup(func() {
			_ = temporal.TerminateWorkflow(context.WithoutCancel(t.Context()), run.GetID(), "", "the test is over")
		})
	}
	executions := workflows.Executions{Temporal: temporal, Namespace: c.TemporalNamespace}
	require.Eventually(t, func() bool {
		counts, err := executions.CountByStatus(t.Context(), name)
		return err == nil && counts["Running"] == 2
	}, longest, 50*time.Millisecond)
}
