package places_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	loading "waybill/operations/places"
	"waybill/providers/registers"
	"waybill/store/places"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestLoadReplacesItsSource(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	storgata := place.Address{Address1: "Storgata 1", PostalCode: "0155", City: "Oslo"}
	header := "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"
	file := write(t, "oslo.csv", header+"10.746,59.912,1,Storgata,,Oslo,,,0155,,\n10.747,59.913,3,Storgata,,Oslo,,,0155,,\n")
	require.EqualValues(t, 2, r.load(t, file)[0].Addresses)
	require.Equal(t, place.Point, r.find(t, storgata)[0].Precision)
	require.True(t, r.load(t, file)[0].Unchanged, "the same file again")

	require.NoError(t, os.WriteFile(file, []byte(header+"10.747,59.913,3,Storgata,,Oslo,,,0155,,\n"), 0o600))
	require.EqualValues(t, 1, r.load(t, file)[0].Addresses)
	require.Equal(t, place.Street, r.find(t, storgata)[0].Precision, "the earlier content is gone")

	require.NoError(t, os.WriteFile(file, []byte(header+"10.747,,3,Storgata,,Oslo,,,0155,,\n"), 0o600))
	empty := loading.Load{Owner: places.NewOwner(r.owner), Said: func(string) {}}
	_, err := empty.File(t.Context(), file, "oslo")
	require.ErrorIs(t, err, loading.ErrNoAddresses)
	require.Equal(t, place.Street, r.find(t, storgata)[0].Precision, "a file without addresses replaces nothing")

	sources, err := r.Sources(t.Context())
	require.NoError(t, err)
	require.Len(t, sources, 1)
	removed, err := places.NewOwner(r.owner).Remove(t.Context(), "oslo")
	require.NoError(t, err)
	require.True(t, removed)
	require.Zero(t, r.find(t, storgata)[0].Precision)
	var left int
	require.NoError(t, r.owner.QueryRow(t.Context(), `select (select count(*) from streets) + (select count(*) from address_points)
		+ (select count(*) from towns) + (select count(*) from place_sources)`).Scan(&left))
	require.Zero(t, left)
}

func TestAnInterruptedLoadContinues(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	about := places.About{Name: "osm", Format: "test", Rank: 3, Fingerprint: "one"}
	all := recordsOf(t, oslo)
	load := func(until int) *places.Loading {
		l, err := places.NewOwner(r.owner).Begin(t.Context(), about)
		require.NoError(t, err)
		for i := range until {
			require.NoError(t, l.Add(t.Context(), &all[i%len(all)]))
		}
		return l
	}
	load(150_000) // it ends behind the first batch
	again := load(150_000)
	require.EqualValues(t, 100_000, again.Resumed())
	_, err := again.Swap(t.Context())
	require.NoError(t, err)
	m := r.find(t, written(&all[0]))
	require.Equal(t, place.Point, m[0].Precision)
	require.InDelta(t, 0, m[0].At.Meters(all[0].At), 50)
}

func TestTheApplicationOnlyReadsTheRegister(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	for _, statement := range []string{
		"delete from streets", "delete from address_points", "delete from towns", "update place_sources set rank = 0",
		"select from place_loads",
	} {
		_, err := r.db.Pool.Exec(t.Context(), statement)
		require.ErrorContains(t, err, "permission denied", statement)
	}
}

func TestSourcesAreMerged(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	line := `{"type":"Feature","properties":{"number":"438","street":"Gobakkveien","city":"Hernes","postcode":"2410"},` +
		`"geometry":{"type":"Point","coordinates":[11.52,61.02]}}` + "\n" +
		`{"type":"Feature","properties":{"number":"440-444","street":"Gobakkveien","city":"Hernes","postcode":"2410"},` +
		`"geometry":{"type":"Point","coordinates":[11.53,61.03]}}` + "\n"
	r.load(t, elverum, write(t, "hedmark.geojson", line))
	asked := place.Address{Address1: "Gobakkvegen 438", PostalCode: "2410", City: "HERNES"}
	require.Equal(t, "matrikkelen-sample", r.find(t, asked)[0].Source, "the register wins")
	asked.Address1 = "Gobakkveien 442"
	require.Equal(t, "hedmark", r.find(t, asked)[0].Source, "both are kept")
}

func TestAStreetIsFoundByEitherOfItsNames(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	load, err := places.NewOwner(r.owner).Begin(t.Context(), places.About{Name: "helsinki", Format: "test", Rank: 1})
	require.NoError(t, err)
	require.NoError(t, load.Add(t.Context(), &place.Record{
		Country: "FI", PostalCode: "00100", City: "Helsinki", Street: "Mannerheimintie", SecondName: "Mannerheimvägen",
		House: place.House{Number: 1}, At: place.Position{Latitude: 60.17, Longitude: 24.94},
	}))
	_, err = load.Swap(t.Context())
	require.NoError(t, err)
	for _, name := range []string{"Mannerheimintie 1", "Mannerheimvägen 1", "Mannerheimv. 1"} {
		m := r.find(t, place.Address{Address1: name, PostalCode: "FIN-00100", City: "Helsingfors", Country: "Suomi"})[0]
		require.Equal(t, place.Point, m.Precision, name)
	}
}

func TestProjectionsOfRegisters(t *testing.T) {
	t.Parallel()
	first := recordsOf(t, elverum)[0]
	require.Equal(t, "Gobakkvegen 438", first.Street+" "+first.House.String())
	require.Equal(t, "Hernes", first.City)
	require.InDelta(t, 61.0149, first.At.Latitude, 0.02)
	require.InDelta(t, 11.486, first.At.Longitude, 0.05)
}

func TestPostalCodesFindTowns(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.load(t, write(t, "NO.txt", "NO\t5003\tBergen\tVestland\t46\tBergen\t4601\t\t\t60.3944\t5.3259\t4\n"))
	m := r.find(t, place.Address{Address1: "Bryggen 5", PostalCode: "5003", City: "Bergen"})[0]
	require.Equal(t, place.PostalCode, m.Precision)
	require.Equal(t, place.StreetPart, m.Unknown)
	m = r.find(t, place.Address{Address1: "Bryggen 5", City: "Bregen"})[0]
	require.Equal(t, place.City, m.Precision, "a misspelled town")
}

func TestUnknownFileFormatIsRefused(t *testing.T) {
	t.Parallel()
	_, err := registers.Open(write(t, "notes.txt", "hello\n"), "")
	require.ErrorIs(t, err, registers.ErrUnknownFormat)
	_, err = registers.Open(filepath.Join(t.TempDir(), "none.csv"), "")
	require.True(t, errors.Is(err, os.ErrNotExist))
	require.Equal(t, "norway-latest", loading.SourceOf("/data/norway-latest.osm.pbf"))
}
