package orders_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/operations/places"
	"waybill/providers/geocode"
	"waybill/store"
	registers "waybill/store/places"
	"waybill/store/storetest"
)

// importDuring imports an order whose transaction commits only after something else was done. It
// has looked up the addresses before.
func importDuring(d *operationstest.Dispatch, entry order.Request, during func()) {
	d.T.Helper()
	entries := []order.Request{entry}
	looked, changed, saved := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		saved <- d.Store.InTx(d.T.Context(), operationstest.Clerk(d.Org), func(tx *store.Tx) error {
			s, err := tx.Snapshot(d.T.Context(), store.Scope{Entries: entries, Lock: true, Fresh: true})
			close(looked)
			if err != nil {
				return err
			}
			<-changed
			return tx.Save(d.T.Context(), order.Decide(s, order.Defaults{}, entries), order.Defaults{})
		})
	}()
	<-looked
	during()
	close(changed)
	require.NoError(d.T, <-saved)
}

// placed has an organization's addresses placed until nothing is left.
func placed(d *operationstest.Dispatch) (all places.Turn) {
	d.T.Helper()
	require.Eventually(d.T, func() bool {
		turn, err := d.Places.Place(d.T.Context(), operationstest.Clerk(d.Org), time.Minute)
		require.NoError(d.T, err)
		turn.Found, turn.Unknown, turn.Failed = turn.Found+all.Found, turn.Unknown+all.Unknown, turn.Failed+all.Failed
		all = turn
		return turn.Next.IsZero()
	}, time.Minute, 20*time.Millisecond)
	return all
}

func TestImportDuringMovedPinIsPlacedAgain(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	d.Load("ONE", "", deliveredAt("Storgata 1", "0155"))
	key, ok := place.ParseKey(positionOf(d, "ONE").Place)
	require.True(t, ok)
	yard := place.Position{Latitude: 59.9135, Longitude: 10.7501}
	importDuring(d, deliver("TWO", "Storgata 1", "0155"), func() {
		_, err := d.Places.Pin(t.Context(), operationstest.Clerk(d.Org), key, yard)
		require.NoError(t, err)
		turn, err := d.Places.Place(t.Context(), operationstest.Clerk(d.Org), time.Minute)
		require.NoError(t, err)
		require.False(t, turn.Next.IsZero(), "the import may still write the earlier position")
	})
	require.Equal(t, order.FromRegister, positionOf(d, "TWO").Source, "the import has not seen the pin")
	placed(d)
	require.Equal(t, order.FromPerson, positionOf(d, "TWO").Source)
	require.Equal(t, int64(2), operationstest.One[int64](d.Office,
		"select count(*) from events where org_id = $1 and kind = 'stop.placed'", d.Org), "one for each order")
	require.Zero(t, operationstest.One[int64](d.Office, "select count(*) from place_moves where org_id = $1", d.Org))
}

func TestImportDuringLoadOfRegisterIsPlacedAgain(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("ONE", "", deliveredAt("Storgata 1", "0155"))
	importDuring(d, deliver("TWO", "Karl Johans gate 22", "0026"), func() { loadOslo(d.Office) })
	for _, number := range []string{"ONE", "TWO"} {
		require.Equal(t, order.NoPrecision, positionOf(d, number).Precision)
	}
	placed(d)
	d.Rest()
	for _, number := range []string{"ONE", "TWO"} {
		require.Equal(t, "POINT", positionOf(d, number).Precision)
		require.True(t, isPlanned(d, number))
	}
}

