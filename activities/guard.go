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

// mostPanics is how often a step may panic before that counts as the fault of what it
// is given, or of ours, and as nothing that passes.
const mostPanics = 5

// Guard is an interceptor that ends steps which panic: without it, they would be tried
// for ever.
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

// panicked is the error of a step that panicked. Its cause is for the log alone: a
// history must hold nothing of what it was about.
func panicked(ctx context.Context, cause any) error {
	info := activity.GetInfo(ctx)
	activity.GetLogger(ctx).Error("activity panicked",
		"attempt", info.Attempt, "cause", cause, "stack", string(debug.Stack()))
	if info.Attempt >= mostPanics {
		return temporal.NewNonRetryableApplicationError("the activity panics on every attempt", ErrTypePanicked, nil)
	}
	return temporal.NewApplicationError("the activity panicked", ErrTypePanicked)
}
