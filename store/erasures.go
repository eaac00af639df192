package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/domain/privacy"
	"waybill/store/queries"
)

// ErasureKey is the sealed key of an organization's hashes of erased addresses, and where
// its phone numbers are from.
type ErasureKey = queries.ErasureKeyRow

// ErasureKey returns the key, or ErrNotFound before the first erasure.
func (t *Tx) ErasureKey(ctx context.Context) (ErasureKey, error) {
	return keyOf(t.q.ErasureKey(ctx, t.org))
}

// ErasureKey is Tx.ErasureKey in its own transaction.
func (s *Store) ErasureKey(ctx context.Context, org int64) (ErasureKey, error) {
	return keyOf(s.of(org).ErasureKey(ctx, org))
}

func keyOf(rows []queries.ErasureKeyRow, err error) (ErasureKey, error) {
	if err != nil {
		return ErasureKey{}, translate(err)
	}
	if len(rows) == 0 {
		return ErasureKey{}, ErrNotFound
	}
	return rows[0], nil
}

// KeepErasureKey keeps a sealed key, unless the organization has one.
func (t *Tx) KeepErasureKey(ctx context.Context, sealed []byte) error {
	return t.q.KeepErasureKey(ctx, queries.KeepErasureKeyParams{OrgID: t.org, SealedKey: sealed})
}

// BeginErasure begins the receipt of an erasure, and returns its id.
func (t *Tx) BeginErasure(ctx context.Context, by caller.Caller, objects bool) (int64, error) {
	return t.q.BeginErasure(ctx, queries.BeginErasureParams{
		OrgID: t.org, Actor: by.Actor(), Objects: objects,
	})
}

// EndErasure completes the receipt of an erasure.
func (t *Tx) EndErasure(ctx context.Context, id int64, found any) error {
	body, err := json.Marshal(found)
	if err != nil {
		return err
	}
	return t.q.EndErasure(ctx, queries.EndErasureParams{OrgID: t.org, ID: id, Found: body})
}

// Turn returns a moment of the database: transactions that run are before it.
func (s *Store) Turn(ctx context.Context, org int64) (int64, error) {
	turn, err := s.of(org).Turn(ctx)
	return turn, translate(err)
}

// HasPassed reports whether all transactions before a moment have ended.
func (s *Store) HasPassed(ctx context.Context, org, turn int64) (bool, error) {
	passed, err := s.of(org).HasPassed(ctx, turn)
	return passed, translate(err)
}

// ErasedAddress is the hash of an erased address, and whether messages to it
// are suppressed.
type ErasedAddress = queries.ErasedAddressesRow

// KeepErasedAddresses keeps hashes of erased addresses. An objection stays.
func (t *Tx) KeepErasedAddresses(ctx context.Context, all []ErasedAddress) error {
	p := queries.KeepErasedAddressesParams{OrgID: t.org}
	for _, a := range all {
		p.Hashes, p.Objects = append(p.Hashes, a.Hash), append(p.Objects, a.Objects)
	}
	return t.q.KeepErasedAddresses(ctx, p)
}

// ClosedAddresses returns those of some addresses, in small letters, that get no messages.
func (t *Tx) ClosedAddresses(ctx context.Context, addresses []string) ([]string, error) {
	return t.q.ClosedAddresses(ctx, queries.ClosedAddressesParams{OrgID: t.org, Addresses: addresses})
}

// ErasedAddresses returns those of some hashes that are of erased addresses.
func (t *Tx) ErasedAddresses(ctx context.Context, hashes [][]byte) ([]ErasedAddress, error) {
	return t.q.ErasedAddresses(ctx, queries.ErasedAddressesParams{OrgID: t.org, Hashes: hashes})
}

// AllErasedAddresses returns the hashes of all erased addresses of an organization.
func (s *Store) AllErasedAddresses(ctx context.Context, org int64) (all []ErasedAddress, err error) {
	rows, err := s.of(org).AllErasedAddresses(ctx, org)
	for _, r := range rows {
		all = append(all, ErasedAddress(r))
	}
	return all, translate(err)
}

// WithdrawObjection lets erased addresses get messages, and reports whether one did not.
func (t *Tx) WithdrawObjection(ctx context.Context, hashes [][]byte) (bool, error) {
	withdrawn, err := t.q.WithdrawObjection(ctx, queries.WithdrawObjectionParams{OrgID: t.org, Hashes: hashes})
	return len(withdrawn) > 0, err
}

// Erasure is the receipt of an erasure.
type Erasure = queries.ErasuresRow

// Erasures lists receipts, newest first, before one unless that is 0.
func (s *Store) Erasures(ctx context.Context, org, before int64, size int32) ([]Erasure, error) {
	all, err := s.of(org).Erasures(ctx, queries.ErasuresParams{OrgID: org, Before: before, Size: size})
	return all, translate(err)
}

// Erasure returns a receipt, or ErrNotFound.
func (s *Store) Erasure(ctx context.Context, org, id int64) (Erasure, error) {
	all, err := s.of(org).Erasures(ctx, queries.ErasuresParams{OrgID: org, ID: &id, Size: 1})
	if err != nil {
		return Erasure{}, translate(err)
	}
	if len(all) == 0 {
		return Erasure{}, ErrNotFound
	}
	return all[0], nil
}

// addressed are the tables whose columns are addresses, in addition to
// documents with contacts.
var addressed = map[string][]string{
	privacy.Contacts: {"email_address", "phone_number"}, "customers": {"email_address", "phone_number"},
	privacy.Messages: {"receiver"}, "suppressions": {"address"},
}

// Addresses returns the addresses in a part of a table, as they are written.
func (e *Erasing) Addresses(
	ctx context.Context, place *privacy.Place, part Part,
) (found []string, last string, err error) {
	if place.Contacts {
		in, last, err := e.FindInDocuments(ctx, place, ".", part)
		return in.Addresses, last, err
	}
	columns := addressed[place.Table]
	if len(columns) == 0 {
		return nil, "", nil
	}
	err = e.store.InReadOnlyTx(ctx, e.org, func(t *Tx) error {
		var where string
		if where, last, err = e.part(ctx, t, place.Table, part); err != nil {
			return err
		}
		for _, column := range columns {
			rows, err := t.tx.Query(ctx, fmt.Sprintf(`select distinct t.%[1]s from %s t
				where t.org_id = $1 and (%s) and t.%[1]s <> ''`, column, place.Table, where), e.org)
			if err != nil {
				return err
			}
			some, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return err
			}
			found = append(found, some...)
		}
		return nil
	})
	return found, last, err
}
