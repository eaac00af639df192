package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Save writes a plan: it takes ids for new records, then writes all rows in one
// round trip, with the events of the changes. defaults are kept with drafts, so
// that completing one later uses the same.
func (t *Tx) Save(ctx context.Context, plan order.Plan, defaults order.Defaults) error {
	if err := t.number(ctx, plan); err != nil {
		return fmt.Errorf("reserve ids: %w", err)
	}
	s := newSaver(t)
	s.prepare(&plan, t.fresh)
	s.orders(ctx, plan.Orders)
	s.newNumbers(ctx)
	s.lead(ctx, &plan)
	clear(t.fresh)
	s.drafts(ctx, &plan, defaults)
	s.events(ctx, plan.Events)
	return s.send(ctx)
}

// number assigns ids to all new records in the plan, in one round trip.
func (t *Tx) number(ctx context.Context, plan order.Plan) error {
	orders, products, drafts := unnumbered(plan)
	if len(orders)+len(products)+len(drafts) == 0 {
		return nil
	}
	ids, err := t.q.NewIDs(ctx, queries.NewIDsParams{
		Orders: int32(len(orders)), Stops: int32(2 * len(orders)), Products: int32(len(products)), Drafts: int32(len(drafts)),
	})
	if err != nil {
		return err
	}
	next := func() (id int64) {
		id, ids = ids[0].ID, ids[1:]
		return id
	}
	for _, o := range orders {
		o.ID = next()
	}
	for _, o := range orders {
		o.Pickup.ID, o.Delivery.ID = next(), next()
	}
	for _, p := range products {
		p.ID = next()
	}
	for _, d := range drafts {
		d.ID = next()
	}
	return nil
}

// unnumbered are the new records in a plan; a new order has two new stops.
func unnumbered(plan order.Plan) (orders []*order.Order, products []*order.Product, drafts []*order.Draft) {
	for _, o := range plan.Orders {
		if o.ID == 0 {
			orders = append(orders, o)
		}
		products = append(products, withoutID(o.Products)...)
		for _, e := range o.Shares {
			products = append(products, withoutID(e.Own.Products)...)
		}
	}
	for _, d := range plan.Drafts {
		if d.ID == 0 {
			drafts = append(drafts, d)
		}
	}
	return orders, products, drafts
}

func withoutID(products []*order.Product) []*order.Product {
	var out []*order.Product
	for _, p := range products {
		if p.ID == 0 {
			out = append(out, p)
		}
	}
	return out
}

// saver collects the rows of a plan, table by table, and queues one statement
// for each.
type saver struct {
	*pipeline
	q   *queries.Queries
	org int64
	err error
	// textsWait is true if search texts are written at the end, once for all
	// rows of the orders in written.
	textsWait bool
	written   []int64
	fresh     freshNumbers
}

func newSaver(t *Tx) *saver {
	p := &pipeline{tx: t.tx}
	return &saver{pipeline: p, q: queries.New(p), org: t.org, written: []int64{}}
}

// queue keeps the first error of queueing a statement.
func (s *saver) queue(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *saver) send(ctx context.Context) error {
	if s.textsWait {
		s.queue(s.q.WriteTexts(ctx, queries.WriteTextsParams{OrgID: s.org, OrderIds: s.written}))
	}
	if s.err != nil {
		return s.err
	}
	return s.pipeline.send(ctx)
}

// orders saves orders and everything that belongs to them.
func (s *saver) orders(ctx context.Context, orders []*order.Order) {
	if len(orders) == 0 {
		return
	}
	s.textsLater(ctx, orders)
	s.headers(ctx, orders)
	s.newNumbers(ctx)
	s.stops(ctx, orders)
	s.statusesOfStops(ctx, orders)
	s.products(ctx, orders)
	s.groups(ctx, orders)
	s.prices(ctx, orders)
	s.customFields(ctx, orders)
	s.shares(ctx, orders)
	s.cancelledBookings(ctx, orders)
}

// textsLater postpones writing the search texts of orders whose numbers or
// stops change.
func (s *saver) textsLater(ctx context.Context, orders []*order.Order) {
	s.queue(s.q.WriteTextsLater(ctx))
	s.textsWait = true
	for _, o := range orders {
		if c := o.Changes; c.New || c.Pickup || c.Delivery || c.Shares || c.Number {
			s.written = append(s.written, o.ID)
		}
	}
}

