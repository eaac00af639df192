package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestADraftShowsWhatItHolds in addition to the import: the settings of its
// import, its documents and its seat, until they are an order's.
func TestADraftShowsWhatItHolds(t *testing.T) {
	t.Parallel()
	o, day := shared.organization(t), bookableDay()
	ids := o.offer(t, bookable, day)
	request := orders(newOrder("HOLDS", object{"customer": nil}))
	request["updateConfig"] = object{"allowMerge": false, "appendStopContacts": true, "order": "REPLACE_EXISTING_ORDER_BEHAVIOR"}
	path := fmt.Sprintf("/v2/drafts/%d", *o.importOrders(t, request)[0].DraftCreated.DraftID)

	bare := read[contract.Draft](t, o.get(t, path))
	replace := contract.OrderBehavior("REPLACE_EXISTING_ORDER_BEHAVIOR")
	require.Equal(t, contract.UpdateSettings{
		AllowMerge: nullable.NewNullableWithValue(false), AppendStopContacts: nullable.NewNullableWithValue(true), Order: &replace,
	}, bare.UpdateConfig)
	require.Empty(t, bare.Documents)
	require.Nil(t, bare.Booking)

	document := o.upload(t, "note.txt", "1")
	require.Empty(t, o.attach(t, "HOLDS", nil, document))
	o.expect(t, http.StatusOK, http.MethodPost, path+"/book-on-interval", on(ids[2]))
	full := read[contract.Draft](t, o.get(t, path))
	require.Len(t, full.Documents, 1)
	require.Equal(t, document, full.Documents[0].DocumentID)
	require.Equal(t, "note.txt", full.Documents[0].Name)
	require.Equal(t, read[contract.DetailedBooking](t, o.get(t, path+"/booking")), *full.Booking)

	o.order(t, "HOLDS")
	promoted := read[contract.Draft](t, o.get(t, path))
	require.Empty(t, promoted.Documents)
	require.Nil(t, promoted.Booking)
}

// TestCarrierShipmentIDIsStored in the order's export, where a search finds it.
func TestCarrierShipmentIDIsStored(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := orderID(t, o.importOrders(t, orders(carrierOrder("CARRIED"), newOrder("OTHER")))[0])
	token := o.awaitFeed(t, 1)[0].ExportToken
	require.True(t, o.exportOf(t, id).CarrierShipmentID.IsNull())
	o.expect(t, http.StatusOK, http.MethodPost, "/v1/orders/export/status",
		object{"exportToken": token, "status": "EXPORTED", "carrierShipmentId": "PN-7073026"})

	require.Equal(t, "PN-7073026", o.exportOf(t, id).CarrierShipmentID.MustGet())
	for _, terms := range []string{"shipment_id=PN-7073026", "shipment_id=pn-70", "query=7073026"} {
		found := read[contract.OrderSearchResult](t, o.get(t, "/v1/orders/search?"+terms))
		require.Equal(t, int64(1), found.Total, terms)
		require.Equal(t, id, found.Items[0].OrderID, terms)
	}
}

// TestImportedContentCanBeRead by loads: its parties, freight and groups, the
// prices that were sent or computed, and whence its windows are.
func TestImportedContentCanBeRead(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(richOrder("BROUGHT")))
	const loads = "?loads=OrderLocations,Groups,Prices,Consignee,Consignor,Freight"
	rich := read[contract.Order](t, o.get(t, "/v1/orders/internal/BROUGHT"+loads))
	require.Equal(t, "C-101", rich.Consignee.MustGet().ExternalID.MustGet())
	require.Equal(t, "Fjord Møbler AS", rich.Consignor.MustGet().BusinessName)
	freight := rich.Freight.MustGet()
	require.Equal(t, "F-BROUGHT", freight.InternalFreightNumber)
	require.Equal(t, rich.ConsigneeID.MustGet(), freight.ConsigneeID)
	require.Equal(t, rich.ConsignorID.MustGet(), freight.ConsignorID)
	groups := *rich.Groups
	require.Equal(t, []string{"Inner city", "Morning"}, []string{groups[0].Name, groups[1].Name})
	require.Equal(t, "Home delivery=649 NOK", spoken(*rich.Prices))
	require.False(t, (*rich.Prices)[0].Computed)
	sources := func(order contract.Order) (all []string) {
		for _, stop := range *order.OrderLocations {
			all = append(all, string(stop.WindowSource))
		}
		return all
	}
	require.Equal(t, "request", sources(rich)[1])
	require.NotEqual(t, "request", sources(rich)[0], "nobody asked for that of the pickup")

	o.importLegacy(t, "v2", legacyOrder("COMPUTED"))
	priced := read[contract.Order](t, o.get(t, "/v1/orders/internal/COMPUTED"+loads))
	require.NotEmpty(t, *priced.Prices)
	for _, price := range *priced.Prices {
		require.True(t, price.Computed)
	}
	require.Equal(t, o.prices(t, "COMPUTED"), spoken(*priced.Prices))
}

// spoken are prices as those of the rows are written.
func spoken(prices []contract.OrderPrice) string {
	all := make([]string, len(prices))
	for i, p := range prices {
		amount := p.Price
		if strings.Contains(amount, ".") {
			amount = strings.TrimRight(strings.TrimRight(amount, "0"), ".")
		}
		all[i] = p.Name + "=" + amount + " " + p.Currency
	}
	return strings.Join(all, "; ")
}
