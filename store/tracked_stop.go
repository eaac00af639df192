package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"waybill/domain/booking"
	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/domain/road"
	"waybill/store/queries"
)

// TrackedStop is what the holder of a link may see of its stop. Times are in the
// organization's time zone.
type TrackedStop struct {
	OrgID, OrderID int64
	// Sandbox is true for days that a simulator drives by a clock of its own.
	Sandbox bool
	// Promised is what the recipient was told first; zero if nothing.
	Promised     recipient.Range
	Stop         order.StopKind
	Organization string
	Page         recipient.Page
	// Language is the organization's.
	Language string
	// Number is that of the order by which the link was asked for, empty if it is
	// unknown.
	Number           string
	Name, Town       string
	Earliest, Latest time.Time
	Status           order.Status
	// ETA is when service will begin, or zero if unknown. Before is the number
	// of stops before it on the driver's route, or -1 if the driver is not
	// under way.
	ETA    time.Time
	Before int
	// Arrived is when the driver arrived, and Ended when the stop was over; both
	// may be zero. IsThere is true while the driver is at the stop.
	Arrived, Ended time.Time
	IsThere        bool
	// Handover says how the goods were handed over, of a delivery that has a proof.
	Handover Handover
	// Suspended is true while the organization is, and Erased once the order has no personal data any more.
	Suspended, Erased bool
	// Instructions are what the recipient asks of the driver, and Instructed is how often it was said.
	Instructions recipient.Instructions
	Instructed   int
	// Rating is what the recipient thinks of the delivery, 0 stars before they say it, and Rated is how often they did.
	Rating recipient.Rating
	Rated  int
	// Preferences are how the recipient wants to hear of the delivery, and Preferred is how often it was said.
	Preferences recipient.Preferences
	Preferred   int
	// Failure is why the stop failed, empty if it did not.
	Failure recipient.Failure
	// Driver is where the driver is, nil unless this is the next stop and the
	// position may be shown. Distance is from there to the stop, in meters.
	Driver   *DriverPosition
	Distance float64
	// Way is the rest of the planned way along streets from there, if the driver
	// follows it. It shows nothing of where the driver was before.
	Way road.Line
}

// Handover is how goods were handed over.
type Handover struct {
	// Type is IN_PERSON or CONTACTLESS; empty without a proof.
	Type string
	// ReceivedBy is who received them, and Place where they were left.
	ReceivedBy, Place string
}

// DriverPosition is where a driver was at a moment.
type DriverPosition struct {
	road.Point

	At time.Time
}

// RecipientPageText is how the page for recipients is stored; it is empty without
// anything.
func RecipientPageText(p *recipient.Page) string {
	if p == nil || *p == (recipient.Page{}) {
		return ""
	}
	text, err := json.Marshal(p)
	if err != nil { // it contains only strings
		panic(err)
	}
	return string(text)
}

// RecipientPage reads how the organization shows itself to recipients.
func (t *Tx) RecipientPage(ctx context.Context) (page recipient.Page, err error) {
	text, err := t.q.RecipientPage(ctx, t.org)
	if err != nil {
		return page, translate(err)
	}
	return page, json.Unmarshal(text, &page)
}

// simulatedLead is how far ahead an ETA of a simulated day counts as being: by the clock of that day it is still to
// come.
const simulatedLead = 30 * time.Minute

// Lead is the moment at which a stop is seen: now, or for a simulated day whose ETA is in the past a moment before it.
func (s *TrackedStop) Lead(now time.Time) time.Time {
	if s.Sandbox && !s.ETA.IsZero() && s.ETA.Before(now) {
		return s.ETA.Add(-simulatedLead)
	}
	return now
}

// Moment is the state of the stop that decides what its recipient may do.
func (s *TrackedStop) Moment(now time.Time) recipient.Moment {
	m := recipient.Moment{
		Now: s.Lead(now), Delivery: s.Stop == order.Delivery, Over: s.Status.Over() || s.Status == order.Cancelled,
		There: s.IsThere, Next: s.Before == 0, Expected: s.ETA, Closed: s.Suspended || s.Erased,
		Delivered: s.Status == order.Delivered, Ended: s.Ended, Settled: !booking.Bookable(s.Status),
	}
	if m.Expected.IsZero() {
		m.Expected = s.Earliest
	}
	return m
}

// LockTrackedStop finds the stop of a link of the organization, and has others who change its order wait until the
// end of the transaction.
func (t *Tx) LockTrackedStop(ctx context.Context, code string) (TrackedStop, error) {
	locked, err := t.q.LockLinkedOrder(ctx, queries.LockLinkedOrderParams{OrgID: t.org, Code: code})
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	if locked == 0 {
		return TrackedStop{}, ErrNotFound
	}
	return t.TrackedStop(ctx, code)
}

