package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/organization"
	"waybill/domain/organization/file"
)

const head = "organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n"

func TestReadTakesTheDemoOrganization(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "demo", "organization.yaml"))
	require.NoError(t, err)
	d, err := file.Read(text)
	require.NoError(t, err)
	require.Equal(t,
		organization.Organization{Slug: "nordfrakt", Name: "Nordfrakt AS", Timezone: "Europe/Oslo", Language: "nb"},
		d.Organization)
	require.True(t, d.Settings.Reexport)
	require.Equal(t, "0192", d.Locations[0].Address.PostalCode)
	require.Equal(t, order.Clock(480), *d.OrderTypes[0].ReadyFrom)
	require.Equal(t, "char", d.CustomFields[1].SortOrderBatch)
}

func TestReadDistinguishesAbsentAndEmptySections(t *testing.T) {
	t.Parallel()
	d, err := file.Read([]byte(head + "skills: []\ngroups:\n"))
	require.NoError(t, err)
	require.NotNil(t, d.Skills)
	require.Empty(t, d.Skills)
	require.Nil(t, d.Groups)
	require.Nil(t, d.Customers)
	require.Nil(t, d.Settings)
	require.Equal(t, "en", d.Organization.Language)
}

func TestReadFollowsAliases(t *testing.T) {
	t.Parallel()
	d, err := file.Read([]byte(head + `
locations:
  - {name: A, address: {latitude: 59, longitude: 10}, openingHours: &usual {opens: "07:00", closes: "15:00"}}
  - {name: B, address: {latitude: 59, longitude: 11}, openingHours: *usual}
`))
	require.NoError(t, err)
	require.Equal(t, order.Clock(900), *d.Locations[1].OpeningHours.Closes)
}

func TestReadGivesDefaults(t *testing.T) {
	t.Parallel()
	d, err := file.Read([]byte(head + "customFields: [{externalId: a, label: A, title: A}]\n"))
	require.NoError(t, err)
	require.Equal(t, organization.CustomField{
		ExternalID: "a", Label: "A", Title: "A", SortOrderBatch: "num", DisplayOn: "current", DisplayStyle: "badge",
	}, d.CustomFields[0])
}

