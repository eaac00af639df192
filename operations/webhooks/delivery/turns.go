package delivery

import (
	"context"
	"net/url"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/webhook"
	"waybill/operations/core"
	"waybill/store"
)

// Turn is the state of an endpoint after a turn.
type Turn struct {
	// Ended is true if no more events are sent: it was disabled, or removed.
	Ended bool
	// Delivered and Refused count the turn's successful and failed attempts,
	// and Waiting the events to retry.
	Delivered, Refused, Waiting int
	// Next is when there is something to do again, or zero if only new events
	// are.
	Next time.Time
	// FailingSince is since when nothing was accepted, and RestingUntil the end
	// of the endpoint's pause; either may be zero.
	FailingSince, RestingUntil time.Time
	// Host is the endpoint's, and Failures counts the attempts since something was accepted.
	Host     string
	Failures int
	// LastFault and LastStatus describe the turn's last failed attempt; the
	// status is 0 without a response.
	LastFault  webhook.Fault
	LastStatus int
	// OffAt is when the endpoint is disabled unless it accepts something
	// before, or zero if nothing fails.
	OffAt time.Time
}

// Deliver sends new entries of the feed and events to retry to an endpoint, for
// a limited time, until nothing is left or the endpoint needs a pause. It sends
// an event again after an interrupted attempt only if the result could not be
// saved.
func (o *Operations) Deliver(
	ctx context.Context, c caller.Caller, id int64, patience time.Duration,
) (Turn, error) {
	t := &sending{o: o, by: c, id: id, end: time.Now().Add(patience)}
	active, err := t.load(ctx)
	if fault.KindOf(err) == fault.NotFound || err == nil && !active {
		return Turn{Ended: true}, nil
	}
	if err != nil {
		return Turn{}, err
	}
	if suspended, err := o.store.IsSuspended(ctx, c.OrgID); err != nil || suspended {
		return Turn{RestingUntil: o.now().Add(core.SuspendedPause)}, err
	}
	if err := t.run(ctx); err != nil {
		return Turn{}, err
	}
	return t.stands(ctx)
}

// sending sends to one endpoint for a while.
type sending struct {
	o        *Operations
	by       caller.Caller
	id       int64
	end      time.Time
	endpoint store.WebhookEndpoint
	to       Target
	entries  backlog
	health   webhook.Health

	underWay int
	results  chan *task
	// done are unsaved attempts; saving is true while some are being saved, and
	// saved returns the result.
	done   []*task
	saving bool
	saved  chan savedTurn
	// off is why the endpoint is to be disabled, and over is true if the turn
	// has ended: it was disabled, or changed by a user.
	off  webhook.OffReason
	over bool
	sum  Turn
}

// savedTurn is the result of saving some attempts. Over is true if the endpoint
// was changed by a user, removed or disabled.
type savedTurn struct {
	over bool
	err  error
}

// task is one attempt at an event. Kept is nil at the first.
type task struct {
	attempt store.WebhookAttempt
	wait    time.Duration // the pause that the endpoint requests
	body    []byte
	kept    *store.WaitingDelivery
}

// abreast is how many events are sent to an endpoint at a time.
const abreast = 8

// freshEvery is how often it is looked for news while events are under way.
const freshEvery = 200 * time.Millisecond

// load reads the endpoint and reports whether it is active.
func (t *sending) load(ctx context.Context) (active bool, err error) {
	if t.endpoint, err = t.o.store.WebhookEndpoint(ctx, t.by.OrgID, t.id); err != nil || !t.endpoint.IsActive {
		return false, err
	}
	if t.to, err = t.o.TargetOf(ctx, t.by.OrgID, &t.endpoint); err != nil {
		return false, err
	}
	t.health = t.endpoint.Health
	t.results, t.saved = make(chan *task, abreast), make(chan savedTurn, 1)
	t.entries, err = newBacklog(ctx, t.o, t.by.OrgID, &t.endpoint)
	return true, err
}

// run sends until there is nothing left to do, or no more time. Saving runs
// concurrently; pending attempts are awaited and saved in any case.
func (t *sending) run(ctx context.Context) error {
	tick := time.NewTicker(freshEvery)
	defer tick.Stop()
	var failed error
	for {
		if failed == nil {
			failed = t.launch(ctx)
		}
		t.save(ctx)
		if t.underWay == 0 && !t.saving && (failed != nil || !t.goesOn(ctx) || t.entries.drained()) {
			return failed
		}
		select {
		case job := <-t.results:
			t.took(job)
		case saved := <-t.saved:
			t.saving, t.over = false, t.over || saved.over
			t.entries.saved()
			if saved.err != nil {
				failed = saved.err
			}
		case <-tick.C:
			t.entries.lookAgain()
		}
	}
}

// goesOn reports whether more may be begun.
func (t *sending) goesOn(ctx context.Context) bool {
	return ctx.Err() == nil && !t.over && t.off == "" && time.Now().Before(
		t.end,
	) && !t.health.RestingUntil.After(t.o.now())
}

