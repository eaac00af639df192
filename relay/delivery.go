package relay

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"waybill/domain/event"
	"waybill/internal/wait"
	"waybill/store"
)

// How the log is read for followers.
const (
	stretch   = 5000                   // positions that are read at a time
	readIdle  = 100 * time.Millisecond // between looks without news
	noteEvery = 500 * time.Millisecond // between saves of cursors
	// Limits on events in memory: per lane, and for all lanes together. Further
	// events are read again from the log later.
	laneRoom     = 2 * followBatch
	deliveryRoom = 100_000
)

// delivery hands the log to the followers, for the shards that this process holds.
// The log is read once for all of them, and is divided into lanes: one per
// follower and organization, so that no organization waits for the events of
// another.
type delivery struct {
	relay  *Relay
	member *store.RelayMember
	// wanted maps kinds of event to the followers that want them.
	wanted map[event.Kind][]*Follower
	kinds  []event.Kind
	// turns are how many lanes of a follower may be at work at a time.
	turns map[string]chan struct{}
	news  chan struct{}
	stop  func()

	mu      sync.Mutex
	shards  map[int16]*shard
	waiting int // events in all lanes
}

// newDelivery returns a delivery without shards.
func (r *Relay) newDelivery(ctx context.Context, member *store.RelayMember) *delivery {
	d := &delivery{
		relay: r, member: member, news: make(chan struct{}, 1),
		wanted: map[event.Kind][]*Follower{}, turns: map[string]chan struct{}{}, shards: map[int16]*shard{},
	}
	for i := range r.followers {
		f := &r.followers[i]
		d.turns[f.Name] = make(chan struct{}, followAtOnce)
		for _, kind := range f.Kinds {
			d.wanted[kind] = append(d.wanted[kind], f)
		}
	}
	d.kinds = slices.Collect(maps.Keys(d.wanted))
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() { d.run(ctx) })
	d.stop = func() {
		cancel()
		working.Wait()
	}
	return d
}

// wake signals new events in the log.
func (d *delivery) wake() {
	select {
	case d.news <- struct{}{}:
	default: // it has not processed the last event yet
	}
}

// end stops the work and saves its progress.
func (d *delivery) end(ctx context.Context) {
	d.stop()
	d.giveUp(ctx, d.held())
	d.relay.metrics.shards.Set(0)
}

// run reads the log until ctx ends.
func (d *delivery) run(ctx context.Context) {
	for noted := time.Now(); ctx.Err() == nil; {
		more, err := d.readOn(ctx)
		if err != nil && ctx.Err() == nil {
			d.relay.trouble(ctx, "cannot read log", err)
			wait.For(ctx, firstRetry)
		}
		if time.Since(noted) >= noteEvery {
			noted = time.Now()
			if err := d.note(ctx, d.held()); err != nil && ctx.Err() == nil {
				d.relay.trouble(ctx, "cannot save followers' positions", err)
			}
		}
		if !more {
			await(ctx, d.news, readIdle)
		}
	}
}

// readOn continues reading for the shards that are behind, until they catch up
// with the first, and then for the first. It reports whether more can be read.
func (d *delivery) readOn(ctx context.Context) (more bool, err error) {
	end, err := d.relay.store.LogEnd(ctx)
	if err != nil {
		return false, err
	}
	first, last := d.places()
	for _, part := range [][2]int64{{last, first}, {first, end}} {
		after, upTo := part[0], min(part[1], part[0]+stretch)
		if after >= upTo {
			continue
		}
		if err := d.read(ctx, after, upTo); err != nil {
			return false, err
		}
		more = more || upTo < part[1]
	}
	return more, nil
}

// places are up to where the log was read for the shards that are first, and that
// are last.
func (d *delivery) places() (first, last int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.shards) == 0 {
		return maxPosition, maxPosition
	}
	last = maxPosition
	for _, s := range d.shards {
		first, last = max(first, s.read), min(last, s.read)
	}
	return first, last
}

// maxPosition is behind all of the log.
const maxPosition = 1<<63 - 1 - stretch

