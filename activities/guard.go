package activities

import (
	"context"
	"runtime/debug"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
)

// ErrTypePanicked is the type of the error of an activity that panics whenever it is
// tried.
const ErrTypePanicked = "Panicked"

// mostPanics is how often a step may panic before the cause is taken to be its input
// or a bug, and not a temporary condition.
const mostPanics = 5

// Guard is an interceptor that ends steps that panic: without it, they would be
// retried forever.
type Guard struct {
	interceptor.WorkerInterceptorBase
}

// InterceptActivity guards one activity.
func (*Guard) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	g := &guarded{}
	g.Next = next
	return g
}

type guarded struct {
	interceptor.ActivityInboundInterceptorBase
}

// ExecuteActivity runs the activity.
func (g *guarded) ExecuteActivity(
	ctx context.Context, in *interceptor.ExecuteActivityInput,
) (result any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked(ctx, cause)
		}
	}()
	return g.Next.ExecuteActivity(ctx, in)
}

// panicked returns the error of a step that panicked. Its cause is only logged:
// a history must not contain data.
func panicked(ctx context.Context, cause any) error {
	info := activity.GetInfo(ctx)
	activity.GetLogger(ctx).Error("activity panicked",
		"attempt", info.Attempt, "cause", cause, "stack", string(debug.Stack()))
	if info.Attempt >= mostPanics {
		return temporal.NewNonRetryableApplicationError("the activity panics on every attempt", ErrTypePanicked, nil)
	}
	return temporal.NewApplicationError("the activity panicked", ErrTypePanicked)
}
