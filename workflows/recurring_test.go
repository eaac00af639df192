package workflows_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/workflows"
)

// template is the state that the activities would keep in the database, with
// the test's clock.
type template struct {
	t    *testing.T
	env  *testsuite.TestWorkflowEnvironment
	zone *time.Location

	now      recurring.Template
	saves    map[int64]recurring.Change // that wait to be made, by id
	existing []recurring.Existing
	days     []string    // of the generated orders, in sequence
	looks    []time.Time // when it was looked
	story    []string    // saves and steps
	batch    int         // how many occurrences a step does
	busy     bool        // the template is in use
	pauses   []bool      // arguments of PauseTemplate
	answered int         // how many saves were answered
	keeps    bool        // a generation keeps its turn until it is done

	duringLook  map[int]func() // runs before the check of that number ends
	duringPause func()         // runs before a pause ends
}

// newRecurring returns a template that was saved before its workflow starts at
// start.
func newRecurring(t *testing.T, zoneName, rule, start string, ahead int) *template {
	t.Helper()
	zone, err := time.LoadLocation(zoneName)
	require.NoError(t, err)
	begins, err := time.ParseInLocation("2006-01-02 15:04", start, zone)
	require.NoError(t, err)
	c := recurring.Change{RuleSet: &rule, Start: &begins, DaysAhead: &ahead, Order: &order.Request{}}
	made, err := c.New(zone)
	require.NoError(t, err)
	made.ID = 3
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	b := &template{
		t: t, env: newEnvironment(&suite), zone: zone, now: made, saves: map[int64]recurring.Change{}, batch: 500,
		duringLook: map[int]func(){}, duringPause: func() {},
	}
	b.env.SetStartTime(begins)
	b.env.SetWorkflowRunTimeout(10 * 366 * 24 * time.Hour)
	workflows.Register(b.env)
	acts := &activities.Recurring{}
	b.env.OnActivity(acts.SaveTemplate, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.SaveInput) (activities.SaveOutcome, error) { return b.save(in) })
	b.env.OnActivity(acts.PauseTemplate, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.PauseInput) error {
			b.now.Paused = in.Paused
			b.pauses = append(b.pauses, in.Paused)
			b.duringPause()
			return nil
		})
	b.env.RegisterActivity(acts)
	return b
}

// generates lets the activity do its work.
func (b *template) generates() *template {
	b.env.OnActivity((&activities.Recurring{}).GenerateOrders, mock.Anything, mock.Anything).Return(b.look)
	return b
}

// look imitates the activity, with events injected by the test.
func (b *template) look(context.Context, activities.GenerateInput) (activities.Generated, error) {
	out, err := b.generate()
	if happen := b.duringLook[len(b.looks)]; happen != nil {
		happen()
	}
	return out, err
}

func (b *template) save(in activities.SaveInput) (activities.SaveOutcome, error) {
	require.False(b.t, b.busy && b.keeps, "a save waits for its turn")
	next, err := func() (recurring.Template, error) { c := b.saves[in.ChangeID]; return c.Apply(b.now, b.zone) }()
	require.NoError(b.t, err)
	b.now = next
	b.story = append(b.story, "save")
	return activities.SaveOutcome{Version: next.Version}, nil
}

// generate imitates the activity, without orders.
func (b *template) generate() (activities.Generated, error) {
	now := b.env.Now()
	b.looks = append(b.looks, now)
	switch {
	case !b.now.Active:
		return activities.Generated{State: activities.TemplateInactive}, nil
	case b.now.Paused:
		return activities.Generated{State: activities.TemplatePaused}, nil
	}
	today := recurring.DayOf(now, b.zone)
	b.existing = slices.DeleteFunc(b.existing, func(e recurring.Existing) bool { return e.Date.Before(today) })
	plan, err := b.now.Compare(b.existing, today, b.zone)
	require.NoError(b.t, err)
	step := plan.Batch(b.batch)
	for _, o := range step.Create {
		b.days = append(b.days, o.Date.Format(time.DateOnly))
		b.existing = append(b.existing,
			recurring.Existing{Occurrence: o, OrderID: 1, Status: order.Registered, Version: b.now.Version})
	}
	for _, list := range [][]recurring.Existing{step.Change, step.Cancel} {
		for _, e := range list {
			at := slices.IndexFunc(b.existing, func(x recurring.Existing) bool { return x.Key == e.Key })
			b.existing[at].Version = b.now.Version
		}
	}
	out := activities.Generated{
		State: activities.TemplateActive, Orders: len(step.Create), Changed: len(step.Change), Cancelled: len(step.Cancel),
		Left: plan.Size() - step.Size(),
	}
	b.busy = out.Left > 0
	if through := b.now.Through(&plan, &step, today, b.zone); through != nil {
		b.now.GeneratedThrough = through
	}
	if step.Size() > 0 {
		b.story = append(b.story, "step")
	}
	if out.Left > 0 {
		return out, nil
	}
	b.now.AppliedTo = b.now.AppliedFrom
	at, _, more, err := b.now.Wake(today, b.zone)
	require.NoError(b.t, err)
	if out.WakeAt = at; !more {
		out.State = activities.TemplateComplete
	}
	return out, nil
}

