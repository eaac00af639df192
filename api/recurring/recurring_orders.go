package recurring

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	jsonv2 "github.com/go-json-experiment/json"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/operations/recurring"
	"waybill/store"
	"waybill/workflows"
)

// recurringOrder is a template in the contract's form, with the order as the
// caller sent it.
type recurringOrder struct {
	ID                 int64            `json:"recurringOrderId"`
	Name               string           `json:"name"`
	CustomerID         int64            `json:"customerId"`
	OrderTypeID        int64            `json:"orderTypeId"`
	VehicleTypeID      int64            `json:"vehicleTypeId"`
	PickupLocationID   int64            `json:"pickupLocationId"`
	DeliveryLocationID int64            `json:"deliveryLocationId"`
	OrderTemplate      json.RawMessage  `json:"orderTemplate"`
	RuleSet            string           `json:"rruleset"`
	StartDate          time.Time        `json:"startDate"`
	EndDate            *time.Time       `json:"endDate"`
	DaysAhead          int              `json:"daysToGenerateAhead"`
	IsActive           bool             `json:"isActive"`
	IsPaused           bool             `json:"isPaused"`
	CreatedAt          time.Time        `json:"createdAt"`
	UpdatedAt          time.Time        `json:"updatedAt"`
	Stats              *generationStats `json:"generationStats,omitempty"`
}

type generationStats struct {
	GeneratedCount   int64      `json:"generatedCount"`
	GeneratedThrough *string    `json:"generatedThrough"`
	NextRunAt        *time.Time `json:"nextRunAt"`
	LastGeneratedAt  *time.Time `json:"lastGeneratedAt"`
	DraftCount       int64      `json:"draftCount"`
	LastError        *string    `json:"lastError"`
}

// VisitGetRecurringOrderResponse responds with the template.
func (r *recurringOrder) VisitGetRecurringOrderResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, r)
}

func newRecurringOrder(r *store.RecurringOrder) (*recurringOrder, error) {
	order, err := jsonv2.Marshal(r.Order)
	if err != nil {
		return nil, err
	}
	out := &recurringOrder{
		ID: r.ID, Name: r.Name, CustomerID: r.CustomerID, OrderTypeID: r.OrderTypeID, VehicleTypeID: r.VehicleTypeID,
		PickupLocationID: r.Pickup.LocationID, DeliveryLocationID: r.Delivery.LocationID, OrderTemplate: order,
		RuleSet: r.RuleSet, StartDate: r.Start, EndDate: r.End, DaysAhead: r.DaysAhead, IsActive: r.Active,
		IsPaused:  r.Paused,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if !r.Active {
		return out, nil
	}
	out.Stats = &generationStats{
		GeneratedCount: r.GeneratedCount, NextRunAt: r.NextRunAt, LastGeneratedAt: r.LastGeneratedAt,
		DraftCount: r.DraftCount,
	}
	if r.GeneratedThrough != nil {
		day := r.GeneratedThrough.Format(time.DateOnly)
		out.Stats.GeneratedThrough = &day
	}
	if r.LastError != "" {
		out.Stats.LastError = &r.LastError
	}
	return out, nil
}

// recurringOrderID reads the id of the path.
func recurringOrderID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "recurringOrderId"), 10, 64)
	if err != nil {
		return 0, fault.Field("recurringOrderId", fault.Say("param.integer"))
	}
	return id, nil
}

// Routes are the routes that read their bodies themselves, because a null and
// an absent member differ.
func (h *Handlers) Routes(r chi.Router) {
	const all, one = "/v1/recurring_orders", "/v1/recurring_orders/{recurringOrderId}"
	r.Method(http.MethodPost, all, h.edge.Handle(h.createRecurringOrder))
	r.Method(http.MethodPut, one, h.edge.Handle(h.updateRecurringOrder))
	r.Method(http.MethodPost, all+"/preview", h.edge.Handle(h.previewRecurringOrder))
	r.Method(http.MethodPost, one+"/preview-update", h.edge.Handle(h.previewRecurringOrderUpdate))
}

// createRecurringOrder has the template's workflow save it, and responds with
// the result.
func (h *Handlers) createRecurringOrder(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	staged, err := h.operations.Recurring.StageTemplate(ctx, edge.Caller(ctx), body, edge.PrincipalOf(ctx).Zone)
	if err != nil {
		return err
	}
	saved, err := h.saveRecurringOrder(ctx, staged)
	if err != nil {
		return err
	}
	edge.CreatedAt(ctx, "/v1/recurring_orders/"+strconv.FormatInt(staged.TemplateID, 10))
	return edge.WriteJSON(w, http.StatusCreated, saved)
}

// updateRecurringOrder has the template's workflow change it.
func (h *Handlers) updateRecurringOrder(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	id, err := recurringOrderID(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	staged, err := h.operations.Recurring.StageTemplateChange(ctx, edge.Caller(ctx), id, body)
	if err != nil {
		return err
	}
	saved, err := h.saveRecurringOrder(ctx, staged)
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusOK, saved)
}

// saveRecurringOrder waits until a change is made. If it can't reach the
// workflow, it deletes the change, so that the caller can safely send it again.
func (h *Handlers) saveRecurringOrder(ctx context.Context, staged recurring.StagedChange) (*recurringOrder, error) {
	org := edge.PrincipalOf(ctx).OrgID
	refused, err := workflows.SaveRecurringOrder(ctx, h.temporal, org, staged.TemplateID, staged.ID, edge.RequestID(ctx))
	if err != nil {
		ctx = context.WithoutCancel(ctx)
		abandoned, undo := h.operations.Recurring.AbandonTemplateChange(ctx, edge.Caller(ctx), staged)
		if undo != nil {
			h.logger.ErrorContext(ctx, "cannot abandon change of recurring order", "change_id", staged.ID, "error", undo)
		}
		if abandoned || undo != nil {
			return nil, err
		}
		refused = true // it was made or rejected after all; the change has the result
	}
	if refused {
		if err := h.store.RecurringOrderRefusal(ctx, org, staged.ID); err != nil {
			return nil, err
		}
	}
	saved, err := h.store.RecurringOrder(ctx, org, staged.TemplateID)
	if err != nil {
		return nil, err
	}
	return newRecurringOrder(&saved)
}

// GetRecurringOrder reads one template.
func (h *Handlers) GetRecurringOrder(
	ctx context.Context, request contract.GetRecurringOrderRequestObject,
) (contract.GetRecurringOrderResponseObject, error) {
	found, err := h.store.RecurringOrder(ctx, edge.PrincipalOf(ctx).OrgID, request.RecurringOrderID)
	if err != nil {
		return nil, err
	}
	return newRecurringOrder(&found)
}

// DeleteRecurringOrder deactivates a template.
func (h *Handlers) DeleteRecurringOrder(
	ctx context.Context, request contract.DeleteRecurringOrderRequestObject,
) (contract.DeleteRecurringOrderResponseObject, error) {
	staged, needed, err := h.operations.Recurring.StageDeactivation(ctx, edge.Caller(ctx), request.RecurringOrderID)
	if err != nil {
		return nil, err
	}
	if needed {
		if _, err := h.saveRecurringOrder(ctx, staged); err != nil {
			return nil, err
		}
	}
	return contract.DeleteRecurringOrder204Response{}, nil
}
