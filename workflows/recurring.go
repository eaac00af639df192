package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// recurring names the activities for the compiler; it stays nil.
var recurring *activities.Recurring

// firstSaveWithin is how long a new workflow waits for the save that it was
// started with; when that is lost, it continues without it.
const firstSaveWithin = time.Minute

// midnightGrace makes up for clocks of servers that do not quite agree.
const midnightGrace = time.Second

// RecurringInput names a template. The rest is carried from run to run.
type RecurringInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	// Carried is nil in the first run.
	Carried *RecurringStatus `json:"carried,omitempty"`
	// Pending is a signal, pause or resume, that has not been processed yet.
	Pending string `json:"wish,omitempty"`
}

// RecurringStatus is the answer to the status query.
type RecurringStatus struct {
	// State is the state of the template: ACTIVE, PAUSED, INACTIVE, COMPLETE,
	// GONE or FAILING, or empty while it is unknown.
	State string `json:"state"`
	// Last is the result of the last generation, Left the remaining work.
	Last activities.Generated `json:"last"`
	// Runs counts how often there was something to generate.
	Runs int `json:"runs"`
}

// RecurringOrder is the workflow of one template: it generates orders as far
// ahead as the template requires, and sleeps until the midnight at which the
// next one is due. Changes arrive as updates and are made one at a time,
// between two batches while orders are being generated. It ends when the
// template is inactive or has nothing more to generate; the next change starts
// it again.
func RecurringOrder(ctx workflow.Context, in RecurringInput) error {
	r := &recurringRun{in: in, pending: in.Pending}
	if in.Carried != nil {
		r.status = *in.Carried
	}
	if err := r.listen(ctx); err != nil {
		return err
	}
	return r.run(ctx)
}

type recurringRun struct {
	in      RecurringInput
	status  RecurringStatus
	turn    turns  // held while working on the template
	pending string // the last of pause and resume, until it is acted upon
	news    int    // counts saves and signals
	seen    int    // the news that generating knew of when it last began
	rounds  int    // counts how often this run looked for work
}

// turns are first come, first served. A mutex of the SDK does not guarantee
// that: the newest update would come first.
type turns struct {
	asked, passed int
}

func (t *turns) take(ctx workflow.Context) error {
	mine := t.asked
	t.asked++
	return workflow.Await(ctx, func() bool { return t.passed == mine })
}

func (t *turns) pass() { t.passed++ }

// listen takes updates, signals and queries.
func (r *recurringRun) listen(ctx workflow.Context) error {
	err := workflow.SetQueryHandler(ctx, StatusQuery, func() (RecurringStatus, error) { return r.status, nil })
	if err != nil {
		return err
	}
	if err := workflow.SetUpdateHandlerWithOptions(ctx, SaveUpdate, r.save, workflow.UpdateHandlerOptions{
		Description: "Makes a change of the template that waits in the database.", Validator: r.validateSave,
	}); err != nil {
		return err
	}
	for _, name := range []string{PauseSignal, ResumeSignal, ChangedSignal} {
		signals := workflow.GetSignalChannel(ctx, name)
		workflow.Go(ctx, func(ctx workflow.Context) {
			for signals.Receive(ctx, nil) {
				r.note(name)
			}
		})
	}
	return nil
}

// note counts a signal. Of pause and resume the last one is acted upon.
func (r *recurringRun) note(name string) {
	r.news++
	if name != ChangedSignal {
		r.pending = name
	}
}

// validateSave rejects obvious mistakes of the caller before they are in the
// history.
func (r *recurringRun) validateSave(in activities.SaveInput) error {
	if in.OrgID != r.in.OrgID || in.TemplateID != r.in.TemplateID || in.ChangeID <= 0 {
		return errors.New("a save names this template, and a change by a number above 0")
	}
	return nil
}

// save makes one change, in its turn.
func (r *recurringRun) save(ctx workflow.Context, in activities.SaveInput) (activities.SaveOutcome, error) {
	var out activities.SaveOutcome
	if err := r.turn.take(ctx); err != nil {
		return out, err
	}
	defer r.turn.pass()
	err := workflow.ExecuteActivity(patient(ctx, "save the template"), recurring.SaveTemplate, in).Get(ctx, &out)
	r.news++
	return out, err
}

func (r *recurringRun) run(ctx workflow.Context) error {
	if r.in.Carried == nil {
		saved := func() bool { return r.news > 0 }
		if err := awaitFor(ctx, firstSaveWithin, "the first save", saved); err != nil {
			return err
		}
	}
	for {
		if err := r.work(ctx); err != nil {
			return err
		}
		if r.over() {
			if err := r.settle(ctx); err != nil || r.seen == r.news {
				return err
			}
			continue
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() || keepsTurns(ctx, r.rounds) {
			return r.continueAsNew(ctx)
		}
		if err := r.sleep(ctx); err != nil {
			return err
		}
	}
}

// over reports whether the workflow can end.
func (r *recurringRun) over() bool {
	switch r.status.State {
	case activities.TemplateInactive, activities.TemplateComplete, activities.TemplateGone:
		return true
	}
	return false
}

// continueAsNew continues in a new run, with everything received so far.
func (r *recurringRun) continueAsNew(ctx workflow.Context) error {
	if err := r.settle(ctx); err != nil {
		return err
	}
	next := r.in
	next.Carried, next.Pending = &r.status, r.pending
	return workflow.NewContinueAsNewError(ctx, RecurringOrder, next)
}

// settle waits until everything received so far is processed: no run ends
// before that.
func (r *recurringRun) settle(ctx workflow.Context) error {
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return err
	}
	return r.drain(ctx)
}

