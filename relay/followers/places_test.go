package followers_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/mocks"

	"waybill/domain/event"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

func TestOrganizationsWithUnknownAddressesAreSignaledOncePerBatch(t *testing.T) {
	t.Parallel()
	s := &shop{unknown: map[int64]int64{1: 11, 2: 99}}
	var mu sync.Mutex
	told := map[string]int{}
	away := errors.New("Temporal is away")
	temporal := mocks.NewClient(t)
	call := []any{
		mock.Anything, mock.Anything, workflows.PlacesNewsSignal, mock.Anything, mock.Anything, mock.Anything, mock.Anything,
	}
	temporal.On("SignalWithStartWorkflow", call...).Run(func(args mock.Arguments) {
		mu.Lock()
		defer mu.Unlock()
		told[args.String(1)]++
	}).Return(nil, nil).Times(2)
	places := follower(t, "places", followers.Deps{Store: s, Temporal: temporal, AsksGeocoder: true})
	events := []store.Event{
		{OrgID: 1, OrderID: 10, Kind: event.OrderCreated},
		{OrgID: 1, OrderID: 11, Kind: event.OrderUpdated},
		{OrgID: 2, OrderID: 12, Kind: event.OrderCreated},
		{OrgID: 3, Kind: event.PlacesChanged},
	}
	require.NoError(t, places.Hand(t.Context(), events))
	require.Equal(t, map[string]int{"places/1": 1, "places/3": 1}, told)

	temporal.On("SignalWithStartWorkflow", call...).Return(nil, away)
	require.ErrorIs(t, places.Hand(t.Context(), events), away, "it comes again")
}

func TestImportsWakeNobodyWithoutProvider(t *testing.T) {
	t.Parallel()
	places := follower(t, "places", followers.Deps{Store: &shop{}, Temporal: mocks.NewClient(t)})
	require.Equal(t, []event.Kind{event.PlacesChanged}, places.Kinds)
}
