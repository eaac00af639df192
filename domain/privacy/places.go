package privacy

import "strings"

// Form is how a column stores personal data, and so how a person is erased from it.
type Form int

// The forms.
const (
	// Text is a text in which matches become [erased].
	Text Form = iota
	// Address is a column with only an address: it becomes null when it matches.
	Address
	// Emptied is a text that is cleared if anything in its row matches.
	Emptied
	// Document is JSON, DocumentText is JSON in a text, and DocumentBytes is JSON in bytes.
	Document
	DocumentText
	DocumentBytes
)

// Column is a column with personal data.
type Column struct {
	Name string
	Form Form
}

// Place is a table with personal data of contacts.
type Place struct {
	Table string
	// Columns hold personal data, and Codes values that the service generates: kinds,
	// states, keys and hashes, by their names separated by spaces.
	Columns []Column
	Codes   string
	// Scope is the condition under which a row t belongs to one of the orders $2, and Order
	// the order of a row t. Both are empty for rows that belong to no order, and Order is
	// empty for rows that belong to several.
	Scope, Order string
	// Contacts marks columns with documents of whole contacts, which also
	// identify former contacts.
	Contacts bool
	// Delete means that a matching row is deleted.
	Delete bool
	// Kept is the kind whose retention applies to its personal data; empty where something
	// else decides.
	Kept Kind
	// What, Why and Period describe the data, its purpose and its retention.
	What, Why, Period string
}

// Exemption is a table in which erasing a contact changes nothing.
type Exemption struct {
	Table string
	// Reason is why it holds no contacts, or why they stay.
	Reason string
	// Remains describes how it may still name a contact, and until when.
	Remains string
}

func texts(names string) (all []Column) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, Column{name, Text})
	}
	return all
}

func documents(form Form, names string) (all []Column) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, Column{name, form})
	}
	return all
}

// The periods of most places.
const (
	asTheOrder = "as the order: `settings.keepOrdersDays`, then in an archive"
	thirtyDays = "30 days"
	asPeople   = "`settings.retention.peopleDays` after the order's date"
	asProofs   = "`settings.retention.proofsDays` after the order's date"
)

// The conditions under which rows belong to orders.
const (
	ofOrder    = "t.order_id = any ($2)"
	theOrder   = "t.order_id"
	ofDocument = `exists (select from order_documents o
		where o.org_id = t.org_id and o.document_id = t.id and o.order_id = any ($2))`
	ofLocation = `exists (select from order_stops s
		where s.org_id = t.org_id and s.location_id = %s and s.order_id = any ($2))`
	ofMessage = `exists (select from notifications n
		where n.org_id = t.org_id and n.id = t.notification_id and n.order_id = any ($2))`
)

func ofOrders(table, columns, codes, what, why string) Place {
	return Place{
		Table: table, Columns: texts(columns), Codes: codes, Scope: ofOrder, Order: theOrder, Kept: People,
		What: what, Why: why, Period: asPeople,
	}
}

// Contacts is the table of the contacts themselves. Erasing looks at it first, and erases
// from it last.
const Contacts = "stop_contacts"

// Messages is the table of messages: a waiting one ends if it is to or about an
// erased person.
const Messages = "notifications"

