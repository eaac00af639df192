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

// toldOfChanges returns a Temporal client that records signaled templates, and
// fails for those for which refused returns true.
func toldOfChanges(t *testing.T, told map[string]int, refused func(workflowID string) bool) *mocks.Client {
	t.Helper()
	var mu sync.Mutex
	temporal := mocks.NewClient(t)
	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.MatchedBy(refused), workflows.ChangedSignal,
		mock.Anything, mock.Anything, mock.Anything, mock.Anything).Return(nil, errors.New("busy")).Maybe()
	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.Anything, workflows.ChangedSignal,
		mock.Anything, mock.Anything, mock.Anything, mock.Anything).
		Run(func(args mock.Arguments) {
			mu.Lock()
			defer mu.Unlock()
			told[args.String(1)]++
		}).Return(nil, nil)
	return temporal
}

func zoneChanged(org, position int64) store.Event {
	return store.Event{OrgID: org, Position: position, Kind: event.OrganizationZoneChanged}
}

func TestZoneChangeSignalsTemplates(t *testing.T) {
	t.Parallel()
	told := map[string]int{}
	busy := true
	temporal := toldOfChanges(t, told, func(id string) bool { return busy && id == workflows.RecurringOrderID("1", 700) })
	templates := follower(t, "templates", followers.Deps{Store: &shop{templates: 1200}, Temporal: temporal})
	events := []store.Event{zoneChanged(1, 10), zoneChanged(2, 11), zoneChanged(1, 12)}
	require.Error(t, templates.Hand(t.Context(), events))
	for id := range int64(500) {
		require.Equal(t, 1, told[workflows.RecurringOrderID("2", id+1)])
	}
	busy = false
	require.NoError(t, templates.Hand(t.Context(), events))
	require.Len(t, told, 2400, "all of both organizations")
	require.Equal(t, 1, told[workflows.RecurringOrderID("1", 3)], "it goes on where it stopped")
	require.Equal(t, 1, told[workflows.RecurringOrderID("1", 1200)], "the later of two changes is enough")
}
