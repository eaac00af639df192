// Package naming says what the clients call the operations of the contract: the resource that
// an operation belongs to, and its method. The generator of the clients and the code samples
// of the documentation use the same names.
package naming

import (
	"strings"
	"unicode"
)

// Name is where an operation is in the clients, in words of PascalCase:
// Orders and Import for importOrders.
type Name struct {
	Resource, Method string
}

// resources are the resources of tags that have another name than their tag.
var resources = map[string]string{
	"Import":           "Orders",
	"Order operations": "Orders",
	"Status feed":      "Feed",
	"Booking":          "Bookings",
	"Export":           "Exports",
}

// moved are the operations whose resource or method does not follow from their tag and
// identifier.
var moved = map[string]Name{
	"listOrdersToday":               {"Orders", "ListToday"},
	"listOrdersPaginated":           {"Orders", "ListPaginated"},
	"listOrdersOverview":            {"Orders", "ListOverview"},
	"getOrdersSummary":              {"Orders", "GetDaySummary"},
	"cancelOrders":                  {"Orders", "Cancel"},
	"cancelOrderByNumber":           {"Orders", "CancelByNumber"},
	"replanCancelledOrder":          {"Orders", "Replan"},
	"getOrderDuration":              {"Orders", "GetDuration"},
	"getCompletionProofPdf":         {"Orders", "GetCompletionProofPDF"},
	"listFreights":                  {"Freights", "List"},
	"getFreight":                    {"Freights", "Get"},
	"listAllErpOrders":              {"ERPOrders", "List"},
	"getErpOrder":                   {"ERPOrders", "Get"},
	"detachErpOrder":                {"ERPOrders", "Detach"},
	"listErpOrders":                 {"ERPOrders", "ListOfOrder"},
	"reserveTrackingLinks":          {"TrackingLinks", "Reserve"},
	"deleteTrackingLink":            {"TrackingLinks", "Delete"},
	"completeDrafts":                {"Drafts", "CompleteMany"},
	"getOrderStatusFeed":            {"Feed", "ListStatusChanges"},
	"getProductStatusFeed":          {"Feed", "ListProductChanges"},
	"rotateWebhookSecret":           {"WebhookEndpoints", "RotateSecret"},
	"listWebhookAttempts":           {"WebhookEndpoints", "ListAttempts"},
	"replayWebhooks":                {"WebhookEndpoints", "Replay"},
	"listOrderDocuments":            {"Documents", "ListOfOrder"},
	"detachDocument":                {"Documents", "Detach"},
	"attachDocuments":               {"Documents", "Attach"},
	"putCargoCarrier":               {"CargoCarriers", "Put"},
	"listCargoCarrierAccounts":      {"CargoCarriers", "ListAccounts"},
	"listCargoCarrierMovements":     {"CargoCarriers", "ListMovements"},
	"moveCargoCarriers":             {"CargoCarriers", "Move"},
	"reverseCargoCarrierMovement":   {"CargoCarriers", "ReverseMovement"},
	"getExportFeed":                 {"Exports", "List"},
	"acknowledgeExport":             {"Exports", "Acknowledge"},
	"getOrderExport":                {"Exports", "GetOfOrder"},
	"listCustomFieldValues":         {"CustomFields", "ListValues"},
	"setCustomFieldValues":          {"CustomFields", "SetValues"},
	"listCustomFieldValuesByNumber": {"CustomFields", "ListValuesByNumber"},
	"setCustomFieldValuesByNumber":  {"CustomFields", "SetValuesByNumber"},
	"searchCustomFieldValues":       {"CustomFields", "SearchValues"},
	"listCustomFieldDefinitions":    {"CustomFields", "ListDefinitions"},
	"createCustomFieldDefinition":   {"CustomFields", "CreateDefinition"},
	"updateCustomFieldDefinition":   {"CustomFields", "UpdateDefinition"},
	"deleteCustomFieldDefinition":   {"CustomFields", "DeleteDefinition"},
	"previewRecurringOrderUpdate":   {"RecurringOrders", "PreviewUpdate"},
	"listOrderProducts":             {"OrderProducts", "List"},
	"getOrderProduct":               {"OrderProducts", "Get"},
	"listOrderTypes":                {"OrderTypes", "List"},
	"getOrderType":                  {"OrderTypes", "Get"},
	"listVehicles":                  {"Vehicles", "List"},
	"getVehicle":                    {"Vehicles", "Get"},
	"testWebhookEndpoint":           {"WebhookEndpoints", "Test"},
	"searchScheduleIntervals":       {"Bookings", "SearchIntervals"},
	"listScheduleIntervals":         {"Bookings", "ListIntervals"},
	"getOrderPicture":               {"Orders", "GetPicture"},
	"getOrderSummary":               {"Orders", "GetSummary"},
	"listUnplannedOrders":           {"Planning", "ListUnplanned"},
	"searchOrderNotifications":      {"Notifications", "SearchOfOrder"},
	"getIntegrationHealth":          {"Integrations", "GetHealth"},
	"applyTransformations":          {"Orders", "ApplyTransformations"},
	"updateLocationByExternalId":    {"Locations", "UpdateByExternalID"},
	"getLocationByExternalId":       {"Locations", "GetByExternalID"},
	"upsertOrderProducts":           {"OrderProducts", "Upsert"},
	"previewRecurringOrder":         {"RecurringOrders", "Preview"},
	"findAtomByBarcode":             {"OrderProducts", "FindByBarcode"},
	"scanAtom":                      {"OrderProducts", "Scan"},
	"getProductTree":                {"OrderProducts", "GetTree"},
	"setProductTree":                {"OrderProducts", "SetTree"},
	"startSandboxRun":               {"Sandbox", "StartRun"},
	"getSandboxRun":                 {"Sandbox", "GetRun"},
	"getOrderPlanning":              {"Planning", "GetOfOrder"},
	"getOrderBooking":               {"Bookings", "GetOfOrder"},
	"getDraftBooking":               {"Bookings", "GetOfDraft"},
	"cancelOrderBooking":            {"Bookings", "CancelOfOrder"},
	"cancelDraftBooking":            {"Bookings", "CancelOfDraft"},
	"bookOrderOnInterval":           {"Bookings", "BookOrder"},
	"bookDraftOnInterval":           {"Bookings", "BookDraft"},
	"getOrderPricing":               {"Bookings", "GetPricingOfOrder"},
}

