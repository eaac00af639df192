package orders

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
)

// document is JSON that a view has shaped (spec.md, "Reading orders").
type document json.RawMessage

// MarshalJSON returns the document unchanged.
func (d document) MarshalJSON() ([]byte, error) { return d, nil }

// VisitGetOrderResponse responds with the document.
func (d document) VisitGetOrderResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitGetOrderByNumberResponse responds with the document.
func (d document) VisitGetOrderByNumberResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitSetOrderStatusResponse responds with the document.
func (d document) VisitSetOrderStatusResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitListOrderProductsResponse responds with the document.
func (d document) VisitListOrderProductsResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// VisitGetOrderProductResponse responds with the document.
func (d document) VisitGetOrderProductResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// personalRelations are the relations with personal data, by kind.
var personalRelations = map[string]caller.Personal{
	"OrderLocations.OrderLocationContacts": caller.Contacts, "CustomFieldValues": caller.Contacts,
	"Documentations": caller.Proofs, "Documents": caller.Proofs,
}

// loadsOf checks the requested relations. A nested relation includes its
// parent. Relations with personal data require a key that may read it.
func loadsOf(ctx context.Context, asked *contract.Loads) ([]string, error) {
	if asked == nil {
		return nil, nil
	}
	var loads []string
	for _, name := range *asked {
		if name == "" {
			continue
		}
		if !name.Valid() {
			return nil, fault.Field("loads", fault.Say("loads.unknown", "name", string(name)))
		}
		if err := edge.RequirePersonal(ctx, personalRelations[string(name)]); err != nil {
			return nil, err
		}
		loads = append(loads, string(name))
		if parent, _, nested := strings.Cut(string(name), "."); nested {
			loads = append(loads, parent)
		}
	}
	return loads, nil
}

// GetOrder reads one order.
func (h *Handlers) GetOrder(
	ctx context.Context, request contract.GetOrderRequestObject,
) (contract.GetOrderResponseObject, error) {
	loads, err := loadsOf(ctx, request.Params.Loads)
	if err != nil {
		return nil, err
	}
	doc, v, err := h.store.Order(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID, loads)
	edge.Versioned(ctx, v)
	return document(doc), err
}

// GetOrderByNumber reads the order that a number leads to.
func (h *Handlers) GetOrderByNumber(
	ctx context.Context, request contract.GetOrderByNumberRequestObject,
) (contract.GetOrderByNumberResponseObject, error) {
	loads, err := loadsOf(ctx, request.Params.Loads)
	if err != nil {
		return nil, err
	}
	doc, v, err := h.store.OrderByNumber(ctx, edge.PrincipalOf(ctx).OrgID, request.InternalOrderNumber, loads)
	edge.Versioned(ctx, v)
	return document(doc), err
}

// ListOrderProducts reads the products of an order.
func (h *Handlers) ListOrderProducts(
	ctx context.Context, request contract.ListOrderProductsRequestObject,
) (contract.ListOrderProductsResponseObject, error) {
	doc, err := h.store.OrderProducts(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	return document(doc), err
}

// GetOrderProduct reads one product of an order.
func (h *Handlers) GetOrderProduct(
	ctx context.Context, request contract.GetOrderProductRequestObject,
) (contract.GetOrderProductResponseObject, error) {
	doc, err := h.store.OrderProduct(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID, request.OrderProductID)
	return document(doc), err
}

// GetOrderDuration reads how long an order takes.
func (h *Handlers) GetOrderDuration(
	ctx context.Context, request contract.GetOrderDurationRequestObject,
) (contract.GetOrderDurationResponseObject, error) {
	takes, err := h.store.OrderDuration(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	return contract.GetOrderDuration200JSONResponse{TotalTime: isoDuration(takes)}, nil
}

// isoDuration writes a duration of whole seconds as ISO 8601 does: PT1H25M.
func isoDuration(d time.Duration) string {
	if d == 0 {
		return "PT0S"
	}
	text := strings.ToUpper(d.Round(time.Second).String())
	for _, zero := range []string{"M0S", "H0M"} {
		if strings.HasSuffix(text, zero) {
			text = strings.TrimSuffix(text, zero[1:])
		}
	}
	return "PT" + text
}

// GetOrderSkills returns the skills that an order requires and prohibits.
func (h *Handlers) GetOrderSkills(
	ctx context.Context, request contract.GetOrderSkillsRequestObject,
) (contract.GetOrderSkillsResponseObject, error) {
	rows, err := h.store.OrderSkills(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	lock, err := h.store.OrderDriverLock(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderSkills200JSONResponse{
		RequiredSkills: []contract.SourcedSkill{}, ProhibitedSkills: []contract.SourcedSkill{},
	}
	if lock != nil {
		out.DriverLock = &contract.DriverLock{DriverID: lock.DriverID, DriverName: lock.DriverName}
	}
	for _, row := range rows {
		list := &out.RequiredSkills
		if row.Type == string(contract.OrderSkillTypeProhibited) {
			list = &out.ProhibitedSkills
		}
		if n := len(*list); n == 0 || (*list)[n-1].SkillName != row.Name {
			*list = append(*list, contract.SourcedSkill{SkillName: row.Name})
		}
		last := &(*list)[len(*list)-1]
		last.Sources = append(last.Sources, contract.SkillSource{
			Type: contract.SkillSourceType(row.Source), ID: row.SourceID, Name: row.SourceName,
		})
	}
	return out, nil
}
