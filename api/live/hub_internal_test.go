package live

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/store"
)

// slowLog is a log whose end is returned on request.
type slowLog struct {
	end  chan int64
	gone chan struct{} // closed once a look ended with its context
}

func (l *slowLog) LogEnd(ctx context.Context) (int64, error) {
	select {
	case end := <-l.end:
		return end, nil
	case <-ctx.Done():
		close(l.gone)
		return 0, ctx.Err()
	}
}

func (*slowLog) Hints(context.Context, int64, int32) ([]store.Hint, error) { return nil, nil }

func (*slowLog) RouteAhead(context.Context, int64, int64, time.Time, time.Time) (store.RoadAhead, error) {
	return store.RoadAhead{}, nil
}

func newSlowHub(t *testing.T) (h *hub, log *slowLog, stop context.CancelFunc) {
	t.Helper()
	lifetime, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	log = &slowLog{end: make(chan int64), gone: make(chan struct{})}
	return newHub(lifetime, log, slog.New(slog.DiscardHandler)), log, stop
}

func TestStreamIsNotCurrentBeforeTheFirstRead(t *testing.T) {
	t.Parallel()
	h, log, _ := newSlowHub(t)
	for _, after := range []int64{-1, 5, 9} {
		l, missed, err := h.join(1, 1, after)
		require.NoError(t, err)
		require.Empty(t, missed)
		require.Empty(t, l.news)
		defer func() {
			n := <-l.news
			require.True(t, n.isReset)
			require.EqualValues(t, 7, n.Position)
		}()
	}
	log.end <- 7
}

func TestReadingStopsWithTheProcess(t *testing.T) {
	t.Parallel()
	h, log, stop := newSlowHub(t)
	_, _, err := h.join(1, 1, -1)
	require.NoError(t, err)
	stop()
	select {
	case <-log.gone:
	case <-time.After(time.Minute):
		t.Fatal("the log is still read")
	}
}
