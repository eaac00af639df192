package order

import (
	"fmt"

	"waybill/domain/fault"
)

// stopCodes are the codes for one of the two stops.
type stopCodes struct {
	missing, address, window, skill Code
}

var codesOf = map[StopKind]stopCodes{
	Pickup:   {MissingPickup, InvalidPickupAddress, InvalidPickupTimeWindow, InvalidPickupSkill},
	Delivery: {MissingDelivery, InvalidDeliveryAddress, InvalidDeliveryTimeWindow, InvalidDeliverySkill},
}

// judgeStops reads both stops.
func (d *decider) judgeStops(req *Request, b basis, j *judged) {
	j.pickup = d.judgeStop(Pickup, req.Pickup, b, &j.reasons)
	j.delivery = d.judgeStop(Delivery, req.Delivery, b, &j.reasons)
}

func (d *decider) judgeStop(kind StopKind, req *LocationRequest, b basis, r *reasons) *Stop {
	codes, field := codesOf[kind], string(kind)
	if req == nil {
		r.add(codes.missing, field, fault.Say("stop.missing"))
		return nil
	}
	stop := &Stop{
		Name:                    req.Name,
		EstimatedTimeOnLocation: req.EstimatedTimeOnLocation,
		NotifyBeforeArrival:     req.SendNotificationBeforeArrival,
		Instructions:            req.Instructions,
		CustomerInstructions:    req.CustomerInstructions,
		ParkingInstructions:     req.ParkingInstructions,
		Priority:                req.priority(),
		Contacts:                req.Contacts,
		Skills:                  d.judgeSkills(req.Skills, codes.skill, field, r),
	}
	judgeStopTexts(req, field, r)
	stop.Asks.Lateness = req.judgeLateness(field, r)
	loc := d.judgePlace(req, codes.address, field, stop, r)
	if loc == nil {
		judgeFixedWindow(req, codes.window, field, r)
		return stop
	}
	if !b.ok && !req.fixesWindow() {
		return stop
	}
	d.judgeWindow(kind, req, loc, b, stop, r)
	return stop
}

// judgeWindow resolves when a stop may be served.
func (d *decider) judgeWindow(
	kind StopKind, req *LocationRequest, loc *Location, b basis, stop *Stop, r *reasons,
) {
	window, text, ok := d.resolveWindow(kind, req, loc, b)
	if !ok {
		r.add(codesOf[kind].window, string(kind), text)
	}
	stop.Window = window
	switch {
	case !ok:
	case window.Source == FromRequest:
		stop.Asks.Windows = req.spans()
	case window.Source == FromLocationRule || window.Source == FromLocationHours:
		stop.Window, stop.Asks.Windows = window.paused(loc.Pauses, b.day, d.snapshot.Zone)
	}
}

// judgeLateness reads how late a stop may be.
func (r *LocationRequest) judgeLateness(field string, why *reasons) *Lateness {
	l, ok := r.lateness()
	if !ok {
		why.add(UnknownInvalidInput, field+".lateness", fault.Say("stop.bad_lateness",
			"minutes", fmt.Sprint(mostLate), "price", fmt.Sprint(mostLatePrice)))
	}
	return l
}

// judgeFixedWindow checks a window from the request when the place is unknown,
// so that both problems are reported.
func judgeFixedWindow(req *LocationRequest, code Code, field string, r *reasons) {
	if !req.fixesWindow() {
		return
	}
	if _, text, ok := req.fixed(); !ok {
		r.add(code, field, text)
	}
}

// fixesWindow reports whether the request sets the stop's times.
func (r *LocationRequest) fixesWindow() bool {
	return r.Earliest != "" && r.Latest != "" || len(r.TimeWindows) > 0
}

// fixed returns the window that the request sets.
func (r *LocationRequest) fixed() (Window, fault.Text, bool) {
	if len(r.TimeWindows) > 0 {
		return r.severalWindows()
	}
	return fixedWindow(r.Earliest, r.Latest)
}

