package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/planning"
)

// plans names the activities for the compiler; it stays nil.
var plans *activities.Planning

// PlanInput names the plan of an area.
type PlanInput struct {
	OrgID int64 `json:"orgId"`
	// DepartmentID is 0 for orders without a department.
	DepartmentID int64 `json:"departmentId"`
	// Date is the day, as 2006-01-02.
	Date string `json:"date"`
}

// PlanStatus is the answer to the status query.
type PlanStatus = activities.PlanOutcome

// PlanDay keeps the plan of one area up to date. It gets a signal when its
// input may have changed, collects further changes, and has the plan computed
// and committed. While nothing changes it has the plan improved, as long as
// that gains anything, and then sleeps. The plan itself is in the database. It
// ends when the day is over or has nothing to plan; a change starts it again.
func PlanDay(ctx workflow.Context, in PlanInput) error {
	p := &planRun{in: in, signals: workflow.GetSignalChannel(ctx, PlanChangedSignal)}
	if err := workflow.SetQueryHandler(ctx, StatusQuery, func() (PlanStatus, error) { return p.status, nil }); err != nil {
		return err
	}
	return p.run(ctx)
}

type planRun struct {
	in      PlanInput
	status  PlanStatus
	signals workflow.ReceiveChannel
	// behind counts how often the plan waited for a bulk import.
	behind int
	// shown is the state that operators find the workflow by.
	shown string
	// heard is when a signal arrived that ended a search, or zero.
	heard time.Time
	// took is how long the last plan for a change took.
	took time.Duration
}

// How a plan collects signals: until this long after the last one, but at most
// this long after the first. The relay delivers ten times a second, so changes
// in sequence are collected, too.
const (
	gatherPause = 150 * time.Millisecond
	gatherMost  = 2 * time.Second
)

// A plan waits so long for a bulk import to be done, and looks so often.
const (
	importLook  = time.Second
	importLooks = 60
)

// mostUnread is how many signals a plan for a distant day leaves unread.
const mostUnread = 500

// longer are the durations of successive improvements while nothing changes.
// They continue while each gains more than the share enough.
var longer = []time.Duration{10 * time.Second, 30 * time.Second}

const enough = 0.001

func (p *planRun) run(ctx workflow.Context) error {
	for {
		if err := p.gather(ctx); err != nil {
			return err
		}
		if err := p.improve(ctx, 0); err != nil {
			return err
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			// Pending signals may be lost here: the new run checks in any case.
			return workflow.NewContinueAsNewError(ctx, PlanDay, p.in)
		}
		over, err := p.settle(ctx)
		if err != nil || over {
			return err
		}
	}
}

// gather waits until no signal has arrived for a moment. If a search was ended
// by one, that moment may already be over.
func (p *planRun) gather(ctx workflow.Context) error {
	last := workflow.Now(ctx)
	if !p.heard.IsZero() {
		last, p.heard = p.heard, time.Time{}
	}
	for end := last.Add(p.mostGathering(ctx)); ; last = workflow.Now(ctx) {
		p.drain()
		until := last.Add(gatherPause)
		if end.Before(until) {
			until = end
		}
		pause := until.Sub(workflow.Now(ctx))
		if pause <= 0 {
			return nil
		}
		if err := awaitFor(ctx, pause, "until nothing more happens", p.news); err != nil || !p.news() {
			return err
		}
	}
}

// mostGathering is for how long news is gathered at most. Drivers of a large day tap all the
// time: an order that is new must not wait longer for them than its plan takes to make, and
// a plan that takes long is not made all the time.
func (p *planRun) mostGathering(ctx workflow.Context) time.Duration {
	if !putsNewsFirst(ctx) {
		return gatherMost
	}
	return min(max(p.took/2, gatherPause), gatherMost)
}

func (p *planRun) news() bool { return p.signals.Len() > 0 }

// drain takes all news: one look at the database sees them all.
func (p *planRun) drain() {
	for p.signals.ReceiveAsync(nil) {
		continue
	}
}

// settle does what is due once a change has its plan, until the next change.
// over reports that nothing remains.
func (p *planRun) settle(ctx workflow.Context) (over bool, err error) {
	switch p.status.State {
	case planning.DayEmpty, planning.DayOver:
		return !p.news(), nil
	case planning.DayBehindImport:
		p.behind++
		return false, awaitFor(ctx, importLook, "until the import is done", func() bool { return false })
	case planning.DayNotYet:
		return false, p.sleep(ctx, func() bool { return p.signals.Len() > mostUnread })
	case planning.DayPlanned:
		p.behind = 0
	}
	if err := p.rest(ctx); err != nil {
		return false, err
	}
	for _, length := range longer {
		if p.news() {
			return false, nil
		}
		if err := p.improve(ctx, length); err != nil {
			return false, err
		}
		if p.status.State != planning.DayPlanned { // the day ended meanwhile, or is behind an import
			return p.settle(ctx)
		}
		if p.status.Gain < enough {
			break
		}
	}
	if !p.news() && p.status.Unplanned > 0 {
		if err := p.explain(ctx); err != nil {
			return false, err
		}
	}
	if !p.news() && p.status.Several > 0 {
		if err := p.chooseDays(ctx); err != nil {
			return false, err
		}
	}
	return false, p.sleep(ctx, p.news)
}

// chooseDays has the days of orders chosen that may be carried out on several. Those that move are news for
// this plan, too.
func (p *planRun) chooseDays(ctx workflow.Context) error {
	for range explainTries {
		out := p.chooseSome(ctx)
		if out.Again != nil && (p.status.Wake == nil || out.Again.Before(*p.status.Wake)) {
			p.status.Wake = out.Again
		}
		if out.Left == 0 || p.news() {
			break
		}
	}
	return ctx.Err()
}

