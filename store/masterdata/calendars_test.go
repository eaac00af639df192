package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/masterdata"
)

const closing = head + `calendars:
  - {name: Norway, closed: [{label: Easter, date: "2027-03-25", until: "2027-03-29"},
      {label: Constitution Day, rrule: "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=17"}]}
  - {name: Denmark, closed: [{label: Easter, date: "2027-03-25"}]}
departments: [{name: Oslo, calendar: norway}]
customers: [{externalId: C-1, businessName: One, calendar: Norway}, {externalId: C-2, businessName: Two}]
locations: [{externalId: L, name: L, address: {latitude: 59.9, longitude: 10.7}, calendar: Denmark}]
`

// TestApplyCalendars has departments, customers and locations keep calendars, leaves that, and takes it back.
func TestApplyCalendars(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	kept := func() string {
		return one[string](d, `select concat_ws(', ',
			(select string_agg(concat_ws(' ', t.name, k.name), ', ' order by t.name) from departments t
				left join calendars k on k.org_id = t.org_id and k.id = t.calendar_id),
			(select string_agg(concat_ws(' ', t.external_id, k.name), ', ' order by t.external_id) from customers t
				left join calendars k on k.org_id = t.org_id and k.id = t.calendar_id),
			(select string_agg(concat_ws(' ', t.name, k.name), ', ' order by t.name) from locations t
				left join calendars k on k.org_id = t.org_id and k.id = t.calendar_id))`)
	}
	require.Equal(t, "+2 ~0 =0 -0", d.done(closing, masterdata.Options{})["calendars"])
	require.Equal(t, "Oslo Norway, C-1 Norway, C-2, L Denmark", kept())
	again := d.done(closing, masterdata.Options{})
	require.Equal(t, "+0 ~0 =2 -0 +0 ~0 =1 -0 +0 ~0 =2 -0 +0 ~0 =1 -0",
		again["calendars"]+" "+again["departments"]+" "+again["customers"]+" "+again["locations"], "the same writes nothing")

	d.done(head+"departments: [{name: Oslo}]\ncustomers: [{externalId: C-1, businessName: One}]\n", masterdata.Options{})
	require.Equal(t, "Oslo Norway, C-1 Norway, C-2, L Denmark", kept(), "unsaid, it stays")
	changed := d.done(head+`departments: [{name: Oslo, calendar: Denmark}]
customers: [{externalId: C-1, businessName: One, calendar: ""}, {externalId: C-2, businessName: Two, calendar: Norway}]
locations: [{externalId: L, name: L, address: {latitude: 59.9, longitude: 10.7}, calendar: ""}]
`, masterdata.Options{})
	require.Equal(t, "Oslo Denmark, C-1, C-2 Norway, L", kept())
	require.Equal(t, "+0 ~1 =0 -0 +0 ~2 =0 -0 +0 ~1 =0 -0",
		changed["departments"]+" "+changed["customers"]+" "+changed["locations"])

	changed = d.done(head+"calendars: [{name: Norway, closed: []}]\n", masterdata.Options{Prune: true})
	require.Equal(t, "+0 ~1 =0 -1", changed["calendars"], "Denmark is kept, and only deactivated")
	require.False(t, one[bool](d, "select is_active from calendars where name = 'Denmark'"))
	d.done(head+"calendars: []\ncustomers: []\n", masterdata.Options{Prune: true})
	require.Equal(t, "Denmark", one[string](d, "select string_agg(name, ' ') from calendars"),
		"nobody kept Norway any longer")
}

func TestUnknownAndWrongCalendarsAreReported(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	_, err := d.apply(head+`departments: [{name: Oslo, calendar: Mars}]`, masterdata.Options{})
	require.ErrorContains(t, err, `departments[0].calendar: calendar "Mars" not found`)
	_, err = d.apply(head+`locations: [{externalId: L, name: L, address: {latitude: 1, longitude: 1}, calendar: Mars}]`,
		masterdata.Options{})
	require.ErrorContains(t, err, `locations[0].calendar: calendar "Mars" not found`)
}
