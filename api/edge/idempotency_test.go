package edge_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/edge"
)

func TestOnlyFinalAnswersAreGivenAgain(t *testing.T) {
	t.Parallel()
	for status, final := range map[int]bool{
		http.StatusOK: true, http.StatusCreated: true, http.StatusNoContent: true, http.StatusBadRequest: true,
		http.StatusNotFound: true, http.StatusConflict: true, http.StatusUnprocessableEntity: true,
		// The caller is over its rate or gone, or the fault is ours: to be tried again.
		http.StatusTooManyRequests: false, 499: false, http.StatusInternalServerError: false,
		http.StatusServiceUnavailable: false,
		0:                             false,
	} {
		require.Equal(t, final, edge.Final(status), status)
	}
	require.False(t, edge.FinalWith(http.StatusConflict, http.Header{"Retry-After": {"1"}}), "another request was faster")
}
