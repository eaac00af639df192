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

// What waits may wait so long before it is worth a look, or is an outage.
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
		return failed(err, "see whether Postgres answers")
	}
	return judgeLeader(standing)
}

func judgeLeader(standing store.RelayStanding) finding {
	const next = "see that waybill work runs and reaches Postgres; one that comes takes over within seconds"
	switch {
	case standing.Leader == "":
		return wrong(next, "nobody leads: feeds, messages, exports and plans stand still")
	case standing.FreeShards > 0:
		return warning("look again in a few seconds, then at the log of each work",
			"%s leads, and nobody serves the followers in %d of 16 shards", standing.Leader, standing.FreeShards)
	}
	return fine("%s leads; processes that take part: %d", standing.Leader, standing.Members)
}

func (d *doctor) checkFollowers(ctx context.Context) finding {
	lag, err := d.store.Lag(ctx)
	if err != nil {
		return failed(err, "see whether Postgres answers")
	}
	return judgeLag(lag)
}

func judgeLag(lag store.Lag) finding {
	const next = "look for a transaction that stays open, and at the log of work: it says why events are not taken"
	var late []string
	for _, follower := range slices.Sorted(maps.Keys(lag.Behind)) {
		if behind := lag.Behind[follower]; behind >= behindWarns {
			late = append(late, fmt.Sprintf("%s by %d", follower, behind))
		}
	}
	oldest := lag.Oldest.Round(time.Second)
	switch {
	case lag.Oldest >= eventFails:
		return wrong(next, "the oldest event has waited for its position for %s: the feed stands still", oldest)
	case len(late) > 0:
		return warning(next, "followers are behind: %s", strings.Join(late, ", "))
	case lag.Oldest >= eventWarns:
		return warning(next, "the oldest event has waited for its position for %s", oldest)
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
		return failed(err, "see whether Postgres answers")
	}
	return judge(health, now)
}

func judgeMessages(health store.Health, now time.Time) finding {
	waits := now.Sub(health.OldestMessage).Round(time.Second)
	next := `look at the checks mail and sms, and in the Temporal UI at WaybillState="queued"`
	switch {
	case health.MessagesWaiting == 0:
		return fine("no message waits")
	case waits >= messageFails:
		return wrong(next, "%s should have gone, the oldest %s ago", plural(int(health.MessagesWaiting), "message"), waits)
	case waits >= messageWarns:
		return warning(next, "%s should have gone, the oldest %s ago", plural(int(health.MessagesWaiting), "message"), waits)
	}
	return fine("%s on the way, the oldest for %s", plural(int(health.MessagesWaiting), "message"), waits)
}

func judgeParked(health store.Health, now time.Time) finding {
	const next = "find the cause: select org_id, follower, event_id, kind, reason, parked_at from parked_events " +
		"order by parked_at desc limit 20; then mend it"
	last := now.Sub(health.LastParked).Round(time.Second)
	switch {
	case health.EventsParked == 0:
		return fine("followers have left out no event")
	case last < parkedIsNew:
		return wrong(next, "followers left out %s, the last %s ago: what should follow from them does not happen",
			plural(int(health.EventsParked), "event"), last)
	}
	return warning(next, "followers left out %s, the last %s ago", plural(int(health.EventsParked), "event"), last)
}

func judgeWebhooks(health store.Health, _ time.Time) finding {
	if health.EndpointsResting > 0 {
		return warning("look at the pages webhook/SLUG/ID in the Temporal UI, and tell the receivers",
			"%s accept nothing and are left alone for a while", plural(int(health.EndpointsResting), "webhook endpoint"))
	}
	return fine("no webhook endpoint rests")
}
