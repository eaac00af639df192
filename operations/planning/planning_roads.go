package planning

import (
	"context"
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

// landWays are the ways of one profile, all of which are known.
type landWays struct {
	roads routing.Roads
	table travel.Table
	since time.Time
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
	w := l.of(profile, &travel.Table{Provider: travel.Crow{}.Name()})
	defer l.measure()
	w.roads.Grow(len(points), func(from, to int) routing.Leg { return travel.Flight(profile, points[from], points[to]) })
	return w.roads.Travel()
}

// known returns the table of all of these places, if a provider said it not too long ago.
func (l *land) known(profile planning.Profile, provider string, places int, now time.Time) (travel.Table, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.ways[profile]
	switch {
	case w == nil || w.table.Provider != provider || w.roads.Places() < places, now.Sub(w.since) > waysLast,
		!w.table.Until.IsZero() && now.After(w.table.Until):
		return travel.Table{}, false
	}
	table := w.table
	table.Travel = w.roads.Travel()
	return table, true
}

// keep keeps a table of which nothing is missing, with its ways as the search uses them. Others are
// completed later.
func (l *land) keep(profile planning.Profile, table *travel.Table, now time.Time) {
	if table.Missing+table.Far > 0 || table.Fault != nil || table.CacheFault != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.of(profile, table)
	if now.Sub(w.since) > waysLast || table.Places < w.roads.Places() {
		*w = landWays{since: now}
	}
	w.table = *table
	w.roads.Grow(table.Places, table.Leg)
	l.measure()
	w.table.Travel, table.Travel = routing.Travel{}, w.roads.Travel()
}

// forget has the ways made again.
func (l *land) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.ways)
	l.measure()
}

// measure notes how much the ways take. The land is locked.
func (l *land) measure() {
	sum := int64(0)
	for _, w := range l.ways {
		sum += w.roads.Bytes() + int64(len(w.table.Kinds))
	}
	l.size.Store(sum)
}

// of returns the ways of a profile that are of the same source and leave out the same places as a
// table. The land is locked.
func (l *land) of(profile planning.Profile, table *travel.Table) *landWays {
	w := l.ways[profile]
	if w == nil || w.table.Provider != table.Provider || w.table.Version != table.Version ||
		w.table.Outside != table.Outside || len(w.table.Lost) != len(table.Lost) || !w.table.Until.Equal(table.Until) {
		l.ways[profile] = &landWays{table: travel.Table{Provider: table.Provider}}
	}
	return l.ways[profile]
}

// table returns the ways of a profile between the places of a draft, as far as a wish goes. Where the
// server has no data for a class of vehicles, they are those of the mode in which it travels.
func (w *planner) table(
	ctx context.Context, known *areaMemory, l *land, profile planning.Profile, wish travel.Wish,
) (travel.Table, error) {
	tables, now, points := w.operations.tables, time.Now(), w.drawn.Points
	profile = tables.Served(profile, points...)
	provider := tables.Asked(profile, points...).Name()
	if provider == (travel.Crow{}).Name() || len(points) == 0 {
		return travel.Table{Provider: provider, Profile: profile, Travel: l.fly(profile, points)}, nil
	}
	if table, ok := l.known(profile, provider, len(points), now); ok && tables.Current(ctx, profile, points[0], table.Version) {
		return table, nil
	}
	table, err := tables.TableOf(ctx, w.operations.store.TravelLegs(w.caller.OrgID), &known.travel, profile, points, wish)
	if err == nil {
		l.keep(table.Profile, &table, now)
	}
	return table, err
}
