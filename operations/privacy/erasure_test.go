package privacy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/domain/housekeeping"
	"waybill/domain/order"
	"waybill/domain/privacy"
	"waybill/operations/operationstest"
	privacyops "waybill/operations/privacy"
)

// knowsKari puts a person into everything of an organization ($1) that names people,
// beside another person, and somebody whose address contains hers.
const knowsKari = `
	update order_stops set name = 'Kari Nordmann', instructions = 'Call Kari  Nordmann, 912 34 567' where org_id = $1;
	update locations set name = 'Kari Nordmann' where org_id = $1 and external_id = 'L-2';
	update orders set reference = 'for kari@example.com' where org_id = $1;
	insert into erp_orders (org_id, number, order_id, own) select $1, number, id,
		'{"Delivery": {"Contacts": [{"firstName": "Kari", "lastName": "Nordmann", "emailAddress": "kari@example.com"},
			{"firstName": "Ola", "emailAddress": "ola@example.com"}]}}' from orders where org_id = $1;
	insert into custom_field_values (org_id, order_id, definition_id, value)
		select $1, o.id, d.id, '"0047 91234567"' from orders o, custom_field_definitions d where o.org_id = $1 and d.org_id = $1 limit 1;
	insert into drafts (org_id, external_id, request) values ($1, 'D-1', '{"delivery": {"contacts": [
		{"firstName": "Kari", "lastName": "Nordmann", "phoneNumber": "+47 91 23 45 67"}, {"firstName": "Ola", "phoneNumber": "+4798765432"}]}}');
	with i as (insert into imports (org_id, defaults, total, chunks) values ($1, '{}', 1, 1) returning id),
	c as (insert into import_chunks (org_id, import_id, chunk, positions, entries)
		select $1, id, 0, '{0}', convert_to('[{"contacts": [{"firstName": "Kari", "emailAddress": "Kari@Example.com"}]}]', 'UTF8') from i)
	insert into import_results (org_id, import_id, position, kind, external_id, reasons)
		select $1, id, 0, 'failedUpdate', 'N', '[{"text": "Who is kari@example.com?"}]' from i;
	insert into recurring_order_changes (org_id, recurring_order_id, creates, change)
		values ($1, 1, true, '{"contacts": [{"firstName": "Kari", "emailAddress": "kari@example.com"}]}');
	insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, order_id, receiver, sender, subject, body,
		body_html, provider, status) select $1, 'EMAIL', n::text, 'w', 'r', 'ORDER_CREATED', 1, case n when 1 then o.id end,
		case n when 3 then 'ola@example.com' else 'kari@example.com' end, '', '', case n when 3 then 'Hello Ola' else 'Hello Kari' end, '', 'smtp',
		'sent' from orders o, generate_series(1, 3) n where o.org_id = $1;
	insert into notification_steps (org_id, notification_id, kind, status, answer)
		select $1, id, 'sent', 'sent', 'accepted for kari@example.com' from notifications where org_id = $1 and receiver like 'kari%';
	insert into suppressions (org_id, channel, address, reason) values ($1, 'EMAIL', 'kari@example.com', 'bounced'),
		($1, 'EMAIL', 'ola@example.com', 'bounced');
	update customers set email_address = 'kari@example.com', phone_number = '98765432' where org_id = $1 and external_id = 'C-100';
	insert into order_exports (org_id, order_id, state, place, version) select $1, id, 'pending', 1, 1 from orders where org_id = $1;
	insert into export_versions (org_id, order_id, version, token, fingerprint, payload) select $1, id, 1, 't', '',
		'{"contact":{"firstName":"Kari","lastName":"Nordmann","emailAddress":"kari@example.com"},"name":"Kari Nordmann"}'
		from orders where org_id = $1;
	insert into external_updates (org_id, order_id, event_type, occurred_at, signee_name, raw_body) select $1, id, 'EVENT_TYPE_DELIVERED',
		now(), 'KARI NORDMANN', '{"by": "Kari Nordmann"}' from orders where org_id = $1;
	with d as (insert into drivers (org_id, name) values ($1, 'Nora') returning id)
	insert into driver_actions (org_id, id, driver_id, type, order_id, occurred_at, device_at, sent_at, comment, data, outcome)
		select $1, gen_random_uuid(), d.id, 'DELIVER', o.id, now(), now(), now(), 'to Kari Nordmann', '{"proof": {"signee": "Kari Nordmann"}}',
			'APPLIED' from orders o, d where o.org_id = $1;
	insert into order_documentations (org_id, order_id, type, comment) select $1, id, 'note', 'Kari Nordmann was out' from orders where org_id = $1;
	insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
		values ($1, decode(repeat('ab', 32), 'hex'), 'image/png', 1, 'k', 1);
	insert into completion_proofs (org_id, order_id, type, signee, comment, signature_sha256, seq, manifest, hash)
		select $1, id, 'IN_PERSON', 'Kari Nordmann', 'fine', decode(repeat('ab', 32), 'hex'), 1, '{}', '\x00' from orders where org_id = $1;
	insert into order_moves (org_id, order_id, source, at, status_id, reason) select $1, id, 'OFFICE', now(), 2, 'Kari Nordmann called'
		from orders where org_id = $1;
	insert into order_progress (org_id, order_id, pickup_status, delivery_status, failure_reason)
		select $1, id, 'completed', 'failed', 'kari@example.com did not open' from orders where org_id = $1;
	insert into exceptions (org_id, kind, day, driver_id, order_id, stop, at, comment) select $1, 'LATE_STOP', current_date, d.id, o.id, 'delivery',
		now(), 'told Kari Nordmann' from orders o, drivers d where o.org_id = $1 and d.org_id = $1 and d.name = 'Nora';
	with r as (insert into alert_rules (org_id, kind, channels) values ($1, 'FAILED', '{PAGE}') returning id)
	insert into alerts (org_id, rule_id, kind, channels, day, order_id, at, note) select $1, r.id, 'FAILED', '{PAGE}', current_date, o.id, now(),
		'Kari Nordmann calls back' from orders o, r where o.org_id = $1;
	insert into recipient_instructions (org_id, order_id, instructions, safe_place_note, door_code)
		select $1, o.id, '', '', '' from orders o where o.org_id = $1;
	insert into recipient_ratings (org_id, order_id, stars, comment) select $1, o.id, 4, '' from orders o where o.org_id = $1;
	insert into recipient_preferences (org_id, order_id, unwanted) select $1, o.id, false from orders o where o.org_id = $1;
	insert into driver_messages (org_id, driver_id, day, side, author, text, written_at) select $1, d.id, current_date, 'OFFICE', 'user:12',
		'call Kari Nordmann', now() from drivers d where d.org_id = $1 and d.name = 'Nora';
	insert into order_driver_locks (org_id, order_id, driver_id, reason) select $1, o.id, d.id, 'for Kari Nordmann'
		from orders o, drivers d where o.org_id = $1 and d.org_id = $1 and d.name = 'Nora';
	insert into order_prohibited_drivers (org_id, order_id, driver_id, reason) select $1, o.id, d.id, 'Kari Nordmann does not want'
		from orders o, drivers d where o.org_id = $1 and d.org_id = $1 and d.name = 'Nora';
	update order_products set name = 'Chair of Kari Nordmann' where org_id = $1;
	insert into order_product_deliveries (org_id, order_product_id, order_id, delivered, refused, reason)
		select $1, id, order_id, 0, 1, 'Kari Nordmann says no' from order_products where org_id = $1;
	insert into export_acknowledgements (org_id, order_id, version, status, failure_reason)
		select $1, order_id, version, 'FAILED', 'Kari Nordmann is unknown' from export_versions where org_id = $1;
	with c as (insert into cargo_carriers (org_id, code, name) values ($1, 'EUR', 'Pallet') returning id),
	a as (insert into cargo_carrier_accounts (org_id, cargo_carrier_id, location_id, balance)
		select $1, c.id, l.id, 1 from c, locations l where l.org_id = $1 and l.external_id = 'L-2' returning id)
	insert into cargo_carrier_movements (org_id, account_id, quantity, balance, occurred_at, order_id, signee, comment)
		select $1, a.id, 1, 1, now(), o.id, 'Kari Nordmann', 'for 912 34 567' from a, orders o where o.org_id = $1;
	with d as (insert into documents (org_id, name, content_type, size) values ($1, 'Kari Nordmann.pdf', 'application/pdf', 1) returning id)
	insert into order_documents (org_id, order_id, document_id) select $1, o.id, d.id from orders o, d where o.org_id = $1;
	update order_stops set position = jsonb_build_object('precision', 'POINT', 'place', repeat('ab', 16))
		where org_id = $1 and kind = 'delivery';
	insert into place_pins (org_id, key, address1, postal_code, city, country, latitude, longitude, pinned_by)
		values ($1, decode(repeat('ab', 16), 'hex'), 'Hos Kari Nordmann', '0155', 'Oslo', 'NO', 59.9, 10.7, 'user:1');
	insert into place_proposals (org_id, key, source, address1, postal_code, city, country, latitude, longitude, stop_id)
		values ($1, decode(repeat('ab', 16), 'hex'), 'DRIVER', 'Hos Kari Nordmann', '0155', 'Oslo', 'NO', 59.9, 10.7, 1);
	insert into location_names (org_id, location_id, name) select $1, id, 'Hos Kari Nordmann' from locations where org_id = $1 and external_id = 'L-2';
	insert into order_prices (org_id, order_id, seq, name, price, currency, quantity, computed) select $1, id, 9, 'Freight', 1, 'NOK', 1, false
		from orders where org_id = $1;
	insert into order_products_missing (org_id, order_product_id, order_id, missing) select $1, id, order_id, 1 from order_products where org_id = $1;
	insert into recurring_orders (org_id, name, customer_id, order_type_id, vehicle_type_id, pickup_location_id, delivery_location_id,
		order_template, rruleset, start_date, days_to_generate_ahead, version, applied_from, generated_count)
		select $1, 'Weekly', o.customer_id, o.order_type_id, o.vehicle_type_id, s.location_id, s.location_id, '{}', '', now(), 1, 1, 1, 0
		from orders o join order_stops s on s.org_id = o.org_id and s.order_id = o.id where o.org_id = $1 limit 1;
	with e as (insert into webhook_endpoints (org_id, url, description, kinds, sealed_secret, position, place)
		values ($1, 'https://example.com', '', '{}', '', 0, 0) returning id)
	insert into webhook_attempts (org_id, endpoint_id, position, place, kind, number, at, duration_ms, delivered)
		select $1, id, 0, 0, 'order.created', 1, now(), 1, true from e`

