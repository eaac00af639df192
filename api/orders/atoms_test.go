package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

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
	require.Equal(t, "Pallet colli BOX", fmt.Sprint(tree.Tree[0].Name, " ", tree.Tree[0].AtomType, " ", tree.Tree[0].BarcodeID.MustGet()))
	require.Equal(t, "Sofa", tree.Tree[0].Children[0].Name)
	require.Empty(t, tree.Tree[0].Children[0].Children)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodGet, path, "", "Authorization", d.AsRole(d.Other, caller.Dispatcher)).Code)
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