// chooseSome has the days of some orders chosen. A plan is complete without it.
func (p *planRun) chooseSome(ctx workflow.Context) (out activities.ChooseOutcome) {
	if _, err := p.work(ctx, "choose the days of orders", plans.ChooseDays, 0, false, &out); err != nil {
		workflow.GetLogger(ctx).Warn("cannot choose the days of orders", "error", err)
	}
	return out
}

// quiet is how long no signal must arrive before the plan is improved: an
// improvement that a signal ends soon after its start costs as much as a plan.
const quiet = 2 * time.Second

// rest waits until it is quiet, or until a signal arrives.
func (p *planRun) rest(ctx workflow.Context) error {
	if !putsNewsFirst(ctx) || p.news() {
		return nil
	}
	return awaitFor(ctx, quiet, "until it is quiet", p.news)
}

// improve improves the plan for some time, or until a signal arrives.
func (p *planRun) improve(ctx workflow.Context, length time.Duration) error {
	summary := "plan what is new"
	if length > 0 {
		summary = "look for a better plan"
	}
	var out activities.PlanOutcome
	began := workflow.Now(ctx)
	done, err := p.work(ctx, summary, plans.ImproveDay, length, length == 0, &out)
	if length == 0 {
		p.took = workflow.Now(ctx).Sub(began)
	}
	if err != nil || !done || out.State == "" { // it was ended before it had begun
		return err
	}
	p.status = out
	if err := p.show(ctx); err != nil {
		return err
	}
	return p.draw(ctx)
}

// drawTries is how many stretches of work a plan's ways get at most before it is looked at
// again.
const drawTries = 60

// draw has the ways of the routes drawn along streets where a server of travel times can. A
// plan is complete without them.
func (p *planRun) draw(ctx workflow.Context) error {
	served := p.status.Travel != "" && p.status.Travel != asTheCrowFlies
	if p.status.State != planning.DayPlanned || !served || !drawsWays(ctx) {
		return nil
	}
	in := activities.PlanInput{OrgID: p.in.OrgID, DepartmentID: p.in.DepartmentID, Date: p.in.Date}
	for range drawTries {
		var out activities.DrawOutcome
		err := workflow.ExecuteActivity(onStreets(ctx, "draw the routes along streets"), plans.DrawDay, in).Get(ctx, &out)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			workflow.GetLogger(ctx).Warn("cannot draw the routes along streets", "error", err)
			out.Failure = err.Error()
		}
		if out.Corrected > 0 { // plan with these times
			p.status.Wake = new(workflow.Now(ctx))
		}
		if out.Left == 0 || out.Failure != "" || p.news() {
			return nil
		}
	}
	return nil
}

// asTheCrowFlies is the name of travel times that no server says.
const asTheCrowFlies = "crow"

// How often and at which intervals counterfactuals are computed, as long as
// plans with changes come first.
const (
	explainTries = 20
	explainPause = 3 * time.Second
)

// explain computes counterfactuals for unplanned orders.
func (p *planRun) explain(ctx workflow.Context) error {
	for range explainTries {
		var out activities.ExplainOutcome
		_, err := p.work(ctx, "find out what would help", plans.ExplainDay, 0, false, &out)
		if err != nil || out.Left == 0 || p.news() {
			return err
		}
		if err := awaitFor(ctx, explainPause, "until others have their plans", p.news); err != nil {
			return err
		}
	}
	return nil
}

// work runs one activity. A signal ends it early, unless the activity handles a
// signal: otherwise a plan with constant changes would never be made. The
// activity saves what it has found by then; one that had not begun has done
// nothing.
func (p *planRun) work(
	ctx workflow.Context, summary string, step any, length time.Duration, urgent bool, out any,
) (done bool, err error) {
	searchCtx, cancel := workflow.WithCancel(searching(ctx, summary))
	defer cancel()
	search := workflow.ExecuteActivity(searchCtx, step, activities.PlanInput{
		OrgID: p.in.OrgID, DepartmentID: p.in.DepartmentID, Date: p.in.Date, Millis: length.Milliseconds(),
		Patient: p.behind >= importLooks,
	})
	if err := workflow.Await(ctx, func() bool { return search.IsReady() || !urgent && p.news() }); err != nil {
		return false, err
	}
	ended := !search.IsReady()
	if ended {
		p.heard = workflow.Now(ctx)
		cancel()
	}
	err = search.Get(ctx, out)
	if err != nil && ended && ctx.Err() == nil {
		// A cancelled activity is not retried, even if its worker died; then it
		// ends with a timeout. In each case the next check comes at once.
		return false, nil
	}
	return err == nil, err
}

// sleep waits until the next check of the plan, or until a signal.
func (p *planRun) sleep(ctx workflow.Context, woken func() bool) error {
	if p.status.Wake == nil {
		return workflow.Await(ctx, woken)
	}
	wait := max(p.status.Wake.Sub(workflow.Now(ctx)), time.Second)
	return awaitFor(ctx, wait, "until the plan is looked at again", woken)
}

// show publishes the state of the plan, for queries, searches and people.
func (p *planRun) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, planStory(ctx, p.status))
	state := string(p.status.State)
	if p.status.State == planning.DayPlanned && p.status.Unplanned > 0 {
		state = stateLeftOver
	}
	if state == p.shown {
		return nil
	}
	p.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}

// stateLeftOver is the search attribute of a plan that leaves orders over.
const stateLeftOver = "LEFT_OVER"
