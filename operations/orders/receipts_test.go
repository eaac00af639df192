package orders_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/operations/operationstest"
)

// says is an order with a reference.
func says(number, reference string) order.Request {
	r := operationstest.Request(number)
	r.Reference = reference
	return r
}

// state is what a number leads to: the reference of its order, and whether it counts.
type state struct {
	Reference string
	Cancelled bool
}

// stateOf reads what a number leads to; nil where there is no order.
func stateOf(b *operationstest.Depot, t *testing.T, number string) *state {
	t.Helper()
	tx, err := b.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "set local app.org_id = '1'")
	require.NoError(t, err)
	rows, err := tx.Query(t.Context(), `select coalesce(o.reference, ''), o.status_id = 8 from order_numbers n
		join orders o on o.org_id = n.org_id and o.id = n.order_id where n.number = $1`, number)
	require.NoError(t, err)
	defer rows.Close()
	if !rows.Next() {
		return nil
	}
	var s state
	require.NoError(t, rows.Scan(&s.Reference, &s.Cancelled))
	return &s
}

// edit has a person give the order of a number another reference.
func edit(b *operationstest.Depot, t *testing.T, number, reference string) error {
	t.Helper()
	id := b.Count(t, fmt.Sprintf("select coalesce(max(order_id), 0) from order_numbers where number = '%s'", number))
	return b.Orders.EditOrder(t.Context(), operationstest.Clerk(1), int64(id), version.Expected{}, func(r order.Request) (order.Edit, error) {
		r.Reference = reference
		return order.Edit{Request: r, Header: true}, nil
	})
}

// overtaken are the positions of an import whose results say so.
func overtaken(b *operationstest.Depot, t *testing.T, id int64) map[int]bool {
	t.Helper()
	found := map[int]bool{}
	for _, r := range b.Results(t, id) {
		if slices.ContainsFunc(r.Reasons, func(n order.Reason) bool { return n.Code == order.Overtaken }) {
			found[r.Position] = true
		}
	}
	return found
}

func TestAnOlderImportDoesNotOverwrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		there bool // the order is there before
		newer func(t *testing.T, b *operationstest.Depot)
		want  state
	}{
		"AnImportOfAnOrderThatIsThere": {true, func(t *testing.T, b *operationstest.Depot) { b.Run(t, b.Stage(t, says("A", "new"))) }, state{"new", false}},
		"AnImportThatMakesTheOrder":    {false, func(t *testing.T, b *operationstest.Depot) { b.Run(t, b.Stage(t, says("A", "new"))) }, state{"new", false}},
		"AnImportThatChangesNothing":   {true, func(t *testing.T, b *operationstest.Depot) { b.Run(t, b.Stage(t, says("A", "first"))) }, state{"first", false}},
		"AnEdit":                       {true, func(t *testing.T, b *operationstest.Depot) { require.NoError(t, edit(b, t, "A", "new")) }, state{"new", false}},
		"ACancellation": {true, func(t *testing.T, b *operationstest.Depot) {
			_, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A"})
			require.NoError(t, err)
		}, state{"first", true}},
		"AReactivation": {true, func(t *testing.T, b *operationstest.Depot) {
			_, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A"})
			require.NoError(t, err)
			_, err = b.Orders.ReactivateOrder(t.Context(), operationstest.Clerk(1), "A")
			require.NoError(t, err)
		}, state{"first", false}},
		"Products": {true, func(t *testing.T, b *operationstest.Depot) {
			_, err := b.Orders.UpsertProducts(t.Context(), operationstest.Clerk(1), 0, "A", []order.ProductChange{{ExternalID: "A", Quantity: order.Give(7.0)}})
			require.NoError(t, err)
		}, state{"first", false}},
		"AnOrderByHand": {false, func(t *testing.T, b *operationstest.Depot) {
			_, err := b.Orders.CreateOrder(t.Context(), operationstest.Clerk(1), says("A", "new"), false)
			require.NoError(t, err)
		}, state{"new", false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := operationstest.NewDepot(t)
			if c.there {
				b.Run(t, b.Stage(t, says("A", "first")))
			}
			older := b.Stage(t, says("A", "old"), says("B", "old"))
			c.newer(t, b)
			b.Run(t, older)
			require.Equal(t, &c.want, stateOf(b, t, "A"))
			require.Equal(t, &state{"old", false}, stateOf(b, t, "B"))
			require.Equal(t, map[int]bool{0: true}, overtaken(b, t, older))
			require.Equal(t, order.OrderUpdated, b.Kinds(t, older)[0])
		})
	}
}

