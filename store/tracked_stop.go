package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

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
	}
	if r.PromisedFrom != nil {
		stop.Promised = recipient.Range{From: in(*r.PromisedFrom), To: in(*r.PromisedTo)}
	}
	if eta := cmp.Or(r.Eta, r.Planned); eta != nil {
		stop.ETA = in(*eta)
	}
	if err := json.Unmarshal(r.Page, &stop.Page); err != nil {
		return TrackedStop{}, fmt.Errorf("page for recipients: %w", err)
	}
	if stop.Status == order.Failed {
		stop.Failure = recipient.FailureOf(r.Failure)
	}
	if stop.Status == order.Delivered {
		stop.Handover = Handover{Type: r.Handover, ReceivedBy: unerased(r.Signee), Place: unerased(r.Place)}
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
