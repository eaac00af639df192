package event

import "slices"

// Kind names a change of state in the log. Kinds are stored permanently and
// must not be renamed.
type Kind string

// The kinds that orders write.
const (
	OrderCreated     Kind = "order.created"
	OrderUpdated     Kind = "order.updated"
	OrderMerged      Kind = "order.merged"
	OrderCancelled   Kind = "order.cancelled"
	OrderReactivated Kind = "order.reactivated"
	// OrderNumberCancelled and OrderNumberReplanned concern one number of a
	// shared order, which itself stays active.
	OrderNumberCancelled Kind = "order.number_cancelled"
	OrderNumberReplanned Kind = "order.number_replanned"
	OrderDelivered       Kind = "order.delivered"
	OrderFailed          Kind = "order.failed"
	// OrderPlanned is an order that got a driver, another driver, or another
	// ETA; OrderUnplanned is one that lost its driver.
	OrderPlanned   Kind = "order.planned"
	OrderUnplanned Kind = "order.unplanned"
	OrderPickedUp  Kind = "order.picked_up"
	// OrderCorrected records a status that a user corrected.
	OrderCorrected Kind = "order.corrected"
	// OrderSplit is an order that gave goods to new ones.
	OrderSplit Kind = "order.split"
	// OrderContactErased is an order from which a person was erased.
	OrderContactErased Kind = "order.contact_erased"
	// OrderDriversProhibited records a new list of prohibited drivers, and
	// OrderLocked a lock to one driver.
	OrderDriversProhibited Kind = "order.prohibited_drivers_changed"
	OrderLocked            Kind = "order.locked"
	OrderUnlocked          Kind = "order.unlocked"
	// OrderRuleSkipped is a transformation rule that failed, and so changed
	// nothing.
	OrderRuleSkipped      Kind = "order.rule_skipped"
	OrderBooked           Kind = "order.booked"
	OrderBookingCancelled Kind = "order.booking_cancelled"
	TrackingReserved      Kind = "order.tracking_link_reserved"
	TrackingRevoked       Kind = "order.tracking_link_revoked"
	// OrderActed records a driver's action that changes no status: a note, a scan,
	// or an action that came too late. OrderProductsRefused accompanies a delivery.
	OrderActed Kind = "order.driver_acted"
	// OrderProductScanned is a product whose barcode was read somewhere on its way.
	OrderProductScanned  Kind = "order.product_scanned"
	OrderProductsRefused Kind = "order.products_refused"
	// OrderProved is a proof of completion that joined the chain of its organization.
	OrderProved Kind = "order.proved"
	// OrderETAChanged records that the announced ETA changed because of the
	// driver's progress.
	OrderETAChanged Kind = "order.eta_changed"
	// OrderComingUp is an order whose date is as many days ahead as a reminder rule
	// requires.
	OrderComingUp Kind = "order.coming_up"
	// OrderTimePromised is the time of a stop that its recipient was told first, and
	// OrderTimeMoved one that they are told because it has moved.
	OrderTimePromised Kind = "order.time_promised"
	OrderTimeMoved    Kind = "order.time_moved"
	// OrderRecipientInstructed is a recipient who asks something of the driver, or no longer does.
	OrderRecipientInstructed Kind = "order.recipient_instructed"
	// OrderRecipientRated is a recipient who says what they think of a delivery.
	OrderRecipientRated Kind = "order.recipient_rated"
	// OrderRecipientPreferred is a recipient who says how they want to hear of a delivery.
	OrderRecipientPreferred Kind = "order.recipient_preferred"
	StopApproaching         Kind = "stop.approaching"
	StopArrived             Kind = "stop.arrived"
	// StopPlaced is an order whose stop is somewhere else, because a person has moved the pin of
	// its address, a register has changed, or a provider has found it.
	StopPlaced Kind = "stop.placed"
)

// The kinds that exceptions write. Their name is the day.
const (
	// ExceptionOpened is something that the office must look at.
	ExceptionOpened   Kind = "exception.opened"
	ExceptionResolved Kind = "exception.resolved"
)

