package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Act stores a driver's action and its effects, in a transaction of two round
// trips. A repeated action gets its first answer.
func (s *Store) Act(
	ctx context.Context, by caller.Caller, a *driving.DriverAction, decide func(*driving.Driven) driving.ActionResult,
) (answer driving.ActionAnswer, err error) {
	for range maxAttempts {
		err = s.inShortTx(ctx, by, func(t *shortTx) error {
			answer, err = s.act(ctx, t, by, a, decide)
			return err
		})
		if !breaks(err, "driver_actions_pkey") {
			break // else the same came in at the same moment, and has its answer now
		}
	}
	if errors.Is(err, errAnswered) {
		err = nil
	}
	return answer, err
}

// errAnswered ends the transaction of an action that has its answer.
var errAnswered = errors.New("the action was answered before")

func (s *Store) act(
	ctx context.Context, t *shortTx, by caller.Caller, a *driving.DriverAction,
	decide func(*driving.Driven) driving.ActionResult,
) (driving.ActionAnswer, error) {
	row, err := t.first().LockAction(ctx, queries.LockActionParams{
		OrgID: by.OrgID, ID: a.ID, DriverID: a.DriverID, StopID: a.StopID, Carriers: carriersOf(a.Exchanged),
		WithGoods: a.Deed == driving.Deliver || a.Deed == driving.ReportMissing,
	})
	if err != nil {
		return driving.ActionAnswer{}, err
	}
	of, err := newDriven(&row)
	if err != nil {
		return driving.ActionAnswer{}, err
	}
	answer := driving.ActionAnswer{Answer: driving.Answer(row.Outcome), Why: driving.Effect(row.OutcomeReason)}
	if of.Had {
		answer.OrderID, answer.Status = of.ID, of.Status
	}
	switch row.AnsweredTo {
	case 0:
	case a.DriverID:
		answer.Repeated = true
		return answer, errAnswered
	default:
		answer.Answer, answer.Why = driving.Rejected, driving.IDTaken
		return answer, errAnswered
	}
	r := decide(of)
	answer.Answer, answer.Why = r.Effect.Answer(), r.Effect
	if r.Advance.Changes() {
		answer.Status = r.Advance.After.Status
	}
	p := &pipeline{}
	w := driven{org: by.OrgID, q: queries.New(p), action: a, of: of, r: &r, answer: answer}
	if err := w.write(ctx); err != nil {
		return answer, err
	}
	return answer, t.finish(ctx, p)
}

func newDriven(row *queries.LockActionRow) (*driving.Driven, error) {
	of := &driving.Driven{
		Order: order.Order{ID: row.OrderID, Number: row.Number, Status: order.Status(row.StatusID)},
		Kind:  order.StopKind(row.Kind), Had: row.Had, CreatedAt: row.CreatedAt,
		Skew: time.Duration(row.SkewMs) * time.Millisecond,
	}
	if !math.IsNaN(row.Latitude) && !math.IsNaN(row.Longitude) {
		of.Point = &[2]float64{row.Latitude, row.Longitude}
	}
	facts, err := readFacts(row.Facts)
	of.History = newHistory(row.Begun, row.GivenTo, row.DriverID, facts)
	of.Scans = scansAt(of.Kind, facts)
	if err == nil {
		of.Asked, err = readAsked(row.Asked)
	}
	if err == nil {
		err = json.Unmarshal(row.CarrierNames, &of.Carriers)
	}
	if err == nil {
		err = json.Unmarshal(row.Goods, &of.Goods)
	}
	return of, err
}

// driven writes an action and its effects.
type driven struct {
	org    int64
	q      *queries.Queries
	action *driving.DriverAction
	of     *driving.Driven
	r      *driving.ActionResult
	answer driving.ActionAnswer
}

func (w *driven) write(ctx context.Context) error {
	if err := errors.Join(w.keep(ctx), w.conflict(ctx)); err != nil || w.answer.Answer == driving.Rejected {
		return err
	}
	if err := w.whereabouts(ctx); err != nil {
		return err
	}
	if !w.action.Deed.OfStop() {
		return w.route(ctx)
	}
	return errors.Join(
		w.document(ctx),
		w.prove(ctx),
		w.exchange(ctx),
		w.propose(ctx),
		saveAdvance(ctx, w.q, w.org, &w.of.Order, w.of.History, &w.r.Advance),
		w.override(ctx),
		w.log(ctx),
	)
}

