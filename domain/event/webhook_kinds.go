package event

// Of webhook endpoints.
const (
	WebhookCreated       Kind = "webhook_endpoint.created"
	WebhookUpdated       Kind = "webhook_endpoint.updated"
	WebhookDeleted       Kind = "webhook_endpoint.deleted"
	WebhookSecretRotated Kind = "webhook_endpoint.secret_rotated"
	// WebhookReplayed is events that are sent to an endpoint again.
	WebhookReplayed Kind = "webhook_endpoint.replayed"
	// WebhookSwitchedOff means that an endpoint was disabled, because it
	// accepted nothing for days or is gone.
	WebhookSwitchedOff Kind = "webhook_endpoint.switched_off"
)
