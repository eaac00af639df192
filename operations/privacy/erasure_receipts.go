package privacy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/domain/privacy"
	"waybill/store"
)

// Receipt says what became of an erasure, and names nobody who was erased.
type Receipt struct {
	ID int64
	// Actor is who did it, as the log has it.
	Actor   string
	Objects bool
	// EndedAt is nil for one that was broken off.
	BegunAt time.Time
	EndedAt *time.Time
	Found   Findings
}

// Findings are what an erasure found and erased.
type Findings struct {
	Orders int `json:"orders"`
	// Rows are how many rows of each table named the person.
	Rows map[string]int `json:"rows"`
	// Messages are those that waited and are not sent, and Files the pictures of signatures
	// that were deleted. Housekeeping deletes FilesLeft.
	Messages  int `json:"messages"`
	Files     int `json:"files"`
	FilesLeft int `json:"filesLeft"`
}

// Any reports whether the person was found.
func (f *Findings) Any() bool {
	return f.Orders > 0 || len(f.Rows) > 0 || f.Messages > 0 || f.Files > 0
}

// Findings are what the erasure found, without the tables in which the person was not.
func (e *Erased) Findings() Findings {
	f := Findings{
		Orders: e.Orders, Rows: map[string]int{}, Messages: len(e.Ended), Files: e.Files, FilesLeft: e.FilesLeft,
	}
	for _, r := range e.Rows {
		if r.Count > 0 {
			f.Rows[r.Table] = r.Count
		}
	}
	return f
}

