package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"waybill/domain/housekeeping"
	"waybill/domain/notification"
	"waybill/domain/planning"
)

// Lives finds missing workflows of rows that should have one. Its client names
// organizations as lifecycles do.
type Lives struct {
	Temporal client.Client
	// Now is the clock; nil is the real one.
	Now func() time.Time
}

// listedAtOnce is how many workflows one list requests.
const listedAtOnce = 100

// Look finds the lives whose workflow is not running, and counts those whose
// workflow has failed. A failed one counts as missing a day later.
func (l Lives) Look(
	ctx context.Context, duty housekeeping.Duty, lives []housekeeping.Life,
) (look housekeeping.Look, err error) {
	for len(lives) > 0 {
		some := lives[:min(len(lives), listedAtOnce)]
		lives = lives[len(some):]
		absent, err := l.unlisted(ctx, duty, some)
		if err != nil {
			return look, outOfReach(err)
		}
		described, err := l.described(ctx, duty, absent)
		if err != nil {
			return look, outOfReach(err)
		}
		look.Gone, look.Failed = append(look.Gone, described.Gone...), look.Failed+described.Failed
	}
	return look, nil
}

// unlisted returns the lives that the server does not list as running. The list may
// lag a moment behind.
func (l Lives) unlisted(
	ctx context.Context, duty housekeeping.Duty, lives []housekeeping.Life,
) (absent []housekeeping.Life, err error) {
	ids := make([]string, len(lives))
	for i, life := range lives {
		if ids[i], err = l.id(ctx, duty, life); err != nil {
			return nil, err
		}
	}
	answer, err := l.Temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: listedAtOnce,
		Query:    "ExecutionStatus = 'Running' AND " + withIDs(ids),
	})
	if err != nil {
		return nil, err
	}
	runs := make(map[string]bool, len(lives))
	for _, e := range answer.GetExecutions() {
		runs[e.GetExecution().GetWorkflowId()] = true
	}
	for i, life := range lives {
		if !runs[ids[i]] {
			absent = append(absent, life)
		}
	}
	return absent, nil
}

// withIDs is the part of a query that lists workflows by their ids.
func withIDs(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = "'" + strings.ReplaceAll(id, "'", "") + "'"
	}
	return fmt.Sprintf("WorkflowId IN (%s)", strings.Join(quoted, ", "))
}

// described returns the server's description of each of the lives.
func (l Lives) described(
	ctx context.Context, duty housekeeping.Duty, lives []housekeeping.Life,
) (look housekeeping.Look, err error) {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(startsAtOnce)
	for _, life := range lives {
		group.Go(func() error {
			id, err := l.id(ctx, duty, life)
			if err != nil {
				return err
			}
			gone, failed, err := l.isGone(ctx, duty, id)
			mu.Lock()
			defer mu.Unlock()
			if gone {
				look.Gone = append(look.Gone, life)
			}
			if failed {
				look.Failed++
			}
			return err
		})
	}
	return look, group.Wait()
}

func (l Lives) isGone(ctx context.Context, duty housekeeping.Duty, id string) (gone, failed bool, err error) {
	found, err := l.Temporal.DescribeWorkflowExecution(ctx, id, "")
	var unknown *serviceerror.NotFound
	if errors.As(err, &unknown) {
		return true, false, nil
	}
	if err != nil {
		return false, false, err
	}
	info := found.GetWorkflowExecutionInfo()
	failed = info.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_FAILED
	return toBegin(duty, info.GetStatus(), l.now().Sub(info.GetCloseTime().AsTime())), failed, nil
}

func (l Lives) now() time.Time {
	if l.Now == nil {
		return time.Now()
	}
	return l.Now()
}

// failedRest is how long a failed workflow rests before it is restarted.
const failedRest = 24 * time.Hour

