package roads_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/region"
	"waybill/internal/osrm"
	"waybill/providers/regions"
	"waybill/providers/roads"
	"waybill/testing/stack"
)

// world has the files of regions, and the list of those in use.
type world struct {
	t        *testing.T
	path     string
	folder   regions.Folder
	programs regions.Programs
	mu       sync.Mutex
	listed   []region.Region
	profiles []region.Profile
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home, err := stack.FindOSRM()
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	path := t.TempDir()
	return &world{t: t, path: path, folder: regions.NewFolder(path), programs: regions.Programs{OSRM: home}}
}

// once are the road data of the extracts, which are built once for all tests.
var once = struct {
	path string
	mu   sync.Mutex
	size map[string]int64
}{size: map[string]int64{}}

// TestMain also lets this program be a process that builds road data.
func TestMain(m *testing.M) {
	if order := os.Getenv("ROADS_TEST_BUILD"); order != "" {
		buildAsOrdered(strings.Split(order, "|"))
		return
	}
	path, err := os.MkdirTemp("", "roads")
	if err != nil {
		panic(err)
	}
	once.path = path
	status := m.Run()
	_ = os.RemoveAll(path)
	os.Exit(status)
}

func buildAsOrdered(order []string) {
	version, err := regions.NewFolder(order[0]).Use(&region.Region{Name: order[2], Version: order[3]})
	if err == nil {
		err = regions.Programs{OSRM: order[1]}.BuildRoads(context.Background(), version, high, time.Now, regions.Watch{})
	}
	if err != nil {
		panic(err)
	}
}

// builtOnce returns the folder with the road data of an extract for cars, and their size.
func (w *world) builtOnce(file string) (path string, size int64) {
	w.t.Helper()
	once.mu.Lock()
	defer once.mu.Unlock()
	path = filepath.Join(once.path, "x", file)
	if size, ok := once.size[file]; ok {
		return path, size
	}
	built, err := regions.NewFolder(once.path).Create("x", file)
	require.NoError(w.t, err)
	require.NoError(w.t, built.KeepSource(filepath.Join("../../demo/regions", file)))
	require.NoError(w.t, w.programs.BuildRoads(w.t.Context(), built, region.Cars, time.Now, regions.Watch{}))
	state, err := built.RoadState(region.Cars)
	require.NoError(w.t, err)
	require.Equal(w.t, region.Ready, state.Phase)
	require.NoError(w.t, built.Close())
	once.size[file] = state.Bytes
	return path, state.Bytes
}

// build adds a version of a region, and lists it in place of the one before.
func (w *world) build(name, version, file string) region.Region {
	w.t.Helper()
	bounds, err := regions.BoundsOf(w.t.Context(), filepath.Join("../../demo/regions", file))
	require.NoError(w.t, err)
	from, size := w.builtOnce(file)
	built, err := w.folder.Create(name, version)
	require.NoError(w.t, err)
	require.NoError(w.t, os.CopyFS(filepath.Join(built.Path, "roads"), os.DirFS(filepath.Join(from, "roads"))))
	require.NoError(w.t, built.KeepSource(filepath.Join(from, "extract.osm.pbf")))
	require.NoError(w.t, built.Close())
	r := region.Region{Name: name, Version: version, Bounds: bounds, RoadBytes: size}
	w.remove(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listed = append(w.listed, r)
	return r
}

func (w *world) remove(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := w.listed[:0]
	for _, r := range w.listed {
		if r.Name != name {
			kept = append(kept, r)
		}
	}
	w.listed = kept
}

func (w *world) list(context.Context) ([]region.Region, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]region.Region(nil), w.listed...), nil
}

// want adds profiles that vehicles have.
func (w *world) want(profiles ...region.Profile) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.profiles = append(w.profiles, profiles...)
}

func (w *world) source() roads.Source {
	return roads.Source{List: w.list, Wanted: func(context.Context) ([]region.Profile, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return append([]region.Profile{region.Cars}, w.profiles...), nil
	}}
}

func (w *world) newServer() *roads.Server {
	return roads.New(w.folder, w.programs, w.source(), slog.New(slog.DiscardHandler))
}

// builder builds what is missing.
func (w *world) builder() *roads.Builder {
	b := roads.NewBuilder(w.folder, w.programs, w.source(), slog.New(slog.DiscardHandler))
	b.Watch.Yielding = false // other tests are at work
	return b
}

// serve serves the regions of the list.
func (w *world) serve() *roads.Server {
	w.t.Helper()
	server := w.newServer()
	w.t.Cleanup(func() { _ = server.Close() })
	require.NoError(w.t, server.Refresh(w.t.Context()))
	return server
}

