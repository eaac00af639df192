package followers_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/mocks"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

func TestEachDriveDayIsSignaledOncePerBatch(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	s := &shop{driven: func(events []store.Event) map[int64][]store.DriveDay {
		require.Len(t, events, 500)
		return map[int64][]store.DriveDay{1: {{DriverID: 17, Day: day}, {DriverID: 18, Day: day}}, 2: {{DriverID: 17, Day: day}}}
	}}
	var mu sync.Mutex
	var told []string
	away := errors.New("Temporal is away")
	temporal := mocks.NewClient(t)
	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.Anything, workflows.DriveNewsSignal, mock.Anything,
		mock.Anything, mock.Anything, mock.Anything).Run(func(args mock.Arguments) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, args.String(1))
	}).Return(nil, nil).Times(3)
	driving := follower(t, "driving", followers.Deps{Store: s, Temporal: temporal})
	require.NotContains(t, driving.Kinds, event.OrderCreated)
	events := make([]store.Event, 500)
	require.NoError(t, driving.Hand(t.Context(), events))
	require.ElementsMatch(t, []string{"drive/1/2026-03-02/17", "drive/1/2026-03-02/18", "drive/2/2026-03-02/17"}, told)
	require.Equal(t, 1, s.calls, "one look for all events")

	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.Anything, workflows.DriveNewsSignal, mock.Anything,
		mock.Anything, mock.Anything, mock.Anything).Return(nil, away)
	require.ErrorIs(t, driving.Hand(t.Context(), events), away, "it comes again")
}

func TestDeviationReplansTheDay(t *testing.T) {
	t.Parallel()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	s := &shop{plans: func(int64, ...int64) []planning.Area { return []planning.Area{{DepartmentID: 7, Date: today}} }}
	told := map[string]int{}
	plans := follower(t, "planning", followers.Deps{
		Store: s, Temporal: toldOfChanges(t, told, func(string) bool { return false }),
	})
	require.Contains(t, plans.Kinds, event.ExceptionOpened)
	require.NoError(t, plans.Hand(t.Context(), []store.Event{
		{OrgID: 1, OrderID: 5, Kind: event.ExceptionOpened, ExternalID: today.Format(time.DateOnly)},
		{OrgID: 2, Kind: event.ExceptionOpened, ExternalID: "2020-01-01"},
	}))
	require.Equal(t, map[string]int{workflows.PlanID("1", 7, today.Format(time.DateOnly)): 1}, told, "what is over is not")
}
