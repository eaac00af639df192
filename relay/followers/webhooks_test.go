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

func TestEachWebhookEndpointIsSignaledOncePerBatch(t *testing.T) {
	t.Parallel()
	s := &shop{hooked: map[int64][]int64{1: {4, 5}, 2: {6}}}
	var mu sync.Mutex
	told := map[string]bool{}
	away := errors.New("Temporal is away")
	temporal := mocks.NewClient(t)
	call := []any{
		mock.Anything, mock.Anything, workflows.WebhookNewsSignal, mock.Anything, mock.Anything, mock.Anything, mock.Anything,
	}
	temporal.On("SignalWithStartWorkflow", call...).Run(func(args mock.Arguments) {
		mu.Lock()
		defer mu.Unlock()
		news, ok := args.Get(3).(workflows.WebhookNewsOf)
		require.True(t, ok)
		told[args.String(1)] = news.Changed
	}).Return(nil, nil).Times(3)
	hooks := follower(t, "webhooks", followers.Deps{Store: s, Temporal: temporal})
	require.Contains(t, hooks.Kinds, event.OrderDelivered)
	require.NotContains(t, hooks.Kinds, event.WebhookSwitchedOff)
	events := []store.Event{
		{OrgID: 1, Kind: event.OrderCreated},
		{OrgID: 1, Kind: event.OrderPlanned},
		{OrgID: 2, Kind: event.OrderCreated},
		{OrgID: 2, Kind: event.WebhookReplayed},
		{OrgID: 3, Kind: event.OrderCreated},
	}
	require.NoError(t, hooks.Hand(t.Context(), events))
	require.Equal(t, map[string]bool{"webhook/1/4": false, "webhook/1/5": false, "webhook/2/6": true}, told)

	temporal.On("SignalWithStartWorkflow", call...).Return(nil, away)
	require.ErrorIs(t, hooks.Hand(t.Context(), events), away, "it comes again")
}
