package privacy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/housekeeping"
	"waybill/domain/order"
	"waybill/operations/operationstest"
)

// staysPersonal are the tables that may name somebody after ten years, and why.
var staysPersonal = map[string]string{
	"customers":        "master data, until the customer is removed",
	"locations":        "master data has an external id; what imports made is erased",
	"recurring_orders": "until the template is deleted",
	"suppressions":     "an objection is respected",
	"orders":           "a reference names somebody only by chance, and goes with the order",
	"order_products":   "so do names of goods",
	"order_prices":     "so do names of prices",
	"documents":        "so do names of documents",
	"order_texts":      "what an order is found by says what its columns say",
	"location_names":   "as the location",
}

// oldPeople is a house in which everything names Kari, with a delivery at her home.
func oldPeople(t *testing.T) *operationstest.OldHouse {
	t.Helper()
	h := operationstest.HouseWithAttic(t)
	for _, org := range h.Orgs {
		meetsKari(h.House, org)
		h.Exec(`update completion_proofs set latitude = 59.91234, longitude = 10.75432,
			manifest = '{"signee": "Kari Nordmann", "latitude": 59.91234}' where org_id = $1`, org)
		h.Exec(`update driver_actions set latitude = 59.91234, longitude = 10.75432 where org_id = $1`, org)
		key := fmt.Sprintf("%d/pictures/x/y", org)
		_, err := h.Attic.Write(t.Context(), key, attachment.File{Size: 1}, strings.NewReader("x"))
		require.NoError(t, err)
		h.Exec("update proof_pictures set storage_key = $2 where org_id = $1", org, key)
		h.Exec(`insert into driver_days (org_id, driver_id, day, started_at) select org_id, id, current_date, now() from drivers
			where org_id = $1 and name = 'Nora'`, org)
		h.Exec(`insert into driver_whereabouts (org_id, driver_id, latitude, longitude, at) select org_id, id, 59.91234, 10.75432, now()
			from drivers where org_id = $1 and name = 'Nora'`, org)
		h.Exec(`insert into driver_actions (org_id, id, driver_id, type, occurred_at, device_at, sent_at, latitude, longitude, outcome)
			select org_id, gen_random_uuid(), id, 'START_ROUTE', now(), now(), now(), 59.91234, 10.75432, 'APPLIED' from drivers
			where org_id = $1 and name = 'Nora'`, org)
	}
	home(h.House, "PA-1", order.Contact{FirstName: "Kari", LastName: "Nordmann", EmailAddress: "kari@example.com"})
	return h
}

// personal are the tables of an organization that name Kari or say where somebody was.
func personal(h *operationstest.OldHouse, org int64) (found []string) {
	h.T.Helper()
	tables := operationstest.One[[]string](h.Office, `select array_agg(distinct c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped and a.attname = 'org_id'`)
	for _, table := range tables {
		text := strings.ToLower(operationstest.One[string](h.Office,
			"select coalesce(string_agg(t::text, '|'), '') from "+table+" t where org_id = $1", org))
		for _, trace := range []string{"kari", "nordmann", "91234567", "912 34 567", "lia 17", "59.91234", "10.75432"} {
			if strings.Contains(text, trace) && !slices.Contains(found, table) {
				found = append(found, table)
			}
		}
	}
	slices.Sort(found)
	return found
}

// keepAll carries out all duties that forget.
func keepAll(h *operationstest.OldHouse) {
	h.T.Helper()
	for _, duty := range housekeeping.Duties() {
		if !strings.HasPrefix(string(duty), "live-") && duty != housekeeping.Room && duty != housekeeping.Reminders &&
			duty != housekeeping.Orders && duty != housekeeping.Log { // the log names nobody
			h.Keep(duty)
		}
	}
}

