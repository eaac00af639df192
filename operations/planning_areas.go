package operations

import (
	"container/list"
	"context"
	"sync"
	"time"

	"waybill/domain/planning"
	"waybill/providers/travel"
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
	reasons *planning.Reasons
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
		at = a.recent.PushFront(&areaMemory{of: key, reasons: planning.NewReasons()})
		a.known[key] = at
	}
	a.forget()
	return at.Value.(*areaMemory)
}

// forget makes room. The area that was used last stays.
func (a *areas) forget() {
	bytes, areas := int64(0), 0
	for at := a.recent.Front(); at != nil; {
		memory, next := at.Value.(*areaMemory), at.Next()
		bytes, areas = bytes+memory.travel.Bytes(), areas+1
		if areas > 1 && (bytes > a.most || areas > mostAreas) {
			bytes -= memory.travel.Bytes()
			a.recent.Remove(at)
			delete(a.known, memory.of)
		}
		at = next
	}
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
