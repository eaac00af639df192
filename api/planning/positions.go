package planning

import (
	"context"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
)

// oldestPosition is how old a position may be.
const oldestPosition = 12 * time.Hour

// ListPositionsOfDay lists where the drivers of a day's routes were last.
func (h *Handlers) ListPositionsOfDay(
	ctx context.Context, request contract.ListPositionsOfDayRequestObject,
) (contract.ListPositionsOfDayResponseObject, error) {
	day := request.Date.Time
	if _, _, err := edge.CheckDays("date", day, "date", day); err != nil {
		return nil, err
	}
	now := h.now()
	positions, err := h.store.PositionsOfDay(ctx, edge.PrincipalOf(ctx).OrgID, day, now, now.Add(-oldestPosition))
	if err != nil {
		return nil, err
	}
	out := contract.ListPositionsOfDay200JSONResponse{Items: make([]contract.PositionOfDriver, len(positions))}
	for i := range positions {
		p := &positions[i]
		out.Items[i] = contract.PositionOfDriver{
			DriverID: p.DriverID, Latitude: p.Latitude, Longitude: p.Longitude,
			AccuracyMeters: edge.OrNull(p.AccuracyMeters), At: p.At.UTC(),
		}
	}
	return out, nil
}