// read reads a stretch of the log for the shards that are at its beginning.
func (d *delivery) read(ctx context.Context, after, upTo int64) error {
	at := d.at(after)
	events, err := d.relay.store.EventsOf(ctx, store.Stretch{
		After: after, UpTo: upTo, Shards: slices.Collect(maps.Keys(at)), Kinds: d.kinds,
	})
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range events {
		s := at[events[i].Shard]
		if s.halted {
			continue
		}
		for _, f := range d.wanted[events[i].Kind] {
			s.add(f, events[i])
		}
	}
	for _, s := range at {
		if !s.halted {
			s.read = upTo
		}
	}
	return nil
}

// at are the shards for which the log was read up to a position.
func (d *delivery) at(place int64) map[int16]*shard {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := map[int16]*shard{}
	for number, s := range d.shards {
		if s.read == place {
			at[number] = s
		}
	}
	return at
}

// hold takes on the shards that this process now holds, drops those that it has
// lost, and returns those that it releases because others hold fewer.
func (d *delivery) hold(ctx context.Context, standing store.Standing) (givenUp []int16) {
	held := d.held()
	var lost []*shard
	for _, s := range held {
		if term, ours := standing.Shards[s.number]; !ours || term != s.term {
			lost = append(lost, s)
		}
	}
	d.drop(lost)
	if err := d.takeOn(ctx, standing.Shards); err != nil && ctx.Err() == nil {
		d.relay.trouble(ctx, "cannot serve follower shards yet", err)
	}
	held = d.held()
	d.relay.metrics.shards.Set(float64(len(held)))
	if len(held) <= standing.Share {
		return nil
	}
	extra := held[standing.Share:]
	d.giveUp(ctx, extra)
	for _, s := range extra {
		givenUp = append(givenUp, s.number)
	}
	return givenUp
}

// takeOn begins to serve shards that are new.
func (d *delivery) takeOn(ctx context.Context, terms map[int16]int64) error {
	var numbers []int16
	d.mu.Lock()
	for number := range terms {
		if d.shards[number] == nil {
			numbers = append(numbers, number)
		}
	}
	d.mu.Unlock()
	if len(numbers) == 0 {
		return nil
	}
	cursors, err := d.relay.store.Cursors(ctx, numbers)
	if err != nil {
		return err
	}
	fresh := map[int16]*shard{}
	for _, number := range numbers {
		fresh[number] = newShard(ctx, d, number, terms[number])
	}
	for _, c := range cursors {
		fresh[c.Shard].taken[c.Follower] = c.Position
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for number, s := range fresh {
		s.begin(d.relay.followers)
		d.shards[number] = s
	}
	d.wake()
	return nil
}

// giveUp ends the work on shards and saves its progress.
func (d *delivery) giveUp(ctx context.Context, shards []*shard) {
	d.halt(shards)
	ctx, cancel := context.WithTimeout(ctx, leaveIn)
	defer cancel()
	if err := d.note(ctx, shards); err != nil {
		d.relay.logger.DebugContext(ctx, "cannot save followers' positions", "error", err)
	}
	d.drop(shards)
}

// halt ends the work on shards.
func (d *delivery) halt(shards []*shard) {
	d.mu.Lock()
	for _, s := range shards {
		s.halted = true
		s.stop()
	}
	d.mu.Unlock()
	for _, s := range shards {
		s.working.Wait()
	}
}

// drop forgets shards.
func (d *delivery) drop(shards []*shard) {
	d.halt(shards)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range shards {
		for _, l := range s.lanes {
			d.waiting -= len(l.pending)
		}
		delete(d.shards, s.number)
	}
}

// held are the shards that are served, by their numbers.
func (d *delivery) held() []*shard {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := make([]*shard, 0, len(d.shards))
	for _, s := range d.shards {
		held = append(held, s)
	}
	slices.SortFunc(held, func(a, b *shard) int { return int(a.number) - int(b.number) })
	return held
}

// note notes up to where the followers have taken all of shards, where that is new.
func (d *delivery) note(ctx context.Context, shards []*shard) error {
	var cursors []store.Cursor
	d.mu.Lock()
	for _, s := range shards {
		cursors = append(cursors, s.news()...)
	}
	d.mu.Unlock()
	if len(cursors) == 0 {
		return nil
	}
	if err := d.member.NoteCursors(ctx, cursors); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range cursors {
		if s := d.shards[c.Shard]; s != nil && s.term == c.Term {
			s.taken[c.Follower] = c.Position
		}
	}
	return nil
}

// await waits for news, for at most d, or ends early with ctx.
func await(ctx context.Context, news <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-news:
	case <-timer.C:
	}
}
