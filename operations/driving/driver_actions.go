package driving

import (
	"context"
	"fmt"
	"math"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/proof"
	"waybill/store"
)

// Act takes what a driver did, one action after the other, each in a transaction
// of its own, and returns the answer to each. What a driver did is never refused
// because something changed in the office: it counts, or is recorded with why it
// does not. The same action sent again gets the answer that it got first. When the
// driver gets to the stops ahead of him is worked out after that.
func (o *Operations) Act(
	ctx context.Context, c caller.Caller, actions []driving.DriverAction,
) ([]driving.ActionAnswer, error) {
	answers, news := make([]driving.ActionAnswer, len(actions)), false
	for i := range actions {
		a := &actions[i]
		a.Received = o.now().UTC().Truncate(time.Microsecond)
		var err error
		answers[i], err = o.store.Act(ctx, c, a, func(of *driving.Driven) driving.ActionResult {
			r := judge(a, of)
			r.Fact = factOf(a, of, &r)
			r.Conflict, _ = r.Effect.Conflict(r.Fact, &r.Advance.After)
			if r.Conflict == "" && len(r.Advance.Overtaken(of.Facts)) > 0 {
				r.Conflict = driving.Overridden
			}
			return r
		})
		if err != nil {
			return nil, fmt.Errorf("act: %w", err)
		}
		o.placed(ctx, c, a, &answers[i])
		news = news || a.Deed.Moves() && answers[i].Answer == driving.Applied || a.Position != nil
	}
	if news {
		if err := o.renewSoon(ctx, c, actions[0].DriverID); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// placed has an action teach where the address of its stop is. The action still counts if
// that fails: the next one at the address teaches it.
func (o *Operations) placed(ctx context.Context, c caller.Caller, a *driving.DriverAction, as *driving.ActionAnswer) {
	if as.Answer == driving.Rejected || as.Repeated {
		return
	}
	var err error
	switch {
	case a.Deed == driving.ReportWrongPin:
		err = o.places.AcceptReported(ctx, c, a.StopID)
	case a.Deed == driving.Arrive && a.Position != nil && as.Answer == driving.Applied:
		err = o.places.Learn(ctx, c, a.StopID)
	}
	if err != nil {
		o.log.WarnContext(ctx, "an action taught nothing about its address", "action", a.ID, "error", err)
	}
}

// judge decides what comes of an action.
func judge(a *driving.DriverAction, of *driving.Driven) driving.ActionResult {
	r := driving.ActionResult{Skew: driving.Skew(of.Skew, a.Sent, a.Received), Distance: math.NaN()}
	since := a.Received.Add(-longestDelay)
	if of.Had && of.CreatedAt.After(since) {
		since = of.CreatedAt
	}
	r.Happened = driving.Happened(a.Clock, r.Skew, a.Received, since)
	switch {
	case !a.Deed.OfStop():
		return r
	case !of.Had:
		r.Effect = driving.UnknownStop
		return r
	case !a.Deed.Belongs(of.Kind):
		r.Effect = driving.WrongStop
		return r
	case !driving.Known(a.Exchanged, of.Carriers):
		r.Effect = driving.UnknownCarrier
		return r
	}
	if a.Position != nil && of.Point != nil {
		r.Distance = driving.Distance(a.Position.Latitude, a.Position.Longitude, of.Point[0], of.Point[1])
	}
	if a.Deed.Counts() {
		complete(a, of)
		r.Advance = of.With(&of.Order, factOf(a, of, &r))
		r.Effect = r.Advance.Effect
	}
	if r.Effect == driving.Moved && a.DeviceID != 0 && unproved(a, of, r.Happened) {
		r.Effect, r.Advance = driving.ProofMissing, driving.Advance{}
	}
	return r
}

// complete has an action say of all goods what follows from what it says of some.
func complete(a *driving.DriverAction, of *driving.Driven) {
	missing := of.Standing().Missing
	switch a.Deed { //nolint:exhaustive // others say nothing of goods
	case driving.Deliver:
		a.Products, a.Nothing = of.Goods.Delivered(a.Products, missing)
	case driving.ReportMissing:
		a.Products, a.Nothing = of.Goods.Missing(a.Products, missing)
	}
}

// unproved reports whether an action lacks something that was required as proof when
// it happened. What is required only since then cannot have been brought.
func unproved(a *driving.DriverAction, of *driving.Driven, happened time.Time) bool {
	asked, since := of.Asked.InPerson, of.Asked.Since.InPerson
	brought := proof.Brought{Comment: a.Comment != "", Scan: len(of.Scans) > 0}
	switch {
	case a.Deed == driving.Fail:
		asked, since = of.Asked.Failure, of.Asked.Since.Failure
		brought.Photo = len(a.Pictures) > 0
	case a.Deed != driving.Deliver:
		return false
	case a.Proof != nil:
		if a.Proof.Contactless {
			asked, since = of.Asked.Contactless, of.Asked.Since.Contactless
		}
		brought.Name, brought.Signature = a.Proof.Signee != "", a.Proof.Signature != ""
		brought.Photo, brought.Comment = len(a.Proof.Pictures) > 0, brought.Comment || a.Proof.Comment != ""
	}
	return since != nil && !happened.Before(*since) && len(asked.Lacks(brought)) > 0
}

// factOf is what an action says of its order.
func factOf(a *driving.DriverAction, of *driving.Driven, r *driving.ActionResult) driving.Fact {
	return driving.Fact{
		ID: a.ID, Deed: a.Deed, At: r.Happened, Clock: a.Clock, DriverID: a.DriverID, Stop: of.Kind, Undoes: a.Undoes,
		Reason: a.Reason, Products: a.Products, Nothing: a.Nothing,
	}
}

// longestDelay is how long ago something may have happened that a telephone tells
// now.
const longestDelay = 31 * 24 * time.Hour

// SetDuty says whether a driver is on duty, and returns since when.
func (o *Operations) SetDuty(
	ctx context.Context, c caller.Caller, driverID int64, on bool,
) (duty store.Duty, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, err := t.LoadDuty(ctx, driverID)
		if err != nil {
			return err
		}
		if duty, err = t.SaveDuty(ctx, driverID, on, o.now()); err != nil || before.On == on {
			return err
		}
		return t.Append(ctx, event.Driver{ID: driverID}.Duty(on))
	})
	return duty, err
}

