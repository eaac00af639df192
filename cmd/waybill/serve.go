package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"waybill/api"
	"waybill/providers"
	"waybill/workflows"
)

func newServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Answers the API",
		Long: `Answers the API at WAYBILL_HTTP_ADDR until it is told to stop (Ctrl-C or
SIGTERM); requests that it has begun are finished.

It starts while the Temporal server is away; /readyz says so until it is there.
It also works on imports, so that small ones need no other process.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context()) },
	}
}

func serve(ctx context.Context) (err error) {
	s, err := newService(ctx, "waybill-serve")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	front, err := s.newHTTPServer()
	if err != nil {
		return err
	}
	// The worker outlives the requests: they may be waiting for it.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- newQueueWorker(s.temporal, workflows.ImportsQueue, s.store, s.config, s.logger).Run(working)
	}()
	err = front.Run(ctx)
	stop()
	return errors.Join(err, <-done)
}

func (s *service) newHTTPServer() (*httpServer, error) {
	edge, err := api.New(api.Config{
		Version:    version,
		RateLimit:  s.config.RateLimit,
		RateBurst:  s.config.RateBurst,
		ImportWait: s.config.ImportWait,
		PublicURL:  s.config.PublicURL,
		Webhooks: api.WebhookSecrets{
			TwilioToken: s.config.SMSToken, SendgridKey: s.config.SendgridKey, PostmarkLogin: s.config.PostmarkLogin,
			Find: providers.EnvironmentSecrets,
		},
	}, api.Dependencies{
		Logger:   s.logger,
		Store:    s.store,
		Temporal: s.temporal,
		Keys:     s.store,
		KeyUse:   s.store,
		Checks:   readinessChecks(s.pool, s.temporal, &s.stopping),
		Registry: s.registry,
		Tracing:  s.traces.provider,
	})
	if err != nil {
		return nil, err
	}
	return &httpServer{
		address: s.config.HTTPAddr, handler: edge.Routes(), logger: s.logger,
		patience: s.config.ShutdownTimeout, stopping: &s.stopping,
	}, nil
}
