package activities_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// searches replaces the search: each lasts until it is ended.
type searches struct {
	begun chan struct{}
	err   error
}

func (s searches) PlanDay(ctx context.Context, _ caller.Caller, slice planningops.PlanningSlice) (planningops.PlannedDay, error) {
	close(s.begun)
	select {
	case <-slice.Ended:
		return planningops.PlannedDay{State: planning.DayPlanned, Planned: 3}, s.err
	case <-ctx.Done():
		return planningops.PlannedDay{}, ctx.Err()
	}
}

func (s searches) DrawDay(context.Context, caller.Caller, planningops.PlanningSlice) (planningops.DrawnDay, error) {
	return planningops.DrawnDay{}, s.err
}

func (s searches) ChooseDays(context.Context, caller.Caller, planningops.PlanningSlice) (planningops.ChosenDays, error) {
	return planningops.ChosenDays{}, s.err
}

func (s searches) ExplainDay(_ context.Context, _ caller.Caller, slice planningops.PlanningSlice) (planningops.ExplainedDay, error) {
	close(s.begun)
	<-slice.Ended
	return planningops.ExplainedDay{Explained: 2, Left: 1}, s.err
}

var longSearch = activities.PlanInput{OrgID: 1, Date: "2026-03-02", Millis: time.Hour.Milliseconds()}

// TestASearchEndsWithItsWorker stops a worker during a search, which then saves
// its result instead of delaying the worker.
func TestASearchEndsWithItsWorker(t *testing.T) {
	t.Parallel()
	for _, explains := range []bool{false, true} {
		s := searches{begun: make(chan struct{})}
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		plans := activities.NewPlanning(s)
		env.RegisterActivity(plans)
		stop := make(chan struct{})
		env.SetWorkerStopChannel(stop)
		go func() {
			<-s.begun
			close(stop)
		}()
		if explains {
			value, err := env.ExecuteActivity(plans.ExplainDay, longSearch)
			require.NoError(t, err)
			var out activities.ExplainOutcome
			require.NoError(t, value.Get(&out))
			require.Equal(t, activities.ExplainOutcome{Explained: 2, Left: 1}, out)
			continue
		}
		value, err := env.ExecuteActivity(plans.ImproveDay, longSearch)
		require.NoError(t, err)
		var out activities.PlanOutcome
		require.NoError(t, value.Get(&out))
		require.Equal(t, 3, out.Planned)
	}
}

// TestASearchWithoutRoomIsTriedAgainSoon has the server wait, and not the worker.
func TestASearchWithoutRoomIsTriedAgainSoon(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	plans := activities.NewPlanning(searches{err: planningops.ErrSeatsTaken})
	env.RegisterActivity(plans)
	_, err := env.ExecuteActivity(plans.ChooseDays, longSearch)
	var busy *temporal.ApplicationError
	require.ErrorAs(t, err, &busy)
	require.False(t, busy.NonRetryable())
	require.Equal(t, temporal.ApplicationErrorCategoryBenign, busy.Category())
	require.Positive(t, busy.NextRetryDelay())
	require.LessOrEqual(t, busy.NextRetryDelay(), 5*time.Second)
}

// TestACancelledSearchNeverFails because a failure would end its workflow: a
// waiting search has done nothing, and a failed one counts as cancelled.
func TestACancelledSearchNeverFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ is, want error }{
		{planningops.ErrEndedWaiting, nil}, {planningops.ErrSeatsTaken, nil}, {errors.New("the database is away"), context.Canceled},
	} {
		s := searches{begun: make(chan struct{}), err: c.is}
		plans := activities.NewPlanning(s)
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		var out activities.PlanOutcome
		var ended error
		cancelled := func(ctx context.Context, in activities.PlanInput) error {
			ctx, cancel := context.WithCancel(ctx)
			go func() {
				<-s.begun
				cancel()
			}()
			out, ended = plans.ImproveDay(ctx, in)
			return nil
		}
		env.RegisterActivity(cancelled)
		_, err := env.ExecuteActivity(cancelled, longSearch)
		require.NoError(t, err)
		require.ErrorIs(t, ended, c.want)
		require.Empty(t, out)
	}
}
