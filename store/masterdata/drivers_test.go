package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/domain/organization/file"
	"waybill/store/masterdata"
)

func TestApplyDrivers(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const two = head + `
drivers:
  - {externalId: D-1, name: Nora, phoneNumber: "+47 900 12 345"}
  - {name: Ola, emailAddress: ola@x.example}
`
	require.Equal(t, "+2 ~0 =0 -0", d.done(two, masterdata.Options{})["drivers"])
	require.Equal(t, "+0 ~0 =2 -0", d.done(two, masterdata.Options{})["drivers"], "the same again writes nothing")
	all := func() string {
		return one[string](d, `select coalesce(string_agg(concat_ws(' ', coalesce(external_id, '-'), name,
			coalesce(phone_number, '-'), coalesce(email_address, '-'), is_active), '|' order by id), '') from drivers`)
	}
	require.Equal(t, "D-1 Nora +4790012345 - t|- Ola - ola@x.example t", all())

	const other = head + "drivers: [{externalId: D-1, name: Nora Berg}]\n"
	require.Equal(t, "+0 ~1 =0 -0", d.done(other, masterdata.Options{})["drivers"])
	require.Equal(t, "D-1 Nora Berg - - t|- Ola - ola@x.example t", all(), "a field that is left out has its default")

	// A referenced driver is deactivated; an unreferenced one is deleted.
	_, err := d.owner.Exec(t.Context(), `
		with org as (select id from organizations), c as (insert into customers (org_id, business_name) select id, 'C'
			from org returning id),
			v as (insert into vehicle_types (org_id, name) select id, 'V' from org returning id),
			o as (insert into order_types (org_id, name) select id, 'T' from org returning id)
		insert into orders (org_id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id, driver_id)
		select org.id, 'N', 1, 6, '2026-03-02', c.id, o.id, v.id, (select id from drivers where name = 'Ola')
			from org, c, v, o;
		insert into driver_workdays (org_id, driver_id, date, starts, ends)
		select org_id, id, current_date + n, 0, 60 from drivers, generate_series(-1, 1) n`)
	require.NoError(t, err)
	require.Equal(t, "+0 ~0 =0 -2", d.done(head+"drivers: []\n", masterdata.Options{Prune: true})["drivers"])
	require.Equal(t, "- Ola - ola@x.example f", all())
	require.Equal(t, 1, one[int](d, "select count(*)::int from driver_workdays"), "days of the past stay")
	require.Equal(t, "+1 ~1 =0 -0", d.done(two, masterdata.Options{})["drivers"], "and comes back")
	require.Equal(t, "driver.created driver.created driver.updated driver.deactivated driver.deactivated"+
		" driver.updated driver.created",
		one[string](d, "select string_agg(kind, ' ' order by id) from events where subject_type = 'driver'"))
}

func TestDocumentDriversAreChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{name: ""}`: "drivers[0].name", `{name: x, phoneNumber: "90012345"}`: "drivers[0].phoneNumber",
		`{name: x, emailAddress: x}`:                         "drivers[0].emailAddress",
		`{name: x, externalId: a}, {name: y, externalId: a}`: "drivers[1].externalId",
		`{name: x}, {name: X}`:                               "drivers[1].name",
	} {
		_, err := file.Read([]byte(head + "drivers: [" + text + "]\n"))
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, text)
		require.Equal(t, want, problems[0].Path, text)
	}
}
