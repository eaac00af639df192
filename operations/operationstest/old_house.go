package operationstest

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/providers/files"
)

// attic is an object storage that may fail, and stop the process, behind a write.
type attic struct {
	*files.Storage
	// Fails and stops say of a write what becomes of it; they may be nil.
	Fails func() error
	Stops func()
}

func (a *attic) Write(ctx context.Context, key string, f attachment.File, content io.Reader) ([]byte, error) {
	if a.Fails != nil {
		if err := a.Fails(); err != nil {
			return nil, err
		}
	}
	sum, err := a.Storage.Write(ctx, key, f, content)
	if a.Stops != nil {
		a.Stops()
	}
	return sum, err
}

// OldHouse is a house whose first organization keeps orders for 200 days, with orders of
// two months long ago, and whose second one keeps them for ever.
type OldHouse struct {
	*House
	Attic *attic
}

// NewOldHouse returns the house in a database of its own.
func NewOldHouse(t *testing.T) *OldHouse {
	t.Helper()
	h := HouseWithAttic(t)
	h.Exec("update organizations set keep_orders_days = 200 where id = $1", h.Orgs[0])
	for _, org := range h.Orgs {
		for n := range 6 {
			h.Imported(org, HeavyOrder(fmt.Sprintf("OLD-%d", n)))
		}
		// SO-1 of the house has not ended, however old it is.
		h.Exec("update orders set date = '2020-01-05', updated_at = '2020-02-01' where org_id = $1", org)
		h.Exec(`update orders set status_id = 6 + serial % 3, cancelled_at = case when serial % 3 = 2 then updated_at end,
			date = case when number < 'OLD-3' then date '2020-01-05' else '2020-03-07' end
			where org_id = $1 and number like 'OLD%'`, org)
	}
	h.Exec("update events set recorded_at = '2020-02-01', position = id")
	return h
}

// HouseWithAttic is a house with an object storage.
func HouseWithAttic(t *testing.T) *OldHouse {
	t.Helper()
	h := &OldHouse{House: NewHouse(t)}
	storage, err := files.Open(t.Context(), "file://"+t.TempDir(), "https://waybill.example", []byte("key"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = storage.Close() })
	h.Attic = &attic{Storage: storage}
	h.Operations = operations.New(h.Store, func() time.Time { return h.Now }, operations.Settings{
		OpenFiles: func(context.Context) (core.FileStorage, error) { return h.Attic, nil },
	})
	return h
}

// Archived are the lines of all archives that count, by the numbers of their orders.
func (h *OldHouse) Archived() map[string]map[string][]map[string]any {
	h.T.Helper()
	lines := map[string]map[string][]map[string]any{}
	archives, err := h.Store.Archives(h.T.Context(), h.Orgs[0])
	require.NoError(h.T, err)
	for _, a := range archives {
		content, err := h.Attic.Read(h.T.Context(), a.StorageKey)
		require.NoError(h.T, err)
		zip, err := gzip.NewReader(content)
		require.NoError(h.T, err)
		text, err := io.ReadAll(zip)
		require.NoError(h.T, err)
		require.NoError(h.T, content.Close())
		require.Equal(h.T, int(a.Lines), strings.Count(string(text), "\n"))
		for line := range strings.Lines(string(text)) {
			var said struct {
				Table string
				Rows  map[string][]map[string]any
			}
			require.NoError(h.T, json.Unmarshal([]byte(line), &said))
			if said.Table == "orders" {
				number := said.Rows["orders"][0]["number"].(string)
				require.NotContains(h.T, lines, number, "an order is archived once")
				lines[number] = said.Rows
				require.Equal(h.T, a.Month.Format("2006-01"), said.Rows["orders"][0]["date"].(string)[:7])
			}
		}
	}
	return lines
}

// Numbers returns the numbers of the orders that an organization still has.
func (h *OldHouse) Numbers(org int64) string {
	return One[string](h.Office, "select coalesce(string_agg(number, ' ' order by number), '') from orders where org_id = $1", org)
}
