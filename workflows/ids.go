package workflows

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// A workflow ID names its type, its organization and its subject. Organizations
// have names there that never change (migrations/00105_workflow_names.sql): the
// slug, or the number of an organization that had workflows before IDs contained
// slugs.

// ImportID is the workflow ID of an import.
func ImportID(org string, importID int64) string { return fmt.Sprintf("import/%s/%d", org, importID) }

// RecurringOrderID is the workflow ID of a recurring order template.
func RecurringOrderID(org string, templateID int64) string {
	return fmt.Sprintf("recurring-order/%s/%d", org, templateID)
}

// ExportID is the workflow ID of the export of an order.
func ExportID(org string, orderID int64) string { return fmt.Sprintf("export/%s/%d", org, orderID) }

// NotificationID is the workflow ID of a message.
func NotificationID(org, key string) string { return fmt.Sprintf("notification/%s/%s", org, key) }

// PlanID is the workflow ID of the plan of a day and a department, or 0 for
// none.
func PlanID(org string, departmentID int64, date string) string {
	return fmt.Sprintf("plan/%s/%d/%s", org, departmentID, date)
}

// SimulationID returns the workflow ID of a simulated sandbox day.
func SimulationID(org, date string) string { return fmt.Sprintf("simulate/%s/%s", org, date) }

// DriveID is the workflow ID of a driver's day on the road.
func DriveID(org, day string, driverID int64) string {
	return fmt.Sprintf("drive/%s/%s/%d", org, day, driverID)
}

// WebhookID is the workflow ID of a webhook endpoint.
func WebhookID(org string, endpointID int64) string {
	return fmt.Sprintf("webhook/%s/%d", org, endpointID)
}

// ResendingID is the workflow ID of failed messages that are sent again together.
func ResendingID(org string, resendingID int64) string {
	return fmt.Sprintf("resending/%s/%d", org, resendingID)
}

// PlacesID is the workflow ID of the addresses of an organization.
func PlacesID(org string) string { return "places/" + org }

// LearningID is the workflow ID of the travel times that an organization learns.
func LearningID(org string) string { return "learn-travel/" + org }

// IsID reports whether an ID is that of a workflow of an organization.
func IsID(org, id string) bool {
	for _, kind := range []string{"import", "recurring-order", "export", "notification", "plan", "simulate", "drive", "webhook", "resending"} {
		if strings.HasPrefix(id, kind+"/"+org+"/") {
			return true
		}
	}
	return id == PlacesID(org) || id == LearningID(org)
}

// turnOf makes the server assign the tasks of a workflow, and of all that it
// starts, fairly between organizations: a thousand waiting tasks of one do not
// delay a single task of another. Servers without fairness ignore it.
func turnOf(workflowID string) temporal.Priority {
	return temporal.Priority{FairnessKey: organizationOf(workflowID)}
}

// organizationOf returns the name of an organization in the ID of one of its
// workflows.
func organizationOf(workflowID string) string {
	_, of, _ := strings.Cut(workflowID, "/")
	org, _, _ := strings.Cut(of, "/")
	return org
}

// Names returns the name of an organization in workflow IDs.
type Names func(ctx context.Context, orgID int64) (string, error)

// Naming returns the client with the names that the functions of this package
// call organizations by. Without it they call them by their numbers.
func Naming(c client.Client, names Names) client.Client { return &naming{Client: c, names: names} }

type naming struct {
	client.Client
	names Names
}

// OrgName returns the name of an organization in the IDs of workflows that are
// started and addressed with the client.
func OrgName(ctx context.Context, c client.Client, orgID int64) (string, error) {
	if n, ok := c.(*naming); ok {
		name, err := n.names(ctx, orgID)
		if err != nil {
			return "", fmt.Errorf("name organization %d: %w", orgID, err)
		}
		return name, nil
	}
	return strconv.FormatInt(orgID, 10), nil
}