// meetsKari imports an order for Kari, and has everything that names people name her.
func meetsKari(h *operationstest.House, org int64) {
	h.T.Helper()
	entry := operationstest.HeavyOrder("SO-1")
	entry.Delivery.Contacts = contacts
	h.Imported(org, entry)
	for _, statement := range strings.Split(knowsKari, ";\n") {
		h.Exec(strings.ReplaceAll(statement, "$1", fmt.Sprint(org)))
	}
}

// fillWithKari writes Kari's name, number and address into a row of every column that has
// personal data, and fails when a table has no row.
func fillWithKari(h *operationstest.House, org int64) {
	h.T.Helper()
	const note = "Til Kari  Nordmann, 912-34/567, <kari@example.com>"
	const doc = `{"note": "` + note + `", "number": 91234567}`
	orders := operationstest.One[[]int64](h.Office, "select array_agg(id) from orders where org_id = $1", org)
	for _, place := range privacy.DataMap() {
		scope := place.Scope
		if scope == "" {
			scope = "true"
		}
		for _, c := range place.Columns {
			column := "t." + c.Name
			value := map[privacy.Form]string{
				privacy.Text: "$3", privacy.Emptied: "$3", privacy.Address: column,
				privacy.Document:      "coalesce(" + column + ", '{}') || $3::jsonb",
				privacy.DocumentText:  "(coalesce(" + column + ", '{}')::jsonb || $3::jsonb)::text",
				privacy.DocumentBytes: "convert_to((convert_from(" + column + ", 'UTF8')::jsonb || $3::jsonb)::text, 'UTF8')",
			}[c.Form]
			text := doc
			if value == "$3" {
				text = note
			}
			if place.Delete {
				value = "$3::text || '.'" // names of locations are noted when these change
			}
			tag, err := h.Owner.Exec(h.T.Context(), fmt.Sprintf(`update %[1]s t set %[2]s = %[3]s where t.org_id = $1 and t.ctid =
				(select t.ctid from %[1]s t where t.org_id = $1 and ($2::bigint[] is null or %[4]s) and $3::text <> '' order by t.ctid limit 1)`,
				place.Table, c.Name, value, scope), org, orders, text)
			require.NoError(h.T, err, "%s.%s", place.Table, c.Name)
			require.EqualValues(h.T, 1, tag.RowsAffected(), "%s has no row", place.Table)
		}
	}
}