// The kinds that alerts write. Their name is the number of the order, or the day.
const (
	// AlertRaised is something of which a rule alerts the office.
	AlertRaised       Kind = "alert.raised"
	AlertAcknowledged Kind = "alert.acknowledged"
	AlertSnoozed      Kind = "alert.snoozed"
	// AlertResolved is an alert whose cause is gone.
	AlertResolved Kind = "alert.resolved"
	// OrderAlerted is an alert about an order that integrators are told of.
	OrderAlerted Kind = "order.alerted"

	AlertRuleCreated Kind = "alert_rule.created"
	AlertRuleUpdated Kind = "alert_rule.updated"
	AlertRuleDeleted Kind = "alert_rule.deleted"
)

// The kinds that drafts write.
const (
	DraftCreated Kind = "draft.created"
	DraftUpdated Kind = "draft.updated"
	// DraftPromoted precedes the event of the order that it became.
	DraftPromoted         Kind = "draft.promoted"
	DraftDiscarded        Kind = "draft.discarded"
	DraftBooked           Kind = "draft.booked"
	DraftBookingCancelled Kind = "draft.booking_cancelled"
)

// The kinds that templates of recurring orders write.
const (
	TemplateCreated     Kind = "recurring_order.created"
	TemplateUpdated     Kind = "recurring_order.updated"
	TemplateDeactivated Kind = "recurring_order.deactivated"
	TemplatePaused      Kind = "recurring_order.paused"
	TemplateResumed     Kind = "recurring_order.resumed"
)

// The kinds that exports write.
const (
	ExportMarked       Kind = "export.marked" // by hand
	ExportOffered      Kind = "export.offered"
	ExportAcknowledged Kind = "export.acknowledged"
	ExportWithdrawn    Kind = "export.withdrawn"
	ExportClosed       Kind = "export.closed"
	// ExportUpdated is a carrier's report on a shipment.
	ExportUpdated Kind = "export.external_update"
)

// The kinds that messages write, one per status.
const (
	MessageQueued   Kind = "notification.queued"
	MessageDequeued Kind = "notification.dequeued"
	MessageSent     Kind = "notification.sent"
	MessageFailed   Kind = "notification.failed"
	// MessageSuperseded is a message that was not sent because it no longer
	// applied. Its status is failed, and nobody needs to act on it.
	MessageSuperseded Kind = "notification.superseded"
	MessageDelivered  Kind = "notification.delivered"
	MessageBounced    Kind = "notification.bounced"
	MessageSpam       Kind = "notification.spam"
	// MessageRetried is a message that was sent again as a new one.
	MessageRetried Kind = "notification.retried"
)

// The kinds that documents write.
const (
	DocumentDeclared Kind = "document.declared"
	DocumentUploaded Kind = "document.uploaded"
	DocumentAttached Kind = "document.attached"
	DocumentDetached Kind = "document.detached"
	DocumentDeleted  Kind = "document.deleted"
)

// The kinds that plans write.
const (
	// PlanFreshStart requests a plan that ignores the previous one.
	PlanFreshStart Kind = "plan.fresh_start"
	// PlanRouteHeld is a sequence of a route that a person holds, and PlanRouteReleased
	// that nobody holds it any more.
	PlanRouteHeld     Kind = "plan.route_held"
	PlanRouteReleased Kind = "plan.route_released"
	// PlanReleased is a plan that was released to its drivers, and PlanRouteChanged a route that
	// became another one after that.
	PlanReleased     Kind = "plan.released"
	PlanRouteChanged Kind = "plan.route_changed"
)

