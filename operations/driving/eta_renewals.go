package driving

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"waybill/domain/caller"
	"waybill/operations/core"
)

// renewalPatience is how long it may take to work out a driver's ETAs when nobody
// waits for them.
const renewalPatience = 30 * time.Second

// road is what one driver of an organization drives.
type road struct {
	orgID, driverID int64
}

// etaRenewals keep a telephone that says much at once from having ETAs worked out
// with each thing that it says: whatever comes within a pause behind a renewal waits
// for its end, and is seen by the one that comes then.
type etaRenewals struct {
	pause time.Duration

	mu sync.Mutex
	// again says on whose behalf the roads on which there were news since their last
	// renewal are looked at; nil where there were none.
	again map[road]*caller.Caller
}

func newETARenewals(pause time.Duration) *etaRenewals {
	return &etaRenewals{pause: pause, again: map[road]*caller.Caller{}}
}

// wait notes that there are news on a road, and reports whether somebody sees to
// them later. Whoever may not wait sees to them now, and those after it wait.
func (e *etaRenewals) wait(on road, c caller.Caller, later func(caller.Caller)) bool {
	if e.pause == 0 {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, waits := e.again[on]; waits {
		e.again[on] = &c
		return true
	}
	e.again[on] = nil
	time.AfterFunc(e.pause, func() { e.end(on, later) })
	return false
}

// end sees to what has come within a pause.
func (e *etaRenewals) end(on road, later func(caller.Caller)) {
	e.mu.Lock()
	c := e.again[on]
	delete(e.again, on)
	e.mu.Unlock()
	if c != nil && !e.wait(on, *c, later) {
		later(*c)
	}
}

// renewSoon has the ETAs of a driver worked out anew: now, or in a moment when they
// just were. Should the process end before, the look at the driver's day does it.
func (o *Operations) renewSoon(ctx context.Context, c caller.Caller, driverID int64) error {
	if o.renewals.wait(road{c.OrgID, driverID}, c, func(c caller.Caller) { o.renewBehind(ctx, c, driverID) }) {
		return nil
	}
	return o.renewETAs(ctx, c, driverID)
}

// renewBehind renews ETAs for nobody who waits.
func (o *Operations) renewBehind(ctx context.Context, c caller.Caller, driverID int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalPatience)
	defer cancel()
	err := core.Guarded(o.log, func() error { return o.renewETAs(ctx, c, driverID) })
	if err != nil {
		o.log.LogAttrs(ctx, slog.LevelWarn, "cannot renew ETAs",
			slog.Int64("org_id", c.OrgID), slog.Int64("driver_id", driverID), slog.Any("error", err))
	}
}
