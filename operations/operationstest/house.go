package operationstest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/providers/files"
	"waybill/store/storetest"
)

// House is an installation of two organizations with an order each, at a moment.
type House struct {
	*Office

	Now  time.Time
	Orgs []int64
}

// NewHouse returns the organizations in a database of their own.
func NewHouse(t *testing.T) *House {
	t.Helper()
	h := &House{Office: NewOffice(t), Now: time.Now().UTC().Truncate(time.Second)}
	h.Operations = operations.New(h.Store, func() time.Time { return h.Now }, operations.Settings{})
	for _, slug := range []string{"acme", "other"} {
		org := storetest.Organization(t, h.Database, slug)
		h.Orgs = append(h.Orgs, org)
		h.Imported(org, HeavyOrder("SO-1"))
	}
	return h
}

// Exec runs a statement of the owner.
func (h *House) Exec(sql string, args ...any) {
	h.T.Helper()
	_, err := h.Owner.Exec(h.T.Context(), sql, args...)
	require.NoError(h.T, err)
}

// Keep carries out a duty to its end, and returns how much it did.
func (h *House) Keep(duty housekeeping.Duty) (done int) {
	h.T.Helper()
	for {
		batch, err := h.Housekeeping.KeepHouse(h.T.Context(), duty, false)
		require.NoError(h.T, err)
		done += batch.Done
		if !batch.Left {
			return done
		}
	}
}

// All returns the texts that a query of the owner finds.
func (h *House) All(sql string) []string {
	return One[[]string](h.Office, "select coalesce(array_agg(x order by x), '{}') from ("+sql+") as t (x)")
}

// Shelf is an object storage of a few files.
type Shelf struct {
	core.FileStorage

	Kept map[string]time.Time
	asks int
}

// List implements core.FileStorage.
func (s *Shelf) List(_ context.Context, mark string, atMost int) (found []files.Found, next string, err error) {
	s.asks++
	keys := make([]string, 0, len(s.Kept))
	for key := range s.Kept {
		if key > mark {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys[:min(len(keys), atMost)] {
		found = append(found, files.Found{Key: key, Modified: s.Kept[key]})
	}
	if len(keys) > atMost {
		next = keys[atMost-1]
	}
	return found, next, nil
}

// Delete implements core.FileStorage.
func (s *Shelf) Delete(_ context.Context, key string) error {
	delete(s.Kept, key)
	return nil
}
