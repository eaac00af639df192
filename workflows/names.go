// Package workflows has the durable workflows: they decide what happens and
// when. Workflows compute only from their input and their history; activities
// have all side effects. The client functions next to each workflow are its
// only interface for the rest of the program.
package workflows

// Every name in this file is stored by the Temporal server and must never
// change.

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
	// SandboxQueue is the queue of simulated days.
	SandboxQueue TaskQueue = "sandbox"
	// DrivingQueue is the queue of drivers' days on the road.
	DrivingQueue TaskQueue = "driving"
	// WebhooksQueue is the queue of webhook endpoints.
	WebhooksQueue TaskQueue = "webhooks"
	// PlacesQueue is the queue of addresses that no register has.
	PlacesQueue TaskQueue = "places"
	// HousekeepingQueue is the queue of periodic work for all
	// organizations.
	HousekeepingQueue TaskQueue = "housekeeping"
)

// Queues are all task queues, in the sequence of the command's help.
var Queues = []TaskQueue{
	ImportsQueue, RecurringOrdersQueue, NotificationsQueue, ExportsQueue, PlanningQueue, DrivingQueue, SandboxQueue,
	WebhooksQueue, PlacesQueue, HousekeepingQueue,
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
	// PlaceAddressesType is the workflow type of the addresses of an organization.
	PlaceAddressesType = "PlaceAddresses"
	// LearnTravelType is the workflow type of the travel times that an organization learns.
	LearnTravelType = "LearnTravel"
	// HousekeepingType is the workflow type of periodic work.
	HousekeepingType = "Housekeeping"
)

// Types are all workflow types.
var Types = []string{
	ImportOrdersType, RecurringOrderType, ExportOrderType, NotificationType, PlanDayType, SimulateDayType, DriveDayType,
	WebhookEndpointType, ResendMessagesType, PlaceAddressesType, LearnTravelType, HousekeepingType,
}

// The queries.
const (
	// StatusQuery returns the state of a workflow.
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
	// ResumeSignal resumes generating.
	ResumeSignal = "resume"
	// ChangedSignal makes a template check for work at once.
	ChangedSignal = "changed"
	// ExportChangedSignal signals an export that its order may have
	// changed.
	ExportChangedSignal = "changed"
	// PlanChangedSignal signals a plan that its input may have changed.
	PlanChangedSignal = "changed"
	// DriveNewsSignal signals a day on the road that something has
	// happened.
	DriveNewsSignal = "news"
	// WebhookNewsSignal signals a webhook endpoint that there may be events to send.
	WebhookNewsSignal = "news"
	// PlacesNewsSignal signals an organization's addresses that there may be some to place.
	PlacesNewsSignal = "news"
	// NotificationReportSignal signals a message that a provider's report
	// has changed its status.
	NotificationReportSignal = "report"
)

// RequestIDMemo is the memo that contains the id of the request that started a
// workflow.
const RequestIDMemo = "requestId"

// ErrTypeBounced is the error type with which the workflow of a bounced message
// ends.
const ErrTypeBounced = "Bounced"

// HousekeepingSchedule is the schedule of housekeeping, and the prefix of its
// workflow IDs.
const HousekeepingSchedule = "housekeeping"

// InstallationSchedule is the schedule that keeps whose the namespace is. It never runs.
const InstallationSchedule = "installation"
