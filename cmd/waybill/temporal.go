package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	metrics "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"google.golang.org/grpc"
)

// newTemporal returns a client that connects when it is first used, so that a
// service starts while the Temporal server is away. Its metrics go to the
// registry. The provider and the registry may be nil.
func newTemporal(
	c config, logger *slog.Logger, provider trace.TracerProvider, registry prometheus.Registerer, dial ...grpc.DialOption,
) (client.Client, error) {
	options, err := temporalOptions(c)
	if err != nil {
		return nil, err
	}
	options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions, dial...)
	options.Logger = log.NewStructuredLogger(slog.New(calmly{logger.Handler()}))
	if provider != nil {
		tracer, err := opentelemetry.NewTracingInterceptor(
			opentelemetry.TracerOptions{Tracer: provider.Tracer("waybill/temporal")},
		)
		if err != nil {
			return nil, fmt.Errorf("trace workflows: %w", err)
		}
		options.Interceptors = []interceptor.ClientInterceptor{tracer}
	}
	if registry != nil {
		if options.MetricsHandler, err = temporalMetrics(registry, logger); err != nil {
			return nil, err
		}
	}
	temporal, err := client.NewLazyClient(options)
	if err != nil {
		return nil, fmt.Errorf("create the Temporal client: %w", err)
	}
	return temporal, nil
}

// temporalExtras observe a client; each may be nil.
type temporalExtras struct {
	provider trace.TracerProvider
	registry prometheus.Registerer
}

// temporalOptions configure the connection by the TEMPORAL_ variables that
// Temporal's own programs also use. They read no file.
func temporalOptions(c config) (client.Options, error) {
	options, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{
		DisableFile: true, EnvLookup: temporalVariables(c),
	})
	if err != nil {
		return client.Options{}, fmt.Errorf("read the TEMPORAL_ variables: %w", err)
	}
	return options, nil
}

// temporalVariables are our settings as the variables that they came from.
func temporalVariables(c config) temporalEnvironment {
	all := temporalEnvironment{}
	for name, value := range map[string]string{
		"TEMPORAL_ADDRESS": c.TemporalAddress, "TEMPORAL_NAMESPACE": c.TemporalNamespace,
		"TEMPORAL_API_KEY": c.TemporalAPIKey, "TEMPORAL_TLS": c.TemporalTLS,
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH": c.TemporalCA, "TEMPORAL_TLS_SERVER_NAME": c.TemporalServerName,
		"TEMPORAL_TLS_CLIENT_CERT_PATH": c.TemporalCert, "TEMPORAL_TLS_CLIENT_KEY_PATH": c.TemporalCertKey,
	} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}

// temporalEnvironment implements envconfig.EnvLookup.
type temporalEnvironment map[string]string

// Environ returns the variables as a process has them.
func (e temporalEnvironment) Environ() []string {
	var all []string
	for name, value := range e {
		all = append(all, name+"="+value)
	}
	return all
}

// LookupEnv returns one variable, and reports whether it is set.
func (e temporalEnvironment) LookupEnv(name string) (string, bool) {
	value, set := e[name]
	return value, set
}

// temporalMetrics are the SDK's metrics (latencies, slots, pollers, its cache)
// among ours. An error in one must not stop the work.
func temporalMetrics(registry prometheus.Registerer, logger *slog.Logger) (client.MetricsHandler, error) {
	exporter, err := metrics.New(metrics.WithRegisterer(registry), metrics.WithoutScopeInfo(), metrics.WithoutTargetInfo())
	if err != nil {
		return nil, fmt.Errorf("export workflow metrics: %w", err)
	}
	provider := metric.NewMeterProvider(metric.WithReader(exporter))
	return opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{
		Meter: provider.Meter("temporal-sdk-go"), UseMonotonicCounters: true,
		OnError: func(err error) { logger.Warn("cannot record workflow metric", "error", err) },
	}), nil
}

// checkTemporal returns an error when the server does not answer.
func checkTemporal(ctx context.Context, temporal client.Client) error {
	_, err := temporal.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}
