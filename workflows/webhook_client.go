package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// WebhookNewsOf says what a webhook endpoint is told.
type WebhookNewsOf struct {
	// Changed says that somebody has changed the endpoint or has events sent again, so that
	// it is tried at once, whatever it did before.
	Changed bool `json:"changed,omitempty"`
}

// WebhookNews tells the workflow of a webhook endpoint that there may be something to send,
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
