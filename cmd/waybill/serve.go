package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/api"
	"waybill/api/contract"
	"waybill/api/documents"
	"waybill/api/handbook"
	"waybill/api/inbound"
	"waybill/api/planning"
	"waybill/domain/attachment"
	"waybill/providers"
	"waybill/providers/files"
	"waybill/providers/regions"
	"waybill/store"
	"waybill/web"
)

func newServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Serve the API",
		Long: `Serve the API at WAYBILL_HTTP_ADDR until Ctrl-C or SIGTERM. Running requests are finished
before the process stops.

It starts even if the Temporal server is unavailable; /readyz then reports that. It also
processes imports, so small imports need no other process.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context()) },
	}
}

func serve(ctx context.Context) (err error) {
	s, err := newService(ctx, serveSession)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	storage, err := openFiles(ctx, s.store, s.config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()
	storage.Watch(s.storage.note)
	tiles := regions.NewTiles(regions.NewFolder(s.config.RegionsDir), listOfRegions(s.pool), s.logger)
	front, err := s.newHTTPServer(ctx, storage, tiles)
	if err != nil {
		return err
	}
	// The worker outlives the requests: they may be waiting for it.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- s.newSmallImportsWorker().Run(working)
	}()
	err = runAll(ctx, append(s.privateProbes(), front, s.gate, tiles)...)
	stop()
	return errors.Join(err, <-done)
}

// privateProbes serve operators at a separate address, if there is one.
func (s *service) privateProbes() []runner {
	if s.config.PrivateHTTPAddr == "" {
		return nil
	}
	return []runner{s.newProbes(s.config.PrivateHTTPAddr)}
}

// openFiles opens the storage of documents and proofs.
func openFiles(ctx context.Context, s *store.Store, c config) (*files.Storage, error) {
	key, err := s.SigningKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	storage, err := files.Open(ctx, c.BlobURL, strings.TrimSuffix(c.PublicURL, "/")+"/v1/files", key)
	if err != nil {
		return nil, withoutSecrets("WAYBILL_BLOB_URL", c.BlobURL, err)
	}
	return storage, nil
}

// apiConfig is the configuration of the API.
func (s *service) apiConfig() api.Config {
	return api.Config{
		RateLimit:        s.config.RateLimit,
		RateBurst:        s.config.RateBurst,
		ImportWait:       s.config.ImportWait,
		HasPrivateProbes: s.config.PrivateHTTPAddr != "",

		BodyBytes: s.config.BodyBytes,
		BodyShare: s.config.BodyShare,
		// A quarter of the connections is reserved for light requests.
		HeavyRequests: int(s.config.DatabaseConns-s.config.lookupConns()) * 3 / 4, HeavyShare: s.config.HeavyShare,
		PublicURL:  s.config.PublicURL,
		TemporalUI: s.config.TemporalUI,
		Namespace:  s.config.TemporalNamespace,
		Documents:  attachment.Limits{MaxBytes: s.config.DocumentMaxBytes, Types: s.config.DocumentTypes},

		TrackingRate: s.config.TrackingRateLimit, TrackingBurst: s.config.TrackingRateBurst,
		TrustedProxies: s.config.TrustedProxies,
		DriverUpdate:   s.config.DriverUpdateRequired,
		Webhooks: inbound.WebhookSecrets{
			TwilioToken: s.config.SMSToken, SendgridKey: s.config.SendgridKey, PostmarkLogin: s.config.PostmarkLogin,
			Find: providers.EnvironmentSecrets,
		},
	}
}

func (s *service) newHTTPServer(
	ctx context.Context, storage documents.Files, tiles *regions.Tiles,
) (*httpServer, error) {
	basemap, err := web.ReadBasemap(s.config.Map)
	if err != nil {
		return nil, fmt.Errorf("WAYBILL_MAP %w", err)
	}
	apps, err := web.New(strings.HasPrefix(s.config.PublicURL, "https://"), basemap)
	if err != nil {
		return nil, err
	}
	server, err := api.New(s.apiConfig(), api.Dependencies{
		Logger:     s.logger,
		Store:      s.store,
		Operations: s.operations,
		Temporal:   s.lifecycles(),
		Files:      storage,
		Keys:       s.store,
		KeyUse:     s.store,
		Sessions:   s.store,
		SessionUse: s.store,
		Checks:     s.readinessChecks(),
		Web:        apps.WithTiles(tiles),
		Releases:   apps.Releases(),
		Map: planning.Map{
			Kind: contract.MapKind(basemap.Kind), URL: basemap.URL, Attribution: s.config.MapAttribution,
			Regions: tiles.Regions, Tiles: web.RegionTilesURL, Streets: web.StreetsURL,
		},
		Lifetime: ctx,
		Registry: s.registry,
		Tracing:  s.traces.provider,
	})
	if err != nil {
		return nil, err
	}
	go s.warmHandbook(ctx)
	return &httpServer{
		address: s.config.HTTPAddr, handler: server.Routes(), logger: s.logger,
		patience: s.config.ShutdownTimeout, stopping: &s.stopping,
	}, nil
}

// warmHandbook renders the documentation, so that no reader waits for it.
func (s *service) warmHandbook(ctx context.Context) {
	if err := handbook.Warm(); err != nil {
		s.logger.ErrorContext(ctx, "the documentation cannot be shown", "error", err)
	}
}
