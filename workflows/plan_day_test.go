package workflows_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/planning"
	"waybill/workflows"
)

// planBundle runs the workflow of one plan on skipped time.
type planBundle struct {
	env *testsuite.TestWorkflowEnvironment

	mu sync.Mutex
	// outcome is the result of each check of the plan.
	outcome func(look int, in activities.PlanInput) (activities.PlanOutcome, error)
	looks   []activities.PlanInput
	at      []time.Time
	// explained counts the computations of counterfactuals.
	explained int
	// drawn counts the stretches of drawing routes, and toDraw is how many are needed.
	drawn, toDraw int
	// choices are the results of choosing the days of orders, one after the other; then it fails.
	choices []activities.ChooseOutcome
	chosen  int
	// busy is how often others came first before that.
	busy int
}

func setupPlan(t *testing.T, outcome func(int, activities.PlanInput) (activities.PlanOutcome, error)) *planBundle {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &planBundle{env: newEnvironment(&suite), outcome: outcome}
	b.env.SetWorkflowRunTimeout(365 * day)
	workflows.Register(b.env)
	acts := &activities.Planning{}
	b.env.OnActivity(acts.ImproveDay, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.PlanInput) (activities.PlanOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.looks, b.at = append(b.looks, in), append(b.at, b.env.Now())
			return b.outcome(len(b.looks), in)
		})
	b.env.OnActivity(acts.ExplainDay, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.PlanInput) (activities.ExplainOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.explained++
			if b.explained <= b.busy {
				return activities.ExplainOutcome{Left: 1}, nil
			}
			return activities.ExplainOutcome{Explained: 1}, nil
		})
	b.env.OnActivity(acts.ChooseDays, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.PlanInput) (activities.ChooseOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.chosen++
			if b.chosen > len(b.choices) {
				return activities.ChooseOutcome{}, temporal.NewNonRetryableApplicationError("strange data", "Strange", nil)
			}
			return b.choices[b.chosen-1], nil
		})
	b.env.OnActivity(acts.DrawDay, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.PlanInput) (activities.DrawOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.drawn++
			if b.toDraw == 0 {
				return activities.DrawOutcome{}, errors.New("the server of travel times is strange")
			}
			return activities.DrawOutcome{Drawn: 1, Left: b.toDraw - b.drawn}, nil
		})
	return b
}

func (b *planBundle) change(after time.Duration) {
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.PlanChangedSignal, nil) }, after)
}

func (b *planBundle) run() {
	b.env.ExecuteWorkflow(workflows.PlanDay, workflows.PlanInput{OrgID: 1, DepartmentID: 7, Date: "2026-03-02"})
}

// lengths are the durations of the searches in milliseconds; 0 is as long as a
// change needs.
func (b *planBundle) lengths() []int64 {
	var all []int64
	for _, look := range b.looks {
		all = append(all, look.Millis)
	}
	return all
}

// until is a plan that is as good as it gets, until the day is over.
func until(end time.Time) func(int, activities.PlanInput) (activities.PlanOutcome, error) {
	return func(int, activities.PlanInput) (activities.PlanOutcome, error) {
		return activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Drivers: 1, Wake: &end}, nil
	}
}

