package relay

import (
	"context"
	"sync"

	"waybill/store"
)

// shard is a part of the organizations while this process serves the followers for
// it. The delivery's lock also guards shards and lanes.
type shard struct {
	delivery *delivery
	number   int16
	term     int64
	ctx      context.Context
	stop     context.CancelFunc
	working  sync.WaitGroup
	halted   bool // nothing more is added

	read  int64            // up to where the log is in lanes
	taken map[string]int64 // up to where each follower is noted to have taken all
	lanes map[laneOf]*lane
}

// laneOf is whose a lane is.
type laneOf struct {
	follower string
	org      int64
}

func newShard(ctx context.Context, d *delivery, number int16, term int64) *shard {
	s := &shard{delivery: d, number: number, term: term, taken: map[string]int64{}, lanes: map[laneOf]*lane{}}
	s.ctx, s.stop = context.WithCancel(ctx)
	return s
}

// begin prepares the shard for reading, with the known cursors of its
// followers.
func (s *shard) begin(followers []Follower) {
	noted := s.taken
	s.taken, s.read = map[string]int64{}, maxPosition
	for i := range followers {
		name := followers[i].Name
		position, known := noted[name]
		if !known {
			s.delivery.relay.logger.Error("follower missing from migrations, gets no events", "follower", name)
			continue
		}
		s.taken[name] = position
		s.read = min(s.read, position)
	}
}

// add adds an event to a follower's lane, and creates the lane if necessary.
// The follower may have processed it before this process got the shard.
func (s *shard) add(f *Follower, e store.Event) {
	if taken, known := s.taken[f.Name]; !known || e.Position <= taken {
		return
	}
	key := laneOf{f.Name, e.OrgID}
	l := s.lanes[key]
	if l == nil {
		l = &lane{shard: s, follower: f, org: e.OrgID, most: f.most()}
		s.lanes[key] = l
		s.working.Go(l.run)
	}
	l.add(e)
}

// news are the places up to where followers have taken all, where they are not noted.
func (s *shard) news() []store.Cursor {
	var news []store.Cursor
	reached := make(map[string]int64, len(s.taken))
	for name := range s.taken {
		reached[name] = s.read
	}
	for key, l := range s.lanes {
		reached[key.follower] = min(reached[key.follower], l.reached())
	}
	for name, position := range reached {
		if position > s.taken[name] {
			news = append(news, store.Cursor{Follower: name, Shard: s.number, Term: s.term, Position: position})
		}
	}
	return news
}
