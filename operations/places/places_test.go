package places_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	loading "waybill/operations/places"
	"waybill/providers/registers"
	"waybill/store/places"
	"waybill/store/storetest"
)

var (
	seed = flag.Uint64("places.seed", 1, "the seed by which addresses are drawn and misspelled")
	size = flag.Int("places.size", 250, "how many addresses are drawn for each kind of error")
)

const (
	oslo    = "../../demo/regions/oslo-center.osm.pbf"
	elverum = "../../demo/regions/matrikkelen-sample.csv"
)

// register is a database with an address register, and its owner.
type register struct {
	*places.Register
	db    *storetest.Database
	owner *pgx.Conn
}

func newRegister(t *testing.T) *register {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(t.Context()) })
	return &register{places.New(db.Pool), db, owner}
}

func (r *register) load(t *testing.T, files ...string) (all []loading.Result) {
	t.Helper()
	load := loading.Load{Owner: places.NewOwner(r.owner), Said: func(string) {}}
	for _, file := range files {
		result, err := load.File(t.Context(), file, loading.SourceOf(file))
		require.NoError(t, err)
		all = append(all, result)
	}
	return all
}

func (r *register) find(t *testing.T, addresses ...place.Address) []place.Match {
	t.Helper()
	matches, err := r.Find(t.Context(), addresses, "NO")
	require.NoError(t, err)
	return matches
}

func recordsOf(t *testing.T, path string) (all []place.Record) {
	t.Helper()
	file, err := registers.Open(path, "")
	require.NoError(t, err)
	require.NoError(t, file.Read(t.Context(), func(r place.Record) error {
		all = append(all, r)
		return nil
	}))
	return all
}

// TestAddressesAreFound draws addresses of central Oslo, makes the errors that people make, and
// counts how many are found. docs/places.md has its table, with -places.size=1000.
func TestAddressesAreFound(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.load(t, oslo)
	all := recordsOf(t, oslo)
	random := rand.New(rand.NewPCG(*seed, 19))
	for _, k := range kinds {
		draw := make([]drawn, *size)
		addresses := make([]place.Address, *size)
		for i := range draw {
			draw[i].record = all[random.IntN(len(all))]
			draw[i].asked = k.spell(random, &draw[i].record, written(&draw[i].record))
			addresses[i] = draw[i].asked
		}
		share, falsely := r.judge(t, draw, addresses, k.meters)
		t.Logf("| %s | %.1f %% | %.4g %% | %.1f %% |", k.name, share, k.target, falsely)
		require.GreaterOrEqual(t, share, k.target-slack(), k.name)
	}
}

// slack is the tolerance for a small sample.
func slack() float64 {
	if *size < 1000 {
		return 1.5
	}
	return 0
}

// judge is the share within meters, and that of houses that are reported as POINT and are not it.
func (r *register) judge(t *testing.T, draw []drawn, addresses []place.Address, meters float64) (hit, falsely float64) {
	t.Helper()
	for i, m := range r.find(t, addresses...) {
		off := m.At.Meters(draw[i].record.At)
		if m.Precision != 0 && off <= meters {
			hit++
		} else if m.Precision == place.Point {
			falsely++
		}
		if testing.Verbose() && (m.Precision == 0 || off > meters) {
			t.Logf("  %v is %s %s: %.0f m, %s, unknown %q, ambiguous %v", addresses[i], draw[i].record.Street,
				draw[i].record.House, off, m.Entry, m.Unknown, m.IsAmbiguous)
		}
	}
	return hit * 100 / float64(len(draw)), falsely * 100 / float64(len(draw))
}

