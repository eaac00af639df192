package operations_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/planning"
	"waybill/operations"
	"waybill/operations/core"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// counter counts what is asked of the database.
type counter struct {
	connections, catalogues atomic.Int32
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.Contains(data.SQL, "from pg_constraint k join pg_class f") {
		c.catalogues.Add(1)
	}
	return ctx
}

func (*counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceAcquireStart(
	ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData,
) context.Context {
	c.connections.Add(1)
	return ctx
}

func (*counter) TraceAcquireEnd(context.Context, *pgxpool.Pool, pgxpool.TraceAcquireEndData) {}

// counted is a store of the office's database, and what counts its statements.
func (o *office) counted() (*store.Store, *counter) {
	o.t.Helper()
	config, err := pgxpool.ParseConfig(o.AppURL)
	require.NoError(o.t, err)
	c := &counter{}
	config.ConnConfig.Tracer = c
	pool, err := pgxpool.NewWithConfig(o.t.Context(), config)
	require.NoError(o.t, err)
	o.t.Cleanup(pool.Close)
	return store.New(pool), c
}

// TestTablesAreLookedUpOnceForAllThatAgesOut has two organizations whose orders age out in
// one step of the duty.
func TestTablesAreLookedUpOnceForAllThatAgesOut(t *testing.T) {
	t.Parallel()
	h := newOldHouse(t)
	h.exec("update organizations set keep_orders_days = 200")
	s, count := h.counted()
	h.Operations = operations.New(s, func() time.Time { return h.now }, operations.Settings{
		OpenFiles: func(context.Context) (core.FileStorage, error) { return h.attic, nil },
	})
	batch, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, false)
	require.NoError(t, err)
	require.GreaterOrEqual(t, batch.Done, 2)
	require.EqualValues(t, 1, count.catalogues.Load())
}

func TestADayIsReadOverOneConnection(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	s, count := d.counted()
	d.Operations = operations.New(s, func() time.Time { return d.now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2},
	})
	done, err := d.Planning.PlanDay(t.Context(), clerk(d.org), planningops.PlanningSlice{Area: area, Patient: true})
	require.NoError(t, err)
	require.Equal(t, planning.DayEmpty, done.State)
	require.EqualValues(t, 1, count.connections.Load())
}
