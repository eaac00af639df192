package stack

import (
	"context"
	"errors"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"
)

// TemporalNamespace is a private namespace on a server that others start and
// stop.
type TemporalNamespace struct{ address, name string }

// NewTemporalNamespace names a namespace on the server at an address, without
// calling it.
func NewTemporalNamespace(address, name string) *TemporalNamespace {
	return &TemporalNamespace{address: address, name: name}
}

// Start registers the namespace, if needed, and waits until it is usable.
func (n *TemporalNamespace) Start(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, temporalPatience, errors.New("timed out"))
	defer cancel()
	c, err := temporalClient(n.address, n.name)
	if err != nil {
		return err
	}
	defer c.Close()
	return untilReady(ctx, "namespace "+n.name, nil, func(ctx context.Context) error {
		return makeNamespace(ctx, c, n.name)
	})
}

// Address is where clients find the server.
func (n *TemporalNamespace) Address() string { return n.address }

// Namespace is its name.
func (n *TemporalNamespace) Namespace() string { return n.name }

// makeNamespace registers a namespace, and fails until it can be used.
func makeNamespace(ctx context.Context, c client.Client, name string) error {
	if err := registerNamespace(ctx, c, name); err != nil {
		return err
	}
	return usable(ctx, c)
}

// registerNamespace creates a namespace, unless it exists.
func registerNamespace(ctx context.Context, c client.Client, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := c.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(temporalRetention),
	})
	var exists *serviceerror.NamespaceAlreadyExists
	if errors.As(err, &exists) {
		return nil
	}
	return err
}

// usable calls the services behind the frontend, which know a new namespace a
// moment later.
func usable(ctx context.Context, c client.Client) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := c.DescribeTaskQueue(ctx, "readiness", enums.TASK_QUEUE_TYPE_WORKFLOW)
	return err
}
