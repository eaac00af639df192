package masterdata

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/masterdata"
)

// CreateDepartment adds a department.
func (h *Handlers) CreateDepartment(
	ctx context.Context, request contract.CreateDepartmentRequestObject,
) (contract.CreateDepartmentResponseObject, error) {
	return h.create(ctx, masterdata.Departments, "departments", request.Body)
}

// VisitCreateDepartmentResponse responds with the document.
func (d created) VisitCreateDepartmentResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateDepartment changes the given members of a department.
func (h *Handlers) UpdateDepartment(
	ctx context.Context, request contract.UpdateDepartmentRequestObject,
) (contract.UpdateDepartmentResponseObject, error) {
	return h.update(ctx, masterdata.Departments, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateDepartmentResponse responds with the document.
func (d document) VisitUpdateDepartmentResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateGroup adds a group of orders.
func (h *Handlers) CreateGroup(
	ctx context.Context, request contract.CreateGroupRequestObject,
) (contract.CreateGroupResponseObject, error) {
	return h.create(ctx, masterdata.Groups, "groups", request.Body)
}

// VisitCreateGroupResponse responds with the document.
func (d created) VisitCreateGroupResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateGroup changes the given members of a group of orders.
func (h *Handlers) UpdateGroup(
	ctx context.Context, request contract.UpdateGroupRequestObject,
) (contract.UpdateGroupResponseObject, error) {
	return h.update(ctx, masterdata.Groups, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateGroupResponse responds with the document.
func (d document) VisitUpdateGroupResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateSkill adds a skill.
func (h *Handlers) CreateSkill(
	ctx context.Context, request contract.CreateSkillRequestObject,
) (contract.CreateSkillResponseObject, error) {
	return h.create(ctx, masterdata.Skills, "skills", request.Body)
}

// VisitCreateSkillResponse responds with the document.
func (d created) VisitCreateSkillResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateSkill changes the given members of a skill.
func (h *Handlers) UpdateSkill(
	ctx context.Context, request contract.UpdateSkillRequestObject,
) (contract.UpdateSkillResponseObject, error) {
	return h.update(ctx, masterdata.Skills, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateSkillResponse responds with the document.
func (d document) VisitUpdateSkillResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateCalendar adds a calendar.
func (h *Handlers) CreateCalendar(
	ctx context.Context, request contract.CreateCalendarRequestObject,
) (contract.CreateCalendarResponseObject, error) {
	return h.create(ctx, masterdata.Calendars, "calendars", request.Body)
}

// VisitCreateCalendarResponse responds with the document.
func (d created) VisitCreateCalendarResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateCalendar changes the given members of a calendar.
func (h *Handlers) UpdateCalendar(
	ctx context.Context, request contract.UpdateCalendarRequestObject,
) (contract.UpdateCalendarResponseObject, error) {
	return h.update(ctx, masterdata.Calendars, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateCalendarResponse responds with the document.
func (d document) VisitUpdateCalendarResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateVehicleType adds a type of vehicle.
func (h *Handlers) CreateVehicleType(
	ctx context.Context, request contract.CreateVehicleTypeRequestObject,
) (contract.CreateVehicleTypeResponseObject, error) {
	return h.create(ctx, masterdata.VehicleTypes, "vehicle-types", request.Body)
}

// VisitCreateVehicleTypeResponse responds with the document.
func (d created) VisitCreateVehicleTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateVehicleType changes the given members of a vehicle type.
func (h *Handlers) UpdateVehicleType(
	ctx context.Context, request contract.UpdateVehicleTypeRequestObject,
) (contract.UpdateVehicleTypeResponseObject, error) {
	return h.update(ctx, masterdata.VehicleTypes, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateVehicleTypeResponse responds with the document.
func (d document) VisitUpdateVehicleTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateOrderType adds a type of order.
func (h *Handlers) CreateOrderType(
	ctx context.Context, request contract.CreateOrderTypeRequestObject,
) (contract.CreateOrderTypeResponseObject, error) {
	return h.create(ctx, masterdata.OrderTypes, "order-types", request.Body)
}

// VisitCreateOrderTypeResponse responds with the document.
func (d created) VisitCreateOrderTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateOrderType changes the given members of an order type.
func (h *Handlers) UpdateOrderType(
	ctx context.Context, request contract.UpdateOrderTypeRequestObject,
) (contract.UpdateOrderTypeResponseObject, error) {
	return h.update(ctx, masterdata.OrderTypes, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateOrderTypeResponse responds with the document.
func (d document) VisitUpdateOrderTypeResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateZone adds a zone.
func (h *Handlers) CreateZone(
	ctx context.Context, request contract.CreateZoneRequestObject,
) (contract.CreateZoneResponseObject, error) {
	return h.create(ctx, masterdata.Zones, "zones", request.Body)
}

// VisitCreateZoneResponse responds with the document.
func (d created) VisitCreateZoneResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateZone changes the given members of a zone.
func (h *Handlers) UpdateZone(
	ctx context.Context, request contract.UpdateZoneRequestObject,
) (contract.UpdateZoneResponseObject, error) {
	return h.update(ctx, masterdata.Zones, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateZoneResponse responds with the document.
func (d document) VisitUpdateZoneResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateFreightLevel adds a freight level.
func (h *Handlers) CreateFreightLevel(
	ctx context.Context, request contract.CreateFreightLevelRequestObject,
) (contract.CreateFreightLevelResponseObject, error) {
	return h.create(ctx, masterdata.FreightLevels, "freight-levels", request.Body)
}

// VisitCreateFreightLevelResponse responds with the document.
func (d created) VisitCreateFreightLevelResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateFreightLevel changes the given members of a freight level.
func (h *Handlers) UpdateFreightLevel(
	ctx context.Context, request contract.UpdateFreightLevelRequestObject,
) (contract.UpdateFreightLevelResponseObject, error) {
	return h.update(ctx, masterdata.FreightLevels, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateFreightLevelResponse responds with the document.
func (d document) VisitUpdateFreightLevelResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreatePriceList adds a price list.
func (h *Handlers) CreatePriceList(
	ctx context.Context, request contract.CreatePriceListRequestObject,
) (contract.CreatePriceListResponseObject, error) {
	return h.create(ctx, masterdata.PriceLists, "price-lists", request.Body)
}

// VisitCreatePriceListResponse responds with the document.
func (d created) VisitCreatePriceListResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdatePriceList changes the given members of a price list.
func (h *Handlers) UpdatePriceList(
	ctx context.Context, request contract.UpdatePriceListRequestObject,
) (contract.UpdatePriceListResponseObject, error) {
	return h.update(ctx, masterdata.PriceLists, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdatePriceListResponse responds with the document.
func (d document) VisitUpdatePriceListResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateCustomer adds a customer.
func (h *Handlers) CreateCustomer(
	ctx context.Context, request contract.CreateCustomerRequestObject,
) (contract.CreateCustomerResponseObject, error) {
	return h.create(ctx, masterdata.Customers, "customers", request.Body)
}

// VisitCreateCustomerResponse responds with the document.
func (d created) VisitCreateCustomerResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateCustomer changes the given members of a customer.
func (h *Handlers) UpdateCustomer(
	ctx context.Context, request contract.UpdateCustomerRequestObject,
) (contract.UpdateCustomerResponseObject, error) {
	return h.update(ctx, masterdata.Customers, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateCustomerResponse responds with the document.
func (d document) VisitUpdateCustomerResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateVehicle adds a vehicle.
func (h *Handlers) CreateVehicle(
	ctx context.Context, request contract.CreateVehicleRequestObject,
) (contract.CreateVehicleResponseObject, error) {
	return h.create(ctx, masterdata.Vehicles, "vehicles", request.Body)
}

// VisitCreateVehicleResponse responds with the document.
func (d created) VisitCreateVehicleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateVehicle changes the given members of a vehicle.
func (h *Handlers) UpdateVehicle(
	ctx context.Context, request contract.UpdateVehicleRequestObject,
) (contract.UpdateVehicleResponseObject, error) {
	return h.update(ctx, masterdata.Vehicles, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateVehicleResponse responds with the document.
func (d document) VisitUpdateVehicleResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// CreateProduct adds a product of the catalogue.
func (h *Handlers) CreateProduct(
	ctx context.Context, request contract.CreateProductRequestObject,
) (contract.CreateProductResponseObject, error) {
	return h.create(ctx, masterdata.Products, "products", request.Body)
}

// VisitCreateProductResponse responds with the document.
func (d created) VisitCreateProductResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusCreated, d)
}

// UpdateProduct changes the given members of a product of the catalogue.
func (h *Handlers) UpdateProduct(
	ctx context.Context, request contract.UpdateProductRequestObject,
) (contract.UpdateProductResponseObject, error) {
	return h.update(ctx, masterdata.Products, request.ID, request.Params.IfMatch, request.Body)
}

// VisitUpdateProductResponse responds with the document.
func (d document) VisitUpdateProductResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}
