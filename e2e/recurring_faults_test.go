package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGenerationSurvivesCrashes kills the worker during a transaction that
// generates orders, and the Temporal server soon after: in the end each
// occurrence has exactly one order.
func TestGenerationSurvivesCrashes(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	id := o.createTemplate(t, object{
		"rruleset": "FREQ=DAILY;BYHOUR=8,12,16", "daysToGenerateAhead": 0, "startDate": today().Add(8 * time.Hour).UTC().Format(time.RFC3339),
	}).RecurringOrderID
	o.awaitOccurrences(t, id, 3)

	// Three batches are due, and the last one cannot end.
	const ahead = 365
	release := o.stall(t, fmt.Sprintf("recurring-%d-%sT1600", id, today().AddDate(0, 0, ahead).Format("20060102")))
	o.change(t, id, object{"daysToGenerateAhead": ahead})
	eventually(t, "a batch is done", func() bool { return o.occurrences(t, id) > 3 })
	o.awaitBlocked(t, "waybill-work")
	require.Less(t, o.occurrences(t, id), 3*(ahead+1))
	i.kill("work")
	i.temporal.Kill()
	require.NoError(t, i.temporal.Start(t.Context()))
	require.NoError(t, i.start("work"))
	release()
	o.awaitOccurrences(t, id, 3*(ahead+1))

	const made = "select count(*) from orders where org_id = $1"
	require.Equal(t, 3*(ahead+1), one[int](t, i, made, o.id))
	const told = "select count(distinct order_id) = count(*) and count(*) = $2 from events where org_id = $1 and kind = 'order.created'"
	require.True(t, one[bool](t, i, told, o.id, 3*(ahead+1)), "each order was registered once")
}

// occurrences counts the occurrences of a template that have an existing order.
func (o *organization) occurrences(t *testing.T, id int64) int {
	t.Helper()
	return one[int](t, o.installation, `select count(*) from recurring_occurrences c
		join orders o on o.org_id = c.org_id and o.number = c.number where c.org_id = $1 and c.recurring_order_id = $2`, o.id, id)
}

func (o *organization) awaitOccurrences(t *testing.T, id int64, want int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d occurrences have their orders", want), func() bool { return o.occurrences(t, id) == want })
}
