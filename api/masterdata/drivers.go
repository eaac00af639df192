package masterdata

import (
	"context"
	"fmt"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/store"
)

// newDriver is a driver as the caller may see them: how they drive is a matter of administrators.
func newDriver(ctx context.Context, d store.Driver) contract.Driver {
	out := contract.Driver{
		ID: d.ID, ExternalID: edge.TextOrNull(d.ExternalID), Name: d.Name, PhoneNumber: edge.TextOrNull(d.PhoneNumber),
		EmailAddress: edge.TextOrNull(d.EmailAddress), DepartmentID: edge.IDOrNull(d.DepartmentID),
		VehicleID: edge.IDOrNull(d.VehicleID), StartLocationID: edge.IDOrNull(d.StartLocationID),
		EndLocationID: edge.IDOrNull(d.EndLocationID), Skills: listed(d.Skills), IsActive: d.IsActive,
		Preferences: newPreferences(&d.Preferences), CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(),
		DrivingFactor: nullable.NewNullNullable[float64](), VisitFactor: nullable.NewNullNullable[float64](),
	}
	if edge.ByAdmin(ctx) {
		driving, visits := d.Pace.Factors()
		out.DrivingFactor, out.VisitFactor = nullable.NewNullableWithValue(driving), nullable.NewNullableWithValue(visits)
	}
	return out
}