func TestChangedRegistersPlaceOpenOrders(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	storetest.Apply(t, d.Database, `{organization: {slug: fleet, name: Fleet AS, timezone: Europe/Oslo},
		locations: [{externalId: S, name: Shop, address: {address1: Storgata 2, postalCode: "0155", city: Oslo, country: "NO"}}]}`)
	for _, number := range []string{"OLD", "NEW", "GIVEN", "DONE"} {
		d.Load(number, "", deliveredAt("Storgata 1", "0155"))
	}
	const of = `from orders o where o.org_id = s.org_id and o.id = s.order_id and o.org_id = $1 and s.kind = 'delivery' and o.number = `
	d.Do("update order_stops s set position = null "+of+"'OLD'", d.Org) // as from before there was a register
	d.Do("update order_stops s set position = null, latitude = 60, longitude = 11 "+of+"'GIVEN'", d.Org)
	d.Do("update orders set status_id = 6 where org_id = $1 and number = 'DONE'", d.Org)
	loadOslo(d.Office)
	placed(d)
	require.Equal(t, "POINT", positionOf(d, "OLD").Precision)
	require.Equal(t, "POINT", positionOf(d, "NEW").Precision)
	require.Equal(t, "GIVEN", positionOf(d, "GIVEN").Precision)
	require.Equal(t, order.NoPrecision, positionOf(d, "DONE").Precision, "it is over")
	require.Equal(t, "POINT", operationstest.One[string](d.Office, `select position ->> 'precision' from locations
		where org_id = $1 and external_id = 'S'`, d.Org))
	work, err := d.Store.PlaceWork(t.Context(), d.Org)
	require.NoError(t, err)
	require.Empty(t, work.Register)
	require.Equal(t, work.Wanted, work.Done)
	_, err = registers.NewOwner(d.Owner).Remove(t.Context(), "oslo-center")
	require.NoError(t, err)
	placed(d)
	require.Equal(t, "POINT", positionOf(d, "NEW").Precision, "a good position stays")
}

func TestLocationsOfImportsHavePositions(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	loadOslo(d.Office)
	d.Imported(d.Org, deliver("ONE", "Storgata 1", "0155"))
	err := d.Store.InTx(t.Context(), operationstest.Clerk(d.Org), func(tx *store.Tx) error {
		bulk := deliver("TWO", "Karl Johans gate 22", "0026")
		bulk.Delivery.Name = "Palace"
		return tx.RegisterLocations(t.Context(), []order.Request{bulk})
	})
	require.NoError(t, err)
	for _, name := range []string{"Shop", "Palace"} {
		require.Equal(t, "POINT", operationstest.One[string](d.Office,
			"select position ->> 'precision' from locations where org_id = $1 and name = $2", d.Org, name))
	}
}

// atlas is a provider in the format of Photon, which knows every house in Atlantis.
type atlas struct {
	mu    sync.Mutex
	asked []string
	fails bool
}

func (a *atlas) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := r.URL.Query().Get("q")
	a.asked = append(a.asked, q)
	line, _, _ := strings.Cut(q, ", ")
	at := strings.LastIndexByte(line, ' ')
	switch {
	case a.fails:
		w.WriteHeader(http.StatusServiceUnavailable)
	case at < 0 || strings.HasPrefix(q, "Nowhere"):
		_, _ = fmt.Fprint(w, `{"type":"FeatureCollection","features":[]}`)
	default:
		_, _ = fmt.Fprintf(w, `{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[10.75,59.92]},"properties":
			{"type":"house","street":%q,"housenumber":%q,"postcode":"9999","city":"Atlantis","countrycode":"NO"}}]}`,
			line[:at], line[at+1:])
	}
}

// asks has a dispatch ask a provider.
func asks(d *operationstest.Dispatch, a *atlas) {
	d.T.Helper()
	server := httptest.NewServer(a)
	d.T.Cleanup(server.Close)
	client, err := geocode.Open(geocode.Settings{URL: "photon+" + server.URL, PerSecond: 1e6, Pause: 10 * time.Millisecond})
	require.NoError(d.T, err)
	d.Operations = operations.New(d.Store, func() time.Time { return d.Now }, operations.Settings{
		Places: places.Settings{Geocoder: client, Keep: places.UsualKeep},
	})
}

// inAtlantis has an order delivered in a town that no register has.
func inAtlantis(address1 string) func(*order.Request) {
	return func(r *order.Request) {
		deliveredAt(address1, "9999")(r)
		r.Delivery.Address.City = "Atlantis"
	}
}

