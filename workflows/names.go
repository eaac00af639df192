// Package workflows holds the durable lifecycles: what happens and when. It
// computes only from its input and its history; everything that touches the
// world is asked of activities. The small client functions beside each
// workflow are the only way in for the rest of the program.
package workflows

import "fmt"

// TaskQueue names a queue that workers poll. Queues are part of what the
// Temporal server keeps: they never change.
type TaskQueue string

// ImportsQueue is the queue of bulk imports.
const ImportsQueue TaskQueue = "imports"

// NotificationsQueue is the queue of messages to people.
const NotificationsQueue TaskQueue = "notifications"

// Queues are all task queues, in the order in which help shows them.
var Queues = []TaskQueue{ImportsQueue, NotificationsQueue}

// ImportOrdersType is the workflow type of a bulk import.
const ImportOrdersType = "ImportOrders"

// NotificationType is the workflow type of a message.
const NotificationType = "Notification"

// NotificationReportSignal is the signal that a provider's report has moved a
// message.
const NotificationReportSignal = "report"

// StatusQuery asks a workflow where it stands.
const StatusQuery = "status"

// ImportID is the workflow ID of an import.
func ImportID(orgID, importID int64) string { return fmt.Sprintf("import/%d/%d", orgID, importID) }

// NotificationID is the workflow ID of a message.
func NotificationID(orgID int64, key string) string {
	return fmt.Sprintf("notification/%d/%s", orgID, key)
}
