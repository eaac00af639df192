package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/api"
	"waybill/api/documents"
	"waybill/api/inbound"
	"waybill/domain/attachment"
	"waybill/providers"
	"waybill/providers/files"
	"waybill/store"
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
	storage, err := openFiles(ctx, s.store, s.config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()
	front, err := s.newHTTPServer(storage)
	if err != nil {
		return err
	}
	// The worker outlives the requests: they may be waiting for it.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- s.newQueueWorker(workflows.ImportsQueue).Run(working)
	}()
	err = front.Run(ctx)
	stop()
	return errors.Join(err, <-done)
}

// openFiles opens the storage of documents and proofs.
func openFiles(ctx context.Context, s *store.Store, c config) (*files.Storage, error) {
	key, err := s.SigningKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	storage, err := files.Open(ctx, c.BlobURL, strings.TrimSuffix(c.PublicURL, "/")+"/v1/files", key)
	if err != nil {
		return nil, fmt.Errorf("WAYBILL_BLOB_URL: %w", err)
	}
	return storage, nil
}

func (s *service) newHTTPServer(storage documents.Files) (*httpServer, error) {
	server, err := api.New(api.Config{
		RateLimit:  s.config.RateLimit,
		RateBurst:  s.config.RateBurst,
		ImportWait: s.config.ImportWait,
		PublicURL:  s.config.PublicURL,
		TemporalUI: s.config.TemporalUI,
		Namespace:  s.config.TemporalNamespace,
		Documents:  attachment.Limits{MaxBytes: s.config.DocumentMaxBytes, Types: s.config.DocumentTypes},

		TrackingRate: s.config.TrackingRateLimit, TrackingBurst: s.config.TrackingRateBurst,
		TrustedProxies: s.config.TrustedProxies,
		Webhooks: inbound.WebhookSecrets{
			TwilioToken: s.config.SMSToken, SendgridKey: s.config.SendgridKey, PostmarkLogin: s.config.PostmarkLogin,
			Find: providers.EnvironmentSecrets,
		},
	}, api.Dependencies{
		Logger:     s.logger,
		Store:      s.store,
		Operations: s.operations,
		Temporal:   s.temporal,
		Files:      storage,
		Keys:       s.store,
		KeyUse:     s.store,
		Sessions:   s.store,
		SessionUse: s.store,
		Checks:     readinessChecks(s.pool, s.temporal, &s.stopping),
		Registry:   s.registry,
		Tracing:    s.traces.provider,
	})
	if err != nil {
		return nil, err
	}
	return &httpServer{
		address: s.config.HTTPAddr, handler: server.Routes(), logger: s.logger,
		patience: s.config.ShutdownTimeout, stopping: &s.stopping,
	}, nil
}
