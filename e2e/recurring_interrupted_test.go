package e2e_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"waybill/api/contract"
	"waybill/workflows"
)

// TestChangeDoesNotTouchGeneratedOrders moves a template to another hour
// without applying that to its orders.
func TestChangeDoesNotTouchGeneratedOrders(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	id := o.createTemplate(t).RecurringOrderID
	o.awaitGenerated(t, id, days(0, 6, registered))
	ten := object{"startDate": today().Add(10 * time.Hour).UTC().Format(time.RFC3339)}
	preview := read[contract.RecurringOrderUpdatePreview](t, o.expect(t, http.StatusOK, http.MethodPost, templatePath(id)+"/preview-update", ten))
	require.Empty(t, preview.Create)
	require.Empty(t, preview.DoubledDates)
	require.Len(t, preview.KeptDates, 7)
	require.Equal(t, day(0), preview.KeptDates[0].String())
	o.change(t, id, ten)
	o.change(t, id, object{"daysToGenerateAhead": 7})
	o.awaitGenerated(t, id, days(0, 7, registered))
	require.Equal(t, []string{"0900", "1000"}, list(t, o.installation, `
		select distinct right(occurrence, 4) from recurring_occurrences where org_id = $1 and recurring_order_id = $2
		order by 1`, o.id, id))
}

// TestAGenerationIsEndedWhileItRuns deletes a template whose second and third
// batches are stalled: the response follows the second, although the third
// could never end.
func TestAGenerationIsEndedWhileItRuns(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const perDay = 3
	number := func(day int) string { return today().AddDate(0, 0, day).Format("20060102") }
	created := o.createTemplate(t, object{
		"rruleset": "FREQ=DAILY;BYHOUR=8,12,16", "daysToGenerateAhead": 0, "startDate": today().Add(8 * time.Hour).UTC().Format(time.RFC3339),
	})
	id := created.RecurringOrderID
	o.awaitOccurrences(t, id, perDay)
	second := o.stall(t, fmt.Sprintf("recurring-%d-%sT1600", id, number(250)))
	third := o.stall(t, fmt.Sprintf("recurring-%d-%sT1600", id, number(360)))
	defer third()
	o.change(t, id, object{"daysToGenerateAhead": 365})
	eventually(t, "the first batch is done", func() bool { return o.occurrences(t, id) > perDay })

	gone := make(chan struct{})
	go func() {
		defer close(gone)
		o.expect(t, http.StatusNoContent, http.MethodDelete, templatePath(id), nil)
	}()
	c := o.temporalClient(t)
	eventually(t, "the workflow has the request", func() bool {
		accepted := 0
		history := c.GetWorkflowHistory(t.Context(), workflows.RecurringOrderID(o.slug, id), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			event, err := history.Next()
			require.NoError(t, err)
			if event.GetEventType() == enums.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED {
				accepted++
			}
		}
		return accepted == 3
	})
	second()
	<-gone
	o.awaitClosed(t, id)
	require.Less(t, o.occurrences(t, id), perDay*366, "the third batch never began")
}