// RecordPositions keeps where a driver was, as long as he is on duty, and what comes
// late of a route that he has ended. It returns how many were kept. Positions are too
// many for the log: they change nothing by themselves. Late ones of legs that were
// driven before have these matched again.
func (o *Operations) RecordPositions(
	ctx context.Context, c caller.Caller, driverID int64, positions []driving.Position,
) (kept int, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		duty, err := t.LoadDuty(ctx, driverID)
		if err != nil {
			return err
		}
		now := o.now()
		for i := range positions {
			positions[i].At = driving.Happened(positions[i].At, duty.Skew, now, now.Add(-longestDelay))
		}
		kept, err = t.SavePositions(ctx, driverID, duty.On, positions, now)
		return err
	})
	if err == nil && kept > 0 {
		err = o.renewSoon(ctx, c, driverID)
	}
	return kept, err
}

// AdmitPicture refuses a picture of a driver that sent as many, or as many bytes, within
// a day as are taken.
func (o *Operations) AdmitPicture(ctx context.Context, c caller.Caller, driverID, size int64) error {
	day := 24 * time.Hour
	sent, err := o.store.PicturesSince(ctx, c.OrgID, driverID, o.now().Add(-day))
	if err != nil {
		return fmt.Errorf("count pictures: %w", err)
	}
	if sent.Count >= driving.MostPicturesADay || sent.Bytes+size > driving.MostPictureBytesADay {
		return &fault.Error{Kind: fault.RateLimited, Text: fault.Say("driven.pictures_of_a_day")}
	}
	return nil
}

// KeepPicture notes that the bytes of a picture lie in the storage. Those that
// came before stay.
func (o *Operations) KeepPicture(ctx context.Context, c caller.Caller, p *store.Picture) (first bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if first, err = t.SavePicture(ctx, p); err != nil || !first {
			return err
		}
		return t.Append(ctx, event.Driver{ID: p.DriverID}.Picture(p.SHA256, p.Size))
	})
	return first, err
}
