package operationstest

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/store"
)

// counter counts what is asked of the database.
type counter struct {
	Connections, Catalogues atomic.Int32
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.Contains(data.SQL, "from pg_constraint k join pg_class f") {
		c.Catalogues.Add(1)
	}
	return ctx
}

func (*counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceAcquireStart(
	ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData,
) context.Context {
	c.Connections.Add(1)
	return ctx
}

func (*counter) TraceAcquireEnd(context.Context, *pgxpool.Pool, pgxpool.TraceAcquireEndData) {}

// Counted is a store of the office's database, and what counts its statements.
func (o *Office) Counted() (*store.Store, *counter) {
	o.T.Helper()
	config, err := pgxpool.ParseConfig(o.AppURL)
	require.NoError(o.T, err)
	c := &counter{}
	config.ConnConfig.Tracer = c
	pool, err := pgxpool.NewWithConfig(o.T.Context(), config)
	require.NoError(o.T, err)
	o.T.Cleanup(pool.Close)
	return store.New(pool), c
}
