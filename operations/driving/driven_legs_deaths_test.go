package driving_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations/operationstest"
	"waybill/store"
)

// mortal has a worker die while it asks the server of road data for a match.
type mortal struct {
	asked atomic.Int32
	// at is during which match it dies, from 1 on, and die what ends it then. It never dies at 0.
	at  atomic.Int32
	die atomic.Pointer[context.CancelFunc]
}

// watch has the streets of a day asked through a server that sees each question.
func watch(s *streets) *mortal {
	s.T.Helper()
	m := &mortal{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: s.server.Address()})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/match/") && m.asked.Add(1) == m.at.Load() {
			(*m.die.Load())()
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	s.T.Cleanup(front.Close)
	s.TravelBy(s.T, "osrm+"+front.URL)
	return m
}

// dies has a worker match the day and die: during a match, or, with 0, when somebody calls what it returns.
func (m *mortal) dies(s *streets, at int32) (killed context.CancelFunc, ended <-chan error) {
	s.T.Helper()
	ctx, cancel := context.WithCancel(s.T.Context())
	m.asked.Store(0)
	m.at.Store(at)
	m.die.Store(&cancel)
	over := make(chan error, 1)
	go func() {
		_, err := s.Driving.MatchDrive(ctx, caller.Service(s.Org, "drive/test"),
			store.DriveDay{DriverID: s.Nora, Day: operationstest.PlannedOn})
		over <- err
	}()
	return cancel, over
}

// ways are the driven legs as they are kept, in the order of time.
func (s *streets) ways() []string {
	s.T.Helper()
	return operationstest.One[[]string](s.Office, `select coalesce(array_agg(concat_ws(' ', from_at, until_at, positions, matched,
		failures, again_at, ways) order by from_at), '{}') from driven_legs where org_id = $1`, s.Org)
}

// TestAWorkerThatDiesWhileItMatchesLosesNothing has workers die at each question and before the transaction ends: what
// the next one keeps is the same as if nobody had died.
func TestAWorkerThatDiesWhileItMatchesLosesNothing(t *testing.T) {
	t.Parallel()
	s := onStreets(t)
	m := watch(s)
	for stop := s.begins(); stop < len(s.Stops); stop++ {
		s.Was(s.drives(s.way(stop-1, stop))...)
		s.finishes(stop)
	}
	toMatch := s.Look().ToMatch
	require.Equal(t, len(s.Stops), toMatch)
	require.Zero(t, s.Match().Left)
	want, questions := s.ways(), m.asked.Load()
	require.Len(t, want, toMatch)
	require.GreaterOrEqual(t, questions, int32(3))
	forget := func() { s.Do("delete from driven_legs where org_id = $1", s.Org) }

	for at := range questions {
		forget()
		rows := s.EveryRow()
		_, ended := m.dies(s, at+1)
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Equal(t, rows, s.EveryRow(), "half a work is none, died at question %d", at+1)
		require.Equal(t, toMatch, s.Look().ToMatch, "and is still to be done")
	}
	require.Zero(t, s.Match().Left)
	require.Equal(t, want, s.ways())

	forget()
	rows := s.EveryRow()
	lock, err := s.Owner.Begin(t.Context())
	require.NoError(t, err)
	var holder string
	require.NoError(t, lock.QueryRow(t.Context(), `select pg_current_xact_id()::text from driver_whereabouts
		where org_id = $1 and driver_id = $2 for update`, s.Org, s.Nora).Scan(&holder))
	kill, ended := m.dies(s, 0)
	require.Eventually(t, func() bool {
		return operationstest.One[bool](s.Office,
			"select exists (select from pg_locks where not granted and transactionid::text = $1)", holder)
	}, time.Minute, 10*time.Millisecond, "it saves what it has matched")
	kill()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.NoError(t, lock.Rollback(t.Context()))
	require.Equal(t, rows, s.EveryRow(), "a transaction that ends early writes nothing")
	require.Zero(t, s.Match().Left)
	require.Equal(t, want, s.ways())

	rows = s.EveryRow()
	_, ended = m.dies(s, 0)
	require.NoError(t, <-ended)
	require.Equal(t, rows, s.EveryRow(), "a worker whose answer got lost has somebody do it again, which changes nothing")
}
