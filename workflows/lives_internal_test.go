package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/domain/housekeeping"
)

// Failed workflows restart once a day, except messages, which people send
// again, and imports, which end at once.
func TestFailedWorkflowRestartsADayLater(t *testing.T) {
	t.Parallel()
	const failed, running = enums.WORKFLOW_EXECUTION_STATUS_FAILED, enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	const hour = time.Hour
	for _, duty := range housekeeping.Duties() {
		if duty.Kind() == "" {
			continue
		}
		require.False(t, toBegin(duty, running, 48*hour), duty)
		require.True(t, toBegin(duty, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, 0), duty)
		require.Equal(t, duty == housekeeping.LiveImports, toBegin(duty, failed, 23*hour), duty)
		require.Equal(t, duty != housekeeping.LiveMessages, toBegin(duty, failed, 24*hour), duty)
	}
}