// contacts are Kari, somebody else, and one who is not she.
var contacts = []order.Contact{
	{FirstName: "Kari", LastName: "Nordmann", PhoneNumber: "+4791234567", EmailAddress: "Kari@example.com"},
	{FirstName: "Ola", LastName: "Hansen", PhoneNumber: "+4798765432", EmailAddress: "ola@example.com"},
	{FirstName: "Oskar", LastName: "Li", PhoneNumber: "+47912345678", EmailAddress: "oskari@example.com"},
}

// TestAPersonIsErasedFromEverything looks for the person in each row of each table.
func TestAPersonIsErasedFromEverything(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	for _, org := range h.Orgs {
		meetsKari(h, org)
		fillWithKari(h, org)
	}
	mine, theirs := h.Orgs[0], h.Orgs[1]
	kari, ok := privacy.NewPerson("KARI@example.com", "912 34 567", "NO")
	require.True(t, ok)
	traces := func(org int64) (found []string) {
		t.Helper()
		tables := operationstest.One[[]string](h.Office, `select array_agg(distinct c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
			where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped and a.attname = 'org_id'`)
		for _, table := range tables {
			text := operationstest.One[string](h.Office, "select coalesce(string_agg(t::text, '|'), '') from "+table+" t where org_id = $1", org)
			if table == "import_chunks" {
				text = operationstest.One[string](h.Office, "select string_agg(convert_from(entries, 'UTF8'), '') from import_chunks where org_id = $1", org)
			}
			text = strings.NewReplacer(" ", "", "oskari@example", "", "+47912345678", "").Replace(strings.ToLower(text))
			for _, trace := range []string{"kari@example", "91234567", "karinordmann", `"kari"`, "hellokari"} {
				if strings.Contains(text, trace) {
					found = append(found, table+": "+trace)
				}
			}
		}
		return found
	}
	require.Greater(t, len(traces(mine)), 15)
	before, other := h.EveryRow(), traces(theirs)

	by := caller.Service(mine, "waybill contacts erase")
	dry, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{Dry: true})
	require.NoError(t, err)
	require.Equal(t, before, h.EveryRow(), "a dry run erases nothing")
	erased, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{})
	require.NoError(t, err)
	require.Equal(t, dry.Rows, erased.Rows)
	require.Equal(t, dry.Contacts, erased.Contacts)
	require.Equal(t, 1, erased.Orders)
	require.Empty(t, traces(mine))
	require.Equal(t, other, traces(theirs), "another organization keeps what it has")

	require.Equal(t, []string{"ola@example.com", "oskari@example.com"},
		h.All(fmt.Sprintf("select email_address from stop_contacts where org_id = %d and email_address is not null", mine)))
	require.Equal(t, "Hello Ola", operationstest.One[string](h.Office, "select string_agg(body, '') from notifications where org_id = $1", mine))
	require.Contains(t, operationstest.One[string](h.Office, "select request::text from drafts where org_id = $1", mine), "+4798765432")
	require.Equal(t, "98765432", operationstest.One[string](h.Office, "select phone_number from customers where org_id = $1 and external_id = 'C-100'", mine))
	require.Zero(t, operationstest.One[int](h.Office, "select count(*)::int from proof_pictures where org_id = $1", mine), "nor is there her signature")
	const log = `select string_agg(concat_ws(' ', kind, subject_type, actor, cause), '|' order by id) from events
		where org_id = $1 and kind like '%contact_erased'`
	require.Equal(t, "order.contact_erased order system waybill contacts erase|"+
		"organization.contact_erased organization system waybill contacts erase", operationstest.One[string](h.Office, log, mine))

	after := h.EveryRow()
	again, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{})
	require.NoError(t, err)
	require.False(t, again.Any())
	h.Exec("delete from erasures where id = $1", again.Receipt)
	require.Equal(t, after, h.EveryRow(), "done again, it finds nothing and says nothing")
}

func TestAddressesAreFoundHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOffice(t)
	p, ok := privacy.NewPerson("k.n+1@example.com", "+47 912 34 567", "")
	require.True(t, ok)
	for text, found := range map[string]bool{
		"K.N+1@EXAMPLE.COM": true, "<k.n+1@example.com>.": true, "mail k.n+1@example.com now": true,
		"ak.n+1@example.com": false, "k.n+1@example.com.au": false, "kxn+1@example.com": false,
		"+4791234567": true, "0047 91 23 45 67": true, "912-34-567": true, "(912) 34 567": true,
		"912345678": false, "1912345670": false, "+4691234567 ": false,
	} {
		require.Equal(t, found, operationstest.One[bool](h, "select $1::text ~* $2::text", text, p.Addresses()), text)
	}
	for _, none := range [][2]string{{"", ""}, {"kari", ""}, {"", "12"}, {"kari@example.com", "x"}} {
		_, ok := privacy.NewPerson(none[0], none[1], "NO")
		require.False(t, ok, none)
	}
}

// TestAPersonIsErasedFromArchives has orders archived that Kari is a contact of, and others.
func TestAPersonIsErasedFromArchives(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	mine := h.Orgs[0]
	entry := operationstest.HeavyOrder("OLD-9")
	entry.Delivery.Contacts = contacts
	h.Imported(mine, entry)
	h.Exec(`update orders set date = '2020-01-05', updated_at = '2020-02-01', status_id = 6, reference = 'Kari Nordmann'
		where org_id = $1 and number = 'OLD-9'`, mine)
	h.Exec("update events set recorded_at = '2020-02-01', position = id where org_id = $1", mine)
	h.Exec(`insert into order_moves (org_id, order_id, source, at, status_id, reason)
		select $1, id, 'OFFICE', '2020-02-01', 6, 'Kari Nordmann called' from orders where org_id = $1 and number = 'OLD-9'`, mine)
	h.Exec(`insert into external_updates (org_id, order_id, event_type, occurred_at, signee_name, raw_body)
		select $1, id, 'EVENT_TYPE_DELIVERED', '2020-02-01', 'KARI NORDMANN', '{"firstName": "Kari", "by": "Kari Nordmann"}'
		from orders where org_id = $1 and number = 'OLD-9'`, mine)
	h.Exec(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, order_id, receiver, sender, subject, body,
			body_html, provider, status, created_at)
		select $1, 'EMAIL', 'k', 'w', 'r', 'ORDER_CREATED', 1, id, 'kari@example.com', '', '', 'Hello Kari', '', 'smtp', 'sent', '2020-02-01'
		from orders where org_id = $1 and number = 'OLD-9'`, mine)
	require.Equal(t, 7, h.Keep(housekeeping.Orders))
	before := h.Archived()
	require.Contains(t, fmt.Sprint(before["OLD-9"]), "Hello Kari")
	old := h.All("select storage_key from order_archives where month = '2020-01-01'")

	kari, ok := privacy.NewPerson("KARI@example.com", "", "NO")
	require.True(t, ok)
	by := caller.Service(mine, "waybill contacts erase")
	dry, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{Dry: true})
	require.NoError(t, err)
	require.Equal(t, before, h.Archived())
	erased, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{})
	require.NoError(t, err)
	require.Equal(t, dry.Rows, erased.Rows)
	require.Contains(t, erased.Rows, privacyops.ErasedRows{Table: "archived orders", Count: 1})

	after := h.Archived()
	text := strings.ToLower(fmt.Sprint(after["OLD-9"]))
	require.Contains(t, text, "ola@example.com")
	require.Contains(t, text, "oskari@example.com")
	text = strings.NewReplacer("oskari@", "", "+47912345678", "").Replace(text)
	for _, trace := range []string{"kari@", "nordmann", "kari]", "kari ", `kari"`, "91234567"} {
		require.NotContains(t, text, trace)
	}
	require.NotContains(t, fmt.Sprint(after["OLD-9"]["external_updates"]), "Kari")
	delete(before, "OLD-9")
	delete(after, "OLD-9")
	require.Equal(t, before, after, "other orders stay as they were")
	_, err = h.Attic.Read(t.Context(), old[0])
	require.Error(t, err, "the archive with the person is deleted")

	keys := h.All("select storage_key from order_archives order by id")
	again, err := h.Privacy.EraseContact(t.Context(), by, kari, privacyops.Erasing{})
	require.NoError(t, err)
	require.False(t, again.Any())
	require.Equal(t, keys, h.All("select storage_key from order_archives order by id"))
}

