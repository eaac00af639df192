package recurring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/operations/core"
	"waybill/store"
)

// The states of a template after a step of generating.
const (
	TemplateActive   = "ACTIVE"   // it continues at WakeAt
	TemplatePaused   = "PAUSED"   // it waits to be resumed
	TemplateInactive = "INACTIVE" // it generates nothing
	TemplateComplete = "COMPLETE" // nothing remains to be generated
	TemplateGone     = "GONE"     // it does not exist
	TemplateFailing  = "FAILING"  // its rule cannot be expanded; it is tried again at WakeAt
)

// The codes of a template that fails as a whole.
const (
	// ErrorRecurrence is that of a rule that cannot be expanded.
	ErrorRecurrence = "RECURRENCE_RULE_CODE"
	// ErrorUnstorable is that of orders that the database refuses.
	ErrorUnstorable = string(order.UnknownInvalidInput)
)

// Generated is the result of one step of generating, and the next step.
type Generated struct {
	State     string
	Orders    int // new ones
	Drafts    int // occurrences that became drafts
	Changed   int
	Cancelled int
	Protected int
	Failed    int // orders that could not be changed
	// Left is how many occurrences wait for the next step.
	Left int
	// Through is the last generated day, Next the day of the next occurrence,
	// both YYYY-MM-DD; WakeAt is when it comes into reach.
	Through string
	Next    string
	WakeAt  time.Time
	Zone    string
	// Error is the code of the last failure.
	Error string
}

// GenerateOrders brings a template's orders up to date, at most a batch of
// occurrences at a time: it compares the required orders with the existing
// ones, and imports, cancels and records in one transaction. A template's row
// is the lock, and each occurrence has one row, so nothing is generated twice.
// What the database rejects is retried on the next day.
func (o *Operations) GenerateOrders(ctx context.Context, c caller.Caller, templateID int64) (Generated, error) {
	var out Generated
	step := func(t *store.Tx) error {
		return core.Guarded(o.log, func() (err error) {
			out, err = o.generate(ctx, t, templateID)
			return err
		})
	}
	err := o.store.InTx(ctx, c, step)
	for errors.Is(err, errEditedMeanwhile) {
		err = o.store.InTx(ctx, c, step)
	}
	if core.Unstorable(err) {
		err = o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
			out, err = o.postpone(ctx, t, templateID)
			return err
		})
	}
	if err != nil {
		return Generated{}, fmt.Errorf("generate orders: %w", err)
	}
	return out, nil
}

func (o *Operations) generate(ctx context.Context, tx *store.Tx, id int64) (Generated, error) {
	template, err := tx.LockRecurringOrder(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return neverSaved(ctx, tx, id, err)
	}
	if err != nil {
		return Generated{}, err
	}
	suspended, err := tx.IsSuspended(ctx)
	if err != nil {
		return Generated{}, err
	}
	if suspended && template.Works() {
		return Generated{State: TemplateActive, Zone: template.Zone.String(), WakeAt: o.now().Add(core.SuspendedPause)}, nil
	}
	if !template.Works() {
		return Generated{State: restOf(&template.Template)}, tx.NoteGenerated(ctx, id, store.Generation{})
	}
	g := o.newGenerating(tx, template)
	existing, err := tx.Occurrences(ctx, id, g.today)
	if err != nil {
		return Generated{}, err
	}
	plan, err := g.template.Compare(existing, g.today, g.zone)
	if err != nil {
		return g.failing(ctx, ErrorRecurrence)
	}
	return g.out, g.run(ctx, plan)
}

// neverSaved is the end of a template whose creation was rejected. A template
// that was never requested belongs to another database: its workflow must fail,
// rather than end normally.
func neverSaved(ctx context.Context, tx *store.Tx, id int64, absent error) (Generated, error) {
	staged, err := tx.IsRecurringOrderStaged(ctx, id)
	if err == nil && !staged {
		err = absent
	}
	return Generated{State: TemplateGone}, err
}

// restOf is the state of a template that generates nothing.
func restOf(t *recurring.Template) string {
	if t.Active {
		return TemplatePaused
	}
	return TemplateInactive
}

// generating is one step for one template.
type generating struct {
	tx       *store.Tx
	template *recurring.Template
	zone     *time.Location
	today    time.Time
	out      Generated
	whole    *recurring.Plan // of which the step does a batch
	// announced is set when an event of this step announces the series.
	announced bool
}

func (o *Operations) newGenerating(tx *store.Tx, t store.RecurringOrder) generating {
	g := generating{tx: tx, template: &t.Template, zone: t.Zone, today: recurring.DayOf(o.now(), t.Zone)}
	g.out.Zone = t.Zone.String()
	return g
}

// postpone records that a template's orders cannot be stored.
func (o *Operations) postpone(ctx context.Context, tx *store.Tx, id int64) (Generated, error) {
	template, err := tx.LockRecurringOrder(ctx, id)
	if err != nil {
		return Generated{}, err
	}
	g := o.newGenerating(tx, template)
	return g.failing(ctx, ErrorUnstorable)
}

// failing records why a template fails as a whole, which may change with the
// organization's zone or our code; it is retried tomorrow.
func (g *generating) failing(ctx context.Context, code string) (Generated, error) {
	g.out.State, g.out.Error = TemplateFailing, code
	g.out.WakeAt = recurring.Midnight(g.today.AddDate(0, 0, 1), g.zone).UTC()
	return g.out, g.tx.NoteGenerationError(ctx, g.template.ID, code, g.out.WakeAt)
}

