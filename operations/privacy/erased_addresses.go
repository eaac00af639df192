package privacy

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/email"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/domain/privacy"
	"waybill/operations/sealing"
	"waybill/store"
)

// erasureKeys reads the key of the hashes of erased addresses: the store, or a transaction.
type erasureKeys struct {
	sealing.KeyReader
	of func(context.Context) (store.ErasureKey, error)
}

func keysOf(t *store.Tx) erasureKeys { return erasureKeys{t, t.ErasureKey} }

// hashes returns what makes hashes of an organization's addresses; nil before anybody was
// erased, and when no secret opens the key.
func (o *Operations) hashes(ctx context.Context, from erasureKeys) (*privacy.Hashes, error) {
	kept, err := from.of(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := o.sealer.Open(ctx, from, kept.SealedKey)
	if errors.Is(err, sealing.ErrSealed) {
		return nil, nil
	}
	return privacy.NewHashes(key, notification.Country(kept.Country, kept.Timezone)), err
}

// makeErasureKey makes the key of an organization's hashes when it has none.
func (o *Operations) makeErasureKey(ctx context.Context, t *store.Tx) (*privacy.Hashes, error) {
	_, err := t.ErasureKey(ctx)
	if errors.Is(err, store.ErrNotFound) {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // it never fails
		sealed, failed := o.sealer.Seal(ctx, t, key)
		if err = failed; err == nil {
			err = t.KeepErasureKey(ctx, sealed)
		}
	}
	if err != nil {
		return nil, err
	}
	hashes, err := o.hashes(ctx, keysOf(t))
	if err == nil && hashes == nil {
		err = sealing.ErrSealed
	}
	return hashes, err
}

// keepErasedAddresses keeps hashes of the addresses of an erased person. One that got no
// messages before gets none after.
func (o *Operations) keepErasedAddresses(
	ctx context.Context, t *store.Tx, hashes *privacy.Hashes, addresses []string, objects bool,
) error {
	closed, err := t.ClosedAddresses(ctx, addresses)
	if err != nil {
		return err
	}
	all, of := hashes.All(addresses)
	kept := make([]store.ErasedAddress, len(all))
	for i, hash := range all {
		isClosed := slices.ContainsFunc(of[string(hash)], func(a string) bool { return slices.Contains(closed, a) })
		kept[i] = store.ErasedAddress{Hash: hash, Objects: objects || isClosed}
	}
	return t.KeepErasedAddresses(ctx, kept)
}

// erasedAmong returns those of some addresses that were erased, as they are written, and
// whether they object.
func (o *Operations) erasedAmong(
	ctx context.Context, t *store.Tx, written []string,
) (erased map[string]bool, err error) {
	if len(written) == 0 {
		return nil, nil
	}
	hashes, err := o.hashes(ctx, keysOf(t))
	if err != nil || hashes == nil {
		return nil, err
	}
	all, of := hashes.All(written)
	found, err := t.ErasedAddresses(ctx, all)
	if err != nil {
		return nil, err
	}
	erased = map[string]bool{}
	for _, a := range found {
		for _, text := range of[string(a.Hash)] {
			erased[text] = a.Objects
		}
	}
	return erased, nil
}

// TellErased has a snapshot tell the erased addresses of entries that are imported.
func (o *Operations) TellErased(
	ctx context.Context, t *store.Tx, snapshot *order.Snapshot, entries []order.Request,
) (err error) {
	snapshot.Erased, err = o.erasedAmong(ctx, t, order.AddressesIn(entries))
	return err
}

// Objects reports whether nothing is to be sent to an address, because the person who had
// it was erased and wants no messages.
func (o *Operations) Objects(ctx context.Context, t *store.Tx, address string) (bool, error) {
	erased, err := o.erasedAmong(ctx, t, []string{address})
	return erased[address], err
}

// WithdrawObjection lets an erased address get messages, and reports whether it got none.
func (o *Operations) WithdrawObjection(ctx context.Context, c caller.Caller, address string) (withdrawn bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		hashes, err := o.hashes(ctx, keysOf(t))
		if err != nil || hashes == nil {
			return err
		}
		hash, ok := hashes.Of(address)
		if !ok {
			return nil
		}
		if withdrawn, err = t.WithdrawObjection(ctx, [][]byte{hash}); err != nil || !withdrawn {
			return err
		}
		return t.Append(ctx, event.Suppression{Channel: channelOf(address), Reason: objected}.Lifted())
	})
	return withdrawn, err
}

// objected is why an address gets no messages whose person was erased.
const objected = "objected"

func channelOf(address string) string {
	if _, isMail := email.Normalize(address); isMail {
		return string(notification.Email)
	}
	return string(notification.SMS)
}