// endsOn sets the last day of the template.
func (b *template) endsOn(day string) {
	end, err := time.ParseInLocation(time.DateOnly, day, b.zone)
	require.NoError(b.t, err)
	b.now.End = &end
}

// after sends a change some time after the start.
func (b *template) after(d time.Duration, id int64, c recurring.Change) *template {
	b.saves[id] = c
	b.env.RegisterDelayedCallback(func() { b.send(id) }, d)
	return b
}

// send sends a change now.
func (b *template) send(id int64) {
	b.env.UpdateWorkflow(workflows.SaveUpdate, "", &testsuite.TestUpdateCallback{
		OnAccept: func() {}, OnReject: func(err error) { b.t.Errorf("update refused: %v", err) },
		OnComplete: func(_ any, err error) {
			b.answered++
			if err != nil {
				b.t.Errorf("update: %v", err)
			}
		},
	}, activities.SaveInput{OrgID: 1, TemplateID: 3, ChangeID: id})
}

// created is the change that starts a workflow; here it changes nothing.
func (b *template) created() *template { return b.after(0, 1000, recurring.Change{}) }

func (b *template) run() {
	b.env.ExecuteWorkflow(workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 3})
	require.True(b.t, b.env.IsWorkflowCompleted())
	require.NoError(b.t, b.env.GetWorkflowError())
}

func (b *template) status() workflows.RecurringStatus {
	answer, err := b.env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(b.t, err)
	var status workflows.RecurringStatus
	require.NoError(b.t, answer.Get(&status))
	return status
}

// calendar lists the days from one to another that are wanted.
func calendar(t *testing.T, first, last string, wanted func(time.Time) bool) []string {
	t.Helper()
	from, err := time.Parse(time.DateOnly, first)
	require.NoError(t, err)
	to, err := time.Parse(time.DateOnly, last)
	require.NoError(t, err)
	var all []string
	for d := from; !d.After(to); d = d.AddDate(0, 0, 1) {
		if wanted(d) {
			all = append(all, d.Format(time.DateOnly))
		}
	}
	return all
}

func everyDay(time.Time) bool { return true }

func TestRecurringOrderOverYears(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Europe/Oslo", "America/New_York"} {
		t.Run("DailyIn"+zone, func(t *testing.T) {
			t.Parallel()
			b := newRecurring(t, zone, "FREQ=DAILY", "2027-02-20 09:00", 3).generates().created()
			b.endsOn("2029-03-30")
			b.run()
			require.Equal(t, calendar(t, "2027-02-20", "2029-03-30", everyDay), b.days)
			require.Contains(t, b.days, "2028-02-29")
			for _, look := range b.looks[1:] {
				local := look.In(b.zone)
				midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, b.zone)
				require.Less(t, local.Sub(midnight), time.Minute, "it wakes at midnight, not at %s", local)
			}
			require.Len(t, b.looks, len(b.days)-3, "it wakes once a day")
			require.Equal(t, "COMPLETE", b.status().State)
		})
	}
	t.Run("ItSleepsThroughDaysWithoutWork", func(t *testing.T) {
		t.Parallel()
		b := newRecurring(t, "Europe/Oslo", "FREQ=MONTHLY;BYMONTHDAY=31", "2027-01-31 09:00", 10).generates().created()
		b.endsOn("2028-12-31")
		b.run()
		require.Equal(t, calendar(t, "2027-01-31", "2028-12-31", func(d time.Time) bool { return d.Day() == 31 }), b.days)
		require.Len(t, b.looks, len(b.days))
	})
}

func TestRecurringOrderIsPaused(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 2).generates().created()
	b.endsOn("2027-05-01")
	left := 0 // cancelled timers
	b.env.SetOnTimerCanceledListener(func(string) { left++ })
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PauseSignal, nil) }, 10*24*time.Hour)
	b.env.RegisterDelayedCallback(func() { require.Equal(t, "PAUSED", b.status().State) }, 15*24*time.Hour)
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.ResumeSignal, nil) }, 40*24*time.Hour)
	b.run()
	// Until 11 March there are orders through the 13th; from 10 April on again.
	want := append(calendar(t, "2027-03-01", "2027-03-13", everyDay), calendar(t, "2027-04-10", "2027-05-01", everyDay)...)
	require.Equal(t, want, b.days)
	require.Equal(t, 2, left, "neither the wait for the first save nor the night that the pause cut short wakes it later")
}

func TestRecurringOrderAfterDowntime(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1)
	b.endsOn("2027-03-20")
	acts := &activities.Recurring{}
	b.env.OnActivity(acts.GenerateOrders, mock.Anything, mock.Anything).Times(5).Return(b.look)
	b.env.OnActivity(acts.GenerateOrders, mock.Anything, mock.Anything).Once().After(3 * day).Return(b.look)
	b.generates().created()
	b.run()
	// The step of 6 March runs on the 9th: days missed in between are past.
	missed := []string{"2027-03-07", "2027-03-08"}
	wanted := func(d time.Time) bool { return !slices.Contains(missed, d.Format(time.DateOnly)) }
	require.Equal(t, calendar(t, "2027-03-01", "2027-03-20", wanted), b.days)
}

