package edge

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// touchEvery is how exact the time of a key's last use is.
	touchEvery = time.Minute
	// maxTouches bounds how many uses are recorded at the same time; a use
	// beyond it is recorded a moment later, with the key's next one.
	maxTouches = 4
	// touchPatience is how long recording may take.
	touchPatience = 5 * time.Second
)

// keyRef names a key or session; identifiers are only certain to differ within
// one organization.
type keyRef struct{ org, id int64 }

// keyUse records in the background when keys, or sessions, were last used. It
// records nothing if touch is nil.
type keyUse struct {
	touch  func(ctx context.Context, org, id int64) error
	logger *slog.Logger
	now    func() time.Time
	slots  chan struct{}

	mu   sync.Mutex
	last map[keyRef]time.Time
}

func newKeyUse(u *keyUse) *keyUse {
	u.slots, u.last = make(chan struct{}, maxTouches), make(map[keyRef]time.Time)
	return u
}

// noteUse records that a key is in use, without waiting for the database.
func (u *keyUse) noteUse(ctx context.Context, ref keyRef) {
	if u.touch == nil || !u.isDue(ref) {
		return
	}
	select {
	case u.slots <- struct{}{}:
		go u.record(context.WithoutCancel(ctx), ref) // the request may end first
	default:
		u.forget(ref)
	}
}

// isDue reports whether the last use must be recorded, and marks it as
// recorded.
func (u *keyUse) isDue(ref keyRef) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	if last, ok := u.last[ref]; ok && now.Sub(last) < touchEvery {
		return false
	}
	if len(u.last) >= maxKnownKeys {
		clear(u.last) // occasionally costs a few redundant writes
	}
	u.last[ref] = now
	return true
}

func (u *keyUse) record(ctx context.Context, ref keyRef) {
	defer func() { <-u.slots }()
	ctx, cancel := context.WithTimeout(ctx, touchPatience)
	defer cancel()
	if err := u.touch(ctx, ref.org, ref.id); err != nil {
		u.forget(ref)
		u.logger.LogAttrs(ctx, slog.LevelWarn, "cannot record use of API key",
			slog.Int64("org_id", ref.org), slog.Int64("key_id", ref.id), slog.Any("error", err))
	}
}

func (u *keyUse) forget(ref keyRef) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.last, ref)
}