// listed returns an empty list for nil.
func listed(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// ListDrivers lists the drivers, a page at a time.
func (h *Handlers) ListDrivers(
	ctx context.Context, request contract.ListDriversRequestObject,
) (contract.ListDriversResponseObject, error) {
	p := request.Params
	page, err := edge.PageOf(p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	drivers, total, err := h.store.Drivers(ctx, edge.PrincipalOf(ctx).OrgID, p.IsActive, p.ExternalID, page)
	if err != nil {
		return nil, err
	}
	out := contract.ListDrivers200JSONResponse{
		Items: make([]contract.Driver, len(drivers)), Total: total, Page: page.Number, Limit: page.Size,
		Pages: int32(edge.Pages(total, page)),
	}
	for i := range drivers {
		out.Items[i] = newDriver(ctx, drivers[i])
	}
	return out, nil
}

// GetDriver reads one driver.
func (h *Handlers) GetDriver(
	ctx context.Context, request contract.GetDriverRequestObject,
) (contract.GetDriverResponseObject, error) {
	d, err := h.store.Driver(ctx, edge.PrincipalOf(ctx).OrgID, request.DriverID)
	return contract.GetDriver200JSONResponse(newDriver(ctx, d)), err
}

// CreateDriver adds a driver.
func (h *Handlers) CreateDriver(
	ctx context.Context, request contract.CreateDriverRequestObject,
) (contract.CreateDriverResponseObject, error) {
	b := request.Body
	preferences, err := preferencesOf(b.Preferences)
	if err != nil {
		return nil, err
	}
	var pace driver.Pace
	if err := changePace(ctx, &pace, b.DrivingFactor, b.VisitFactor); err != nil {
		return nil, err
	}
	details, err := checkDetails(driver.Details{
		Name: b.Name, ExternalID: edge.OrEmpty(b.ExternalID), PhoneNumber: edge.OrEmpty(b.PhoneNumber),
		EmailAddress: edge.OrEmpty(b.EmailAddress), DepartmentID: idOrNone(b.DepartmentID),
		VehicleID: idOrNone(b.VehicleID), StartLocationID: idOrNone(b.StartLocationID),
		EndLocationID: idOrNone(b.EndLocationID), Skills: deref(b.Skills), Preferences: preferences, Pace: pace,
	})
	if err != nil {
		return nil, err
	}
	d, err := h.operations.MasterData.CreateDriver(ctx, edge.Caller(ctx), details)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/drivers/%d", d.ID))
	return contract.CreateDriver201JSONResponse(newDriver(ctx, d)), nil
}

// idOrNone is 0 for a missing id, and an id that does not exist for 0.
func idOrNone(id *int64) int64 {
	switch {
	case id == nil:
		return 0
	case *id == 0:
		return -1
	}
	return *id
}

func deref(names *[]string) []string {
	if names == nil {
		return nil
	}
	return *names
}

// checkDetails returns details in their stored form.
func checkDetails(d driver.Details) (driver.Details, error) {
	for _, f := range []struct{ name, value string }{
		{"name", d.Name}, {"external_id", d.ExternalID}, {"phone_number", d.PhoneNumber}, {"email_address", d.EmailAddress},
	} {
		if !edge.IsText(f.value) {
			return d, fault.Field(f.name, fault.Say("request.not_text"))
		}
	}
	for i, name := range d.Skills {
		if !edge.IsText(name) {
			return d, fault.Field("skills["+strconv.Itoa(i)+"]", fault.Say("request.not_text"))
		}
	}
	return d.Check()
}

// UpdateDriver changes the given fields.
func (h *Handlers) UpdateDriver(
	ctx context.Context, request contract.UpdateDriverRequestObject,
) (contract.UpdateDriverResponseObject, error) {
	b := request.Body
	change := func(d driver.Details) (driver.Details, error) {
		if b.Name != nil {
			d.Name = *b.Name
		}
		for _, f := range []struct {
			sent nullable.Nullable[string]
			to   *string
		}{{b.ExternalID, &d.ExternalID}, {b.PhoneNumber, &d.PhoneNumber}, {b.EmailAddress, &d.EmailAddress}} {
			if f.sent.IsSpecified() {
				*f.to, _ = f.sent.Get() // null is empty
			}
		}
		refer(&d, b)
		if b.Skills != nil {
			d.Skills = *b.Skills
		}
		err := changePace(ctx, &d.Pace, b.DrivingFactor, b.VisitFactor)
		if err != nil {
			return d, err
		}
		if b.Preferences == nil {
			return checkDetails(d)
		}
		if d.Preferences, err = preferencesOf(b.Preferences); err != nil {
			return d, err
		}
		return checkDetails(d)
	}
	d, err := h.operations.MasterData.ChangeDriver(ctx, edge.Caller(ctx), request.DriverID, change)
	return contract.UpdateDriver200JSONResponse(newDriver(ctx, d)), err
}

// changePace changes the factors of a driver that were sent, which only administrators do. Null is 1, and 0 is not a
// factor.
func changePace(ctx context.Context, p *driver.Pace, driving, visits nullable.Nullable[float64]) error {
	for _, f := range []struct {
		name string
		sent nullable.Nullable[float64]
		to   *float64
	}{{"driving_factor", driving, &p.Driving}, {"visit_factor", visits, &p.Visits}} {
		if !f.sent.IsSpecified() {
			continue
		}
		if !edge.ByAdmin(ctx) {
			return fault.Field(f.name, fault.Say("driver.only_admin"))
		}
		if *f.to = 1; !f.sent.IsNull() {
			*f.to = f.sent.MustGet()
		}
		if *f.to == 0 {
			*f.to = -1
		}
	}
	return nil
}

// refer changes what a driver refers to by its id.
func refer(d *driver.Details, b *contract.UpdateDriverRequest) {
	for _, f := range []struct {
		sent nullable.Nullable[int64]
		to   *int64
	}{
		{b.DepartmentID, &d.DepartmentID},
		{b.VehicleID, &d.VehicleID},
		{b.StartLocationID, &d.StartLocationID},
		{b.EndLocationID, &d.EndLocationID},
	} {
		if f.sent.IsNull() {
			*f.to = 0
		} else if id, err := f.sent.Get(); err == nil {
			*f.to = idOrNone(&id)
		}
	}
}

// DeactivateDriver deactivates a driver.
func (h *Handlers) DeactivateDriver(
	ctx context.Context, request contract.DeactivateDriverRequestObject,
) (contract.DeactivateDriverResponseObject, error) {
	today := edge.Today(ctx, h.now())
	d, err := h.operations.MasterData.DeactivateDriver(ctx, edge.Caller(ctx), request.DriverID, today)
	return contract.DeactivateDriver200JSONResponse(newDriver(ctx, d)), err
}

// ReactivateDriver reactivates a driver.
func (h *Handlers) ReactivateDriver(
	ctx context.Context, request contract.ReactivateDriverRequestObject,
) (contract.ReactivateDriverResponseObject, error) {
	d, err := h.operations.MasterData.ReactivateDriver(ctx, edge.Caller(ctx), request.DriverID)
	return contract.ReactivateDriver200JSONResponse(newDriver(ctx, d)), err
}