// Of returns the name of an operation of a tag.
func Of(tag, operation string) Name {
	if name, ok := moved[operation]; ok {
		return name
	}
	resource := resources[tag]
	if resource == "" {
		resource = Pascal(tag)
	}
	method := Pascal(operation)
	singular := strings.TrimSuffix(resource, "s")
	for _, noun := range []string{singular + "s", singular} {
		if before, after, found := strings.Cut(method, noun); found && before != "" && startsWord(after) {
			return Name{resource, before + after}
		}
	}
	return Name{resource, method}
}

// startsWord reports whether a word ends before a text.
func startsWord(text string) bool {
	return text == "" || unicode.IsUpper(rune(text[0]))
}

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "url": "URL", "eta": "ETA", "sms": "SMS", "pdf": "PDF", "erp": "ERP", "api": "API",
	"sha256": "SHA256",
}

// Words splits a name of any case into words in lower case.
func Words(name string) (words []string) {
	runes := []rune(name)
	word := ""
	flush := func() {
		if word != "" {
			words = append(words, strings.ToLower(word))
		}
		word = ""
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && begins(runes, i):
			flush()
		}
		word += string(r)
	}
	flush()
	return words
}

// begins reports whether the capital at i begins a word: after a small letter, or as the last
// of several capitals.
func begins(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	if i+1 >= len(runes) || !unicode.IsLower(runes[i+1]) {
		return false
	}
	return runes[i+1] != 's' || i+2 < len(runes) && unicode.IsLower(runes[i+2]) // IDs is one word
}

// Pascal writes a name as Go does: OrderID.
func Pascal(name string) string {
	var b strings.Builder
	for _, word := range Words(name) {
		if capitals, ok := initialisms[word]; ok {
			b.WriteString(capitals)
			continue
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// Camel writes a name as TypeScript does: orderId.
func Camel(name string) string {
	words := Words(name)
	for i, word := range words {
		if i > 0 {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// Snake writes a name as Python does: order_id. A keyword gets an underscore: import_.
func Snake(name string) string {
	snake := strings.Join(Words(name), "_")
	if keywords[snake] {
		return snake + "_"
	}
	return snake
}

// keywords are the words of Python that no name can be.
var keywords = map[string]bool{
	"and": true, "as": true, "assert": true, "async": true, "await": true, "break": true, "class": true,
	"continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true,
	"for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true,
	"try": true, "while": true, "with": true, "yield": true,
}
