package driving_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReportsTwoDaysLateGiveTheSameResult sends a day's actions two days late, in
// random sequence and twice. The result equals the actions; sending all of them again,
// in any sequence and twice, changes nothing.
func TestReportsTwoDaysLateGiveTheSameResult(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	const ago = 48 * time.Hour
	var stands []string
	var orders []int64
	var day []object
	for _, number := range []string{"A-1", "A-2"} {
		id, pickup, delivery := nora.give(number)
		nora.exec("update orders set created_at = now() - interval '4 days' where org_id = $1 and id = $2", id)
		orders = append(orders, id)
		day = append(day, nora.did("ARRIVE", pickup, ago+50*minute), nora.did("PICK_UP", pickup, ago+40*minute),
			nora.did("ARRIVE", delivery, ago+20*minute))
		end := nora.did("DELIVER", delivery, ago+10*minute, object{"proof": object{"type": "IN_PERSON", "signee": "Kari"}})
		if number == "A-2" {
			end = nora.did("FAIL", delivery, ago+10*minute, object{"reason": "Nobody at home"})
		}
		day = append(day, end)
	}
	send := func() {
		twice := slices.Concat(day, day)
		rand.Shuffle(len(twice), func(a, b int) { twice[a], twice[b] = twice[b], twice[a] })
		nora.says(twice...)
	}
	send()
	for _, id := range orders {
		stands = append(stands, d.stand(id))
	}
	require.Contains(t, stands[0], "6 driver=")
	require.Contains(t, stands[0], "IN_PERSON")
	require.Contains(t, stands[1], "Nobody at home")
	late := `select bool_and(occurred_at < now() - interval '47 hours')::text from driver_actions where org_id = $1`
	require.Equal(t, "true", d.Text(late), "it happened when the phone says")

	const rows = `select concat_ws(' ',
		(select string_agg(concat_ws(' ', xmin, ctid), ',' order by id) from orders where org_id = $1),
		(select string_agg(concat_ws(' ', xmin, ctid), ',' order by order_id) from order_progress where org_id = $1),
		(select string_agg(concat_ws(' ', xmin, ctid), ',' order by id) from completion_proofs where org_id = $1),
		(select string_agg(concat_ws(' ', xmin, ctid), ',' order by id) from order_documentations where org_id = $1),
		(select string_agg(concat_ws(' ', xmin, ctid), ',' order by id) from driver_actions where org_id = $1),
		(select count(*) from events where org_id = $1))`
	before := d.Text(rows)
	for range 3 {
		send()
	}
	require.Equal(t, before, d.Text(rows))
}