// headers inserts the new orders and updates those whose header or status
// changed; of the others only the time of change is noted.
func (s *saver) headers(ctx context.Context, orders []*order.Order) {
	inserts := queries.InsertOrdersParams{OrgID: s.org, Serials: fmt.Sprintf("order_serial_%d", s.org)}
	updates := queries.UpdateOrdersParams{OrgID: s.org}
	var touched []int64
	for _, o := range orders {
		switch {
		case o.Changes.New:
			c := headerColumns{
				&inserts.Ids, &inserts.Numbers, &inserts.StatusIds, &inserts.Dates, &inserts.OrderReferences, &inserts.CustomerIds,
				&inserts.DepartmentIds, &inserts.OrderTypeIds, &inserts.VehicleTypeIds, &inserts.ReplacedVehicleTypeIds,
				&inserts.FreightNumbers, &inserts.RouteNumbers, &inserts.ConsigneeIds, &inserts.ConsignorIds, &inserts.Asks,
			}
			c.add(o)
		case o.Changes.Header || o.Changes.Status || o.Changes.Number:
			c := headerColumns{
				&updates.Ids, &updates.Numbers, &updates.StatusIds, &updates.Dates, &updates.OrderReferences, &updates.CustomerIds,
				&updates.DepartmentIds, &updates.OrderTypeIds, &updates.VehicleTypeIds, &updates.ReplacedVehicleTypeIds,
				&updates.FreightNumbers, &updates.RouteNumbers, &updates.ConsigneeIds, &updates.ConsignorIds, &updates.Asks,
			}
			c.add(o)
		default:
			touched = append(touched, o.ID)
		}
	}
	s.freights(ctx, orders)
	// First, because a new order may take the name that another one releases.
	if len(updates.Ids) > 0 {
		s.queue(s.q.UpdateOrders(ctx, updates))
	}
	if len(inserts.Ids) > 0 {
		s.queue(s.q.InsertOrders(ctx, inserts))
	}
	if len(touched) > 0 {
		s.queue(s.q.TouchOrders(ctx, queries.TouchOrdersParams{OrgID: s.org, Ids: touched}))
	}
}

// statusesOfStops marks the stops of orders that were cancelled, or are active again.
func (s *saver) statusesOfStops(ctx context.Context, orders []*order.Order) {
	p := queries.MarkStopsParams{OrgID: s.org}
	for _, o := range orders {
		if o.Changes.Status {
			p.OrderIds = append(p.OrderIds, o.ID)
		}
	}
	if len(p.OrderIds) > 0 {
		s.queue(s.q.MarkStops(ctx, p))
	}
}

func (s *saver) freights(ctx context.Context, orders []*order.Order) {
	p := queries.EnsureFreightsParams{OrgID: s.org}
	for _, o := range orders {
		if o.InFreight() && (o.Changes.New || o.Changes.Header) {
			p.Numbers = append(p.Numbers, o.FreightNumber)
			p.ConsigneeIds = append(p.ConsigneeIds, o.ConsigneeID)
			p.ConsignorIds = append(p.ConsignorIds, o.ConsignorID)
		}
	}
	if len(p.Numbers) > 0 {
		s.queue(s.q.EnsureFreights(ctx, p))
	}
}

func (s *saver) drafts(ctx context.Context, plan *order.Plan, defaults order.Defaults) {
	drafts := plan.Drafts
	if len(drafts) == 0 {
		return
	}
	fallbacks, err := jsonv2.Marshal(defaults)
	s.queue(err)
	p := queries.PutDraftsParams{OrgID: s.org, Defaults: fallbacks, Receipt: receiptOf(plan)}
	var promoted []int64
	for _, d := range drafts {
		request, err := jsonv2.Marshal(storable(d.Request))
		s.queue(err)
		p.Ids = append(p.Ids, d.ID)
		p.ExternalIds = append(p.ExternalIds, d.ExternalID)
		p.Requests = append(p.Requests, string(request))
		p.Reasons = append(p.Reasons, reasonsJSON(d.Reasons))
		p.OrderIds = append(p.OrderIds, promotedID(d))
		if d.Promoted != nil {
			promoted = append(promoted, d.ID)
		}
	}
	s.queue(s.q.PutDrafts(ctx, p))
	s.inheritDocuments(ctx, promoted)
	s.promotedBookings(ctx, drafts)
}

// storable returns a request that the database can store: a number out of range
// is replaced with its text. Such a request is always a draft.
func storable(r order.Request) order.Request {
	for i, f := range r.CustomFields {
		if _, ok := order.CanonicalJSON(f.Value); ok || len(f.Value) == 0 {
			continue
		}
		r.CustomFields = slices.Clone(r.CustomFields)
		r.CustomFields[i].Value, _ = jsontext.AppendQuote(nil, f.Value) // it is valid text
	}
	return r
}

