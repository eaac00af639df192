package privacy

import (
	"context"
	"encoding/json"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/privacy"
	"waybill/store"
)

// PersonExport is what an organization keeps of a person.
type PersonExport struct {
	// Person are the addresses and names that were looked for.
	Person []string        `json:"person"`
	Places []ExportedPlace `json:"places"`
}

// ExportedPlace is what is kept in one place of the data map.
type ExportedPlace struct {
	Table  string            `json:"table"`
	What   string            `json:"what"`
	Why    string            `json:"why"`
	Period string            `json:"period"`
	Rows   []json.RawMessage `json:"rows"`
}

// ExportPerson returns what an organization keeps of a person. They are found as they are to
// be erased.
func (o *Operations) ExportPerson(
	ctx context.Context, c caller.Caller, of privacy.Person, except []int64,
) (PersonExport, error) {
	e := &erasure{
		Operations: o, by: c, how: Erasing{Dry: true, Except: except}, person: of, counts: map[string]int{},
	}
	var export PersonExport
	for _, step := range []func(context.Context) error{e.findContacts, e.findInDocuments, e.findInArchives} {
		if err := step(ctx); err != nil {
			return export, err
		}
	}
	export.Person = slices.Concat(e.person.AllAddresses(), e.person.Names)
	for _, place := range privacy.DataMap() {
		rows, err := e.read(ctx, &place)
		if err != nil {
			return export, err
		}
		if len(rows) > 0 {
			export.Places = append(export.Places, ExportedPlace{place.Table, place.What, place.Why, place.Period, rows})
		}
	}
	return export, nil
}

// read returns what a place has of the person: where the orders are theirs, also by name.
func (e *erasure) read(ctx context.Context, place *privacy.Place) ([]json.RawMessage, error) {
	if place.Table == privacy.Contacts {
		ids := make([]int64, len(e.found))
		for i := range e.found {
			ids[i] = e.found[i].ID
		}
		return e.erasing.ReadContacts(ctx, ids)
	}
	everywhere := store.Sought{Orders: slices.Concat(e.orders, e.how.Except), Pattern: e.person.Everywhere()}
	if place.Scope == "" {
		return e.readAll(ctx, place, everywhere, false)
	}
	everywhere.Pattern = e.person.Addresses()
	rows, err := e.readAll(ctx, place, everywhere, false)
	if err != nil {
		return nil, err
	}
	theirs, err := e.readAll(ctx, place, store.Sought{Orders: e.orders, Pattern: e.of(e.orders).Pattern}, true)
	return append(rows, theirs...), err
}

func (e *erasure) readAll(
	ctx context.Context, place *privacy.Place, sought store.Sought, inOrders bool,
) (all []json.RawMessage, err error) {
	for part := (store.Part{Batch: erasedRows}); ; {
		rows, last, err := e.erasing.Read(ctx, place, sought, inOrders, part)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		if part.After = last; last == "" {
			return all, nil
		}
	}
}
