package orders

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
)

// Routes are those of orders by hand, whose bodies are read as an import's are.
func (h *Handlers) Routes(r chi.Router) {
	r.Method(http.MethodPost, "/v1/orders", h.edge.Handle(h.createOrder))
	r.Method(http.MethodPut, "/v1/orders/{orderId}", h.edge.Handle(h.updateOrder))
}

// everyRelation lists the relations in the response to a new order.
var everyRelation = []string{
	"Customer", "Department", "Driver", "OrderStatus", "OrderType", "VehicleType", "Skills", "Consignee", "Consignor",
	"Freight", "Groups", "Prices", "CustomFieldValues", "ErpOrders", "Documents", "Documentations",
	"OrderLocations", "OrderLocations.Location", "OrderLocations.Address", "OrderLocations.OrderLocationContacts",
	"OrderLocations.TrackTraces", "OrderProducts", "OrderProducts.Product", "OrderProducts.OrderProductSkills",
	"OrderProducts.OrderProductUnits",
}

// createOrder creates one order from a person's input.
func (h *Handlers) createOrder(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	asDraft, err := queryFlag(r, "as_draft")
	if err != nil {
		return err
	}
	written, err := wire.DecodeByHand(r.Body)
	if err != nil {
		return err
	}
	warnOfUnknown(w, written.Unknown)
	request, err := written.Request()
	if err != nil {
		return err
	}
	created, err := h.operations.Orders.CreateOrder(ctx, edge.Caller(ctx), request, asDraft)
	if err != nil {
		return asWritten(err)
	}
	if created.DraftID != 0 {
		return h.answerDraft(w, r, created.DraftID)
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/orders/%d", created.OrderID))
	doc, v, err := h.store.Order(ctx, edge.PrincipalOf(ctx).OrgID, created.OrderID, everyRelation)
	if err != nil {
		return err
	}
	edge.Versioned(ctx, v)
	return edge.WriteRaw(w, http.StatusCreated, doc)
}

// answerDraft responds with the draft that an incomplete order became.
func (h *Handlers) answerDraft(w http.ResponseWriter, r *http.Request, id int64) error {
	d, err := h.store.Draft(r.Context(), edge.PrincipalOf(r.Context()).OrgID, id)
	if err != nil {
		return err
	}
	out := contract.OrderKeptAsDraft{
		OrderDraftID: d.ID, InternalOrderNumber: d.ExternalID, Reasons: newReasons(d.Reasons, edge.LocalizerOf(r.Context())),
	}
	for i := range out.Reasons {
		out.Reasons[i].Field = snakeCase(out.Reasons[i].Field)
	}
	edge.CreatedAt(r.Context(), fmt.Sprintf("/v2/drafts/%d", id))
	return edge.WriteJSON(w, http.StatusAccepted, out)
}

// asWritten names the fields of a fault as they were written.
func asWritten(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind == fault.Unprocessable {
		for i := range f.Violations {
			f.Violations[i].Field = snakeCase(f.Violations[i].Field)
		}
	}
	return err
}

// updateOrder changes the fields of an order that a user sends.
func (h *Handlers) updateOrder(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	const name = "orderId"
	id, err := strconv.ParseInt(chi.URLParam(r, name), 10, 64)
	if err != nil {
		return &contract.InvalidParamFormatError{ParamName: name, Err: err}
	}
	var ifMatch *string
	if tags := r.Header.Values("If-Match"); len(tags) > 0 {
		ifMatch = &tags[0]
	}
	expected, err := edge.Expected(ifMatch)
	if err != nil {
		return err
	}
	written, err := wire.DecodeByHand(r.Body)
	if err != nil {
		return err
	}
	warnOfUnknown(w, written.Unknown)
	if err := h.operations.Orders.EditOrder(ctx, edge.Caller(ctx), id, expected, written.Onto); err != nil {
		return asWritten(err)
	}
	doc, err := h.document(ctx, id)
	if err != nil {
		return err
	}
	return edge.WriteRaw(w, http.StatusOK, doc)
}

// mostParts limits how many new orders one call may split off an order.
const mostParts = 50

// SplitOrder moves parts of an order's goods to new orders.
func (h *Handlers) SplitOrder(
	ctx context.Context, request contract.SplitOrderRequestObject,
) (contract.SplitOrderResponseObject, error) {
	parts, err := newParts(request.Body.Parts)
	if err != nil {
		return nil, err
	}
	ids, err := h.operations.Orders.SplitOrder(ctx, edge.Caller(ctx), request.OrderID, parts)
	if err != nil {
		return nil, err
	}
	out := splitOrders{Orders: make([]document, len(ids))}
	for i, id := range ids {
		doc, _, err := h.store.Order(ctx, edge.PrincipalOf(ctx).OrgID, id, nil)
		if err != nil {
			return nil, err
		}
		out.Orders[i] = document(doc)
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/orders/%d", ids[1]))
	return out, nil
}

// splitOrders are an order and its parts, as views have shaped them.
type splitOrders struct {
	Orders []document `json:"orders"`
}

// VisitSplitOrderResponse responds with the orders.
func (s splitOrders) VisitSplitOrderResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusCreated, s)
}

// newParts reads the parts to split off.
func newParts(sent []contract.SplitPart) ([]order.Part, error) {
	if len(sent) == 0 || len(sent) > mostParts {
		return nil, fault.Field("parts", fault.Say("split.count", "max", strconv.Itoa(mostParts)))
	}
	parts := make([]order.Part, len(sent))
	for i, s := range sent {
		at := fmt.Sprintf("parts[%d].", i)
		p := &parts[i]
		p.Number = edge.OrEmpty(s.InternalOrderNumber)
		if !edge.IsText(p.Number) {
			return nil, fault.Field(at+"internal_order_number", fault.Say("request.not_text"))
		}
		if s.Date != nil {
			p.Date = s.Date.UTC()
		}
		if s.Delivery != nil {
			p.Delivery = order.Window{Earliest: s.Delivery.Earliest.UTC(), Latest: s.Delivery.Latest.UTC()}
		}
		for k, product := range s.OrderProducts {
			named := order.PartProduct{ID: product.ID}
			if product.Quantity != nil {
				if named.Quantity = *product.Quantity; named.Quantity <= 0 {
					return nil, unprocessable(fmt.Sprintf("%sorder_products[%d].quantity", at, k), fault.Say("field.number_range"))
				}
			}
			p.Products = append(p.Products, named)
		}
	}
	return parts, nil
}
