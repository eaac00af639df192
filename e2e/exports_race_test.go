package e2e_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// carrier fetches and acknowledges like an integrator's program, and remembers,
// for each order, the newest payload that it acknowledged as exported and the
// number of acknowledgements.
type carrier struct {
	o    *organization
	held map[string]string // references by order number
	acks map[string]int
	turn int
}

func newCarrier(o *organization) *carrier {
	return &carrier{o: o, held: map[string]string{}, acks: map[string]int{}}
}

// work walks the feed once, acknowledging as it goes; every seventh shipment
// fails. It returns the number of shipments.
func (c *carrier) work(t *testing.T) (seen int) {
	t.Helper()
	for page, last := 1, 1; page <= last; page++ {
		feed := c.o.feed(t, fmt.Sprintf("?page=%d&perPage=7", page))
		last = int(feed.TotalPages)
		for _, s := range feed.Shipments {
			c.turn++
			c.acknowledge(t, s, c.turn%7 == 0)
		}
		seen += len(feed.Shipments)
	}
	return seen
}

func (c *carrier) acknowledge(t *testing.T, s contract.ExportShipment, fails bool) {
	t.Helper()
	failure := ""
	if fails {
		failure = "out of reach"
	}
	// Sent twice, as a program does that has lost the answer.
	key := []string{"Idempotency-Key", fmt.Sprintf("%s-%d", s.ExportToken, c.turn)}
	for range 2 {
		a := c.o.acknowledge(t, s.ExportToken, failure, key...)
		for a.status == http.StatusServiceUnavailable {
			a = c.o.acknowledge(t, s.ExportToken, failure, key...)
		}
		require.Equal(t, http.StatusOK, a.status, string(a.body))
	}
	c.acks[s.ExternalID]++
	if !fails {
		c.held[s.ExternalID] = *s.Reference
	}
}

// settle works until the feed is empty and nothing is pending.
func (c *carrier) settle(t *testing.T) {
	t.Helper()
	eventually(t, "the carrier has done all that there is to do", func() bool {
		c.o.quiet(t)
		return c.work(t) == 0 && c.idle(t)
	})
}

// idle reports whether the carrier has the present state of every order that
// may still be sent.
func (c *carrier) idle(t *testing.T) bool {
	t.Helper()
	for number, reference := range references(t, c.o) {
		if c.acks[number] < 5 && c.held[number] != reference {
			return false
		}
	}
	return true
}

// references are those of all orders, by number.
func references(t *testing.T, o *organization) map[string]string {
	t.Helper()
	rows, err := o.admin.Query(t.Context(), "select number, reference from orders where org_id = $1", o.id)
	require.NoError(t, err)
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var number, reference string
		require.NoError(t, rows.Scan(&number, &reference))
		all[number] = reference
	}
	require.NoError(t, rows.Err())
	return all
}

// requireNewest compares the carrier's copies with the orders: it has the
// newest of each, or the order's acknowledgements are spent.
func (c *carrier) requireNewest(t *testing.T) {
	t.Helper()
	spent := 0
	for number, reference := range references(t, c.o) {
		require.LessOrEqual(t, c.acks[number], 5)
		if c.acks[number] == 5 {
			spent++
			continue
		}
		require.Equal(t, reference, c.held[number], number)
	}
	t.Logf("%d of %d orders have spent their acknowledgements", spent, len(c.acks))
	counted := one[int](t, c.o.installation, "select coalesce(sum(acknowledgements), 0) from order_exports where org_id = $1", c.o.id)
	made := 0
	for _, n := range c.acks {
		made += n
	}
	require.Equal(t, made, counted, "each acknowledgement counts once")
	require.Equal(t, made, one[int](t, c.o.installation, "select count(*) from external_updates where org_id = $1", c.o.id))
}

// TestCarrierHasTheNewestVersion lets a carrier fetch and acknowledge while a
// thousand imports change the same orders.
func TestCarrierHasTheNewestVersion(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const imports, clients, numbers = 1000, 8, 40
	c := newCarrier(o)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for n := client; n < imports; n += clients {
				// Most change a few orders all the time, some change one now and then.
				number := fmt.Sprintf("RACE-%02d", n%5)
				if n%10 == 0 {
					number = fmt.Sprintf("RACE-%02d", n/10%numbers)
				}
				o.importOrders(t, orders(carrierOrder(number, object{"reference": fmt.Sprintf("PO %d", n)})))
			}
		})
	}
	go func() {
		wg.Wait()
		close(done)
	}()
	for working := true; working; {
		select {
		case <-done:
			working = false
		default:
			c.work(t)
		}
	}
	c.settle(t)
	c.requireNewest(t)
}

// TestExportsSurviveOutages kills the worker, the API and the Temporal server
// while orders change and are acknowledged.
func TestExportsSurviveOutages(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	c := newCarrier(o)
	change := func(round int) {
		var entries []object
		for n := range 30 {
			entries = append(entries, carrierOrder(fmt.Sprintf("DIES-%02d", n), object{"reference": fmt.Sprintf("PO %d", round)}))
		}
		o.importOrders(t, orders(entries...))
	}
	change(0)
	i.kill("work") // before or while the exports begin
	require.NoError(t, i.start("work"))
	o.awaitFeed(t, 30)
	c.work(t)
	change(1)
	i.kill("work")
	require.NoError(t, i.startAs("work", "work"))
	c.work(t)
	i.temporal.Kill()
	require.NoError(t, i.temporal.Start(t.Context()))
	i.kill("serve")
	require.NoError(t, i.start("serve"))
	require.NoError(t, i.ready(t.Context()))
	c.settle(t)
	c.requireNewest(t)
}
