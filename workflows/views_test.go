package workflows_test

import (
	"context"
	"net/url"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/notification"
	"waybill/workflows"
)

// views are the types of workflow that each documented view finds.
var views = map[string][]string{
	"Failed messages":                                      {"Notification"},
	"Messages that failed for one reason":                  {"Notification"},
	"Messages that wait for a provider":                    {"Notification"},
	"Imports at work":                                      {"ImportOrders"},
	"Waiting for a carrier":                                {"ExportOrder"},
	"Orders left over":                                     {"PlanDay"},
	"Late or silent drivers":                               {"DriveDay"},
	"Templates that fail":                                  {"RecurringOrder"},
	"Webhooks that nobody accepts":                         {"WebhookEndpoint"},
	"One organization's messages":                          {"Notification"},
	"Messages and export of one order, by its number":      {"ExportOrder", "Notification"},
	"Messages and export of one order, by its internal id": {"ExportOrder", "Notification"},
	"Everything that failed":                               {"Housekeeping"},
}

// TestEveryDocumentedViewFindsItsWorkflows runs the queries of operations.md on
// a real server.
func TestEveryDocumentedViewFindsItsWorkflows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/operations.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("\\| \\[([^]]+)\\]\\(http://localhost:8233/namespaces/default/workflows\\?query=([^)]+)\\) \\| `([^`]+)` \\|").
		FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, len(views))
	server := startServer(t, searchable()...)
	startWhatViewsFind(t, server)
	for _, row := range rows {
		linked, err := url.PathUnescape(row[2])
		require.NoError(t, err)
		require.Equal(t, row[3], linked, "the link of %s", row[1])
		require.Eventually(t, func() bool {
			found, err := server.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: linked})
			if err != nil {
				t.Logf("%s: %v", row[1], err)
				return false
			}
			var types []string
			for _, e := range found.GetExecutions() {
				types = append(types, e.GetType().GetName())
			}
			slices.Sort(types)
			return slices.Equal(views[row[1]], slices.Compact(types))
		}, 30*time.Second, 50*time.Millisecond, "%s finds %v", row[1], views[row[1]])
	}
}

// searchable returns the flags of a server with all search attributes.
func searchable() (flags []string) {
	for _, key := range workflows.SearchAttributes() {
		if key.GetName() != "WaybillState" {
			flags = append(flags, "--search-attribute", key.GetName()+"="+key.GetValueType().String())
		}
	}
	return flags
}

// startWhatViewsFind starts one order's workflows as the program does, and one workflow in
// each other state that a view looks for.
func startWhatViewsFind(t *testing.T, server client.Client) {
	t.Helper()
	named := workflows.Naming(server, func(context.Context, int64) (string, error) { return "nordfrakt", nil })
	require.NoError(t, workflows.StartNotifications(t.Context(), named, []workflows.NotificationInput{{
		OrgID: 1, Key: "1-2-0", Event: notification.OrderCreated, Channel: notification.Email, OrderID: 1129,
		Number: "NF-2026-0042",
	}}))
	require.NoError(t, workflows.ExportChanged(t.Context(), named,
		workflows.ExportedOrder{OrgID: 1, OrderID: 1129, ExternalID: "NF-2026-0042"}))
	_, err := workflows.StartImport(t.Context(), named, workflows.ImportInput{OrgID: 1, ImportID: 1}, "request")
	require.NoError(t, err)
	state, reason := temporal.NewSearchAttributeKeyKeyword("WaybillState"), temporal.NewSearchAttributeKeyKeyword("WaybillReason")
	for _, of := range [][2]string{
		{"Notification", "failed"},
		{"Notification", "retrying"},
		{"ExportOrder", "pending"},
		{"PlanDay", "LEFT_OVER"},
		{"DriveDay", "SILENT"},
		{"RecurringOrder", "FAILING"},
		{"WebhookEndpoint", "resting"},
		{"Housekeeping", ""},
	} {
		kind, is := of[0], of[1]
		all := []temporal.SearchAttributeUpdate{state.ValueSet(is)}
		if is == "failed" {
			all = append(all, reason.ValueSet(string(notification.RejectedSender)))
		}
		_, err := server.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
			ID: kind + is, TaskQueue: "nobody", TypedSearchAttributes: temporal.NewSearchAttributes(all...),
		}, kind)
		require.NoError(t, err)
	}
	require.NoError(t, server.TerminateWorkflow(t.Context(), "Housekeeping", "", "a test"))
}