// TrackedStop reads the stop of a link of the organization.
func (t *Tx) TrackedStop(ctx context.Context, code string) (TrackedStop, error) {
	r, err := t.q.TrackedStop(ctx, queries.TrackedStopParams{OrgID: t.org, Code: code})
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	return trackedStop(&r)
}

// TrackedStop finds the stop of a link, whosever it is. A link that is revoked
// or has expired is absent.
func (s *Store) TrackedStop(ctx context.Context, code string) (TrackedStop, error) {
	org, err := s.finds().FindTrackingLink(ctx, code)
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	if org == 0 {
		return TrackedStop{}, ErrNotFound
	}
	r, err := s.lookups(org).TrackedStop(ctx, queries.TrackedStopParams{OrgID: org, Code: code})
	if err != nil {
		return TrackedStop{}, translate(err)
	}
	return trackedStop(&r)
}

func trackedStop(r *queries.TrackedStopRow) (TrackedStop, error) {
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		return TrackedStop{}, fmt.Errorf("zone of organization: %w", err)
	}
	in := func(at time.Time) time.Time {
		if at.IsZero() {
			return time.Time{}
		}
		return at.In(zone)
	}
	kind := order.StopKind(r.Kind)
	stop := TrackedStop{
		OrgID: r.OrgID, OrderID: r.OrderID, Sandbox: r.Sandbox,
		Stop: kind, Organization: r.Organization, Language: r.Language, Number: r.Number, Name: r.Name, Town: r.City,
		Earliest: r.Earliest.In(zone), Latest: r.Latest.In(zone), Status: order.Status(r.StatusID).At(kind),
		Before: int(r.Ahead), Arrived: in(r.Arrived), Ended: in(r.Ended), IsThere: r.IsThere,
		Suspended: r.Suspended, Erased: r.Erased, Instructed: int(r.Instructed), Rated: int(r.Rated),
		Preferred: int(r.Preferred),
	}
	stop.ended(r)
	stop.said(r)
	if r.PromisedFrom != nil {
		stop.Promised = recipient.Range{From: in(*r.PromisedFrom), To: in(*r.PromisedTo)}
	}
	if eta := cmp.Or(r.Eta, r.Planned); eta != nil {
		stop.ETA = in(*eta)
	}
	if err := json.Unmarshal(r.Page, &stop.Page); err != nil {
		return TrackedStop{}, fmt.Errorf("page for recipients: %w", err)
	}
	if r.DriverAt != nil {
		stop.Driver = &DriverPosition{
			Point: road.Point{Latitude: r.DriverLatitude, Longitude: r.DriverLongitude}, At: in(*r.DriverAt),
		}
		stop.Distance = driving.Distance(r.DriverLatitude, r.DriverLongitude, r.Latitude, r.Longitude)
		stop.Way = wayLeft(r.Polyline, stop.Driver.Point)
	}
	return stop, nil
}

// ended adds how the stop ended.
func (s *TrackedStop) ended(r *queries.TrackedStopRow) {
	if s.Status == order.Failed {
		s.Failure = recipient.FailureOf(r.Failure)
	}
	if s.Status == order.Delivered {
		s.Handover = Handover{Type: r.Handover, ReceivedBy: unerased(r.Signee), Place: unerased(r.Place)}
	}
}

// said adds what the recipient has said.
func (s *TrackedStop) said(r *queries.TrackedStopRow) {
	s.Instructions = recipient.Instructions{
		Text: unerased(r.Instructions), SafePlace: r.SafePlace, Note: unerased(r.SafePlaceNote),
		DoorCode: unerased(r.DoorCode), Absent: r.Absent,
	}
	s.Rating = recipient.Rating{Stars: int(r.Stars), Comment: unerased(r.RatingComment)}
	s.Preferences = recipient.Preferences{Language: r.MessageLanguage, Unwanted: r.Unwanted}
}

// unerased is a text, or empty if it was erased.
func unerased(text string) string {
	if strings.Contains(text, "[erased]") {
		return ""
	}
	return text
}

// followsWay is how far from the planned way a driver may be who follows it, in
// meters.
const followsWay = 150

// wayLeft returns the rest of a planned way from a driver on.
func wayLeft(polyline string, driver road.Point) road.Line {
	way := wayOf(polyline)
	along, away := way.Project(driver)
	if !(away <= followsWay) {
		return road.Line{}
	}
	return way.After(along)
}
