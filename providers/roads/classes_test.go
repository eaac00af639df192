package roads_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/domain/planning"
	"waybill/domain/region"
	"waybill/providers/regions"
	"waybill/providers/travel"
)

// high is the class of trucks that are four meters high.
const high region.Profile = "truck-h400"

// state returns how far the road data of a profile are.
func (w *world) state(r *region.Region, profile region.Profile) region.RoadState {
	w.t.Helper()
	version, err := w.folder.Use(r)
	require.NoError(w.t, err)
	state, err := version.RoadState(profile)
	require.NoError(w.t, err)
	require.NoError(w.t, version.Close())
	return state
}

// way is a route as the server answers.
type way struct {
	Code      string
	Distance  float64
	Waypoints []struct{ Distance float64 }
}

// route asks for the way from one position to another.
func route(t *testing.T, server http.Handler, profile region.Profile, from, to place.Position) way {
	t.Helper()
	w := httptest.NewRecorder()
	path := fmt.Sprintf("/route/v1/%s/%f,%f;%f,%f", profile, from.Longitude, from.Latitude, to.Longitude, to.Latitude)
	server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	var answer struct {
		way
		Routes []struct{ Distance float64 }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
	if len(answer.Routes) > 0 {
		answer.Distance = answer.Routes[0].Distance
	}
	return answer.way
}

// Oslo gate leads below the railway, where there are 3.8 meters of room.
var (
	northOfRailway = place.Position{Latitude: 59.9083, Longitude: 10.7678}
	southOfRailway = place.Position{Latitude: 59.9077, Longitude: 10.7678}
)

// The quay of Vippetangen is signed against trucks.
var (
	inTheCity = place.Position{Latitude: 59.9113, Longitude: 10.7501}
	onTheQuay = place.Position{Latitude: 59.9045, Longitude: 10.7424}
)

func TestATruckTakesAnotherRoadThanAVan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("oslo", "1", "oslo-center.osm.pbf")
	w.want(high, "truck-h360", region.Bikes)
	require.NoError(t, w.builder().Turn(t.Context()))
	server := w.serve()
	van, low := route(t, server, region.Cars, northOfRailway, southOfRailway), route(t, server, "truck-h360", northOfRailway, southOfRailway)
	truck := route(t, server, high, northOfRailway, southOfRailway)
	require.InDelta(t, 67, van.Distance, 20)
	require.InDelta(t, van.Distance, low.Distance, 1)
	require.Equal(t, "Ok", truck.Code)
	require.Greater(t, truck.Distance, 300.0, "it does not fit below the railway")
	bike := route(t, server, region.Bikes, inTheCity, onTheQuay)
	require.Equal(t, "Ok", bike.Code)
	require.NotEqual(t, route(t, server, region.Cars, inTheCity, onTheQuay).Distance, bike.Distance)

	arrived := route(t, server, high, inTheCity, onTheQuay)
	require.Equal(t, "Ok", arrived.Code)
	require.Less(t, arrived.Waypoints[1].Distance, 15.0, "the truck arrives at the door")
}

func TestAClassBecomesAvailableWhileRequestsGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	front := httptest.NewServer(server)
	t.Cleanup(front.Close)
	provider, err := travel.Open("osrm+" + front.URL + "?table=6000&classes=yes")
	require.NoError(t, err)
	require.False(t, provider.Serves(planning.Profile(high)))
	require.False(t, provider.Serves(planning.Bike))
	require.True(t, provider.Serves(planning.Truck), "by a factor")
	inVaduzByTruck := "/table/v1/truck-h400/9.5209,47.1410;9.5300,47.1600"
	status, code := ask(t, server, inVaduzByTruck)
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "InvalidProfile", code)

	var wrong, right atomic.Int64
	stop := make(chan struct{})
	var asking sync.WaitGroup
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
	w.want(high)
	require.NoError(t, w.builder().Turn(t.Context()))
	require.NoError(t, server.Refresh(t.Context()))
	close(stop)
	asking.Wait()
	require.Zero(t, wrong.Load())
	require.Positive(t, right.Load())
	status, _ = ask(t, server, inVaduzByTruck)
	require.Equal(t, http.StatusOK, status)
	again, err := travel.Open("osrm+" + front.URL + "?table=6000&classes=yes")
	require.NoError(t, err)
	require.True(t, again.Serves(planning.Profile(high)))
	answer, err := again.Legs(t.Context(), planning.Profile(high), []planning.Point{{Latitude: 47.141, Longitude: 9.5209}},
		[]planning.Point{{Latitude: 47.16, Longitude: 9.53}})
	require.NoError(t, err)
	require.Positive(t, answer.Legs[0].Seconds)
}

func TestAKilledBuilderLeavesWhatIsServedAndIsStartedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	w.want(high)
	builder, now, kill, built := w.builder(), time.Now(), true, 0
	builder.Now = func() time.Time { return now }
	builder.Watch.Started = func(program string, pid int) {
		if program == "osrm-contract" {
			built++
			if kill { // at once: it takes less than a second
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			}
			require.Equal(t, region.Building, w.state(&r, high).Phase)
			require.GreaterOrEqual(t, w.state(&r, high).Percent, 80)
		}
	}
	require.NoError(t, builder.Turn(t.Context()))
	require.NoError(t, server.Refresh(t.Context()))
	state := w.state(&r, high)
	require.Equal(t, region.Waiting, state.Phase)
	require.Contains(t, state.Failure, "osrm-contract was killed (killed); the machine may have run out of memory")
	require.Equal(t, 1, state.Tries)
	status, _ := ask(t, server, inVaduz)
	require.Equal(t, http.StatusOK, status)
	require.Len(t, server.Data(), 1)
	require.NoError(t, server.Check(t.Context()))
	left, err := filepath.Glob(filepath.Join(w.path, "alps", "1", "roads", "*"))
	require.NoError(t, err)
	require.Equal(t, []string{"car", "truck-h400.json"}, baseNames(left))

	require.NoError(t, builder.Turn(t.Context()))
	require.Equal(t, 1, built, "it is not due yet")
	now, kill = state.Next, false
	require.NoError(t, builder.Turn(t.Context()))
	require.Equal(t, region.Ready, w.state(&r, high).Phase)
	require.Zero(t, w.state(&r, high).Tries)
	require.NoError(t, server.Refresh(t.Context()))
	require.Len(t, server.Data(), 2)
}

