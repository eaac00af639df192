package export_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/export"
)

// indifferent are the kinds that change no shipment. Every kind in the
// catalogue must be either here or in export.Kinds.
var indifferent = []event.Kind{
	event.StopApproaching, event.StopArrived, event.OrderActed, event.OrderTimePromised, event.OrderTimeMoved,
	event.OrderRecipientInstructed,
	event.OrderRecipientRated,
	event.OrderRecipientPreferred,
	event.OrderProved, event.OrderETAChanged, event.OrderProductsRefused, // the carrier has it by then
	// Nor do its driver and its progress.
	event.OrderPlanned, event.OrderUnplanned, event.OrderPickedUp,
	event.OrderDriversProhibited, event.OrderLocked, event.OrderUnlocked,
	event.OrderRuleSkipped, event.OrderComingUp, event.TrackingReserved, event.TrackingRevoked,
	event.PlanFreshStart, event.PlanRouteHeld, event.PlanRouteReleased,
	event.PlanReleased, event.PlanRouteChanged,
	// The event of the order that a draft becomes is separate.
	event.DraftCreated, event.DraftUpdated, event.DraftPromoted, event.DraftDiscarded,
	event.DraftBooked, event.DraftBookingCancelled,
	event.TemplateCreated, event.TemplateUpdated, event.TemplateDeactivated, event.TemplatePaused, event.TemplateResumed,
	// The export's own events, and the carrier's reports.
	event.ExportOffered, event.ExportAcknowledged, event.ExportWithdrawn, event.ExportClosed, event.ExportUpdated,
	event.MessageQueued, event.MessageDequeued, event.MessageSent, event.MessageFailed, event.MessageSuperseded,
	event.MessageDelivered, event.MessageBounced, event.MessageSpam, event.MessageRetried,
	event.DocumentDeclared, event.DocumentUploaded, event.DocumentAttached, event.DocumentDetached,
	event.DocumentDeleted,
	event.DriverCreated, event.DriverUpdated, event.DriverDeactivated, event.DriverReactivated, event.DriverScheduled,
	event.ExceptionOpened, event.ExceptionResolved,
	event.AlertRaised, event.AlertAcknowledged, event.AlertSnoozed, event.AlertResolved, event.OrderAlerted,
	event.AlertRuleCreated, event.AlertRuleUpdated, event.AlertRuleDeleted,
	event.DriverRouteStarted, event.DriverRouteEnded, event.DriverDutyChanged, event.DriverPictureKept,
	event.DriverPositionsLate, event.DriverMessageSent, event.DriverMessagesRead,
	event.VehicleCreated, event.VehicleUpdated, event.VehicleDeactivated,
	event.CustomFieldCreated, event.CustomFieldUpdated, event.CustomFieldDeleted, event.CustomFieldInactivated,
	event.LocationCreated, event.LocationUpdated, event.LocationDeleted,
	event.CustomerCreated, event.CustomerUpdated, event.CustomerDeactivated,
	event.DepartmentCreated, event.DepartmentUpdated, event.DepartmentDeactivated,
	event.GroupCreated, event.GroupUpdated, event.GroupDeactivated,
	event.SkillCreated, event.SkillUpdated, event.SkillDeactivated,
	event.VehicleTypeCreated, event.VehicleTypeUpdated, event.VehicleTypeDeactivated,
	event.OrderTypeCreated, event.OrderTypeUpdated, event.OrderTypeDeactivated,
	event.ProductCreated, event.ProductUpdated, event.ProductDeactivated,
	event.ZoneCreated, event.ZoneUpdated, event.ZoneDeactivated,
	event.FreightLevelCreated, event.FreightLevelUpdated, event.FreightLevelDeactivated,
	event.CalendarCreated, event.CalendarUpdated, event.CalendarDeactivated,
	event.PriceListCreated, event.PriceListUpdated, event.PriceListDeactivated,
	event.NotificationRuleCreated, event.NotificationRuleUpdated, event.NotificationRuleDeactivated,
	event.FeatureFlagChanged,
	event.CargoCarrierCreated, event.CargoCarrierUpdated, event.CargoCarrierMoved, event.OrderProductScanned,
	event.ContactErased, event.OrdersArchived, event.OrganizationApplied, event.OrganizationUpdated,
	event.OrganizationSuspended, event.OrganizationResumed,
	event.OrganizationZoneChanged, event.PlacesChanged, event.SandboxRunStarted,
	event.SandboxRunEnded, event.KeyCreated, event.KeyRevoked, event.SuppressionLifted,
	event.UserCreated, event.UserInvited, event.UserActivated, event.UserUpdated, event.UserDisabled, event.UserEnabled,
	event.UserResetRequested, event.UserPassphraseChanged, event.FactorAdded, event.FactorRemoved,
	event.PasskeyAdded, event.PasskeyRemoved, event.IdentityLinked,
	event.IdentityProviderCreated, event.IdentityProviderUpdated, event.IdentityProviderDeleted,
	event.WebhookCreated, event.WebhookUpdated, event.WebhookDeleted, event.WebhookSecretRotated, event.WebhookReplayed,
	event.WebhookSwitchedOff,
	event.RecoveryCodeUsed, event.SessionEnded, event.SessionsEnded, event.TokenCreated, event.TokenRevoked,
	event.RoleCreated, event.RoleUpdated, event.DeviceEnrolled, event.DeviceRevoked,
	event.DriverLinkRequested, event.DriverCodeRequested,
}

func TestEachKindIsClassifiedForExports(t *testing.T) {
	t.Parallel()
	var kinds []event.Kind
	for _, entry := range event.Catalogue() {
		kinds = append(kinds, entry.Kind)
	}
	require.ElementsMatch(t, kinds, slices.Concat(export.Kinds(), export.MovedKinds(), indifferent))
}