// run does the beginning of a plan.
func (g *generating) run(ctx context.Context, plan recurring.Plan) error {
	batch := plan.Batch(order.ChunkSize)
	if batch.Size() > 0 {
		g.whole = &plan
		if err := g.do(ctx, &batch); err != nil {
			return err
		}
	}
	g.out.State, g.out.Left = TemplateActive, plan.Size()-batch.Size()
	done := store.Generation{Orders: g.out.Orders, Worked: batch.Size() > 0, Owes: g.out.Left > 0, Error: g.out.Error}
	if g.announced {
		done.Announced = g.template.Version
	}
	done.Through = g.template.Through(&plan, &batch, g.today, g.zone)
	if g.out.Left == 0 {
		done.AppliedTo = g.template.AppliedFrom
		if err := g.lookAhead(&done); err != nil {
			return err
		}
	}
	return g.tx.NoteGenerated(ctx, g.template.ID, done)
}

// lookAhead returns when there is work again. An inactive template has none.
func (g *generating) lookAhead(done *store.Generation) error {
	if !g.template.Active {
		g.out.State = restOf(g.template)
		return nil
	}
	if done.Through != nil {
		g.out.Through = done.Through.Format(time.DateOnly)
	}
	at, next, more, err := g.template.Wake(g.today, g.zone)
	if err != nil {
		return err
	}
	if !more {
		g.out.State, done.Complete = TemplateComplete, true
		return nil
	}
	g.out.WakeAt, g.out.Next = at.UTC(), next.Format(time.DateOnly)
	done.NextRun = &g.out.WakeAt
	return nil
}

// do brings a batch about.
func (g *generating) do(ctx context.Context, batch *recurring.Plan) error {
	g.out.Cancelled, g.out.Protected = len(batch.Cancel), len(batch.Protect)
	cancelled, err := g.withdraw(ctx, batch.Cancel)
	if err != nil {
		return fmt.Errorf("withdraw: %w", err)
	}
	imported, err := g.importOrders(ctx, batch)
	if err != nil {
		return err
	}
	return g.tx.NoteOccurrences(ctx, g.template, batch, append(cancelled, imported...))
}

// withdraw cancels the orders of removed occurrences, and discards their
// drafts. It returns the orders that it wrote.
func (g *generating) withdraw(ctx context.Context, gone []recurring.Existing) ([]*order.Order, error) {
	if len(gone) == 0 {
		return nil, nil
	}
	numbers := make([]string, len(gone))
	for i := range gone {
		numbers[i] = gone[i].Number
	}
	snapshot, err := g.tx.LockOrdersByNumber(ctx, numbers)
	if err != nil {
		return nil, err
	}
	if err := g.unedited(ctx, gone); err != nil {
		return nil, err
	}
	plan := order.Cancel(snapshot, numbers)
	plan.Silent = true
	g.announce(plan.Events)
	if err := g.tx.SaveCancelled(ctx, plan); err != nil {
		return nil, err
	}
	return plan.Orders, g.tx.DiscardDraftsOf(ctx, numbers)
}

// importOrders imports new, changed and restored orders, and returns the orders
// that it wrote.
func (g *generating) importOrders(ctx context.Context, batch *recurring.Plan) ([]*order.Order, error) {
	requests, defaults := batch.Requests(g.template, g.zone), recurring.Defaults()
	if len(requests) == 0 {
		return nil, nil
	}
	snapshot, err := g.tx.Snapshot(ctx, store.Scope{Entries: requests, Defaults: defaults, Lock: true})
	if err != nil {
		return nil, err
	}
	if err := g.unedited(ctx, slices.Concat(batch.Change, batch.Restore)); err != nil {
		return nil, err
	}
	revived := revive(snapshot, batch.Restore)
	plan := order.Decide(snapshot, defaults, requests)
	plan.Silent = true
	join(&plan, revived)
	g.announce(plan.Events)
	if err := g.tx.Save(ctx, plan, defaults); err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	for i := range plan.Results {
		g.count(&plan.Results[i], i < len(batch.Change)+len(batch.Restore))
	}
	return plan.Orders, nil
}

// announce has events name the template, and one of them announce the series.
func (g *generating) announce(events []order.Event) {
	if g.template.Announce(g.whole, events) {
		g.announced = true
		g.template.Announced = g.template.Version
	}
}

// revive reactivates cancelled orders whose occurrences are required again.
func revive(s *order.Snapshot, restored []recurring.Existing) order.Plan {
	var all order.Plan
	for i := range restored {
		outcome, _, plan := order.Reactivate(s, restored[i].Number)
		if outcome != order.Reactivated {
			continue
		}
		all.Orders = append(all.Orders, plan.Orders...)
		all.Numbers = append(all.Numbers, plan.Numbers...)
		all.Events = append(all.Events, plan.Events...)
	}
	return all
}

// join adds revived orders to a plan, which may have no other changes for them.
func join(plan *order.Plan, revived order.Plan) {
	for _, o := range revived.Orders {
		if !slices.Contains(plan.Orders, o) {
			plan.Orders = append(plan.Orders, o)
		}
	}
	plan.Numbers = append(revived.Numbers, plan.Numbers...)
	plan.Events = append(revived.Events, plan.Events...)
}

func (g *generating) count(r *order.Result, changed bool) {
	switch {
	case r.Kind == order.DraftCreated:
		g.out.Drafts++
	case r.Kind == order.FailedUpdate:
		g.out.Failed++
	case changed:
		g.out.Changed++
	default:
		g.out.Orders++
	}
	if len(r.Reasons) > 0 {
		g.out.Error = string(r.Reasons[0].Code)
	}
}