func TestCancellationAppliesToOrderNotYetImported(t *testing.T) {
	t.Parallel()
	b := operationstest.NewDepot(t)
	older := b.Stage(t, says("A", "made"), says("B", "made"))
	cancelled, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A", "nobody"})
	require.NoError(t, err)
	require.Equal(t, []order.Cancellation{
		{Number: "A", Result: order.CancelSuccess}, {Number: "nobody", Result: order.CancelNotFound},
	}, cancelled)
	newer := b.Stage(t, says("A", "newer"))
	b.Run(t, newer)
	b.Run(t, older)
	require.Equal(t, &state{"newer", true}, stateOf(b, t, "A"), "an import makes no cancelled order active")
	require.Equal(t, &state{"made", false}, stateOf(b, t, "B"))
	require.Equal(t, order.Cancelled, b.Results(t, newer)[0].Status)
	require.Equal(t, order.Cancelled, b.Results(t, older)[0].Status)
	require.Equal(t, 1, b.Count(t, "select count(*) from orders where status_id = 8 and cancelled_at is not null"))
	require.Equal(t, 2, b.Count(t, "select count(*) from order_stops where cancelled_at is not null"))
	require.Equal(t, 1, b.Count(t, "select count(*) from events where kind = 'order.cancelled'"))

	done, err := b.Orders.ReactivateOrder(t.Context(), operationstest.Clerk(1), "A")
	require.NoError(t, err)
	require.Equal(t, order.Reactivated, done.Outcome)
	require.Equal(t, &state{"newer", false}, stateOf(b, t, "A"))

	// The import is done, so nothing is awaited of it.
	missing, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"nobody"})
	require.NoError(t, err)
	require.Equal(t, order.CancelNotFound, missing[0].Result)
}

func TestAnImportThatEndedIsNotAwaited(t *testing.T) {
	t.Parallel()
	b := operationstest.NewDepot(t)
	id := b.Stage(t, says("A", "never"))
	require.NoError(t, b.Orders.EndImport(t.Context(), operationstest.Clerk(1), id, order.ImportFailed))
	cancelled, err := b.Orders.CancelOrders(t.Context(), operationstest.Clerk(1), []string{"A"})
	require.NoError(t, err)
	require.Equal(t, order.CancelNotFound, cancelled[0].Result)
}

func TestOlderImportDoesNotChangeTheDraft(t *testing.T) {
	t.Parallel()
	bad := func(reference string) order.Request {
		r := says("A", reference)
		r.Customer = nil
		return r
	}
	b := operationstest.NewDepot(t)
	older, discarded := b.Stage(t, bad("old")), b.Stage(t, bad("also old"))
	newer := b.Stage(t, bad("new"))
	b.Run(t, newer)
	b.Run(t, older)
	require.Equal(t, 1, b.Count(t, "select count(*) from drafts where request ->> 'reference' = 'new'"))
	require.Equal(t, map[int]bool{0: true}, overtaken(b, t, older))
	require.NoError(t, b.Orders.DiscardDraft(t.Context(), operationstest.Clerk(1), b.Results(t, newer)[0].DraftID))
	b.Run(t, discarded)
	require.Equal(t, 1, b.Count(t, "select count(*) from drafts where state = 'discarded'"), "nor does it open one again")
	b.Run(t, b.Stage(t, bad("newest")))
	require.Equal(t, 1, b.Count(t, "select count(*) from drafts where state = 'incomplete' and request ->> 'reference' = 'newest'"))
}

// TestImportsOfOneNumberAtOnce run whichever way they meet: the one that was received
// last is what holds.
func TestImportsOfOneNumberAtOnce(t *testing.T) {
	t.Parallel()
	b := operationstest.NewDepot(t)
	for round := range 10 {
		number := fmt.Sprintf("N-%d", round)
		ids := []int64{b.Stage(t, says(number, "1")), b.Stage(t, says(number, "2")), b.Stage(t, says(number, "3"))}
		var working sync.WaitGroup
		failures := make(chan error, len(ids))
		for _, id := range ids {
			working.Go(func() {
				_, err := b.Orders.ImportChunk(t.Context(), caller.Service(b.Org, "import/1"), id, 0)
				failures <- err
			})
		}
		working.Wait()
		close(failures)
		for err := range failures {
			require.NoError(t, err)
		}
		require.Equal(t, &state{"3", false}, stateOf(b, t, number))
	}
}