func promotedID(d *order.Draft) int64 {
	if d.Promoted == nil {
		return 0
	}
	return d.Promoted.ID
}

// reasonsJSON stores reasons without a language; they are formatted in the
// reader's.
func reasonsJSON(reasons []order.Reason) string {
	if len(reasons) == 0 {
		return "[]"
	}
	out, err := json.Marshal(reasons)
	if err != nil {
		panic(fmt.Sprintf("store: reasons cannot be written: %v", err)) // strings only
	}
	return string(out)
}

func (s *saver) events(ctx context.Context, events []order.Event) {
	if len(events) == 0 {
		return
	}
	p := queries.AppendEventsParams{OrgID: s.org}
	for i := range events {
		e := &events[i]
		subject, id := subjectOf(e)
		columns.Add(&p.Kinds, string(e.Kind))
		columns.Add(&p.SubjectTypes, string(subject))
		columns.Add(&p.SubjectIds, id)
		columns.Add(&p.OrderIds, orderID(e.Order))
		columns.Add(&p.DraftIds, draftID(e.Draft))
		columns.Add(&p.ExternalIds, e.Number)
		columns.Add(&p.StatusIds, int16(e.Status))
		added, removed := productsOf(e)
		columns.Add(&p.ProductIds, added)
		columns.Add(&p.RemovedProductIds, removed)
		status := int16(0)
		if added != noProducts || removed != noProducts {
			status = int16(cmp.Or(e.Status, e.Order.Status))
		}
		columns.Add(&p.ProductStatusIds, status)
		columns.Add(&p.Rules, e.Rule)
		columns.Add(&p.Datas, dataOf(e))
		columns.Add(&p.DriverIds, e.DriverID)
		columns.Add(&p.Stops, string(e.Stop))
		columns.Add(&p.OccurredAts, e.At)
		columns.Add(&p.Seqs, int32(i))
	}
	s.queue(s.q.AppendEvents(ctx, p))
}

// dataOf returns additional event data as JSON, or nothing.
func dataOf(e *order.Event) string {
	switch {
	case e.Left != nil:
		return fmt.Sprintf(`{"left":%d}`, e.Left.ID)
	case e.Series != nil:
		return seriesOf(e.Series)
	case len(e.Into) > 0:
		return `{"into":` + listOf(columns.Of(e.Into, func(o *order.Order) int64 { return o.ID })) + `}`
	case len(e.Notes) > 0:
		return `{"notes":` + listOf(e.Notes) + `}`
	case len(e.Differences) > 0:
		return `{"differences":` + differencesJSON(e.Differences) + `}`
	}
	return ""
}

func differencesJSON(differences []order.Difference) string {
	out, err := json.Marshal(differences)
	if err != nil {
		panic(fmt.Sprintf("store: differences cannot be written: %v", err)) // strings only
	}
	return string(out)
}

// seriesOf returns the template of an event, as JSON.
func seriesOf(s *order.Series) string {
	if s.Orders == 0 {
		return fmt.Sprintf(`{"series":{"template":%d}}`, s.Template)
	}
	return fmt.Sprintf(`{"series":{"template":%d,"orders":%d,"first":%q,"last":%q}}`,
		s.Template, s.Orders, s.First.Format(time.DateOnly), s.Last.Format(time.DateOnly))
}

// listOf writes identifiers as JSON.
func listOf(ids []int64) string {
	texts := columns.Of(ids, func(id int64) string { return strconv.FormatInt(id, 10) })
	return "[" + strings.Join(texts, ",") + "]"
}

// subjectOf returns the subject of an event. When a draft becomes an order, the
// draft is the subject.
func subjectOf(e *order.Event) (event.SubjectType, int64) {
	if e.Kind.About(event.OfDraft) {
		return event.OfDraft, draftID(e.Draft)
	}
	return event.OfOrder, orderID(e.Order)
}

// noProducts is an empty array in text, not null: an event with a status and
// null products gets all products of the order.
const noProducts = "{}"

// productsOf returns the products of an event, as arrays in text. A status
// change without products concerns all of them. A product without an id was
// replaced within the same plan, by one in a later event.
func productsOf(e *order.Event) (added, removed string) {
	if e.Status != 0 && e.Added == nil && e.Order != nil {
		return arrayOfIDs(e.Order.Products), noProducts
	}
	return arrayOfIDs(e.Added), arrayOfIDs(e.Removed)
}

func arrayOfIDs(products []*order.Product) string {
	text := []byte{'{'}
	for _, p := range products {
		if p.ID == 0 {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, p.ID, 10)
	}
	return string(append(text, '}'))
}
