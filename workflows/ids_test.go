package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/mocks"

	"waybill/domain/notification"
	"waybill/domain/planning"
	"waybill/workflows"
)

// starts are all ways in which workflows of organization 7 are started or
// signaled, by the ID that they have if the organization is named by its
// number, as in v0.2.0.
var starts = map[string]func(context.Context, client.Client) error{
	"import/7/12": func(ctx context.Context, c client.Client) error {
		_, err := workflows.StartImport(ctx, c, workflows.ImportInput{OrgID: 7, ImportID: 12}, "request")
		return err
	},
	"recurring-order/7/12": func(ctx context.Context, c client.Client) error {
		return workflows.RecurringOrderChanged(ctx, c, 7, 12)
	},
	"export/7/12": func(ctx context.Context, c client.Client) error {
		return workflows.ExportChanged(ctx, c, workflows.ExportedOrder{OrgID: 7, OrderID: 12})
	},
	"export/7/13": func(ctx context.Context, c client.Client) error { return workflows.ExportClosed(ctx, c, 7, 13) },
	"notification/7/1-2-3": func(ctx context.Context, c client.Client) error {
		return workflows.StartNotifications(ctx, c, []workflows.NotificationInput{{OrgID: 7, Key: "1-2-3"}})
	},
	"notification/7/1-2-3-r4": func(ctx context.Context, c client.Client) error {
		_, err := workflows.RetryNotification(
			ctx, c, 7, notification.Retry{Key: notification.Key{EventID: 1, RuleID: 2, Receiver: 3}, Try: 4}, "request")
		return err
	},
	"plan/7/3/2026-03-02": func(ctx context.Context, c client.Client) error {
		return workflows.PlanChanged(ctx, c, 7, planning.Area{DepartmentID: 3, Date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)})
	},
	"learn-travel/7": func(ctx context.Context, c client.Client) error { return workflows.StartLearning(ctx, c, 7) },
	"places/7":       func(ctx context.Context, c client.Client) error { return workflows.PlacesNews(ctx, c, 7) },
	"simulate/7/2026-03-02": func(ctx context.Context, c client.Client) error {
		return workflows.StartSimulation(ctx, c, workflows.SimulationInput{OrgID: 7, Date: "2026-03-02"}, "request")
	},
	"webhook/7/4": func(ctx context.Context, c client.Client) error {
		return workflows.WebhookNews(ctx, c, workflows.WebhookInput{OrgID: 7, EndpointID: 4}, workflows.WebhookNewsOf{})
	},
	"drive/7/2026-03-02/17": func(ctx context.Context, c client.Client) error {
		return workflows.DriveNews(ctx, c, workflows.DriveInput{OrgID: 7, Day: "2026-03-02", DriverID: 17})
	},
}

// reached returns the ID to which a start or signal was sent.
func reached(t *testing.T, start func(context.Context, client.Client) error, names workflows.Names) (id string, err error) {
	t.Helper()
	fake := mocks.NewClient(t)
	note := func(at int) func(mock.Arguments) {
		return func(args mock.Arguments) {
			switch to := args.Get(at).(type) {
			case string:
				id = to
			case client.StartWorkflowOptions:
				id = to.ID
			}
		}
	}
	anything := func(n int) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = mock.Anything
		}
		return all
	}
	fake.On("ExecuteWorkflow", anything(4)...).Run(note(1)).Return(nil, nil).Maybe()
	fake.On("SignalWorkflow", anything(5)...).Run(note(1)).Return(nil).Maybe()
	fake.On("SignalWithStartWorkflow", anything(7)...).Run(note(1)).Return(nil, nil).Maybe()
	var c client.Client = fake
	if names != nil {
		c = workflows.Naming(c, names)
	}
	err = start(t.Context(), c)
	return id, err
}

func TestWorkflowsCarryTheNameOfTheirOrganization(t *testing.T) {
	t.Parallel()
	called := func(name string, err error) workflows.Names {
		return func(_ context.Context, org int64) (string, error) {
			require.EqualValues(t, 7, org)
			return name, err
		}
	}
	for numbered, start := range starts {
		id, err := reached(t, start, nil)
		require.NoError(t, err)
		require.Equal(t, numbered, id)

		id, err = reached(t, start, called("7", nil))
		require.NoError(t, err)
		require.Equal(t, numbered, id, "what an earlier release began is found")
		require.True(t, workflows.IsID("7", id))

		id, err = reached(t, start, called("nordfrakt", nil))
		require.NoError(t, err)
		require.True(t, workflows.IsID("nordfrakt", id), id)
		require.False(t, workflows.IsID("nord", id), id)
		require.False(t, workflows.IsID("7", id), id)

		id, err = reached(t, start, called("", errors.New("the database is away")))
		require.ErrorContains(t, err, "the database is away")
		require.Empty(t, id, "nothing is started under another name")
	}
}
