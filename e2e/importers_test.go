package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// Twelve organizations import in bulk without pause, with exports of all
// orders. Each has an import that never ends, so that its exports wait, and
// such a long log of changes that they wait repeatedly. An order of a
// thirteenth reaches its exports before the others' earlier orders do, as well
// as its feed and a message.
func TestTwelveImportersDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	const others = 12
	busy, ids, firsts := make([]*organization, others), make([]int64, others), make([]int64, others)
	for n := range busy {
		busy[n] = i.organization(t)
		ids[n], firsts[n] = busy[n].id, orderID(t, busy[n].importOrders(t, orders(carrierOrder("FIRST")))[0])
	}
	o := i.organization(t)
	_, err := i.admin.Exec(t.Context(), `insert into imports (org_id, defaults, total, chunks, created_at)
		select unnest($1::bigint[]), '{}', 1000, 2, now() + interval '1 hour'`, ids)
	require.NoError(t, err)
	_, err = i.admin.Exec(t.Context(), `insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id)
		select o.org, 'order.updated', 'order', o.id, 'system', 'test', o.id
		from unnest($1::bigint[], $2::bigint[]) as o (org, id), generate_series(1, 8000)`, ids, firsts)
	require.NoError(t, err)
	importing, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	for _, of := range busy {
		working.Go(func() { of.importWithoutPause(importing, t) })
	}
	const behind = `select count(*) from unnest($1::bigint[]) as o (id) join event_cursors c
		on c.follower = 'exports' and c.shard = event_shard(o.id) and c.position < $2`
	eventually(t, "the others are at work, and what they make waits", func() bool {
		return one[int](t, i, behind, ids, one[int64](t, i, "select last_position from event_sequencer")) == others
	})

	began := time.Now()
	entry := carrierOrder("THIRTEENTH")
	entry["delivery"].(object)["contacts"] = []object{{"firstName": "Kari", "emailAddress": "thirteenth@example.com"}}
	order := orderID(t, o.importOrders(t, orders(entry))[0])
	waiting := 0
	eventually(t, "the order is exported", func() bool {
		if one[int](t, i, "select count(*) from order_exports where org_id = $1", o.id) == 0 {
			return false
		}
		waiting = one[int](t, i, behind, ids, one[int64](t, i, "select min(position) from events where org_id = $1 and order_id = $2", o.id, order))
		return true
	})
	require.Positive(t, waiting, "what was made before is still not taken")
	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")
	require.Equal(t, "THIRTEENTH", o.awaitFeed(t, 1)[0].ExternalID)
	seen, _ := o.follow(t, "", 100)
	require.True(t, slices.ContainsFunc(seen, func(c contract.OrderStatusChange) bool { return c.ExternalID == "THIRTEENTH" }))
	t.Logf("imported and told after %s", time.Since(began)) // make bench has a bound for it
}

// importWithoutPause sends one bulk import after the other.
func (o *organization) importWithoutPause(ctx context.Context, t *testing.T) {
	for n := 0; ctx.Err() == nil; n++ {
		entries := make([]object, 600) // more than a chunk
		for i := range entries {
			entries[i] = carrierOrder(fmt.Sprintf("BUSY-%d-%d", n, i))
		}
		r := o.request(t, http.MethodPost, "/v3/orders/import", orders(entries...), "Authorization", "apikey "+o.key)
		if answer, err := http.DefaultClient.Do(r.WithContext(ctx)); err == nil {
			_ = answer.Body.Close()
		}
	}
}