// home is an order of an organization that a private person gets, at a stop of their name.
func home(h *operationstest.House, number string, contacts ...order.Contact) {
	h.T.Helper()
	entry := operationstest.HeavyOrder(number)
	entry.Delivery = &order.LocationRequest{
		Name: "Corvinus Hallgrim", Contacts: contacts,
		Address: &order.Address{Address1: "Lia 17", PostalCode: "0150", City: "Oslo", Country: "NO"},
	}
	h.Imported(h.Orgs[0], entry)
}

func erase(h *operationstest.House, email, phone string, names ...string) privacyops.Erased {
	h.T.Helper()
	person, ok := privacy.NewPerson(email, phone, "NO")
	require.True(h.T, ok)
	person.Names = names
	erased, err := h.Privacy.EraseContact(h.T.Context(), caller.Service(h.Orgs[0], "waybill contacts erase"), person, privacyops.Erasing{})
	require.NoError(h.T, err)
	return erased
}

func contactsLeft(h *operationstest.House) []string {
	return h.All(fmt.Sprintf("select concat_ws('|', first_name, last_name, phone_number, email_address) from stop_contacts where org_id = %d",
		h.Orgs[0]))
}

// stopOf is the delivery of an order, as JSON.
func stopOf(h *operationstest.House, number string) string {
	return operationstest.One[string](h.Office, `select to_jsonb(s)::text from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		where o.org_id = $1 and o.number = $2 and s.kind = 'delivery'`, h.Orgs[0], number)
}