// places are all tables with personal data of contacts, each behind those whose triggers
// write into it.
var places = []Place{
	{
		Table: "imports", Columns: documents(Document, "defaults"), Codes: "request_id actor ended_as", Contacts: true,
		What: "what an import sets for all its orders", Why: "the import can be repeated", Period: thirtyDays,
	},
	{
		Table: "import_chunks", Columns: documents(DocumentBytes, "entries"), Codes: "numbers", Contacts: true,
		What: "the orders of an import as they came", Why: "the import can be repeated", Period: thirtyDays,
	},
	{
		Table: "import_results", Columns: documents(Document, "reasons"), Codes: "kind external_id",
		What: "why an order was refused", Why: "the sender corrects it", Period: thirtyDays,
	},
	{
		Table: "drafts", Columns: documents(Document, "request defaults reasons"), Codes: "external_id state", Contacts: true,
		What: "orders that are not complete", Why: "the office completes them",
		Period: "`settings.retention.peopleDays` after the last change",
	},
	{
		Table: "recurring_orders", Codes: "rruleset", Contacts: true,
		Columns: append(texts("name last_error"), documents(DocumentText, "order_template")...),
		What:    "templates with their contacts", Why: "orders are made from them", Period: "until the template is deleted",
	},
	{
		Table: "recurring_order_changes", Codes: "actor", Contacts: true,
		Columns: append(documents(DocumentText, "change"), documents(Document, "refusal")...),
		What:    "changes of templates", Why: "orders are made by the change of their day", Period: thirtyDays,
	},
	{
		Table: "customers", Codes: "external_id source",
		Columns: append(documents(Address, "email_address phone_number"), texts("business_name")...),
		What:    "names and addresses of customers", Why: "customers are billed and told of their orders",
		Period: "until the customer is deactivated and removed",
	},
	{
		Table: "suppressions", Columns: texts("address"), Codes: "channel reason", Delete: true,
		What: "addresses that get no messages", Why: "an objection and a refusal are respected",
		Period: "until it is opened again",
	},
	{
		Table: "webhook_attempts", Columns: texts("answer"), Codes: "test kind fault",
		What: "what a webhook's receiver answered", Why: "the receiver finds its faults", Period: thirtyDays,
	},
	ofOrders("orders", "reference", "number internal_freight_number route_number asks",
		"the reference", "the customer knows the order by it").with("t.id = any ($2)", "t.id").asLongAsOrders(),
	ofOrders("order_stops", "name address1 address2 instructions customer_instructions parking_instructions",
		"kind postal_code city state country window_source priority asks",
		"name, address, coordinates and instructions of stops", "the driver finds the recipient").
		and(Column{"position", Document}),
	ofOrders("order_products", "name", "number barcode_id external_id instance_number atom_type load_amounts",
		"what goods are called", "goods are recognized").asLongAsOrders(),
	ofOrders("order_prices", "name", "currency", "what prices are called", "the order is billed").asLongAsOrders(),
	{
		Table: "erp_orders", Columns: documents(Document, "own"), Codes: "number", Scope: ofOrder, Order: theOrder,
		Contacts: true,
		What:     "what each of several numbers of an order says", Why: "numbers are put together and taken apart",
		Kept: People, Period: asPeople,
	},
	{
		Table: "custom_field_values", Columns: documents(Document, "value"), Codes: "stop", Scope: ofOrder, Order: theOrder,
		What: "custom fields", Why: "as the organization says", Period: asPeople + "; then deleted",
	},
	{
		Table: "export_versions", Columns: documents(DocumentText, "payload"), Codes: "token fingerprint",
		Scope: ofOrder, Order: theOrder, Contacts: true,
		What: "shipments for carriers", Why: "the carrier delivers", Kept: People,
		Period: "30 days after they were needed last, at most " + asPeople,
	},
	ofOrders("export_acknowledgements", "failure_reason carrier_shipment_id", "status idempotency_key state",
		"why a carrier refuses an order", "the office corrects it"),
	{
		Table: "external_updates", Codes: "carrier event_type body_hash", Scope: ofOrder, Order: theOrder, Contacts: true,
		Columns: append(texts("label signee_name failure_reason"), documents(DocumentText, "raw_body")...),
		What:    "carriers' reports, with who signed", Why: "the delivery is proved",
		Kept: People, Period: asPeople + "; `rawBody` 90 days",
	},
	{
		Table: "driver_actions", Codes: "type outcome outcome_reason", Scope: ofOrder, Order: theOrder,
		Columns: append(texts("reason comment"), documents(Document, "data")...),
		What:    "what drivers did, said and where", Why: "the delivery is proved", Kept: Proofs,
		Period: asProofs + "; without an order `settings.retention.driversDays`",
	},
	ofOrders("order_documentations", "comment", "type", "drivers' notes",
		"the delivery is proved, and the next driver knows the door"),
	ofOrders("order_moves", "reason", "source stop", "reasons of moves", "the office knows why"),
	ofOrders(
		"order_progress",
		"failure_reason",
		"pickup_status delivery_status",
		"why a stop failed",
		"the office knows why",
	),
	ofOrders(
		"exceptions",
		"comment",
		"kind stop resolution resolved_by rule",
		"comments on exceptions",
		"the office knows why",
	),
	ofOrders(
		"alerts", "note", "kind channels stop handled_by emails", "notes on alerts", "the office knows who sees to what",
	),
	{
		Table: "driver_messages", Columns: texts("text"), Codes: "side author read_by",
		What: "messages between the office and drivers", Why: "the office and drivers look up agreements",
		Period: "`settings.retention.peopleDays` after their day",
	},
	ofOrders("recipient_instructions", "instructions safe_place_note door_code", "safe_place",
		"what recipients ask of the driver, with door codes", "the driver hands the goods over"),
	ofOrders("recipient_ratings", "comment", "", "what recipients think of a delivery", "the office answers complaints"),
	ofOrders("order_driver_locks", "reason", "locked_by", "why a driver is locked", "the office knows why"),
	ofOrders("order_prohibited_drivers", "reason", "", "why a driver is prohibited", "the office knows why"),
	ofOrders("order_product_deliveries", "reason", "", "why goods were refused", "the delivery is proved"),
	ofOrders("order_products_missing", "reason", "", "why goods are missing", "the delivery is proved"),
	ofOrders("cargo_carrier_movements", "signee comment", "", "who signed for load carriers", "balances are proved"),
	{
		Table: "documents", Columns: texts("name"), Codes: "content_type storage_key sha256", Scope: ofDocument,
		What: "names of documents", Why: "papers go with the order", Period: asTheOrder,
	},
	ofOrders("completion_proofs", "signee comment manifest", "type signature_key signature_sha256 hash",
		"who signed, and where the driver was", "the delivery is proved").and(Column{"scans", Document}).asProofs(),
	{
		Table:   Messages,
		Codes:   "channel key workflow_id run_id event sender provider provider_id status failure track_trace_code",
		Columns: append(texts("receiver"), documents(Emptied, "subject body body_html")...), Scope: ofOrder, Order: theOrder,
		What: "messages and their receivers", Why: "recipients know when goods come",
		Kept: People, Period: "texts 400 days at most, receivers " + asPeople,
	},
	{
		Table: "notification_steps", Columns: texts("answer"), Codes: "kind status code provider report_key",
		Scope: ofMessage,
		Kept:  People,
		What:  "what providers answered", Why: "faults of sending are found", Period: asPeople,
	},
	{
		Table: "place_pins", Columns: texts("address1"), Codes: "key source postal_code city country pinned_by", Delete: true,
		Scope: `exists (select from order_stops s where s.org_id = t.org_id and s.position is not null
			and s.position ->> 'place' = encode(t.key, 'hex') and s.order_id = any ($2))`,
		What: "where people say that addresses are", Why: "drivers find addresses that the address register has wrong",
		Period: "`settings.retention.peopleDays` after the last order stopped there; those of master data until removed",
	},
	{
		Table: "place_proposals", Columns: texts("address1"), Delete: true,
		Codes: "key source target state postal_code city country decided_by",
		Scope: `exists (select from order_stops s where s.org_id = t.org_id and s.order_id = any ($2)
			and (s.position is not null and s.position ->> 'place' = encode(t.key, 'hex')
				or t.target <> 'ADDRESS' and t.stop_id = s.id))`,
		What: "where drivers say that addresses are, or have arrived", Why: "pins that are wrong are corrected",
		Period: "`settings.retention.peopleDays` after they were said",
	},
	{
		Table: "locations", Columns: append(texts("name address1 address2"), Column{"position", Document}),
		Codes: "external_id match_key postal_code city state country service_time pauses",
		Scope: strings.Replace(ofLocation, "%s", "t.id", 1),
		What:  "names, addresses and coordinates of locations", Why: "orders find their locations again",
		Period: "those that imports made: `settings.retention.peopleDays` after the last order stopped there; " +
			"master data until it is deleted",
	},
	{
		Table: "location_names", Columns: texts("name"), Delete: true,
		Scope: strings.Replace(ofLocation, "%s", "t.location_id", 1),
		What:  "names under which orders stopped at a location", Why: "the location is found by them",
		Period: "as the location",
	},
	{
		Table: "order_texts", Columns: texts("text"), Scope: ofOrder, Order: theOrder,
		What: "what an order is found by", Why: "the office finds orders", Period: "as the order",
	},
}

