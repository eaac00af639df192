package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// operation is one operation of the contract.
type operation struct {
	method, path string
	callers      []any
	tags         []string
}

// forKeys reports whether API keys may call it, open whether anonymous callers
// may.
func (o operation) forKeys() bool { return slices.Contains(o.callers, any("key")) }
func (o operation) open() bool    { return len(o.callers) == 0 }

// operations are those of the contract, by id.
func operations(t *testing.T) map[string]operation {
	t.Helper()
	all := map[string]operation{}
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			callers, ok := op.Extensions["x-callers"].([]any)
			require.True(t, ok, "%s does not say who may call it", op.OperationID)
			all[op.OperationID] = operation{method, path, callers, op.Tags}
		}
	}
	return all
}

// sample is a call of one operation that succeeds.
type sample struct {
	// params fill the path; query, body and headers are the rest.
	params  map[string]string
	query   string
	body    any
	headers []string
	want    int
	// outsiders is the status for another organization; zero means 404 if the
	// call names something.
	outsiders int
}

// samples are one call for each operation that API keys may call, by the
// organization. Each changes only its own records.
func samples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	results := o.importOrders(t, orders(richOrder("WALK"), newOrder("WALK-DELETE"), newOrder("WALK-CANCEL"), newOrder("WALK-REPLAN"), carrierOrder("WALK-EXPORT")))
	require.Equal(t, map[string]int{"orderCreated": 5}, kinds(results))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"WALK-REPLAN"}})
	later := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import", orders(newOrder("WALK-LATER")), "Prefer", "respond-async")
	order := map[string]string{"orderId": fmt.Sprint(orderID(t, results[0]))}
	exported := map[string]string{"orderId": fmt.Sprint(orderID(t, results[4]))}
	shipment := o.awaitFeed(t, 1)[0]
	products := read[[]struct{ ID int64 }](t, o.get(t, "/v1/orders/"+order["orderId"]+"/order-products"))
	template := map[string]string{"recurringOrderId": fmt.Sprint(o.createTemplate(t).RecurringOrderID)}
	retired := map[string]string{"recurringOrderId": fmt.Sprint(o.createTemplate(t).RecurringOrderID)}
	record := func(table, which string) map[string]string {
		return map[string]string{"id": fmt.Sprint(one[int64](t, o.installation, "select min(id) from "+table+" where org_id = $1 and external_id = $2", o.id, which))}
	}
	expand := object{"rruleset": "FREQ=DAILY", "startDate": "2026-12-01T08:00:00Z"}
	unused := fmt.Sprint(o.customField(t, "walk_unused").ID)
	updated := fmt.Sprint(o.customField(t, "walk_updated").ID)
	o.proveCompletion(t, order["orderId"])
	document := o.upload(t, "walk.txt", "walk")
	link := o.reserve(t, "WALK").Pickup.Code
	told := orderID(t, o.importOrders(t, orders(o.reachable("WALK-TOLD", "walk@example.com", "+4740000007")))[0])
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"WALK-TOLD"}})
	email := *o.awaitMessage(t, told, contract.NotificationTypeEMAIL, "ORDER_CREATED", "").Email
	text := *o.awaitMessage(t, told, contract.NotificationTypeSMS, "ORDER_CANCELLED", "").Sms
	ramped := o.createLocation(t, ramp("WALKED-RAMP")).ExternalID.MustGet()
	o.importOrders(t, orders(newOrder("WALK-PLACE", object{"delivery": object{
		"name": "Walker", "address": object{"address1": "Walkers gate 1", "postalCode": "0555", "city": "Oslo", "country": "NO"},
	}})))
	placed := one[string](t, o.installation, `select s.position ->> 'place' from order_stops s
		join orders o on o.org_id = s.org_id and o.id = s.order_id
		where s.org_id = $1 and o.number = 'WALK-PLACE' and s.kind = 'delivery'`, o.id)
	o.expect(t, http.StatusOK, http.MethodPut, "/v1/places/"+placed, object{"latitude": 59.91, "longitude": 10.74})
	address := map[string]string{"place": placed}
	proposal := func(source string) map[string]string {
		id := one[int64](t, o.installation, `
			insert into place_proposals (org_id, key, source, address1, postal_code, city, country, latitude, longitude, stop_id)
			values ($1, decode($2, 'hex'), $3, '', '', '', 'NO', 59.91, 10.74, 1) returning id`, o.id, placed, source)
		return map[string]string{"proposalId": fmt.Sprint(id)}
	}
	nothing := http.StatusOK // a list that is empty for outsiders
	draft := func(number string) map[string]string {
		return map[string]string{"orderDraftId": strings.TrimPrefix(o.draft(t, number), "/v2/drafts/")}
	}
	driver := func() map[string]string {
		return map[string]string{"driverId": fmt.Sprint(o.createDriver(t, object{"name": "Walker"}).ID)}
	}
	workdays := object{"start_date": "2026-03-02", "end_date": "2026-03-08", "workdays": []object{}}
	o.drivenOn(t, "2031-03-03")
	taken := o.upload(t, "taken.txt", "taken")
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/attach-documents", object{"externalId": "WALK", "documentIds": []int64{taken}})
	freight := one[int64](t, o.installation, "select freight_id from orders where org_id = $1 and number = 'WALK'", o.id)
	all := map[string]sample{
		"listDrafts":    {query: "?state=incomplete", want: http.StatusOK, outsiders: nothing},
		"getDraft":      {params: draft("WALK-DRAFT"), want: http.StatusOK},
		"completeDraft": {params: draft("WALK-COMPLETE"), body: newOrder("WALK-COMPLETE"), want: http.StatusOK},
		"completeDrafts": {
			body: object{"drafts": []object{{"orderDraftId": draftID(t, o, "WALK-COMPLETES"), "order": newOrder("WALK-COMPLETES")}}},
			want: http.StatusOK, outsiders: http.StatusOK,
		},
		"discardDraft":         {params: draft("WALK-DISCARD"), want: http.StatusNoContent},
		"getProductStatusFeed": {query: "?token=&pageSize=10", want: http.StatusOK, outsiders: nothing},
		"upsertOrderProducts": {
			body: object{"internal_order_number": "WALK", "order_products": []object{{"external_id": "WALK-BOX"}}}, want: http.StatusOK,
		},
		"setProductTree":   {params: order, body: object{"tree": []object{}}, want: http.StatusOK},
		"listDrivers":      {want: http.StatusOK, outsiders: nothing},
		"createDriver":     {body: object{"name": "Walker"}, want: http.StatusCreated, outsiders: http.StatusCreated},
		"getDriver":        {params: driver(), want: http.StatusOK},
		"updateDriver":     {params: driver(), body: object{"name": "Runner"}, want: http.StatusOK},
		"deactivateDriver": {params: driver(), want: http.StatusOK},
		"reactivateDriver": {params: driver(), want: http.StatusOK},
		"listWorkdays":     {params: driver(), query: "?start_date=2026-03-02&end_date=2026-03-08", want: http.StatusOK},
		"listVehicles":     {want: http.StatusOK, outsiders: nothing},
		"getVehicle": {
			params: map[string]string{"id": fmt.Sprint(o.idOf(t, "vehicles", "registration", "EB10001"))}, want: http.StatusOK,
		},
		"scheduleWorkdays": {params: driver(), body: workdays, want: http.StatusOK},

		"importOrders":         {body: orders(newOrder("WALK-NEW")), want: http.StatusOK, outsiders: http.StatusOK},
		"getImport":            {params: map[string]string{"importId": fmt.Sprint(read[contract.ImportProgress](t, later).ImportID)}, want: http.StatusOK},
		"cancelOrderByNumber":  {params: map[string]string{"internalOrderNumber": "WALK-DELETE"}, want: http.StatusNoContent},
		"searchOrderTypes":     {query: "?name=standard", want: http.StatusOK, outsiders: nothing},
		"getOrderStatusFeed":   {query: "?token=&pageSize=10", want: http.StatusOK, outsiders: nothing},
		"cancelOrders":         {body: object{"externalIds": []string{"WALK-CANCEL"}}, want: http.StatusOK, outsiders: nothing},
		"replanCancelledOrder": {query: "?externalId=WALK-REPLAN", want: http.StatusOK},
		"getOrdersSummary":     {query: "?date=2026-03-02&groupBy=customer", want: http.StatusOK, outsiders: nothing},
		"listOrdersOverview":   {body: object{"from": "2026-03-02", "to": "2026-03-02"}, want: http.StatusOK, outsiders: nothing},
		"findOrders":           {query: "?text=WALK", want: http.StatusOK, outsiders: nothing},
		"getOrderSummary":      {params: order, want: http.StatusOK},
		"listOrders":           {query: "?startDate=2026-03-02&endDate=2026-03-02", want: http.StatusOK, outsiders: nothing},
		"listOrdersToday":      {want: http.StatusOK, outsiders: nothing},
		"countOrders":          {query: "?startDate=2026-03-02&endDate=2026-03-02&orderStatusID=1", want: http.StatusOK, outsiders: nothing},
		"searchOrders":         {query: "?internal_order_number=WALK", want: http.StatusOK, outsiders: nothing},
		"listOrdersPaginated":  {body: object{"order_status_ids": []int{1}}, want: http.StatusOK, outsiders: nothing},
		"getOrderByNumber":     {params: map[string]string{"internalOrderNumber": "WALK"}, want: http.StatusOK},
		"getOrder":             {params: order, want: http.StatusOK},
		"listOrderProducts":    {params: order, want: http.StatusOK},
		"getOrderProduct": {
			params: map[string]string{"orderId": order["orderId"], "orderProductId": fmt.Sprint(products[0].ID)},
			want:   http.StatusOK,
		},
		"getOrderDuration":      {params: order, want: http.StatusOK},
		"listProhibitedDrivers": {params: order, want: http.StatusOK},
		"searchOrderNotifications": {
			body: object{"orderId": orderID(t, results[0]), "page": 1, "perPage": 100}, want: http.StatusOK, outsiders: nothing,
		},
		"searchEmailLog":   {body: object{"page": 1, "perPage": 100}, want: http.StatusOK, outsiders: nothing},
		"searchSMSLog":     {body: object{"page": 1, "perPage": 100}, want: http.StatusOK, outsiders: nothing},
		"getEmailTimeline": {params: map[string]string{"id": fmt.Sprint(email.EmailLogID)}, want: http.StatusOK},
		"getSMSTimeline":   {params: map[string]string{"id": fmt.Sprint(text.SmsLogID)}, want: http.StatusOK},
		"getOrderSkills":   {params: order, want: http.StatusOK},

		"getPlan":             {params: map[string]string{"date": "2026-03-02"}, want: http.StatusOK, outsiders: nothing},
		"getReleasedPlan":     {params: map[string]string{"date": "2026-03-02"}, want: http.StatusNotFound, outsiders: http.StatusNotFound},
		"listPositionsOfDay":  {params: map[string]string{"date": "2026-03-02"}, want: http.StatusOK, outsiders: nothing},
		"listUnplannedOrders": {query: "?date=2026-03-02", want: http.StatusOK, outsiders: nothing},
		"getOrderPlanning":    {params: order, want: http.StatusOK},
		"listTravelProposals": {want: http.StatusOK, outsiders: nothing},

		"startSandboxRun": {body: object{"date": "2031-03-04"}, want: http.StatusAccepted, outsiders: http.StatusAccepted},
		"getSandboxRun":   {query: "?date=2031-03-03", want: http.StatusOK},

		"listRecurringOrders":         {want: http.StatusOK, outsiders: nothing},
		"createRecurringOrder":        {body: newTemplate(), want: http.StatusCreated, outsiders: http.StatusCreated},
		"previewRecurringOrder":       {body: expand, want: http.StatusOK, outsiders: nothing},
		"getRecurringOrder":           {params: template, want: http.StatusOK},
		"updateRecurringOrder":        {params: template, body: object{"name": "Walk"}, want: http.StatusOK},
		"previewRecurringOrderUpdate": {params: template, body: object{"name": "Walk"}, want: http.StatusOK},
		"deleteRecurringOrder":        {params: retired, want: http.StatusNoContent},

		"searchPlaces": {query: "?q=storgata&country=NO", want: http.StatusOK, outsiders: nothing},
		"geocodePlaces": {
			body: object{"addresses": []object{{"address1": "Storgata 1", "city": "Oslo", "country": "NO"}}},
			want: http.StatusOK, outsiders: nothing,
		},
		"listPlaces":           {want: http.StatusOK, outsiders: nothing},
		"listPlaceProposals":   {want: http.StatusOK, outsiders: nothing},
		"acceptPlaceProposal":  {params: proposal("DRIVER"), want: http.StatusOK},
		"dismissPlaceProposal": {params: proposal("ARRIVALS"), want: http.StatusNoContent},
		"pinPlace":             {params: address, body: object{"latitude": 59.91, "longitude": 10.74}, want: http.StatusOK},
		"unpinPlace":           {params: address, want: http.StatusOK},

		"listLocations":  {want: http.StatusOK, outsiders: nothing},
		"getLocation":    {params: record("locations", "L-3"), want: http.StatusOK},
		"deleteLocation": {params: record("locations", "L-5"), want: http.StatusNoContent},
		"createLocation": {body: ramp("WALK-RAMP"), want: http.StatusCreated, outsiders: http.StatusCreated},
		"updateLocation": {params: record("locations", "L-3"), body: object{"name": "Walked"}, want: http.StatusOK},
		"getLocationByExternalId": {
			params: map[string]string{"externalId": ramped}, want: http.StatusOK,
		},
		"updateLocationByExternalId": {
			params: map[string]string{"externalId": ramped}, body: object{"name": "Walked"}, want: http.StatusOK,
		},
		"listCustomers":   {want: http.StatusOK, outsiders: nothing},
		"searchCustomers": {query: "?query=fjord", want: http.StatusOK, outsiders: nothing},
		"getCustomer":     {params: record("customers", "C-101"), want: http.StatusOK},
		"applyTransformations": {
			params: order, body: object{"trigger": "TRANSFORM_TRIGGER_ORDER_UPDATED", "dryRun": true, "includePreview": true}, want: http.StatusOK,
		},
		"setCustomFieldValues": {
			params: order, body: object{"customFields": []object{{"externalId": "dock_door", "value": "3"}}}, want: http.StatusOK,
		},
		"setCustomFieldValuesByNumber": {
			params: map[string]string{"internalOrderNumber": "WALK"},
			body:   object{"customFields": []object{{"externalId": "dock_door", "value": "3"}}}, want: http.StatusOK,
		},
		"listCustomFieldValues":         {params: order, want: http.StatusOK},
		"listCustomFieldValuesByNumber": {params: map[string]string{"internalOrderNumber": "WALK"}, want: http.StatusOK},
		"searchCustomFieldValues":       {query: "?externalId=dock_door&value=3", want: http.StatusOK, outsiders: nothing},
		"listIntegrations":              {want: http.StatusOK, outsiders: nothing},
		"getIntegrationHealth":          {params: map[string]string{"name": "email"}, want: http.StatusOK, outsiders: nothing},

		"listCustomFieldDefinitions":  {query: "?isActive=true", want: http.StatusOK, outsiders: nothing},
		"createCustomFieldDefinition": {body: definition("walk_new"), want: http.StatusCreated, outsiders: http.StatusCreated},
		"updateCustomFieldDefinition": {params: map[string]string{"id": updated}, body: object{"label": "New"}, want: http.StatusOK},
		"deleteCustomFieldDefinition": {params: map[string]string{"id": unused}, want: http.StatusOK},
		"reserveTrackingLinks":        {body: object{"externalId": "WALK"}, want: http.StatusOK},
		"deleteTrackingLink":          {params: map[string]string{"code": link}, want: http.StatusNoContent},
		"createDocuments":             {body: declare("note.txt", 4), want: http.StatusOK, outsiders: http.StatusOK},
		"getDocument":                 {params: map[string]string{"documentId": fmt.Sprint(document)}, want: http.StatusOK},
		"attachDocuments":             {body: object{"externalId": "WALK", "documentIds": []int64{document}}, want: http.StatusOK, outsiders: nothing},
		"getOrderVehicleType":         {query: "?externalId=WALK", want: http.StatusOK},
		"setOrderVehicleType":         {body: object{"externalId": "WALK", "vehicleType": object{"name": "Box truck"}}, want: http.StatusOK},
		"listOrderDocuments":          {params: order, want: http.StatusOK},
		"detachDocument":              {params: map[string]string{"orderId": order["orderId"], "documentId": fmt.Sprint(taken)}, want: http.StatusNoContent},
		"deleteDocument":              {params: map[string]string{"documentId": fmt.Sprint(o.upload(t, "gone.txt", "gone"))}, want: http.StatusNoContent},
		"getProductTree":              {params: order, want: http.StatusOK},
		"findAtomByBarcode":           {params: map[string]string{"barcodeId": "370702380000000017"}, want: http.StatusOK},
		"scanAtom":                    {body: object{"barcode_id": "370702380000000017", "event": "LOADED"}, want: http.StatusOK},
		"listFreights":                {want: http.StatusOK, outsiders: nothing},
		"getFreight":                  {params: map[string]string{"freightId": fmt.Sprint(freight)}, want: http.StatusOK},
		"drawLabels":                  {body: object{"externalIds": []string{"WALK"}, "level": "ORDER"}, want: http.StatusOK},
		"getCompletionProof":          {params: order, want: http.StatusOK},
		"getCompletionProofPdf":       {params: order, want: http.StatusOK},
		"listOrderDocumentations":     {params: order, want: http.StatusOK},
		"getOrderRecipient":           {params: order, want: http.StatusOK},
		"getOrderPicture":             {params: o.pictured(t, order["orderId"]), want: http.StatusOK},
		"getExportFeed":               {query: "?page=1&perPage=10", want: http.StatusOK, outsiders: nothing},
		"acknowledgeExport":           {body: object{"exportToken": shipment.ExportToken, "status": "EXPORTED"}, want: http.StatusOK},
		"getOrderExport":              {params: exported, want: http.StatusOK},
		"listExternalUpdates":         {params: exported, want: http.StatusOK},
		"importOrdersV1":              {body: legacyOrders(legacyOrder("WALK-V1")), want: http.StatusOK, outsiders: http.StatusOK},
		"importOrdersV2":              {body: legacyOrders(legacyOrder("WALK-V2")), want: http.StatusOK, outsiders: http.StatusOK},
	}
	maps.Copy(all, bookingSamples(t, o))
	maps.Copy(all, lookupSamples(t, o))
	maps.Copy(all, erpOrderSamples(t, o))
	maps.Copy(all, webhookSamples(t, o))
	maps.Copy(all, cargoSamples(t, o))
	return all
}