// Receipts lists erasures, the newest first, before one unless that is 0.
func (o *Operations) Receipts(ctx context.Context, org, before int64, size int32) ([]Receipt, error) {
	kept, err := o.store.Erasures(ctx, org, before, size)
	if err != nil {
		return nil, err
	}
	all := make([]Receipt, len(kept))
	for i := range kept {
		if all[i], err = receiptOf(&kept[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Receipt returns the receipt of an erasure; store.ErrNotFound when there is none.
func (o *Operations) Receipt(ctx context.Context, org, id int64) (Receipt, error) {
	kept, err := o.store.Erasure(ctx, org, id)
	if err != nil {
		return Receipt{}, err
	}
	return receiptOf(&kept)
}

func receiptOf(e *store.Erasure) (Receipt, error) {
	r := Receipt{
		ID: e.ID, Actor: e.Actor, Objects: e.Objects,
		BegunAt: e.StartedAt, EndedAt: e.FinishedAt,
	}
	return r, json.Unmarshal(e.Found, &r.Found)
}

// begin keeps that somebody is being erased, with hashes of the addresses that are named:
// who imports one from now on is told.
func (e *erasure) begin(ctx context.Context) error {
	return e.store.InTx(ctx, e.by, func(t *store.Tx) (err error) {
		if e.hashes, err = e.makeErasureKey(ctx, t); err != nil {
			return err
		}
		if e.erased.Receipt, err = t.BeginErasure(ctx, e.by, e.how.Objects); err != nil {
			return err
		}
		return e.keepErasedAddresses(ctx, t, e.hashes, e.person.AllAddresses(), e.how.Objects)
	})
}

// keepHashes keeps hashes of the other addresses, too, before these are erased.
func (e *erasure) keepHashes(ctx context.Context) error {
	if e.how.Dry {
		return nil
	}
	return e.store.InTx(ctx, e.by, func(t *store.Tx) error {
		return e.keepErasedAddresses(ctx, t, e.hashes, e.person.AllAddresses(), e.how.Objects)
	})
}

// How long orders are waited for that are imported meanwhile, and how often it is looked.
const (
	importsPatience = 30 * time.Second
	importsPause    = 50 * time.Millisecond
)

// eraseNew erases from orders that were imported since the beginning. What was begun before
// a turn did not know of the erasure, so it is waited for.
func (e *erasure) eraseNew(ctx context.Context, turn int64) error {
	waiting, stop := context.WithTimeout(ctx, importsPatience)
	defer stop()
	for {
		passed, err := e.store.HasPassed(ctx, e.by.OrgID, turn)
		if err != nil {
			return err
		}
		if passed || waiting.Err() != nil {
			break
		}
		select {
		case <-waiting.Done():
		case <-time.After(importsPause):
		}
	}
	contacts, shared := e.erased.Contacts, e.erased.Shared
	e.found, e.orders = nil, nil
	if err := e.findContacts(ctx); err != nil || len(e.orders) == 0 {
		return err
	}
	e.erased.Contacts, e.erased.Shared, e.found, e.orders = contacts, shared, nil, nil
	return e.erase(ctx)
}

// end completes the receipt, and says in the log that somebody was erased.
func (e *erasure) end(ctx context.Context) error {
	return e.store.InTx(ctx, e.by, func(t *store.Tx) error {
		found := e.erased.Findings()
		if err := t.EndErasure(ctx, e.erased.Receipt, &found); err != nil {
			return err
		}
		if !found.Any() {
			return nil
		}
		return t.Append(ctx, event.Organization{ID: e.by.OrgID}.ContactErased(e.erased.counts()))
	})
}

// ErasedAgain is what came of erasing everybody again.
type ErasedAgain struct {
	// Known are how many addresses are known to be erased, and Found how many of them were
	// there again.
	Known, Found int
	Erased       []Erased
}

// EraseAgain erases all who were erased before, as after a restore. An organization's hashes
// cannot be read: all addresses are compared with them, in batches.
func (o *Operations) EraseAgain(ctx context.Context, c caller.Caller, dry bool) (ErasedAgain, error) {
	var again ErasedAgain
	known, err := o.store.AllErasedAddresses(ctx, c.OrgID)
	if again.Known = len(known); err != nil || again.Known == 0 {
		return again, err
	}
	found, err := o.erasedAddresses(ctx, c.OrgID)
	if err != nil {
		return again, err
	}
	again.Found = len(found)
	kept, err := o.store.ErasureKey(ctx, c.OrgID)
	if err != nil {
		return again, err
	}
	for _, address := range found {
		person, ok := privacy.PersonAt(address, notification.Country(kept.Country, kept.Timezone))
		if !ok {
			continue
		}
		erased, err := o.EraseContact(ctx, c, person, Erasing{Dry: dry})
		if err != nil {
			return again, err
		}
		again.Erased = append(again.Erased, erased)
	}
	return again, nil
}

// erasedAddresses returns what an organization keeps of addresses that were erased, as they
// are written.
func (o *Operations) erasedAddresses(ctx context.Context, org int64) (all []string, err error) {
	erasing, err := o.store.NewErasing(ctx, org)
	if err != nil {
		return nil, err
	}
	for _, place := range privacy.DataMap() {
		for part := (store.Part{Batch: erasedRows}); ; {
			some, last, err := erasing.Addresses(ctx, &place, part)
			if err != nil {
				return nil, err
			}
			err = o.store.InReadOnlyTx(ctx, org, func(t *store.Tx) error {
				erased, err := o.erasedAmong(ctx, t, some)
				for address := range erased {
					all = append(all, address)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			if part.After = last; last == "" {
				break
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// ErasedList is what is known of erasures, for a restore: it names nobody, and needs the
// sealing secret and the database to be of use.
type ErasedList struct {
	SealedKey []byte              `json:"sealedKey"`
	Addresses []ErasedListAddress `json:"addresses"`
}

// ErasedListAddress is the hash of an address, and whether nothing is sent to it.
type ErasedListAddress struct {
	Hash    []byte `json:"hash"`
	Objects bool   `json:"objects"`
}

// ErasedList returns what is known of an organization's erasures; store.ErrNotFound before
// there was any.
func (o *Operations) ErasedList(ctx context.Context, org int64) (list ErasedList, err error) {
	key, err := o.store.ErasureKey(ctx, org)
	if err != nil {
		return list, err
	}
	list.SealedKey = key.SealedKey
	known, err := o.store.AllErasedAddresses(ctx, org)
	for _, a := range known {
		list.Addresses = append(list.Addresses, ErasedListAddress(a))
	}
	return list, err
}

// ErrOtherErasures means that a list of erasures was made with another key.
var ErrOtherErasures = errors.New("the file is from another organization, or the sealing secret is different")

// TakeErasedList adds what a list knows to what an organization knows.
func (o *Operations) TakeErasedList(ctx context.Context, c caller.Caller, list *ErasedList) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		theirs, err := o.sealer.Open(ctx, t, list.SealedKey)
		if err != nil {
			return ErrOtherErasures
		}
		if err := t.KeepErasureKey(ctx, list.SealedKey); err != nil {
			return err
		}
		kept, err := t.ErasureKey(ctx)
		if err != nil {
			return err
		}
		ours, err := o.sealer.Open(ctx, t, kept.SealedKey)
		if err != nil || !bytes.Equal(ours, theirs) {
			return ErrOtherErasures
		}
		all := make([]store.ErasedAddress, len(list.Addresses))
		for i, a := range list.Addresses {
			all[i] = store.ErasedAddress(a)
		}
		return t.KeepErasedAddresses(ctx, all)
	})
}
