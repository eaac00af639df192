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
	key, err := c.CreateAPIKey(t.Context(), c.key, "carrier", 0)
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
	record, err := c.ConsiderExport(c.t.Context(), c.key, c.order)
	require.NoError(c.t, err)
	return record.State
}

// fetched is the one shipment of the feed.
func (c *carrier) fetched() store.FeedShipment {
	c.t.Helper()
	page, err := c.ExportFeed(c.t.Context(), c.key, store.Page{Number: 1, Size: 10})
	require.NoError(c.t, err)
	require.Len(c.t, page.Shipments, 1)
	return page.Shipments[0]
}

func (c *carrier) events(kind string) int {
	return one[int](c.office, "select count(*)::int from events where org_id = $1 and kind = $2", c.key.OrgID, kind)
}

func TestAnAcknowledgementTakesEffectOnce(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	require.Equal(t, export.Pending, c.considered())
	require.Equal(t, export.Pending, c.considered(), "considered again, nothing happens")
	require.Equal(t, 1, c.events("export.offered"))
	said := store.Acknowledgement{Token: c.fetched().Token, Status: export.StatusExported, IdempotencyKey: "K-1"}

	received, err := c.ReceiveAcknowledgement(t.Context(), c.key, said)
	require.NoError(t, err)
	again, err := c.ReceiveAcknowledgement(t.Context(), c.key, said)
	require.NoError(t, err)
	require.Equal(t, received, again, "the same key is the same acknowledgement")
	other := said
	other.Status = export.StatusFailed
	_, err = c.ReceiveAcknowledgement(t.Context(), c.key, other)
	require.Equal(t, fault.Unprocessable, fault.KindOf(err))
	other.Token, other.IdempotencyKey = "exp_unknown", ""
	_, err = c.ReceiveAcknowledgement(t.Context(), c.key, other)
	require.Equal(t, fault.NotFound, fault.KindOf(err))

	first, err := c.Acknowledge(t.Context(), c.key, c.order, received.ID)
	require.NoError(t, err)
	require.Equal(t, store.Taken{Counted: true, Number: 1, State: export.Closed}, first.Taken)
	second, err := c.Acknowledge(t.Context(), c.key, c.order, received.ID)
	require.NoError(t, err)
	require.Equal(t, first.Taken, second.Taken)
	require.Equal(t, 1, c.events("export.acknowledged"))
	require.Equal(t, 1, one[int](c.office, "select count(*)::int from external_updates where org_id = $1", c.key.OrgID))
}

func TestSpentAcknowledgementsAreRefused(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	require.Equal(t, export.Pending, c.considered())
	failed := store.Acknowledgement{Token: c.fetched().Token, Status: export.StatusFailed}
	var received []int64
	for range export.Limit + 1 { // more than may count come in before any takes effect
		got, err := c.ReceiveAcknowledgement(t.Context(), c.key, failed)
		require.NoError(t, err)
		received = append(received, got.ID)
	}
	for i, id := range received {
		done, err := c.Acknowledge(t.Context(), c.key, c.order, id)
		require.NoError(t, err)
		require.Equal(t, i < export.Limit, done.Counted)
	}
	_, err := c.ReceiveAcknowledgement(t.Context(), c.key, failed)
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	require.ErrorIs(t, c.MarkExport(t.Context(), c.key, c.order), export.ErrSpent)
	shown, err := c.OrderExport(t.Context(), c.key, c.order)
	require.NoError(t, err)
	require.Equal(t, export.Spent, shown.Reason)
	require.False(t, shown.InFeed)
}

func TestWhatACarrierSaysIsKeptOnce(t *testing.T) {
	t.Parallel()
	c := newCarrier(t)
	by := caller.Caller{OrgID: c.key.OrgID, Kind: caller.Carrier, Name: "postnord", Cause: "test"}
	said := store.CarrierUpdate{
		ExternalID: "A-1", EventType: store.UpdateDelivered, OccurredAt: time.Now(), Success: true, RawBody: []byte("{}"),
	}
	for range 2 {
		require.NoError(t, c.RecordCarrierUpdate(t.Context(), by, &said))
	}
	require.Equal(t, "postnord", one[string](c.office, "select carrier from external_updates where org_id = $1", by.OrgID))
	require.Equal(t, "carrier:postnord", one[string](c.office, `
		select actor from events where org_id = $1 and kind = 'export.external_update'`, by.OrgID), "once, and by whom")
	said.ExternalID = "nobody's"
	require.Equal(t, fault.NotFound, fault.KindOf(c.RecordCarrierUpdate(t.Context(), by, &said)))
}