func TestAMessageToAnErasedPersonIsEnded(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	recorded := o.Record("order.created", operationstest.TextOfCreated)
	about := o.Record("order.created", operationstest.MailOfCreated)
	_, err := o.Owner.Exec(t.Context(), "update notifications set receiver = 'nabo@example.com', body = 'for +47 40000001' where id = $1", about.ID)
	require.NoError(t, err)
	person, ok := privacy.NewPerson("wrong@example.com", "", "NO")
	require.True(t, ok)
	erased, err := o.Privacy.EraseContact(t.Context(), caller.Service(1, "test"), person, privacyops.Erasing{})
	require.NoError(t, err)
	require.Len(t, erased.Ended, 2)
	require.Equal(t, []string{"failed Superseded", "failed Superseded"}, operationstest.One[[]string](o.Office, `select array_agg(
		trim(concat_ws(' ', status, failure, subject, body, body_html))) from notifications where org_id = 1 and id = any ($1)`,
		[]int64{recorded.ID, about.ID}))
	for _, id := range []int64{recorded.ID, about.ID} {
		require.Contains(t, o.Kinds(id), "notification.superseded")
		sent, err := o.Notifications.SendNotification(t.Context(), o.By, id)
		require.NoError(t, err)
		require.EqualValues(t, "failed", sent.Status)
	}
	require.Empty(t, o.Texts)
	require.Empty(t, o.Mails)
}

func TestAPersonWithOneNameIsErased(t *testing.T) {
	t.Parallel()
	for _, contact := range []order.Contact{
		{FirstName: "Corvinus Hallgrim"}, {LastName: "Hallgrim, Corvinus"}, {LastName: "Corvinus Hallgrim"},
	} {
		h := operationstest.NewHouse(t)
		contact.EmailAddress = "corvinus@example.com"
		home(h, "PC-1", contact)
		h.Exec("update orders set reference = 'Hallgrim Corvinus' where org_id = $1 and number = 'PC-1'", h.Orgs[0])
		require.Equal(t, 1, erase(h, "corvinus@example.com", "").Orders)
		require.NotContains(t, strings.ToLower(stopOf(h, "PC-1")), "hallgrim")
		require.Equal(t, "[erased]", operationstest.One[string](h.Office, "select reference from orders where org_id = $1 and number = 'PC-1'", h.Orgs[0]))
		require.Zero(t, operationstest.One[int](h.Office, `select count(*)::int from locations l full join location_names n on false
			where concat(l.name, n.name) ilike '%hallgrim%'`))
	}
}

