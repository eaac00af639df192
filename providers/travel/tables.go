package travel

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/internal/rest"
)

// Cache stores the legs of a source, as they were answered. It returns only recent ones.
type Cache interface {
	// LoadBlocks returns stored blocks with legs between cells, in both directions, that begin
	// or end at a fresh one. Later blocks count more than earlier ones. A block may have other
	// cells as well.
	LoadBlocks(ctx context.Context, of Source, fresh, between []Cell) ([]Block, error)
	// SaveBlock stores a block.
	SaveBlock(ctx context.Context, of Source, block *Block) error
}

// Tables builds tables of travel times from a provider and a cache.
type Tables struct {
	provider Provider
	breaker  *rest.Breaker
	now      func() time.Time
	lost     lost
	classes  classes
	versions versions
}

// NewTables returns tables for a provider; now is the clock.
func NewTables(p Provider, now func() time.Time) *Tables {
	return &Tables{
		provider: p, breaker: rest.New(now, pause), now: now,
		lost: lost{now: now}, classes: classes{now: now}, versions: versions{now: now},
	}
}

// Provider returns the provider.
func (t *Tables) Provider() Provider { return t.provider }

// Asked returns the provider for a profile between places, or anywhere if there are none.
func (t *Tables) Asked(profile Profile, points ...Point) Provider {
	if !servesAt(t.provider, t.Served(profile, points...), points) {
		return Crow{}
	}
	return t.provider
}

// Wish says which legs are needed first, and for how long the provider is asked. An empty wish is for
// all legs.
type Wish struct {
	// First are routes, by the numbers of their places in sequence: all legs between the places
	// of a route come first.
	First [][]int
	// Hubs are places whose legs from and to all others come next, such as depots.
	Hubs []int
	// Until is when no more requests are sent; zero is never.
	Until time.Time
}

// over reports whether there is no time left for another request.
func (w *Wish) over() bool { return !w.Until.IsZero() && time.Now().After(w.Until) }

// Table is a matrix of legs, and its source.
type Table struct {
	routing.Travel
	// Provider is the provider that was called, and Profile the one whose legs these are: the
	// plain one if the provider has no data for a class. Version is that of its road data.
	Provider string
	Profile  Profile
	Version  string
	// Kinds says what is known of each leg, in rows of Places; nil if all legs are real.
	Kinds []Kind
	// Guessed counts the legs that are not real, and Missing those of them for which the
	// provider can still be asked. A missing leg is a lower bound, or an estimate if
	// the provider fails.
	Guessed, Missing int
	// Far counts the legs that are too long for a table of the provider. They are bounds until a route
	// needs them.
	Far int
	// Lost are places that the provider rejects, with the nearest point of a road.
	Lost map[int]planning.Nearest
	// Outside counts the places where the provider has no roads. Their legs are estimates.
	Outside int
	// FromRoad are how many meters each place is from a road, or planning.UnknownMeters.
	FromRoad []int32
	// Until is when the table must be made again, because rejected places are asked for again;
	// zero is never.
	Until time.Time
	// Fault is the provider's first fault, or nil. CacheFault is the cache's.
	Fault, CacheFault error
}

// Kind returns what is known of the leg between two places.
func (t *Table) Kind(from, to int) Kind {
	places := len(t.FromRoad)
	if t.Kinds == nil || from < 0 || to < 0 || from >= places || to >= places {
		return Real
	}
	return t.Kinds[from*places+to]
}

// Table returns the legs between all points, in both directions. It fails only
// if the context ends, or if a point is invalid.
func (t *Tables) Table(ctx context.Context, cache Cache, profile Profile, points []Point) (Table, error) {
	return t.TableOf(ctx, cache, &Memory{}, profile, points, Wish{})
}

// TableOf does the same for an area whose legs are kept in memory, as far as a wish goes. It only
// reads and requests what is not known.
func (t *Tables) TableOf(
	ctx context.Context, cache Cache, memory *Memory, profile Profile, points []Point, wish Wish,
) (Table, error) {
	for i, p := range points {
		if !p.Valid() {
			return Table{}, fmt.Errorf("travel times: place %d has invalid coordinates", i)
		}
	}
	profile = t.Served(profile, points...)
	table, err := t.tableOf(ctx, cache, memory, profile, points, &wish)
	if err == nil && classed(profile) && unknown(table.Fault) {
		t.lack(profile)
		mode, _ := profile.Class()
		return t.tableOf(ctx, cache, memory, mode, points, &wish)
	}
	return table, err
}

// versionsSeen is how often a table is begun again because the road data changed meanwhile.
const versionsSeen = 3