// Every document has one fault, or the listed ones, and each is reported with
// its line and column. A body that begins with "organization" is complete;
// others follow the head, from line 2 on.
func TestReadReportsProblems(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, problems string }{
		{"nothing", "", "1:1: the document is empty"},
		{"only a comment", "# hello\n", "1:1: the document is empty"},
		{"two documents", "organization: {}\n---\nskills: []\n", "3:1: a second document begins here; a file has one"},
		{"a list", "- a\n", "1:1: must be a mapping of keys and values, not a list"},
		{"a text", "hello\n", "1:1: must be a mapping of keys and values, not a text"},
		{
			"unknown section", "reminders: []",
			"2:1: reminders: unknown key; must be one of: organization, settings, calendars, departments, customers, " +
				"vehicleTypes, orderTypes, carriers, skills, groups, customFields, transformations, locations, " +
				"vehicles, drivers, users, " +
				"messaging, " +
				"notifications, zones, freightLevels, intervals, priceLists",
		},
		{
			"unknown event", "notifications: [{event: X, channel: EMAIL, to: CUSTOMER}]",
			"2:25: notifications[0].event: must be one of ORDER_CREATED, ORDER_CANCELLED, STOP_APPROACHING, " +
				"STOP_ARRIVED, ORDER_DELIVERED, ORDER_FAILED, ORDER_REMINDER, TIME_MOVED",
		},
		{
			"no address of the channel", "notifications: [{event: ORDER_CREATED, channel: SMS, to: a@b.example}]",
			"2:58: notifications[0].to: must be DELIVERY_CONTACTS, PICKUP_CONTACTS, CUSTOMER, or an address of the channel",
		},
		{
			"a window of an email",
			`notifications: [{event: ORDER_CREATED, channel: EMAIL, to: CUSTOMER, sendWindow: {from: "08:00", to: "09:00"}}]`,
			"2:82: notifications[0].sendWindow: is not for the channel EMAIL",
		},
		{
			"half a window", `notifications: [{event: ORDER_CREATED, channel: SMS, to: CUSTOMER, sendWindow: {from: "08:00"}}]`,
			"2:80: notifications[0].sendWindow: needs both from and to",
		},
		{
			"a loop in a template",
			`notifications: [{event: ORDER_CREATED, channel: SMS, to: CUSTOMER, message: "{% for x in y %}"}]`,
			`2:77: notifications[0].message: the tag "for" is not allowed in messages; use if, unless, case, assign or comment`,
		},
		{
			"a secret of the machine", "messaging: {smtpUrl: DATABASE_URL}",
			"2:22: messaging.smtpUrl: must be the name of an environment variable that begins with WAYBILL_SMTP_, " +
				"WAYBILL_SMS_, WAYBILL_SENDGRID_ or WAYBILL_POSTMARK_",
		},
		{
			"the same rule twice",
			"notifications:\n  - {event: ORDER_CREATED, channel: SMS, to: CUSTOMER}\n  - {event: ORDER_CREATED, channel: " +
				"SMS, to: CUSTOMER}",
			"4:5: notifications[1]: is the same as in notifications[0] (line 3)",
		},
		{
			"a release that never is", "departments: [{name: Oslo, release: {at: '24:00', daysBefore: 15}}]",
			"2:42: departments[0].release.at: must be before 24:00\n" +
				"2:63: departments[0].release.daysBefore: must be between 0 and 14",
		},
		{
			"pauses that overlap",
			"locations: [{name: A, address: {latitude: 1, longitude: 1}, pauses: [{from: '11:00', until: '12:00'}, " +
				"{from: '12:00', until: '13:00'}]}]",
			"2:103: locations[0].pauses[1]: must end after it begins, and begin after the one before it has ended",
		},
		{
			"goods apart without a kind", "settings: {goodsApart: [{one: FOOD}]}",
			"2:25: settings.goodsApart[0].other: must be a name of 1 to 50 bytes",
		},
		{
			"a load dimension twice", "settings: {loadDimensions: [{name: A}, {name: A}]}",
			"2:47: settings.loadDimensions[1].name: is named twice",
		},
		{
			"too much of a load dimension", "vehicleTypes: [{name: A, maxLoads: [{dimension: A, amount: 100001}]}]",
			"2:60: vehicleTypes[0].maxLoads[0].amount: must be between 0 and 100000, with up to three decimals",
		},
		{
			"unknown key", "skills: [{name: A, color: red}]",
			"2:20: skills[0].color: unknown key; must be one of: name, forTwo",
		},
		{
			"unknown key deep inside",
			"locations:\n  - name: A\n    address:\n      latitude: 1\n      longitude: 1\n      zip: 1",
			"7:7: locations[0].address.zip: unknown key; must be one of: address1, address2, postalCode, city, state, " +
				"country, latitude, longitude",
		},
		{"key twice", "skills: []\nskills: []", `3:1: mapping key "skills" already defined at [2:1]`},
		{"section is no list", "skills: {name: A}", "2:9: skills: must be a list, not a mapping"},
		{"item is no mapping", "skills: [ADR]", "2:10: skills[0]: must be a mapping of keys and values, not a text"},
		{"empty item", "skills: [~]", "2:9: skills[0]: is empty"},
		{
			"number for a text", "skills: [{name: 112}]",
			`2:17: skills[0].name: must be a text, not a number: write it in quotes, "112"`,
		},
		{
			"octal number for a text",
			"locations: [{name: A, address: {address1: B, city: C, country: \"NO\", postalCode: 0660}}]",
			`2:82: locations[0].address.postalCode: must be a text, not a number: write it in quotes, "0660"`,
		},
		{
			"truth for a text", "skills: [{name: true}]",
			`2:17: skills[0].name: must be a text, not true or false: write it in quotes, "true"`,
		},
		{
			"text for a number", `vehicleTypes: [{name: A, maxWeightKg: "12"}]`,
			"2:39: vehicleTypes[0].maxWeightKg: must be a number, not a text",
		},
		{
			"no number", "vehicleTypes: [{name: A, maxWeightKg: .nan}]",
			"2:39: vehicleTypes[0].maxWeightKg: must be a number, not one without a value",
		},
		{
			"fraction", "orderTypes: [{name: A, priority: 1.5}]",
			"2:34: orderTypes[0].priority: must be a whole number between -2147483647 and 2147483647",
		},
		{
			"too big", "orderTypes: [{name: A, priority: 99999999999}]",
			"2:34: orderTypes[0].priority: must be a whole number between -2147483647 and 2147483647",
		},
		{"text for truth", "settings: {reexport: ja}", "2:22: settings.reexport: must be true or false, not a text"},
		{"tag", "skills: [{name: !mine ADR}]", "2:17: skills[0].name: tags are not supported"},
		{"unknown alias", "skills: *nothing", `2:9: skills: anchor "nothing" is not defined above`},
		{"tab", "skills:\n\t- {name: A}", "3:1: found character '\t' that cannot start any token"},

		{
			"bad slug", "organization: {slug: -A, name: A, timezone: UTC}",
			"1:22: organization.slug: must be 1 to 63 lower-case letters, digits and hyphens, and not start with a hyphen",
		},
		{"no name", "organization: {slug: a, timezone: UTC}", "1:15: organization.name: is missing"},
		{
			"unknown zone", "organization: {slug: a, name: A, timezone: Europe/Bergen}",
			"1:44: organization.timezone: must be an IANA time zone, such as Europe/Oslo",
		},
		{
			"zone of the machine", "organization: {slug: a, name: A, timezone: Local}",
			"1:44: organization.timezone: must be an IANA time zone, such as Europe/Oslo",
		},
		{
			"unknown language", "organization: {slug: a, name: A, timezone: UTC, language: sv}",
			"1:59: organization.language: must be one of nb, en, da",
		},

		{"blank name", `groups: [{name: "  "}]`, "2:17: groups[0].name: is missing"},
		{"padded name", `groups: [{name: " A"}]`, "2:17: groups[0].name: must not start or end with white space"},
		{"NUL", `groups: [{name: "A\0"}]`, "2:17: groups[0].name: must not contain control characters"},
		{
			"long name", "groups: [{name: " + strings.Repeat("x", 256) + "}]",
			"2:17: groups[0].name: must be 255 bytes or fewer",
		},
		{
			"same name", "departments: [{name: Øst}, {name: ØST}]",
			"2:35: departments[1].name: is the same as in departments[0] (line 2)",
		},
		{
			"same external id", "customers: [{externalId: C, businessName: A}, {externalId: C, businessName: B}]",
			"2:60: customers[1].externalId: is the same as in customers[0] (line 2)",
		},
		{
			"same customer without id", "customers: [{businessName: A}, {businessName: a}]",
			"2:47: customers[1].businessName: is the same as in customers[0] (line 2)",
		},
		{
			"weight below zero", "vehicleTypes: [{name: A, maxWeightKg: -1}]",
			"2:39: vehicleTypes[0].maxWeightKg: must be at least 0",
		},
		{
			"no clock", `orderTypes: [{name: A, readyFrom: "25:00"}]`,
			`2:35: orderTypes[0].readyFrom: must be a time of day such as "08:30"`,
		},
		{
			"clock as number", "orderTypes: [{name: A, readyFrom: 800}]",
			`2:35: orderTypes[0].readyFrom: must be a time of day such as "08:30"`,
		},
		{
			"window without a beginning", `orderTypes: [{name: A, pickUpBefore: "10:00"}]`,
			"2:14: orderTypes[0].readyFrom: is missing: pickUpBefore and deliverBefore need it",
		},
		{
			"empty window", `orderTypes: [{name: A, readyFrom: "10:00", pickUpBefore: "10:00"}]`,
			"2:58: orderTypes[0].pickUpBefore: must differ from readyFrom",
		},
		{
			"book-ahead below zero", "orderTypes: [{name: A, minBookAheadMinutes: -5}]",
			"2:45: orderTypes[0].minBookAheadMinutes: must not be negative",
		},
		{
			"book-ahead reversed", "orderTypes: [{name: A, minBookAheadMinutes: 5, maxBookAheadMinutes: 4}]",
			"2:45: orderTypes[0].minBookAheadMinutes: must not be greater than maxBookAheadMinutes",
		},
		{"no label", "customFields: [{externalId: a, title: A}]", "2:16: customFields[0].label: is missing"},
		{
			"no colour", "customFields: [{externalId: a, label: A, title: A, colorScheme: {text: red}}]",
			`2:72: customFields[0].colorScheme.text: must be a colour such as "#1F4E79"`,
		},
		{
			"unknown style", "customFields: [{externalId: a, label: A, title: A, displayStyle: banner}]",
			"2:66: customFields[0].displayStyle: must be one of badge, card, registration, popup",
		},
		{
			"secret elsewhere", "carriers: [{name: a, secretEnv: DATABASE_URL}]",
			"2:33: carriers[0].secretEnv: must be the name of an environment variable that begins with WAYBILL_CARRIER_, " +
				"such as WAYBILL_CARRIER_POSTNORD",
		},
		{
			"second secret", "carriers: [{name: a, secretEnv: WAYBILL_CARRIER_A_OTHER}]",
			"2:33: carriers[0].secretEnv: must not end with _OTHER, which names the second secret",
		},
		{
			"no address", "locations: [{name: A}]",
			"2:13: locations[0].address: needs latitude and longitude, or address1, country and one of city and postalCode",
		},
		{
			"half a point", "locations: [{name: A, address: {latitude: 1}}]",
			"2:32: locations[0].address: has only one of latitude and longitude",
		},
		{
			"point off the globe", "locations: [{name: A, address: {latitude: 91, longitude: -181}}]",
			"2:43: locations[0].address.latitude: must be between -90 and 90\n2:58: locations[0].address.longitude: must " +
				"be between -180 and 180",
		},
		{
			"unknown country", "locations: [{name: A, address: {address1: B, city: C, country: NOR}}]",
			"2:64: locations[0].address.country: must be a country's two-letter ISO 3166-1 code, such as NO, or its name",
		},
		{
			"same place",
			"locations: [{name: A, address: {latitude: 1, longitude: 1}}, {name: a, address: {latitude: 1, longitude: 1}}]",
			"2:62: locations[1]: is the same as in locations[0] (line 2)",
		},
		{
			"hours half given", `locations: [{name: A, address: {latitude: 1, longitude: 1}, openingHours: {opens: "07:00"}}]`,
			"2:75: locations[0].openingHours.closes: is missing",
		},
		{
			"hours of nothing",
			`locations: [{name: A, address: {latitude: 1, longitude: 1}, openingHours: {opens: "07:00", closes: "07:00"}}]`,
			"2:100: locations[0].openingHours.closes: must differ from opens",
		},
		{
			"no rule",
			`locations: [{name: A, address: {latitude: 1, longitude: 1}, ` +
				`timeWindows: [{rrule: "FREQ=HOURLY", opens: "07:00", closes: "08:00"}]}]`,
			"2:83: locations[0].timeWindows[0].rrule: FREQ cannot be HOURLY in a rule that selects whole days",
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := tc.text
			standsAlone := strings.HasPrefix(tc.problems, "1:") || strings.HasPrefix(text, "organization")
			if !standsAlone {
				text = head + text
			}
			_, err := file.Read([]byte(text))
			var problems organization.Problems
			require.ErrorAs(t, err, &problems)
			require.Equal(t, tc.problems, problems.Error())
		})
	}
}