func TestANameIsFoundInOtherSpellings(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PH-1", order.Contact{FirstName: "Haldorine", LastName: "Ødegård", EmailAddress: "h@example.com"})
	h.Exec("update order_stops set instructions = 'Ring Haldorine Ödegaard' where org_id = $1", h.Orgs[0])
	erase(h, "h@example.com", "")
	require.Zero(t, operationstest.One[int](h.Office, "select count(*)::int from order_stops where org_id = $1 and instructions ~* 'haldorine' and order_id in (select id from orders where number = 'PH-1')", h.Orgs[0]))
}

// TestEveryNumberThatMessagesGoToIsFound has the spellings that are sent to.
func TestEveryNumberThatMessagesGoToIsFound(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	spellings := []string{
		"+4791288775", "0047 91288775", "912 88 775", "4791288775", "912\u00a088\u00a0775", "912-88/776", "(+47) 91 28 87 75",
		"tel:+47-912-88-775", "912.88.775",
	}
	person, ok := privacy.NewPerson("", "91288775", "NO")
	require.True(t, ok)
	want := 0
	for i, written := range spellings {
		home(h, fmt.Sprint("PN-", i), order.Contact{FirstName: "Embrikka", LastName: "Fossnes"})
		h.Exec(`update stop_contacts c set phone_number = $2 from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			where s.org_id = c.org_id and s.id = c.stop_id and o.org_id = $1 and o.number = $3`, h.Orgs[0], written, fmt.Sprint("PN-", i))
		h.Exec("update orders set reference = $2 where org_id = $1 and number = $3", h.Orgs[0], "tlf "+written, fmt.Sprint("PN-", i))
		if person.HasNumber(written) {
			want++
		}
	}
	require.Equal(t, len(spellings)-1, want, "one is another number")
	require.Equal(t, want, erase(h, "", "91288775").Orders)
	require.Equal(t, []string{"", "Embrikka|Fossnes|912-88/776"}, h.All(fmt.Sprintf(`select distinct concat_ws('|', first_name, last_name,
		phone_number) from stop_contacts where org_id = %d`, h.Orgs[0])))
	require.Equal(t, []string{"912-88/776"}, h.All(fmt.Sprintf(`select replace(reference, 'tlf ', '') from orders where org_id = %d
		and reference ~ '[0-9]'`, h.Orgs[0])))
}

func TestTheOtherAddressOfAContactIsErasedToo(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PB-1", order.Contact{FirstName: "Bonnifas", LastName: "Tyrving", EmailAddress: "b@example.com", PhoneNumber: "+4791288772"})
	h.Exec(`update orders set reference = 'tlf 91288772' where org_id = $1 and number = 'PB-1'`, h.Orgs[0])
	h.Exec(`insert into drafts (org_id, external_id, request) values ($1, 'D', '{"note": "912 88 772"}')`, h.Orgs[0])
	erase(h, "b@example.com", "")
	require.Equal(t, "tlf [erased]", operationstest.One[string](h.Office, "select reference from orders where number = 'PB-1' and org_id = $1", h.Orgs[0]))
	require.NotContains(t, operationstest.One[string](h.Office, "select request::text from drafts where org_id = $1", h.Orgs[0]), "772")
	again := erase(h, "b@example.com", "91288772")
	require.False(t, again.Any())
}

func TestAFormerContactIsErased(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PF-1", order.Contact{FirstName: "Somebody", LastName: "Else", EmailAddress: "else@example.com"})
	h.Exec(`insert into order_exports (org_id, order_id, state, place, version) select $1, id, 'pending', 1, 1 from orders
		where org_id = $1 and number = 'PF-1'`, h.Orgs[0])
	h.Exec(`insert into export_versions (org_id, order_id, version, token, fingerprint, payload) select $1, id, 1, 't', '',
		'{"contacts":[{"lastName": "Myrvang", "firstName": "Frodegunn", "phoneNumber": "91288777", "emailAddress": "frode@example.com"}]}'
		from orders where org_id = $1 and number = 'PF-1'`, h.Orgs[0])
	h.Exec("update order_stops set name = 'Frodegunn Myrvang', instructions = 'Ring 912 88 777' where org_id = $1 and name = 'Corvinus Hallgrim'", h.Orgs[0])
	require.Equal(t, 1, erase(h, "frode@example.com", "").Orders)
	require.NotContains(t, operationstest.One[string](h.Office, "select payload from export_versions where org_id = $1", h.Orgs[0]), "Myrvang")
	require.Contains(t, stopOf(h, "PF-1"), `"name": "[erased]"`)
	require.Contains(t, stopOf(h, "PF-1"), "Ring [erased]")
	require.Contains(t, contactsLeft(h), "Somebody|Else|else@example.com")
}

