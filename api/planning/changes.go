package planning

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/planning"
)

// areaOf returns a plan's day and department, or orders without a department.
func areaOf(day time.Time, department nullable.Nullable[int64]) (planning.Area, error) {
	area := planning.Area{Date: day}
	if department.IsSpecified() && !department.IsNull() {
		area.DepartmentID = department.MustGet()
	}
	_, _, err := edge.CheckDays("date", day, "date", day)
	return area, err
}

// StartPlanAfresh has planning forget the sequence of a day.
func (h *Handlers) StartPlanAfresh(
	ctx context.Context, request contract.StartPlanAfreshRequestObject,
) (contract.StartPlanAfreshResponseObject, error) {
	area, err := areaOf(request.Date.Time, request.Body.DepartmentID)
	if err != nil {
		return nil, err
	}
	version, err := h.operations.Planning.StartPlanAfresh(ctx, edge.Caller(ctx), area, request.Body.Version)
	return contract.StartPlanAfresh202JSONResponse{Version: version}, err
}
