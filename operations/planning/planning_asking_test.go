package planning_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
	"waybill/providers/travel"
)

// stuck is a provider that answers only when nobody wants to know any more.
type stuck struct{ asked chan struct{} }

func (stuck) Name() string               { return "stuck" }
func (stuck) Serves(travel.Profile) bool { return true }
func (stuck) Side() int                  { return 50 }

func (s stuck) Legs(ctx context.Context, _ travel.Profile, _, _ []travel.Point) (travel.Answer, error) {
	close(s.asked)
	<-ctx.Done()
	return travel.Answer{}, ctx.Err()
}

// TestEndedSliceAsksNoFurtherQuestions ends a slice while it waits for travel times.
func TestEndedSliceAsksNoFurtherQuestions(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	provider, ended := stuck{make(chan struct{})}, make(chan struct{})
	d.Operations = operations.New(d.Store, func() time.Time { return d.Now }, operations.Settings{
		Planning: planning.Planning{Days: 14, Planners: 1, Tables: travel.NewTables(provider, time.Now)},
	})
	d.Load("A-0", "D-1")
	go func() {
		<-provider.asked
		close(ended)
	}()
	_, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area, Ended: ended})
	require.ErrorIs(t, err, planning.ErrEndedWaiting)
}