func draftID(t *testing.T, o *organization, number string) int64 {
	t.Helper()
	id, err := strconv.ParseInt(strings.TrimPrefix(o.draft(t, number), "/v2/drafts/"), 10, 64)
	require.NoError(t, err)
	return id
}

// erpOrderSamples are those of ERP orders, on an order that two numbers share.
func erpOrderSamples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	id := orderID(t, o.importOrders(t, merged(newOrder("WALK-ERP-1"), newOrder("WALK-ERP-2")))[1])
	number := map[string]string{"externalId": "WALK-ERP-2"}
	return map[string]sample{
		"getErpOrder":      {params: number, want: http.StatusOK},
		"listAllErpOrders": {query: "?state=ACTIVE", want: http.StatusOK, outsiders: http.StatusOK},

		"listErpOrders":  {params: map[string]string{"orderId": fmt.Sprint(id)}, want: http.StatusOK},
		"detachErpOrder": {params: number, want: http.StatusOK},
	}
}

// cargoSamples are those of load carriers.
func cargoSamples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	carrier := read[contract.CargoCarrier](t, o.expect(t, http.StatusOK, http.MethodPut, "/v2/cargo-carriers", object{"code": "WALK", "name": "Walked"}))
	move := object{
		"cargoCarrierId": carrier.ID, "customerId": one[int64](t, o.installation, "select min(id) from customers where org_id = $1", o.id), "quantity": 3,
	}
	moved := read[contract.CargoCarrierMovement](t, o.expect(t, http.StatusCreated, http.MethodPost, "/v2/cargo-carrier-movements", move))
	nothing := http.StatusOK
	return map[string]sample{
		"listCargoCarriers": {want: http.StatusOK, outsiders: nothing},
		"putCargoCarrier": {
			body: object{"code": "WALK-NEW", "name": "New"}, want: http.StatusOK, outsiders: http.StatusOK,
		},
		"listCargoCarrierAccounts": {want: http.StatusOK, outsiders: nothing},
		"listCargoCarrierMovements": {
			params: map[string]string{"accountId": fmt.Sprint(moved.AccountID)}, want: http.StatusOK,
		},
		"moveCargoCarriers": {body: move, want: http.StatusCreated},
		"reverseCargoCarrierMovement": {
			params: map[string]string{"movementId": fmt.Sprint(moved.MovementID)}, body: object{}, want: http.StatusCreated,
		},
	}
}

