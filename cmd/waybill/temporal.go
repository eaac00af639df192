package main

import (
	"context"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
)

// newTemporal makes a client that connects when it is first used, so that a
// service starts while the Temporal server is away. The provider may be nil.
func newTemporal(c config, logger *slog.Logger, provider trace.TracerProvider) (client.Client, error) {
	options := client.Options{
		HostPort:  c.TemporalAddress,
		Namespace: c.TemporalNamespace,
		Logger:    log.NewStructuredLogger(logger),
	}
	if provider != nil {
		tracer, err := opentelemetry.NewTracingInterceptor(
			opentelemetry.TracerOptions{Tracer: provider.Tracer("waybill/temporal")},
		)
		if err != nil {
			return nil, fmt.Errorf("trace workflows: %w", err)
		}
		options.Interceptors = []interceptor.ClientInterceptor{tracer}
	}
	temporal, err := client.NewLazyClient(options)
	if err != nil {
		return nil, fmt.Errorf("make the Temporal client: %w", err)
	}
	return temporal, nil
}

// checkTemporal returns an error when the server does not answer.
func checkTemporal(ctx context.Context, temporal client.Client) error {
	_, err := temporal.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}
