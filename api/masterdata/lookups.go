package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/masterdata"
	"waybill/domain/version"
)

// page answers one page of a kind of master data.
func (h *Handlers) page(
	ctx context.Context, kind masterdata.Kind, active *bool, number, limit *int32,
) (list, error) {
	page, err := edge.PageOf(number, limit)
	if err != nil {
		return list{}, err
	}
	items, total, err := h.store.MasterData(ctx, edge.PrincipalOf(ctx).OrgID, kind, active, page)
	if err != nil {
		return list{}, err
	}
	return newList(items, total, page), nil
}

// one answers one record of master data.
func (h *Handlers) one(ctx context.Context, kind masterdata.Kind, id int64) (document, error) {
	doc, err := h.store.MasterDatum(ctx, edge.PrincipalOf(ctx).OrgID, kind, id)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.Of(doc))
	return document(doc), nil
}

// GetOrganization reads the caller's organization.
func (h *Handlers) GetOrganization(
	ctx context.Context, _ contract.GetOrganizationRequestObject,
) (contract.GetOrganizationResponseObject, error) {
	doc, err := h.store.Organization(ctx, edge.PrincipalOf(ctx).OrgID)
	return document(doc), err
}

// VisitGetOrganizationResponse responds with the document.
func (d document) VisitGetOrganizationResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListOrderStatuses lists the statuses of orders.
func (h *Handlers) ListOrderStatuses(
	ctx context.Context, request contract.ListOrderStatusesRequestObject,
) (contract.ListOrderStatusesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.OrderStatuses, p.IsActive, p.Page, p.Limit)
}

// VisitListOrderStatusesResponse responds with the page.
func (l list) VisitListOrderStatusesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// ListDepartments lists the departments, a page at a time.
func (h *Handlers) ListDepartments(
	ctx context.Context, request contract.ListDepartmentsRequestObject,
) (contract.ListDepartmentsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Departments, p.IsActive, p.Page, p.Limit)
}

// VisitListDepartmentsResponse responds with the page.
func (l list) VisitListDepartmentsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetDepartment reads one department.
func (h *Handlers) GetDepartment(
	ctx context.Context, request contract.GetDepartmentRequestObject,
) (contract.GetDepartmentResponseObject, error) {
	return h.one(ctx, masterdata.Departments, request.ID)
}

// VisitGetDepartmentResponse responds with the document.
func (d document) VisitGetDepartmentResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListGroups lists the groups of orders, a page at a time.
func (h *Handlers) ListGroups(
	ctx context.Context, request contract.ListGroupsRequestObject,
) (contract.ListGroupsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Groups, p.IsActive, p.Page, p.Limit)
}

// VisitListGroupsResponse responds with the page.
func (l list) VisitListGroupsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetGroup reads one group.
func (h *Handlers) GetGroup(
	ctx context.Context, request contract.GetGroupRequestObject,
) (contract.GetGroupResponseObject, error) {
	return h.one(ctx, masterdata.Groups, request.ID)
}

// VisitGetGroupResponse responds with the document.
func (d document) VisitGetGroupResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListSkills lists the skills, a page at a time.
func (h *Handlers) ListSkills(
	ctx context.Context, request contract.ListSkillsRequestObject,
) (contract.ListSkillsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Skills, p.IsActive, p.Page, p.Limit)
}

// VisitListSkillsResponse responds with the page.
func (l list) VisitListSkillsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetSkill reads one skill.
func (h *Handlers) GetSkill(
	ctx context.Context, request contract.GetSkillRequestObject,
) (contract.GetSkillResponseObject, error) {
	return h.one(ctx, masterdata.Skills, request.ID)
}

// VisitGetSkillResponse responds with the document.
func (d document) VisitGetSkillResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListCalendars lists the calendars, a page at a time.
func (h *Handlers) ListCalendars(
	ctx context.Context, request contract.ListCalendarsRequestObject,
) (contract.ListCalendarsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Calendars, p.IsActive, p.Page, p.Limit)
}

// VisitListCalendarsResponse responds with the page.
func (l list) VisitListCalendarsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetCalendar reads one calendar.
func (h *Handlers) GetCalendar(
	ctx context.Context, request contract.GetCalendarRequestObject,
) (contract.GetCalendarResponseObject, error) {
	return h.one(ctx, masterdata.Calendars, request.ID)
}

// VisitGetCalendarResponse responds with the document.
func (d document) VisitGetCalendarResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListVehicleTypes lists the types of vehicle, a page at a time.
func (h *Handlers) ListVehicleTypes(
	ctx context.Context, request contract.ListVehicleTypesRequestObject,
) (contract.ListVehicleTypesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.VehicleTypes, p.IsActive, p.Page, p.Limit)
}