// webhookSamples are those of webhook endpoints. Nobody listens there.
func webhookSamples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	endpoint := func() map[string]string {
		made := o.expect(t, http.StatusCreated, http.MethodPost, "/v2/webhook-endpoints", object{"url": "https://walk.invalid/"})
		return map[string]string{"endpointId": fmt.Sprint(read[contract.WebhookEndpointWithSecret](t, made).ID)}
	}
	kept, nothing := endpoint(), http.StatusOK
	return map[string]sample{
		"listWebhookEndpoints": {want: http.StatusOK, outsiders: nothing},
		"createWebhookEndpoint": {
			body: object{"url": "https://walk.invalid/ed"}, want: http.StatusCreated, outsiders: http.StatusCreated,
		},
		"getWebhookEndpoint":    {params: kept, want: http.StatusOK},
		"updateWebhookEndpoint": {params: kept, body: object{"description": "Walked"}, want: http.StatusOK},
		"deleteWebhookEndpoint": {params: endpoint(), want: http.StatusNoContent},
		"rotateWebhookSecret":   {params: kept, body: object{"overlapMinutes": 1}, want: http.StatusOK},
		"testWebhookEndpoint":   {params: kept, body: object{"types": []string{"order.delivered"}}, want: http.StatusOK},
		"listWebhookAttempts":   {params: kept, want: http.StatusOK},
		"replayWebhooks":        {params: kept, body: object{"failed": true}, want: http.StatusAccepted},
	}
}

