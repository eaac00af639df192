package driving

import (
	"context"
	"strconv"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driving"
	"waybill/domain/fault"
)

// mostPositions is how many positions one request may have.
const mostPositions = 500

// RecordDriverPositions records a driver's positions.
func (h *Handlers) RecordDriverPositions(
	ctx context.Context, request contract.RecordDriverPositionsRequestObject,
) (contract.RecordDriverPositionsResponseObject, error) {
	said := request.Body.Positions
	if len(said) == 0 || len(said) > mostPositions {
		return nil, fault.Field("positions", fault.Say("driven.how_many", "max", strconv.Itoa(mostPositions)))
	}
	positions := make([]driving.Position, len(said))
	for i, at := range said {
		p := driving.Position{
			At: at.At.UTC(), Latitude: at.Latitude, Longitude: at.Longitude, Accuracy: orNaN(at.AccuracyMeters),
		}
		if !p.Valid() || p.At.Year() < 2000 || p.At.Year() > 9000 {
			return nil, fault.Field("positions["+strconv.Itoa(i)+"]", fault.Say("driven.no_place"))
		}
		positions[i] = p
	}
	kept, err := h.operations.Driving.RecordPositions(ctx, edge.Caller(ctx), edge.PrincipalOf(ctx).DriverID, positions)
	return contract.RecordDriverPositions200JSONResponse{Kept: int32(kept)}, err
}

// SetDriverDuty sets whether a driver is on duty.
func (h *Handlers) SetDriverDuty(
	ctx context.Context, request contract.SetDriverDutyRequestObject,
) (contract.SetDriverDutyResponseObject, error) {
	duty, err := h.operations.Driving.SetDuty(ctx, edge.Caller(ctx), edge.PrincipalOf(ctx).DriverID, request.Body.OnDuty)
	return contract.SetDriverDuty200JSONResponse{OnDuty: duty.On, Since: duty.Since.UTC()}, err
}
