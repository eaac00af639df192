package planning_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/internal/osrm"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
	"waybill/testing/stack"
)

// engine is a server of travel times behind an address that stays, whatever happens to the server.
type engine struct {
	*stack.OSRM

	data, url string
	mu        sync.Mutex
	// fails is what happens to the next table, and then to all others.
	fails http.HandlerFunc
}

// newEngine starts a real server with the streets of central Oslo. The test is skipped where OSRM is not
// installed.
func newEngine(t *testing.T) *engine {
	t.Helper()
	dir := t.TempDir()
	data, err := stack.BuildRoads(t.Context(), "../../demo/regions/oslo-center.osm.pbf", dir)
	if err != nil && strings.Contains(err.Error(), osrm.ErrMissing.Error()) {
		t.Skip(err)
	}
	require.NoError(t, err)
	e := &engine{data: data}
	e.start(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		fails, to := e.fails, e.OSRM
		e.mu.Unlock()
		if fails != nil {
			fails(w, r)
			return
		}
		forward(to, w, r)
	}))
	t.Cleanup(front.Close)
	e.url = "osrm+" + front.URL + "?table=1000"
	return e
}

// forward has a server answer, or nobody if it is gone.
func forward(to *stack.OSRM, w http.ResponseWriter, r *http.Request) {
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Address()})
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	proxy.ServeHTTP(w, r)
}

func (e *engine) start(t *testing.T) {
	t.Helper()
	server, err := stack.StartOSRM(t.Context(), e.data, filepath.Join(t.TempDir(), "osrm.log"))
	require.NoError(t, err)
	t.Cleanup(server.Kill)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.OSRM, e.fails = server, nil
}

// fail has all requests answered in another way from now on; nil is by the server.
func (e *engine) fail(with http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fails = with
}

// inStreets has orders from a terminal to places in the center of Oslo.
func inStreets(d *operationstest.Dispatch, from, count int) {
	d.T.Helper()
	random := rand.New(rand.NewPCG(2026, uint64(from)))
	var entries []order.Request
	for n := range count {
		entry := operationstest.HeavyOrder(operationstest.Numbered(from + n))
		lat, lon := 59.905+random.Float64()*0.03, 10.73+random.Float64()*0.04
		entry.Pickup = &order.LocationRequest{ExternalID: "T"}
		entry.Delivery = &order.LocationRequest{Name: fmt.Sprintf("Somebody %d", n), Address: &order.Address{
			Address1: fmt.Sprintf("Storgata %d", n), PostalCode: "0155", City: "Oslo", Country: "NO", Latitude: &lat, Longitude: &lon,
		}}
		entries = append(entries, entry)
	}
	for some := range slices.Chunk(entries, 100) {
		d.Imported(d.Org, some...)
	}
}