// The kinds that master data write.
const (
	DriverCreated     Kind = "driver.created"
	DriverUpdated     Kind = "driver.updated"
	DriverDeactivated Kind = "driver.deactivated"
	DriverReactivated Kind = "driver.reactivated"
	DriverScheduled   Kind = "driver.scheduled"
	// DriverRouteStarted and DriverRouteEnded are the bounds of a day on the road.
	DriverRouteStarted Kind = "driver.route_started"
	DriverRouteEnded   Kind = "driver.route_ended"
	// DriverDutyChanged means that a driver went on duty or off duty.
	DriverDutyChanged Kind = "driver.duty_changed"
	// DriverPictureKept is a picture whose bytes a device brought.
	DriverPictureKept Kind = "driver.picture_kept"
	// DriverPositionsLate means that positions came of a way that was driven a while ago.
	DriverPositionsLate Kind = "driver.positions_late"
	// DriverMessageSent is a message from the office to a driver, or the other way round, and
	// DriverMessagesRead are those that the other side has read.
	DriverMessageSent      Kind = "driver.message_sent"
	DriverMessagesRead     Kind = "driver.messages_read"
	VehicleCreated         Kind = "vehicle.created"
	VehicleUpdated         Kind = "vehicle.updated"
	VehicleDeactivated     Kind = "vehicle.deactivated"
	CustomFieldCreated     Kind = "custom_field.created"
	CustomFieldUpdated     Kind = "custom_field.updated"
	CustomFieldDeleted     Kind = "custom_field.deleted"
	CustomFieldInactivated Kind = "custom_field.inactivated"
	LocationCreated        Kind = "location.created"
	LocationUpdated        Kind = "location.updated"
	LocationDeleted        Kind = "location.deleted"
)

// Changes of master data by users.
const (
	CustomerCreated         Kind = "customer.created"
	CustomerUpdated         Kind = "customer.updated"
	CustomerDeactivated     Kind = "customer.deactivated"
	DepartmentCreated       Kind = "department.created"
	DepartmentUpdated       Kind = "department.updated"
	DepartmentDeactivated   Kind = "department.deactivated"
	GroupCreated            Kind = "group.created"
	GroupUpdated            Kind = "group.updated"
	GroupDeactivated        Kind = "group.deactivated"
	SkillCreated            Kind = "skill.created"
	SkillUpdated            Kind = "skill.updated"
	SkillDeactivated        Kind = "skill.deactivated"
	VehicleTypeCreated      Kind = "vehicle_type.created"
	VehicleTypeUpdated      Kind = "vehicle_type.updated"
	VehicleTypeDeactivated  Kind = "vehicle_type.deactivated"
	OrderTypeCreated        Kind = "order_type.created"
	OrderTypeUpdated        Kind = "order_type.updated"
	OrderTypeDeactivated    Kind = "order_type.deactivated"
	ProductCreated          Kind = "product.created"
	ProductUpdated          Kind = "product.updated"
	ProductDeactivated      Kind = "product.deactivated"
	ZoneCreated             Kind = "zone.created"
	ZoneUpdated             Kind = "zone.updated"
	ZoneDeactivated         Kind = "zone.deactivated"
	FreightLevelCreated     Kind = "freight_level.created"
	FreightLevelUpdated     Kind = "freight_level.updated"
	FreightLevelDeactivated Kind = "freight_level.deactivated"
	CalendarCreated         Kind = "calendar.created"
	CalendarUpdated         Kind = "calendar.updated"
	CalendarDeactivated     Kind = "calendar.deactivated"
	PriceListCreated        Kind = "price_list.created"
	PriceListUpdated        Kind = "price_list.updated"
	PriceListDeactivated    Kind = "price_list.deactivated"

	NotificationRuleCreated     Kind = "notification_rule.created"
	NotificationRuleUpdated     Kind = "notification_rule.updated"
	NotificationRuleDeactivated Kind = "notification_rule.deactivated"
	// FeatureFlagChanged is a switch of the organization that was turned on or off.
	FeatureFlagChanged Kind = "feature_flag.changed"
)

// The kinds that the administration of an organization writes.
const (
	OrganizationApplied Kind = "organization.applied"
	// OrganizationUpdated records changed settings of an organization.
	OrganizationUpdated Kind = "organization.updated"
	// OrganizationSuspended and OrganizationResumed record that an operator suspended an
	// organization or resumed it.
	OrganizationSuspended Kind = "organization.suspended"
	OrganizationResumed   Kind = "organization.resumed"
	// ContactErased records that a person was erased, without naming them.
	ContactErased Kind = "organization.contact_erased"
	// OrdersArchived are rows that were archived and removed because of their age.
	OrdersArchived Kind = "organization.orders_archived"
	// SandboxRunStarted and SandboxRunEnded are the start and end of a simulated
	// sandbox day.
	SandboxRunStarted Kind = "sandbox_run.started"
	SandboxRunEnded   Kind = "sandbox_run.ended"
	// PlacesChanged is a pin of the organization or an address register that changed, so that
	// addresses must be looked up again.
	PlacesChanged Kind = "places.changed"
	// OrganizationZoneChanged is a time zone that became another one.
	OrganizationZoneChanged Kind = "organization.timezone_changed"
	KeyCreated              Kind = "key.created"
	KeyRevoked              Kind = "key.revoked"
	// SuppressionLifted is an address that gets messages again. It is about the
	// message that had closed it, because addresses must not be in the log.
	SuppressionLifted Kind = "suppression.lifted"
)

