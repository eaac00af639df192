package planning

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// areaRoads keep the places of an area and the travel times between them as the search uses
// them, so the next draft adds only what is new. They say nothing of orders or drivers, which
// every draft reads from the database.
type areaRoads struct {
	mu   sync.Mutex
	land *land
}

// land is the places of an area, and the ways between them by profile.
type land struct {
	mu     sync.Mutex
	ground *planning.Ground
	ways   map[planning.Profile]*landWays
	// size is about how many bytes the ways take.
	size atomic.Int64
}

// landWays are the ways of one profile.
type landWays struct {
	roads    routing.Roads
	provider string
	since    time.Time
}

// waysLast is for how long travel times are believed without asking for them again.
const waysLast = 12 * time.Hour

// present returns the land as it is.
func (r *areaRoads) present() *land {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.land == nil {
		r.land = &land{ways: map[planning.Profile]*landWays{}}
	}
	return r.land
}

// clear begins with an empty land, unless somebody else has already.
func (r *areaRoads) clear(was *land) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.land == was {
		r.land = nil
	}
}

// bytes is about how much the roads hold. It waits for nobody who adds to them.
func (r *areaRoads) bytes() int64 { return r.present().size.Load() }

// draft draws a day with the numbers that its places have on the land, and gives those a
// number that have none.
func (r *areaRoads) draft(day planning.Day) (*planning.Draft, *land) {
	for {
		l := r.present()
		ground := l.places()
		drawn := day.DraftOn(ground)
		switch {
		case ground != nil && drawn.Overgrown():
			r.clear(l)
		case l.claim(ground, drawn):
			return drawn, l
		}
	}
}

func (l *land) places() *planning.Ground {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ground
}

// claim adds the places of a draft to the land. It reports false if somebody else has added
// others since the draft was drawn.
func (l *land) claim(ground *planning.Ground, d *planning.Draft) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ground != ground {
		return false
	}
	l.ground = ground.With(d)
	return true
}

// fly returns the ways of a profile as the crow flies. It flies only to places that are new.
func (l *land) fly(profile planning.Profile, points []planning.Point) routing.Travel {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.of(profile, travel.Crow{}.Name())
	defer l.measure()
	w.roads.Grow(len(points), func(from, to int) routing.Leg { return travel.Flight(profile, points[from], points[to]) })
	return w.roads.Travel()
}

// known returns the ways between all of these places, if a provider said them not too long ago.
func (l *land) known(profile planning.Profile, provider string, places int, now time.Time) (routing.Travel, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.ways[profile]
	if w == nil || w.provider != provider || w.roads.Places() < places || now.Sub(w.since) > waysLast {
		return routing.Travel{}, false
	}
	return w.roads.Travel(), true
}

// keep keeps the ways that a provider said, and returns them as the search uses them. A table
// with ways that were guessed, or that nobody knows, is asked for again.
func (l *land) keep(profile planning.Profile, table *travel.Table, now time.Time) routing.Travel {
	lost := func(leg routing.Leg) bool { return leg.Seconds == routing.Unreachable }
	if table.Guessed > 0 || table.Fault != nil || table.CacheFault != nil || slices.ContainsFunc(table.Legs, lost) {
		return table.Travel
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.of(profile, table.Provider)
	if now.Sub(w.since) > waysLast {
		*w = landWays{provider: table.Provider, since: now}
	}
	w.roads.Grow(table.Places, table.Leg)
	l.measure()
	return w.roads.Travel()
}

// measure notes how much the ways take. The land is locked.
func (l *land) measure() {
	sum := int64(0)
	for _, w := range l.ways {
		sum += w.roads.Bytes()
	}
	l.size.Store(sum)
}

// of returns the ways of a profile that a provider said. The land is locked.
func (l *land) of(profile planning.Profile, provider string) *landWays {
	if w := l.ways[profile]; w == nil || w.provider != provider {
		l.ways[profile] = &landWays{provider: provider}
	}
	return l.ways[profile]
}

// table returns the ways of a profile between the places of a draft. Where the server has no
// data for a class of vehicles, they are those of the mode in which it travels.
func (w *planner) table(
	ctx context.Context, known *areaMemory, l *land, profile planning.Profile,
) (travel.Table, error) {
	tables, now, places := w.operations.tables, time.Now(), len(w.drawn.Points)
	profile = tables.Served(profile, w.drawn.Points...)
	provider := tables.Asked(profile, w.drawn.Points...).Name()
	if provider == (travel.Crow{}).Name() {
		return travel.Table{Provider: provider, Profile: profile, Travel: l.fly(profile, w.drawn.Points)}, nil
	}
	if ways, ok := l.known(profile, provider, places, now); ok {
		return travel.Table{Provider: provider, Profile: profile, Travel: ways}, nil
	}
	table, err := tables.TableOf(ctx, w.operations.store.TravelLegs(w.caller.OrgID), &known.travel, profile, w.drawn.Points)
	if err == nil {
		table.Travel = l.keep(table.Profile, &table, now)
	}
	return table, err
}
