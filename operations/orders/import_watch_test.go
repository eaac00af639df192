package orders_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/operations/orders"
)

// over reports whether a channel is closed.
func over(watched <-chan struct{}) bool {
	select {
	case <-watched:
		return true
	default:
		return false
	}
}

func TestAwaitReturnsWhenResultsAreStored(t *testing.T) {
	t.Parallel()
	b := operationstest.NewDepot(t)
	mine := orders.StagedImport{ID: b.Stage(t, order.Request{ExternalID: "ERP-1"}), Chunks: 1}
	other := orders.StagedImport{ID: b.Stage(t, order.Request{ExternalID: "ERP-2"}), Chunks: 1}
	kept, forget := b.Orders.WatchImport(operationstest.Clerk(b.Org), mine)
	defer forget()
	forgotten, forgetIt := b.Orders.WatchImport(operationstest.Clerk(b.Org), other)
	forgetIt()

	b.Run(t, other.ID)
	require.False(t, over(kept), "another import is done, this one is not")
	require.False(t, over(forgotten), "nobody waits for it any more")
	_, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.Org, "import/1"), mine.ID, 1)
	require.Error(t, err, "there is no such chunk")
	require.False(t, over(kept))

	b.Run(t, mine.ID)
	require.True(t, over(kept))
}

func TestAnImportOfSeveralChunksIsNotWatched(t *testing.T) {
	t.Parallel()
	o := operations.New(nil, nil, operations.Settings{})
	kept, forget := o.Orders.WatchImport(operationstest.Clerk(1), orders.StagedImport{ID: 1, Chunks: 2})
	defer forget()
	require.Nil(t, kept)
}