// Events of people. The person concerned also gets a message for
// invitations, resets and changes.
const (
	UserCreated           Kind = "user.created"
	UserInvited           Kind = "user.invited"
	UserActivated         Kind = "user.activated"
	UserUpdated           Kind = "user.updated"
	UserDisabled          Kind = "user.disabled"
	UserEnabled           Kind = "user.enabled"
	UserResetRequested    Kind = "user.reset_requested"
	UserPassphraseChanged Kind = "user.passphrase_changed"
	FactorAdded           Kind = "user.factor_added"
	FactorRemoved         Kind = "user.factor_removed"
	PasskeyAdded          Kind = "user.passkey_added"
	PasskeyRemoved        Kind = "user.passkey_removed"
	// IdentityLinked is an external account with which the user signs in from
	// now on.
	IdentityLinked      Kind = "user.identity_linked"
	RecoveryCodeUsed    Kind = "user.recovery_code_used"
	SessionEnded        Kind = "user.session_ended"
	SessionsEnded       Kind = "user.sessions_ended"
	TokenCreated        Kind = "user.token_created"
	TokenRevoked        Kind = "user.token_revoked"
	RoleCreated         Kind = "role.created"
	RoleUpdated         Kind = "role.updated"
	DeviceEnrolled      Kind = "driver.device_enrolled"
	DeviceRevoked       Kind = "driver.device_revoked"
	DriverLinkRequested Kind = "driver.link_requested"
	DriverCodeRequested Kind = "driver.code_requested"

	IdentityProviderCreated Kind = "identity_provider.created"
	IdentityProviderUpdated Kind = "identity_provider.updated"
	IdentityProviderDeleted Kind = "identity_provider.deleted"
)

// SubjectType is the type of an event's subject.
type SubjectType string

// The types of subject.
const (
	OfOrder       SubjectType = "order"
	OfDraft       SubjectType = "draft"
	OfTemplate    SubjectType = "recurring_order"
	OfMessage     SubjectType = "notification"
	OfDocument    SubjectType = "document"
	OfDriver      SubjectType = "driver"
	OfVehicle     SubjectType = "vehicle"
	OfPlan        SubjectType = "plan"
	OfCustomField SubjectType = "custom_field"
	OfLocation    SubjectType = "location"

	OfCustomer     SubjectType = "customer"
	OfDepartment   SubjectType = "department"
	OfGroup        SubjectType = "group"
	OfSkill        SubjectType = "skill"
	OfVehicleType  SubjectType = "vehicle_type"
	OfOrderType    SubjectType = "order_type"
	OfProduct      SubjectType = "product"
	OfZone         SubjectType = "zone"
	OfFreightLevel SubjectType = "freight_level"
	OfCalendar     SubjectType = "calendar"
	OfPriceList    SubjectType = "price_list"

	OfNotificationRule SubjectType = "notification_rule"
	OfAlertRule        SubjectType = "alert_rule"

	OfOrganization SubjectType = "organization"
	OfKey          SubjectType = "key"
	OfUser         SubjectType = "user"
	OfRole         SubjectType = "role"

	OfIdentityProvider SubjectType = "identity_provider"
	OfWebhookEndpoint  SubjectType = "webhook_endpoint"
)

// Entry describes a kind in the catalogue.
type Entry struct {
	Kind Kind
	// Subjects are the possible subjects of an event of the kind. Everything
	// that concerns an order is about the order, so that its events are its
	// history.
	Subjects []SubjectType
	// Public kinds are seen by integrators in the status feed.
	Public bool
}