func TestUnknownAddressesAreAskedForOnce(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	a := &atlas{}
	asks(d, a)
	d.Load("ONE", "", inAtlantis("Sea Street 1"))
	d.Load("TWO", "", inAtlantis("SEA STREET 1"))
	d.Load("LOST", "", inAtlantis("Nowhere Street 4"))
	want, err := d.Store.WantPlaces(t.Context(), d.Org, []int64{orderID(d, "ONE")}, false)
	require.NoError(t, err)
	require.True(t, want)
	turn := placed(d)
	require.Equal(t, 2, turn.Found, "this one, and a location of the fleet")
	for _, number := range []string{"ONE", "TWO"} {
		p := positionOf(d, number)
		require.Equal(t, []string{"POINT", order.FromProvider, "photon"}, []string{p.Precision, p.Source, p.Register})
	}
	require.Equal(t, order.NoPrecision, positionOf(d, "LOST").Precision)
	d.Load("THREE", "", inAtlantis("Sea Street 1"))
	require.Equal(t, order.FromProvider, positionOf(d, "THREE").Source, "a later import uses the answer")
	placed(d)
	counts := map[string]int{}
	for _, q := range a.asked {
		counts[q]++
	}
	require.Equal(t, 1, counts["Sea Street 1, 9999 Atlantis"])
	require.Equal(t, 1, counts["Nowhere Street 4, 9999 Atlantis"], "an unknown address is not asked for again")
	require.Equal(t, int64(2), operationstest.One[int64](d.Office,
		"select count(*) from events where org_id = $1 and kind = 'stop.placed'", d.Org))
}

func orderID(d *operationstest.Dispatch, number string) int64 {
	d.T.Helper()
	return operationstest.One[int64](d.Office, "select id from orders where org_id = $1 and number = $2", d.Org, number)
}

func TestOrganizationsCanOptOutOfTheProvider(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	a := &atlas{}
	asks(d, a)
	d.Load("ONE", "", inAtlantis("Sea Street 1"))
	storetest.Apply(t, d.Database, `{organization: {slug: fleet, name: Fleet AS, timezone: Europe/Oslo},
		settings: {askGeocoder: false}}`)
	want, err := d.Store.WantPlaces(t.Context(), d.Org, []int64{orderID(d, "ONE")}, false)
	require.NoError(t, err)
	require.False(t, want)
	_, err = d.Store.WantPlaces(t.Context(), d.Org, nil, true)
	require.NoError(t, err)
	require.True(t, placed(d).OptedOut)
	require.Empty(t, a.asked)
}

func TestFailingProviderIsAskedAgain(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	a := &atlas{fails: true}
	asks(d, a)
	d.Load("ONE", "", inAtlantis("Sea Street 1"))
	_, err := d.Store.WantPlaces(t.Context(), d.Org, nil, true)
	require.NoError(t, err)
	turn, err := d.Places.Place(t.Context(), operationstest.Clerk(d.Org), 100*time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, "unavailable", turn.Fault)
	require.Positive(t, turn.Waiting)
	require.False(t, turn.Next.IsZero())
	work, err := d.Store.PlaceWork(t.Context(), d.Org)
	require.NoError(t, err)
	require.Greater(t, work.Wanted, work.Done, "housekeeping finds it")
	a.mu.Lock()
	a.fails = false
	a.mu.Unlock()
	placed(d)
	require.Equal(t, order.FromProvider, positionOf(d, "ONE").Source)
}

// wantsPlacing reports whether housekeeping starts the workflow of an organization's addresses.
func wantsPlacing(d *operationstest.Dispatch) bool {
	d.T.Helper()
	lives, err := d.Housekeeping.Lives(d.T.Context(), housekeeping.LivePlaces, "")
	require.NoError(d.T, err)
	return slices.ContainsFunc(lives.All, func(l housekeeping.Life) bool { return l.OrgID == d.Org })
}

func TestAProviderThatComesLaterIsAskedForEarlierOrders(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	optIn := func(may string) {
		storetest.Apply(t, d.Database, `{organization: {slug: fleet, name: Fleet AS, timezone: Europe/Oslo},
			settings: {askGeocoder: `+may+`}}`)
	}
	d.Load("ONE", "", inAtlantis("Sea Street 1"))
	d.Load("LOST", "", inAtlantis("Nowhere Street 4"))
	require.False(t, wantsPlacing(d), "there is no provider")
	asks(d, &atlas{})
	optIn("false")
	require.False(t, wantsPlacing(d), "the organization does not want it")
	optIn("true")
	require.True(t, wantsPlacing(d))
	placed(d)
	require.Equal(t, order.FromProvider, positionOf(d, "ONE").Source)
	require.Equal(t, order.NoPrecision, positionOf(d, "LOST").Precision)

	// long after the last turn
	d.Do("update place_work set updated_at = '2000-01-01' where org_id = $1", d.Org)
	require.False(t, wantsPlacing(d), "all answers are known")
	d.Do("update place_answers set expires_at = '2000-01-01' where org_id = $1", d.Org)
	require.True(t, wantsPlacing(d), "the answer has expired")
}
