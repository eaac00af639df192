package driving_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/contract"
	"waybill/domain/order"
)

// plan puts the stops of an order into the driver's route of a day.
func (p *phone) plan(id int64, day time.Time) {
	p.T.Helper()
	p.exec("update orders set driver_id = $2, status_id = 2 where org_id = $1 and id = $3", p.driver, id)
	p.exec("insert into plans (org_id, day, version) values ($1, $2, 3) on conflict do nothing", day)
	p.exec(`insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds,
			meters, weight_kg, volume_m3)
		select org_id, id, $2, now(), now() + interval '2 hours', 600, 0, 5000, 0, 0 from plans
		where org_id = $1 and day = $3 on conflict do nothing`, p.driver, day)
	p.exec(`insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
			slack_seconds, eta, driving_seconds, meters, latitude, longitude)
		select s.org_id, s.order_id, s.kind, p.id, $2, row_number() over (order by s.kind desc), now(), now(), now(), 0,
			now() + interval '1 hour', 300, 2500, 59.9, 10.7
		from order_stops s join plans p on p.org_id = s.org_id and p.day = $3 where s.org_id = $1 and s.order_id = $4`,
		p.driver, day, id)
}

// route returns the route of a day, and its JSON.
func (p *phone) route(day time.Time) (contract.DriverRoute, string) {
	p.T.Helper()
	w := p.ask(http.MethodGet, "/v1/driver/route?date="+day.Format(time.DateOnly), nil)
	require.Equal(p.T, http.StatusOK, w.Code, w.Body)
	var route contract.DriverRoute
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &route))
	return route, w.Body.String()
}

// TestPhoneReportsItsAppVersion reads the route with the app of the service, with another one
// and without any.
func TestPhoneReportsItsAppVersion(t *testing.T) {
	t.Parallel()
	d := newDepotWith(t, func(c *api.Config, d *api.Dependencies) {
		d.Releases, c.DriverUpdate = map[string]string{"driver": "now"}, true
	})
	nora := d.phone("Nora Berg")
	read := func(headers ...string) http.Header {
		w := d.Send(http.MethodGet, "/v1/driver/route", "", append(headers, "Authorization", nora.header)...)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Equal(t, "now", w.Header().Get("Waybill-App-Release"))
		return w.Header()
	}
	devices := fmt.Sprintf("/v1/drivers/%d/devices", nora.driver)
	said := func() contract.Device {
		w := d.Send(http.MethodGet, devices, "", "Authorization", d.dispatcher)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var list contract.DeviceList
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
		require.Len(t, list.Items, 1)
		return list.Items[0]
	}
	require.Empty(t, read().Get("Waybill-App-Update"), "nobody has said which app asks")
	require.True(t, said().AppRelease.IsNull())
	require.True(t, said().StorageKept.IsNull())

	old := read("Waybill-App-Release", "before", "Waybill-App-Storage", "EVICTABLE")
	require.Equal(t, "REQUIRED", old.Get("Waybill-App-Update"))
	require.Equal(t, "before", said().AppRelease.MustGet())
	require.False(t, said().StorageKept.MustGet())

	require.Empty(t, read("Waybill-App-Release", "now").Get("Waybill-App-Update"))
	require.Equal(t, "now", said().AppRelease.MustGet())
	require.False(t, said().StorageKept.MustGet(), "what is not said again stays")
	read("Waybill-App-Storage", "KEPT")
	require.True(t, said().StorageKept.MustGet())
}

// changes returns what changed in today's route since a version.
func (p *phone) changes(since string) (c contract.DriverRouteChanges) {
	p.T.Helper()
	w := p.ask(http.MethodGet, "/v1/driver/route/changes?since="+since, nil)
	require.Equal(p.T, http.StatusOK, w.Code, w.Body)
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &c))
	return c
}

