package main

import (
	"context"
	"log/slog"
	"os"
	"sync"
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

It runs an osrm-routed for the road data of each profile in each region, starts it again if it
ends, and switches to a new version of a region without missing a request. /readyz reports
whether all regions answer, and /data lists the road data.

It also builds the road data that vehicle types want and regions lack, one after the other and
with the lowest priority. A builder that is killed leaves everything as it was, and is started
again after a pause. "waybill region list" shows the progress.`,
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
	if err := c.regionPrograms().CheckRoads(); err != nil {
		return err
	}
	source := roads.Source{List: listOfRegions(pool), Wanted: wantedRoads(pool, c.RoadProfiles)}
	server := roads.New(regions.NewFolder(c.RegionsDir), c.regionPrograms(), source, logger)
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

// wantedFor is how long the profiles of vehicles are not read again. A new class is noticed then.
const wantedFor = 10 * time.Second

// wantedRoads reads the profiles that vehicles have from the database.
func wantedRoads(pool *pgxpool.Pool, most int) roads.Wanted {
	const patience = 5 * time.Second
	register := places.New(pool)
	var mu sync.Mutex
	var kept []region.Profile
	var until time.Time
	return func(ctx context.Context) ([]region.Profile, error) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Before(until) {
			return kept, nil
		}
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		all, err := register.RoadProfiles(ctx)
		if err != nil {
			return nil, err
		}
		kept, until = all[:min(len(all), max(1, most))], time.Now().Add(wantedFor)
		return kept, nil
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
