package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	serviceapi "waybill/api/service"
	"waybill/domain/installation"
	"waybill/operations"
	"waybill/store"
	"waybill/workflows"
)

// runner is a part of a service that works until its context ends.
type runner interface {
	Run(ctx context.Context) error
}

// service are the dependencies that serve and work share.
type service struct {
	name       string // of its sessions
	config     config
	logger     *slog.Logger
	flushLog   func()
	traces     tracing
	pool       *pgxpool.Pool
	lookups    *pgxpool.Pool // may be nil
	replica    *pgxpool.Pool // may be nil
	relay      *pgxpool.Pool // may be nil
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
	gate       *namespaceGate
	registry   *prometheus.Registry
	house      houseMetrics
	webhooks   webhookMetrics
	places     placeMetrics
	storage    storageMetrics
	stopping   atomic.Bool
	level      *slog.LevelVar
	profiled   func() error
}

// newService opens the dependencies of a service; the caller closes it.
func newService(ctx context.Context, name string) (s *service, err error) {
	s = &service{
		name: name, registry: prometheus.NewRegistry(), house: newHouseMetrics(), webhooks: newWebhookMetrics(),
		storage: newStorageMetrics(), places: newPlaceMetrics(),
	}
	s.registry.MustRegister(
		s.house.done, s.house.failed, s.webhooks.attempts, s.places.asked, s.storage.requests,
		newBuildInfo(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	if s.config, err = readConfig(); err != nil {
		return nil, err
	}
	if s.profiled, err = startProfile(s.config.CPUProfile, name); err != nil {
		return nil, err
	}
	s.config.limitMemory()
	shareProcessors()
	s.level = new(slog.LevelVar)
	if s.logger, s.flushLog, err = newServiceLogger(os.Stderr, s.config, s.level); err != nil {
		return nil, err
	}
	if err = s.open(ctx, name); err != nil {
		s.flushLog()
		return nil, err
	}
	if err = s.operate(ctx); err != nil {
		s.closeAll()
		s.flushLog()
		return nil, err
	}
	s.logger.InfoContext(ctx, "starting", "service", name, "version", version)
	if amiss := s.config.unsealed(); amiss != "" {
		s.logger.WarnContext(ctx, amiss)
	}
	return s, nil
}

// operate returns the operations of a service, unless its sealing secret or its
// namespace belongs to another installation.
func (s *service) operate(ctx context.Context) error {
	s.operations = newOperations(
		s.store, s.config, s.logger, watches{
			alarm: s.newAlarm(), messages: newMessageWatch(s.registry, s.logger, time.Now), files: s.storage.note,
		},
	)
	if err := errors.Join(s.operations.Sealing.Check(ctx), s.gate.atStart(ctx)); err != nil {
		return err
	}
	s.registry.MustRegister(serviceapi.NewDependencies(s.dependencies()))
	if s.name == workSession {
		s.watchWork()
	}
	return nil
}

// watchWork registers a worker process's metrics over all organizations.
func (s *service) watchWork() {
	s.registry.MustRegister(newFailedLives(s.operations.Housekeeping.FailedLives))
	s.registry.MustRegister(newOverdueTemplates(s.operations.Housekeeping.OverdueTemplates))
	s.registry.MustRegister(newPlacesWaiting(s.store.PlacesWaiting), newGeocoderRests(s.operations.Places.Resting))
	s.registry.MustRegister(newOrganizationEvents(s.store.CausedSince))
	s.registry.MustRegister(newAttention(s.operations.Housekeeping.NeedsAttention, s.operations.Housekeeping.OldestWaitingMessages, time.Now))
}

// open opens all connections of a service, or none.
func (s *service) open(ctx context.Context, name string) (err error) {
	if s.traces, err = newTracing(ctx, s.config, name); err != nil {
		return err
	}
	worker.SetStickyWorkflowCacheSize(cachedWorkflows)
	s.temporal, s.gate, err = newGatedTemporal(s.config, s.logger, s.identity, temporalExtras{s.traces.provider, s.registry})
	if err != nil {
		return err
	}
	if s.pool, err = openCheckedPool(ctx, s.config, name, s.traces.provider, s.logger); err != nil {
		s.temporal.Close()
		return err
	}
	s.store = store.New(s.pool)
	switch name {
	case serveSession:
		err = s.openReads(ctx)
	case workSession:
		err = s.openLease(ctx)
	}
	if err != nil {
		s.closeAll()
	}
	return err
}

// identity returns the installation of the database.
func (s *service) identity(ctx context.Context) (installation.Identity, error) {
	return s.operations.Housekeeping.Installation(ctx)
}

// lifecycles is the client that starts and signals workflows: it knows
// organizations' names in workflow IDs.
func (s *service) lifecycles() client.Client {
	return workflows.Naming(s.temporal, s.store.WorkflowName)
}

// openReads gives a process that serves requests separate connections for
// lookups by key, and for reads from a replica.
func (s *service) openReads(ctx context.Context) (err error) {
	if s.lookups, err = openLookups(ctx, s.config, s.traces.provider); err != nil {
		return err
	}
	if s.lookups != nil {
		s.store = s.store.WithLookups(s.lookups)
	}
	if s.replica, err = openReplica(ctx, s.config, s.traces.provider); err != nil || s.replica == nil {
		return err
	}
	missed := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "waybill_replica_missed_total", Help: "Reads answered by the database because the replica was unavailable.",
	})
	s.registry.MustRegister(missed)
	s.store = s.store.WithReplica(s.replica, missed.Inc)
	return nil
}

// openLease gives a process that runs the relay separate connections for its
// lease.
func (s *service) openLease(ctx context.Context) (err error) {
	if s.relay, err = openRelay(ctx, s.config, s.traces.provider); err == nil && s.relay != nil {
		s.store = s.store.WithRelay(s.relay)
	}
	return err
}

// close closes what newService opened, in reverse order, even if ctx has ended.
func (s *service) close(ctx context.Context) error {
	s.closeAll()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.ShutdownTimeout)
	defer cancel()
	err := errors.Join(s.traces.close(ctx), s.profiled())
	s.logger.InfoContext(ctx, "stopped")
	s.flushLog()
	return err
}

// closeAll closes all connections.
func (s *service) closeAll() {
	for _, pool := range []*pgxpool.Pool{s.pool, s.lookups, s.replica, s.relay} {
		if pool != nil {
			pool.Close()
		}
	}
	s.temporal.Close()
}

// runAll runs parts until ctx ends, or until one of them ends with an error,
// which then ends the others.
func runAll(ctx context.Context, parts ...runner) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, len(parts))
	for _, part := range parts {
		go func() { ended <- part.Run(ctx) }()
	}
	var errs []error
	for range parts {
		err := <-ended
		if err != nil {
			cancel()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
