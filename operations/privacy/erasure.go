// Package privacy finds people in what organizations keep, exports and erases what there is of
// them, and erases what an organization keeps no longer.
package privacy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/domain/privacy"
	"waybill/operations/core"
	"waybill/operations/sealing"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store  *store.Store
	now    func() time.Time
	sealer *sealing.Sealer
	files  core.OpenFiles
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, sealer *sealing.Sealer, files core.OpenFiles) *Operations {
	return &Operations{store: s, now: now, sealer: sealer, files: files}
}

// How much one transaction of erasing looks at.
const (
	erasedRows   = 2_000
	erasedOrders = 100
)

// Erasing says how a person is erased.
type Erasing struct {
	// Dry erases nothing.
	Dry bool
	// Objects says that the person wants no messages: none is sent to their addresses again.
	Objects bool
	// Except are orders that are left as they are.
	Except []int64
}

// FindPerson returns a person at an email address or a number of an organization's country, with
// what they are called; ok is false when neither is one.
func (o *Operations) FindPerson(
	ctx context.Context, org int64, address, phone string, names []string,
) (of privacy.Person, ok bool, err error) {
	country, zone, err := o.store.OrganizationCountry(ctx, org)
	if err != nil {
		return of, false, err
	}
	of, ok = privacy.NewPerson(address, phone, notification.Country(country, zone))
	of.Names = names
	return of, ok, nil
}

// Erased says where a person was found, and what became of it. A dry run erases nothing.
type Erased struct {
	// Receipt is the id under which it is kept; 0 for a dry run.
	Receipt int64
	Orders  int
	Rows    []ErasedRows
	// Contacts are the person's contacts, and Shared those of others who share an address
	// with the person: they lose the address and keep their name.
	Contacts, Shared []ErasedContact
	// Files are how many pictures of signatures were deleted, and FilesLeft how many were
	// not: housekeeping deletes these.
	Files, FilesLeft int
	// Ended are the workflows of messages that waited and are not sent.
	Ended []string
}

// ErasedContact is a contact of an order.
type ErasedContact struct {
	OrderID            int64
	Number, Stop, Name string
}

// ErasedRows are how many rows of a table named the person.
type ErasedRows struct {
	Table string
	Count int
}

// Any reports whether the person was found at all.
func (e *Erased) Any() bool {
	return e.Orders > 0 || slices.ContainsFunc(e.Rows, func(r ErasedRows) bool { return r.Count > 0 })
}

// counts are what the log says of it: numbers, and nobody.
func (e *Erased) counts() map[string]int {
	counts := map[string]int{"orders": e.Orders}
	for _, r := range e.Rows {
		if r.Count > 0 {
			counts[r.Table] = r.Count
		}
	}
	return counts
}

// erasure is a person who is being erased.
type erasure struct {
	*Operations

	by      caller.Caller
	how     Erasing
	erasing *store.Erasing
	hashes  *privacy.Hashes
	person  privacy.Person
	found   []store.FoundContact
	orders  []int64
	counts  map[string]int
	erased  Erased
}

// EraseContact erases a person from all that an organization keeps of orders and
// messages: addresses wherever they are, and names where they belong to the addresses.
// It goes in batches, each in a transaction of its own. Done again it finds nothing;
// broken off, it goes on where it was, because the contacts by which people are found
// go last, and archives after them, because orders may be archived meanwhile. Orders that
// are imported while it runs are looked for once more.
func (o *Operations) EraseContact(
	ctx context.Context, c caller.Caller, of privacy.Person, how Erasing,
) (Erased, error) {
	e := &erasure{Operations: o, by: c, how: how, person: of, counts: map[string]int{}}
	if e.how.Dry {
		return e.erased, e.erase(ctx)
	}
	if err := e.begin(ctx); err != nil {
		return e.erased, err
	}
	turn, err := o.store.Turn(ctx, c.OrgID)
	if err == nil {
		err = e.erase(ctx)
	}
	if err == nil {
		err = e.eraseNew(ctx, turn)
	}
	if err != nil {
		return e.erased, err
	}
	return e.erased, e.end(ctx)
}

