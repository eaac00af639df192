package main

import (
	"context"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"

	serviceapi "waybill/api/service"
	"waybill/domain/region"
	"waybill/providers/regions"
	"waybill/providers/roads"
	"waybill/store/places"
)

const roadsSession = "waybill-roads"

func newRoadsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "roads",
		Short: "Serve travel times and routes of the regions",
		Long: `Serve the road data of all regions at WAYBILL_ROADS_HTTP_ADDR until Ctrl-C or SIGTERM, with the
API of OSRM: /table, /route, /nearest and /match. Set WAYBILL_TRAVEL_URL of serve and work to
osrm+http:// and this address.

It runs an osrm-routed for each region, starts it again if it ends, and switches to a new
version of a region without missing a request. /readyz reports whether all regions answer.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveRoads(cmd.Context()) },
	}
}

func serveRoads(ctx context.Context) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	if err := c.needDatabase(); err != nil {
		return err
	}
	c.limitMemory()
	logger, flush, err := newServiceLogger(os.Stderr, c, new(slog.LevelVar))
	if err != nil {
		return err
	}
	defer flush()
	pool, err := openCheckedPool(ctx, c, roadsSession, nil, logger)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, _, err := c.regionPrograms().Server(); err != nil {
		return err
	}
	server := roads.New(regions.NewFolder(c.RegionsDir), c.regionPrograms(), listOfRegions(pool), logger)
	var stopping atomic.Bool
	front := &httpServer{
		address: c.RoadsHTTPAddr, handler: newRoadsHandler(server, logger), logger: logger, patience: c.ShutdownTimeout,
		stopping: &stopping,
	}
	// The engines outlive the requests that are being finished.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- server.Run(working) }()
	err = runAll(ctx, front)
	stop()
	if closed := <-done; err == nil {
		err = closed
	}
	return err
}

// listOfRegions reads the regions from the database.
func listOfRegions(pool *pgxpool.Pool) regions.List {
	const patience = 5 * time.Second
	register := places.New(pool)
	return func(ctx context.Context) ([]region.Region, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return register.Regions(ctx)
	}
}

// newRoadsHandler serves probes and metrics next to the roads.
func newRoadsHandler(server *roads.Server, logger *slog.Logger) *chi.Mux {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		newBuildInfo(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	r := chi.NewRouter()
	checks := []serviceapi.Check{{Name: "regions", Run: server.Check}}
	serviceapi.NewProbes(checks, registry, logger).Routes(r)
	r.Mount("/", server)
	return r
}
