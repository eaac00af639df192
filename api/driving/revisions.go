package driving

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"waybill/domain/outward"
)

// sameETA is by how much an ETA may move without a phone being told.
const sameETA = 30 * time.Second

// progress are the fields of a stop that change during the day.
type progress struct {
	Sequence       int32      `json:"sequence"`
	OrderStatusID  int32      `json:"orderStatusId"`
	Status         string     `json:"status"`
	ETA            *time.Time `json:"eta"`
	DrivingSeconds int32      `json:"drivingSeconds"`
	SetupSeconds   int32      `json:"setupSeconds"`
	SameVisit      bool       `json:"sameVisit"`
	Meters         int32      `json:"meters"`
}

// progressFields are the names of the fields of a progress.
var progressFields = []string{
	"sequence", "orderStatusId", "status", "eta", "drivingSeconds", "setupSeconds", "sameVisit", "meters",
}

// seenStop is a stop as a phone has it.
type seenStop struct {
	id       int64
	progress progress
	rest     [sha256.Size]byte // the sum of all other fields
	document json.RawMessage   // the stop itself; absent where it is remembered
}

// version is a route as a phone has it.
type version struct {
	route    [sha256.Size]byte // the sum of all that is not a stop
	document json.RawMessage   // the route without its stops; absent where it is remembered
	stops    []seenStop
}