// onRoads is a fleet whose terminal is in the center of Oslo, with travel times of an engine.
func onRoads(t *testing.T, e *engine, drivers int) *operationstest.Dispatch {
	t.Helper()
	d := operationstest.NewDispatch(t, "latitude: 59.92, longitude: 10.84", "latitude: 59.9101, longitude: 10.7570")
	d.Do(`insert into vehicles (org_id, registration, vehicle_type_id, max_weight_kg, max_volume_m3, home_location_id)
		select $1, 'M-' || n, t.id, 20000, 200, l.id from vehicle_types t, locations l, generate_series(1, $2::int) n
		where t.org_id = $1 and t.name = 'Van' and l.org_id = $1 and l.external_id = 'T'`, d.Org, drivers)
	d.Do("insert into drivers (org_id, name, vehicle_id) select org_id, registration, id from vehicles where org_id = $1 and registration like 'M-%'", d.Org)
	d.Do(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
		select org_id, id, 1, 'FREQ=DAILY', 360, 1320 from drivers where org_id = $1 and name like 'M-%'`, d.Org)
	d.TravelBy(t, e.url)
	return d
}

// TestLegsOfAPlanAreRealTimes plans 200 orders on streets: no leg is an estimate, and each takes as long as its
// route.
func TestLegsOfAPlanAreRealTimes(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	d := onRoads(t, e, 12)
	inStreets(d, 0, 200)
	planned(t, d)
	require.Zero(t, operationstest.One[int](d.Office, "select guessed_legs from plans where org_id = $1", d.Org))
	require.Greater(t, operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1", d.Org), 350)
	require.Zero(t, corrections(t, d))
	require.Equal(t, "", operationstest.One[string](d.Office, `
		select coalesce(string_agg(s.driving_seconds || ' planned, ' || w.seconds || ' drawn', '; '), '') from plan_stops s
		join ways_of_plan(s.org_id, s.plan_id, null) w on w.driver_id = s.driver_id and w.seq = s.seq
		where s.org_id = $1 and s.driving_seconds > 0 and abs(w.seconds - s.driving_seconds) > 3 + 0.05 * s.driving_seconds`, d.Org))

	t.Run("a route that takes another time counts", func(t *testing.T) {
		d.Do("delete from travel_ways where org_id = $1", d.Org)
		e.fail(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/route/") {
				forward(e.OSRM, w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, `{"code":"Ok","routes":[{"geometry":"_p~iF~ps|U_ulLnnqC","duration":5000,"distance":900}]}`)
		})
		require.Positive(t, corrections(t, d))
		require.Positive(t, operationstest.One[int](d.Office,
			"select count(*) from travel_ways where org_id = $1 and table_seconds is not null", d.Org), "they are marked")
		planned(t, d)
		require.Zero(t, operationstest.One[int](d.Office, `select count(*) from plan_stops s join travel_ways w on w.org_id = s.org_id
			where s.org_id = $1 and s.driving_seconds < 4000 and w.table_seconds is not null and w.seconds = 5000
				and w.to_place = place_number(s.latitude, s.longitude)
				and exists (select from legs_of_plan(s.org_id, s.plan_id, null) l where l.driver_id = s.driver_id and l.seq = s.seq
					and l.from_place = w.from_place)`, d.Org), "no leg is planned with a time that is known to be wrong")
	})
}

// corrections draws all ways, and returns how many legs took another time than planned.
func corrections(t *testing.T, d *operationstest.Dispatch) (count int) {
	t.Helper()
	for {
		done, err := d.Planning.DrawDay(t.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area})
		require.NoError(t, err)
		require.Empty(t, done.Failure)
		if count += done.Corrected; done.Left == 0 {
			return count
		}
	}
}

// TestABadPinCostsNoOtherOrderAnything: its order says where the nearest road is.
func TestABadPinCostsNoOtherOrderAnything(t *testing.T) {
	t.Parallel()
	d := onRoads(t, newEngine(t), 2)
	inStreets(d, 0, 20)
	planned(t, d)
	before := operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1", d.Org)
	require.Equal(t, 40, before)
	inSea := func(number string, lat, lon float64) {
		entry := operationstest.HeavyOrder(number)
		entry.Pickup = &order.LocationRequest{ExternalID: "T"}
		entry.Delivery = &order.LocationRequest{Name: "Boat", Address: &order.Address{
			Address1: "Havet 1", PostalCode: "0155", City: "Oslo", Country: "NO", Latitude: &lat, Longitude: &lon,
		}}
		d.Imported(d.Org, entry)
	}
	inSea("A-900", 58.3, 9.5)
	inStreets(d, 100, 5)
	for range 20 { // as often as it takes until the server was asked for all
		planned(t, d)
		if operationstest.One[int](d.Office, "select count(*) from plan_unplanned where org_id = $1", d.Org) > 0 {
			break
		}
	}
	require.Contains(t, d.Reasons("A-900"), "UNREACHABLE")
	const why = `from plan_unplanned u, jsonb_array_elements(plan_reasons_document(u.org_id, u.reasons)) x
		where u.org_id = $1 and x->>'code' = 'UNREACHABLE' limit 1`
	require.Equal(t, "DELIVERY", operationstest.One[string](d.Office, "select coalesce(x->>'stop', '') "+why, d.Org))
	require.Greater(t, operationstest.One[int](d.Office, "select coalesce((x->'nearest'->>'meters')::int, 0) "+why, d.Org), 100_000)
	require.InDelta(t, 59.9, operationstest.One[float64](d.Office, "select coalesce((x->'nearest'->>'latitude')::float8, 0) "+why, d.Org), 0.1)
	require.Equal(t, 50, operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1", d.Org))
	require.Zero(t, operationstest.One[int](d.Office, "select guessed_legs from plans where org_id = $1", d.Org))
	require.Empty(t, operationstest.One[string](d.Office, "select coalesce(travel_failure, '') from plans where org_id = $1", d.Org))
}

// TestPlacesOutsideOfAllRegionsAreNoFaultOfTheServer has a server without roads anywhere near.
func TestPlacesOutsideOfAllRegionsAreNoFaultOfTheServer(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	e.fail(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"code":"OutsideRegions"}`)
	})
	d := onRoads(t, e, 2)
	inStreets(d, 0, 3)
	done := d.Plan()
	require.EqualValues(t, "OUTSIDE_OF_REGIONS", done.TravelFailureCode)
	require.Positive(t, done.Guessed)
	require.Equal(t, 3, done.Planned)
	require.Equal(t, "OUTSIDE_OF_REGIONS", operationstest.One[string](d.Office, "select travel_failure_code from plans where org_id = $1", d.Org))
}