var (
	ofOrder        = []SubjectType{OfOrder}
	ofDraft        = []SubjectType{OfDraft}
	ofOrderOrDraft = []SubjectType{OfOrder, OfDraft}
	ofTemplate     = []SubjectType{OfTemplate}
	ofMessage      = []SubjectType{OfOrder, OfMessage}
	ofDocument     = []SubjectType{OfDocument}
	ofException    = []SubjectType{OfOrder, OfDriver}
	ofDriver       = []SubjectType{OfDriver}
	ofVehicle      = []SubjectType{OfVehicle}
	ofPlan         = []SubjectType{OfPlan}
	ofCustomField  = []SubjectType{OfCustomField}
	ofLocation     = []SubjectType{OfLocation}
	ofCustomer     = []SubjectType{OfCustomer}
	ofDepartment   = []SubjectType{OfDepartment}
	ofGroup        = []SubjectType{OfGroup}
	ofSkill        = []SubjectType{OfSkill}
	ofVehicleType  = []SubjectType{OfVehicleType}
	ofOrderType    = []SubjectType{OfOrderType}
	ofProduct      = []SubjectType{OfProduct}
	ofZone         = []SubjectType{OfZone}
	ofFreightLevel = []SubjectType{OfFreightLevel}
	ofCalendar     = []SubjectType{OfCalendar}
	ofPriceList    = []SubjectType{OfPriceList}
	ofRule         = []SubjectType{OfNotificationRule}
	ofAlertRule    = []SubjectType{OfAlertRule}
	ofOrganization = []SubjectType{OfOrganization}
	ofKey          = []SubjectType{OfKey}
	ofMessageOnly  = []SubjectType{OfMessage}
	ofUser         = []SubjectType{OfUser}
	ofRole         = []SubjectType{OfRole}

	ofIdentityProvider = []SubjectType{OfIdentityProvider}
	ofWebhookEndpoint  = []SubjectType{OfWebhookEndpoint}
)

