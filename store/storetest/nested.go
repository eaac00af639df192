package storetest

import (
	"context"
	"sync"
	"testing"

	"waybill/store/poolcheck"
)

// nested are the connections that were taken while another one of the pool was held.
type nested struct {
	mu    sync.Mutex
	found []poolcheck.Nested
}

func (n *nested) add(_ context.Context, found poolcheck.Nested) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.found = append(n.found, found)
}

// check fails the test if there are nested acquisitions. It reports only the
// first.
func (n *nested) check(t testing.TB) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.found) > 0 {
		t.Errorf("%d times, %s", len(n.found), n.found[0])
	}
}