// VisitListVehicleTypesResponse responds with the page.
func (l list) VisitListVehicleTypesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetVehicleType reads one type of vehicle.
func (h *Handlers) GetVehicleType(
	ctx context.Context, request contract.GetVehicleTypeRequestObject,
) (contract.GetVehicleTypeResponseObject, error) {
	return h.one(ctx, masterdata.VehicleTypes, request.ID)
}

// VisitGetVehicleTypeResponse responds with the document.
func (d document) VisitGetVehicleTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListOrderTypes lists the types of order, a page at a time.
func (h *Handlers) ListOrderTypes(
	ctx context.Context, request contract.ListOrderTypesRequestObject,
) (contract.ListOrderTypesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.OrderTypes, p.IsActive, p.Page, p.Limit)
}

// VisitListOrderTypesResponse responds with the page.
func (l list) VisitListOrderTypesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetOrderType reads one type of order.
func (h *Handlers) GetOrderType(
	ctx context.Context, request contract.GetOrderTypeRequestObject,
) (contract.GetOrderTypeResponseObject, error) {
	return h.one(ctx, masterdata.OrderTypes, request.ID)
}

// VisitGetOrderTypeResponse responds with the document.
func (d document) VisitGetOrderTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListZones lists the zones, a page at a time.
func (h *Handlers) ListZones(
	ctx context.Context, request contract.ListZonesRequestObject,
) (contract.ListZonesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Zones, p.IsActive, p.Page, p.Limit)
}

// VisitListZonesResponse responds with the page.
func (l list) VisitListZonesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetZone reads one zone.
func (h *Handlers) GetZone(
	ctx context.Context, request contract.GetZoneRequestObject,
) (contract.GetZoneResponseObject, error) {
	return h.one(ctx, masterdata.Zones, request.ID)
}

// VisitGetZoneResponse responds with the document.
func (d document) VisitGetZoneResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListFreightLevels lists the freight levels, a page at a time.
func (h *Handlers) ListFreightLevels(
	ctx context.Context, request contract.ListFreightLevelsRequestObject,
) (contract.ListFreightLevelsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.FreightLevels, p.IsActive, p.Page, p.Limit)
}

// VisitListFreightLevelsResponse responds with the page.
func (l list) VisitListFreightLevelsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetFreightLevel reads one freight level.
func (h *Handlers) GetFreightLevel(
	ctx context.Context, request contract.GetFreightLevelRequestObject,
) (contract.GetFreightLevelResponseObject, error) {
	return h.one(ctx, masterdata.FreightLevels, request.ID)
}

// VisitGetFreightLevelResponse responds with the document.
func (d document) VisitGetFreightLevelResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListPriceLists lists the price lists, a page at a time.
func (h *Handlers) ListPriceLists(
	ctx context.Context, request contract.ListPriceListsRequestObject,
) (contract.ListPriceListsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.PriceLists, p.IsActive, p.Page, p.Limit)
}

// VisitListPriceListsResponse responds with the page.
func (l list) VisitListPriceListsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetPriceList reads one price list.
func (h *Handlers) GetPriceList(
	ctx context.Context, request contract.GetPriceListRequestObject,
) (contract.GetPriceListResponseObject, error) {
	return h.one(ctx, masterdata.PriceLists, request.ID)
}

// VisitGetPriceListResponse responds with the document.
func (d document) VisitGetPriceListResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListProducts lists the products of the catalogue, a page at a time.
func (h *Handlers) ListProducts(
	ctx context.Context, request contract.ListProductsRequestObject,
) (contract.ListProductsResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Products, p.IsActive, p.Page, p.Limit)
}

// VisitListProductsResponse responds with the page.
func (l list) VisitListProductsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetProduct reads one product of the catalogue.
func (h *Handlers) GetProduct(
	ctx context.Context, request contract.GetProductRequestObject,
) (contract.GetProductResponseObject, error) {
	return h.one(ctx, masterdata.Products, request.ID)
}

// VisitGetProductResponse responds with the document.
func (d document) VisitGetProductResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListVehicles lists the vehicles, a page at a time.
func (h *Handlers) ListVehicles(
	ctx context.Context, request contract.ListVehiclesRequestObject,
) (contract.ListVehiclesResponseObject, error) {
	p := request.Params
	return h.page(ctx, masterdata.Vehicles, p.IsActive, p.Page, p.Limit)
}

// VisitListVehiclesResponse responds with the page.
func (l list) VisitListVehiclesResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, l)
}

// GetVehicle reads one vehicle.
func (h *Handlers) GetVehicle(
	ctx context.Context, request contract.GetVehicleRequestObject,
) (contract.GetVehicleResponseObject, error) {
	return h.one(ctx, masterdata.Vehicles, request.ID)
}

// VisitGetVehicleResponse responds with the document.
func (d document) VisitGetVehicleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}
