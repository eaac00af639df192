package workflows_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/housekeeping"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/operations/driving"
	"waybill/operations/learning"
	"waybill/operations/notifications"
	"waybill/operations/places"
	"waybill/operations/planning"
	"waybill/operations/recurring"
	"waybill/operations/sandbox"
	"waybill/operations/webhooks/delivery"
	"waybill/store"
	"waybill/workflows"
)

// poisoned are operations that all end in the same way.
type poisoned struct {
	activities.Importer
	activities.ExportOperations
	activities.NotificationOperations
	activities.RecurringOperations
	activities.PlanningOperations
	activities.SimulationOperations
	activities.DrivingOperations
	activities.WebhookOperations
	activities.HousekeepingOperations

	end func() error
}

func (p poisoned) ImportChunk(context.Context, caller.Caller, int64, int) (map[order.Kind]int, error) {
	return nil, p.end()
}

func (p poisoned) RegisterLocations(context.Context, caller.Caller, int64, int) error { return p.end() }

func (p poisoned) ConsiderExport(context.Context, caller.Caller, int64) (export.Record, error) {
	return export.Record{}, p.end()
}

func (p poisoned) RecordNotification(
	context.Context, caller.Caller, notifications.NewMessage,
) (notifications.RecordedMessage, error) {
	return notifications.RecordedMessage{}, p.end()
}

// EndImport records the end of an import, which always succeeds.
func (p poisoned) EndImport(context.Context, caller.Caller, int64, order.ImportEnd) error { return nil }

func (p poisoned) GenerateOrders(context.Context, caller.Caller, int64) (recurring.Generated, error) {
	return recurring.Generated{}, p.end()
}

func (p poisoned) PlanDay(context.Context, caller.Caller, planning.PlanningSlice) (planning.PlannedDay, error) {
	return planning.PlannedDay{}, p.end()
}

func (p poisoned) Simulate(context.Context, caller.Caller, int64) (sandbox.SimulatedDay, error) {
	return sandbox.SimulatedDay{}, p.end()
}

func (p poisoned) LookAtDrive(context.Context, caller.Caller, store.DriveDay) (driving.LookedAtDrive, error) {
	return driving.LookedAtDrive{}, p.end()
}

func (p poisoned) Place(context.Context, caller.Caller, time.Duration) (places.Turn, error) {
	return places.Turn{}, p.end()
}

func (p poisoned) Deliver(
	context.Context, caller.Caller, int64, time.Duration,
) (delivery.Turn, error) {
	return delivery.Turn{}, p.end()
}

func (p poisoned) Learn(context.Context, caller.Caller) (learning.Night, error) {
	return learning.Night{}, p.end()
}

func (p poisoned) KeepHouse(context.Context, housekeeping.Duty, bool) (housekeeping.Batch, error) {
	return housekeeping.Batch{}, p.end()
}

// triedSteps counts how often steps are tried.
type triedSteps struct {
	interceptor.WorkerInterceptorBase
	made atomic.Int32
}

// InterceptActivity counts one.
func (a *triedSteps) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	a.made.Add(1)
	return next
}

// mostAttempts is how often a step may be tried that cannot succeed, on the quick way
// and then on the patient one.
const mostAttempts = 12

// Invalid data and panics end each lifecycle instead of being retried forever.
func TestPanicsEndWorkflows(t *testing.T) {
	t.Parallel()
	lifecycles := map[string]struct{ workflow, input any }{
		"a small import": {workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 1, Entries: 1, Chunks: 1}},
		"a bulk import":  {workflows.ImportOrders, workflows.ImportInput{OrgID: 1, ImportID: 1, Entries: 900, Chunks: 2}},
		"an export":      {workflows.ExportOrder, workflows.ExportInput{OrgID: 1, OrderID: 1}},
		"a message": {workflows.Notification, workflows.NotificationInput{
			OrgID: 1, Key: "1-1-0", Event: notification.OrderCreated, Channel: notification.Email,
		}},
		"a recurring order":  {workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 1}},
		"a plan":             {workflows.PlanDay, workflows.PlanInput{OrgID: 1, Date: "2026-03-02"}},
		"a simulated day":    {workflows.SimulateDay, workflows.SimulationInput{OrgID: 1, RunID: 1, Date: "2026-03-02", Pace: 1}},
		"a day on the road":  {workflows.DriveDay, workflows.DriveInput{OrgID: 1, DriverID: 1, Day: "2026-03-02"}},
		"a webhook endpoint": {workflows.WebhookEndpoint, workflows.WebhookInput{OrgID: 1, EndpointID: 1}},
		"addresses":          {workflows.PlaceAddresses, workflows.PlacesInput{OrgID: 1}},
		"travel times":       {workflows.LearnTravel, workflows.LearnTravelInput{OrgID: 1}},
		"housekeeping":       {workflows.Housekeeping, workflows.HousekeepingInput{Duties: []housekeeping.Duty{housekeeping.Positions}}},
	}
	poisons := map[string]func() error{"a panic": func() error { panic("nobody foresaw this") }}
	for _, state := range []string{"22003", "22021", "23514", "54000"} {
		poisons[state] = func() error { return fmt.Errorf("save: %w", &pgconn.PgError{Code: state}) }
	}
	for name, of := range lifecycles {
		for poison, end := range poisons {
			t.Run(name+" with "+poison, func(t *testing.T) {
				t.Parallel()
				var suite testsuite.WorkflowTestSuite
				tried := &triedSteps{}
				env := newEnvironment(&suite, &activities.Guard{}, tried)
				env.SetWorkflowRunTimeout(24 * time.Hour)
				workflows.Register(env)
				p := poisoned{end: end}
				env.RegisterActivity(activities.NewImports(p))
				env.RegisterActivity(activities.NewExports(p))
				env.RegisterActivity(activities.NewNotifications(p))
				env.RegisterActivity(activities.NewRecurring(p))
				env.RegisterActivity(activities.NewPlanning(p))
				env.RegisterActivity(activities.NewSimulation(p))
				env.RegisterActivity(activities.NewDriving(p))
				env.RegisterActivity(activities.NewWebhooks(p, nil))
				env.RegisterActivity(activities.NewPlaces(p, nil))
				env.RegisterActivity(activities.NewLearning(p))
				env.RegisterActivity(activities.NewHousekeeping(p, p, nil, nil))
				begun := env.Now()
				env.ExecuteWorkflow(of.workflow, of.input)
				require.True(t, env.IsWorkflowCompleted())
				require.Error(t, env.GetWorkflowError())
				require.NotContains(t, env.GetWorkflowError().Error(), "nobody foresaw", "histories hold no texts")
				require.Less(t, env.Now().Sub(begun), 10*time.Minute)
				require.LessOrEqual(t, tried.made.Load(), int32(mostAttempts))
			})
		}
	}
}