// judgePlace returns the stop's location and address. The address is the
// request's, or the location's if the request has none.
func (d *decider) judgePlace(req *LocationRequest, code Code, field string, stop *Stop, r *reasons) *Location {
	loc := d.snapshot.location(req)
	if loc == nil && req.LocationID != 0 {
		r.add(code, field, fault.Say("location.not_found", "name", fmt.Sprint(req.LocationID)))
		return nil
	}
	check := req.checkNames
	if req.Address != nil || loc == nil {
		check = req.checkPlace
	}
	if v, ok := check(); !ok {
		r.add(code, field+"."+v.field, v.text)
		return nil
	}
	if loc == nil {
		// NewLocations creates every location with a usable address.
		panic("order: decide: a usable location is not in the snapshot")
	}
	stop.LocationID = loc.ID
	stop.Address = loc.Address
	if req.Address != nil {
		stop.Address = req.Address.folded()
	}
	stop.Position = d.position(stop, loc)
	if stop.Name == "" {
		stop.Name = loc.Name
	}
	if stop.EstimatedTimeOnLocation == nil {
		stop.EstimatedTimeOnLocation = loc.EstimatedTimeOnLocation
	}
	return loc
}

// judgeStopTexts checks the rest of a stop. The contract has no specific
// codes for these problems.
func judgeStopTexts(req *LocationRequest, field string, r *reasons) {
	for _, text := range []struct{ field, value string }{
		{"instructions", req.Instructions},
		{"customerInstructions", req.CustomerInstructions},
		{"parkingInstructions", req.ParkingInstructions},
	} {
		if tooLong(text.value, maxText) {
			r.add(UnknownInvalidInput, field+"."+text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxText)))
		}
	}
	for i, c := range req.Contacts {
		for _, text := range []string{c.FirstName, c.LastName, c.PhoneNumber, c.EmailAddress} {
			if tooLong(text, maxName) {
				r.add(UnknownInvalidInput, fmt.Sprintf("%s.contacts[%d]", field, i),
					fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
			}
		}
	}
	if len(req.Contacts) > maxContacts {
		r.add(UnknownInvalidInput, field+".contacts", fault.Say("field.too_many", "max", fmt.Sprint(maxContacts)))
	}
	if t := req.EstimatedTimeOnLocation; t != nil && (*t < 0 || *t > 24*60) {
		r.add(UnknownInvalidInput, field+".estimatedTimeOnLocation", fault.Say("stop.bad_service_time"))
	}
	if req.priority() == "" {
		r.add(UnknownInvalidInput, field+".priority", fault.Say("request.not_one_of", "allowed",
			fmt.Sprintf("%s, %s, %s, %s, %s", PriorityUnspecified, PriorityLow, PriorityNormal, PriorityHigh, PriorityCritical)))
	}
}

// maxContacts is the most contacts one stop may have.
const maxContacts = 100

// priority returns the stop's priority, normal by default, and empty when it
// is invalid.
func (r *LocationRequest) priority() LocationPriority {
	switch r.Priority {
	case "", PriorityUnspecified:
		return PriorityNormal
	case PriorityLow, PriorityNormal, PriorityHigh, PriorityCritical:
		return r.Priority
	}
	return ""
}

// judgeSkills resolves skills; under names the field that contains them.
func (d *decider) judgeSkills(skills []SkillRequest, code Code, under string, r *reasons) map[int64]SkillType {
	if len(skills) == 0 {
		return nil
	}
	out := make(map[int64]SkillType, len(skills))
	for i, s := range skills {
		field := fmt.Sprintf("%s.skills[%d]", under, i)
		id, known := d.snapshot.index.skillsByName[fold(s.Name)]
		if s.ID != nil {
			id, known = d.snapshot.index.skillsByID[*s.ID]
		}
		typ := s.Type
		if typ == "" {
			typ = SkillRequired
		}
		before, twice := out[id]
		switch {
		case !known:
			r.add(code, field, notFound("skill", s.ref()))
		case typ != SkillRequired && typ != SkillProhibited:
			r.add(code, field+".type", fault.Say("request.not_one_of", "allowed", "REQUIRED, PROHIBITED"))
		case twice && before != typ:
			r.add(code, field, fault.Say("skill.contradiction", "name", fault.Clip(s.ref().label())))
		default:
			out[id] = typ
		}
	}
	return out
}

func (s SkillRequest) ref() *Ref { return &Ref{ID: s.ID, Name: s.Name} }
