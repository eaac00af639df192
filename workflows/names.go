// Package workflows holds the durable lifecycles: what happens and when. It
// computes only from its input and its history; everything that touches the
// world is asked of activities. The small client functions beside each
// workflow are the only way in for the rest of the program.
package workflows

import "fmt"

// TaskQueue names a queue that workers poll. Queues are part of what the
// Temporal server keeps: they never change.
type TaskQueue string

// The task queues.
const (
	// ImportsQueue is the queue of bulk imports.
	ImportsQueue TaskQueue = "imports"
	// RecurringOrdersQueue is the queue of recurring order templates.
	RecurringOrdersQueue TaskQueue = "recurring-orders"
)

// ExportsQueue is the queue of order exports.
const ExportsQueue TaskQueue = "exports"

// NotificationsQueue is the queue of messages to people.
const NotificationsQueue TaskQueue = "notifications"

// Queues are all task queues, in the order in which help shows them.
var Queues = []TaskQueue{ImportsQueue, RecurringOrdersQueue, NotificationsQueue, ExportsQueue}

// The workflow types.
const (
	// ImportOrdersType is the workflow type of a bulk import.
	ImportOrdersType = "ImportOrders"
	// RecurringOrderType is the workflow type of a recurring order template.
	RecurringOrderType = "RecurringOrder"
)

// ExportOrderType is the workflow type of the export of one order.
const ExportOrderType = "ExportOrder"

// ExportChangedSignal tells an export that its order may have changed.
const ExportChangedSignal = "changed"

// AcknowledgeUpdate lets an acknowledgement take effect.
const AcknowledgeUpdate = "acknowledge"

// NotificationType is the workflow type of a message.
const NotificationType = "Notification"

// NotificationReportSignal is the signal that a provider's report has moved a
// message.
const NotificationReportSignal = "report"

// StatusQuery asks a workflow where it stands.
const StatusQuery = "status"

// ImportID is the workflow ID of an import.
func ImportID(orgID, importID int64) string { return fmt.Sprintf("import/%d/%d", orgID, importID) }

// RecurringOrderID is the workflow ID of a recurring order template.
func RecurringOrderID(orgID, templateID int64) string {
	return fmt.Sprintf("recurring-order/%d/%d", orgID, templateID)
}

// ExportID is the workflow ID of the export of an order.
func ExportID(orgID, orderID int64) string { return fmt.Sprintf("export/%d/%d", orgID, orderID) }

// NotificationID is the workflow ID of a message.
func NotificationID(orgID int64, key string) string {
	return fmt.Sprintf("notification/%d/%s", orgID, key)
}
