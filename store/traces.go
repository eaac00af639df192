package store

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"waybill/store/columns"
	"waybill/store/queries"
)

// traceHeader is the form in which an event stores its trace: that of the
// header of the same name in https://www.w3.org/TR/trace-context/.
const traceHeader = "traceparent"

// rememberTrace has the events of a transaction remember the trace that it is part of, if that
// one is kept.
func rememberTrace(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return "; set local app.trace = " + literal(carrier[traceHeader])
}

// TracesOf returns up to most distinct traces in which events of an
// organization were written. Events of untraced transactions have none.
func (s *Store) TracesOf(ctx context.Context, org int64, events []Event, most int32) ([]trace.SpanContext, error) {
	rows, err := s.of(org).TracesOfEvents(ctx, queries.TracesOfEventsParams{
		OrgID: org, Most: most,
		Ids:   columns.Of(events, func(e Event) int64 { return e.ID }),
		Times: columns.Of(events, func(e Event) time.Time { return e.RecordedAt }),
	})
	if err != nil {
		return nil, fmt.Errorf("read traces of events: %w", translate(err))
	}
	traces := make([]trace.SpanContext, 0, len(rows))
	for _, header := range rows {
		of := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceHeader: header})
		if found := trace.SpanContextFromContext(of); found.IsValid() {
			traces = append(traces, found)
		}
	}
	return traces, nil
}