// drain lets signals be recorded that arrived together with the one that woke
// this function. They are already with the goroutines of listen, where
// ReceiveAsync does not find them; those run before a goroutine started now.
func (r *recurringRun) drain(ctx workflow.Context) error {
	drained := false
	workflow.Go(ctx, func(workflow.Context) { drained = true })
	return workflow.Await(ctx, func() bool { return drained })
}

// work does what is due now: it pauses or resumes, and generates, batch by
// batch. Others get their turns between two batches, so a generation can be
// paused, changed and ended.
func (r *recurringRun) work(ctx workflow.Context) error {
	r.rounds++
	batch := r.generateInTurn
	if !sharesTurns(ctx) {
		if err := r.turn.take(ctx); err != nil {
			return err
		}
		defer r.turn.pass()
		if err := r.begin(ctx); err != nil {
			return err
		}
		batch = r.generate
	}
	sum := activities.Generated{}
	for {
		step, err := batch(ctx, sum)
		if err != nil {
			return err
		}
		sum = added(sum, step)
		if step.Left == 0 {
			return r.show(ctx, sum)
		}
		workflow.SetCurrentDetails(ctx,
			fmt.Sprintf("Working: %s so far, **%d occurrences** to go.", inWords(sum), step.Left))
	}
}

// begin processes what was received so far.
func (r *recurringRun) begin(ctx workflow.Context) error {
	r.seen = r.news
	return r.pauseOrResume(ctx)
}

// generateInTurn generates one batch in its turn.
func (r *recurringRun) generateInTurn(
	ctx workflow.Context, sum activities.Generated,
) (step activities.Generated, err error) {
	if err := r.turn.take(ctx); err != nil {
		return step, err
	}
	defer r.turn.pass()
	if err := r.begin(ctx); err != nil {
		return step, err
	}
	return r.generate(ctx, sum)
}

// generate does one batch.
func (r *recurringRun) generate(ctx workflow.Context, sum activities.Generated) (step activities.Generated, err error) {
	in := activities.GenerateInput{OrgID: r.in.OrgID, TemplateID: r.in.TemplateID}
	generating := workflow.ExecuteActivity(patient(ctx, stepSummary(sum)), recurring.GenerateOrders, in)
	err = generating.Get(ctx, &step)
	return step, err
}

// pauseOrResume processes a pending signal, and one that arrives during that.
func (r *recurringRun) pauseOrResume(ctx workflow.Context) error {
	for r.pending != "" {
		signal := r.pending
		in := activities.PauseInput{OrgID: r.in.OrgID, TemplateID: r.in.TemplateID, Paused: signal == PauseSignal}
		pausing := workflow.ExecuteActivity(patient(ctx, signal+" the template"), recurring.PauseTemplate, in)
		if err := pausing.Get(ctx, nil); err != nil {
			return err
		}
		if r.pending == signal {
			r.pending = ""
		}
	}
	return nil
}

// sleep waits for the next midnight with work, or for a signal. A paused
// template has no such midnight.
func (r *recurringRun) sleep(ctx workflow.Context) error {
	fresh := func() bool { return r.news != r.seen }
	if r.status.State == activities.TemplatePaused {
		return workflow.Await(ctx, fresh)
	}
	wait := max(r.status.Last.WakeAt.Sub(workflow.Now(ctx)), 0) + midnightGrace
	return awaitFor(ctx, wait, "until the next occurrence comes into reach", fresh)
}

// awaitFor waits for a condition, with a timeout. It cancels its timer, which
// would otherwise wake the workflow for nothing.
func awaitFor(ctx workflow.Context, d time.Duration, summary string, so func() bool) error {
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	options := workflow.AwaitOptions{Timeout: d, TimerOptions: workflow.TimerOptions{Summary: summary}}
	_, err := workflow.AwaitWithOptions(ctx, options, so)
	return err
}

// show publishes the state of the template to queries, searches and
// operators.
func (r *recurringRun) show(ctx workflow.Context, sum activities.Generated) error {
	changed := r.status.State != sum.State
	r.status.State, r.status.Last = sum.State, sum
	if worked(sum) {
		r.status.Runs++
	}
	workflow.SetCurrentDetails(ctx, r.story(ctx))
	if !changed {
		return nil
	}
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(sum.State))
}
