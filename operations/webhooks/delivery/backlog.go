package delivery

import (
	"context"
	"slices"

	"waybill/domain/event"
	"waybill/domain/webhook"
	"waybill/store"
)

// How an endpoint's events are read.
const (
	freshBatch = 500 // entries of the feed that are read at a time
	dueBatch   = 100 // events to be tried again that are read at a time
	// mostAhead is how many entries after an unfinished one are begun, and
	// mostWaiting how many may wait for a retry before nothing new is begun.
	mostAhead   = 2000
	mostWaiting = 10_000
)

// backlog is what remains to be sent to an endpoint: entries of the feed after
// its cursor, in order, and events to retry.
type backlog struct {
	o       *Operations
	org, id int64
	kinds   []event.Kind
	waiting int
	tried   map[webhook.Place]bool
	read    webhook.Place // up to where the feed was read
	cursor  webhook.Place // up to where all is done
	window  []feedEntry   // entries read after the cursor
	queue   []*task
	// busy are retried events whose results are not saved yet; forgotten those
	// that have left the feed, and saving those whose results are being saved.
	busy      map[webhook.Place]bool
	forgotten []store.WaitingDelivery
	saving    []webhook.Place
	noMore    bool // of the feed
	noneDue   bool
}

// feedEntry is a position in the feed, and whether it is finished.
type feedEntry struct {
	webhook.Place

	done bool
}

func newBacklog(
	ctx context.Context, o *Operations, org int64, e *store.WebhookEndpoint,
) (backlog, error) {
	tried, err := o.store.TriedWebhookEvents(ctx, org, e.ID, e.Cursor.Position)
	return backlog{
		o: o, org: org, id: e.ID, kinds: e.Kinds, waiting: int(e.Waiting), tried: tried, read: e.Cursor, cursor: e.Cursor,
		busy: map[webhook.Place]bool{},
	}, err
}

// lookAgain makes the next read look for new entries.
func (e *backlog) lookAgain() { e.noMore, e.noneDue = false, false }

// drained reports whether there is nothing more to send.
func (e *backlog) drained() bool {
	return len(e.queue) == 0 && e.noneDue && (e.noMore || e.isFull())
}

func (e *backlog) isFull() bool { return len(e.window) >= mostAhead || e.waiting >= mostWaiting }

// next returns the next event to send, or nil if there is none now.
func (e *backlog) next(ctx context.Context) (*task, error) {
	if len(e.queue) == 0 && !e.noneDue {
		if err := e.readDue(ctx); err != nil {
			return nil, err
		}
	}
	for len(e.queue) == 0 && !e.noMore && !e.isFull() {
		if err := e.readFresh(ctx); err != nil {
			return nil, err
		}
	}
	if len(e.queue) == 0 {
		return nil, nil
	}
	job := e.queue[0]
	e.queue = e.queue[1:]
	return job, nil
}

// readFresh reads on in the feed. Entries that the endpoint does not subscribe
// to, or that were tried already, are finished.
func (e *backlog) readFresh(ctx context.Context) error {
	rows, err := e.o.store.StatusFeed(ctx, e.org, e.read.Position, e.read.Number, freshBatch)
	if err != nil {
		return err
	}
	for i := range rows {
		e.read = webhook.Place{Position: rows[i].Position, Number: rows[i].Place}
		wanted := !e.tried[e.read] && (len(e.kinds) == 0 || slices.Contains(e.kinds, event.Kind(rows[i].Kind)))
		e.window = append(e.window, feedEntry{e.read, !wanted})
		if wanted {
			if err := e.enqueue(&rows[i], nil); err != nil {
				return err
			}
		}
	}
	e.noMore = len(rows) < freshBatch
	return nil
}

// readDue reads the events to retry. Those that have left the feed are given
// up.
func (e *backlog) readDue(ctx context.Context) error {
	due, err := e.o.store.DueWebhookDeliveries(ctx, e.org, e.id, e.o.now(), dueBatch+int32(len(e.busy)))
	if err != nil {
		return err
	}
	due = slices.DeleteFunc(due, func(d store.WaitingDelivery) bool { return e.busy[d.Place] })
	e.noneDue = len(due) == 0
	if e.noneDue {
		return nil
	}
	places := make([]webhook.Place, len(due))
	for i := range due {
		places[i] = due[i].Place
	}
	entries, err := e.o.Entries(ctx, e.org, places)
	if err != nil {
		return err
	}
	for i := range due {
		e.busy[due[i].Place] = true
		entry := entries[due[i].Place]
		if entry == nil {
			e.forgotten = append(e.forgotten, due[i])
			continue
		}
		if err := e.enqueue(entry, &due[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *backlog) enqueue(entry *store.StatusChange, kept *store.WaitingDelivery) error {
	body, err := e.o.Body(*entry)
	if err != nil {
		return err
	}
	job := &task{body: body, kept: kept, attempt: store.WebhookAttempt{
		Place: webhook.Place{Position: entry.Position, Number: entry.Place}, Kind: event.Kind(entry.Kind), Count: 1,
	}}
	if kept != nil {
		job.attempt.Count += kept.Earlier + kept.Attempts
	}
	e.queue = append(e.queue, job)
	return nil
}

// moved reports whether there is something to save without an attempt.
func (e *backlog) moved() bool {
	return len(e.forgotten) > 0 || len(e.queue) == 0 && len(e.window) > 0 && e.window[0].done
}

// takeForgotten returns the events that have left the feed, to be given up.
func (e *backlog) takeForgotten() []store.WaitingDelivery {
	gone := e.forgotten
	e.forgotten = nil
	for i := range gone {
		e.saving = append(e.saving, gone[i].Place)
	}
	return gone
}

// ended notes attempts that are about to be saved, and returns up to where all is done
// then.
func (e *backlog) ended(jobs []*task) webhook.Place {
	done := make(map[webhook.Place]bool, len(jobs))
	for _, job := range jobs {
		done[job.attempt.Place] = true
		if job.kept != nil {
			e.saving = append(e.saving, job.attempt.Place)
		} else if job.attempt.Fault != "" {
			e.waiting++
		}
	}
	for i := range e.window {
		if done[e.window[i].Place] {
			e.window[i].done = true
		}
	}
	for len(e.window) > 0 && e.window[0].done {
		e.cursor = e.window[0].Place
		e.window = e.window[1:]
	}
	return e.cursor
}

// saved marks events as saved: they can be retried when due.
func (e *backlog) saved() {
	for _, place := range e.saving {
		delete(e.busy, place)
	}
	e.saving = nil
}