// TestNumbersBetweenKnownOnesAreInterpolated leaves addresses out of the
// register, and looks them up.
func TestNumbersBetweenKnownOnesAreInterpolated(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all := recordsOf(t, oslo)
	random := rand.New(rand.NewPCG(*seed, 20))
	left := leftOut(random, all, *size)
	loading, err := places.NewOwner(r.owner).Begin(t.Context(), places.About{Name: "oslo", Format: "test", Rank: 1})
	require.NoError(t, err)
	for _, record := range all {
		if _, ok := left[houseOf(&record)]; !ok {
			require.NoError(t, loading.Add(t.Context(), &record))
		}
	}
	_, err = loading.Swap(t.Context())
	require.NoError(t, err)
	var draw []drawn
	var addresses []place.Address
	for _, record := range left {
		draw = append(draw, drawn{record: record})
		record.House.Letter = ""
		addresses = append(addresses, written(&record))
	}
	share, _ := r.judge(t, draw, addresses, 100)
	t.Logf("| number between two known ones, within 100 m | %.1f %% | 90 %% |  | (%d)", share, len(draw))
	require.GreaterOrEqual(t, share, 90.0-slack())
	for i, m := range r.find(t, addresses...) {
		require.NotEqual(t, place.Point, m.Precision, addresses[i])
	}
}

func houseOf(r *place.Record) string {
	return fmt.Sprint(r.Street, r.PostalCode, r.House.Number)
}

// leftOut draws numbers that have a lower and a higher neighbor on their side of the street.
func leftOut(random *rand.Rand, all []place.Record, size int) map[string]place.Record {
	numbers := map[string][]int{}
	side := func(r *place.Record) string { return fmt.Sprint(r.Street, r.PostalCode, r.House.Number%2) }
	for _, r := range all {
		numbers[side(&r)] = append(numbers[side(&r)], r.House.Number)
	}
	left, taken := map[string]place.Record{}, map[string]bool{}
	for range 20 * size {
		r := all[random.IntN(len(all))]
		known := numbers[side(&r)]
		if n := r.House.Number; len(left) < size && !taken[side(&r)] && n > slices.Min(known) && n < slices.Max(known) {
			left[houseOf(&r)], taken[side(&r)] = r, true
		}
	}
	return left
}

// TestAWrongHouseIsNeverAPoint looks up numbers that do not exist and streets
// of other towns.
func TestAWrongHouseIsNeverAPoint(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.load(t, oslo)
	all := recordsOf(t, oslo)
	random := rand.New(rand.NewPCG(*seed, 21))
	last := map[string]int{}
	for _, record := range all {
		last[record.Street] = max(last[record.Street], record.House.Number)
	}
	var past, elsewhere []place.Address
	others := slices.DeleteFunc(recordsOf(t, elverum), func(r place.Record) bool { return last[r.Street] > 0 })
	for range *size {
		record := all[random.IntN(len(all))]
		other := others[random.IntN(len(others))]
		other.PostalCode, other.City = record.PostalCode, record.City
		elsewhere = append(elsewhere, written(&other))
		record.House = place.House{Number: last[record.Street] + 1 + random.IntN(20)}
		past = append(past, written(&record))
	}
	for name, addresses := range map[string][]place.Address{"past the end": past, "street of another town": elsewhere} {
		points := 0
		for i, m := range r.find(t, addresses...) {
			if m.Precision == place.Point {
				points++
				t.Logf("%v is taken for %s", addresses[i], m.Entry)
			}
		}
		t.Logf("| %s: reported as POINT | %d | 0 |  |", name, points)
		require.Zero(t, points, name)
	}
}

// TestTenThousandAddressesAreFoundAtOnce prints how long a chunk takes.
func TestTenThousandAddressesAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.load(t, oslo)
	all := recordsOf(t, oslo)
	addresses := make([]place.Address, 10_000)
	for i := range addresses {
		addresses[i] = written(&all[i])
		if i%20 == 0 {
			addresses[i].Address1 = strings.Replace(addresses[i].Address1, "a", "e", 1)
		}
	}
	began := time.Now()
	matches := r.find(t, addresses...)
	t.Logf("10,000 addresses, a twentieth of them misspelled: %s", time.Since(began).Round(time.Millisecond))
	points := 0
	for _, m := range matches {
		if m.Precision == place.Point {
			points++
		}
	}
	require.Greater(t, points, 9500)
}