// erase erases what there is of the person now.
func (e *erasure) erase(ctx context.Context) error {
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"look for contacts", e.findContacts},
		{"look for former contacts", e.findInDocuments},
		{"look for the person in archives", e.findInArchives},
		{"keep hashes of the addresses", e.keepHashes},
		{"erase from everything", e.eraseRows},
		{"erase from orders", e.eraseFromOrders},
		{"erase from archives", e.eraseFromArchives},
	} {
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	e.sumUp()
	return nil
}

// findContacts finds the person's contacts by what they are reached by. Names and other
// addresses of theirs are looked for, too.
func (e *erasure) findContacts(ctx context.Context) (err error) {
	if e.erasing, err = e.store.NewErasing(ctx, e.by.OrgID); err != nil {
		return err
	}
	var numbers []string
	if e.person.Phone != "" {
		if numbers, err = e.store.ContactNumbers(ctx, e.by.OrgID); err != nil {
			return err
		}
		numbers = slices.DeleteFunc(numbers, func(n string) bool { return !e.person.HasNumber(n) })
	}
	contacts, err := e.store.ContactsWith(ctx, e.by.OrgID, e.person.Emails(), numbers)
	if err != nil {
		return err
	}
	contacts = slices.DeleteFunc(contacts, func(c store.FoundContact) bool {
		return slices.Contains(e.how.Except, c.OrderID)
	})
	known := e.person
	for i := range contacts {
		if contacts[i].ByMail && len(known.Names) == 0 && contacts[i].Name() != "" {
			e.person.Names = append(e.person.Names, contacts[i].Name())
		}
	}
	shared := e.person // whoever has another name than these only shares the number
	for i := range contacts {
		e.sort(&contacts[i], &shared)
	}
	return nil
}

// sort decides whether a contact is the person's, or somebody's who shares an address.
func (e *erasure) sort(c *store.FoundContact, known *privacy.Person) {
	described := ErasedContact{c.OrderID, c.Number, c.Kind, c.Name()}
	e.orders = append(e.orders, c.OrderID)
	if !known.Called(c.Name()) {
		e.erased.Shared = append(e.erased.Shared, described)
		return
	}
	e.erased.Contacts = append(e.erased.Contacts, described)
	e.found = append(e.found, *c)
	if c.Name() != "" {
		e.person.Names = append(e.person.Names, c.Name())
	}
	for _, address := range []string{c.Mail, c.Phone} {
		if address != "" {
			e.person.Others = append(e.person.Others, address)
		}
	}
}

// findInDocuments finds orders of which the person was a contact, and is no more.
func (e *erasure) findInDocuments(ctx context.Context) error {
	pattern, before := e.person.Addresses(), e.person
	for _, place := range privacy.Places() {
		for part := (store.Part{Batch: erasedRows}); place.Contacts; {
			found, last, err := e.erasing.FindInDocuments(ctx, &place, pattern, part)
			if err != nil {
				return err
			}
			e.orders = append(e.orders, found.Orders...)
			e.take(&before, &found)
			if part.After = last; last == "" {
				break
			}
		}
	}
	slices.Sort(e.orders)
	e.orders = slices.DeleteFunc(slices.Compact(e.orders), func(id int64) bool {
		return slices.Contains(e.how.Except, id)
	})
	slices.Sort(e.person.Others)
	e.person.Others = slices.Compact(e.person.Others)
	return nil
}

// take takes up what documents say of the person.
func (e *erasure) take(known *privacy.Person, found *store.FoundInDocuments) {
	for _, name := range found.Names {
		if known.Called(name) {
			e.person.Names = append(e.person.Names, name)
		}
	}
	if len(found.Names) > 0 && !slices.ContainsFunc(found.Names, known.Called) {
		return
	}
	e.person.Others = append(e.person.Others, found.Addresses...)
}

func (e *erasure) findInArchives(ctx context.Context) error {
	names, err := e.namesInArchives(ctx, e.by.OrgID, e.person.Addresses())
	for _, name := range names {
		if e.person.Called(name) {
			e.person.Names = append(e.person.Names, name)
		}
	}
	slices.Sort(e.person.Names)
	e.person.Names = slices.Compact(e.person.Names)
	return err
}

