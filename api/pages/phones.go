package pages

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"rsc.io/qr"

	"waybill/api/edge"
	"waybill/domain/account"
	"waybill/operations/people"
	"waybill/store"
)

func (p *Pages) showEnrol(http.ResponseWriter, *http.Request) (view, error) {
	return view{Page: "enrol"}, nil
}

// enrol shows a driver whose phone a code connects, and then connects it.
func (p *Pages) enrol(w http.ResponseWriter, r *http.Request) (view, error) {
	code := r.PostFormValue("code")
	v := view{Page: "enrol", Code: code}
	if !r.PostForm.Has("yes") {
		of, err := p.operations.People.CheckEnrolment(r.Context(), code)
		if err != nil {
			return v, err
		}
		return view{Page: "is-it-you", Code: code, Name: of.Driver, Organization: of.Organization}, nil
	}
	device, err := p.operations.People.Enrol(r.Context(), code, r.UserAgent(), edge.RequestID(r.Context()))
	if err != nil {
		return v, err
	}
	return p.keepDevice(w, r, device)
}

// keepDevice replaces the session in a phone's browser.
func (p *Pages) keepDevice(w http.ResponseWriter, r *http.Request, device *people.OpenedSession) (view, error) {
	if err := p.endPresent(r); err != nil {
		return view{}, err
	}
	p.edge.SetSession(w, device.Secret, account.DeviceLifetime)
	return view{To: "/driver/connected"}, nil
}

func (p *Pages) showPhone(_ http.ResponseWriter, r *http.Request) (view, error) {
	return view{Page: "phone", Organization: r.URL.Query().Get("org")}, nil
}

// sendCode has a code sent to the phone of a driver.
func (p *Pages) sendCode(_ http.ResponseWriter, r *http.Request) (view, error) {
	a := attemptOf(r)
	pending, err := p.operations.People.RequestPhoneCode(r.Context(), a, r.PostFormValue("phone"))
	if err != nil {
		return view{Page: "phone", Organization: a.Organization}, err
	}
	return view{Page: "phone-code", Pending: pending}, nil
}

// enrolByCode enrolls the phone with the code that it requested.
func (p *Pages) enrolByCode(w http.ResponseWriter, r *http.Request) (view, error) {
	pending := r.PostFormValue("pending")
	device, err := p.operations.People.EnrolByPhone(
		r.Context(), attemptOf(r), pending, r.PostFormValue("code"), r.UserAgent(),
	)
	if err != nil {
		return view{Page: "phone-code", Pending: pending}, err
	}
	return p.keepDevice(w, r, device)
}

// connected shows a driver that the phone is connected.
func (p *Pages) connected(_ http.ResponseWriter, r *http.Request) (view, error) {
	who, ok := p.edge.PrincipalFor(r)
	if !ok || who.DriverID == 0 {
		return view{To: "/driver/sign-in"}, nil
	}
	driver, err := p.store.Driver(r.Context(), who.OrgID, who.DriverID)
	return view{Page: "connected", Name: driver.Name}, err
}

// mostDrivers is how many drivers the page of phones lists.
const mostDrivers = 500

// phones returns the page of phones for users who may enroll them, and
// redirects others.
func (p *Pages) phones(r *http.Request) (edge.Principal, view, error) {
	who, ok := p.edge.PrincipalFor(r)
	if !ok || who.DriverID != 0 {
		return who, view{To: "/sign-in"}, nil
	}
	if !p.edge.May(&who, "beginEnrolment") {
		return who, view{To: "/account"}, nil
	}
	active := true
	drivers, _, err := p.store.Drivers(r.Context(), who.OrgID, &active, nil, store.Page{Number: 1, Size: mostDrivers})
	return who, view{Page: "phones", Drivers: drivers}, err
}

func (p *Pages) showPhones(_ http.ResponseWriter, r *http.Request) (view, error) {
	_, v, err := p.phones(r)
	return v, err
}

// connectPhone shows a code that a driver's phone scans, or sends it a link.
func (p *Pages) connectPhone(_ http.ResponseWriter, r *http.Request) (view, error) {
	who, v, err := p.phones(r)
	if err != nil || v.To != "" {
		return v, err
	}
	driver, err := strconv.ParseInt(r.PostFormValue("driver"), 10, 64)
	if err != nil {
		return v, nil //nolint:nilerr // no driver was chosen
	}
	by := who.Caller
	by.Cause = edge.RequestID(r.Context())
	if r.PostForm.Has("send") {
		err := p.operations.People.SendEnrolment(r.Context(), by, driver)
		v.Sent = err == nil
		return v, err
	}
	e, err := p.operations.People.BeginEnrolment(r.Context(), by, driver)
	if err != nil {
		return v, err
	}
	d, err := p.store.Driver(r.Context(), who.OrgID, driver)
	if err != nil {
		return v, err
	}
	drawn, err := draw(strings.TrimSuffix(p.publicURL, "/") + "/driver/enrol#c=" + e.Code.Reveal())
	return view{Page: "scan", Name: d.Name, Picture: drawn}, err
}

// picture is a QR code: how many squares it is wide, with its quiet zone, and the
// path of the dark ones.
type picture struct {
	Size int
	Path string
}

// quiet is how many squares stay empty around a code.
const quiet = 4

func draw(text string) (picture, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return picture{}, fmt.Errorf("draw a QR code: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	return picture{Size: code.Size + 2*quiet, Path: path.String()}, nil
}
