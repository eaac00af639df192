package main

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// tracing is where spans go: nowhere, with a nil provider, unless an endpoint
// is set.
type tracing struct {
	provider trace.TracerProvider
	close    func(context.Context) error
}

// newTracing reads the rest of its settings from the variables of the
// OpenTelemetry standard.
func newTracing(ctx context.Context, c config, service string) (tracing, error) {
	if c.TracesEndpoint == "" {
		return tracing{close: func(context.Context) error { return nil }}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return tracing{}, fmt.Errorf("create the trace exporter: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceName(service), semconv.ServiceVersion(version)),
		resource.WithHost(), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return tracing{}, fmt.Errorf("describe the trace source: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return tracing{provider: provider, close: provider.Shutdown}, nil
}