// launch begins as many attempts as the limits permit.
func (t *sending) launch(ctx context.Context) error {
	room := abreast
	if t.health.Doubtful() {
		room = 1
	}
	for t.underWay < room && t.goesOn(ctx) {
		job, err := t.entries.next(ctx)
		if err != nil || job == nil {
			return err
		}
		t.underWay++
		go t.send(context.WithoutCancel(ctx), job)
	}
	return nil
}

// send makes one attempt.
func (t *sending) send(ctx context.Context, job *task) {
	wait, err := t.o.Post(ctx, &t.to, &job.attempt, job.body)
	if err != nil {
		job.attempt.At, job.attempt.Fault = t.o.now(), webhook.FaultConnection
	}
	job.wait = wait
	t.results <- job
}

// took records the result of an attempt.
func (t *sending) took(job *task) {
	t.underWay--
	t.done = append(t.done, job)
	a := &job.attempt
	if a.Fault == "" {
		t.sum.Delivered++
		t.health = t.health.Accepted(a.At)
		return
	}
	t.sum.Refused++
	t.sum.LastFault, t.sum.LastStatus = a.Fault, a.Status
	t.health = t.health.Refused(t.o.now()).Asked(t.o.now(), job.wait)
	switch {
	case a.Status == statusGone:
		t.off = webhook.OffGone
	case t.health.Hopeless(t.o.now()):
		t.off = webhook.OffFailing
	}
}

// statusGone is the response of an endpoint that is gone for good.
const statusGone = 410

// save saves finished attempts, unless a save is in progress.
func (t *sending) save(ctx context.Context) {
	if t.saving || len(t.done) == 0 && !t.entries.moved() {
		return
	}
	turn := store.WebhookTurn{Health: t.health}
	for _, job := range t.done {
		t.outcome(job, &turn)
	}
	turn.Cursor = t.entries.ended(t.done)
	turn.Kept = append(turn.Kept, t.entries.takeForgotten()...)
	off := t.off
	t.done, t.saving = nil, true
	go func() { t.saved <- t.keep(context.WithoutCancel(ctx), &turn, off) }()
}

// outcome adds the result of an attempt to the turn.
func (t *sending) outcome(job *task, turn *store.WebhookTurn) {
	a := &job.attempt
	turn.Attempts = append(turn.Attempts, *a)
	if a.Fault == "" {
		if job.kept != nil {
			turn.Ended = append(turn.Ended, a.Place)
		}
		return
	}
	kept := store.WaitingDelivery{Place: a.Place, First: a.At}
	if job.kept != nil {
		kept = *job.kept
	}
	kept.Attempts++
	kept.Next, _ = webhook.Again(kept.First, kept.Attempts, t.o.now())
	turn.Kept = append(turn.Kept, kept)
}

// keep saves the attempts, and checks whether a user has changed the endpoint.
func (t *sending) keep(ctx context.Context, turn *store.WebhookTurn, off webhook.OffReason) (saved savedTurn) {
	saved.err = t.o.store.InTx(ctx, t.by, func(tx *store.Tx) error {
		changed, err := tx.SaveWebhookTurn(ctx, t.id, turn)
		if err != nil {
			return err
		}
		saved.over = off != "" || !changed.Equal(t.endpoint.UpdatedAt)
		if off != "" {
			return switchOff(ctx, tx, t.id, off)
		}
		return nil
	})
	if fault.KindOf(saved.err) == fault.NotFound { // removed, and its rows with it
		return savedTurn{over: true}
	}
	return saved
}

// switchOff disables an endpoint, and records the reason.
func switchOff(ctx context.Context, t *store.Tx, id int64, why webhook.OffReason) error {
	was, err := t.SwitchOffWebhookEndpoint(ctx, id, why)
	if err != nil || !was {
		return err
	}
	return t.Append(ctx, event.WebhookEndpoint{ID: id}.SwitchedOff(string(why)))
}

// stands describes the endpoint after the turn.
func (t *sending) stands(ctx context.Context) (Turn, error) {
	ctx = context.WithoutCancel(ctx)
	out := t.sum
	now, h := t.o.now(), t.health
	out.FailingSince, out.Failures = h.FailingSince, h.Failures
	if !h.FailingSince.IsZero() {
		out.OffAt = h.FailingSince.Add(webhook.EndpointPatience)
		if at, err := url.Parse(t.endpoint.URL); err == nil {
			out.Host = at.Host
		}
	}
	next, waiting, err := t.o.store.NextWebhookDelivery(ctx, t.by.OrgID, t.id)
	if err != nil {
		return out, err
	}
	out.Waiting, out.Next = waiting, next
	switch {
	case t.off != "":
		out.Ended, out.Next = true, time.Time{}
	case t.over:
		out.Next = now
	case h.RestingUntil.After(now):
		out.RestingUntil, out.Next = h.RestingUntil, h.RestingUntil
	case !t.entries.drained():
		out.Next = now
	}
	return out, nil
}