// TestPhoneReadsChanges reads a route once, and then what changes in it.
func TestPhoneReadsChanges(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora Berg"), d.phone("Jens")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	nora.plan(d.Import("MINE"), today)
	jens.plan(d.Import("HIS"), today)

	first := nora.changes("")
	require.True(t, first.IsComplete)
	require.Len(t, first.Stops, 2)
	require.Empty(t, first.Progress)
	require.Equal(t, "MINE", first.Stops[0].ExternalID)

	none := nora.changes(first.Revision)
	require.False(t, none.IsComplete)
	require.Equal(t, first.Revision, none.Revision)
	require.Empty(t, none.Stops)
	require.Empty(t, none.Progress)

	pickup := first.Stops[0].StopID
	nora.says(nora.did("ARRIVE", pickup, time.Minute))
	arrived := nora.changes(first.Revision)
	require.NotEqual(t, first.Revision, arrived.Revision)
	require.Empty(t, arrived.Stops)
	var status *contract.DriverStopProgressStatus
	for _, p := range arrived.Progress {
		if p.StopID == pickup {
			status = p.Status
		}
	}
	require.NotNil(t, status)
	require.Equal(t, contract.DriverStopProgressStatus("arrived"), *status)

	for _, unknown := range []string{"0000000000000000", arrived.Revision + "0"} {
		require.True(t, nora.changes(unknown).IsComplete)
	}
	his := jens.changes(first.Revision)
	require.True(t, his.IsComplete, "the version is another driver's")
	require.Equal(t, "HIS", his.Stops[0].ExternalID)

	w := nora.ask(http.MethodGet, "/v1/driver/route/changes?date="+today.AddDate(0, 0, 3).Format(time.DateOnly), nil)
	require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
}

func TestDriverReadsOwnRoute(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora Berg"), d.phone("Jens")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	tomorrow := today.AddDate(0, 0, 1)
	kari := func(r *order.Request) {
		r.Delivery.Contacts = []order.Contact{{
			FirstName: "Kari", PhoneNumber: "+4740000001", EmailAddress: "kari@example.com",
		}}
		r.Pricing = []order.PriceRequest{{Name: "Freight", Price: "1234", Currency: "NOK"}}
	}
	mine, later, his := d.Import("MINE", kari), d.Import("LATER", kari), d.Import("HIS", kari)
	d.exec(`insert into custom_field_values (org_id, order_id, definition_id, value)
		select $1, $2, id, to_jsonb(external_id || ' 7') from custom_field_definitions
			where org_id = $1 and external_id in ('gate_code', 'dock_door')`, mine)
	nora.plan(mine, today)
	nora.plan(later, tomorrow)
	jens.plan(his, today)

	route, text := nora.route(today)
	require.Equal(t, nora.driver, route.DriverID)
	require.Equal(t, int64(3), route.Version)
	require.Len(t, route.Stops, 2)
	first, last := route.Stops[0], route.Stops[1]
	require.Equal(t, "MINE", first.ExternalID)
	require.Equal(t, contract.DriverStopStop("PICKUP"), first.Stop)
	require.Equal(t, contract.DriverStopStatus("pending"), first.Status)
	require.Equal(t, "Kari", last.Contacts[0].FirstName.MustGet())
	require.Equal(t, "Sofa", last.Products[0].Name)
	require.Len(t, last.CustomFields, 1, "each value at its stop")
	code := last.CustomFields[0]
	require.Equal(t, "gate_code 7", code.Value)
	require.Equal(t, contract.CustomFieldDisplayStyle("popup"), code.DisplayStyle)
	require.Equal(t, "#FFF4CE", code.Background.MustGet())
	require.Equal(t, "dock_door", first.CustomFields[0].ExternalID)
	require.NotContains(t, text, "HIS")
	require.NotContains(t, text, "1234", "no prices")
	require.NotContains(t, text, "kari@example.com")

	route, text = nora.route(tomorrow)
	require.Equal(t, "LATER", route.Stops[0].ExternalID)
	require.NotContains(t, text, "Kari", "contacts only on the day")

	for _, other := range []time.Time{today.AddDate(0, 0, -1), today.AddDate(0, 0, 2)} {
		w := nora.ask(http.MethodGet, "/v1/driver/route?date="+other.Format(time.DateOnly), nil)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code)
	}
	w := d.Send(http.MethodGet, "/v1/driver/route", "", "Authorization", d.dispatcher)
	require.Equal(t, http.StatusForbidden, w.Code)

	nora.says(nora.did("PICK_UP", first.StopID, minute))
	route, _ = nora.route(today)
	require.Equal(t, contract.DriverStopStatus("completed"), route.Stops[0].Status)
}

