package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/driving"
	"waybill/workflows"
)

// driveBundle runs the workflow of one day on the road on skipped time.
type driveBundle struct {
	env   *testsuite.TestWorkflowEnvironment
	start time.Time

	mu sync.Mutex
	// outcome is the result of each check.
	outcome func(look int) (activities.DriveOutcome, error)
	at      []time.Duration // of the looks, from the start on
	// matched is the result of each match, and matches when they were.
	matched func(match int) (activities.MatchOutcome, error)
	matches []time.Duration
	states  []string // the states by which operators find it, in sequence
}

func setupDrive(t *testing.T) *driveBundle {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &driveBundle{}
	b.env = newEnvironment(&suite, &steps{shown: func(found temporal.SearchAttributes) {
		state, _ := found.GetKeyword(temporal.NewSearchAttributeKeyKeyword("WaybillState"))
		b.states = append(b.states, state)
	}})
	b.start = b.env.Now()
	b.env.SetWorkflowRunTimeout(365 * day)
	workflows.Register(b.env)
	b.env.OnActivity((&activities.Driving{}).LookAtDrive, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, _ activities.DriveInput) (activities.DriveOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.at = append(b.at, b.env.Now().Sub(b.start).Round(time.Second))
			return b.outcome(len(b.at))
		})
	b.env.OnActivity((&activities.Driving{}).MatchDrive, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, _ activities.DriveInput) (activities.MatchOutcome, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.matches = append(b.matches, b.env.Now().Sub(b.start).Round(time.Second))
			return b.matched(len(b.matches))
		})
	return b
}

// wakes returns a day with its next check after some time.
func (b *driveBundle) wakes(after time.Duration) activities.DriveOutcome {
	return activities.DriveOutcome{
		State: driving.DayUnderWay, Done: 3, Stops: 12, Next: "A-4", NextAt: b.start.Add(time.Hour), Wake: b.start.Add(after),
	}
}

func (b *driveBundle) news(after time.Duration) {
	b.env.RegisterDelayedCallback(func() { b.env.SignalWorkflow(workflows.DriveNewsSignal, nil) }, after)
}

func (b *driveBundle) run() {
	b.env.ExecuteWorkflow(workflows.DriveDay, workflows.DriveInput{OrgID: 1, DriverID: 17, Day: "2026-03-02"})
}