// deed is something that was received about a number and took effect.
type deed struct {
	receipt   int
	reference string // what it says; "" where it says nothing of that
	cancels   bool
	activates bool
}

// receipts is what was received, beside a database where it takes effect in another
// order.
type receipts struct {
	*operationstest.Depot

	t       *testing.T
	now     int
	waiting map[int64][]order.Request
	places  map[int64]int // of imports in the order of receipt
	done    []int64
	effects map[string][]deed

	owner     *pgx.Conn
	stopsSeen map[string]bool
}

func (r *receipts) next() int { r.now++; return r.now }

func (r *receipts) receive(entries []order.Request) {
	id := r.Stage(r.t, entries...)
	r.waiting[id], r.places[id] = entries, r.next()
}

// notBegun is where a worker stops that has not begun.
const notBegun = "not begun"

// stops are the tables at which workers stop while they write a chunk.
var stops = []string{
	notBegun, "locations", "orders", "order_numbers", "order_stops", "order_products", "events", "drafts", "import_chunks",
}

// stopsAtTables is a switch that breaks off what writes to a table, as the end of its
// session does.
const stopsAtTables = `
	create table stopping (at text);
	grant select on stopping to public;
	create function stop_at_table() returns trigger language plpgsql as $$ begin
		if exists (select from stopping where at = tg_table_name) then
			raise exception 'stopped at %', tg_table_name using errcode = '57P01';
		end if;
		return null;
	end $$;
	do $$ declare name text; begin
		foreach name in array array['locations', 'orders', 'order_numbers', 'order_stops', 'order_products', 'events',
			'drafts', 'import_chunks']
		loop
			execute format('create trigger stop_at_table after insert or update on %I
				for each statement execute function stop_at_table()', name);
		end loop;
	end $$;`

// owned runs a statement as the tables' owner.
func (r *receipts) owned(sql string, args ...any) {
	_, err := r.owner.Exec(r.t.Context(), sql, args...)
	require.NoError(r.t, err)
}

// stopped works on an import until it writes to a table, and reports whether it did.
func (r *receipts) stopped(id int64, at string) bool {
	ctx, stop := context.WithCancel(r.t.Context())
	defer stop()
	if at == notBegun {
		stop()
	} else {
		r.owned("insert into stopping values ($1)", at)
		defer r.owned("delete from stopping")
	}
	_, err := r.Orders.ImportChunk(ctx, caller.Service(1, "import/1"), id, 0)
	if err != nil {
		r.stopsSeen[at] = true
	}
	return err != nil
}

// runs works on an import; a worker that is stopped leaves nothing behind.
func (r *receipts) runs(id int64, at string) {
	if at != "" && r.stopped(id, at) {
		return
	}
	r.Run(r.t, id)
	overtaken := overtaken(r.Depot, r.t, id)
	for i, result := range r.Results(r.t, id) {
		number := result.ExternalID
		if result.Kind != order.OrderCreated && result.Kind != order.OrderUpdated {
			continue
		}
		newer := slices.ContainsFunc(r.effects[number], func(d deed) bool { return d.receipt > r.places[id] })
		made := result.Kind == order.OrderCreated
		require.Equal(r.t, newer, overtaken[i], "an entry is overtaken by what is newer and took effect")
		if !newer || made {
			r.effects[number] = append(r.effects[number], deed{receipt: r.places[id], reference: r.waiting[id][i].Reference})
		}
	}
	delete(r.waiting, id)
	r.done = append(r.done, id)
}

func (r *receipts) cancels(number string) {
	results, err := r.Orders.CancelOrders(r.t.Context(), operationstest.Clerk(1), []string{number})
	require.NoError(r.t, err)
	if results[0].Result == order.CancelSuccess && !results[0].Already {
		r.effects[number] = append(r.effects[number], deed{receipt: r.next(), cancels: true})
	}
}