func TestPositionsAreTakenOnDutyOnly(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	at := time.Now().Add(-minute)
	body := object{"positions": []object{
		{"at": at.Add(10 * time.Second), "latitude": 59.92, "longitude": 10.76, "accuracyMeters": 8},
		{"at": at, "latitude": 59.91, "longitude": 10.75},
	}}
	kept := func() int32 {
		w := nora.ask(http.MethodPost, "/v1/driver/positions", body)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var out contract.DriverPositionsKept
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
		return out.Kept
	}
	require.Zero(t, kept(), "off duty")
	for range 2 {
		require.Equal(t, http.StatusOK, nora.ask(http.MethodPut, "/v1/driver/duty", object{"onDuty": true}).Code)
	}
	require.Equal(t, "1", d.Text("select count(*)::text from events where org_id = $1 and kind = 'driver.duty_changed'"))
	require.Equal(t, int32(2), kept())
	require.Zero(t, kept(), "known")
	require.Equal(t, "59.92 10.76", d.Text("select latitude||' '||longitude from driver_whereabouts where org_id = $1"))
	nora.says(nora.did("END_ROUTE", 0, 0))
	require.Zero(t, kept(), "the route is over")
	body["positions"] = []object{{"at": at, "latitude": 59.92, "longitude": 190}}
	require.Equal(t, http.StatusBadRequest, nora.ask(http.MethodPost, "/v1/driver/positions", body).Code)
}

// TestUploadsPerPhoneAreLimited has a phone send one more picture than a day
// allows.
func TestUploadsPerPhoneAreLimited(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, jens := d.phone("Nora"), d.phone("Jens")
	d.exec(`insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id, arrived_at)
		select $1, sha256(n::text::bytea), 'image/png', 1, n::text, $2, now() - interval '23 hours'
		from generate_series(1, 1000) n`,
		nora.driver)
	picture := "\xff\xd8\xffone more"
	put := func(p *phone) int {
		return d.Send(http.MethodPut, "/v1/driver/proofs/"+hashed(picture), picture,
			"Authorization", p.header, "Content-Type", "image/jpeg").Code
	}
	require.Equal(t, http.StatusTooManyRequests, put(nora))
	require.Equal(t, http.StatusNoContent, put(jens), "who sent none")
	d.exec("delete from proof_pictures where org_id = $1 and driver_id = $2", jens.driver)
	d.exec("update proof_pictures set arrived_at = arrived_at - interval '1 hour' where org_id = $1")
	require.Equal(t, http.StatusNoContent, put(nora))
	d.exec("update proof_pictures set arrived_at = now(), size = 1 << 30 where org_id = $1 and size > 1")
	another := "\xff\xd8\xffand another"
	require.Equal(t, http.StatusTooManyRequests, d.Send(http.MethodPut, "/v1/driver/proofs/"+hashed(another), another,
		"Authorization", nora.header, "Content-Type", "image/jpeg").Code)
}

func TestPictureMatchesItsHash(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	picture := "\xff\xd8\xffa picture"
	sum := sha256.Sum256([]byte(picture))
	path := "/v1/driver/proofs/" + hex.EncodeToString(sum[:])
	put := func(path, body, kind string) int {
		return d.Send(http.MethodPut, path, body, "Authorization", nora.header, "Content-Type", kind).Code
	}
	require.Equal(t, http.StatusUnprocessableEntity, put(path, "\xff\xd8\xffanother one", "image/jpeg"))
	require.Equal(t, http.StatusBadRequest, put(path, "<svg onload=alert(1)>", "image/jpeg"), "it is no picture")
	require.Equal(t, http.StatusBadRequest, put(path, picture, "image/png"), "it is one of another type")
	for range 2 {
		require.Equal(t, http.StatusNoContent, put(path, picture, "image/jpeg"))
	}
	require.Equal(t, "1 image/jpeg 12", d.Text(
		"select count(*) over ()||' '||content_type||' '||size from proof_pictures where org_id = $1"))
	require.Equal(t, "1", d.Text("select count(*)::text from events where org_id = $1 and kind = 'driver.picture_kept'"))
	require.Equal(t, http.StatusBadRequest, put(path, picture, "image/svg+xml"))
	require.Equal(t, http.StatusBadRequest, put("/v1/driver/proofs/7", picture, "image/png"))
	big := "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 1<<20)
	require.Equal(t, http.StatusRequestEntityTooLarge, put(path[:len(path)-1]+"0", big, "image/png"))

	// A proof shows the picture once it is uploaded.
	id, _, delivery := nora.give("A-1")
	missing := strings.Repeat("ab", 32)
	nora.says(nora.did("DELIVER", delivery, 0, object{"proof": object{
		"type": "IN_PERSON", "signee": "Kari", "pictures": []string{hex.EncodeToString(sum[:]), missing},
	}}))
	w := d.Send(http.MethodGet, ofOrder(id, "/completion-proof"), "", "Authorization", d.dispatcher)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var proof contract.CompletionProof
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &proof))
	require.Len(t, proof.InPersonProof.MustGet().ImageUrls, 1)
	address := proof.InPersonProof.MustGet().ImageUrls[0]
	_, file, _ := strings.Cut(address, "localhost")
	got := d.Send(http.MethodGet, file, "")
	require.Equal(t, picture, got.Body.String())
}