func TestDriveDay(t *testing.T) {
	t.Parallel()
	over := activities.DriveOutcome{State: driving.DayOver, Done: 12, Stops: 12}

	t.Run("LooksWhenItIsTimeAndEndsWithTheRoute", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			if look == 3 {
				return over, nil
			}
			return b.wakes(time.Duration(look) * 5 * time.Minute), nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []time.Duration{0, 5 * time.Minute, 10 * time.Minute}, b.at[:3])
		require.Equal(t, []string{"UNDER_WAY", "OVER"}, b.states, "told when it changes")
		require.Equal(t, "The day is over: **12 of 12 stops** are done.", details(t, b.env))
	})

	for simulated, pause := range map[bool]time.Duration{false: 5 * time.Second, true: time.Second} {
		t.Run(fmt.Sprintf("MuchNewsIsOneLook/Simulated=%t", simulated), func(t *testing.T) {
			t.Parallel()
			b := setupDrive(t)
			b.outcome = func(look int) (activities.DriveOutcome, error) {
				if look == 3 {
					return over, nil
				}
				out := b.wakes(10 * time.Hour)
				out.Simulated = simulated
				return out, nil
			}
			for n := range 40 { // every 20 ms for less than a second
				b.news(time.Minute + time.Duration(n)*20*time.Millisecond)
			}
			b.news(time.Hour)
			b.run()
			require.NoError(t, b.env.GetWorkflowError())
			require.Equal(t, []time.Duration{0, time.Minute + pause, time.Hour + pause}, b.at)
		})
	}

	t.Run("NewsAtTheEndIsLookedAt", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			if look == 1 {
				b.env.SignalWorkflow(workflows.DriveNewsSignal, nil)
			}
			return over, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.at, 2)
	})

	t.Run("DrivenLegsAreMatched", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			out := b.wakes(time.Duration(look) * 5 * time.Minute)
			if out.ToMatch = 30; look == 2 {
				out.ToMatch = 0
			}
			if look == 3 {
				out = activities.DriveOutcome{State: driving.DayOver, ToMatch: 1}
			}
			return out, nil
		}
		b.matched = func(match int) (activities.MatchOutcome, error) {
			return activities.MatchOutcome{Matched: 20, Left: 10 * (match % 2)}, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []time.Duration{0, 5 * time.Minute, 10 * time.Minute}, b.at)
		require.Equal(t, []time.Duration{0, 0, 10 * time.Minute, 10 * time.Minute}, b.matches, "until none is left")
	})

	t.Run("ADayThatIsOverWaitsForTheServerOfRoadData", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(int) (activities.DriveOutcome, error) {
			return activities.DriveOutcome{State: driving.DayOver, ToMatch: 1}, nil
		}
		b.matched = func(match int) (activities.MatchOutcome, error) {
			out := activities.MatchOutcome{Failure: "unavailable"}
			if match < 4 {
				out.Again = b.env.Now().Add(time.Minute << (match - 1))
			}
			return out, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.matches, 4)
		require.GreaterOrEqual(t, b.matches[3], 7*time.Minute)
	})

	t.Run("AMatchThatFailsEndsNoDay", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			if look == 2 {
				return over, nil
			}
			out := b.wakes(time.Minute)
			out.ToMatch = 1
			return out, nil
		}
		b.matched = func(int) (activities.MatchOutcome, error) {
			return activities.MatchOutcome{}, errors.New("the database is away")
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.at, 2)
		require.Len(t, b.matches, 3, "it is tried again a few times")
	})

	t.Run("ARunOfAnEarlierReleaseMatchesNothing", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.env.OnGetVersion("match-driven", workflow.DefaultVersion, workflow.Version(1)).Return(workflow.DefaultVersion)
		b.outcome = func(int) (activities.DriveOutcome, error) {
			return activities.DriveOutcome{State: driving.DayOver, ToMatch: 1}, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Empty(t, b.matches)
	})

	t.Run("PoisonEnds", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(int) (activities.DriveOutcome, error) {
			return activities.DriveOutcome{}, temporal.NewNonRetryableApplicationError("refused", activities.ErrTypeRefusedData, nil)
		}
		b.run()
		var failed *temporal.ApplicationError
		require.ErrorAs(t, b.env.GetWorkflowError(), &failed)
		require.Equal(t, activities.ErrTypeRefusedData, failed.Type())
		require.LessOrEqual(t, len(b.at), 2)
	})

	t.Run("OutlivesADatabaseThatIsAway", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			if look < 25 {
				return activities.DriveOutcome{}, errors.New("the database is away")
			}
			return over, nil
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Len(t, b.at, 25)
	})

	t.Run("GoesOnAsNewWhenTold", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		b.env.SetContinueAsNewSuggested(true)
		b.outcome = func(int) (activities.DriveOutcome, error) { return b.wakes(time.Hour), nil }
		b.run()
		var onward *workflow.ContinueAsNewError
		require.ErrorAs(t, b.env.GetWorkflowError(), &onward)
		require.Len(t, b.at, 1)
	})

	t.Run("PeopleSeeWhereTheDriverIs", func(t *testing.T) {
		t.Parallel()
		b := setupDrive(t)
		late := b.wakes(time.Hour)
		late.State, late.Late, late.Heard = driving.DaySilent, 2, b.start
		b.outcome = func(look int) (activities.DriveOutcome, error) {
			if look == 2 {
				return over, nil
			}
			return late, nil
		}
		at := b.start.Add(time.Hour).UTC().Format("2006-01-02 15:04 UTC")
		requireDetails(t, b.env, time.Minute, "**3 of 12 stops** are done; next is **A-4** at "+at)
		requireDetails(t, b.env, time.Minute, "**2 stops** will be **late**.")
		requireDetails(t, b.env, time.Minute, "**Nothing is heard of the driver** since ")
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
	})
}