func TestPlanDay(t *testing.T) {
	t.Parallel()

	// gathers has news every 100 ms for five seconds.
	gathers := func(t *testing.T, released bool) (first time.Duration, looks int) {
		t.Helper()
		b := setupPlan(t, func(int, activities.PlanInput) (activities.PlanOutcome, error) {
			return activities.PlanOutcome{State: planning.DayOver}, nil
		})
		if released {
			b.env.OnGetVersion("news-first", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
		}
		start := b.env.Now()
		for n := range 50 {
			b.change(time.Duration(n) * 100 * time.Millisecond)
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		return b.at[0].Sub(start), len(b.looks)
	}

	t.Run("GathersWhatHappensAtOnce", func(t *testing.T) {
		t.Parallel()
		first, looks := gathers(t, false)
		require.LessOrEqual(t, first, 200*time.Millisecond, "a plan that takes no time is not waited for")
		require.LessOrEqual(t, looks, 40, "several pieces of news are one look")
	})

	t.Run("ChoosesTheDaysOfOrders", func(t *testing.T) {
		t.Parallel()
		var b *planBundle
		b = setupPlan(t, func(_ int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			if len(b.at) > 1 && b.at[len(b.at)-1].Sub(b.at[0]) > 20*time.Minute {
				return activities.PlanOutcome{State: planning.DayOver}, nil
			}
			return activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Drivers: 1, Several: 2}, nil
		})
		again, last := b.env.Now().Add(10*time.Minute), b.env.Now().Add(30*time.Minute)
		b.choices = []activities.ChooseOutcome{{Moved: 1, Left: 1}, {Again: &again}, {Again: &last}}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 3, b.chosen, "what is left is chosen at once, and then again when it is time")
	})

	t.Run("GoesOnWhereNoDayCanBeChosen", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			if look > 2 {
				return activities.PlanOutcome{State: planning.DayOver}, nil
			}
			return activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Drivers: 1, Several: 1}, nil
		})
		b.change(time.Hour)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 1, b.chosen)
	})

	t.Run("DrawsItsRoutesWhereAServerCan", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct {
			travel        string
			toDraw, drawn int
			before        bool
		}{{"crow", 3, 0, false}, {"osrm", 3, 3, false}, {"osrm", 0, 3, false}, {"osrm", 3, 0, true}} {
			b := setupPlan(t, func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
				if look > 1 {
					return activities.PlanOutcome{State: planning.DayOver}, nil
				}
				return activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Drivers: 1, Travel: c.travel}, nil
			})
			b.toDraw = c.toDraw
			if c.before {
				b.env.OnGetVersion("draw-ways", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
			}
			b.run()
			require.NoError(t, b.env.GetWorkflowError(), "a plan is complete without them")
			require.Equal(t, c.drawn, b.drawn, "%+v", c)
		}
	})

	t.Run("EndsWhenTheDayEndsDuringASearch", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, func(_ int, in activities.PlanInput) (activities.PlanOutcome, error) {
			if in.Millis > 0 {
				return activities.PlanOutcome{State: planning.DayOver}, nil
			}
			return activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Gain: 1}, nil
		})
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.looks, 2)
	})

	t.Run("GathersForTwoSecondsAsItDid", func(t *testing.T) {
		t.Parallel()
		first, looks := gathers(t, true)
		require.InDelta(t, 2*time.Second, first, float64(200*time.Millisecond), "two seconds are the most")
		require.LessOrEqual(t, looks, 4)
	})

	t.Run("FindsOutWhatWouldHelpOnceOthersHaveTheirPlans", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		b.busy = 2
		over := b.env.Now().Add(time.Hour)
		b.outcome = func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			out := activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Unplanned: 1, Wake: &over}
			if look == 3 {
				out.State = planning.DayOver
			}
			return out, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 3, b.explained)
	})

	t.Run("NewsEndsALookForSomethingBetter", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		over := b.env.Now().Add(time.Hour)
		b.outcome = func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			out := activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Wake: &over, Gain: 0.2}
			switch look {
			case 2:
				b.env.SignalWorkflow(workflows.PlanChangedSignal, nil)
			case 3:
				out.State = planning.DayOver
			}
			return out, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []int64{0, 10_000, 0}, b.lengths())
	})

	t.Run("LooksForSomethingBetterAsLongAsItWins", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		over := b.env.Now().Add(8 * time.Hour)
		b.outcome = func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			out := activities.PlanOutcome{State: planning.DayPlanned, Planned: 3, Wake: &over, Gain: 0.2}
			if look > 4 {
				out.Gain = 0.0001
			}
			if !b.env.Now().Before(over) {
				out.State = planning.DayOver
			}
			return out, nil
		}
		b.change(time.Hour)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []int64{0, 10_000, 30_000, 0, 10_000, 0}, b.lengths())
		require.Zero(t, b.explained, "nothing is left over")
	})

	t.Run("WaitsBehindAnImportButNotForEver", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, func(_ int, in activities.PlanInput) (activities.PlanOutcome, error) {
			if in.Patient {
				return activities.PlanOutcome{State: planning.DayEmpty}, nil
			}
			return activities.PlanOutcome{State: planning.DayBehindImport}, nil
		})
		start := b.env.Now()
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.looks, 61)
		require.WithinDuration(t, start.Add(70*time.Second), b.env.Now(), 5*time.Second)
	})

	t.Run("ADayThatIsFarAwaySleeps", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		opens := b.env.Now().Add(20 * day)
		b.outcome = func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			if look == 1 {
				return activities.PlanOutcome{State: planning.DayNotYet, Wake: &opens}, nil
			}
			return activities.PlanOutcome{State: planning.DayOver}, nil
		}
		for n := range 20 {
			b.change(time.Duration(n) * day)
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.WithinDuration(t, opens, b.at[1], time.Minute)
	})

	t.Run("TellsWhatWouldHelp", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		over := b.env.Now().Add(time.Hour)
		b.outcome = func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			if look > 2 {
				return activities.PlanOutcome{State: planning.DayOver}, nil
			}
			return activities.PlanOutcome{
				State: planning.DayPlanned, Planned: 12, Drivers: 3, Unplanned: 3, Wake: &over, Travel: "osrm",
				TravelFailure: "the server answered 503",
				Why:           map[planning.Reason]int{planning.NoCoordinates: 1, planning.FleetFull: 2},
			}, nil
		}
		requireDetails(t, b.env, time.Minute, "**12 orders** are with **3 drivers**.")
		requireDetails(t, b.env, time.Minute, "**3 orders** are left over: 2 × `FLEET_FULL`, 1 × `NO_COORDINATES`.")
		requireDetails(t, b.env, time.Minute, "as the crow flies where `osrm` did not say them: the server answered 503.")
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 1, b.explained)
	})

	t.Run("ALongLifeIsContinuedAnew", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, nil)
		b.outcome = until(b.env.Now().Add(day))
		b.env.SetContinueAsNewSuggested(true)
		b.run()
		require.True(t, workflow.IsContinueAsNewError(b.env.GetWorkflowError()))
		require.Len(t, b.looks, 1, "what was asked for is done first")
	})

	t.Run("ItOutlastsADatabaseThatIsAway", func(t *testing.T) {
		t.Parallel()
		b := setupPlan(t, func(look int, _ activities.PlanInput) (activities.PlanOutcome, error) {
			if look <= 8 {
				return activities.PlanOutcome{}, errors.New("connection refused")
			}
			return activities.PlanOutcome{State: planning.DayOver}, nil
		})
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.looks, 9)
	})
}