// lookupSamples are those of master data that is looked up.
func lookupSamples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	nothing := http.StatusOK
	all := map[string]sample{"getOrganization": {want: http.StatusOK, outsiders: nothing}}
	for _, list := range []string{
		"listOrderStatuses", "listDepartments", "listGroups", "listSkills", "listVehicleTypes", "listOrderTypes", "listZones",
		"listFreightLevels", "listProducts", "listCalendars",
	} {
		all[list] = sample{query: "?is_active=true", want: http.StatusOK, outsiders: nothing}
	}
	_, err := o.admin.Exec(t.Context(),
		"insert into products (org_id, external_id, name, atom_type) values ($1, 'SOFA', 'Sofa', 'trade item')", o.id)
	require.NoError(t, err)
	_, err = o.admin.Exec(t.Context(), "insert into calendars (org_id, name) values ($1, 'Norway')", o.id)
	require.NoError(t, err)
	for read, table := range map[string]string{
		"getProduct": "products", "getDepartment": "departments", "getGroup": "order_groups", "getSkill": "skills", "getVehicleType": "vehicle_types",
		"getOrderType": "order_types", "getZone": "zones", "getFreightLevel": "freight_levels",
		"getCalendar": "calendars",
	} {
		id := one[int64](t, o.installation, "select min(id) from "+table+" where org_id = $1", o.id)
		all[read] = sample{params: map[string]string{"id": fmt.Sprint(id)}, want: http.StatusOK}
	}
	return all
}

