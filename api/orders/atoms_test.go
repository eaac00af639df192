package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/order"
)

// packed is a pallet that holds a sofa.
func packed(barcode string) func(*order.Request) {
	return func(r *order.Request) {
		r.Products = []order.ProductRequest{
			{Name: "Pallet", ExternalID: "PALLET", AtomType: "colli", BarcodeID: barcode},
			{Name: "Sofa", ExternalID: "SOFA", ParentExternalID: "PALLET"},
		}
	}
}

func TestAtomsAreRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.Import("A-1", packed("BOX"))
	path := fmt.Sprintf("/v1/atoms/%d/tree", id)
	var tree contract.AtomTree
	require.NoError(t, json.Unmarshal(d.ask(http.MethodGet, path, nil).Body.Bytes(), &tree))
	require.Len(t, tree.Tree, 1)
	require.Equal(t, "Pallet colli BOX", fmt.Sprint(
		tree.Tree[0].Name, " ", tree.Tree[0].AtomType, " ", tree.Tree[0].BarcodeID.MustGet(),
	))
	require.Equal(t, "Sofa", tree.Tree[0].Children[0].Name)
	require.Empty(t, tree.Tree[0].Children[0].Children)
	require.Equal(
		t, http.StatusNotFound, d.Send(http.MethodGet, path, "", "Authorization", d.AsRole(d.Other, caller.Dispatcher)).Code,
	)
}

func TestBarcodesAreLookedUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const sscc = "106141412345678908"
	id := d.Import("A-1", packed(sscc))
	find := func(code string) (out contract.ScannedAtom, status int, refusal string) {
		w := d.ask(http.MethodGet, "/v1/atoms/by-barcode/"+code, nil)
		if w.Code != http.StatusOK {
			return out, w.Code, apitest.Refusal(t, w)
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out))
		return out, w.Code, ""
	}
	for _, code := range []string{sscc, "00" + sscc} {
		found, status, _ := find(code)
		require.Equal(t, http.StatusOK, status, code)
		require.Equal(t, id, found.OrderID)
		require.Equal(t, "PALLET", found.Atom.ExternalID.MustGet())
		require.Equal(t, "Sofa", found.Atom.Children[0].Name)
	}
	_, status, refusal := find("NONE")
	require.Equal(t, "404 BARCODE_UNKNOWN", fmt.Sprint(status, " ", refusal))

	again := d.Import("A-2", packed(sscc))
	_, status, refusal = find(sscc)
	require.Equal(t, "409 BARCODE_AMBIGUOUS", fmt.Sprint(status, " ", refusal))
	d.ID("update orders set status_id = 6 where org_id = $1 and id = $2 returning id", again)
	found, _, _ := find(sscc)
	require.Equal(t, id, found.OrderID, "the active one goes before the newer one that is over")
	d.ID("update orders set status_id = 6 where org_id = $1 and id = $2 returning id", id)
	found, _, _ = find(sscc)
	require.Equal(t, again, found.OrderID, "of those that are over, the newest")

	w := d.Send(http.MethodGet, "/v1/atoms/by-barcode/"+sscc, "", "Authorization", d.AsRole(d.Other, caller.Dispatcher))
	require.Equal(t, http.StatusNotFound, w.Code)
}

func TestScansAreReported(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const sscc = "106141412345678908"
	id := d.Import("A-1", packed(sscc))
	driver := d.driver("Nora")
	at := time.Now().UTC().Add(-time.Hour).Truncate(time.Second)
	body := object{"barcode_id": "00" + sscc, "event": "TERMINAL", "occurred_at": at, "driver_id": driver}
	first := d.ask(http.MethodPost, "/v1/atoms/scan", body, "Idempotency-Key", "k")
	require.Equal(t, http.StatusOK, first.Code, first.Body)
	require.Equal(
		t, first.Body.String(), d.ask(http.MethodPost, "/v1/atoms/scan", body, "Idempotency-Key", "k").Body.String(),
	)
	pallet := d.ID("select id from order_products where org_id = $1 and external_id = 'PALLET'")
	require.JSONEq(
		t, fmt.Sprintf(`{"order_id": %d, "atom_id": %d, "order_status_id": 1}`, id, pallet), first.Body.String(),
	)
	require.Equal(t, "1", d.of(id, "status_id"), "it moves no order")

	d.ID("with p as (update events set position = id where org_id = $1 returning id) select count(*) from p")
	var feed contract.ProductStatusFeed
	w := d.Send(http.MethodGet, "/v2/orders/summary/productstatusfeed", "", "Authorization", "apikey "+d.keyOf())
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &feed), w.Body)
	var scans []string
	for _, item := range feed.Items {
		if item.Scan != nil {
			scans = append(scans, fmt.Sprint(
				*item.ProductExternalID, " ", item.Scan.Event, " ", item.Scan.BarcodeID, " ", *item.DriverID == driver,
			))
			require.True(t, at.Equal(item.Scan.ScannedAt))
		}
	}
	require.Equal(t, []string{
		"PALLET TERMINAL 00" + sscc + " true", "SOFA TERMINAL 00" + sscc + " true",
	}, scans, "with what lies in it")
}

func TestScansAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Import("A-1", packed("BOX"))
	d.Import("A-2", packed("TWICE"))
	d.Import("A-3", packed("TWICE"))
	before := d.Text("select count(*)::text from events where org_id = $1")
	for _, tc := range []struct {
		body object
		want int
	}{
		{object{}, 400},
		{object{"barcode_id": "BOX"}, 400},
		{object{"barcode_id": "BOX", "event": "EATEN"}, 400},
		{object{"barcode_id": "BOX", "event": "LOADED", "driver_id": 0}, 400},
		{object{"barcode_id": "BOX", "event": "LOADED", "driver_id": 999999}, 404},
		{object{"barcode_id": "BOX", "event": "LOADED", "location_id": 999999}, 404},
		{object{"barcode_id": "NONE", "event": "LOADED"}, 404},
		{object{"barcode_id": "TWICE", "event": "LOADED"}, 409},
		{object{"barcode_id": "BOX", "event": "LOADED", "occurred_at": time.Now().Add(time.Hour)}, 422},
		{object{"barcode_id": "BOX", "event": "LOADED", "occurred_at": time.Now().AddDate(0, 0, -40)}, 422},
	} {
		require.Equal(t, tc.want, d.ask(http.MethodPost, "/v1/atoms/scan", tc.body).Code, tc.body)
	}
	outsider := d.AsRole(d.Other, caller.Dispatcher)
	w := d.Send(http.MethodPost, "/v1/atoms/scan", `{"barcode_id": "BOX", "event": "LOADED"}`, "Authorization", outsider)
	require.Equal(t, "BARCODE_UNKNOWN", apitest.Refusal(t, w))
	require.Equal(t, before, d.Text("select count(*)::text from events where org_id = $1"))
}
