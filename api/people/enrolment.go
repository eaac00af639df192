package people

import (
	"context"
	"net/http"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/account"
	"waybill/operations/people"
)

// enrol enrolls the phone with a code.
func (h *Handlers) enrol(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.EnrolRequest](r)
	if err != nil {
		return err
	}
	device, err := h.operations.People.Enrol(r.Context(), body.Code, phoneName(r, body.Name), edge.RequestID(r.Context()))
	if err != nil {
		return err
	}
	return h.connected(w, r, device)
}

// phoneName is the name of a phone, or of its browser.
func phoneName(r *http.Request, name *string) string {
	if given := edge.OrEmpty(name); given != "" {
		return given
	}
	return r.UserAgent()
}

func (h *Handlers) connected(w http.ResponseWriter, r *http.Request, device *people.OpenedSession) error {
	driver, err := h.store.Driver(r.Context(), device.OrgID, device.DriverID)
	if err != nil {
		return err
	}
	organization, err := h.store.OrganizationName(r.Context(), device.OrgID)
	if err != nil {
		return err
	}
	h.edge.SetSession(w, device.Secret, account.DeviceLifetime)
	return edge.WriteJSON(w, http.StatusOK, contract.Enrolled{
		DriverID: driver.ID, Name: driver.Name, Organization: organization,
		ExpiresAt: device.ExpiresAt.UTC().Truncate(time.Second),
	})
}

// checkEnrolment returns the owner of the phone that a code enrolls.
func (h *Handlers) checkEnrolment(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.EnrolRequest](r)
	if err != nil {
		return err
	}
	of, err := h.operations.People.CheckEnrolment(r.Context(), body.Code)
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusOK, contract.EnrolmentOwner{Name: of.Driver, Organization: of.Organization})
}

// requestDriverCode has a code sent to a driver's phone.
func (h *Handlers) requestDriverCode(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.DriverCodeRequest](r)
	if err != nil {
		return err
	}
	pending, err := h.operations.People.RequestPhoneCode(
		r.Context(), attemptOf(r, body.Organization, "", ""), body.PhoneNumber,
	)
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusAccepted, contract.DriverCodePending{Pending: pending})
}

// enrolByCode enrolls the phone with the code that it requested.
func (h *Handlers) enrolByCode(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.DriverCode](r)
	if err != nil {
		return err
	}
	device, err := h.operations.People.EnrolByPhone(r.Context(), attemptOf(r, "", "", ""), body.Pending, body.Code,
		phoneName(r, body.Name))
	if err != nil {
		return err
	}
	return h.connected(w, r, device)
}

// SendEnrolment has a link sent to a driver's phone.
func (h *Handlers) SendEnrolment(
	ctx context.Context, request contract.SendEnrolmentRequestObject,
) (contract.SendEnrolmentResponseObject, error) {
	return contract.SendEnrolment202Response{}, h.operations.People.SendEnrolment(ctx, edge.Caller(ctx), request.DriverID)
}
