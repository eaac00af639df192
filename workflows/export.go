package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/export"
)

// exports names the activities for the compiler; it stays nil.
var exports *activities.Exports

// ExportInput names the order that is exported.
type ExportInput struct {
	OrgID   int64 `json:"orgId"`
	OrderID int64 `json:"orderId"`
}

// ExportStatus is the answer to the status query.
type ExportStatus = activities.ExportStatus

// ExportOrder accompanies one order through its export: it has the order
// considered whenever it may have changed or was acknowledged, and closes the
// export when its window is over. Offers and acknowledgements are stored in the
// database. It ends when the export is closed; an order that only left the feed,
// or that is acknowledged late, starts it again.
//
// The update "acknowledge" is for API processes of v0.2.0, whose
// acknowledgements took effect by it. It can go with the release after the next.
func ExportOrder(ctx workflow.Context, in ExportInput) error {
	e := newExportRun(ctx, in)
	if err := e.listen(ctx); err != nil {
		return err
	}
	return e.run(ctx)
}

type exportRun struct {
	in     ExportInput
	status ExportStatus
	// changed requests that the order is considered; so does every new run.
	changed bool
	signals workflow.ReceiveChannel
	// turns lets one step at a time touch the export.
	turns workflow.Mutex
	// shown is the state that operators find the workflow by.
	shown string
}

func newExportRun(ctx workflow.Context, in ExportInput) *exportRun {
	return &exportRun{
		in: in, changed: true, status: ExportStatus{Left: export.Limit},
		signals: workflow.GetSignalChannel(ctx, ExportChangedSignal), turns: workflow.NewMutex(ctx),
	}
}

func (e *exportRun) listen(ctx workflow.Context) error {
	err := workflow.SetQueryHandler(ctx, StatusQuery, func() (ExportStatus, error) { return e.status, nil })
	if err != nil {
		return err
	}
	return workflow.SetUpdateHandlerWithOptions(ctx, AcknowledgeUpdate, e.acknowledge, workflow.UpdateHandlerOptions{
		Description: "Lets an acknowledgement of the carrier take effect.",
		Validator: func(acknowledgementID int64) error {
			if acknowledgementID <= 0 {
				return errors.New("an acknowledgement is named by a number above 0")
			}
			return nil
		},
	})
}

func (e *exportRun) run(ctx workflow.Context) error {
	for {
		for e.signals.ReceiveAsync(nil) {
			e.changed = true // one look covers any number of changes
		}
		switch {
		case e.changed:
			if err := e.consider(ctx); err != nil {
				return err
			}
		case !workflow.AllHandlersFinished(ctx):
			if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) || e.pending() }); err != nil {
				return err
			}
		case e.over():
			return nil
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			return workflow.NewContinueAsNewError(ctx, ExportOrder, e.in)
		default:
			if err := e.wait(ctx); err != nil {
				return err
			}
		}
	}
}

// over reports whether the workflow can end: the export is closed, or the order
// is not subject to export.
func (e *exportRun) over() bool { return e.status.State == export.Closed || e.status.State == "" }

// pending reports whether the order must be considered again.
func (e *exportRun) pending() bool { return e.changed || e.signals.Len() > 0 }

// wait sleeps until something happens, and of an order that was exported at most
// until its window closes.
func (e *exportRun) wait(ctx workflow.Context) error {
	woken := func() bool { return e.pending() || e.over() || !workflow.AllHandlersFinished(ctx) }
	if !hasWindow(e.status) {
		return workflow.Await(ctx, func() bool { return woken() || hasWindow(e.status) })
	}
	closes := *e.status.ClosesAt
	options := workflow.AwaitOptions{
		Timeout:      max(closes.Sub(workflow.Now(ctx)), 0) + windowGrace,
		TimerOptions: workflow.TimerOptions{Summary: "the window closes"},
	}
	woke, err := workflow.AwaitWithOptions(ctx, options, func() bool {
		return woken() || !hasWindow(e.status) || !closes.Equal(*e.status.ClosesAt)
	})
	e.changed = e.changed || !woke
	return err
}

// hasWindow reports whether an export waits for the end of its window.
func hasWindow(s ExportStatus) bool { return s.State == export.Exported && s.ClosesAt != nil }

// windowGrace lets the database's clock pass the window's end as well.
const windowGrace = 100 * time.Millisecond

// consider decides about the order in its current state.
func (e *exportRun) consider(ctx workflow.Context) error {
	if err := e.turns.Lock(ctx); err != nil {
		return err
	}
	defer e.turns.Unlock()
	e.changed = false
	var status ExportStatus
	in := activities.ExportInput{OrgID: e.in.OrgID, OrderID: e.in.OrderID}
	if err := do(ctx, "consider the order as it is", exports.ConsiderExport, in, &status); err != nil {
		return err
	}
	return e.show(ctx, status)
}

// acknowledge applies an acknowledgement, and returns its result.
func (e *exportRun) acknowledge(ctx workflow.Context, acknowledgementID int64) (activities.Acknowledged, error) {
	var out activities.Acknowledged
	if err := e.turns.Lock(ctx); err != nil {
		return out, err
	}
	defer e.turns.Unlock()
	in := activities.AcknowledgeInput{OrgID: e.in.OrgID, OrderID: e.in.OrderID, AcknowledgementID: acknowledgementID}
	if err := do(ctx, fmt.Sprintf("acknowledgement %d", acknowledgementID), exports.Acknowledge, in, &out); err != nil {
		return out, err
	}
	e.changed = e.changed || out.Status.Owed
	return out, e.show(ctx, out.Status)
}

// do runs a step with short timeouts, because a caller may be waiting; if that
// fails, it runs it with long ones, unless the order does not exist.
func do[In, Out any](ctx workflow.Context, summary string, step any, in In, out *Out) error {
	return quickThenPatient(ctx, summary, step, in, out, func(err error) error {
		if isNotFound(err) {
			return err
		}
		tellDelay(ctx, "export", err)
		return nil
	})
}

func isNotFound(err error) bool {
	var failure *temporal.ApplicationError
	return errors.As(err, &failure) && failure.Type() == activities.ErrTypeNotFound
}

// show publishes the state of the export to queries, searches and
// operators.
func (e *exportRun) show(ctx workflow.Context, status ExportStatus) error {
	e.status = status
	workflow.SetCurrentDetails(ctx, exportStory(status))
	state := string(status.State)
	if state == "" || state == e.shown {
		return nil
	}
	e.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}

// exportStory describes the state of an export.
func exportStory(s ExportStatus) string {
	left := fmt.Sprintf("**%d of %d** acknowledgements are left.", s.Left, export.Limit)
	switch s.State {
	case export.Pending:
		what := "a new shipment"
		if s.IsUpdate {
			what = "an update"
		}
		return "In the feed as " + what + ". " + left + windowEnd(s)
	case export.Exported:
		return "Exported. A change brings it back as an update. " + left + windowEnd(s)
	case export.Closed:
		return "Closed: " + closedBecause[s.Reason] + ". " + left
	}
	return "The order is not subject to export."
}

// windowEnd describes the end of the window, if one is open.
func windowEnd(s ExportStatus) string {
	if s.ClosesAt == nil {
		return ""
	}
	return fmt.Sprintf(" Its window closes at **%s**.", s.ClosesAt.UTC().Format(time.RFC3339))
}

var closedBecause = map[export.Reason]string{
	export.Spent:       "the acknowledgements are spent",
	export.WindowOver:  "the window after the last successful export is over",
	export.ReexportOff: "it was exported, and re-export was not enabled then",
	export.Left:        "the order was cancelled, or got another type, before it was exported",
}