// bookingSamples are those of booking, each with its own order or draft.
func bookingSamples(t *testing.T, o *organization) map[string]sample {
	t.Helper()
	day := bookableDay()
	interval := o.offer(t, bookable, day)[37]
	order := func(number string, booked bool) map[string]string {
		id := o.order(t, number)
		if booked {
			o.expect(t, http.StatusOK, http.MethodPost, ofOrder(id, "book-on-interval"), on(interval))
		}
		return map[string]string{"orderId": fmt.Sprint(id)}
	}
	// It is released when it is its turn among all tests that run at the same time.
	held := read[contract.SeatHold](t, o.expect(t, http.StatusCreated, http.MethodPost, "/v2/route-scheduling/holds",
		object{"intervalId": interval, "ttlSeconds": 3600}))
	draft := func(number string, booked bool) map[string]string {
		id := *o.importOrders(t, orders(newOrder(number, object{"customer": nil})))[0].DraftCreated.DraftID
		if booked {
			o.expect(t, http.StatusOK, http.MethodPost, fmt.Sprintf("/v2/drafts/%d/book-on-interval", id), on(interval))
		}
		return map[string]string{"orderDraftId": fmt.Sprint(id)}
	}
	return map[string]sample{
		"lookUpZones": {query: "?country=NO&postalCode=0555", want: http.StatusOK, outsiders: http.StatusOK},
		"quotePrice": {
			body: object{"orderType": object{"name": "Standard"}, "pickup": object{"country": "NO"}, "delivery": object{"country": "NO"}},
			want: http.StatusOK, outsiders: http.StatusOK,
		},
		"getOrderPricing":       {params: order("WALK-PRICED", false), want: http.StatusOK},
		"listScheduleIntervals": {query: "?date=" + day, want: http.StatusOK, outsiders: http.StatusOK},
		"searchScheduleIntervals": {
			body: object{"from": day, "to": day, "basket": object{
				"orderType": object{"name": "Standard"}, "pickup": object{"country": "NO"}, "delivery": object{"country": "NO"},
			}},
			want: http.StatusOK, outsiders: http.StatusOK,
		},
		"holdSeat":            {body: on(interval), want: http.StatusCreated},
		"releaseHold":         {params: map[string]string{"holdId": fmt.Sprint(held.HoldID)}, want: http.StatusNoContent},
		"bookOrderOnInterval": {params: order("WALK-BOOK", false), body: on(interval), want: http.StatusOK},
		"getOrderBooking":     {params: order("WALK-BOOKED", true), want: http.StatusOK},
		"cancelOrderBooking":  {params: order("WALK-UNBOOK", true), body: object{}, want: http.StatusOK},
		"scheduleOrder":       {params: order("WALK-SCHEDULE", false), body: object{"date": day}, want: http.StatusOK},
		"bookDraftOnInterval": {params: draft("WALK-DRAFT-BOOK", false), body: on(interval), want: http.StatusOK},
		"getDraftBooking":     {params: draft("WALK-DRAFT-BOOKED", true), want: http.StatusOK},
		"cancelDraftBooking":  {params: draft("WALK-DRAFT-UNBOOK", true), body: object{}, want: http.StatusOK},
	}
}

