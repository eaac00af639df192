package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// WebhookNewsOf is the signal to a webhook endpoint.
type WebhookNewsOf struct {
	// Changed reports that a user has changed the endpoint or replays events,
	// so that it is tried at once, regardless of earlier failures.
	Changed bool `json:"changed,omitempty"`
}

// WebhookNews signals the workflow of a webhook endpoint that there may be events to send,
// and starts it when it is not running.
func WebhookNews(ctx context.Context, c client.Client, in WebhookInput, news WebhookNewsOf) error {
	org, err := OrgName(ctx, c, in.OrgID)
	if err != nil {
		return err
	}
	options := client.StartWorkflowOptions{
		ID:                    WebhookID(org, in.EndpointID),
		TaskQueue:             string(WebhooksQueue),
		Priority:              turnOf(WebhookID(org, in.EndpointID)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(in.OrgID)),
		StaticSummary:         fmt.Sprintf("webhook endpoint %d", in.EndpointID),
	}
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, WebhookNewsSignal, news, options, WebhookEndpoint, in)
	return outOfReach(err)
}