func (t *Tables) tableOf(
	ctx context.Context, cache Cache, memory *Memory, profile Profile, points []Point, wish *Wish,
) (Table, error) {
	asked := t.Asked(profile, points...)
	out := Table{Provider: asked.Name(), Profile: profile}
	if _, flies := asked.(Crow); flies || len(points) == 0 {
		out.Travel = routing.Travel{Places: len(points), Legs: make([]routing.Leg, 0, len(points)*len(points))}
		for _, a := range points {
			for _, b := range points {
				out.Legs = append(out.Legs, flight(profile, a, b))
			}
		}
		return out, nil
	}
	for try := 1; ; try++ {
		out = Table{Provider: asked.Name(), Profile: profile}
		out.Version, out.Fault = t.version(ctx, profile, points[0])
		source := Source{Provider: out.Provider, Profile: profile, Version: out.Version}
		s := newSurvey(source, memory.of(source, len(points), t.now()), points)
		s.lost = t.lost.of(source)
		if reaching, limited := asked.(Reaching); limited {
			s.reach = reaching.Reach(profile)
		}
		a := asking{tables: t, cache: cache, survey: s, wish: wish, out: &out}
		a.read(ctx)
		changed := out.Fault == nil && a.ask(ctx)
		if ctx.Err() != nil {
			return Table{}, ctx.Err()
		}
		if !changed || try == versionsSeen {
			s.fill(&out)
			return out, nil
		}
	}
}

// survey is one table in the making: places with the numbers of their cells in the memory.
type survey struct {
	source Source
	known  *known
	points []Point
	at     []int
	// cells are the distinct numbers.
	cells []int
	// lost are the cells that are not asked for.
	lost map[Cell]lostPlace
	// reach is how many meters the places of a table may be apart; 0 is any.
	reach float64
}

func newSurvey(source Source, k *known, points []Point) *survey {
	s := &survey{source: source, known: k, points: points, at: k.number(points)}
	seen := make(map[int]bool, len(points))
	for _, n := range s.at {
		if !seen[n] {
			seen[n] = true
			s.cells = append(s.cells, n)
		}
	}
	return s
}

// isLost reports whether a cell is not asked for. The memory is locked.
func (s *survey) isLost(n int) bool {
	_, is := s.lost[s.known.cells[n]]
	return is
}

// fill makes the matrix of what is known, and counts the rest. Within a cell, straight-line
// estimates are good enough.
func (s *survey) fill(out *Table) {
	k, n := s.known, len(s.points)
	k.mu.Lock()
	defer k.mu.Unlock()
	out.Travel = routing.Travel{Places: n, Legs: make([]routing.Leg, n*n)}
	out.Kinds, out.FromRoad = make([]Kind, n*n), make([]int32, n)
	lost, outside := s.flags(out)
	factors := k.bounds.factors()
	for i, a := range s.at {
		legs, kinds := out.Legs[i*n:(i+1)*n], out.Kinds[i*n:(i+1)*n]
		row, rowKinds := k.legs[a*k.side:(a+1)*k.side], k.kinds[a*k.side:(a+1)*k.side]
		for j, b := range s.at {
			switch {
			case a == b:
				legs[j], kinds[j] = flight(s.source.Profile, s.points[i], s.points[j]), Real
			case lost[i] || lost[j]:
				legs[j], kinds[j] = routing.Leg{Seconds: routing.Unreachable}, Real
			case outside[i] || outside[j]:
				legs[j], kinds[j] = flight(s.source.Profile, s.points[i], s.points[j]), Estimate
			case rowKinds[b] != Bound:
				legs[j], kinds[j] = row[b], rowKinds[b]
			default:
				legs[j] = s.insteadOf(i, j, out, &factors)
			}
			if kinds[j] != Real {
				out.Guessed++
			}
		}
	}
	if out.Guessed == 0 {
		out.Kinds = nil
	}
	if out.Missing == 0 { // nothing stands in for what the provider did not say
		out.Fault = nil
	}
}

// insteadOf returns what stands in for a leg between two places that is not known, and counts it.
func (s *survey) insteadOf(i, j int, out *Table, factors *[len(lengths) + 1]float64) routing.Leg {
	if s.reach > 0 && metersBetween(s.points[i], s.points[j]) > s.reach {
		out.Far++
	} else {
		out.Missing++
	}
	if out.Fault != nil {
		return flight(s.source.Profile, s.points[i], s.points[j])
	}
	return bound(flight("", s.points[i], s.points[j]), factors)
}

// flags returns which places are lost or outside, and notes what is known of each place.
func (s *survey) flags(out *Table) (lost, outside []bool) {
	lost, outside = make([]bool, len(s.at)), make([]bool, len(s.at))
	for i, a := range s.at {
		out.FromRoad[i] = s.known.meters[a]
		at, is := s.lost[s.known.cells[a]]
		if !is {
			continue
		}
		lost[i], outside[i] = !at.outside, at.outside
		if out.Until.IsZero() || at.until.Before(out.Until) {
			out.Until = at.until
		}
		if at.outside {
			out.Outside++
			continue
		}
		if out.Lost == nil {
			out.Lost = map[int]planning.Nearest{}
		}
		out.Lost[i] = at.nearest
	}
	return lost, outside
}