// TestPersonalDataExpires looks at every table ten years later.
func TestPersonalDataExpires(t *testing.T) {
	t.Parallel()
	h := oldPeople(t)
	mine, theirs := h.Orgs[0], h.Orgs[1]
	h.Exec("update organizations set keep_people_days = 0, keep_proofs_days = 0, keep_drivers_days = 0 where id = $1", theirs)
	require.Greater(t, len(personal(h, mine)), 20)
	home(h.House, "PA-2")
	h.Exec(`update recurring_orders r set delivery_location_id = (select s.location_id from orders o
			join order_stops s on s.org_id = o.org_id and s.order_id = o.id and s.kind = 'delivery'
			where o.org_id = $1 and o.number = 'PA-2') where r.org_id = $1`, mine)

	h.Now = h.Now.AddDate(10, 0, 0)
	other := personal(h, theirs)
	dry, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Personal, true)
	require.NoError(t, err)
	require.Subset(t, personal(h, mine), []string{"stop_contacts", "completion_proofs", "driver_whereabouts"}, "a dry run erases nothing")
	require.Equal(t, dry.Done, h.Keep(housekeeping.Personal), "and counts what is erased")
	require.Equal(t, other, personal(h, theirs), "who chose to keep it for ever does")
	keepAll(h)
	require.Empty(t, slices.DeleteFunc(personal(h, mine), func(table string) bool { return staysPersonal[table] != "" }))
	require.Zero(t, h.Keep(housekeeping.Personal), "there is no more")
	_, err = h.Attic.Read(t.Context(), fmt.Sprintf("%d/pictures/x/y", mine))
	require.Error(t, err, "the bytes are gone")

	stop := stopOf(h.House, "PA-1")
	require.Contains(t, stop, `"postal_code": "0150"`, "what says nothing of a person stays")
	require.NotContains(t, stop, "Lia 17")
	const places = "select string_agg(name, ',' order by id) from locations where org_id = $1 and external_id is null"
	require.Equal(t, "[erased],Corvinus Hallgrim", operationstest.One[string](h.Office, places, mine), "a template's place stays")
}

// TestEachKindHasAPeriodOfItsOwn goes through the years.
func TestEachKindHasAPeriodOfItsOwn(t *testing.T) {
	t.Parallel()
	h := oldPeople(t)
	mine := h.Orgs[0]
	h.Exec("update organizations set keep_drivers_days = 60 where id = $1", mine)
	start := h.Now
	for _, kind := range []string{"DRIVERS", "HOURS"} {
		h.Exec(`insert into travel_proposals (org_id, kind, state, hours, legs, days, trial_legs, trial_days, before_seconds,
				after_seconds, proposed_at)
			values ($1, $2, 'DISMISSED', '[]', 9, 9, 9, 9, 9, 1, $3)`, mine, kind, start)
	}
	kept := func(days int) string {
		h.Now = start.AddDate(0, 0, days)
		h.Keep(housekeeping.Personal)
		return operationstest.One[string](h.Office, `select concat_ws(' ',
			case when exists (select from stop_contacts where org_id = $1 and email_address = 'kari@example.com') then 'people' end,
			case when exists (select from completion_proofs where org_id = $1 and signee = 'Kari Nordmann') then 'proofs' end,
			case when exists (select from driver_days where org_id = $1) then 'drivers' end)`, mine)
	}
	require.Equal(t, "people proofs drivers", kept(59))
	const proposals = "select string_agg(kind, ' ' order by id) from travel_proposals where org_id = $1"
	require.Equal(t, "DRIVERS HOURS", operationstest.One[string](h.Office, proposals, mine))
	require.Equal(t, "people proofs", kept(62))
	require.Equal(t, "HOURS", operationstest.One[string](h.Office, proposals, mine), "proposals about drivers end")
	require.Equal(t, "proofs", kept(410))

	// What changes later is erased again.
	h.Exec("update stop_contacts set email_address = 'kari@example.com' where org_id = $1", mine)
	require.Equal(t, "people proofs", kept(410))
	h.Exec("update orders set updated_at = now() + interval '1 second' where org_id = $1", mine)
	require.Equal(t, "proofs", kept(410))
	require.Empty(t, kept(1110))
	require.Equal(t, time.Duration(0), housekeeping.Personal.Keeps())
}
