package people

import (
	"context"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/store"
)

// BeginEnrolment creates a code that enrolls a phone.
func (h *Handlers) BeginEnrolment(
	ctx context.Context, request contract.BeginEnrolmentRequestObject,
) (contract.BeginEnrolmentResponseObject, error) {
	e, err := h.operations.People.BeginEnrolment(ctx, edge.Caller(ctx), request.DriverID)
	if err != nil {
		return nil, err
	}
	code := e.Code.Reveal()
	return contract.BeginEnrolment200JSONResponse{
		Code: code, URI: strings.TrimSuffix(h.publicURL, "/") + "/driver/enrol#c=" + code, ExpiresAt: e.Expires.UTC(),
	}, nil
}

// ListDevices lists the phones of a driver.
func (h *Handlers) ListDevices(
	ctx context.Context, request contract.ListDevicesRequestObject,
) (contract.ListDevicesResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	if _, err := h.store.Driver(ctx, org, request.DriverID); err != nil {
		return nil, err
	}
	owner := store.SessionOwner{DriverID: request.DriverID}
	devices, err := h.store.Sessions(ctx, org, owner, store.DeviceSession, h.now())
	list := contract.ListDevices200JSONResponse{Items: make([]contract.Device, len(devices))}
	for i, d := range devices {
		list.Items[i] = contract.Device{
			ID: d.ID, Name: d.Name, CreatedAt: d.CreatedAt.UTC(), LastUsedAt: d.LastUsedAt.UTC(), ExpiresAt: d.ExpiresAt.UTC(),
			AppRelease: edge.OrNull(d.AppRelease), StorageKept: edge.OrNull(d.StorageKept),
		}
	}
	return list, err
}

// RevokeDevice disconnects a phone of a driver.
func (h *Handlers) RevokeDevice(
	ctx context.Context, request contract.RevokeDeviceRequestObject,
) (contract.RevokeDeviceResponseObject, error) {
	return contract.RevokeDevice204Response{},
		h.end(ctx, store.SessionOwner{DriverID: request.DriverID}, store.DeviceSession, request.ItemID)
}
