package tracking

import (
	"math"
	"time"

	"waybill/api/contract"
	"waybill/domain/recipient"
	"waybill/domain/road"
	"waybill/store"
)

// sight is a stop as the page and its JSON show it at a moment.
type sight struct {
	stop *store.TrackedStop
	now  time.Time // in the organization's time zone
	// expected is when service will begin, zero if unknown or once the driver is there.
	expected recipient.Range
	// promised is the first range that the recipient was told; zero if expected is.
	promised recipient.Range
}

func see(stop *store.TrackedStop, now time.Time) *sight {
	s := &sight{stop: stop, now: now.In(stop.Earliest.Location())}
	if !isExpected(stop) {
		return s
	}
	s.expected = recipient.Expected(stop.ETA, stop.Earliest, stop.Lead(s.now), stop.Before >= 0)
	if s.stop.Promised.IsZero() {
		s.promised = s.expected
	} else {
		s.promised = s.stop.Promised
	}
	return s
}

// isExpected reports whether the driver is still to arrive at the stop, as far
// as is known.
func isExpected(stop *store.TrackedStop) bool {
	return !stop.ETA.IsZero() && moodOf(stop) == "open" && !stop.IsThere && stop.Status != finalStatus(stop.Stop)-1
}

// showsDriver reports whether the driver's position may be shown: once this is the
// next stop, until the driver is there.
func (s *sight) showsDriver() bool {
	return s.stop.Driver != nil && s.stop.Before == 0 && !s.expected.IsZero()
}

// told is all that the page shows, for programs.
func (s *sight) told() contract.TrackedStop {
	stop := s.stop
	told := contract.TrackedStop{
		Organization: contract.TrackedOrganization{
			Name: stop.Organization, Logo: stop.Page.Logo != "", Color: textOrNil(stop.Page.Color),
			Phone: textOrNil(stop.Page.Phone), Email: textOrNil(stop.Page.Email), Website: textOrNil(stop.Page.Website),
		},
		ExternalID: stop.Number, Stop: contract.TrackedStopStop(stop.Stop),
		Status: contract.OrderStatusName(stop.Status.String()), Name: stop.Name, Town: stop.Town,
		Earliest: stop.Earliest.UTC(), Latest: stop.Latest.UTC(), TimeZone: stop.Earliest.Location().String(),
		AsOf:      s.now.UTC(),
		ArrivedAt: momentOrNil(stop.Arrived), EndedAt: momentOrNil(stop.Ended),
	}
	if !s.expected.IsZero() {
		told.Eta = momentOrNil(stop.ETA)
		told.EtaFrom, told.EtaTo = momentOrNil(s.expected.From), momentOrNil(s.expected.To)
		told.PromisedFrom, told.PromisedTo = momentOrNil(s.promised.From), momentOrNil(s.promised.To)
		if stop.Before >= 0 {
			told.StopsBefore = &stop.Before
		}
	}
	if s.showsDriver() {
		told.DistanceMeters = new(int64(math.Round(stop.Distance)))
		told.Driver = &contract.TrackedDriver{
			Latitude: stop.Driver.Latitude, Longitude: stop.Driver.Longitude, At: stop.Driver.At.UTC(),
		}
		told.Way = pointsOf(stop.Way)
	}
	s.tellEnd(&told)
	s.tellActions(&told)
	return told
}

// tellEnd adds how the stop ended.
func (s *sight) tellEnd(told *contract.TrackedStop) {
	stop := s.stop
	if stop.Handover.Type != "" {
		told.Handover = &contract.TrackedHandover{
			Type:       contract.TrackedHandoverType(stop.Handover.Type),
			ReceivedBy: stop.Handover.ReceivedBy, Place: stop.Handover.Place,
		}
	}
	if stop.Failure != "" {
		told.Failure = new(contract.TrackedFailure(stop.Failure))
	}
}

// tellActions adds what the recipient has said, and may do now.
func (s *sight) tellActions(told *contract.TrackedStop) {
	told.Instructions, told.Rating = toldInstructions(s.stop), toldRating(s.stop)
	told.Preferences = toldPreferences(s.stop)
	if able := offers(s); len(able) > 0 {
		names := make([]contract.RecipientAction, len(able))
		for i := range able {
			names[i] = contract.RecipientAction(able[i].name)
		}
		told.Actions = &names
	}
}

func pointsOf(way road.Line) *[]contract.TrackedPoint {
	if !way.Known() {
		return nil
	}
	points := make([]contract.TrackedPoint, 0, len(way.Points()))
	for _, p := range way.Points() {
		points = append(points, contract.TrackedPoint{Latitude: p.Latitude, Longitude: p.Longitude})
	}
	return &points
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func momentOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return new(at.UTC())
}
