package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/singleflight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"waybill/domain/installation"
	"waybill/internal/wait"
	"waybill/operations"
	"waybill/workflows"
)

const (
	// compareEvery is how often a process that works looks whether the namespace is still its own.
	compareEvery = time.Minute
	// compareAgain is the interval of retries while the result is unknown.
	compareAgain = time.Second
	// comparePatience is how long it waits for the Temporal server.
	comparePatience = 5 * time.Second
)

// namespaceGate blocks all calls to a Temporal namespace until the namespace is
// known to belong to the database of this process. A service may start while
// the server is unavailable, so the gate is on the connection, which workers,
// the relay and requests share.
type namespaceGate struct {
	namespace string
	// identity returns the installation of the database.
	identity func(context.Context) (installation.Identity, error)
	temporal client.Client
	logger   *slog.Logger

	open    atomic.Bool
	asking  singleflight.Group
	foreign atomic.Pointer[installation.ForeignNamespaceError]
}

// asksForItself marks the gate's own calls, which pass.
type asksForItself struct{}

// intercept delays a call until the gate is open.
func (g *namespaceGate) intercept(
	ctx context.Context, method string, in, out any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if !g.open.Load() && ctx.Value(asksForItself{}) == nil && !isHarmless(method) {
		if err := g.await(ctx); err != nil {
			return err
		}
	}
	return invoke(ctx, method, in, out, conn, options...)
}

// isHarmless reports whether a call only checks the server's availability and
// capabilities.
func isHarmless(method string) bool {
	return strings.HasPrefix(method, "/grpc.health.") || strings.HasSuffix(method, "/GetSystemInfo")
}

// await compares, once for all waiting callers.
func (g *namespaceGate) await(ctx context.Context) error {
	answer := g.asking.DoChan("", func() (any, error) {
		return nil, g.compare(context.WithoutCancel(ctx))
	})
	select {
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	case got := <-answer:
		if got.Err == nil {
			return nil
		}
		code := codes.Unavailable
		if g.foreign.Load() != nil {
			code = codes.FailedPrecondition
		}
		return status.Error(code, got.Err.Error())
	}
}

// compare returns a *installation.ForeignNamespaceError if the namespace belongs to
// another database. It claims an unclaimed namespace.
func (g *namespaceGate) compare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, asksForItself{}, true), comparePatience)
	defer cancel()
	here, err := g.identity(ctx)
	if err != nil {
		return err
	}
	mine := installation.Claim{Identity: here, SeenAt: time.Now()}
	there, err := workflows.ClaimNamespace(ctx, g.temporal, mine)
	if err != nil {
		return err
	}
	if err := installation.Compare(g.namespace, here, there); err != nil {
		var foreign *installation.ForeignNamespaceError
		errors.As(err, &foreign)
		g.foreign.Store(foreign)
		g.open.Store(false)
		return err
	}
	g.foreign.Store(nil)
	g.open.Store(true)
	if there.Turn < here.Turn {
		return workflows.RenewClaim(ctx, g.temporal, mine)
	}
	return nil
}

// atStart compares before anything else begins. An unavailable server does not
// prevent the start: the gate stays closed until it is available.
func (g *namespaceGate) atStart(ctx context.Context) error {
	err := g.compare(ctx)
	if foreign := g.foreign.Load(); foreign != nil {
		return foreign
	}
	if err != nil {
		g.logger.WarnContext(ctx, "cannot check owner of Temporal namespace yet", "error", err)
	}
	return nil
}

// Run compares until ctx ends, and ends with an error if the namespace belongs
// to another database.
func (g *namespaceGate) Run(ctx context.Context) error {
	for {
		after := compareEvery
		if !g.open.Load() {
			after = compareAgain
		}
		if !wait.For(ctx, after) {
			return nil
		}
		err := g.compare(ctx)
		if foreign := g.foreign.Load(); foreign != nil {
			g.logger.ErrorContext(ctx, "Temporal namespace belongs to another database", "error", foreign)
			return foreign
		}
		if err != nil {
			g.logger.DebugContext(ctx, "cannot check owner of Temporal namespace", "error", err)
		}
	}
}

// newGatedTemporal returns the client and its gate. The gate needs the
// database, which is opened later: it calls identity when it first compares.
func newGatedTemporal(
	c config, logger *slog.Logger, identity func(context.Context) (installation.Identity, error), more temporalExtras,
) (client.Client, *namespaceGate, error) {
	gate := &namespaceGate{namespace: c.TemporalNamespace, identity: identity, logger: logger}
	temporal, err := newTemporal(c, logger, more.provider, more.registry, grpc.WithChainUnaryInterceptor(gate.intercept))
	gate.temporal = temporal
	return temporal, gate, err
}

// connectTemporal returns the client of a command, which refuses the namespace
// of another database like a service. Unlike a service, it does nothing before it
// knows whose namespace it is, and fails if it cannot find out.
func connectTemporal(ctx context.Context, c config, o *operations.Operations) (client.Client, error) {
	temporal, gate, err := newGatedTemporal(c, slog.New(slog.DiscardHandler), o.Housekeeping.Installation, temporalExtras{})
	if err != nil {
		return nil, err
	}
	if err := gate.compare(ctx); err != nil {
		temporal.Close()
		return nil, err
	}
	return temporal, nil
}

// awaitTemporal is connectTemporal for a command that cannot do without, and waits while
// the Temporal server does not answer.
func awaitTemporal(ctx context.Context, c config, o *operations.Operations) (temporal client.Client, err error) {
	err = waitFor(ctx, slog.New(slog.DiscardHandler), "Temporal", func(ctx context.Context) (err error) {
		temporal, err = connectTemporal(ctx, c, o)
		return err
	}, func(err error) bool {
		var foreign *installation.ForeignNamespaceError
		return !errors.As(err, &foreign)
	})
	return temporal, err
}