// ask returns the status and the code of an answer.
func ask(t *testing.T, server http.Handler, path string) (status int, code string) {
	t.Helper()
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	var answer struct{ Code string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
	return w.Code, answer.Code
}

const (
	inOslo  = "/route/v1/driving/10.7500,59.9130;10.7400,59.9200"
	inVaduz = "/table/v1/driving/9.5209,47.1410;9.5300,47.1600?annotations=duration,distance"
	inBoth  = "/route/v1/driving/10.7500,59.9130;9.5209,47.1410"
	nowhere = "/nearest/v1/driving/0,0"
)

func TestRequestsGoToTheRegionThatHoldsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("oslo", "1", "oslo-center.osm.pbf")
	server := w.newServer()
	t.Cleanup(func() { _ = server.Close() })
	require.ErrorContains(t, server.Check(t.Context()), "being loaded")
	status, _ := ask(t, server, inOslo)
	require.Equal(t, http.StatusServiceUnavailable, status, "a place is not outside of all regions because they are being loaded")
	require.NoError(t, server.Refresh(t.Context()))
	broken := w.build("alps", "0", "liechtenstein.osm.pbf")
	require.NoError(t, os.RemoveAll(filepath.Join(w.path, "alps", broken.Version, "roads", "car")))
	require.Error(t, server.Refresh(t.Context()))
	status, _ = ask(t, server, inVaduz)
	require.Equal(t, http.StatusServiceUnavailable, status)
	status, _ = ask(t, server, inOslo)
	require.Equal(t, http.StatusOK, status)
	w.build("alps", "1", "liechtenstein.osm.pbf")
	require.NoError(t, server.Refresh(t.Context()))
	require.NoError(t, server.Check(t.Context()))

	for path, want := range map[string]struct {
		status int
		code   string
	}{
		inOslo:  {http.StatusOK, "Ok"},
		inVaduz: {http.StatusOK, "Ok"},
		"/match/v1/driving/10.7500,59.9130;10.7510,59.9135?radiuses=80;80": {http.StatusOK, "Ok"},
		"/nearest/v1/driving/10.75,59.913?number=2":                        {http.StatusOK, "Ok"},
		inBoth: {http.StatusBadRequest, "NoRoute"},
		"/table/v1/driving/10.7500,59.9130;9.5209,47.1410": {http.StatusBadRequest, "NoTable"},
		nowhere:                               {http.StatusBadRequest, "OutsideRegions"},
		"/trip/v1/driving/1,1":                {http.StatusBadRequest, "InvalidUrl"},
		"/nearest/v1/truck-h400/10.75,59.913": {http.StatusNotFound, "InvalidProfile"},
		"/nearest/v1/cycling/10.75,59.913":    {http.StatusNotFound, "InvalidProfile"},
		"/nearest/v1/truck-h400/0,0":          {http.StatusBadRequest, "OutsideRegions"},
	} {
		status, code := ask(t, server, path)
		require.Equal(t, want.code, code, path)
		require.Equal(t, want.status, status, path)
	}
}

func TestARegionIsReplacedWithoutMissingARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	var wrong, right atomic.Int64
	stop := make(chan struct{})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if status, _ := ask(t, server, inVaduz); status == http.StatusOK {
					right.Add(1)
				} else {
					wrong.Add(1)
				}
			}
		})
	}
	w.build("alps", "2", "liechtenstein.osm.pbf")
	require.DirExists(t, filepath.Join(w.path, "alps", first.Version), "the files that are in use")
	require.NoError(t, server.Refresh(t.Context()))
	close(stop)
	asking.Wait()
	require.Zero(t, wrong.Load())
	require.Positive(t, right.Load())
	require.NoDirExists(t, filepath.Join(w.path, "alps", first.Version), "the files of the version before")

	w.remove("alps")
	require.NoError(t, server.Refresh(t.Context()))
	left, err := os.ReadDir(w.path)
	require.NoError(t, err)
	require.Empty(t, left)
	require.ErrorContains(t, server.Check(t.Context()), "no region has road data")
}

func TestAnEngineThatDiesIsStartedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	require.NoError(t, server.KillEngines())
	require.Eventually(t, func() bool {
		status, _ := ask(t, server, inVaduz)
		return status == http.StatusOK && server.Check(t.Context()) == nil
	}, time.Minute, 20*time.Millisecond)
}

func TestAVersionThatCannotBeServedLeavesTheOneBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	broken := w.build("alps", "2", "liechtenstein.osm.pbf")
	files, err := filepath.Glob(filepath.Join(w.path, "alps", broken.Version, "roads", "car", "*.hsgr"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	require.ErrorContains(t, server.Refresh(t.Context()), "osrm-routed cannot be started")
	require.Error(t, server.Check(t.Context()), "operators see it")
	status, _ := ask(t, server, inVaduz)
	require.Equal(t, http.StatusOK, status)
}
