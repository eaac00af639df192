package followers_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"

	"waybill/domain/event"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

// closing is a shop in which the exports of some orders are closed.
type closing struct {
	shop

	closed map[int64]bool
}

func (c *closing) ExportSubjects(ctx context.Context, org int64, orderIDs, moved []int64) ([]store.ExportSubject, error) {
	var open []int64
	for _, id := range orderIDs {
		if !c.closed[id] {
			open = append(open, id)
		}
	}
	return c.shop.ExportSubjects(ctx, org, open, moved)
}

func acknowledged(org, orderID int64) store.Event {
	return store.Event{OrgID: org, OrderID: orderID, Kind: event.ExportAcknowledged}
}

func TestAcknowledgementsSignalExportsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var begun []string
		temporal := signalled(t, func(id string) {
			mu.Lock()
			defer mu.Unlock()
			begun = append(begun, id)
		})
		temporal.On("SignalWorkflow", mock.Anything, "export/1/8", "", workflows.ExportChangedSignal, nil).
			Return(nil).Once()
		temporal.On("SignalWorkflow", mock.Anything, "export/2/9", "", workflows.ExportChangedSignal, nil).
			Return(serviceerror.NewNotFound("workflow execution already completed")).Once()
		reads := &closing{closed: map[int64]bool{8: true, 9: true}}
		follower := follower(t, "acknowledgements", followers.Deps{Store: reads, Temporal: temporal})
		require.Equal(t, []event.Kind{event.ExportAcknowledged}, follower.Kinds)
		require.NoError(t, follower.Hand(t.Context(), []store.Event{
			acknowledged(1, 7), acknowledged(1, 7), acknowledged(1, 8), acknowledged(2, 7), acknowledged(2, 9),
		}))
		require.ElementsMatch(t, []string{"export/1/7", "export/2/7"}, begun, "what is closed is not begun anew")
		for waited, want := range map[time.Duration]bool{0: true, time.Second: false} {
			later, err := follower.Later(t.Context(), 1, waited)
			require.NoError(t, err)
			require.Equal(t, want, later, "callers go first")
		}
	})
}

// An acknowledgement that could not be signaled is handed over again.
func TestAcknowledgementsAreRefusedWithoutTemporal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		temporal := signalled(t, func(string) {})
		away := serviceerror.NewUnavailable("connection refused")
		temporal.On("SignalWorkflow", mock.Anything, "export/1/8", "", workflows.ExportChangedSignal, nil).Return(away)
		reads := &closing{closed: map[int64]bool{8: true}}
		follower := follower(t, "acknowledgements", followers.Deps{Store: reads, Temporal: temporal})
		events := []store.Event{acknowledged(1, 7), acknowledged(1, 8)}
		require.ErrorIs(t, follower.Hand(t.Context(), events), away)
		ending, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("the relay ends"))
		require.Error(t, follower.Hand(ending, events), "what nobody was told of is not taken")
	})
}