// keep keeps the action itself. A rejected one does not count for the order.
func (w *driven) keep(ctx context.Context) error {
	a := w.action
	data, err := w.data()
	if err != nil {
		return err
	}
	p := queries.KeepActionParams{
		OrgID: w.org, ID: a.ID, DriverID: a.DriverID, DeviceID: a.DeviceID, Type: string(a.Deed), StopID: a.StopID,
		OccurredAt: w.r.Happened, DeviceAt: a.Clock, SentAt: a.Sent, ReceivedAt: a.Received, Undoes: a.Undoes,
		Distance: w.r.Distance, Reason: a.Reason, Comment: a.Comment, Data: data,
		Outcome: string(w.answer.Answer), OutcomeReason: string(w.answer.Why), Nothing: a.Nothing,
	}
	if w.answer.Answer != driving.Rejected {
		p.OrderID = w.of.ID
	}
	p.Latitude, p.Longitude, p.Accuracy = a.Position.OrNowhere()
	return w.q.KeepAction(ctx, p)
}

// conflict raises the exception of a contradictory action.
func (w *driven) conflict(ctx context.Context) error {
	if w.r.Conflict == "" {
		return nil
	}
	p := queries.OpenConflictParams{
		OrgID: w.org, Kind: string(w.r.Conflict), DriverID: w.action.DriverID, At: w.r.Happened, ActionID: w.action.ID,
		ActionType: string(w.action.Deed),
	}
	if w.of.Had {
		p.OrderID, p.Stop = w.of.ID, string(w.of.Kind)
	}
	return w.q.OpenConflict(ctx, p)
}

// data returns the device's further data as JSON, or "".
func (w *driven) data() (string, error) {
	a := w.action
	if len(a.Products) == 0 && len(a.Scans) == 0 && len(a.Pictures) == 0 && len(a.Exchanged) == 0 && a.Proof == nil {
		return "", nil
	}
	data, err := json.Marshal(struct {
		Products []driving.Product `json:"products,omitempty"`
		Scans    []driving.Barcode `json:"scans,omitempty"`
		Proof    *driving.Proof    `json:"proof,omitempty"`
		Pictures []string          `json:"pictures,omitempty"`

		Exchanged []driving.Exchanged `json:"cargoCarriers,omitempty"`
	}{a.Products, a.Scans, a.Proof, a.Pictures, a.Exchanged})
	return string(data), err
}

// whereabouts records the driver's position and the skew of the clock.
func (w *driven) whereabouts(ctx context.Context) error {
	if w.action.Position == nil && w.r.Skew == w.of.Skew {
		return nil
	}
	p := queries.NoteWhereaboutsParams{
		OrgID: w.org, DriverID: w.action.DriverID, At: w.r.Happened, SkewMs: w.r.Skew.Milliseconds(),
	}
	p.Latitude, p.Longitude, p.Accuracy = w.action.Position.OrNowhere()
	return w.q.NoteWhereabouts(ctx, p)
}

// route records the start or end of the driver's route.
func (w *driven) route(ctx context.Context) error {
	begins := w.action.Deed == driving.StartRoute
	kind := event.DriverRouteEnded
	var noted error
	if begins {
		kind = event.DriverRouteStarted
		noted = w.q.StartDriverDay(ctx, queries.StartDriverDayParams{
			OrgID: w.org, DriverID: w.action.DriverID, At: w.r.Happened,
		})
	} else {
		noted = w.q.EndDriverDay(ctx, queries.EndDriverDayParams{
			OrgID: w.org, DriverID: w.action.DriverID, At: w.r.Happened,
		})
	}
	return errors.Join(noted,
		w.q.DutyFromRoute(ctx, queries.DutyFromRouteParams{
			OrgID: w.org, DriverID: w.action.DriverID, OnDuty: begins, At: w.r.Happened,
		}),
		w.q.LogRoute(ctx, queries.LogRouteParams{
			OrgID: w.org, Kind: string(kind), DriverID: w.action.DriverID, OccurredAt: w.r.Happened, Data: w.told(),
		}))
}

// documentedAs are the types of documentation that deeds leave behind.
var documentedAs = map[driving.Deed]string{
	driving.Arrive: "arrival", driving.PickUp: "pickup", driving.Deliver: "delivery", driving.Fail: "failure",
	driving.ReportMissing: "missing", driving.Undo: "undo", driving.Scan: "scan", driving.Note: "note",
	driving.Exchange: "cargo_carriers", driving.ReportWrongPin: "wrong_pin",
}

func (w *driven) document(ctx context.Context) error {
	comment := w.action.Reason + driving.Told(w.action.Exchanged, w.of.Carriers)
	if w.action.Comment != "" {
		if comment != "" {
			comment += ": "
		}
		comment += w.action.Comment
	}
	for i, scan := range w.action.Scans {
		if i > 0 || comment != "" {
			comment += ", "
		}
		comment += scan.Code
	}
	return w.q.DocumentAction(ctx, queries.DocumentActionParams{
		OrgID: w.org, OrderID: w.of.ID, StopID: &w.action.StopID, Type: documentedAs[w.action.Deed], Comment: comment,
		DriverID: &w.action.DriverID, ActionID: w.action.ID, OccurredAt: &w.r.Happened,
	})
}

