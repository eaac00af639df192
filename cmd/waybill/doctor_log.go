package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"waybill/store"
)

// How long work may wait before it deserves attention, or is an outage.
const (
	eventWarns   = 5 * time.Second
	eventFails   = time.Minute
	behindWarns  = 1000
	messageWarns = 10 * time.Minute
	messageFails = time.Hour
	parkedIsNew  = time.Hour
)

func (d *doctor) checkLeader(ctx context.Context) finding {
	standing, err := d.store.RelayStanding(ctx)
	if err != nil {
		return failed(err, "check whether Postgres is running")
	}
	return judgeLeader(standing)
}

func judgeLeader(standing store.RelayStanding) finding {
	const next = "check that waybill work runs and can connect to Postgres; a new process takes over within seconds"
	switch {
	case standing.Leader == "":
		return wrong(next, "no process leads: feeds, messages, exports and plans are stopped")
	case standing.FreeShards > 0:
		return warning("check again in a few seconds, then read the log of each work process",
			"%s leads, but no process serves the followers in %d of 16 shards", standing.Leader, standing.FreeShards)
	}
	return fine("%s leads; processes in the relay: %d", standing.Leader, standing.Members)
}

func (d *doctor) checkFollowers(ctx context.Context) finding {
	lag, err := d.store.Lag(ctx)
	if err != nil {
		return failed(err, "check whether Postgres is running")
	}
	return judgeLag(lag)
}

func judgeLag(lag store.Lag) finding {
	const next = "look for a transaction that stays open, and read the log of work, which says why events are not taken"
	var late []string
	for _, follower := range slices.Sorted(maps.Keys(lag.Behind)) {
		if behind := lag.Behind[follower]; behind >= behindWarns {
			late = append(late, fmt.Sprintf("%s by %d", follower, behind))
		}
	}
	oldest := lag.Oldest.Round(time.Second)
	switch {
	case lag.Oldest >= eventFails:
		return wrong(next, "the oldest event has waited %s for its position: the feed is stopped", oldest)
	case len(late) > 0:
		return warning(next, "followers behind: %s", strings.Join(late, ", "))
	case lag.Oldest >= eventWarns:
		return warning(next, "the oldest event has waited %s for its position", oldest)
	}
	return fine("all %d followers of the log keep up", len(lag.Behind))
}

func (d *doctor) checkMessages(ctx context.Context) finding {
	return d.judged(ctx, judgeMessages)
}

func (d *doctor) checkParked(ctx context.Context) finding { return d.judged(ctx, judgeParked) }

func (d *doctor) checkWebhooks(ctx context.Context) finding { return d.judged(ctx, judgeWebhooks) }

func (d *doctor) judged(ctx context.Context, judge func(store.Health, time.Time) finding) finding {
	now := time.Now()
	health, err := d.store.Health(ctx, now)
	if err != nil {
		return failed(err, "check whether Postgres is running")
	}
	return judge(health, now)
}

func judgeMessages(health store.Health, now time.Time) finding {
	waits := now.Sub(health.OldestMessage).Round(time.Second)
	next := `see the checks mail and sms, and search the Temporal UI for WaybillState="queued"`
	switch {
	case health.MessagesWaiting == 0:
		return fine("no messages waiting")
	case waits >= messageFails:
		return wrong(next, "%s overdue, the oldest by %s", plural(int(health.MessagesWaiting), "message"), waits)
	case waits >= messageWarns:
		return warning(next, "%s overdue, the oldest by %s", plural(int(health.MessagesWaiting), "message"), waits)
	}
	return fine("%s waiting, the oldest for %s", plural(int(health.MessagesWaiting), "message"), waits)
}

func judgeParked(health store.Health, now time.Time) finding {
	const next = "find the cause: select org_id, follower, event_id, kind, reason, parked_at from parked_events " +
		"order by parked_at desc limit 20; then fix it"
	last := now.Sub(health.LastParked).Round(time.Second)
	switch {
	case health.EventsParked == 0:
		return fine("followers have not left out any events")
	case last < parkedIsNew:
		return wrong(next, "followers left out %s, the last %s ago: their effects are missing",
			plural(int(health.EventsParked), "event"), last)
	}
	return warning(next, "followers left out %s, the last %s ago", plural(int(health.EventsParked), "event"), last)
}

func judgeWebhooks(health store.Health, _ time.Time) finding {
	if health.EndpointsResting > 0 {
		return warning("see the workflows webhook/SLUG/ID in the Temporal UI, and contact the receivers",
			"%s not accepting anything and paused for a while", plural(int(health.EndpointsResting), "webhook endpoint"))
	}
	return fine("no webhook endpoints paused")
}