func TestPeopleOfOneHouseholdAreDistinguished(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PG-1",
		order.Contact{FirstName: "Gulbrandine", LastName: "Kvam", EmailAddress: "g@example.com", PhoneNumber: "+4791288778"},
		order.Contact{FirstName: "Torvald", LastName: "Kvam", EmailAddress: "t@example.com", PhoneNumber: "91288778"})
	erased := erase(h, "g@example.com", "91288778")
	require.Len(t, erased.Contacts, 1)
	require.Equal(t, "Torvald Kvam", erased.Shared[0].Name)
	require.Contains(t, contactsLeft(h), "Torvald|Kvam|t@example.com")
	require.NotContains(t, fmt.Sprint(contactsLeft(h)), "Gulbrandine")
}

// TestTheHomeAndTheSignatureOfAPersonAreErased has a door code, and initials for a name.
func TestTheHomeAndTheSignatureOfAPersonAreErased(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	home(h.House, "PA-1", order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	mine := h.Orgs[0]
	h.Exec(`update order_stops s set instructions = 'Portkode 4477', latitude = 59.91234, longitude = 10.75432 from orders o
		where o.org_id = s.org_id and o.id = s.order_id and o.org_id = $1 and o.number = 'PA-1' and s.kind = 'delivery'`, mine)
	_, err := h.Attic.Write(t.Context(), fmt.Sprintf("%d/pictures/x/y", mine), attachment.File{Size: 1}, strings.NewReader("x"))
	require.NoError(t, err)
	h.Exec(`insert into proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
		values ($1, decode(repeat('ab', 32), 'hex'), 'image/png', 1, $2, 1)`, mine, fmt.Sprintf("%d/pictures/x/y", mine))
	h.Exec(`insert into completion_proofs (org_id, order_id, type, signee, comment, signature_sha256, latitude, longitude)
		select $1, id, 'IN_PERSON', 'C. H.', 'ved Lia  17', decode(repeat('ab', 32), 'hex'), 59.9, 10.7 from orders
		where org_id = $1 and number = 'PA-1'`, mine)
	h.Exec(`insert into external_updates (org_id, order_id, event_type, occurred_at, signee_name, raw_body) select $1, id,
		'EVENT_TYPE_DELIVERED', now(), 'C. H.', '{"by":"C. H.","to":"Lia 17"}' from orders where org_id = $1 and number = 'PA-1'`, mine)
	erased := erase(h.House, "c@example.com", "")
	require.Equal(t, 1, erased.Files)
	stop := stopOf(h.House, "PA-1")
	for _, gone := range []string{"Lia", "4477", "59.9", "10.7", "Hallgrim"} {
		require.NotContains(t, stop, gone)
	}
	require.Contains(t, stop, `"postal_code": "0150"`)
	require.Contains(t, stop, `"city": "Oslo"`)
	require.Zero(t, operationstest.One[int](h.Office, "select count(*)::int from locations where org_id = $1 and (address1 = 'Lia 17' or name ~ 'Hallgrim')", mine))
	require.Equal(t, "[erased]|ved [erased]", operationstest.One[string](h.Office, `select concat_ws('|', signee, comment, latitude) from completion_proofs
		where org_id = $1`, mine))
	require.Equal(t, `[erased]|{"by":"[erased]","to":"[erased]"}`, strings.ReplaceAll(operationstest.One[string](h.Office,
		"select signee_name || '|' || raw_body from external_updates where org_id = $1", mine), " ", ""))
	_, err = h.Attic.Read(t.Context(), fmt.Sprintf("%d/pictures/x/y", mine))
	require.Error(t, err, "the bytes are deleted at once")
}
