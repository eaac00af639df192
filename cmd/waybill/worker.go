package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/internal/wait"
	"waybill/operations"
	planningops "waybill/operations/planning"
	"waybill/workflows"
)

// mostPollers is how many of each kind a worker has at most: a third more throughput
// than the SDK's default. A queue that is idle keeps one.
const mostPollers = 8

// pollers poll for work: one while idle, and more when work waits.
func pollers(most int) worker.PollerBehavior {
	return worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{
		InitialNumberOfPollers: min(2, most), MaximumNumberOfPollers: most,
	})
}

// cachedWorkflows is how many workflows a process keeps in memory between two
// steps. Thousands of templates sleep until midnight: the server remembers
// them, so caching them here gains nothing.
const cachedWorkflows = 1000

// queueWorker works on one task queue. It waits for an unavailable server, and
// restarts if the server rejects it permanently.
type queueWorker struct {
	temporal   client.Client
	queue      workflows.TaskQueue
	operations *operations.Operations
	logger     *slog.Logger
	lives      workflows.Lives
	house      houseMetrics
	webhooks   webhookMetrics
	places     placeMetrics
	options    worker.Options
}

func (s *service) newQueueWorker(queue workflows.TaskQueue) *queueWorker {
	c := s.config
	w := &queueWorker{
		temporal: s.temporal, queue: queue, operations: s.operations,
		logger: s.logger.With("task_queue", string(queue)), lives: workflows.Lives{Temporal: s.lifecycles()},
		house: s.house, webhooks: s.webhooks, places: s.places,
		options: worker.Options{
			WorkflowTaskPollerBehavior: pollers(mostPollers),
			ActivityTaskPollerBehavior: pollers(mostPollers),
			// The SDK's default is most of the heartbeat's timeout: a late
			// heartbeat would repeat an activity.
			MaxHeartbeatThrottleInterval: time.Second,
			// Activities wait for a connection anyway when all are in use.
			MaxConcurrentActivityExecutionSize:      int(c.DatabaseConns),
			MaxConcurrentLocalActivityExecutionSize: int(c.DatabaseConns),
			DisableRegistrationAliasing:             true,
			WorkerStopTimeout:                       c.ShutdownTimeout,
			DeploymentOptions:                       deployment(c),
			Interceptors:                            []interceptor.WorkerInterceptor{&activities.Guard{}},
		},
	}
	w.fit(c)
	return w
}

// fit sets how much of its queue a worker does at a time.
func (w *queueWorker) fit(c config) {
	if w.queue == workflows.HousekeepingQueue {
		// It yields to everything else.
		w.options.WorkflowTaskPollerBehavior, w.options.ActivityTaskPollerBehavior = pollers(2), pollers(1)
		w.options.MaxConcurrentActivityExecutionSize = 1
	}
	if w.queue == workflows.ImportsQueue {
		// The rest waits at the Temporal server, which lets organizations take
		// turns.
		w.options.MaxConcurrentActivityExecutionSize = c.Importers
	}
	if w.queue == workflows.WebhooksQueue {
		// Each waits for an external server, and holds no connection in the
		// meantime.
		w.options.MaxConcurrentActivityExecutionSize = webhooksAtOnce
	}
	if w.queue == workflows.PlacesQueue {
		// Each waits for its turn at the provider, without a connection.
		w.options.MaxConcurrentActivityExecutionSize = placesAtOnce
	}
	if w.queue == workflows.PlanningQueue {
		// The heartbeat notifies a search of a change.
		w.options.MaxHeartbeatThrottleInterval = activities.SearchHeartbeat
		// Improvements of existing plans yield to the others.
		w.options.MaxConcurrentActivityExecutionSize = max(c.Planners, 1) + plansWaiting
	}
}

// newSmallImportsWorker returns the worker of a process that serves requests:
// it runs the imports that its requests wait for, and leaves bulk imports to
// others.
func (s *service) newSmallImportsWorker() *queueWorker {
	w := s.newQueueWorker(workflows.ImportsQueue)
	w.options.LocalActivityWorkerOnly = true
	return w
}

// webhooksAtOnce is how many endpoints a process sends to at a time.
const webhooksAtOnce = 200

// placesAtOnce is for how many organizations a process asks for addresses at a time.
const placesAtOnce = 100

// plansWaiting is how many plans of a process may wait for their turn: those that can be tried again later, and as
// many of which something is new.
const plansWaiting = 2 * planningops.MostSpares

// deployment names the version of a worker, if it has one. Workflows move to
// the current version automatically: forks for a release are in the code
// (workflows/versions.go).
func deployment(c config) worker.DeploymentOptions {
	if c.BuildID == "" {
		return worker.DeploymentOptions{}
	}
	return worker.DeploymentOptions{
		UseVersioning:             true,
		Version:                   worker.WorkerDeploymentVersion{DeploymentName: c.Deployment, BuildID: c.BuildID},
		DefaultVersioningBehavior: workflow.VersioningBehaviorAutoUpgrade,
	}
}

// Run works until ctx ends, and then finishes what it has begun.
func (w *queueWorker) Run(ctx context.Context) error {
	var last string
	for ctx.Err() == nil {
		if err := w.shift(ctx); err != nil && ctx.Err() == nil && err.Error() != last {
			last = err.Error() // logged once, however long it lasts
			w.logger.WarnContext(ctx, "worker interrupted", "error", err)
		}
		wait.For(ctx, time.Second)
	}
	return nil
}

// shift is the life of one worker: a worker of the SDK starts only once.
func (w *queueWorker) shift(ctx context.Context) error {
	if err := checkTemporal(ctx, w.temporal); err != nil {
		return fmt.Errorf("reach Temporal: %w", err)
	}
	fatal := make(chan error, 1)
	options := w.options
	options.OnFatalError = func(err error) { fatal <- err }
	sdk := worker.New(w.temporal, string(w.queue), options)
	w.register(sdk)
	if err := sdk.Start(); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	defer sdk.Stop()
	select {
	case <-ctx.Done():
		return nil
	case err := <-fatal:
		return fmt.Errorf("fatal worker error: %w", err)
	}
}

// register registers the queue's workflows and activities.
func (w *queueWorker) register(r worker.Registry) {
	workflows.Register(r)
	r.RegisterActivity(activities.NewImports(w.operations.Orders))
	r.RegisterActivity(activities.NewRecurring(w.operations.Recurring))
	r.RegisterActivity(activities.NewExports(w.operations.Exports))
	r.RegisterActivity(activities.NewNotifications(w.operations.Notifications))
	r.RegisterActivity(activities.NewPlanning(w.operations.Planning))
	r.RegisterActivity(activities.NewSimulation(w.operations.Sandbox))
	r.RegisterActivity(activities.NewDriving(w.operations.Driving))
	r.RegisterActivity(activities.NewWebhooks(w.operations.Deliveries, w.webhooks.note))
	r.RegisterActivity(activities.NewResendings(w.operations.Notifications, workflows.Resender{Temporal: w.lives.Temporal}.Resend))
	r.RegisterActivity(activities.NewPlaces(w.operations.Places, w.places.note))
	r.RegisterActivity(activities.NewLearning(w.operations.Learning))
	r.RegisterActivity(activities.NewHousekeeping(w.operations.Housekeeping, w.operations.Orders, w.lives, w.house.note))
}
