package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// bulk is an import of 5,000 entries of every kind: most are new, some update
// existing orders, some become drafts, and some numbers occur again later.
func bulk() object {
	const size = 5000
	entries := make([]object, 0, size)
	for i := range size {
		number := fmt.Sprintf("BULK-%04d", i)
		switch {
		case i%50 == 7:
			entries = append(entries, newOrder(number, object{"customer": object{"externalId": "nobody"}}))
		case i%50 == 9:
			entries = append(entries, newOrder(fmt.Sprintf("BULK-%04d", i-9), object{"reference": "again"}))
		case i%10 == 0:
			entries = append(entries, richOrder(number))
		default:
			place := object{
				"name": fmt.Sprintf("Door %d", i%700), "instructions": "Ring the bell",
				"earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
				"address":  object{"latitude": 59.9 + float64(i%700)/10_000, "longitude": 10.7},
				"contacts": []object{{"firstName": "Kari", "phoneNumber": fmt.Sprintf("+47%08d", i)}},
			}
			entries = append(entries, newOrder(number, object{"delivery": place}))
		}
	}
	return orders(entries...)
}

// earlier are orders that the bulk import then finds there.
func earlier() object {
	var entries []object
	for i := 0; i < 5000; i += 25 {
		entries = append(entries, newOrder(fmt.Sprintf("BULK-%04d", i+1), object{"reference": "before"}))
	}
	return orders(entries...)
}

// bulkChunks is how many transactions the bulk import takes.
const bulkChunks = 10

// stall keeps the bulk import from its end until released: the number of one
// of the last chunk's orders is taken by a transaction that stays open.
func (o *organization) stall(t *testing.T, numbers ...string) (release func()) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	tx, err := o.admin.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, "insert into order_numbers (org_id, number) select $1, unnest($2::text[])", o.id, numbers)
	require.NoError(t, err)
	release = sync.OnceFunc(func() { _ = tx.Rollback(ctx) }) // fails when the server was taken away meanwhile
	t.Cleanup(release)
	return release
}

// lastChunk is a number that is worked on in the end.
const lastChunk = "BULK-4998"

// awaitMiddle waits until an import is partly done.
func (o *organization) awaitMiddle(t *testing.T, chunks int) {
	t.Helper()
	const query = "select coalesce(max(chunks_done), 0) from imports where org_id = $1 and chunks > 1"
	eventually(t, fmt.Sprintf("%d chunks are done", chunks), func() bool { return one[int](t, o.installation, query, o.id) >= chunks })
	require.Less(t, one[int](t, o.installation, query, o.id), bulkChunks, "the import has come to its end")
}

// awaitBlocked waits until transactions of a waybill process have reached the
// point where the import is stalled.
func (o *organization) awaitBlocked(t *testing.T, application string) {
	t.Helper()
	eventually(t, application+" is in the middle of a transaction", func() bool {
		const query = "select count(*) from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock' and datname = current_database()"
		return one[int](t, o.installation, query, application) > 0
	})
}

// begin imports the existing orders, and sends the bulk import without waiting
// for it. It returns the URL of its results.
func (o *organization) begin(t *testing.T) (location string) {
	t.Helper()
	require.Equal(t, map[string]int{"orderCreated": 200}, kinds(o.importOrders(t, earlier())))
	a := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import", bulk(), "Prefer", "respond-async")
	return a.header.Get("Location")
}

