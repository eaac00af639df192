package masterdata

import (
	"context"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/location"
	"waybill/domain/order"
	"waybill/domain/visit"
)

// locationInput is a caller's input for a location; absent members stay
// unchanged, and null removes a value.
type locationInput struct {
	externalID    nullable.Nullable[string]
	name          *string
	address       *contract.LocationAddressInput
	opens, closes nullable.Nullable[string]
	asDefault     *bool
	windows       *[]contract.LocationTimeWindow
	time          nullable.Nullable[int32]
	times         nullable.Nullable[contract.ServiceTime]
	pauses        *[]contract.LocationPause
	curbside      *bool
	calendar      nullable.Nullable[int64]
}

// apply returns a location after the input, or its violations.
func (in *locationInput) apply(ctx context.Context, d location.Details) (location.Details, error) {
	if in.externalID.IsSpecified() {
		d.ExternalID = edge.TextOf(in.externalID)
	}
	if in.name != nil {
		d.Name = *in.name
	}
	if in.address != nil {
		d.Address = newAddress(in.address)
	}
	if err := in.readHours(&d); err != nil {
		return d, err
	}
	if in.windows != nil {
		var err error
		if d.Windows, err = readWindows(*in.windows); err != nil {
			return d, err
		}
	}
	if in.pauses != nil {
		var err error
		if d.Pauses, err = readPauses(*in.pauses); err != nil {
			return d, err
		}
	}
	if in.curbside != nil {
		d.Curbside = *in.curbside
	}
	if in.calendar.IsSpecified() {
		d.CalendarID = valueOrNil(in.calendar)
	}
	if in.time.IsSpecified() {
		d.EstimatedTimeOnLocation = valueOrNil(in.time)
	}
	if in.times.IsSpecified() {
		d.ServiceTime = serviceTimeOf(in.times)
	}
	if err := checkLocationTexts(&d); err != nil {
		return d, err
	}
	return d, d.Check(edge.PrincipalOf(ctx).Zone)
}

// serviceTimeOf returns the times in a body, or nil.
func serviceTimeOf(sent nullable.Nullable[contract.ServiceTime]) *visit.ServiceTime {
	t, err := sent.Get()
	if err != nil {
		return nil
	}
	return &visit.ServiceTime{
		SetupSeconds: valueOrNil(t.SetupSeconds), OrderSeconds: valueOrNil(t.OrderSeconds),
		SecondsPerKg: valueOrNil(t.SecondsPerKg), SecondsPerM3: valueOrNil(t.SecondsPerM3),
		SecondsPerCollo: valueOrNil(t.SecondsPerCollo),
	}
}

func newAddress(a *contract.LocationAddressInput) order.Address {
	return order.Address{
		Address1: edge.TextOf(a.Address1), Address2: edge.TextOf(a.Address2), PostalCode: edge.TextOf(a.PostalCode),
		City: edge.TextOf(a.City), State: edge.TextOf(a.State), Country: order.Country(edge.TextOf(a.Country)),
		Latitude: valueOrNil(a.Latitude), Longitude: valueOrNil(a.Longitude),
	}
}

func (in *locationInput) readHours(d *location.Details) error {
	for _, f := range []struct {
		name string
		sent nullable.Nullable[string]
		to   **order.Clock
	}{{"opens", in.opens, &d.Opens}, {"closes", in.closes, &d.Closes}} {
		if !f.sent.IsSpecified() {
			continue
		}
		*f.to = nil
		if f.sent.IsNull() {
			continue
		}
		clock, err := readClock(f.name, edge.TextOf(f.sent))
		if err != nil {
			return err
		}
		*f.to = &clock
	}
	if in.asDefault != nil {
		d.HoursAreDefault = *in.asDefault
	} else if d.Opens == nil && d.Closes == nil {
		d.HoursAreDefault = false // without hours there is no default either
	}
	return nil
}

func readWindows(sent []contract.LocationTimeWindow) ([]location.Window, error) {
	var windows []location.Window
	for i, w := range sent {
		at := "time_windows[" + strconv.Itoa(i) + "]"
		opens, err := readClock(at+".opens", w.Opens)
		if err != nil {
			return nil, err
		}
		closes, err := readClock(at+".closes", w.Closes)
		if err != nil {
			return nil, err
		}
		if !edge.IsText(w.Rrule) {
			return nil, fault.Field(at+".rrule", fault.Say("request.not_text"))
		}
		windows = append(windows, location.Window{RRule: w.Rrule, Opens: opens, Closes: closes})
	}
	return windows, nil
}

// readClock reads a time of the day, or names its field.
func readClock(field, text string) (order.Clock, error) {
	clock, ok := order.ParseClock(text)
	if !ok {
		return 0, fault.Field(field, fault.Say("location.bad_clock"))
	}
	return clock, nil
}

func readPauses(sent []contract.LocationPause) ([]order.Pause, error) {
	var pauses []order.Pause
	for i, p := range sent {
		at := "pauses[" + strconv.Itoa(i) + "]"
		from, err := readClock(at+".from", p.From)
		if err != nil {
			return nil, err
		}
		until, err := readClock(at+".until", p.Until)
		if err != nil {
			return nil, err
		}
		pauses = append(pauses, order.Pause{From: from, Until: until})
	}
	return pauses, nil
}

// checkLocationTexts rejects texts that Postgres can't store.
func checkLocationTexts(d *location.Details) error {
	for _, f := range []struct{ name, value string }{
		{"external_id", d.ExternalID},
		{"name", d.Name},
		{"address.address1", d.Address.Address1},
		{"address.address2", d.Address.Address2},
		{"address.postal_code", d.Address.PostalCode},
		{"address.city", d.Address.City},
		{"address.state", d.Address.State},
	} {
		if !edge.IsText(f.value) {
			return fault.Field(f.name, fault.Say("request.not_text"))
		}
	}
	return nil
}