// inSteps is a template of 31 days, generated four at a time with a minute
// each, so that events occur in between.
func inSteps(t *testing.T) *template {
	t.Helper()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 30)
	b.batch = 4
	b.env.OnActivity((&activities.Recurring{}).GenerateOrders, mock.Anything, mock.Anything).
		After(time.Minute).Return(b.look)
	return b.created()
}

func TestAGenerationIsInterruptedBetweenItsBatches(t *testing.T) {
	t.Parallel()
	inactive, wednesdays := false, "FREQ=WEEKLY;BYDAY=WE"
	ended := func(b *template) {
		b.saves[9] = recurring.Change{Active: &inactive}
		b.env.RegisterDelayedCallback(func() { b.send(9) }, 10*time.Hour)
	}
	t.Run("ByAPause", func(t *testing.T) {
		t.Parallel()
		b := inSteps(t)
		b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PauseSignal, nil) }, 90*time.Second)
		b.env.RegisterDelayedCallback(func() {
			require.Equal(t, "PAUSED", b.status().State)
			require.Len(t, b.days, 8, "the batch that was under way is the last one")
			b.env.SignalWorkflow(workflows.ResumeSignal, nil)
		}, time.Hour)
		ended(b)
		b.run()
		require.Equal(t, calendar(t, "2027-03-01", "2027-03-31", everyDay), b.days, "what was left is made after it")
	})
	t.Run("ByADeactivation", func(t *testing.T) {
		t.Parallel()
		b := inSteps(t).after(90*time.Second, 1, recurring.Change{Active: &inactive})
		b.run()
		require.Len(t, b.days, 8)
		require.Equal(t, "INACTIVE", b.status().State)
	})
	t.Run("ByAChange", func(t *testing.T) {
		t.Parallel()
		b := inSteps(t).after(90*time.Second, 1, recurring.Change{RuleSet: &wednesdays, UpdateExisting: true})
		ended(b)
		b.run()
		require.Equal(t, []string{"save", "step", "step", "save"}, b.story[:4])
		require.Equal(t, []string{"2027-03-10", "2027-03-17", "2027-03-24", "2027-03-31"}, b.days[8:])
	})
}

// TestOldRunEndsAtItsNextLook has a run that began when a generation still kept its
// turn. Its first two looks are replayed, the third is under this release.
func TestOldRunEndsAtItsNextLook(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1).generates().created()
	b.env.OnGetVersion("share-turns", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
	for _, before := range []string{"end-kept-turns-1", "end-kept-turns-2"} {
		b.env.OnGetVersion(before, workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
	}
	b.env.OnGetVersion("end-kept-turns-3", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.Version(1))
	require.NotNil(t, b.runToTheNext().Carried)
	require.Len(t, b.looks, 3)
}

func TestOldRunMakesChangesInTurn(t *testing.T) {
	t.Parallel()
	thirty, tuesdays, wednesdays, inactive := 30, "FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;BYDAY=WE", false
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 10)
	b.batch, b.keeps = 4, true
	b.env.OnGetVersion(mock.Anything, workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
	// Each step takes a minute, so that the changes arrive in between.
	b.env.OnActivity((&activities.Recurring{}).GenerateOrders, mock.Anything, mock.Anything).
		After(time.Minute).Return(b.look)
	b.created()
	b.after(time.Hour, 1, recurring.Change{DaysAhead: &thirty})
	b.after(time.Hour+90*time.Second, 2, recurring.Change{RuleSet: &tuesdays, UpdateExisting: true})
	b.after(time.Hour+100*time.Second, 3, recurring.Change{RuleSet: &wednesdays, UpdateExisting: true})
	b.after(24*time.Hour, 4, recurring.Change{Active: &inactive})
	b.run()
	require.Equal(t, 5, b.answered, "none is lost")
	require.Equal(t, wednesdays, b.now.RuleSet[len("RRULE:"):])
	require.Equal(t, "INACTIVE", b.status().State)
	first := slices.Index(b.story[1:], "save") + 1
	require.Equal(t, []string{"save", "step", "step", "step", "step", "step"}, b.story[first:first+6],
		"a change waits until the one before it is carried out")
}

func TestRecurringOrderThatWasNeverSavedEnds(t *testing.T) {
	t.Parallel()
	b := newRecurring(t, "Europe/Oslo", "FREQ=DAILY", "2027-03-01 09:00", 1)
	b.env.OnActivity((&activities.Recurring{}).GenerateOrders, mock.Anything, mock.Anything).
		Return(activities.Generated{State: activities.TemplateGone}, nil)
	b.run()
	require.Equal(t, "GONE", b.status().State)
	require.Equal(t, time.Minute, b.env.Now().Sub(b.now.Start))
}
