package exports_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/storetest"
)

// carrier is an organization with one order that a carrier is to get.
type carrier struct {
	*operationstest.Office

	key   caller.Caller
	order int64
}

func newCarrier(t *testing.T) *carrier {
	t.Helper()
	c := &carrier{Office: operationstest.NewOffice(t)}
	c.Operations = operations.New(c.Store, time.Now, operations.Settings{ExportWindow: export.DefaultWindow})
	c.key = operationstest.Clerk(storetest.Organization(t, c.Database, "acme"))
	key, err := c.People.CreateAPIKey(t.Context(), caller.Service(c.key.OrgID, "test"), "carrier", 0, nil)
	require.NoError(t, err)
	c.key.ID = operationstest.One[int64](c.Office, "select id from api_keys where public_part = $1", key.Public())
	_, err = c.Owner.Exec(t.Context(), "update order_types set export_carrier = 'postnord'")
	require.NoError(t, err)
	c.order = c.Imported(c.key.OrgID, operationstest.HeavyOrder("A-1")).Orders[0].ID
	return c
}

// considered is where the export stands after it was considered.
func (c *carrier) considered() export.State {
	c.T.Helper()
	record, err := c.Exports.ConsiderExport(c.T.Context(), c.key, c.order)
	require.NoError(c.T, err)
	return record.State
}

// fetched is the one shipment of the feed.
func (c *carrier) fetched() store.FeedShipment {
	c.T.Helper()
	page, err := c.Exports.ExportFeed(c.T.Context(), c.key, store.Page{Number: 1, Size: 10})
	require.NoError(c.T, err)
	require.Len(c.T, page.Shipments, 1)
	return page.Shipments[0]
}

func (c *carrier) events(kind string) int {
	return operationstest.One[int](c.Office, "select count(*)::int from events where org_id = $1 and kind = $2", c.key.OrgID, kind)
}

func TestCarrierReportIsStoredOnce(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	by := caller.Caller{OrgID: c.key.OrgID, Kind: caller.Carrier, Name: "postnord", Cause: "test"}
	said := store.CarrierUpdate{
		ExternalID: "A-1", EventType: store.UpdateDelivered, OccurredAt: time.Now(), Success: true, RawBody: []byte("{}"),
	}
	for range 2 {
		require.NoError(t, c.Exports.RecordCarrierUpdate(t.Context(), by, &said))
	}
	require.Equal(t, "postnord", operationstest.One[string](c.Office, "select carrier from external_updates where org_id = $1", by.OrgID))
	require.Equal(t, "carrier:postnord", operationstest.One[string](c.Office, `
		select actor from events where org_id = $1 and kind = 'export.external_update'`, by.OrgID), "once, and by whom")
	said.ExternalID = "nobody's"
	require.Equal(t, fault.NotFound, fault.KindOf(c.Exports.RecordCarrierUpdate(t.Context(), by, &said)))
}