func TestReadReportsAllAtOnceAndInOrder(t *testing.T) {
	t.Parallel()
	_, err := file.Read([]byte(`
organization: {slug: A, name: 1, timezone: Oslo}
customers:
  - {businessName: 7, phone: x}
skills:
  - {}
`))
	require.EqualError(t, err, strings.Join([]string{
		"2:22: organization.slug: must be 1 to 63 lower-case letters, digits and hyphens, and not start with a hyphen",
		`2:31: organization.name: must be a text, not a number: write it in quotes, "1"`,
		"2:44: organization.timezone: must be an IANA time zone, such as Europe/Oslo",
		`4:20: customers[0].businessName: must be a text, not a number: write it in quotes, "7"`,
		"4:23: customers[0].phone: unknown key; must be one of: externalId, businessName, department, " +
			"emailAddress, phoneNumber, calendar",
		"6:5: skills[0].name: is missing",
	}, "\n"))
}

// For any text, Read returns a document or problems with a position, and does
// not panic.
func FuzzRead(f *testing.F) {
	f.Add(head)
	f.Add(head + "skills: &a [*a]\n")
	f.Add(head + "locations: [{name: A, address: {latitude: 1, longitude: 1}, timeWindows: [{rrule: \"FREQ=DAILY\"}]}]")
	f.Add("organization: |\n  a\n---\n? b\n: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		document, err := file.Read([]byte(text))
		if err == nil {
			require.NotEmpty(t, document.Organization.Slug)
			return
		}
		var problems organization.Problems
		require.ErrorAs(t, err, &problems)
		for _, p := range problems {
			require.Positive(t, p.Line)
			require.Positive(t, p.Column)
			require.NotEmpty(t, p.Text)
		}
	})
}
