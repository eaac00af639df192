package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
)

// placing names the activities for the compiler; it stays nil.
var placing *activities.Places

// PlacesInput names an organization, with what its earlier run has done.
type PlacesInput struct {
	OrgID int64 `json:"orgId"`
	// Found and Unknown count the provider's answers so far.
	Found   int `json:"found,omitempty"`
	Unknown int `json:"unknown,omitempty"`
}

// PlacesStatus is the answer to the status query.
type PlacesStatus struct {
	activities.PlaceOutcome
	// AllFound and AllUnknown count the answers since the workflow began.
	AllFound   int `json:"allFound,omitempty"`
	AllUnknown int `json:"allUnknown,omitempty"`
}

// PlaceAddresses looks after the addresses of an organization that no register has: it asks the
// geocoding provider for them, and places orders again after a register or a pin has changed. It
// gets a signal when there may be something to do, and ends when nothing is left. What waits is
// in the database; each turn reads it again.
func PlaceAddresses(ctx workflow.Context, in PlacesInput) error {
	p := &placesRun{in: in, signals: workflow.GetSignalChannel(ctx, PlacesNewsSignal)}
	p.status.AllFound, p.status.AllUnknown = in.Found, in.Unknown
	if err := workflow.SetQueryHandler(
		ctx, StatusQuery, func() (PlacesStatus, error) { return p.status, nil },
	); err != nil {
		return err
	}
	return p.run(ctx)
}

type placesRun struct {
	in      PlacesInput
	status  PlacesStatus
	signals workflow.ReceiveChannel
	// shown is the state that operators find the workflow by.
	shown string
}

func (p *placesRun) run(ctx workflow.Context) error {
	for {
		p.drain()
		var out activities.PlaceOutcome
		err := workflow.ExecuteActivity(
			placingIn(ctx), placing.PlaceTurn, activities.PlaceTurnInput{OrgID: p.in.OrgID},
		).Get(ctx, &out)
		if err != nil {
			return err
		}
		p.status.PlaceOutcome = out
		p.status.AllFound += out.Found
		p.status.AllUnknown += out.Unknown
		if err := p.show(ctx); err != nil {
			return err
		}
		switch {
		case out.Next == nil && !p.news():
			return nil
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			// Pending signals may be lost here: the new run looks in any case.
			return workflow.NewContinueAsNewError(ctx, PlaceAddresses,
				PlacesInput{OrgID: p.in.OrgID, Found: p.status.AllFound, Unknown: p.status.AllUnknown})
		}
		if err := p.sleep(ctx); err != nil {
			return err
		}
	}
}

// placingIn sets the activity options for asking a provider. It waits for a database that is down
// for hours, and moves to another worker when its own dies.
func placingIn(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		Summary:             "place what was not found",
		StartToCloseTimeout: 5 * time.Minute,
		HeartbeatTimeout:    10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 10 * time.Second,
			NonRetryableErrorTypes: []string{activities.ErrTypeNotFound},
		},
	})
}

func (p *placesRun) news() bool { return p.signals.Len() > 0 }

// drain takes all news: one turn sees them all.
func (p *placesRun) drain() {
	for p.signals.ReceiveAsync(nil) {
		continue
	}
}

// shortestSleep keeps news from causing many turns while a provider rests.
const shortestSleep = time.Second

// sleep waits until work is due, or until there is news.
func (p *placesRun) sleep(ctx workflow.Context) error {
	if p.status.Next == nil {
		return nil
	}
	wait := max(p.status.Next.Sub(workflow.Now(ctx)), time.Millisecond)
	first := min(wait, shortestSleep)
	if err := awaitFor(ctx, first, "before the next turn", func() bool { return false }); err != nil || first == wait {
		return err
	}
	return awaitFor(ctx, wait-first, "until the provider may be asked again", p.news)
}

// show publishes the state of the addresses to operators and searches.
func (p *placesRun) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, placesStory(p.status))
	state := placesState(p.status)
	if state == p.shown {
		return nil
	}
	p.shown = state
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}