func (r *receipts) reactivates(number string) {
	done, err := r.Orders.ReactivateOrder(r.t.Context(), operationstest.Clerk(1), number)
	require.NoError(r.t, err)
	if done.Outcome == order.Reactivated {
		r.effects[number] = append(r.effects[number], deed{receipt: r.next(), activates: true})
	}
}

func (r *receipts) edits(number, reference string) {
	err := edit(r.Depot, r.t, number, reference)
	var refused *fault.Error
	if errors.As(err, &refused) {
		return
	}
	require.NoError(r.t, err)
	r.effects[number] = append(r.effects[number], deed{receipt: r.next(), reference: reference})
}

// holds compares each number with what the order of receipt says of what took effect.
func (r *receipts) holds(numbers []string) {
	for _, number := range numbers {
		deeds := r.effects[number]
		slices.SortFunc(deeds, func(a, b deed) int { return a.receipt - b.receipt })
		var want *state
		cancelled := false
		for _, d := range deeds {
			cancelled = (cancelled || d.cancels) && !d.activates
			if d.reference != "" {
				want = &state{Reference: d.reference}
			}
		}
		if want != nil {
			want.Cancelled = cancelled
		}
		require.Equal(r.t, want, stateOf(r.Depot, r.t, number), "%s after %+v", number, deeds)
	}
}

// mostReceipts is how many histories are tried: each takes dozens of transactions.
const mostReceipts = 25

// TestTheOrderOfReceiptDecides, whatever runs when and wherever workers stop.
func TestTheOrderOfReceiptDecides(t *testing.T) {
	t.Parallel()
	r := &receipts{Depot: operationstest.NewDepot(t), t: t, stopsSeen: map[string]bool{}}
	owner, err := pgx.Connect(t.Context(), r.DB.OwnerURL)
	require.NoError(t, err)
	r.owner = owner
	r.owned(stopsAtTables)
	runs, failed := 0, false
	rapid.Check(t, func(check *rapid.T) {
		if runs++; runs > mostReceipts && !failed {
			return
		}
		failed = true
		r.waiting, r.places, r.effects = map[int64][]order.Request{}, map[int64]int{}, map[string][]deed{}
		r.done = nil
		numbers := []string{fmt.Sprintf("A-%d", runs), fmt.Sprintf("B-%d", runs), fmt.Sprintf("C-%d", runs)}
		number := func(check *rapid.T) string { return rapid.SampledFrom(numbers).Draw(check, "number") }
		said := 0
		says := func(number string) string { said++; return fmt.Sprintf("%s says %d", number, said) }
		check.Repeat(map[string]func(*rapid.T){
			"receive": func(check *rapid.T) {
				var entries []order.Request
				for _, n := range rapid.SliceOfNDistinct(rapid.SampledFrom(numbers), 1, len(numbers), rapid.ID[string]).Draw(check, "numbers") {
					r := operationstest.Request(n)
					if r.Reference = says(n); rapid.IntRange(0, 5).Draw(check, "bad") == 0 {
						r.Customer = nil
					}
					entries = append(entries, r)
				}
				r.receive(entries)
			},
			"run": func(check *rapid.T) {
				if len(r.waiting) == 0 {
					check.Skip("nothing waits")
				}
				id := rapid.SampledFrom(slices.Sorted(maps.Keys(r.waiting))).Draw(check, "import")
				r.runs(id, rapid.SampledFrom(append([]string{"", "", "", ""}, stops...)).Draw(check, "stopped"))
			},
			"run again": func(check *rapid.T) {
				if len(r.done) == 0 {
					check.Skip("nothing is done")
				}
				r.Run(r.t, rapid.SampledFrom(r.done).Draw(check, "import"))
			},
			"cancel":     func(check *rapid.T) { r.cancels(number(check)) },
			"reactivate": func(check *rapid.T) { r.reactivates(number(check)) },
			"edit":       func(check *rapid.T) { n := number(check); r.edits(n, says(n)) },
			"":           func(*rapid.T) { r.holds(numbers) },
		})
		for _, id := range slices.Sorted(maps.Keys(r.waiting)) {
			r.runs(id, "")
		}
		r.holds(numbers)
		failed = false
	})
	require.NoError(t, owner.Close(t.Context()))
	require.Greater(t, len(r.stopsSeen), 1, "workers stop within chunks")
}