func (p Place) with(scope, order string) Place {
	p.Scope, p.Order = scope, order
	return p
}

// asLongAsOrders marks data that is personal only by chance and is deleted with
// its order.
func (p Place) asLongAsOrders() Place {
	p.Kept, p.Period = "", asTheOrder
	return p
}

func (p Place) asProofs() Place {
	p.Kept, p.Period = Proofs, asProofs
	return p
}

func (p Place) and(c Column) Place {
	p.Columns = append(p.Columns, c)
	return p
}

// Places are all tables with personal data of contacts, except the contacts
// themselves, in the sequence of erasure.
func Places() []Place { return places }

// contactsPlace is the place of the contacts themselves.
func contactsPlace() Place {
	return Place{
		Table: Contacts, Columns: documents(Address, "first_name last_name phone_number email_address"),
		What: "contacts of stops: names, numbers and addresses", Why: "the driver and messages reach the recipient",
		Period: asPeople,
	}
}

// DataMap are all places with personal data of contacts.
func DataMap() []Place { return append([]Place{contactsPlace()}, places...) }

// Why tables are exempt.
const (
	byTheOffice = "The office describes its own business with it"
	anAccount   = "It is of a user, a driver or a key, who is no contact"
	noPeople    = "The service writes it: numbers, states and times"
)

