package contract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/driving"
	"waybill/domain/notification"
	"waybill/domain/planning"
	"waybill/operations/recurring"
)

// The enums of responses are exactly the constants of the program.
func TestEnumsOfAnswersAreWhatTheProgramSays(t *testing.T) {
	t.Parallel()
	reasons := said(t, "order/reason.go", "Code")
	messages := said(t, "notification/status.go", "Status")
	priorities := slices.DeleteFunc(said(t, "order/order.go", "LocationPriority"), func(p any) bool {
		return p == "LOCATION_PRIORITY_UNSPECIFIED" // which is read as normal
	})
	for name, values := range map[string][]any{
		"ImportReasonCode":              reasons,
		"GenerationStats.lastError":     append(slices.Clone(reasons), recurring.ErrorRecurrence, nil),
		"ImportWarningReason":           said(t, "order/warnings.go", "Code"),
		"NotAppliedReason":              said(t, "order/not_applied.go", "Code"),
		"CancelOrderResult.result":      said(t, "order/cancel.go", "CancelResult"),
		"DraftState":                    said(t, "order/complete.go", "DraftState"),
		"OrderLocation.type":            said(t, "order/order.go", "StopKind"),
		"OrderLocation.status":          append(said(t, "driving/history.go", "StopStatus"), "cancelled"),
		"DriverStop.status":             append(said(t, "driving/history.go", "StopStatus"), "cancelled"),
		"DriverActionResult.outcome":    said(t, "driving/advance.go", "Answer"),
		"DriverAction.type":             deeds(),
		"ExceptionKind":                 said(t, "driving/exception.go", "ExceptionKind"),
		"ResolutionOfException":         said(t, "driving/exception.go", "Resolution"),
		"Exception.resolution":          append(said(t, "driving/exception.go", "Resolution"), nil),
		"OrderLocation.priority":        priorities,
		"OrderLocation.window_source":   said(t, "order/window.go", "WindowSource"),
		"ShipmentStop.priority":         priorities,
		"OrderSkill.type":               said(t, "order/order.go", "SkillType"),
		"ShipmentSkill.type":            said(t, "order/order.go", "SkillType"),
		"OrderExportState":              said(t, "export/export.go", "State"),
		"OrderExport.reason":            append(said(t, "export/export.go", "Reason"), nil),
		"ProtectedOrder.reason":         said(t, "recurring/plan.go", "Protection"),
		"AttachDocumentsFailure.reason": append(said(t, "attachment/attach.go", "Failure"), "UNKNOWN_FAILURE_REASON", nil),
		"WebhookAttempt.fault":          append(said(t, "webhook/webhook.go", "Fault"), nil),
		"NotificationType":              said(t, "notification/status.go", "Channel"),
		"NotificationEvent":             said(t, "notification/event.go", "Event"),
		"RuleSeries":                    said(t, "notification/rule.go", "Series"),
		"NotificationFailure":           said(t, "notification/failure.go", "Failure"),
		"NotificationStep.status":       append(slices.Clone(messages), string(notification.Noted)),
		"NotificationStep.kind":         append(slices.Clone(messages), "attempt", "fault", "report"),
		"EmailStatus":                   statusesOf(notification.Email),
		"SMSStatus":                     statusesOf(notification.SMS),
		"PlanningState":                 append(said(t, "planning/route.go", "State"), "PLANNED", "PENDING", "NONE"),
		"PlanningCertainty":             said(t, "planning/route.go", "Certainty"),
		"PlanningReasonCode":            whyUnplanned(t),
		"PlanningCounterfactual.change": without(said(t, "planning/help.go", "HelpChange"), string(planning.NothingHelps)),
		"PlanningNothingHelps.code":     said(t, "planning/help.go", "NoHelp"),

		"LiveHint.thing": append(said(t, "event/kinds.go", "SubjectType"), said(t, "event/cargo.go", "SubjectType")...),

		"WebhookEndpoint.switchedOffReason": append(said(t, "webhook/webhook.go", "OffReason"), nil),
	} {
		require.ElementsMatch(t, values, schemaOf(t, name).Enum, name)
	}
}

// without returns values but for one.
func without(values []any, one any) []any {
	return slices.DeleteFunc(values, func(value any) bool { return value == one })
}

// whyUnplanned are the reasons for which an order is not planned; a lock has two
// that are called the same.
func whyUnplanned(t *testing.T) (codes []any) {
	t.Helper()
	for _, code := range append(said(t, "planning/orders.go", "Reason"), said(t, "planning/why.go", "Reason")...) {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// said returns the constants of a type in a file of the domain.
func said(t *testing.T, file, typeName string) []any {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../../domain/"+file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []any
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == typeName {
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok {
					text, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					found = append(found, text)
				}
			}
		}
		return true
	})
	require.NotEmpty(t, found, "%s has no constant of %s", file, typeName)
	return found
}

// statusesOf are those that messages of a channel can have.
func statusesOf(channel notification.Channel) []any {
	reached := []any{string(notification.Queued)}
	for _, status := range notification.Statuses {
		for _, outcome := range []notification.Outcome{
			notification.PickedUp, notification.HandedOver, notification.SendingFailed, notification.ReportedDelivered,
			notification.ReportedBounced, notification.ReportedSpam, notification.Noted,
		} {
			to, moved := notification.Next(channel, status, outcome)
			if moved && !slices.Contains(reached, any(string(to))) {
				reached = append(reached, string(to))
			}
		}
	}
	return reached
}

// schemaOf returns a schema, or that of one of its properties.
func schemaOf(t *testing.T, name string) *openapi3.Schema {
	t.Helper()
	schema, property, inside := strings.Cut(name, ".")
	ref := apitest.Document(t).Components.Schemas[schema]
	require.NotNil(t, ref, name)
	if inside {
		ref = ref.Value.Properties[property]
		require.NotNil(t, ref, name)
	}
	return ref.Value
}

// deeds are what drivers can do.
func deeds() (all []any) {
	for _, d := range driving.Deeds() {
		all = append(all, string(d))
	}
	return all
}
