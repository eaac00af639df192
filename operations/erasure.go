package operations

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/privacy"
	"waybill/store"
)

// How much one transaction of erasing looks at.
const (
	erasedRows   = 2_000
	erasedOrders = 100
)

// erasedTables are what erasing looks through besides orders, in its words.
var erasedTables = []string{"imports", "drafts", "templates", "template changes", "messages", "customers", "suppressions"}

// Erased counts where a person was found. A dry run erases nothing.
type Erased struct {
	Orders int
	Rows   []ErasedRows
}

// ErasedRows are how many rows of a table named the person.
type ErasedRows struct {
	Table string
	Count int
}

// Any reports whether the person was found at all.
func (e Erased) Any() bool {
	return e.Orders > 0 || slices.ContainsFunc(e.Rows, func(r ErasedRows) bool { return r.Count > 0 })
}

// EraseContact erases a person from all that an organization keeps of orders and
// messages: addresses wherever they are, and names where they belong to the addresses.
// It goes in batches, each in a transaction of its own. Done again it finds nothing;
// broken off, it goes on where it was, because the contacts by which people are found
// go last, and archives after them, because orders may be archived meanwhile.
func (o *Operations) EraseContact(
	ctx context.Context, c caller.Caller, of privacy.Person, dry bool,
) (erased Erased, err error) {
	orders, names, err := o.ordersOfPerson(ctx, c.OrgID, of.Addresses())
	if err != nil {
		return erased, fmt.Errorf("look for the person: %w", err)
	}
	archived, err := o.namesInArchives(ctx, c.OrgID, of.Addresses())
	if err != nil {
		return erased, fmt.Errorf("look for the person in archives: %w", err)
	}
	pattern := of.With(append(names, archived...))
	for _, table := range erasedTables {
		count, err := o.eraseRows(ctx, c, table, pattern, dry)
		if err != nil {
			return erased, fmt.Errorf("erase from %s: %w", table, err)
		}
		erased.Rows = append(erased.Rows, ErasedRows{table, count})
	}
	for some := range slices.Chunk(orders, erasedOrders) {
		if err := o.eraseFromOrders(ctx, c, some, pattern, dry); err != nil {
			return erased, fmt.Errorf("erase from orders: %w", err)
		}
		erased.Orders += len(some)
	}
	count, err := o.eraseFromArchives(ctx, c, of.Addresses(), pattern, dry)
	if err != nil {
		return erased, fmt.Errorf("erase from archives: %w", err)
	}
	erased.Rows = append(erased.Rows, ErasedRows{"archived orders", count})
	if dry || !erased.Any() {
		return erased, nil
	}
	return erased, o.store.InTx(ctx, c, func(t *store.Tx) error {
		return t.Append(ctx, event.Organization{ID: c.OrgID}.ContactErased(erased.counts()))
	})
}

// counts are what the log says of it: numbers, and nobody.
func (e Erased) counts() map[string]int {
	counts := map[string]int{"orders": e.Orders}
	for _, r := range e.Rows {
		if r.Count > 0 {
			counts[r.Table] = r.Count
		}
	}
	return counts
}

// ordersOfPerson are the orders that have the person as a contact, and what they are
// called there.
func (o *Operations) ordersOfPerson(
	ctx context.Context, org int64, addresses string,
) (orders []int64, names []string, err error) {
	for after := int64(0); ; {
		last, some, called, err := o.store.FindPeople(ctx, org, after, erasedRows, addresses)
		if err != nil {
			return nil, nil, err
		}
		orders, names = append(orders, some...), append(names, called...)
		if last == 0 {
			slices.Sort(orders)
			return slices.Compact(orders), names, nil
		}
		after = last
	}
}

func (o *Operations) eraseRows(
	ctx context.Context, c caller.Caller, table, pattern string, dry bool,
) (count int, err error) {
	for after := int64(0); ; {
		var last, counted int64
		err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
			last, counted, err = t.EraseRows(ctx, table, after, erasedRows, pattern, dry)
			return err
		})
		if err != nil {
			return count, err
		}
		count += int(counted)
		if last == 0 {
			return count, nil
		}
		after = last
	}
}

// eraseFromOrders also says so in the log, so that carriers get the order without the
// person.
func (o *Operations) eraseFromOrders(
	ctx context.Context, c caller.Caller, orders []int64, pattern string, dry bool,
) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		had, err := t.EraseFromOrders(ctx, orders, pattern, dry)
		if err != nil || dry {
			return err
		}
		events := make([]event.Event, len(had))
		for i, id := range had {
			events[i] = event.Order{ID: id}.Event(event.OrderContactErased)
		}
		return t.Append(ctx, events...)
	})
}