// somebody has values for the paths of operations that nobody can call yet
var somebody = map[string]string{
	"id": "1", "orderId": "1", "driverId": "1", "itemId": "1", "exceptionId": "1", "erasureId": "1", "previewId": "1",
	"proposalId": "1", "alertId": "1", "alertRuleId": "1",
	"date":   "2026-03-02",
	"sha256": strings.Repeat("0", 64),
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

// fill puts values into the parameters of a path; one without a value fails
// the test.
func fill(t *testing.T, path string, values map[string]string) string {
	t.Helper()
	return pathParameter.ReplaceAllStringFunc(path, func(p string) string {
		value, known := values[strings.Trim(p, "{}")]
		require.True(t, known, "there is no test data for %s of %s", p, path)
		return value
	})
}

func TestEveryOperation(t *testing.T) {
	t.Parallel()
	own, other := shared.organization(t), shared.organization(t)
	calls := samples(t, own)
	all := operations(t)
	require.Subset(t, slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(calls)), "test data for an operation that is gone")
	for id, op := range all {
		call, known := calls[id]
		switch {
		case op.open():
			continue
		case op.forKeys():
			require.True(t, known, "there is no test data for %s", id)
		default:
			call.params, call.body = somebody, object{}
		}
		path := fill(t, op.path, call.params) + call.query

		t.Run(id, func(t *testing.T) {
			t.Parallel()
			for _, authorization := range []string{"", "apikey", "apikey " + own.key + "x", "Bearer " + own.key, own.key} {
				headers := append(slices.Clone(call.headers), "Authorization", authorization)
				a := shared.anonymous(t, op.method, path, call.body, headers...)
				require.Equal(t, http.StatusUnauthorized, a.status, "%q: %s", authorization, a.body)
			}
			if !op.forKeys() {
				before := own.rowCounts(t)
				a := own.expect(t, http.StatusForbidden, op.method, path, call.body)
				require.Equal(t, int32(7), apitest.Status(t, a.body).Code)
				require.Equal(t, before["customers"], own.rowCounts(t)["customers"])
				return
			}
			want := call.outsiders
			if want == 0 {
				want = http.StatusNotFound
			}
			other.expect(t, want, op.method, path, call.body, call.headers...)
			a := own.expect(t, call.want, op.method, path, call.body, call.headers...)
			require.NotEmpty(t, a.header.Get("X-Request-ID"))
		})
	}
}

