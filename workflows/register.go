package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register registers the workflows with a worker or replayer.
func Register(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(ImportOrders, workflow.RegisterOptions{Name: ImportOrdersType})
	r.RegisterWorkflowWithOptions(RecurringOrder, workflow.RegisterOptions{Name: RecurringOrderType})
	r.RegisterWorkflowWithOptions(ExportOrder, workflow.RegisterOptions{Name: ExportOrderType})
	r.RegisterWorkflowWithOptions(Notification, workflow.RegisterOptions{Name: NotificationType})
	r.RegisterWorkflowWithOptions(PlanDay, workflow.RegisterOptions{Name: PlanDayType})
	r.RegisterWorkflowWithOptions(SimulateDay, workflow.RegisterOptions{Name: SimulateDayType})
	r.RegisterWorkflowWithOptions(DriveDay, workflow.RegisterOptions{Name: DriveDayType})
	r.RegisterWorkflowWithOptions(WebhookEndpoint, workflow.RegisterOptions{Name: WebhookEndpointType})
	r.RegisterWorkflowWithOptions(ResendMessages, workflow.RegisterOptions{Name: ResendMessagesType})
	r.RegisterWorkflowWithOptions(PlaceAddresses, workflow.RegisterOptions{Name: PlaceAddressesType})
	r.RegisterWorkflowWithOptions(LearnTravel, workflow.RegisterOptions{Name: LearnTravelType})
	r.RegisterWorkflowWithOptions(Housekeeping, workflow.RegisterOptions{Name: HousekeepingType})
}
