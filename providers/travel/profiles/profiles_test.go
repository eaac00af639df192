package profiles_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/vehicle"
	"waybill/internal/osrm"
	"waybill/providers/travel"
	"waybill/providers/travel/profiles"
	"waybill/testing/stack"
)

// degree is about how many meters a degree of latitude has. The roads of the tests are near
// the equator, where a degree of longitude has as many.
const degree = 111_195.0

// town is an extract with one small network of roads per name, far from one another.
type town struct {
	nodes, ways strings.Builder
	count       int
	names       []string
}

// at returns a point of a network, in meters from its first one.
func (w *town) at(network int, east, north float64) planning.Point {
	return planning.Point{Latitude: 0.01 + north/degree, Longitude: 0.1 + float64(network)*0.2 + east/degree}
}

func (w *town) node(network int, east, north float64, tags string) int {
	w.count++
	p := w.at(network, east, north)
	fmt.Fprintf(&w.nodes, `<node id="%d" version="1" lat="%.7f" lon="%.7f">%s</node>`+"\n", w.count, p.Latitude, p.Longitude, tagged(tags))
	return w.count
}

func (w *town) way(tags string, nodes ...int) {
	w.count++
	fmt.Fprintf(&w.ways, `<way id="%d" version="1">`, w.count)
	for _, n := range nodes {
		fmt.Fprintf(&w.ways, `<nd ref="%d"/>`, n)
	}
	fmt.Fprintln(&w.ways, tagged(tags)+"</way>")
}

// tagged writes tags such as "highway=primary toll=yes".
func tagged(tags string) string {
	var text strings.Builder
	for tag := range strings.FieldsSeq(tags) {
		key, value, _ := strings.Cut(tag, "=")
		fmt.Fprintf(&text, `<tag k="%s" v="%s"/>`, key, value)
	}
	return text.String()
}

// shortcut adds a road of 1 km whose middle has tags, and a way round it of 3 km.
func (w *town) shortcut(name, tags, nodeTags string) {
	n := len(w.names)
	w.names = append(w.names, name)
	from, a, b, to := w.node(n, 0, 0, ""), w.node(n, 300, 0, ""), w.node(n, 700, 0, ""), w.node(n, 1000, 0, "")
	middle := w.node(n, 500, 0, nodeTags)
	w.way("highway=primary", from, a)
	w.way("highway=primary", b, to)
	if !strings.Contains(tags, "route=") {
		tags = "highway=primary " + tags
	}
	w.way(tags, a, middle, b)
	w.way("highway=primary", from, w.node(n, 0, 1000, ""), w.node(n, 1000, 1000, ""), to)
}

// road adds a road of so many meters, each part of which has its own tags.
func (w *town) road(name string, meters float64, tags ...string) {
	n := len(w.names)
	w.names = append(w.names, name)
	last := w.node(n, 0, 0, "")
	for i, of := range tags {
		next := w.node(n, meters*float64(i+1)/float64(len(tags)), 0, "")
		w.way(of, last, next)
		last = next
	}
}

func (w *town) write(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "town.osm")
	text := `<?xml version="1.0" encoding="UTF-8"?><osm version="0.6">` + "\n" + w.nodes.String() + w.ways.String() + "</osm>\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func newTown() *town {
	w := &town{}
	w.shortcut("open", "", "")
	w.shortcut("low", "maxheight=3.8", "")
	w.shortcut("low bridge on a point", "", "maxheight=3.8")
	w.shortcut("narrow", "maxwidth=2.3", "")
	w.shortcut("short", "maxlength=10", "")
	w.shortcut("weak", "maxweight=7.5", "")
	w.shortcut("weak for axles", "maxaxleload=8", "")
	w.shortcut("hazmat", "hazmat=no", "")
	w.shortcut("no trucks", "hgv=no", "")
	w.shortcut("local trucks", "hgv=destination", "")
	w.shortcut("trucks only", "motor_vehicle=no hgv=yes", "")
	w.shortcut("ferry", "route=ferry duration=00:00:20", "")
	w.shortcut("toll", "toll=yes", "")
	w.shortcut("toll of trucks", "toll:hgv=yes", "")
	w.road("door behind no trucks", 1000, "highway=primary", "highway=residential hgv=no")
	w.road("island", 1000, "highway=primary", "route=ferry duration=00:01:00", "highway=primary")
	w.road("fast", 10_000, "highway=motorway oneway=no")
	w.road("slow for trucks", 10_000, "highway=motorway oneway=no maxspeed:hgv=50")
	return w
}

// drives returns, by the name of a network, the way from its first point to its last for the
// class of a key.
func drives(t *testing.T, w *town, extract, key string) map[string]routing.Leg {
	t.Helper()
	profile, ok := profiles.OfKey(key)
	require.True(t, ok)
	dir := t.TempDir()
	data, err := stack.BuildRoadsFor(t.Context(), extract, dir, profile)
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	server, err := stack.StartOSRM(t.Context(), data, filepath.Join(dir, "osrm.log"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	legs := make(map[string]routing.Leg, len(w.names))
	for n, name := range w.names {
		east := 1000.0
		if name == "fast" || name == "slow for trucks" {
			east = 10_000
		}
		found, err := provider.Legs(t.Context(), planning.Car, []planning.Point{w.at(n, 0, 0)}, []planning.Point{w.at(n, east, 0)})
		require.NoError(t, err, name)
		legs[name] = found.Legs[0]
	}
	return legs
}

// direct and round are the lengths of the ways of a shortcut.
const (
	direct = 1000
	round  = 3000
)

func TestClassDecidesWhichRoadsAVehicleUses(t *testing.T) {
	t.Parallel()
	w := newTown()
	extract := w.write(t)
	for key, rounds := range map[string][]string{
		"car":                           {"trucks only"},
		"car-hazmat-notoll":             {"trucks only", "hazmat", "toll"},
		"truck":                         {"no trucks", "local trucks"},
		"truck-h380-w229-l1000-t7500":   {"no trucks", "local trucks"},
		"truck-h400-t12000-noferry":     {"no trucks", "local trucks", "low", "low bridge on a point", "weak", "ferry"},
		"truck-w255-l1200-a9000-v50":    {"no trucks", "local trucks", "narrow", "short", "weak for axles"},
		"truck-a8000-v70-hazmat-notoll": {"no trucks", "local trucks", "hazmat", "toll", "toll of trucks"},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			mode, class, _ := vehicle.ParseKey(key)
			legs := drives(t, w, extract, key)
			for _, name := range w.names[:14] {
				want := direct
				for _, other := range rounds {
					if name == other {
						want = round
					}
				}
				require.InDelta(t, want, legs[name].Meters, 20, name)
			}
			require.InDelta(t, direct, legs["door behind no trucks"].Meters, 20, "the vehicle arrives at the door")
			require.InDelta(t, direct, legs["island"].Meters, 20, "there is no other way")
			speed, signed := 90.0, 90.0
			if class.TopSpeedKmh != nil {
				speed = *class.TopSpeedKmh
			}
			if mode == vehicle.Truck {
				signed = min(speed, 0.8*50)
			}
			require.InDelta(t, 36_000/speed, legs["fast"].Seconds, 5)
			require.InDelta(t, 36_000/signed, legs["slow for trucks"].Seconds, 5)
		})
	}
}