// exempt are all other tables.
var exempt = []Exemption{
	{
		"account_codes api_keys identities passkeys recovery_codes sessions totp_seeds users roles oidc_providers",
		anAccount,
		"",
	},
	{"drivers driven_legs driver_workday_rules driver_workdays sign_in_challenges sign_in_failures", anAccount, ""},
	{
		"carriers cargo_carriers custom_field_definitions departments freight_levels order_groups order_types" +
			" calendars price_lists products product_units schedule_intervals skills transformation_rules vehicle_types " +
			"vehicles zones location_time_windows messaging_settings organizations webhook_endpoints", byTheOffice, "",
	},
	{
		"alert_rules", byTheOffice + ": a rule that writes to addresses names them",
		"until the office changes the rule",
	},
	{
		"notification_rules", byTheOffice + ": a rule that writes to one address names that address",
		"until the office changes the rule",
	},
	{"operator_actions", "It names who operates the service, who is no contact, and organizations by their slug", ""},
	{"events", "The log names nobody: it holds numbers, and texts of the service", ""},
	{
		"idempotency_keys", "The answer is given again for a day, and then it is deleted",
		"for a day",
	},
	{
		"address_points place_loads place_sources regions streets towns",
		"Registers that states and OpenStreetMap publish: they name streets and houses, and nobody in them", "",
	},
	{
		"place_answers",
		"Keyed by a hash of the address, without its text: a position that the geocoding provider publishes",
		"hashes of addresses with their positions, until the answer expires (`WAYBILL_GEOCODER_KEEP`)",
	},
	{"recipient_preferences", "A choice from a list, for an order: a language, or no messages", ""},
	{"place_moves", "Hashes of addresses that are still to be placed", ""},
	{
		"erased_addresses",
		"Keyed hashes of erased addresses, so that an import that brings one back is told and an objection lasts",
		"hashes of the addresses, which nobody can read, as long as the organization",
	},
	{
		"erasure_keys erasures " +
			"archived_proofs bookings completion_proof_images installation refused_carrier_updates event_cursors " +
			"event_followers export_walks freights housekeeping_marks live_etas message_tallies " +
			"notification_handovers order_archives " +
			"order_exports order_numbers order_numbers_by_hand order_product_skills order_product_units " +
			"order_statuses parked_events plan_moved_orders plan_moves plan_previews plan_released_stops " +
			"plan_routes plan_stops plan_unplanned plans " +
			"proof_chains delivery_promises recurring_occurrences relay_members resendings route_holds " +
			"sandbox_runs schema_definitions " +
			"signing_keys stop_approaches stop_skills " +
			"tracking_links travel_blocks travel_legs travel_proposals travel_ways", noPeople, "",
	},
	{
		"proof_pictures", "Signatures go with the proof of an erased contact; other pictures show goods and doors",
		"pictures of deliveries, `settings.retention.proofsDays` after the order's date",
	},
}

// Exemptions are the tables in which erasing a contact changes nothing, with
// reasons.
func Exemptions() (all []Exemption) {
	for _, e := range exempt {
		for table := range strings.FieldsSeq(e.Table) {
			all = append(all, Exemption{table, e.Reason, e.Remains})
		}
	}
	return all
}

// Remaining is data that may still name an erased person, and until when.
type Remaining struct{ What, Until string }

// Remains is what erasing a person does not cover.
func Remains() (all []Remaining) {
	for _, e := range Exemptions() {
		if e.Remains != "" {
			all = append(all, Remaining{e.Table, e.Remains})
		}
	}
	return append(all, Remaining{
		"bytes of documents, copies of archives, exports of the organization and backups", "as long as you keep them",
	})
}