// versionOf takes a driver's route apart.
func versionOf(document []byte) (*version, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(document, &fields); err != nil {
		return nil, fmt.Errorf("read a route: %w", err)
	}
	var stops []json.RawMessage
	if err := json.Unmarshal(fields["stops"], &stops); err != nil {
		return nil, fmt.Errorf("read the stops of a route: %w", err)
	}
	fields["stops"] = json.RawMessage("[]")
	v := &version{stops: make([]seenStop, len(stops))}
	var err error
	if v.document, err = json.Marshal(fields); err != nil {
		return nil, fmt.Errorf("write a route: %w", err)
	}
	v.route = sha256.Sum256(v.document)
	for i, stop := range stops {
		if v.stops[i], err = stopOf(stop); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// stopOf separates the progress of a stop from the rest.
func stopOf(document json.RawMessage) (s seenStop, err error) {
	var fields map[string]json.RawMessage
	if err = json.Unmarshal(document, &fields); err == nil {
		err = json.Unmarshal(fields["stopId"], &s.id)
	}
	if err == nil {
		err = json.Unmarshal(document, &s.progress)
	}
	if err != nil {
		return s, fmt.Errorf("read a stop: %w", err)
	}
	for _, name := range progressFields {
		delete(fields, name)
	}
	rest, err := json.Marshal(fields) // which sorts the names
	if err != nil {
		return s, fmt.Errorf("write a stop: %w", err)
	}
	s.rest, s.document = sha256.Sum256(rest), document
	return s, nil
}

// ids returns the stops in their sequence.
func (v *version) ids() []int64 {
	ids := make([]int64, len(v.stops))
	for i := range v.stops {
		ids[i] = v.stops[i].id
	}
	return ids
}

// name identifies the version among those of one route.
func (v *version) name() (string, error) {
	sum := sha256.New()
	_, _ = sum.Write(v.route[:])
	for i := range v.stops {
		s := &v.stops[i]
		p, err := json.Marshal(s.progress)
		if err != nil {
			return "", fmt.Errorf("name a version: %w", err)
		}
		_, _ = fmt.Fprintf(sum, "%d", s.id)
		_, _ = sum.Write(p)
		_, _ = sum.Write(s.rest[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// changes are the differences between two versions of a route.
type changes struct {
	route    json.RawMessage // nil if unchanged
	sequence []int64         // nil if unchanged
	delays   []delay         // nil if the phone does not apply them
	stops    []json.RawMessage
	progress []map[string]any
}

// delay moves the ETAs of consecutive stops by the same time.
type delay struct {
	From    int64 `json:"fromStopId"`
	Through int64 `json:"throughStopId"`
	Seconds int64 `json:"seconds"`
}

// fewestDelayed is how many stops a delay moves at least; fewer are told apart.
const fewestDelayed = 3

// since returns what changed since an earlier version, or everything without one. ETAs
// that the phone is not told stay in the version as the phone has them. The result has
// delays only if the phone applies them.
func (v *version) since(before *version, appliesDelays bool) *changes {
	c := &changes{stops: []json.RawMessage{}, progress: []map[string]any{}}
	isComplete := before == nil
	if isComplete {
		before = &version{}
	}
	if before.route != v.route {
		c.route = v.document
	}
	had := make(map[int64]seenStop, len(before.stops))
	for _, s := range before.stops {
		had[s.id] = s
	}
	if appliesDelays {
		c.delays = v.delaysSince(had)
	}
	for i := range v.stops {
		s := &v.stops[i]
		was, known := had[s.id]
		if !known || was.rest != s.rest {
			c.stops = append(c.stops, s.document)
			continue
		}
		if moved := s.progress.since(&was.progress); len(moved) > 0 {
			moved["stopId"] = s.id
			c.progress = append(c.progress, moved)
		}
	}
	if ids := v.ids(); isComplete || !slices.Equal(ids, before.ids()) {
		c.sequence = append([]int64{}, ids...)
	}
	return c
}

// delaysSince finds consecutive stops whose ETAs moved by about the same time, and applies
// the delays to the stops that the phone has.
func (v *version) delaysSince(had map[int64]seenStop) []delay {
	delays := []delay{}
	for i := 0; i < len(v.stops); {
		moved, _ := v.stops[i].movedSince(had)
		if moved.Abs() < sameETA {
			i++
			continue
		}
		ids := v.delayedFrom(i, moved, had)
		if len(ids) < fewestDelayed {
			i++
			continue
		}
		for _, id := range ids {
			s := had[id]
			eta := s.progress.ETA.Add(moved)
			s.progress.ETA = &eta
			had[id] = s
		}
		delays = append(delays, delay{ids[0], ids[len(ids)-1], int64(moved / time.Second)})
		i += len(ids)
	}
	return delays
}

// delayedFrom returns the consecutive stops from one on that moved by about a time.
func (v *version) delayedFrom(first int, moved time.Duration, had map[int64]seenStop) (ids []int64) {
	for i := range v.stops[first:] {
		s := &v.stops[first+i]
		its, comparable := s.movedSince(had)
		if !comparable || (its-moved).Abs() >= sameETA {
			break
		}
		ids = append(ids, s.id)
	}
	return ids
}

// movedSince returns by how many whole seconds the ETA of a stop moved. The result is false
// for a stop that the phone does not have, or that is or was without an ETA.
func (s *seenStop) movedSince(had map[int64]seenStop) (time.Duration, bool) {
	was, known := had[s.id]
	if !known || was.rest != s.rest || was.progress.ETA == nil || s.progress.ETA == nil {
		return 0, false
	}
	return s.progress.ETA.Sub(*was.progress.ETA).Truncate(time.Second), true
}

// since returns the changed fields of a stop's progress.
func (p *progress) since(was *progress) map[string]any {
	fields := map[string]any{}
	note := func(name string, changed bool, value any) {
		if changed {
			fields[name] = value
		}
	}
	note("sequence", p.Sequence != was.Sequence, p.Sequence)
	note("orderStatusId", p.OrderStatusID != was.OrderStatusID, p.OrderStatusID)
	note("status", p.Status != was.Status, p.Status)
	note("drivingSeconds", p.DrivingSeconds != was.DrivingSeconds, p.DrivingSeconds)
	note("setupSeconds", p.SetupSeconds != was.SetupSeconds, p.SetupSeconds)
	note("sameVisit", p.SameVisit != was.SameVisit, p.SameVisit)
	note("meters", p.Meters != was.Meters, p.Meters)
	if p.ETA != nil && was.ETA != nil && p.ETA.Sub(*was.ETA).Abs() < sameETA {
		p.ETA = was.ETA
	}
	if p.ETA == nil {
		note("eta", was.ETA != nil, nil)
	} else {
		note("eta", was.ETA == nil || !p.ETA.Equal(*was.ETA), p.ETA.UTC().Format(outward.Instant))
	}
	return fields
}

// forgetDocuments leaves what a later comparison needs.
func (v *version) forgetDocuments() {
	v.document = nil
	for i := range v.stops {
		v.stops[i].document = nil
	}
	v.stops = slices.Clip(v.stops)
}

// routeKey is a version of the route of a driver's day.
type routeKey struct {
	orgID, driverID int64
	day             time.Time
	revision        string
}

// mostStops is how many stops of all routes together are remembered: some 35 MB.
const mostStops = 200_000

// versions remembers the routes that phones have. A phone whose version is forgotten, or
// that another process served before, gets its whole route.
type versions struct {
	most int

	mu    sync.Mutex
	known map[routeKey]*list.Element
	used  *list.List // the least recently used one first
	stops int
}

type remembered struct {
	key     routeKey
	version *version
}

func newVersions(most int) *versions {
	return &versions{most: most, known: map[routeKey]*list.Element{}, used: list.New()}
}

// find returns a version, or nil.
func (r *versions) find(key *routeKey) *version {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, known := r.known[*key]
	if !known {
		return nil
	}
	r.used.MoveToBack(found)
	return found.Value.(*remembered).version //nolint:forcetypeassert // only these are in it
}

// keep remembers a version, and forgets others.
func (r *versions) keep(key *routeKey, v *version) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if found, known := r.known[*key]; known {
		r.used.MoveToBack(found)
		return
	}
	r.known[*key] = r.used.PushBack(&remembered{*key, v})
	r.stops += cost(v)
	for r.stops > r.most && r.used.Len() > 1 {
		oldest := r.used.Remove(r.used.Front()).(*remembered) //nolint:forcetypeassert // as above
		delete(r.known, oldest.key)
		r.stops -= cost(oldest.version)
	}
}

// cost counts a version's stops; a route without any takes space as well.
func cost(v *version) int { return 1 + len(v.stops) }
