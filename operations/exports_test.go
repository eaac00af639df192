package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
)

// carrier is an organization with one order that a carrier is to get.
type carrier struct {
	*office

	key   caller.Caller
	order int64
}

func newCarrier(t *testing.T) *carrier {
	t.Helper()
	c := &carrier{office: newOffice(t)}
	c.Operations = operations.New(c.store, time.Now, operations.Settings{ExportWindow: export.DefaultWindow})
	c.key = clerk(storetest.Organization(t, c.Database, "acme"))
	key, err := c.People.CreateAPIKey(t.Context(), caller.Service(c.key.OrgID, "test"), "carrier", 0, nil)
	require.NoError(t, err)
	c.key.ID = one[int64](c.office, "select id from api_keys where public_part = $1", key.Public())
	_, err = c.owner.Exec(t.Context(), "update order_types set export_carrier = 'postnord'")
	require.NoError(t, err)
	c.order = c.imported(c.key.OrgID, heavyOrder("A-1")).Orders[0].ID
	return c
}

// considered is where the export stands after it was considered.
func (c *carrier) considered() export.State {
	c.t.Helper()
	record, err := c.Exports.ConsiderExport(c.t.Context(), c.key, c.order)
	require.NoError(c.t, err)
	return record.State
}

// fetched is the one shipment of the feed.
func (c *carrier) fetched() store.FeedShipment {
	c.t.Helper()
	page, err := c.Exports.ExportFeed(c.t.Context(), c.key, store.Page{Number: 1, Size: 10})
	require.NoError(c.t, err)
	require.Len(c.t, page.Shipments, 1)
	return page.Shipments[0]
}

func (c *carrier) events(kind string) int {
	return one[int](c.office, "select count(*)::int from events where org_id = $1 and kind = $2", c.key.OrgID, kind)
}

func TestWhatACarrierSaysIsKeptOnce(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	by := caller.Caller{OrgID: c.key.OrgID, Kind: caller.Carrier, Name: "postnord", Cause: "test"}
	said := store.CarrierUpdate{
		ExternalID: "A-1", EventType: store.UpdateDelivered, OccurredAt: time.Now(), Success: true, RawBody: []byte("{}"),
	}
	for range 2 {
		require.NoError(t, c.Exports.RecordCarrierUpdate(t.Context(), by, &said))
	}
	require.Equal(t, "postnord", one[string](c.office, "select carrier from external_updates where org_id = $1", by.OrgID))
	require.Equal(t, "carrier:postnord", one[string](c.office, `
		select actor from events where org_id = $1 and kind = 'export.external_update'`, by.OrgID), "once, and by whom")
	said.ExternalID = "nobody's"
	require.Equal(t, fault.NotFound, fault.KindOf(c.Exports.RecordCarrierUpdate(t.Context(), by, &said)))
}
