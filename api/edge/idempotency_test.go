package edge_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/edge"
	"waybill/store"
)

func TestOnlyFinalResponsesAreRepeated(t *testing.T) {
	t.Parallel()
	for status, final := range map[int]bool{
		http.StatusOK: true, http.StatusCreated: true, http.StatusNoContent: true, http.StatusBadRequest: true,
		http.StatusNotFound: true, http.StatusConflict: true, http.StatusUnprocessableEntity: true,
		// The caller is over its rate or gone, or the fault is internal, so the
		// request can be retried.
		http.StatusTooManyRequests: false, 499: false, http.StatusInternalServerError: false,
		http.StatusServiceUnavailable: false,
		0:                             false,
	} {
		require.Equal(t, final, edge.Final(status), status)
	}
	require.False(t, edge.FinalWith(http.StatusConflict, http.Header{"Retry-After": {"1"}}), "another request was faster")
}

// TestBusyKeyIsLookedUpLessOften, and again when the claim of a process that was
// killed lapses.
func TestBusyKeyIsLookedUpLessOften(t *testing.T) {
	t.Parallel()
	const claim = 70 * time.Second
	require.Equal(t, 1, edge.RetryBusyKey(store.ErrKeyBusy, claim))
	for worked, wait := range map[time.Duration]int{
		0: 1, 2 * time.Second: 2, 30 * time.Second: 30, 60 * time.Second: 11, 70 * time.Second: 1, 80 * time.Second: 1,
	} {
		require.Equal(t, wait, edge.RetryBusyKey(&store.BusyKeyError{LapsesIn: claim - worked}, claim), worked)
	}
}
