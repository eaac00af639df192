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
	"waybill/workflows"
)

// mostPollers is how many of each kind a worker has at most: a third more throughput
// than the SDK's default. A queue that is idle keeps one.
const mostPollers = 8

// pollers ask for work, one while nothing is to be done and more when work waits.
func pollers(most int) worker.PollerBehavior {
	return worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{
		InitialNumberOfPollers: min(2, most), MaximumNumberOfPollers: most,
	})
}

// cachedWorkflows is how many workflows a process keeps in memory between two
// steps. Templates by the thousand sleep until midnight: the server remembers
// them, and nothing is gained by remembering them here as well.
const cachedWorkflows = 1000

// queueWorker works on one task queue. It waits for a server that is away, and
// starts anew when the server turns it away for good.
type queueWorker struct {
	temporal   client.Client
	queue      workflows.TaskQueue
	operations *operations.Operations
	logger     *slog.Logger
	lives      workflows.Lives
	house      houseMetrics
	webhooks   webhookMetrics
	options    worker.Options
}

func (s *service) newQueueWorker(queue workflows.TaskQueue) *queueWorker {
	c := s.config
	w := &queueWorker{
		temporal: s.temporal, queue: queue, operations: s.operations,
		logger: s.logger.With("task_queue", string(queue)), lives: workflows.Lives{Temporal: s.lifecycles()},
		house: s.house, webhooks: s.webhooks,
		options: worker.Options{
			WorkflowTaskPollerBehavior: pollers(mostPollers),
			ActivityTaskPollerBehavior: pollers(mostPollers),
			// The SDK's own is most of the heartbeat's timeout: one that came late
			// would have an activity done twice.
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
	if queue == workflows.HousekeepingQueue {
		// It gives way to everything else.
		w.options.WorkflowTaskPollerBehavior, w.options.ActivityTaskPollerBehavior = pollers(2), pollers(1)
		w.options.MaxConcurrentActivityExecutionSize = 1
	}
	if queue == workflows.ImportsQueue {
		// The rest waits at the Temporal server, which lets organizations take turns.
		w.options.MaxConcurrentActivityExecutionSize = c.Importers
	}
	if queue == workflows.WebhooksQueue {
		// Each waits for somebody else's server, and holds no connection meanwhile.
		w.options.MaxConcurrentActivityExecutionSize = webhooksAtOnce
	}
	if queue == workflows.PlanningQueue {
		// A search hears of a change by its heartbeat.
		w.options.MaxHeartbeatThrottleInterval = activities.SearchHeartbeat
		// Those that improve what is known give way to the others.
		w.options.MaxConcurrentActivityExecutionSize = max(c.Planners, 1) + plansWaiting
	}
	return w
}

// newSmallImportsWorker makes the worker of a process that answers requests: it
// imports what one of its requests waits for, and leaves bulk to others.
func (s *service) newSmallImportsWorker() *queueWorker {
	w := s.newQueueWorker(workflows.ImportsQueue)
	w.options.LocalActivityWorkerOnly = true
	return w
}

// webhooksAtOnce is how many endpoints a process sends to at a time.
const webhooksAtOnce = 200

// plansWaiting is how many plans of a process may wait for their turn.
const plansWaiting = 8

// deployment names the version under which a process works, if it has one. A
// workflow moves on to the current version by itself: what is forked for a
// release is forked in the code (workflows/versions.go).
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
			last = err.Error() // said once, however long it lasts
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

// register makes known what the queue's lifecycles are made of.
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
	r.RegisterActivity(activities.NewHousekeeping(w.operations.Housekeeping, w.operations.Orders, w.lives, w.house.note))
}
