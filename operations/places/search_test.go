package places_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/store/places"
)

var large = flag.Bool("places.large", false, "measure with 2,500,000 addresses on 100,000 streets")

func (r *register) search(t *testing.T, typed string) (lines []string) {
	t.Helper()
	entries, err := r.Search(t.Context(), typed, "NO", nil, 8)
	require.NoError(t, err)
	for _, e := range entries {
		lines = append(lines, e.String())
	}
	return lines
}

func TestPlacesAreSuggestedWhileTyping(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	r.load(t, oslo, elverum)
	require.Contains(t, r.search(t, "karl joh")[0], "Karl Johans gate, ")
	require.Contains(t, r.search(t, "Karl Johans gt 22")[0], "Karl Johans gate 22, ")
	require.Contains(t, r.search(t, "karl johnas ga")[0], "Karl Johans gate, ", "two letters swapped")
	require.Contains(t, r.search(t, "xarl johans gate 2")[0], "Karl Johans gate 2", "the first letter is wrong")
	require.Contains(t, r.search(t, "ovre slottsg")[0], "Øvre Slottsgate, ")
	require.Contains(t, r.search(t, "gobakkv hern")[0], "2410 Hernes")
	require.Contains(t, r.search(t, "storgata 0155")[0], "0155 Oslo")
	require.Contains(t, r.search(t, "Storgata 1, oslo")[0], "Storgata 1, ")
	for _, typed := range []string{
		"Storgata 1, 0155 Oslo", "storgata 1 0155", "Storgata 1, 0155 Oslo, Norge", "Storgata 1, Oslo 0155", "Storgata 1 01",
		"Stogata 1, 0155 Oslo",
	} {
		require.Equal(t, "Storgata 1, 0155 Oslo", r.search(t, typed)[0], typed)
	}
	require.Contains(t, r.search(t, "Storgata 1, 9999 Oslo")[0], "Storgata 1, ", "of the code and the town, one may be wrong")
	numbers := r.search(t, "Akersgata")
	require.Contains(t, numbers[0], "Akersgata ", "after a whole name, the numbers that exist")
	require.Regexp(t, `Akersgata \d`, numbers[0])
	require.Empty(t, r.search(t, "ka"))
	require.Empty(t, r.search(t, "qqqqqqqq"))
}

// syllables make up street names that don't exist.
var syllables = []string{
	"ber", "sol", "lund", "has", "ek", "bjør", "kir", "ke", "stor", "fjell", "dal", "ny", "møl", "ler", "ha", "gen", "tor",
	"vik", "sko", "le", "å", "sen", "brat", "lia", "fur", "u", "gran", "strand", "hol", "men", "øst", "ves", "nor", "sør",
}

func synthetic(random *rand.Rand, n int) place.Record {
	name := ""
	for range 2 + random.IntN(3) {
		name += syllables[random.IntN(len(syllables))]
	}
	name += []string{"gata", "veien", "vegen", "gate", " plass", "bakken"}[random.IntN(6)]
	code := 100 + n%4800
	return place.Record{
		Country: "NO", PostalCode: fmt.Sprintf("%04d", code), City: fmt.Sprintf("Byen%c%c", 'a'+code%1200/48, 'a'+code%48%26),
		Street: name, At: place.Position{Latitude: 58 + 0.002*float64(code), Longitude: 5 + 10*random.Float64()},
	}
}

// TestTwoAndAHalfMillionAddresses prints how long loading and searching them takes.
func TestTwoAndAHalfMillionAddresses(t *testing.T) {
	if !*large {
		t.Skip("-places.large measures it")
	}
	r := newRegister(t)
	random := rand.New(rand.NewPCG(*seed, 22))
	began := time.Now()
	load, err := places.NewOwner(r.owner).Begin(t.Context(), places.About{Name: "synthetic", Format: "test", Rank: 1})
	require.NoError(t, err)
	streets := make([]place.Record, 100_000)
	for i := range streets {
		streets[i] = synthetic(random, i)
		for number := 1; number <= 25; number++ {
			record := streets[i]
			record.House.Number = number
			record.At.Latitude += 0.0002 * float64(number)
			require.NoError(t, load.Add(t.Context(), &record))
		}
	}
	staged := time.Since(began)
	done, err := load.Swap(t.Context())
	require.NoError(t, err)
	t.Logf("%d addresses on %d streets: staged in %s, loaded in %s", done.Addresses, done.Streets,
		staged.Round(time.Second), time.Since(began).Round(time.Second))
	r.measureSearch(t, random, streets)
	addresses := make([]place.Address, 10_000)
	for i := range addresses {
		record := streets[random.IntN(len(streets))]
		record.House.Number = 1 + random.IntN(25)
		addresses[i] = written(&record)
		if i%20 == 0 {
			addresses[i].Address1 = wrong(random, record.Street, 1, false) + " 7"
		}
	}
	for range 2 {
		began = time.Now()
		r.find(t, addresses...)
		t.Logf("10,000 addresses in one query: %s", time.Since(began).Round(time.Millisecond))
	}
}

func (r *register) measureSearch(t *testing.T, random *rand.Rand, streets []place.Record) {
	t.Helper()
	for _, kind := range []string{"as it is typed", "misspelled", "with a number", "with a town"} {
		var took []time.Duration
		for range 500 {
			record := streets[random.IntN(len(streets))]
			letters := []rune(record.Street)
			typed := string(letters[:min(len(letters), 3+random.IntN(len(letters)))])
			switch kind {
			case "misspelled":
				typed = wrong(random, record.Street, 1, false)
			case "with a number":
				typed = record.Street + " 1"
			case "with a town":
				typed = record.Street + " " + record.City
			}
			began := time.Now()
			_, err := r.Search(t.Context(), typed, "NO", nil, 8)
			require.NoError(t, err)
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		t.Logf("search %s: p50 %s, p95 %s", kind, took[len(took)/2].Round(100*time.Microsecond),
			took[len(took)*95/100].Round(100*time.Microsecond))
	}
}
