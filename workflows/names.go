// Package workflows holds the durable lifecycles: what happens and when. It
// computes only from its input and its history; everything that touches the
// world is asked of activities. The small client functions beside each
// workflow are the only way in for the rest of the program.
package workflows

// Every name in this file is part of what the Temporal server keeps: it never
// changes.

// TaskQueue names a queue that workers poll.
type TaskQueue string

// The task queues.
const (
	// ImportsQueue is the queue of bulk imports.
	ImportsQueue TaskQueue = "imports"
	// RecurringOrdersQueue is the queue of recurring order templates.
	RecurringOrdersQueue TaskQueue = "recurring-orders"
	// ExportsQueue is the queue of order exports.
	ExportsQueue TaskQueue = "exports"
	// NotificationsQueue is the queue of messages to people.
	NotificationsQueue TaskQueue = "notifications"
	// PlanningQueue is the queue of plans.
	PlanningQueue TaskQueue = "planning"
	// SandboxQueue is the queue of days that drive by themselves.
	SandboxQueue TaskQueue = "sandbox"
	// DrivingQueue is the queue of drivers' days on the road.
	DrivingQueue TaskQueue = "driving"
	// WebhooksQueue is the queue of webhook endpoints.
	WebhooksQueue TaskQueue = "webhooks"
	// HousekeepingQueue is the queue of what is done now and then for all
	// organizations.
	HousekeepingQueue TaskQueue = "housekeeping"
)

// Queues are all task queues, in the order in which help shows them.
var Queues = []TaskQueue{
	ImportsQueue, RecurringOrdersQueue, NotificationsQueue, ExportsQueue, PlanningQueue, DrivingQueue, SandboxQueue,
	WebhooksQueue, HousekeepingQueue,
}

// The workflow types.
const (
	// ImportOrdersType is the workflow type of a bulk import.
	ImportOrdersType = "ImportOrders"
	// RecurringOrderType is the workflow type of a recurring order template.
	RecurringOrderType = "RecurringOrder"
	// ExportOrderType is the workflow type of the export of one order.
	ExportOrderType = "ExportOrder"
	// NotificationType is the workflow type of a message.
	NotificationType = "Notification"
	// PlanDayType is the workflow type of the plan of one area.
	PlanDayType = "PlanDay"
	// SimulateDayType is the workflow type of a day of a sandbox.
	SimulateDayType = "SimulateDay"
	// DriveDayType is the workflow type of a driver's day on the road.
	DriveDayType = "DriveDay"
	// WebhookEndpointType is the workflow type of a webhook endpoint.
	WebhookEndpointType = "WebhookEndpoint"
	// ResendMessagesType is the workflow type of failed messages that are sent again together.
	ResendMessagesType = "ResendMessages"
	// HousekeepingType is the workflow type of what is done now and then.
	HousekeepingType = "Housekeeping"
)

// Types are all workflow types.
var Types = []string{
	ImportOrdersType, RecurringOrderType, ExportOrderType, NotificationType, PlanDayType, SimulateDayType, DriveDayType,
	WebhookEndpointType, ResendMessagesType, HousekeepingType,
}

// The queries.
const (
	// StatusQuery asks a workflow where it stands.
	StatusQuery = "status"
)

// The updates.
const (
	// SaveUpdate makes a change of a template and answers when it is saved.
	SaveUpdate = "save"
	// AcknowledgeUpdate lets an acknowledgement take effect.
	AcknowledgeUpdate = "acknowledge"
)

// The signals.
const (
	// PauseSignal stops generating orders.
	PauseSignal = "pause"
	// ResumeSignal lets generating go on.
	ResumeSignal = "resume"
	// ChangedSignal makes a template look again at once.
	ChangedSignal = "changed"
	// ExportChangedSignal tells an export that its order may have changed.
	ExportChangedSignal = "changed"
	// PlanChangedSignal tells a plan that what it is made from may have changed.
	PlanChangedSignal = "changed"
	// DriveNewsSignal tells a day on the road that something has happened.
	DriveNewsSignal = "news"
	// WebhookNewsSignal tells a webhook endpoint that there may be something to send.
	WebhookNewsSignal = "news"
	// NotificationReportSignal tells a message that a provider's report has
	// moved it.
	NotificationReportSignal = "report"
)

// RequestIDMemo is the memo under which a workflow keeps the id of the request
// that started it.
const RequestIDMemo = "requestId"

// ErrTypeBounced is the type of the error with which the workflow of a bounced
// message ends.
const ErrTypeBounced = "Bounced"

// HousekeepingSchedule is the schedule on which the house is kept; the IDs of its
// workflows begin with it.
const HousekeepingSchedule = "housekeeping"

// InstallationSchedule is the schedule that keeps whose the namespace is. It never runs.
const InstallationSchedule = "installation"