// propose keeps where the driver says that the address of the stop is.
func (w *driven) propose(ctx context.Context) error {
	pin := w.action.Pin
	if pin == nil {
		return nil
	}
	p := queries.ProposeByDriverParams{OrgID: w.org, DriverID: w.action.DriverID, StopID: w.action.StopID}
	p.Latitude, p.Longitude, p.Accuracy = pin.OrNowhere()
	return w.q.ProposeByDriver(ctx, p)
}

// override notes which earlier actions do not count any more by this one, and which
// count again.
func (w *driven) override(ctx context.Context) error {
	a := &w.r.Advance
	lost, restored := a.Overtaken(w.of.Facts), a.Restored(w.of.Facts)
	if len(lost)+len(restored) == 0 {
		return nil
	}
	return w.q.OverrideActions(ctx, queries.OverrideActionsParams{
		OrgID: w.org, OrderID: w.of.ID, By: w.action.ID,
		Lost: append([]string{}, lost...), Restored: append([]string{}, restored...),
	})
}

// prove keeps the proof of an action; whether it counts is decided with the
// delivery that counts.
func (w *driven) prove(ctx context.Context) error {
	proof := w.action.Proof
	if proof == nil {
		return nil
	}
	p := newProof(w.org, w.of.ID, proof, w.action.Position)
	p.ActionID, p.OccurredAt, p.Distance = w.action.ID, &w.r.Happened, w.r.Distance
	var err error
	if p.Signature, err = hex.DecodeString(proof.Signature); err != nil {
		return fmt.Errorf("hash of a signature: %w", err)
	}
	for _, picture := range proof.Pictures {
		sum, err := hex.DecodeString(picture)
		if err != nil {
			return fmt.Errorf("hash of a picture: %w", err)
		}
		columns.Add(&p.Pictures, sum)
	}
	m := manifest(&p)
	m.Driver, m.Device, m.Stop = w.action.DriverID, w.action.DeviceID, w.action.StopID
	received := moment(w.action.Received)
	m.Received = &received
	if err := keepScans(&p, &m, w.of.Scans); err != nil {
		return fmt.Errorf("scans of a proof: %w", err)
	}
	return addProof(ctx, w.q, &p, &m)
}

// newProof is a proof of an order at a place, which may be nil, without its pictures.
func newProof(org, orderID int64, proof *driving.Proof, at *driving.Position) queries.AddProofParams {
	p := queries.AddProofParams{
		OrgID: org, OrderID: orderID, Type: proofInPerson, Signee: proof.Signee, Comment: proof.Comment,
		Signature: []byte{}, Pictures: [][]byte{},
	}
	p.Latitude, p.Longitude, p.Accuracy = at.OrNowhere()
	if proof.Contactless {
		p.Type = proofContactless
	}
	return p
}

// The types of proofs.
const (
	proofInPerson    = "IN_PERSON"
	proofContactless = "CONTACTLESS"
)

// told returns the event's data besides driver, place and time.
func (w *driven) told() string {
	data := map[string]any{"action": w.action.ID, "type": w.action.Deed}
	if w.answer.Why != "" {
		data["outcome"], data["reason"] = w.answer.Answer, w.answer.Why
	}
	if at := w.action.Position; at != nil {
		data["position"] = map[string]float64{"latitude": at.Latitude, "longitude": at.Longitude}
	}
	text, err := json.Marshal(data)
	if err != nil { // cannot fail for this type
		panic(err)
	}
	return string(text)
}

// log appends the event of the order's change, or else that the driver did
// something.
func (w *driven) log(ctx context.Context) error {
	p := queries.LogDrivenParams{
		OrgID: w.org, OrderID: w.of.ID, Number: w.of.Number, Kind: string(event.OrderActed), DriverID: w.action.DriverID,
		Stop: string(w.of.Kind), OccurredAt: w.r.Happened, Data: w.told(), Refused: []int64{},
		InOrder: w.action.Simulated,
	}
	if e := w.r.Advance.Event; e != nil {
		p.Kind, p.StatusID, p.DriverID, p.OccurredAt = string(e.Kind), int16(e.Status), e.DriverID, e.At
		if e.Status == order.Delivered || e.Status == order.Failed {
			p.Refused = refusedBy(w.r.Advance.After.Products)
		}
	}
	return w.q.LogDriven(ctx, p)
}

// refusedBy are the products of which nothing was delivered.
func refusedBy(products []driving.Product) []int64 {
	refused := []int64{}
	for _, p := range products {
		if p.Refused > 0 && p.Delivered == 0 {
			refused = append(refused, p.ID)
		}
	}
	return refused
}
