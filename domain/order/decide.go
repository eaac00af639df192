package order

import (
	"fmt"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/fault"
)

// Kind is the result for one entry (spec.md, "Import result").
type Kind string

// The kinds of result.
const (
	OrderCreated Kind = "orderCreated"
	DraftCreated Kind = "draftCreated"
	OrderUpdated Kind = "orderUpdated"
	OrderMerged  Kind = "orderMerged"
	FailedUpdate Kind = "failedUpdate"
)

// Result is the result for one entry. Order is set for created, updated and
// merged ones, Draft for drafts, Reasons for drafts and failed updates.
type Result struct {
	Kind       Kind
	ExternalID string
	Order      *Order
	Draft      *Draft
	Reasons    []Reason
	// Status is the order's status, or Cancelled when the number's share of it
	// is cancelled; 0 without an order.
	Status Status
	// NotApplied lists parts of the entry that had no effect, with reasons, and
	// warnings about probable mistakes.
	NotApplied []Reason
}

// Unstorable returns the result of an entry that contains something that the
// database cannot store, although it passed validation.
func Unstorable(req *Request) Result {
	return Result{
		Kind: FailedUpdate, ExternalID: req.ExternalID,
		Reasons: []Reason{{Code: UnknownInvalidInput, Text: fault.Say("entry.unstorable")}},
	}
}

// Plan is all that a chunk changes: one result per entry, in the entries'
// order, and the final state of everything that was touched.
type Plan struct {
	Results []Result
	Orders  []*Order
	Drafts  []*Draft
	Numbers []NumberChange
	Events  []Event
	// Receipt is the position of the plan in the order of receipt: that of its import,
	// or 0 for a change received now.
	Receipt int64
	// Silent marks a plan that nobody requested, so it overtakes no import.
	Silent bool
}

// NumberChange makes a number lead to an order.
type NumberChange struct {
	Number    string
	Order     *Order
	Cancelled bool
}

// Decide processes entries one after the other, as if each were imported
// separately: an entry sees the effects of those before it. It changes the
// orders and drafts of the snapshot, which must be prepared and must contain
// every location from NewLocations.
func Decide(s *Snapshot, defaults Defaults, entries []Request) Plan {
	d := newDecider(s, defaults)
	d.plan.Receipt = s.Receipt
	d.plan.Results = make([]Result, 0, len(entries))
	for i := range entries {
		d.plan.Results = append(d.plan.Results, d.entry(&entries[i]))
	}
	return d.plan
}

func newDecider(s *Snapshot, defaults Defaults) *decider {
	d := &decider{
		snapshot: s, defaults: defaults, settings: defaults.UpdateConfig,
		mergeable: map[MergeKey][]*Order{}, born: map[*Order]int{},
		touched: map[*Order]bool{}, drafted: map[*Draft]bool{},
	}
	if d.settings.MayMerge(s.AllowMerge) {
		for _, o := range s.Orders {
			d.offerForMerge(o)
		}
	}
	return d
}

// MayMerge reports whether new orders may be merged into others.
func (s UpdateSettings) MayMerge(organizationDefault bool) bool {
	if s.AllowMerge != nil {
		return *s.AllowMerge
	}
	return organizationDefault
}

type decider struct {
	snapshot  *Snapshot
	defaults  Defaults
	settings  UpdateSettings
	mergeable map[MergeKey][]*Order
	born      map[*Order]int // the new orders, counted from 1
	newOrders map[string]*Order
	touched   map[*Order]bool
	drafted   map[*Draft]bool
	// left are the orders that numbers have parted with.
	left map[string]*Order
	// completing is the draft that the one entry completes, if any.
	completing *Draft
	// outspoken reports every reason, for a caller who can correct them at
	// once.
	outspoken bool
	plan      Plan
}

// everything is judged when an entry is to become an order.
var everything = parts{header: true, stops: true, products: true, groups: true, prices: true}

func (d *decider) entry(req *Request) Result {
	if o := d.known(req.ExternalID); o != nil {
		if d.overtaken(req.ExternalID) {
			return d.leftAlone(o, req.ExternalID)
		}
		return d.update(o, req)
	}
	j := d.judge(req, everything, d.own(req))
	if problem, ok := externalIDProblem(req.ExternalID); !ok {
		j.reasons.add(UnknownInvalidInput, "externalId", problem)
	}
	if j.reasons.any() {
		return d.draft(req, j.reasons.sorted())
	}
	o := j.order(req.ExternalID)
	// Values set by the rules for new orders count for merging, too.
	failed := d.snapshot.transform(o, TriggerCreated)
	if d.calledOff(req.ExternalID) {
		return d.createCancelled(o, failed, j.notes)
	}
	r := d.settle(o, failed)
	r.NotApplied = j.notes
	return r
}

// UsableNumber reports whether a number can be kept as an order's.
func UsableNumber(number string) bool {
	_, ok := externalIDProblem(number)
	return ok
}