// eraseRows erases from all that is not of the person's orders: addresses everywhere, and
// names where rows belong to no order.
func (e *erasure) eraseRows(ctx context.Context) error {
	for _, place := range privacy.Places() {
		sought := store.Sought{Orders: slices.Concat(e.orders, e.how.Except), Pattern: e.person.Everywhere()}
		if place.Scope != "" {
			sought.Pattern = e.person.Addresses()
		}
		if err := e.eraseFrom(ctx, &place, sought); err != nil {
			return err
		}
	}
	return nil
}

func (e *erasure) eraseFrom(ctx context.Context, place *privacy.Place, sought store.Sought) error {
	for part := (store.Part{Batch: erasedRows}); ; {
		var done store.ErasedPart
		err := e.store.InTx(ctx, e.by, func(t *store.Tx) (err error) {
			done, err = e.erasing.EraseRows(ctx, t, place, sought, part, e.how.Dry)
			if err != nil || e.how.Dry {
				return err
			}
			return e.say(ctx, t, done.Orders)
		})
		if err != nil {
			return err
		}
		e.counts[place.Table] += done.Count
		e.erased.Ended = append(e.erased.Ended, done.Ended...)
		if part.After = done.Last; done.Last == "" {
			return nil
		}
	}
}

// say says in the log of orders that somebody was erased from them, so that carriers get
// them without the person.
func (e *erasure) say(ctx context.Context, t *store.Tx, orders []int64) error {
	events := make([]event.Event, len(orders))
	for i, id := range orders {
		events[i] = event.Order{ID: id}.Event(event.OrderContactErased)
	}
	return t.Append(ctx, events...)
}

// eraseFromOrders erases from the person's orders, some in each transaction.
func (e *erasure) eraseFromOrders(ctx context.Context) error {
	for some := range slices.Chunk(e.orders, erasedOrders) {
		var done store.FromOrders
		err := e.store.InTx(ctx, e.by, func(t *store.Tx) (err error) {
			done, err = e.erasing.EraseFromOrders(ctx, t, e.of(some), e.how.Dry)
			if err != nil || e.how.Dry {
				return err
			}
			return e.say(ctx, t, some)
		})
		if err != nil {
			return err
		}
		for table, count := range done.Counts {
			e.counts[table] += count
		}
		e.erased.Orders += len(some)
		e.erased.Ended = append(e.erased.Ended, done.Ended...)
		e.deleteFiles(ctx, done.Files)
	}
	return nil
}

// sumUp lists what was found so far.
func (e *erasure) sumUp() {
	e.erased.Rows = nil
	for _, table := range slices.Sorted(maps.Keys(e.counts)) {
		e.erased.Rows = append(e.erased.Rows, ErasedRows{table, e.counts[table]})
	}
}

// of says what is erased from some of the person's orders.
func (e *erasure) of(orders []int64) *store.ErasedOrders {
	of := &store.ErasedOrders{Names: e.person.FullNames()}
	of.Orders = orders
	var theirs []string
	for i := range e.found {
		c := &e.found[i]
		if !slices.Contains(orders, c.OrderID) {
			continue
		}
		of.Contacts = append(of.Contacts, c.ID)
		if c.Kind == "delivery" {
			of.Signed = append(of.Signed, c.OrderID)
		}
		if e.livesAt(c) {
			of.Private = append(of.Private, c.StopID)
			theirs = append(append(theirs, c.Address1, c.Address2), c.Instructions...)
		}
	}
	of.Pattern = e.person.InOrders(theirs)
	return of
}

// livesAt reports whether the stop of a contact is a private person's: it is called as
// they are, or not at all.
func (e *erasure) livesAt(c *store.FoundContact) bool {
	name := c.StopName
	if name == "" {
		name = c.LocationName
	}
	return e.person.IsNamedIn(name)
}

// deleteFiles deletes files at once. What fails is left to housekeeping: nothing refers to
// it any more.
func (e *erasure) deleteFiles(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	storage, err := e.files.Open(ctx)
	for _, key := range keys {
		if err == nil && storage.Delete(ctx, key) == nil {
			e.erased.Files++
		} else {
			e.erased.FilesLeft++
		}
	}
}

func (e *erasure) eraseFromArchives(ctx context.Context) error {
	count, err := e.Operations.eraseFromArchives(ctx, e.by, e.person.Addresses(), e.person.Everywhere(), e.how.Dry)
	e.counts["archived orders"] += count
	return err
}