// TestOrganizationsAreIsolated reads every list as one organization while
// another has orders.
func TestOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	own, other := shared.organization(t), shared.organization(t)
	results := own.importOrders(t, orders(richOrder("MINE"), newOrder("MINE-2"), newOrder("MINE-3", object{"customer": nil})))
	require.Equal(t, map[string]int{"orderCreated": 2, "draftCreated": 1}, kinds(results))
	id := fmt.Sprint(orderID(t, results[0]))
	eventually(t, "the owner sees its feed", func() bool {
		return len(read[contract.OrderStatusFeed](t, own.get(t, "/v2/orders/summary/orderstatusfeed")).Items) == 2
	})

	for _, path := range []string{
		"/v1/orders?startDate=0001-01-01&endDate=9999-12-31",
		"/v1/orders?startDate=2026-03-02&endDate=2026-03-02&filters=order_id=" + id,
		"/v1/orders?startDate=2026-03-02&endDate=2026-03-02&filters=internal_order_number=MINE",
	} {
		require.Len(t, read[[]contract.Order](t, own.get(t, path)), map[bool]int{true: 1, false: 2}[strings.Contains(path, "filters")], path)
		require.Empty(t, read[[]contract.Order](t, other.get(t, path)), path)
	}
	for _, query := range []string{"query=MINE", "order_id=" + id, "reference=PO", "location_name=Norden", "shipment_id=F-MINE", "serial_code=WB-1"} {
		require.NotZero(t, read[contract.OrderSearchResult](t, own.get(t, "/v1/orders/search?"+query)).Total, query)
		require.Zero(t, read[contract.OrderSearchResult](t, other.get(t, "/v1/orders/search?"+query)).Total, query)
	}
	page := object{"order_status_ids": []int{1, 2, 3, 4, 5, 6, 7, 8}}
	require.Equal(t, int64(2), read[contract.OrderPage](t, own.expect(t, 200, "POST", "/v1/orders/paginated", page)).Total)
	require.Zero(t, read[contract.OrderPage](t, other.expect(t, 200, "POST", "/v1/orders/paginated", page)).Total)
	require.JSONEq(t, "2", string(own.get(t, "/v1/orders/count").body))
	require.JSONEq(t, "0", string(other.get(t, "/v1/orders/count").body))
	require.Empty(t, read[contract.OrderStatusFeed](t, other.get(t, "/v2/orders/summary/orderstatusfeed")).Items)

	cancelled := other.expect(t, 200, "POST", "/v2/orders/cancel-orders", object{"externalIds": []string{"MINE"}})
	require.Equal(t, contract.CancelOrderResultResultOrderNotFound, read[contract.CancelOrdersResponse](t, cancelled).Results[0].Result)
	require.Equal(t, contract.OrderStatusID(1), read[contract.Order](t, own.get(t, "/v1/orders/"+id)).OrderStatusID)

	// The same number in both organizations is two orders.
	theirs := other.importOrders(t, orders(newOrder("MINE")))
	require.Equal(t, map[string]int{"orderCreated": 1}, kinds(theirs))
	require.NotEqual(t, id, fmt.Sprint(orderID(t, theirs[0])))
}

// TestKeys shows how a key begins and ends.
func TestKeys(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
	second := &organization{installation: shared, id: o.id, slug: o.slug}
	var err error
	second.key, err = shared.command(t.Context(), "keys", "create", "--org", slug, "--name", "second")
	require.NoError(t, err)
	second.get(t, "/v1/orders/today")
	require.Zero(t, one[int](t, shared, "select count(*) from api_keys where org_id = $1 and position($2::bytea in hash) > 0", o.id, []byte(second.key)))
	eventually(t, "the use of the key is recorded", func() bool {
		return one[int](t, shared, "select count(*) from api_keys where org_id = $1 and name = 'second' and last_used_at is not null", o.id) == 1
	})

	_, err = shared.command(t.Context(), "keys", "revoke", "--org", slug, "--name", "second")
	require.NoError(t, err)
	eventually(t, "the revoked key is refused", func() bool {
		return second.call(t, http.MethodGet, "/v1/orders/today", nil).status == http.StatusUnauthorized
	})
	o.get(t, "/v1/orders/today")
}
