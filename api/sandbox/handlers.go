// Package sandbox serves sandboxes: it starts simulated days, and returns their
// progress.
package sandbox

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"
	"go.temporal.io/sdk/client"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/simulation"
	"waybill/operations"
	"waybill/operations/sandbox"
	"waybill/store"
	"waybill/workflows"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Operations *operations.Operations
	Temporal   client.Client
}

// Handlers serve sandboxes.
type Handlers struct {
	operations *operations.Operations
	temporal   client.Client
}

// New returns handlers.
func New(d Dependencies) *Handlers { return &Handlers{operations: d.Operations, temporal: d.Temporal} }

// StartSandboxRun has a day of a sandbox driven.
func (h *Handlers) StartSandboxRun(
	ctx context.Context, request contract.StartSandboxRunRequestObject,
) (contract.StartSandboxRunResponseObject, error) {
	ask, err := askOf(request.Body)
	if err != nil {
		return nil, err
	}
	c := edge.Caller(ctx)
	run, started, err := h.operations.Sandbox.StartSandboxRun(ctx, c, ask)
	if err != nil {
		return nil, err
	}
	err = workflows.StartSimulation(ctx, h.temporal, workflows.SimulationInput{
		OrgID: c.OrgID, RunID: run.ID, Date: run.Day.Format(time.DateOnly), Pace: run.Pace,
	}, edge.RequestID(ctx))
	if err != nil {
		return nil, err
	}
	shown, err := h.newRun(ctx, &run)
	if err != nil || started {
		return begun(shown), err
	}
	return contract.StartSandboxRun200JSONResponse(shown), nil
}

// askOf reads what is asked for.
func askOf(body *contract.StartSandboxRunJSONRequestBody) (sandbox.SandboxAsk, error) {
	ask := sandbox.SandboxAsk{Pace: sandbox.UsualSandboxPace, Trouble: simulation.UsualTrouble}
	if body.Date != nil {
		day := body.Date.Time
		ask.Day = &day
		if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
			return ask, err
		}
	}
	if body.Pace != nil {
		ask.Pace = int(*body.Pace)
	}
	if body.Incidents != nil {
		ask.Incidents = int(*body.Incidents)
	}
	if body.Trouble != nil {
		ask.Trouble = simulation.Trouble(*body.Trouble)
	}
	ask.Realistic = body.Realistic != nil && *body.Realistic
	switch {
	case ask.Pace < 1 || ask.Pace > sandbox.FastestSandboxPace:
		return ask, fault.Field("pace", between(1, sandbox.FastestSandboxPace))
	case ask.Incidents < 0 || ask.Incidents > 100:
		return ask, fault.Field("incidents", between(0, 100))
	case !slices.Contains(simulation.Troubles(), ask.Trouble):
		return ask, fault.Field("trouble", fault.Say("request.not_one_of", "allowed", "NONE, USUAL, MUCH"))
	}
	return ask, nil
}

func between(least, most int) fault.Text {
	return fault.Say("sandbox.range", "min", strconv.Itoa(least), "max", strconv.Itoa(most))
}

// GetSandboxRun returns the progress of a sandbox's day.
func (h *Handlers) GetSandboxRun(
	ctx context.Context, request contract.GetSandboxRunRequestObject,
) (contract.GetSandboxRunResponseObject, error) {
	var day *time.Time
	if request.Params.Date != nil {
		day = &request.Params.Date.Time
	}
	run, err := h.operations.Sandbox.LastSandboxRun(ctx, edge.PrincipalOf(ctx).OrgID, day)
	if err != nil {
		return nil, err
	}
	shown, err := h.newRun(ctx, &run)
	return contract.GetSandboxRun200JSONResponse(shown), err
}

// begun is a run that was started by this request.
type begun contract.SandboxRun

// VisitStartSandboxRunResponse responds with the run and its location.
func (b begun) VisitStartSandboxRunResponse(w http.ResponseWriter) error {
	w.Header().Set("Location", "/v2/sandbox/run?date="+b.Date.Format(time.DateOnly))
	return edge.WriteJSON(w, http.StatusAccepted, b)
}

func (h *Handlers) newRun(ctx context.Context, r *store.SandboxRun) (contract.SandboxRun, error) {
	org, err := workflows.OrgName(ctx, h.temporal, r.OrgID)
	return contract.SandboxRun{
		RunID: r.ID, Date: openapi_types.Date{Time: r.Day}, State: contract.SandboxRunState(r.State),
		Pace: int32(r.Pace), Incidents: int32(r.Incidents), Trouble: contract.SandboxTrouble(r.Trouble),
		Realistic: r.Realistic,
		StartedAt: r.Started, EndedAt: edge.OrNull(r.Ended),
		WorkflowID: workflows.SimulationID(org, r.Day.Format(time.DateOnly)),
		Orders: contract.SandboxRunOrders{
			Total: int32(r.Orders.Total), Delivered: int32(r.Orders.Delivered), Failed: int32(r.Orders.Failed),
			UnderWay: int32(r.Orders.UnderWay), Planned: int32(r.Orders.Planned), LeftOver: int32(r.Orders.LeftOver),
			Waiting: int32(r.Orders.Waiting),
		},
		Drivers: contract.SandboxRunDrivers{Total: int32(r.Drivers), OnTheRoad: int32(r.OnTheRoad)},
	}, err
}