func ofOrder(id int64, what string) string { return fmt.Sprintf("/v2/orders/%d%s", id, what) }

// TestPhonesSayWhoRidesAlong names the co-driver to the driver, and the driver to the co-driver.
func TestPhonesSayWhoRidesAlong(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora Berg"), d.phone("Ola Nordmann")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	alone, _ := nora.route(today)
	require.True(t, alone.CoDriver.IsNull())
	require.True(t, alone.RidesWith.IsNull())
	d.exec(`insert into driver_workdays (org_id, driver_id, date, starts, ends, co_driver_id)
		values ($1, $2, $3, 420, 900, $4)`,
		nora.driver, today, ola.driver)
	with, _ := nora.route(today)
	require.Equal(t, contract.Companion{ID: ola.driver, Name: "Ola Nordmann"}, with.CoDriver.MustGet())
	require.True(t, with.RidesWith.IsNull())
	rides, _ := ola.route(today)
	require.Equal(t, contract.Companion{ID: nora.driver, Name: "Nora Berg"}, rides.RidesWith.MustGet())
	require.True(t, rides.CoDriver.IsNull())
	d.exec("update driver_workdays set works = false where org_id = $1 and driver_id = $2", nora.driver)
	rides, _ = ola.route(today)
	require.True(t, rides.RidesWith.IsNull(), "nobody rides with one who is off")
}

// TestNotesAreReadAtTheNextDelivery has one driver write down what the next one at the same door should know.
func TestNotesAreReadAtTheNextDelivery(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora, ola := d.phone("Nora"), d.phone("Ola")
	_, pickup, delivery := nora.give("A-1")
	note := func(stop int64, text string) object {
		return nora.did("NOTE", stop, 5*minute, object{"comment": text})
	}
	nora.says(note(pickup, "The ramp is closed"), note(delivery, "One"), note(delivery, "Two"), note(delivery, "Three"),
		note(delivery, "Four"), nora.did("SCAN", delivery, 4*minute, object{"scans": []object{{"code": "X"}}}))
	next, today := d.Import("A-2"), time.Now().UTC().Truncate(24*time.Hour)
	ola.plan(next, today)
	read := func() (texts []string) {
		route, _ := ola.route(today)
		require.Len(t, route.Stops, 2)
		require.Empty(t, *route.Stops[0].EarlierNotes, "pickups have none")
		for _, n := range *route.Stops[1].EarlierNotes {
			texts = append(texts, n.Text)
		}
		return texts
	}
	require.Equal(t, []string{"Four", "Three", "Two"}, read(), "the last ones")

	d.exec("update order_documentations set comment = '[erased]' where org_id = $1 and comment = 'Four'")
	require.Equal(t, []string{"Three", "Two", "One"}, read())
	d.exec(`update order_documentations set occurred_at = now() - interval '181 days'
		where org_id = $1 and comment <> 'Two'`)
	require.Equal(t, []string{"Two"}, read())
	d.exec("update order_stops set name = 'Somebody else' where org_id = $1 and order_id = $2 and kind = 'delivery'", next)
	require.Empty(t, read(), "another recipient at the same location")
}
