package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// recurring names the activities for the compiler; it stays nil.
var recurring *activities.Recurring

// How a template is talked to. These names are part of what the Temporal server
// keeps: they never change.
const (
	// SaveUpdate makes a change of a template and answers when it is saved.
	SaveUpdate = "save"
	// PauseSignal and ResumeSignal stop generating and let it go on.
	PauseSignal  = "pause"
	ResumeSignal = "resume"
	// ChangedSignal makes a template look again at once.
	ChangedSignal = "changed"
)

// firstSaveWithin is how long a new workflow waits for the save that it was
// started with; it goes on without it when that is lost.
const firstSaveWithin = time.Minute

// midnightGrace makes up for clocks of servers that do not quite agree.
const midnightGrace = time.Second

// RecurringInput names a template. The rest is carried from run to run.
type RecurringInput struct {
	OrgID      int64 `json:"orgId"`
	TemplateID int64 `json:"templateId"`
	// Carried is nil in the first run.
	Carried *RecurringStatus `json:"carried,omitempty"`
	// Wish is what a signal asked for that was not done yet: pause or resume.
	Wish string `json:"wish,omitempty"`
}

// RecurringStatus is the answer to the status query.
type RecurringStatus struct {
	// State is that of the template: ACTIVE, PAUSED, INACTIVE, COMPLETE, GONE or
	// FAILING; empty before anything is known.
	State string `json:"state"`
	// Last is what the last run of generating did, Left what it has still to do.
	Last activities.Generated `json:"last"`
	// Runs counts how often there was something to generate.
	Runs int `json:"runs"`
}

// RecurringOrder is the life of one template: it keeps orders generated as far
// ahead as the template says, and sleeps until the midnight that brings the next
// one. Changes come as updates and are made one at a time, also while orders
// are being generated. It ends when the template is inactive or has nothing more
// to generate; the next change starts it anew.
func RecurringOrder(ctx workflow.Context, in RecurringInput) error {
	r := &recurringRun{in: in, wish: in.Wish}
	if in.Carried != nil {
		r.status = *in.Carried
	}
	if err := r.listen(ctx); err != nil {
		return err
	}
	return r.run(ctx)
}

type recurringRun struct {
	in     RecurringInput
	status RecurringStatus
	turn   turns  // whoever touches the template has it
	wish   string // what a signal asked for last
	news   int    // counts saves and signals
	seen   int    // the news that the last look knew of
}

// turns are taken in the order in which they are asked for, which a mutex of
// the SDK does not promise: there, the newest update would come first.
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
	if err := workflow.SetQueryHandler(ctx, StatusQuery, func() (RecurringStatus, error) { return r.status, nil }); err != nil {
		return err
	}
	if err := workflow.SetUpdateHandler(ctx, SaveUpdate, r.save); err != nil {
		return err
	}
	for _, name := range []string{PauseSignal, ResumeSignal, ChangedSignal} {
		signals := workflow.GetSignalChannel(ctx, name)
		workflow.Go(ctx, func(ctx workflow.Context) {
			for signals.Receive(ctx, nil) {
				r.hear(name)
			}
		})
	}
	return nil
}

// hear notes a signal. Of pause and resume the last one counts.
func (r *recurringRun) hear(name string) {
	r.news++
	if name != ChangedSignal {
		r.wish = name
	}
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
		if err := awaitFor(ctx, firstSaveWithin, "the first save", func() bool { return r.news > 0 }); err != nil {
			return err
		}
	}
	for {
		if err := r.look(ctx); err != nil {
			return err
		}
		if r.over() {
			if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
				return err
			}
			if r.drain(ctx); r.seen == r.news {
				return nil
			}
			continue
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return r.anew(ctx)
		}
		if err := r.sleep(ctx); err != nil {
			return err
		}
	}
}

// over reports whether there is nothing to wait for.
func (r *recurringRun) over() bool {
	switch r.status.State {
	case activities.TemplateInactive, activities.TemplateComplete, activities.TemplateGone:
		return true
	}
	return false
}

// anew goes on in a new run, with all that came in by now.
func (r *recurringRun) anew(ctx workflow.Context) error {
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return err
	}
	r.drain(ctx)
	next := r.in
	next.Carried, next.Wish = &r.status, r.wish
	return workflow.NewContinueAsNewError(ctx, RecurringOrder, next)
}

// drain hears the signals that nobody has received yet.
func (r *recurringRun) drain(ctx workflow.Context) {
	for _, name := range []string{PauseSignal, ResumeSignal, ChangedSignal} {
		for workflow.GetSignalChannel(ctx, name).ReceiveAsync(nil) {
			r.hear(name)
		}
	}
}

// look does what is to be done now: it obeys pause and resume, and generates,
// batch by batch.
func (r *recurringRun) look(ctx workflow.Context) error {
	if err := r.turn.take(ctx); err != nil {
		return err
	}
	defer r.turn.pass()
	r.seen = r.news
	if err := r.obey(ctx); err != nil {
		return err
	}
	in := activities.GenerateInput{OrgID: r.in.OrgID, TemplateID: r.in.TemplateID}
	sum := activities.Generated{}
	for {
		var step activities.Generated
		if err := workflow.ExecuteActivity(patient(ctx, r.stepSummary(sum)), recurring.GenerateOrders, in).Get(ctx, &step); err != nil {
			return err
		}
		sum = added(sum, step)
		if step.Left == 0 {
			return r.told(ctx, sum)
		}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("Working: %s so far, **%d occurrences** to go.", tellGenerated(sum), step.Left))
	}
}

// obey pauses or resumes when a signal asked for it.
func (r *recurringRun) obey(ctx workflow.Context) error {
	for r.wish != "" {
		wish := r.wish
		in := activities.PauseInput{OrgID: r.in.OrgID, TemplateID: r.in.TemplateID, Paused: wish == PauseSignal}
		if err := workflow.ExecuteActivity(patient(ctx, wish+" the template"), recurring.PauseTemplate, in).Get(ctx, nil); err != nil {
			return err
		}
		if r.wish == wish {
			r.wish = ""
		}
	}
	return nil
}

// sleep waits for the next midnight with work, or for news. A paused template
// has no such midnight.
func (r *recurringRun) sleep(ctx workflow.Context) error {
	fresh := func() bool { return r.news != r.seen }
	if r.status.State == activities.TemplatePaused {
		return workflow.Await(ctx, fresh)
	}
	wait := max(r.status.Last.WakeAt.Sub(workflow.Now(ctx)), 0) + midnightGrace
	return awaitFor(ctx, wait, "until the next occurrence comes into reach", fresh)
}

// awaitFor waits until something is so, for some time at most. Its timer ends
// with it: one that was left behind would wake the workflow for nothing.
func awaitFor(ctx workflow.Context, d time.Duration, summary string, so func() bool) error {
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	options := workflow.AwaitOptions{Timeout: d, TimerOptions: workflow.TimerOptions{Summary: summary}}
	_, err := workflow.AwaitWithOptions(ctx, options, so)
	return err
}

// told keeps where the template stands, for queries, searches and people.
func (r *recurringRun) told(ctx workflow.Context, sum activities.Generated) error {
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
