package followers_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// shop is the data that followers read: each order is subject to export.
type shop struct {
	// of reports whether an organization is importing; nil means none.
	of func(org int64) bool
	// begun returns how many exports have yet to begin; nil means none.
	begun func() int64
	// templates is how many active templates each organization has.
	templates int64
	// plans are those that orders affect, or all of them without orders.
	plans func(org int64, orderIDs ...int64) []planning.Area
	// changes are the events for which single plans were requested.
	changes []store.Event
	// hooked are the webhook endpoints of organizations.
	hooked  map[int64][]int64
	unknown map[int64]int64 // orders with unknown addresses, by organization
	// driven are the days on the road that events are news of.
	driven func(events []store.Event) map[int64][]store.DriveDay

	mu    sync.Mutex
	calls int
}

func (s *shop) ExportSubjects(_ context.Context, _ int64, orderIDs, _ []int64) ([]store.ExportSubject, error) {
	subjects := make([]store.ExportSubject, len(orderIDs))
	for i, id := range orderIDs {
		subjects[i] = store.ExportSubject{OrderID: id, IsNew: true}
	}
	return subjects, nil
}

func (s *shop) BulkImportAtWork(_ context.Context, org int64) (bool, error) {
	return s.of != nil && s.of(org), nil
}

func (s *shop) CountUnexported(context.Context, int64, []int64) (int64, error) {
	if s.begun == nil {
		return 0, nil
	}
	return s.begun(), nil
}

func (s *shop) ActiveTemplates(_ context.Context, _, after int64, most int32) ([]int64, error) {
	var ids []int64
	for id := after + 1; id <= s.templates && len(ids) < int(most); id++ {
		ids = append(ids, id)
	}
	return ids, nil
}

func (s *shop) WebhookEndpointsToWake(_ context.Context, org int64) ([]int64, error) {
	return s.hooked[org], nil
}

func (s *shop) FollowAlerts(context.Context, int64, []int64, []time.Time, time.Time) error {
	return nil
}

func (s *shop) WantPlaces(_ context.Context, org int64, orders []int64, changed bool) (bool, error) {
	return changed || slices.ContainsFunc(orders, func(id int64) bool { return s.unknown[org] == id }), nil
}

func (s *shop) DueNotifications(context.Context, []store.Event) ([]store.DueNotification, error) {
	return nil, nil
}

func (s *shop) HandOver(context.Context, []store.DueNotification) error { return nil }

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

func (s *shop) PlansOfChanges(_ context.Context, org int64, events []store.Event, _, _ time.Time) ([]planning.Area, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, events...)
	return s.plans(org)[:1], nil
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

// signalled returns a Temporal client that records the exports that get a
// signal.
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

func TestEachExportIsSignaledOnce(t *testing.T) {
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

func TestMessagesDoNotSignalExports(t *testing.T) {
	t.Parallel()
	exports := follower(t, "exports", followers.Deps{})
	require.Contains(t, exports.Kinds, event.OrderUpdated)
	for _, kind := range []event.Kind{
		event.MessageQueued, event.MessageSent, event.DocumentAttached, event.ExportOffered,
	} {
		require.NotContains(t, exports.Kinds, kind)
	}
}

// Exports that were begun are awaited even when something else fails: otherwise they
// would overlap with the next attempt.
func TestExportsWaitForSignaledWorkflows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("the server is away")
		begun, finish := make(chan struct{}), make(chan struct{})
		temporal := mocks.NewClient(t)
		signal := func(id string, do func(mock.Arguments), err error) {
			temporal.On("SignalWithStartWorkflow", mock.Anything, id, workflows.ExportChangedSignal,
				mock.Anything, mock.Anything, mock.Anything, mock.Anything).Run(do).Return(nil, err)
		}
		signal("export/1/7", func(mock.Arguments) {
			close(begun)
			<-finish
		}, nil)
		signal("export/1/8", func(mock.Arguments) { <-begun }, failed)
		exports := follower(t, "exports", followers.Deps{Store: &shop{}, Temporal: temporal})
		returned := make(chan error, 1)
		go func() { returned <- exports.Hand(t.Context(), []store.Event{changed(1, 7), changed(1, 8)}) }()
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

// Another organization's export waits for those few that are ahead of it, and not for
// all that an organization has: the queue of workflows is one for all.
func TestExportsAreSignaledAsTheyBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		waiting := int64(1)
		temporal := signalled(t, func(id string) {
			time.Sleep(time.Millisecond) // so that none is ahead because others did not run
			mu.Lock()
			defer mu.Unlock()
			told = append(told, id)
		})
		count := func() int {
			mu.Lock()
			defer mu.Unlock()
			return len(told)
		}
		reads := &shop{begun: func() int64 { return atomic.LoadInt64(&waiting) }}
		exports := follower(t, "exports", followers.Deps{Store: reads, Temporal: temporal})
		var events []store.Event
		for id := range int64(1000) {
			events = append(events, changed(1, id+1))
		}
		returned := make(chan error, 2)
		go func() { returned <- exports.Hand(t.Context(), events) }()
		time.Sleep(time.Second)
		require.Equal(t, 64, count(), "more are told when these have begun")
		go func() { returned <- exports.Hand(t.Context(), []store.Event{changed(2, 1)}) }()
		synctest.Wait()
		atomic.StoreInt64(&waiting, 0)
		require.NoError(t, <-returned)
		require.NoError(t, <-returned)
		theirs := slices.IndexFunc(told, func(id string) bool { return strings.HasPrefix(id, "export/2/") })
		require.Positive(t, theirs)
		require.Less(t, theirs, 150, "its turn comes soon")
		require.Len(t, told, 1001)
	})
}

// An organization with few exports does not wait for another's, however slowly
// those begin.
func TestFewExportsAreSignaledWithoutWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var theirs atomic.Int64
		temporal := signalled(t, func(id string) {
			if strings.HasPrefix(id, "export/2/") {
				theirs.Add(1)
			}
		})
		exports := follower(t, "exports", followers.Deps{
			Store: &shop{begun: func() int64 { return 1 }}, Temporal: temporal,
		})
		var events []store.Event
		for id := range int64(exports.Most) {
			events = append(events, changed(1, id+1))
		}
		var telling sync.WaitGroup
		for range 3 { // more than are signaled at a time
			telling.Go(func() { _ = exports.Hand(t.Context(), events) })
		}
		synctest.Wait()
		telling.Go(func() { _ = exports.Hand(t.Context(), []store.Event{changed(2, 1), changed(2, 2)}) })
		synctest.Wait()
		require.Equal(t, int64(2), theirs.Load(), "before any time has passed")
		telling.Wait()
	})
}

func TestExportsYieldToBulkImports(t *testing.T) {
	t.Parallel()
	reads := &shop{of: func(org int64) bool { return org == 1 }}
	exports := follower(t, "exports", followers.Deps{Store: reads})
	for _, c := range []struct {
		org    int64
		waited time.Duration
		later  bool
	}{{1, 0, true}, {1, 4 * time.Second, true}, {1, 5 * time.Second, false}, {2, 0, false}} {
		later, err := exports.Later(t.Context(), c.org, c.waited)
		require.NoError(t, err)
		require.Equal(t, c.later, later, "%+v", c)
	}
}
