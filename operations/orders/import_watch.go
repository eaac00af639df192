package orders

import (
	"sync"

	"waybill/domain/caller"
)

// importKey names an import.
type importKey struct{ org, id int64 }

// watchedImports are the imports that callers of this process wait for.
type watchedImports struct {
	mutex sync.Mutex
	kept  map[importKey]chan struct{}
}

// WatchImport returns a channel that is closed once the results of an import are
// kept, if it is this process that keeps them: whoever waits then need not hear
// it from the workflow, which ends a little later. It is nil for an import of
// several chunks, which only the workflow counts. Whoever watched calls forget.
func (o *Operations) WatchImport(c caller.Caller, staged StagedImport) (kept <-chan struct{}, forget func()) {
	if staged.Chunks != 1 {
		return nil, func() {}
	}
	key, w := importKey{c.OrgID, staged.ID}, &o.watched
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.kept == nil {
		w.kept = map[importKey]chan struct{}{}
	}
	watched := make(chan struct{})
	w.kept[key] = watched
	return watched, func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		delete(w.kept, key)
	}
}

// tell lets those go on who wait for an import.
func (w *watchedImports) tell(org, importID int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	key := importKey{org, importID}
	if watched, some := w.kept[key]; some {
		delete(w.kept, key)
		close(watched)
	}
}
