package driving

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// aRoute is the document of a route, its stops given as id, status, minute of the ETA, and name.
func aRoute(name string, stops ...string) []byte {
	for i, s := range stops {
		f := strings.Fields(s)
		stops[i] = fmt.Sprintf(`{"stopId":%s,"sequence":%d,"status":%q,"eta":"2026-03-02T09:%s:00Z","name":%q}`,
			f[0], i+1, f[1], f[2], f[3])
	}
	return fmt.Appendf(nil, `{"name":%q,"stops":[%s]}`, name, strings.Join(stops, ","))
}

func read(t *testing.T, document []byte) *version {
	t.Helper()
	v, err := versionOf(document)
	require.NoError(t, err)
	return v
}

func TestOnlyWhatChangedIsSent(t *testing.T) {
	t.Parallel()
	before := read(t, aRoute("Nora", "1 pending 10 Shop", "2 pending 20 Yard"))
	before.forgetDocuments()

	same := read(t, aRoute("Nora", "1 pending 10 Shop", "2 pending 20 Yard")).since(before, false)
	require.Nil(t, same.route)
	require.Nil(t, same.sequence)
	require.Empty(t, same.stops)
	require.Empty(t, same.progress)

	arrived := read(t, aRoute("Nora", "1 arrived 10 Shop", "2 pending 20 Yard")).since(before, false)
	require.Equal(t, []map[string]any{{"stopId": int64(1), "status": "arrived"}}, arrived.progress)

	renamed := read(t, aRoute("Nora Berg", "1 pending 10 Shop", "2 pending 20 Store")).since(before, false)
	require.JSONEq(t, `{"name":"Nora Berg","stops":[]}`, string(renamed.route))
	require.Len(t, renamed.stops, 1)
	require.Contains(t, string(renamed.stops[0]), "Store")

	turned := read(t, aRoute("Nora", "2 pending 20 Yard", "1 pending 10 Shop")).since(before, false)
	require.Equal(t, []int64{2, 1}, turned.sequence)
	require.Empty(t, turned.stops)

	gone := read(t, aRoute("Nora", "2 pending 20 Yard")).since(before, false)
	require.Equal(t, []int64{2}, gone.sequence)
}

func TestCompleteRouteHasItsSequence(t *testing.T) {
	t.Parallel()
	all := read(t, aRoute("Nora")).since(nil, false)
	require.Equal(t, []int64{}, all.sequence)
	require.NotNil(t, all.route)
}

func TestSmallMovesOfETAsAddUp(t *testing.T) {
	t.Parallel()
	at := func(seconds string) []byte {
		return fmt.Appendf(nil, `{"stops":[{"stopId":1,"eta":"2026-03-02T09:00:%sZ"}]}`, seconds)
	}
	first := read(t, at("00"))
	second := read(t, at("20"))
	require.Empty(t, second.since(first, false).progress)
	names := [2]string{}
	for i, v := range []*version{first, second} {
		name, err := v.name()
		require.NoError(t, err)
		names[i] = name
	}
	require.Equal(t, names[0], names[1], "the phone has the same version")
	third := read(t, at("40"))
	require.Len(t, third.since(second, false).progress, 1, "as the phone still has the first one")
	lost := read(t, []byte(`{"stops":[{"stopId":1,"eta":null}]}`)).since(third, false)
	require.Contains(t, lost.progress[0], "eta")
}

// TestOneDelayMovesManyETAs tells a phone that its driver is nine minutes late, which a
// break later on makes seven.
func TestOneDelayMovesManyETAs(t *testing.T) {
	t.Parallel()
	before := read(t, aRoute("Nora", "1 pending 10 A", "2 pending 15 B", "3 pending 20 C", "4 pending 25 D",
		"5 pending 30 E", "6 pending 35 F", "7 pending 40 G", "8 pending 45 H"))
	late := func() *version {
		return read(t, aRoute("Nora", "1 arrived 10 A", "2 pending 24 B", "3 pending 29 C", "4 pending 34 D",
			"5 pending 39 Else", "6 pending 42 F", "7 pending 47 G", "8 pending 52 H"))
	}
	now := late()
	told := now.since(before, true)
	require.Equal(t, []delay{{2, 4, 540}, {6, 8, 420}}, told.delays)
	require.Equal(t, []map[string]any{{"stopId": int64(1), "status": "arrived"}}, told.progress)
	require.Len(t, told.stops, 1)

	again := late().since(now, true)
	require.Empty(t, again.delays, "the phone has them")
	require.Empty(t, again.progress)
	unable := late().since(before, false)
	require.Nil(t, unable.delays)
	require.Len(t, unable.progress, 7)
}

func TestOldVersionsAreForgotten(t *testing.T) {
	t.Parallel()
	r := newVersions(6)
	key := func(revision string) *routeKey { return &routeKey{revision: revision} }
	two := func() *version { return read(t, aRoute("Nora", "1 pending 10 Shop", "2 pending 20 Yard")) }
	r.keep(key("a"), two())
	r.keep(key("b"), two())
	r.keep(key("b"), two())
	require.NotNil(t, r.find(key("a")), "which is now the last one used")
	r.keep(key("c"), two())
	require.Nil(t, r.find(key("b")))
	require.NotNil(t, r.find(key("a")))
	require.NotNil(t, r.find(key("c")))
	require.Equal(t, 6, r.stops)
}
