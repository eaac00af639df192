package relay

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"waybill/store"
)

// mostLinks is how many traces a follower's trace links to.
const mostLinks = 32

// mostOrders is how many orders a span names.
const mostOrders = 32

// Trace creates a span for each call of a follower, in its own trace. Its links
// lead to the traces in which the events were written, and it includes the work
// that the follower starts. A nil provider disables tracing.
func (r *Relay) Trace(provider trace.TracerProvider) *Relay {
	if provider != nil {
		r.tracer = provider.Tracer("waybill/relay")
	}
	return r
}

// span begins a span of the hand-over of events of an organization; end ends it.
func (r *Relay) span(
	ctx context.Context, f *Follower, org int64, events []store.Event,
) (spanCtx context.Context, end func(error)) {
	if r.tracer == nil {
		return ctx, func(error) {}
	}
	written, err := r.store.TracesOf(ctx, org, events, mostLinks)
	if err != nil {
		r.logger.DebugContext(ctx, "cannot read trace links", "follower", f.Name, "error", err)
	}
	links := make([]trace.Link, len(written))
	for i, at := range written {
		links[i] = trace.Link{SpanContext: at}
	}
	ctx, span := r.tracer.Start(ctx, "follow "+f.Name, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithLinks(links...), trace.WithAttributes(
			attribute.Int64("waybill.org_id", org),
			attribute.Int("waybill.events", len(events)),
			attribute.Int64Slice("waybill.order_ids", ordersOf(events)),
		))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "not taken")
		}
		span.End()
	}
}

// ordersOf returns the first orders that events are about, each once.
func ordersOf(events []store.Event) []int64 {
	var orders []int64
	seen := map[int64]bool{0: true}
	for i := range events {
		if id := events[i].OrderID; !seen[id] && len(orders) < mostOrders {
			seen[id] = true
			orders = append(orders, id)
		}
	}
	return orders
}
