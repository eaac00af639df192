package planning

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"waybill/domain/planning"
	"waybill/providers/travel"
	"waybill/store"
)

// mostRemembered is about how many bytes of travel times of areas a process keeps.
const mostRemembered = 256 << 20

// mostAreas is of how many areas it keeps anything.
const mostAreas = 500

// areas keep what is known of the areas that were planned of late: travel times,
// and why orders are left over. All of it can be found again.
type areas struct {
	most int64

	mu    sync.Mutex
	known map[areaOf]*list.Element
	// recent has those that were used last in front.
	recent *list.List
}

// areaOf is an area of an organization.
type areaOf struct {
	org, department int64
	date            string
}

// areaMemory is what is known of one area.
type areaMemory struct {
	of      areaOf
	travel  travel.Memory
	roads   areaRoads
	reasons *planning.Reasons
	// districts divide a large day.
	districts districts
	// last is what a district was planned from the last time; nil is not yet.
	last atomic.Pointer[lastSlice]
	// read is what was read of the day the last time; nil is nothing.
	read atomic.Pointer[store.PlanningRead]
	// chosen is when the days of orders were looked at the last time; nil is not yet.
	chosen atomic.Pointer[choices]
	// held is since when new times of stops are held back; nil is never.
	held atomic.Pointer[time.Time]
	// failed is since when the server of travel times fails; nil is never.
	failed atomic.Pointer[time.Time]
}

// bytes is about how much it holds.
func (m *areaMemory) bytes() int64 {
	return m.travel.Bytes() + m.roads.bytes() + m.read.Load().Bytes() + m.districts.bytes()
}

func newAreaMemory(of areaOf) *areaMemory { return &areaMemory{of: of, reasons: planning.NewReasons()} }

// forgetWays has all ways made again.
func (m *areaMemory) forgetWays() {
	m.travel.Forget()
	m.roads.present().forget()
	m.districts.forget()
}

func newAreas(most int64) *areas {
	return &areas{most: most, known: map[areaOf]*list.Element{}, recent: list.New()}
}

// of returns the memory of an area. Those that were not used for longest make room.
func (a *areas) of(org int64, area planning.Area) *areaMemory {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := areaOf{org, area.DepartmentID, area.Date.Format(time.DateOnly)}
	at, known := a.known[key]
	if known {
		a.recent.MoveToFront(at)
	} else {
		at = a.recent.PushFront(newAreaMemory(key))
		a.known[key] = at
	}
	a.forget()
	return at.Value.(*areaMemory)
}

// forget makes room. The organization that holds most gives up what it did not use for longest,
// so a large one does not push out all others. The area that was used last stays.
func (a *areas) forget() {
	holds, sum := map[int64]holding{}, holding{}
	for at := a.recent.Front(); at != nil; at = at.Next() {
		memory := at.Value.(*areaMemory)
		one := holding{bytes: memory.bytes(), areas: 1}
		holds[memory.of.org], sum = holds[memory.of.org].with(one, 1), sum.with(one, 1)
	}
	for sum.areas > 1 && (sum.bytes > a.most || sum.areas > mostAreas) {
		at := a.dispensable(holds, sum.bytes > a.most)
		memory := at.Value.(*areaMemory)
		one := holding{bytes: memory.bytes(), areas: 1}
		holds[memory.of.org], sum = holds[memory.of.org].with(one, -1), sum.with(one, -1)
		a.recent.Remove(at)
		delete(a.known, memory.of)
	}
}

// holding is how much an organization holds.
type holding struct {
	bytes int64
	areas int
}

func (h holding) with(other holding, times int) holding {
	return holding{h.bytes + int64(times)*other.bytes, h.areas + times*other.areas}
}

// dispensable returns the area that was not used for longest of the organization that holds
// most, by bytes or by areas. It is never the one in front.
func (a *areas) dispensable(holds map[int64]holding, byBytes bool) *list.Element {
	var found *list.Element
	most := int64(-1)
	for at := a.recent.Back(); at != a.recent.Front(); at = at.Prev() {
		h := holds[at.Value.(*areaMemory).of.org]
		amount := int64(h.areas)
		if byBytes {
			amount = h.bytes
		}
		if amount > most {
			found, most = at, amount
		}
	}
	return found
}

// begin makes the draft of a slice, which asks for no more travel times when the
// slice ends.
func (w *planner) begin(ctx context.Context, day planning.Day, ended <-chan struct{}) error {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-ended:
			stop()
		case <-asking.Done():
		}
	}()
	err := w.draft(asking, day)
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		return ErrEndedWaiting
	}
	return err
}