// TestFaults stops servers and processes during an import. Its rows and results
// equal those of the same import without faults.
func TestFaults(t *testing.T) {
	t.Parallel()
	undisturbed := shared.organization(t)
	results := undisturbed.await(t, undisturbed.begin(t))
	require.Equal(t, map[string]int{"orderCreated": 4600, "orderUpdated": 300, "draftCreated": 100}, kinds(results))
	want := undisturbed.rows(t)
	same := func(t *testing.T, o *organization, got []contract.ImportResult) {
		t.Helper()
		require.Len(t, got, len(results))
		for i := range got {
			require.Equal(t, kind(results[i]), kind(got[i]), "result %d", i)
		}
		requireSameRows(t, want, o.rows(t))
	}

	t.Run("EveryWorkerIsKilledInTurn", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work") // which runs all of the bulk import
		o := i.organization(t)
		release := o.stall(t, "BULK-2498", "BULK-2998", "BULK-3498", "BULK-3998", "BULK-4498", lastChunk)
		location := o.begin(t)
		o.awaitMiddle(t, 2)
		o.awaitBlocked(t, "waybill-work")
		i.kill("work")
		i.kill("serve")
		require.NoError(t, i.start("work"))
		o.awaitBlocked(t, "waybill-work")
		i.kill("work")
		release()
		require.NoError(t, i.start("work"))
		require.NoError(t, i.start("serve"))
		require.NoError(t, i.ready(t.Context()))
		same(t, o, o.await(t, location))
	})

	t.Run("TheWorkerIsKilledWhileACallerWaits", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work")
		o := i.organization(t)
		release := o.stall(t, lastChunk)
		answered := o.beginWaiting(t)
		o.awaitMiddle(t, 2)
		i.kill("work")
		require.NoError(t, i.start("work"))
		release()
		same(t, o, o.resultsOf(t, <-answered))
	})

	t.Run("TheAPIIsKilled", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work")
		o := i.organization(t)
		release := o.stall(t, lastChunk)
		location := o.begin(t)
		o.awaitMiddle(t, 3)
		i.kill("serve")
		release()
		require.NoError(t, i.start("serve"))
		require.NoError(t, i.ready(t.Context()))
		same(t, o, o.await(t, location))
	})

	t.Run("PostgresIsAwayForTenSeconds", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work")
		o := i.organization(t)
		o.stall(t, lastChunk)
		answered := o.beginWaiting(t)
		o.awaitMiddle(t, 2)
		require.NoError(t, i.postgres.Stop())
		back := time.After(10 * time.Second)
		require.Equal(t, http.StatusServiceUnavailable, o.call(t, http.MethodGet, "/v1/orders/today", nil).status)
		<-back
		require.NoError(t, i.postgres.Start(t.Context()))
		same(t, o, o.resultsOf(t, <-answered))
	})

	t.Run("PostgresIsKilled", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work")
		o := i.organization(t)
		o.stall(t, lastChunk)
		answered := o.beginWaiting(t)
		o.awaitMiddle(t, 4)
		i.postgres.Kill()
		require.NoError(t, i.postgres.Start(t.Context()))
		same(t, o, o.resultsOf(t, <-answered))
	})

	t.Run("OneOfEachOfSeveralIsKilled", func(t *testing.T) {
		t.Parallel()
		o, got := killOneOfEach(t)
		same(t, o, got)
	})

	t.Run("TemporalIsKilled", func(t *testing.T) {
		t.Parallel()
		i := install(t, "serve", "work")
		o := i.organization(t)
		release := o.stall(t, lastChunk)
		answered := o.beginWaiting(t)
		o.awaitMiddle(t, 2)
		i.temporal.Kill()
		require.Equal(t, http.StatusServiceUnavailable, o.call(t, http.MethodPost, "/v3/orders/import", orders(newOrder("AWAY"))).status)
		release()
		require.NoError(t, i.temporal.Start(t.Context()))
		same(t, o, o.resultsOf(t, <-answered))
	})
}

// beginWaiting is begin with a caller that waits for the response.
func (o *organization) beginWaiting(t *testing.T) <-chan answer {
	t.Helper()
	require.Equal(t, map[string]int{"orderCreated": 200}, kinds(o.importOrders(t, earlier())))
	request := o.request(t, http.MethodPost, "/v3/orders/import", bulk(), "Authorization", "apikey "+o.key)
	answered := make(chan answer, 1)
	go func() { answered <- o.send(t, request) }()
	return answered
}

// resultsOf are the results in a response, or at its URL.
func (o *organization) resultsOf(t *testing.T, a answer) []contract.ImportResult {
	t.Helper()
	if a.status == http.StatusAccepted {
		return o.await(t, a.header.Get("Location"))
	}
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	return read[contract.ImportResponse](t, a).Results
}

// TestManyImportTheSameOrders has twenty clients send the same orders
// concurrently, each beginning with a different one.
func TestManyImportTheSameOrders(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const clients = 20
	numbers := series("SAME-", 200)
	entries := make([]object, len(numbers))
	for i, number := range numbers {
		entries[i] = richOrder(number)
	}
	answers := make([]answer, clients)
	var wg sync.WaitGroup
	for c := range clients {
		request := orders(slices.Concat(entries[c*10:], entries[:c*10])...)
		wg.Go(func() { answers[c] = o.call(t, http.MethodPost, "/v3/orders/import", request) })
	}
	wg.Wait()
	created := map[string]int64{}
	updated := 0
	for _, a := range answers {
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		for _, r := range read[contract.ImportResponse](t, a).Results {
			if r.OrderCreated == nil {
				require.NotNil(t, r.OrderUpdated, kind(r))
				updated++
				continue
			}
			require.NotContains(t, created, r.OrderCreated.ExternalID, "created twice")
			created[r.OrderCreated.ExternalID] = *r.OrderCreated.OrderID
		}
	}
	require.Len(t, created, len(numbers))
	require.Equal(t, (clients-1)*len(numbers), updated)
	counts := o.rowCounts(t)
	require.Equal(t, []int{200, 400, 600, 200, 0}, []int{
		counts["orders"], counts["order_stops"], counts["order_products"], counts["order_numbers"], counts["drafts"],
	})
	changes, _ := o.followUntil(t, "", 1000, 200)
	require.Len(t, changes, 200, "each order was registered once")
}
