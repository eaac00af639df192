// Package poolcheck finds code that takes a second connection of a pool while
// it holds one. If as many goroutines as the pool has connections do that, they
// wait for each other forever. Tests check all their pools; the program does so
// only on request.
package poolcheck

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Nested is a connection that was taken while its goroutine held another one of the pool.
type Nested struct {
	// Held and Taken are the stacks at which the first and the second
	// connection were taken.
	Held, Taken string
}

// String returns both stacks.
func (n Nested) String() string {
	return fmt.Sprintf("second connection taken at\n%swhile another is held since\n%s", n.Taken, n.Held)
}

// Tracer watches the pools whose connections it is the tracer of.
type Tracer struct {
	report func(context.Context, Nested)

	mu   sync.Mutex
	held map[*pgx.Conn]holder
}

// holder is the goroutine that took a connection.
type holder struct {
	pool      *pgxpool.Pool
	goroutine string
	stack     string
}

// New returns a tracer that calls report for each connection that is taken
// while another one is held. Connections that tests take themselves do not
// count.
func New(report func(context.Context, Nested)) *Tracer {
	return &Tracer{report: report, held: make(map[*pgx.Conn]holder)}
}

// TraceAcquireStart reports the connection that is about to be taken, because
// taking it may block forever.
func (t *Tracer) TraceAcquireStart(
	ctx context.Context, pool *pgxpool.Pool, _ pgxpool.TraceAcquireStartData,
) context.Context {
	goroutine := goroutineID()
	for _, first := range t.heldBy(pool, goroutine) {
		if taken := stack(); taken != "" {
			t.report(ctx, Nested{Held: first, Taken: taken})
		}
	}
	return ctx
}

func (t *Tracer) heldBy(pool *pgxpool.Pool, goroutine string) (stacks []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range t.held {
		if h.pool == pool && h.goroutine == goroutine {
			stacks = append(stacks, h.stack)
		}
	}
	return stacks
}

// TraceAcquireEnd records who holds the connection.
func (t *Tracer) TraceAcquireEnd(_ context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	if data.Err != nil {
		return
	}
	taken := stack()
	if taken == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[data.Conn] = holder{pool: pool, goroutine: goroutineID(), stack: taken}
}

// TraceRelease records that the connection is free.
func (t *Tracer) TraceRelease(_ *pgxpool.Pool, data pgxpool.TraceReleaseData) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.held, data.Conn)
}

// TraceQueryStart does nothing; pgx requires tracers of connections to have it.
func (t *Tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing.
func (t *Tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// goroutineID is the number of the calling goroutine, as the head of its stack names it:
// the closures that run in transactions take no context that could carry a mark.
func goroutineID() string {
	var buffer [64]byte
	head := bytes.TrimPrefix(buffer[:runtime.Stack(buffer[:], false)], []byte("goroutine "))
	id, _, _ := bytes.Cut(head, []byte(" "))
	return string(id)
}

const (
	ours  = "waybill/"
	depth = 64
)

// stack returns the frames of this module, the innermost first; "" when a test takes the
// connection itself.
func stack() string {
	var counters [depth]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters[:])])
	var b strings.Builder
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, ours) && !strings.HasPrefix(frame.Function, ours+"store/poolcheck.(") {
			if b.Len() == 0 && isTest(&frame) {
				return ""
			}
			fmt.Fprintf(&b, "\t%s\n\t\t%s:%d\n", frame.Function, frame.File, frame.Line)
		}
		if !more {
			return b.String()
		}
	}
}

func isTest(frame *runtime.Frame) bool {
	return strings.HasSuffix(frame.File, "_test.go") || strings.HasPrefix(frame.Function, ours+"store/storetest.") ||
		strings.HasPrefix(frame.Function, ours+"api/apitest.")
}