var catalogue = []Entry{
	{OrderCreated, ofOrder, true},
	{OrderUpdated, ofOrder, true},
	{OrderMerged, ofOrder, true},
	{OrderCancelled, ofOrder, true},
	{OrderReactivated, ofOrder, true},
	{OrderNumberCancelled, ofOrder, true},
	{OrderNumberReplanned, ofOrder, true},
	{OrderDelivered, ofOrder, true},
	{OrderFailed, ofOrder, true},
	{OrderPlanned, ofOrder, true},
	{OrderUnplanned, ofOrder, true},
	{OrderPickedUp, ofOrder, true},
	{OrderCorrected, ofOrder, true},
	{OrderSplit, ofOrder, true},
	{OrderContactErased, ofOrder, false},
	{OrderDriversProhibited, ofOrder, false},
	{OrderLocked, ofOrder, false},
	{OrderUnlocked, ofOrder, false},
	{OrderRuleSkipped, ofOrder, false},
	{OrderBooked, ofOrder, false},
	{OrderBookingCancelled, ofOrder, false},
	{TrackingReserved, ofOrder, false},
	{TrackingRevoked, ofOrder, false},
	{OrderActed, ofOrder, false},
	{OrderProductScanned, ofOrder, false},
	{OrderProductsRefused, ofOrder, false},
	{OrderProved, ofOrder, false},
	{OrderETAChanged, ofOrder, true},
	{OrderComingUp, ofOrder, false},
	{OrderTimePromised, ofOrder, false},
	{OrderTimeMoved, ofOrder, false},
	{OrderRecipientInstructed, ofOrder, true},
	{OrderRecipientRated, ofOrder, true},
	{OrderRecipientPreferred, ofOrder, true},
	{StopApproaching, ofOrder, true},
	{StopArrived, ofOrder, true},
	{StopPlaced, ofOrder, false},
	{PlacesChanged, ofOrganization, false},
	{ExceptionOpened, ofException, false},
	{ExceptionResolved, ofException, false},
	{AlertRaised, ofException, false},
	{AlertAcknowledged, ofException, false},
	{AlertSnoozed, ofException, false},
	{AlertResolved, ofException, false},
	{OrderAlerted, ofOrder, true},
	{AlertRuleCreated, ofAlertRule, false},
	{AlertRuleUpdated, ofAlertRule, false},
	{AlertRuleDeleted, ofAlertRule, false},
	{DraftCreated, ofDraft, false},
	{DraftUpdated, ofDraft, false},
	{DraftPromoted, ofDraft, false},
	{DraftDiscarded, ofDraft, false},
	{DraftBooked, ofDraft, false},
	{DraftBookingCancelled, ofDraft, false},
	{TemplateCreated, ofTemplate, false},
	{TemplateUpdated, ofTemplate, false},
	{TemplateDeactivated, ofTemplate, false},
	{TemplatePaused, ofTemplate, false},
	{TemplateResumed, ofTemplate, false},
	{ExportMarked, ofOrder, false},
	{ExportOffered, ofOrder, false},
	{ExportAcknowledged, ofOrder, false},
	{ExportWithdrawn, ofOrder, false},
	{ExportClosed, ofOrder, false},
	{ExportUpdated, ofOrder, false},
	{MessageQueued, ofMessage, false},
	{MessageDequeued, ofMessage, false},
	{MessageSent, ofMessage, false},
	{MessageFailed, ofMessage, false},
	{MessageSuperseded, ofMessage, false},
	{MessageDelivered, ofMessage, false},
	{MessageBounced, ofMessage, false},
	{MessageSpam, ofMessage, false},
	{MessageRetried, ofMessage, false},
	{DocumentDeclared, ofDocument, false},
	{DocumentUploaded, ofDocument, false},
	{DocumentAttached, ofOrderOrDraft, false},
	{DocumentDetached, ofOrderOrDraft, false},
	{DocumentDeleted, ofDocument, false},
	{DriverCreated, ofDriver, false},
	{DriverUpdated, ofDriver, false},
	{DriverDeactivated, ofDriver, false},
	{DriverReactivated, ofDriver, false},
	{DriverScheduled, ofDriver, false},
	{DriverRouteStarted, ofDriver, false},
	{DriverRouteEnded, ofDriver, false},
	{DriverDutyChanged, ofDriver, false},
	{DriverPictureKept, ofDriver, false},
	{DriverPositionsLate, ofDriver, false},
	{DriverMessageSent, ofDriver, false},
	{DriverMessagesRead, ofDriver, false},
	{VehicleCreated, ofVehicle, false},
	{VehicleUpdated, ofVehicle, false},
	{VehicleDeactivated, ofVehicle, false},
	{PlanFreshStart, ofPlan, false},
	{PlanRouteHeld, ofPlan, false},
	{PlanRouteReleased, ofPlan, false},
	{PlanReleased, ofPlan, false},
	{PlanRouteChanged, ofPlan, false},
	{CustomFieldCreated, ofCustomField, false},
	{CustomFieldUpdated, ofCustomField, false},
	{CustomFieldDeleted, ofCustomField, false},
	{CustomFieldInactivated, ofCustomField, false},
	{LocationCreated, ofLocation, false},
	{LocationUpdated, ofLocation, false},
	{LocationDeleted, ofLocation, false},
	{CustomerCreated, ofCustomer, false},
	{CustomerUpdated, ofCustomer, false},
	{CustomerDeactivated, ofCustomer, false},
	{DepartmentCreated, ofDepartment, false},
	{DepartmentUpdated, ofDepartment, false},
	{DepartmentDeactivated, ofDepartment, false},
	{GroupCreated, ofGroup, false},
	{GroupUpdated, ofGroup, false},
	{GroupDeactivated, ofGroup, false},
	{SkillCreated, ofSkill, false},
	{SkillUpdated, ofSkill, false},
	{SkillDeactivated, ofSkill, false},
	{VehicleTypeCreated, ofVehicleType, false},
	{VehicleTypeUpdated, ofVehicleType, false},
	{VehicleTypeDeactivated, ofVehicleType, false},
	{OrderTypeCreated, ofOrderType, false},
	{OrderTypeUpdated, ofOrderType, false},
	{OrderTypeDeactivated, ofOrderType, false},
	{ProductCreated, ofProduct, false},
	{ProductUpdated, ofProduct, false},
	{ProductDeactivated, ofProduct, false},
	{ZoneCreated, ofZone, false},
	{ZoneUpdated, ofZone, false},
	{ZoneDeactivated, ofZone, false},
	{FreightLevelCreated, ofFreightLevel, false},
	{FreightLevelUpdated, ofFreightLevel, false},
	{FreightLevelDeactivated, ofFreightLevel, false},
	{CalendarCreated, ofCalendar, false},
	{CalendarUpdated, ofCalendar, false},
	{CalendarDeactivated, ofCalendar, false},
	{PriceListCreated, ofPriceList, false},
	{PriceListUpdated, ofPriceList, false},
	{PriceListDeactivated, ofPriceList, false},
	{NotificationRuleCreated, ofRule, false},
	{NotificationRuleUpdated, ofRule, false},
	{NotificationRuleDeactivated, ofRule, false},
	{CargoCarrierCreated, ofCargoCarrier, false},
	{CargoCarrierUpdated, ofCargoCarrier, false},
	{CargoCarrierMoved, ofCargoMove, false},
	{FeatureFlagChanged, ofOrganization, false},
	{OrganizationApplied, ofOrganization, false},
	{OrganizationUpdated, ofOrganization, false},
	{OrganizationSuspended, ofOrganization, false},
	{OrganizationResumed, ofOrganization, false},
	{ContactErased, ofOrganization, false},
	{OrdersArchived, ofOrganization, false},
	{OrganizationZoneChanged, ofOrganization, false},
	{SandboxRunStarted, ofOrganization, false},
	{SandboxRunEnded, ofOrganization, false},
	{KeyCreated, ofKey, false},
	{KeyRevoked, ofKey, false},
	{SuppressionLifted, ofMessageOnly, false},
	{UserCreated, ofUser, false},
	{UserInvited, ofUser, false},
	{UserActivated, ofUser, false},
	{UserUpdated, ofUser, false},
	{UserDisabled, ofUser, false},
	{UserEnabled, ofUser, false},
	{UserResetRequested, ofUser, false},
	{UserPassphraseChanged, ofUser, false},
	{FactorAdded, ofUser, false},
	{FactorRemoved, ofUser, false},
	{PasskeyAdded, ofUser, false},
	{PasskeyRemoved, ofUser, false},
	{IdentityLinked, ofUser, false},
	{IdentityProviderCreated, ofIdentityProvider, false},
	{IdentityProviderUpdated, ofIdentityProvider, false},
	{IdentityProviderDeleted, ofIdentityProvider, false},
	{WebhookCreated, ofWebhookEndpoint, false},
	{WebhookUpdated, ofWebhookEndpoint, false},
	{WebhookDeleted, ofWebhookEndpoint, false},
	{WebhookSecretRotated, ofWebhookEndpoint, false},
	{WebhookReplayed, ofWebhookEndpoint, false},
	{WebhookSwitchedOff, ofWebhookEndpoint, false},
	{RecoveryCodeUsed, ofUser, false},
	{SessionEnded, ofUser, false},
	{SessionsEnded, ofUser, false},
	{TokenCreated, ofUser, false},
	{TokenRevoked, ofUser, false},
	{RoleCreated, ofRole, false},
	{RoleUpdated, ofRole, false},
	{DeviceEnrolled, ofDriver, false},
	{DeviceRevoked, ofDriver, false},
	{DriverLinkRequested, ofDriver, false},
	{DriverCodeRequested, ofDriver, false},
}

// Catalogue returns the entries of all kinds.
func Catalogue() []Entry { return slices.Clone(catalogue) }

var entries = func() map[Kind]Entry {
	byKind := make(map[Kind]Entry, len(catalogue))
	for _, e := range catalogue {
		byKind[e.Kind] = e
	}
	return byKind
}()

// Known reports whether the catalogue has the kind.
func (k Kind) Known() bool { return entries[k].Kind != "" }

// Public reports whether integrators see the kind in the status feed.
func (k Kind) Public() bool { return entries[k].Public }

// About reports whether an event of the kind can have such a subject.
func (k Kind) About(s SubjectType) bool { return slices.Contains(entries[k].Subjects, s) }
