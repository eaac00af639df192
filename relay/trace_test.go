package relay_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/store/storetest"
)

// TestTracesOfFollowersLeadBack writes one event within a trace and one without, and checks
// the trace of a follower's work on them.
func TestTracesOfFollowersLeadBack(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Apply(t, db, "organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n")
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	s := store.New(db.Pool)
	write := func(ctx context.Context, order int64) {
		require.NoError(t, s.InTx(ctx, caller.Service(org, "test"), func(x *store.Tx) error {
			return x.Append(ctx, event.Order{ID: order, Number: "A"}.Event(event.OrderCreated))
		}))
	}
	asked, request := provider.Tracer("test").Start(t.Context(), "POST /v3/orders/import")
	write(asked, 7)
	request.End()
	write(t.Context(), 8)

	within := make(chan trace.SpanContext, 10)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- relay.New(s, slog.New(slog.DiscardHandler), nil, relay.Follower{
			Name: "notifications", Kinds: []event.Kind{event.OrderCreated},
			Hand: func(ctx context.Context, _ []store.Event) error {
				within <- trace.SpanContextFromContext(ctx)
				return nil
			},
		}).Trace(provider).Run(ctx)
	}()
	var followed []sdktrace.ReadOnlySpan
	orders := func() (all []int64) {
		followed = nil
		for _, span := range spans.Ended() {
			if span.Name() == "follow notifications" {
				followed = append(followed, span)
			}
		}
		for _, span := range followed {
			for _, a := range span.Attributes() {
				if a.Key == "waybill.order_ids" {
					all = append(all, a.Value.AsInt64Slice()...)
				}
			}
		}
		return all
	}
	require.Eventually(t, func() bool { return len(orders()) == 2 }, time.Minute, 10*time.Millisecond)
	stop()
	require.NoError(t, <-done)
	of := <-within

	require.Equal(t, []int64{7, 8}, orders())
	require.Equal(t, of.TraceID(), followed[0].SpanContext().TraceID(), "what the follower starts is part of it")
	require.NotEqual(t, request.SpanContext().TraceID(), of.TraceID())
	var links []sdktrace.Link
	for _, span := range followed {
		links = append(links, span.Links()...)
	}
	require.Len(t, links, 1)
	require.Equal(t, request.SpanContext().TraceID(), links[0].SpanContext.TraceID())
	require.Equal(t, request.SpanContext().SpanID(), links[0].SpanContext.SpanID())
}
