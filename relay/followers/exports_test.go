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
	"go.temporal.io/sdk/mocks"

	"waybill/domain/event"
	"waybill/domain/planning"
	"waybill/relay"
	"waybill/relay/followers"
	"waybill/store"
	"waybill/workflows"
)

// shop answers what followers read: each order is subject to export.
type shop struct {
	importing func(call int) (bool, error)
	// of says which organizations import, where that depends on them.
	of func(org int64) bool
	// templates is how many active templates each organization has.
	templates int64
	// plans are those that orders concern, or without orders all of them.
	plans func(org int64, orderIDs ...int64) []planning.Area
	// driven are the days on the road that events are news of.
	driven func(events []store.Event) map[int64][]store.DriveDay

	mu    sync.Mutex
	calls int
}

func (s *shop) ExportSubjects(_ context.Context, _ int64, orderIDs []int64) ([]store.ExportSubject, error) {
	subjects := make([]store.ExportSubject, len(orderIDs))
	for i, id := range orderIDs {
		subjects[i] = store.ExportSubject{OrderID: id}
	}
	return subjects, nil
}

func (s *shop) BulkImportAtWork(_ context.Context, org int64) (bool, error) {
	if s.of != nil {
		return s.of(org), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.importing == nil {
		return false, nil
	}
	return s.importing(s.calls)
}

func (s *shop) ActiveTemplates(_ context.Context, _, after int64, most int32) ([]int64, error) {
	var ids []int64
	for id := after + 1; id <= s.templates && len(ids) < int(most); id++ {
		ids = append(ids, id)
	}
	return ids, nil
}

func (s *shop) DueNotifications(context.Context, []store.Event) ([]store.DueNotification, error) {
	return nil, nil
}

func (s *shop) DriveDays(_ context.Context, events []store.Event) (map[int64][]store.DriveDay, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return s.driven(events), nil
}

func (s *shop) PlansOfOrders(
	_ context.Context, org int64, orderIDs, planned []int64, _ time.Time,
) ([]planning.Area, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return s.plans(org, append(planned, orderIDs...)...), nil
}

func (s *shop) PlansOfFleet(_ context.Context, org int64, _, _ time.Time) ([]planning.Area, error) {
	return s.plans(org), nil
}

// follower returns the follower of that name.
func follower(t *testing.T, name string, d followers.Deps) relay.Follower {
	t.Helper()
	for _, f := range followers.All(d) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no follower %s", name)
	return relay.Follower{}
}

// signalled is a Temporal client that notes which exports are told of a change.
func signalled(t *testing.T, told func(workflowID string)) *mocks.Client {
	t.Helper()
	temporal := mocks.NewClient(t)
	temporal.On("SignalWithStartWorkflow", mock.Anything, mock.Anything, workflows.ExportChangedSignal,
		mock.Anything, mock.Anything, mock.Anything, mock.Anything).
		Run(func(args mock.Arguments) { told(args.String(1)) }).Return(nil, nil)
	return temporal
}

func changed(org, orderID int64) store.Event {
	return store.Event{OrgID: org, OrderID: orderID, Kind: event.OrderUpdated}
}

func TestEachExportIsToldOnce(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	temporal := signalled(t, func(id string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, id)
	})
	exports := follower(t, "exports", followers.Deps{Store: &shop{}, Temporal: temporal})
	events := []store.Event{changed(1, 7), changed(2, 7), changed(1, 7), changed(1, 8), changed(1, 0)}
	require.NoError(t, exports.Hand(t.Context(), events))
	require.ElementsMatch(t, []string{"export/1/7", "export/1/8", "export/2/7"}, told)
}

func TestExportsAreNotWokenByMessages(t *testing.T) {
	t.Parallel()
	exports := follower(t, "exports", followers.Deps{})
	require.Contains(t, exports.Kinds, event.OrderUpdated)
	for _, kind := range []event.Kind{
		event.MessageQueued, event.MessageSent, event.DocumentAttached, event.ExportOffered,
	} {
		require.NotContains(t, exports.Kinds, kind)
	}
}

// What was begun for one organization is waited for when another one's turn
// fails: else it would go on behind the next attempt.
func TestExportsWaitForWhatTheyBegan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("the database is away")
		begun, finish := make(chan struct{}), make(chan struct{})
		temporal := signalled(t, func(string) {
			close(begun)
			<-finish
		})
		reads := &shop{importing: func(call int) (bool, error) {
			if call == 1 {
				return false, nil
			}
			<-begun
			return false, failed
		}}
		exports := follower(t, "exports", followers.Deps{Store: reads, Temporal: temporal})
		returned := make(chan error, 1)
		go func() { returned <- exports.Hand(t.Context(), []store.Event{changed(1, 7), changed(2, 8)}) }()
		synctest.Wait()
		select {
		case err := <-returned:
			t.Fatalf("it returned while a signal was under way: %v", err)
		default:
		}
		close(finish)
		require.ErrorIs(t, <-returned, failed)
	})
}

func TestExportsLetABulkImportGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const busy = 10
		reads := &shop{importing: func(call int) (bool, error) { return call <= busy, nil }}
		temporal := signalled(t, func(string) { require.Greater(t, reads.calls, busy) })
		exports := follower(t, "exports", followers.Deps{Store: reads, Temporal: temporal})
		require.NoError(t, exports.Hand(t.Context(), []store.Event{changed(1, 7)}))

		forever := &shop{importing: func(int) (bool, error) { return true, nil }}
		exports = follower(t, "exports", followers.Deps{Store: forever, Temporal: temporal})
		require.NoError(t, exports.Hand(t.Context(), []store.Event{changed(1, 7)}), "patience has an end")
	})
}

// TestManyImportsHoldNobodyElseUp has many organizations that import without end
// and one that does not.
func TestManyImportsHoldNobodyElseUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const importing, idle = 20, 21
		began, idleTold := time.Now(), time.Time{}
		temporal := signalled(t, func(id string) {
			if id == "export/21/7" {
				idleTold = time.Now()
			}
		})
		reads := &shop{of: func(org int64) bool { return org != idle }}
		exports := follower(t, "exports", followers.Deps{Store: reads, Temporal: temporal})
		var events []store.Event
		for org := int64(1); org <= idle; org++ {
			events = append(events, changed(org, 7))
		}
		require.NoError(t, exports.Hand(t.Context(), events))
		require.Equal(t, began, idleTold, "at once")
		require.Less(t, time.Since(began), 10*time.Second, "%d imports wait as long as one", importing)
		temporal.AssertNumberOfCalls(t, "SignalWithStartWorkflow", idle)
	})
}