// TestAFailingEngineDoesNotEndPlanning has an engine fail in the middle of a plan. The plan holds and says what is
// wrong, and has real times again once the engine has recovered.
func TestAFailingEngineDoesNotEndPlanning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, says     string
		breaks, mended func(*testing.T, *engine)
	}{
		{"Killed", "unavailable", func(_ *testing.T, e *engine) { e.Kill() }, func(t *testing.T, e *engine) { e.start(t) }},
		{"Hung", "no answer", func(_ *testing.T, e *engine) { e.Hang() }, func(_ *testing.T, e *engine) { e.GoOn() }},
		{"Nonsense", "row", func(_ *testing.T, e *engine) {
			e.fail(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/table/") {
					_, _ = fmt.Fprint(w, `{"code":"Ok","durations":[[1,2]],"distances":[[1,2]]}`)
					return
				}
				_, _ = fmt.Fprint(w, `{"code":"Ok","waypoints":[{"location":[10.7,59.9],"distance":1}]}`)
			})
		}, func(_ *testing.T, e *engine) { e.fail(nil) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t)
			d := onRoads(t, e, 3)
			var once sync.Once
			count := 0
			e.fail(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/table/") {
					if count++; count > 1 { // in the middle
						once.Do(func() {
							e.fail(nil)
							c.breaks(t, e)
						})
					}
				}
				e.mu.Lock()
				fails := e.fails
				e.mu.Unlock()
				if count > 1 && fails != nil {
					fails(w, r)
					return
				}
				if c.name == "Killed" && count > 1 {
					panic(http.ErrAbortHandler)
				}
				forward(e.OSRM, w, r)
			})
			inStreets(d, 0, 60)
			done := d.Plan()
			require.Equal(t, "osrm", done.Travel)
			require.Contains(t, done.TravelFailure, c.says)
			require.Equal(t, string(done.TravelFailureCode),
				operationstest.One[string](d.Office, "select travel_failure_code from plans where org_id = $1", d.Org))
			require.EqualValues(t, "UNAVAILABLE", done.TravelFailureCode)
			require.Positive(t, done.Guessed, "the plan says how many legs are estimates")
			require.Equal(t, done.Guessed, operationstest.One[int](d.Office, "select guessed_legs from plans where org_id = $1", d.Org))
			require.False(t, done.Wake.IsZero())
			require.LessOrEqual(t, done.Wake.Sub(d.Now), time.Minute, "it is looked at again soon")
			require.Equal(t, 60, done.Planned)
			c.mended(t, e)
			for range 5 {
				d.Now = d.Now.Add(time.Minute)
				if done = d.Plan(); done.TravelFailure == "" && done.Guessed == 0 {
					break
				}
			}
			require.Empty(t, done.TravelFailure)
			require.Zero(t, done.Guessed)
			require.Zero(t, operationstest.One[int](d.Office, "select guessed_legs from plans where org_id = $1", d.Org))
		})
	}
}