func baseNames(paths []string) (names []string) {
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

func TestABuilderThatFailsTooOftenIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.build("alps", "1", "liechtenstein.osm.pbf")
	require.NoError(t, os.Remove(filepath.Join(w.path, "alps", "1", "extract.osm.pbf")))
	w.want(high)
	builder, now, turns := w.builder(), time.Now(), 0
	builder.Now = func() time.Time { return now }
	for ; w.state(&r, high).Phase == region.Waiting; turns++ {
		require.NoError(t, builder.Turn(t.Context()))
		require.Contains(t, w.state(&r, high).Failure, "build the region again")
		now = w.state(&r, high).Next
	}
	require.Equal(t, 8, turns)
	require.Equal(t, region.Failed, w.state(&r, high).Phase)
}

// TestWhatAKilledProcessLeftIsBuiltAgain kills the process that starts the builders.
func TestWhatAKilledProcessLeftIsBuiltAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.build("alps", "1", "liechtenstein.osm.pbf")
	w.want(high)
	process := buildElsewhere(t, w, &r)
	require.Eventually(t, func() bool { return w.state(&r, high).Phase == region.Building }, time.Minute, time.Millisecond)
	version, err := w.folder.Use(&r)
	require.NoError(t, err)
	err = w.programs.BuildRoads(t.Context(), version, high, time.Now, regions.Watch{})
	require.ErrorIs(t, err, regions.ErrInUse, "another process is at it")
	require.NoError(t, version.Close())
	require.NoError(t, process.Kill())
	require.Eventually(t, func() bool { return w.state(&r, high).Phase == region.Waiting }, time.Minute, time.Millisecond)
	state := w.state(&r, high)
	require.Contains(t, state.Failure, "interrupted")
	require.Equal(t, 1, state.Tries)
	builder := w.builder()
	builder.Now = func() time.Time { return state.Next }
	require.NoError(t, builder.Turn(t.Context()))
	require.Equal(t, region.Ready, w.state(&r, high).Phase)
}

func TestARemovedRegionLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.build("alps", "1", "liechtenstein.osm.pbf")
	server := w.serve()
	w.want(region.Trucks, high)
	builder := w.builder()
	builder.Watch.Started = func(string, int) {
		if len(server.Data()) == 2 { // during the second build
			w.remove("alps")
			require.NoError(t, server.Refresh(t.Context()))
		} else if len(server.Data()) == 1 {
			require.NoError(t, server.Refresh(t.Context()))
		}
	}
	require.NoError(t, builder.Turn(t.Context()))
	require.Empty(t, server.Data())
	left, err := os.ReadDir(w.path)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestDataThatNoVehicleUsesAreRemovedAfterAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.build("alps", "1", "liechtenstein.osm.pbf")
	w.want(high)
	require.NoError(t, w.builder().Turn(t.Context()))
	server := w.serve()
	now := time.Now()
	server.SetClock(func() time.Time { return now })
	w.mu.Lock()
	w.profiles = nil
	w.mu.Unlock()
	for _, wait := range []time.Duration{0, 59 * time.Minute} {
		now = now.Add(wait)
		require.NoError(t, server.Refresh(t.Context()))
		require.Len(t, server.Data(), 2)
	}
	now = now.Add(time.Minute)
	require.NoError(t, server.Refresh(t.Context()))
	require.Len(t, server.Data(), 1)
	left, err := filepath.Glob(filepath.Join(w.path, "alps", r.Version, "roads", "*"))
	require.NoError(t, err)
	require.Equal(t, []string{"car"}, baseNames(left))
}

func TestAClassThatCannotBeServedLeavesTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.build("alps", "1", "liechtenstein.osm.pbf")
	w.want(high)
	require.NoError(t, w.builder().Turn(t.Context()))
	files, err := filepath.Glob(filepath.Join(w.path, "alps", r.Version, "roads", string(high), "*.hsgr"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	server := w.serve()
	require.NoError(t, server.Check(t.Context()))
	served := server.Data()
	require.True(t, slices.ContainsFunc(served, func(d region.Data) bool { return d.Profile == region.Cars }))
	require.Len(t, served, 1)
	status, code := ask(t, server, "/nearest/v1/truck-h400/9.5209,47.1410")
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "InvalidProfile", code)
	require.Contains(t, w.state(&r, high).Failure, "osrm-routed cannot be started", "operators see it")
}

// buildElsewhere builds the road data of high trucks in another process.
func buildElsewhere(t *testing.T, w *world, r *region.Region) *os.Process {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	process, err := os.StartProcess(program, []string{program}, &os.ProcAttr{
		Env: append(os.Environ(), "ROADS_TEST_BUILD="+w.path+"|"+w.programs.OSRM+"|"+r.Name+"|"+r.Version),
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.Kill(); _, _ = process.Wait() })
	return process
}