// toBegin reports whether to restart a workflow that has ended. A failed one is
// restarted once a day, except messages: they would arrive too late, so people
// decide.
func toBegin(duty housekeeping.Duty, status enums.WorkflowExecutionStatus, since time.Duration) bool {
	switch status {
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING:
		return false
	case enums.WORKFLOW_EXECUTION_STATUS_FAILED:
		return duty == housekeeping.LiveImports || duty != housekeeping.LiveMessages && since >= failedRest
	}
	return true
}

// id is the ID of the workflow for a record.
func (l Lives) id(ctx context.Context, duty housekeeping.Duty, life housekeeping.Life) (string, error) {
	if duty == housekeeping.LiveMessages {
		return life.Name, nil
	}
	org, err := OrgName(ctx, l.Temporal, life.OrgID)
	if err != nil {
		return "", err
	}
	date := life.Day.Format(time.DateOnly)
	switch duty {
	case housekeeping.LiveTemplates:
		return RecurringOrderID(org, life.ID), nil
	case housekeeping.LiveExports:
		return ExportID(org, life.ID), nil
	case housekeeping.LivePlans:
		return PlanID(org, life.Other, date), nil
	case housekeeping.LiveDrives:
		return DriveID(org, date, life.ID), nil
	case housekeeping.LiveSimulations:
		return SimulationID(org, date), nil
	case housekeeping.LiveWebhooks:
		return WebhookID(org, life.ID), nil
	case housekeeping.LiveResendings:
		return ResendingID(org, life.ID), nil
	case housekeeping.LivePlaces:
		return PlacesID(org), nil
	case housekeeping.LiveLearning:
		return LearningID(org), nil
	case housekeeping.LiveImports:
		return ImportID(org, life.ID), nil
	}
	return "", fmt.Errorf("no workflow for the duty %q", duty)
}

// Start restarts the workflow for a record. It leaves alone one that has
// started in the meantime.
func (l Lives) Start(ctx context.Context, duty housekeeping.Duty, life housekeeping.Life) error {
	date := life.Day.Format(time.DateOnly)
	switch duty {
	case housekeeping.LiveTemplates:
		return RecurringOrderChanged(ctx, l.Temporal, life.OrgID, life.ID)
	case housekeeping.LiveExports:
		return ExportChanged(ctx, l.Temporal, ExportedOrder{OrgID: life.OrgID, OrderID: life.ID, ExternalID: life.Name})
	case housekeeping.LivePlans:
		return PlanChanged(ctx, l.Temporal, life.OrgID, planning.Area{DepartmentID: life.Other, Date: life.Day})
	case housekeeping.LiveDrives:
		return DriveNews(ctx, l.Temporal, DriveInput{OrgID: life.OrgID, DriverID: life.ID, Day: date})
	case housekeeping.LiveSimulations:
		return StartSimulation(ctx, l.Temporal,
			SimulationInput{OrgID: life.OrgID, RunID: life.ID, Date: date, Pace: int(life.Other)}, "")
	case housekeeping.LiveWebhooks:
		return WebhookNews(
			ctx, l.Temporal, WebhookInput{OrgID: life.OrgID, EndpointID: life.ID}, WebhookNewsOf{Changed: true},
		)
	case housekeeping.LiveResendings:
		return StartResending(ctx, l.Temporal, ResendingInput{OrgID: life.OrgID, ID: life.ID}, "")
	case housekeeping.LivePlaces:
		return PlacesNews(ctx, l.Temporal, life.OrgID)
	case housekeeping.LiveLearning:
		return StartLearning(ctx, l.Temporal, life.OrgID)
	case housekeeping.LiveMessages:
		return ResumeNotification(ctx, l.Temporal, life.Name, NotificationInput{
			OrgID: life.OrgID, Key: life.Key, Event: notification.Event(life.Event),
			Channel: notification.Channel(life.Channel), OrderID: life.Other,
		})
	}
	return fmt.Errorf("no workflow for the duty %q", duty)
}