func externalIDProblem(id string) (fault.Text, bool) {
	switch {
	case id == "":
		return fault.Say("external_id.missing"), false
	case tooLong(id, maxName):
		return fault.Say("field.too_long", "max", fmt.Sprint(maxName)), false
	}
	return fault.Text{}, true
}

// known returns the order of a number.
func (d *decider) known(number string) *Order {
	if o := d.newOrders[number]; o != nil {
		return o
	}
	if n, ok := d.snapshot.Numbers[number]; ok && n.OrderID != 0 {
		return d.snapshot.index.ordersByID[n.OrderID]
	}
	return nil
}

// basis is the day and type that determine the stops' windows.
type basis struct {
	day time.Time
	ok  bool
	typ *OrderType
}

// own is the entry's own basis.
func (d *decider) own(req *Request) basis {
	day, ok := ParseDay(req.Date)
	return basis{day: day, ok: ok, typ: d.snapshot.orderType(orBetter(req.OrderType, d.defaults.FallbackOrderType))}
}

// order turns a valid entry into an order.
func (j *judged) order(number string) *Order {
	return &Order{
		Number: number, Status: Registered, Header: j.header, Asks: j.asks, Pickup: *j.pickup, Delivery: *j.delivery,
		Products: j.products, Groups: j.groups, Prices: j.prices, CustomFields: j.customFields,
	}
}

func (d *decider) create(o *Order, failed []string) Result {
	o.Changes = Changes{
		New: true, Header: true, Pickup: true, Delivery: true,
		Products: len(o.Products) > 0, Groups: len(o.Groups) > 0, Prices: len(o.Prices) > 0, Fields: len(o.CustomFields) > 0,
	}
	d.born[o] = len(d.born) + 1
	d.touch(o)
	d.lead(o.Number, o)
	d.promote(o.Number, o)
	d.offerForMerge(o)
	d.plan.Events = append(d.plan.Events, Event{
		Kind: event.OrderCreated, Number: o.Number, Order: o, Status: o.Status,
		Added: append([]*Product{}, o.Products...), Left: d.left[o.Number],
	})
	d.tellFailed(o, o.Number, failed)
	return Result{Kind: OrderCreated, ExternalID: o.Number, Order: o, Status: o.Status}
}

// lead makes a number lead to an order.
func (d *decider) lead(number string, o *Order) {
	if d.newOrders == nil {
		d.newOrders = map[string]*Order{}
	}
	_, again := d.newOrders[number]
	d.newOrders[number] = o
	if again {
		d.plan.Numbers = slices.DeleteFunc(d.plan.Numbers, func(n NumberChange) bool { return n.Number == number })
	}
	d.plan.Numbers = append(d.plan.Numbers, NumberChange{Number: number, Order: o})
}

// promote ends the draft of a number that has become an order.
func (d *decider) promote(number string, o *Order) {
	if draft := d.snapshot.index.drafts[number]; draft != nil {
		draft.Promoted = o
		d.touchDraft(draft)
		d.plan.Events = append(d.plan.Events, Event{Kind: event.DraftPromoted, Number: number, Order: o, Draft: draft})
	}
}

func (d *decider) draft(req *Request, why []Reason) Result {
	draft := d.snapshot.index.drafts[req.ExternalID]
	if d.completing != nil {
		draft = d.completing
	} else if draft == nil || req.ExternalID == "" {
		draft = &Draft{ExternalID: req.ExternalID}
		if tooLong(draft.ExternalID, maxName) {
			draft.ExternalID = ""
		}
		if draft.ExternalID != "" {
			d.snapshot.index.drafts[draft.ExternalID] = draft
		}
	}
	if d.draftOvertaken(draft) {
		return Result{
			Kind: DraftCreated, ExternalID: req.ExternalID, Draft: draft, Reasons: why,
			NotApplied: []Reason{{Code: Overtaken, Text: fault.Say("import.overtaken")}},
		}
	}
	kind := event.DraftUpdated
	if draft.ID == 0 && !d.drafted[draft] {
		kind = event.DraftCreated
	}
	draft.Request, draft.Reasons = *req, why
	d.touchDraft(draft)
	d.plan.Events = append(d.plan.Events, Event{Kind: kind, Number: draft.ExternalID, Draft: draft})
	return Result{Kind: DraftCreated, ExternalID: req.ExternalID, Draft: draft, Reasons: why}
}

// touch adds an order, once, to the orders to write.
func (d *decider) touch(o *Order) {
	if !d.touched[o] {
		d.touched[o] = true
		d.plan.Orders = append(d.plan.Orders, o)
	}
}

func (d *decider) touchDraft(draft *Draft) {
	if !d.drafted[draft] {
		d.drafted[draft] = true
		d.plan.Drafts = append(d.plan.Drafts, draft)
	}
}
