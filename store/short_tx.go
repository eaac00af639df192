package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/domain/caller"
	"waybill/store/queries"
)

// inShortTx runs work in a transaction of two round trips: the first query is
// sent along with BEGIN, and the writes along with COMMIT. So work reads one
// row, decides, and calls finish; without that it is rolled back. Like InTx, it
// retries when the database aborts the transaction.
func (s *Store) inShortTx(ctx context.Context, by caller.Caller, work func(*shortTx) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return translate(err)
	}
	defer conn.Release()
	for attempt := 1; ; attempt++ {
		t := &shortTx{conn: conn, by: by}
		err := work(t)
		if t.open {
			err = errors.Join(err, t.rollBack(ctx))
		}
		if !brokenOff(err) || attempt == maxAttempts {
			return translate(err)
		}
	}
}

// shortTx is a transaction that begins with its first query.
type shortTx struct {
	conn *pgxpool.Conn
	by   caller.Caller
	open bool
}

// first are the queries of which the first is sent along with BEGIN.
func (t *shortTx) first() *queries.Queries { return queries.New(beginning{t}) }

// finish sends the statements that a pipeline has, and commits.
func (t *shortTx) finish(ctx context.Context, p *pipeline) error {
	p.batch.Queue("commit")
	if err := t.conn.SendBatch(ctx, &p.batch).Close(); err != nil {
		return err
	}
	t.open = false
	return nil
}

// rollBack ends a transaction that did not get to its end. A connection that
// cannot is not used again.
func (t *shortTx) rollBack(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if t.conn.Conn().IsClosed() {
		return nil
	}
	if _, err := t.conn.Exec(ctx, "rollback"); err != nil {
		return errors.Join(err, t.conn.Conn().Close(ctx))
	}
	return nil
}

// beginning runs one query of one row, and begins the transaction before it.
type beginning struct{ *shortTx }

// QueryRow runs the query.
func (b beginning) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	var batch pgx.Batch
	batch.Queue("begin")
	batch.Queue(callerSettings, fmt.Sprint(b.by.OrgID), b.by.Actor(), b.by.Cause)
	batch.Queue(sql, args...)
	b.open = true
	results := b.conn.SendBatch(ctx, &batch)
	for range 2 {
		if _, err := results.Exec(); err != nil {
			return tenantRow{err: closeAfter(results, err)}
		}
	}
	return tenantRow{row: results.QueryRow(), results: results}
}

// Exec is not for the beginning.
func (beginning) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	panic("store: a short transaction begins with a query of one row")
}

// Query is not for the beginning.
func (beginning) Query(context.Context, string, ...any) (pgx.Rows, error) {
	panic("store: a short transaction begins with a query of one row")
}
