package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"waybill/domain/fault"
	"waybill/store"
)

// hub distributes the hints of each organization to its listeners. It reads the
// log only while there are any, once for all of them.
type hub struct {
	lifetime context.Context // of the process: no reading outlives it
	log      Log
	logger   *slog.Logger

	mu        sync.Mutex
	listeners map[int64]map[*listener]struct{} // by organization
	stop      context.CancelFunc               // stops reading; nil without listeners
	known     bool                             // whether the reading has found where to begin
	recent    []store.Hint                     // the last ones, oldest first
	from      int64                            // the position after which recent is complete
	position  int64                            // the position that has been read
}

// listener is one stream. Pending hints are in news; lost is closed if there
// are too many.
type listener struct {
	person int64 // negative for a driver
	news   chan news
	lost   chan struct{}
}

// news is a hint, or a reset: everything up to its position must be read again.
type news struct {
	store.Hint

	isReset bool
}

func newHub(lifetime context.Context, log Log, logger *slog.Logger) *hub {
	return &hub{lifetime: lifetime, log: log, logger: logger, listeners: make(map[int64]map[*listener]struct{})}
}

// join adds a listener for a user of an organization. It returns the hints
// after a position if all of them are known. Otherwise the listener's first
// hint is a reset, after which it gets everything.
func (h *hub) join(org, person, after int64) (l *listener, missed []store.Hint, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isFull(org, person) || h.streamsOf(org, person) >= maxOfOne {
		return nil, nil, &fault.Error{Kind: fault.RateLimited, Text: fault.Say("turns.share_in_use", "count", "30")}
	}
	l = &listener{person: person, news: make(chan news, queued), lost: make(chan struct{})}
	if h.listeners[org] == nil {
		h.listeners[org] = make(map[*listener]struct{})
	}
	h.listeners[org][l] = struct{}{}
	switch {
	case !h.known: // the reset is sent once it is
	case after < h.from:
		l.reset(h.position)
	default:
		for _, hint := range h.recent {
			if hint.OrgID == org && hint.Position > after {
				missed = append(missed, hint)
			}
		}
	}
	if h.stop == nil {
		ctx, cancel := context.WithCancel(h.lifetime)
		h.stop = cancel
		go h.read(ctx)
	}
	return l, missed, nil
}

// reset sends a listener's first hint, for which there is always space.
func (l *listener) reset(position int64) {
	l.news <- news{Hint: store.Hint{Position: position}, isReset: true}
}

// isFull reports whether an organization has as many streams as it may have, of people
// or of drivers.
func (h *hub) isFull(org, person int64) bool {
	most, drives, n := maxListeners, person < 0, 0
	if drives {
		most = maxDrivers
	}
	for l := range h.listeners[org] {
		if (l.person < 0) == drives {
			n++
		}
	}
	return n >= most
}

// streamsOf counts the streams of one person.
func (h *hub) streamsOf(org, person int64) (n int) {
	for l := range h.listeners[org] {
		if l.person == person {
			n++
		}
	}
	return n
}

// leave removes a listener; reading stops with the last one.
func (h *hub) leave(org int64, l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners[org], l)
	if len(h.listeners[org]) == 0 {
		delete(h.listeners, org)
	}
	if len(h.listeners) == 0 && h.stop != nil {
		h.stop()
		h.stop, h.known, h.recent, h.from, h.position = nil, false, nil, 0, 0
	}
}

// read follows the log until ctx ends. It outlives a database that is away for a while.
func (h *hub) read(ctx context.Context) {
	position, known := int64(0), false
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		var err error
		if !known {
			if position, err = h.log.LogEnd(ctx); err == nil {
				known = h.begin(ctx, position)
			}
		} else {
			position, err = h.readOn(ctx, position)
		}
		if err != nil && ctx.Err() == nil {
			h.logger.DebugContext(ctx, "live hints are behind", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// begin sets the position at which reading begins, unless it has stopped in the
// meantime. What present listeners have missed is unknown.
func (h *hub) begin(ctx context.Context, position int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return true
	}
	h.known, h.from, h.position = true, position, position
	for _, listeners := range h.listeners {
		for l := range listeners {
			l.reset(position)
		}
	}
	return true
}

// readOn distributes the hints after a position, and returns the new one.
func (h *hub) readOn(ctx context.Context, position int64) (int64, error) {
	for {
		hints, err := h.log.Hints(ctx, position, batch)
		if err != nil || len(hints) == 0 {
			return position, err
		}
		h.hand(ctx, hints)
		position = hints[len(hints)-1].Position
		if len(hints) < batch {
			return position, nil
		}
	}
}

func (h *hub) hand(ctx context.Context, hints []store.Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	for _, hint := range hints {
		for l := range h.listeners[hint.OrgID] {
			select {
			case l.news <- news{Hint: hint}:
			default:
				delete(h.listeners[hint.OrgID], l)
				close(l.lost)
			}
		}
	}
	h.position = hints[len(hints)-1].Position
	h.recent = append(h.recent, hints...)
	if over := len(h.recent) - kept; over > 0 {
		h.from = h.recent[over-1].Position
		h.recent = append([]store.Hint(nil), h.recent[over:]...)
	}
}
