package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

func (o *organization) createDriver(t *testing.T, body object) contract.Driver {
	t.Helper()
	return read[contract.Driver](t, o.expect(t, http.StatusCreated, http.MethodPost, "/v1/drivers", body))
}

// driverEvents are the kinds of the events of a driver, in their order.
func (o *organization) driverEvents(t *testing.T, id int64) []string {
	t.Helper()
	return list(t, o.installation, "select kind from events where org_id = $1 and subject_type = 'driver' and subject_id = $2 order by id", o.id, id)
}

func TestDrivers(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	d := o.createDriver(t, object{"name": "Kari", "external_id": "D-1", "phone_number": "+47 900 12 345"})
	require.True(t, d.IsActive)
	require.Equal(t, "+4790012345", d.PhoneNumber.MustGet())
	require.True(t, d.EmailAddress.IsNull())
	path := fmt.Sprintf("/v1/drivers/%d", d.ID)
	require.Equal(t, d, read[contract.Driver](t, o.get(t, path)))

	changed := read[contract.Driver](t, o.expect(t, 200, "PUT", path, object{"phone_number": nil, "email_address": "kari@x.example"}))
	require.True(t, changed.PhoneNumber.IsNull())
	require.Equal(t, "Kari", changed.Name)
	require.Equal(t, "D-1", changed.ExternalID.MustGet())
	again := read[contract.Driver](t, o.expect(t, 200, "PUT", path, object{"email_address": "kari@x.example"}))
	require.Equal(t, changed, again, "the same again changes nothing")
	require.Equal(t, []string{"driver.created", "driver.updated"}, o.driverEvents(t, d.ID))

	o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: object{"name": "x", "external_id": "D-1"}, want: 409})
	second := o.createDriver(t, object{"name": "Kari"})
	o.requireRefused(t, refusal{method: "PUT", path: fmt.Sprintf("/v1/drivers/%d", second.ID), body: object{"external_id": "D-1"}, want: 409})

	all := read[contract.DriverPage](t, o.get(t, "/v1/drivers"))
	require.Equal(t, int64(12), all.Total, "ten of the document, two of ours")
	page := read[contract.DriverPage](t, o.get(t, "/v1/drivers?page=2&limit=11"))
	require.Equal(t, []int64{second.ID}, []int64{page.Items[0].ID})
	require.Equal(t, int32(2), page.Pages)
	require.Empty(t, read[contract.DriverPage](t, o.get(t, "/v1/drivers?page=9")).Items)
	require.Zero(t, read[contract.DriverPage](t, o.get(t, "/v1/drivers?is_active=false")).Total)
}

func TestDriverLeavesAndComesBack(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	d := o.createDriver(t, object{"name": "Ola"})
	path := fmt.Sprintf("/v1/drivers/%d", d.ID)
	today := time.Now().UTC()
	date := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	work := func(days int) object { return object{"date": date(days), "starts": "07:00", "ends": "15:00"} }
	span := fmt.Sprintf("?start_date=%s&end_date=%s", date(-10), date(10))
	schedule := object{"start_date": date(-10), "end_date": date(10), "workdays": []object{work(-3), work(3), work(4)}}
	o.expect(t, 200, "PUT", path+"/workdays", schedule)
	require.Len(t, read[contract.Schedule](t, o.get(t, path+"/workdays"+span)).Workdays, 3)

	id := orderID(t, o.importOrders(t, orders(newOrder("DRIVEN")))[0])
	_, err := o.admin.Exec(t.Context(), "update orders set driver_id = $2, status_id = 3 where org_id = $1", o.id, d.ID)
	require.NoError(t, err)
	driven := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d?loads=Driver", id)))
	require.Equal(t, "Ola", driven.Driver.MustGet().Name)
	o.requireRefused(t, refusal{method: "POST", path: path + "/deactivate", want: 409})
	_, err = o.admin.Exec(t.Context(), "update orders set status_id = 2 where org_id = $1", o.id)
	require.NoError(t, err)

	gone := read[contract.Driver](t, o.expect(t, 200, "POST", path+"/deactivate", nil))
	require.False(t, gone.IsActive)
	require.Equal(t, gone, read[contract.Driver](t, o.expect(t, 200, "POST", path+"/deactivate", nil)))
	left := read[contract.Schedule](t, o.get(t, path+"/workdays"+span)).Workdays
	require.Len(t, left, 1, "days of the past stay")
	o.requireRefused(t, refusal{method: "PUT", path: path + "/workdays", body: schedule, want: 409})
	require.Equal(t, int64(1), read[contract.DriverPage](t, o.get(t, "/v1/drivers?is_active=false")).Total)

	back := read[contract.Driver](t, o.expect(t, 200, "POST", path+"/reactivate", nil))
	require.True(t, back.IsActive)
	require.Equal(t, back, read[contract.Driver](t, o.expect(t, 200, "POST", path+"/reactivate", nil)))
	o.expect(t, 200, "PUT", path+"/workdays", schedule)
	o.expect(t, 200, "PUT", path+"/workdays", schedule)
	require.Equal(t, []string{"driver.created", "driver.scheduled", "driver.deactivated", "driver.reactivated", "driver.scheduled"}, o.driverEvents(t, d.ID))
}

func TestWorkdays(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := fmt.Sprintf("/v1/drivers/%d/workdays", o.createDriver(t, object{"name": "Ola"}).ID)
	day := func(date, starts, ends string) object { return object{"date": date, "starts": starts, "ends": ends} }
	set := func(start, end string, days ...object) []contract.Workday {
		if days == nil {
			days = []object{}
		}
		a := o.expect(t, 200, "PUT", path, object{"start_date": start, "end_date": end, "workdays": days})
		return read[contract.Schedule](t, a).Workdays
	}
	got := set("2026-03-02", "2026-03-08", day("2026-03-04", "22:00", "06:00"), day("2026-03-02", "07:00", "24:00"))
	require.Equal(t, []string{"07:00", "24:00", "22:00", "06:00"}, []string{got[0].Starts, got[0].Ends, got[1].Starts, got[1].Ends})
	require.Empty(t, set("2026-03-02", "2026-03-02"), "a day off")
	whole := read[contract.Schedule](t, o.get(t, path+"?start_date=2026-03-01&end_date=2026-03-31"))
	require.Len(t, whole.Workdays, 1, "days outside of the range stay")

	pause := func(date string, minutes int, earliest, latest string) object {
		work := day(date, "07:00", "15:00")
		work["break"] = object{"minutes": minutes, "earliest": earliest, "latest": latest}
		return work
	}
	week := func(edit object) object {
		body := object{"start_date": "2026-03-02", "end_date": "2026-03-08", "workdays": []object{}}
		for name, value := range edit {
			body[name] = value
		}
		return body
	}
	for name, r := range map[string]refusal{
		"NoDays":       {body: object{"start_date": "2026-03-02", "end_date": "2026-03-08"}, want: 400, field: "workdays"},
		"NoDate":       {body: week(object{"start_date": "tomorrow"}), want: 400},
		"BadClock":     {body: week(object{"workdays": []object{day("2026-03-02", "7", "15:00")}}), want: 400, field: "workdays[0].starts"},
		"BadEnd":       {body: week(object{"workdays": []object{day("2026-03-02", "07:00", "25:00")}}), want: 400, field: "workdays[0].ends"},
		"EndFirst":     {body: week(object{"end_date": "2026-03-01"}), want: 422, field: "end_date"},
		"TooLong":      {body: week(object{"end_date": "2027-03-03"}), want: 422, field: "end_date"},
		"Outside":      {body: week(object{"workdays": []object{day("2026-03-09", "07:00", "15:00")}}), want: 422, field: "workdays[0].date"},
		"Twice":        {body: week(object{"workdays": []object{day("2026-03-02", "07:00", "15:00"), day("2026-03-02", "08:00", "15:00")}}), want: 422, field: "workdays[1].date"},
		"NoHours":      {body: week(object{"workdays": []object{day("2026-03-02", "07:00", "07:00")}}), want: 422, field: "workdays[0].ends"},
		"NoBreak":      {body: week(object{"workdays": []object{pause("2026-03-02", 0, "11:00", "12:00")}}), want: 400, field: "workdays[0].break.minutes"},
		"BadBreak":     {body: week(object{"workdays": []object{pause("2026-03-02", 30, "noon", "12:00")}}), want: 400, field: "workdays[0].break.earliest"},
		"ShortBreak":   {body: week(object{"workdays": []object{pause("2026-03-02", 30, "11:00", "11:29")}}), want: 422, field: "workdays[0].break.latest"},
		"NoVehicle":    {body: week(object{"workdays": []object{{"date": "2026-03-02", "starts": "07:00", "ends": "15:00", "vehicle_id": 999999}}}), want: 422, field: "workdays[0].vehicle_id"},
		"NoYear":       {body: week(object{"start_date": "0000-01-01"}), want: 400},
		"TooLarge":     {body: strings.Repeat(" ", 2<<20), want: 413},
		"AnotherPlace": {path: "/v1/drivers/0/workdays", body: week(nil), want: 404},
	} {
		r.method = "PUT"
		if r.path == "" {
			r.path = path
		}
		t.Run(name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	for query, want := range map[string]int{
		"": 400, "?start_date=2026-03-02": 400, "?start_date=x&end_date=2026-03-02": 400,
		"?start_date=2026-03-02&end_date=2026-03-01": 422, "?start_date=2026-03-02&end_date=2028-03-01": 422,
	} {
		o.requireRefused(t, refusal{method: "GET", path: path + query, want: want})
	}
}

func TestBadDrivers(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	path := fmt.Sprintf("/v1/drivers/%d", o.createDriver(t, object{"name": "Ola"}).ID)
	for name, r := range map[string]refusal{
		"Nothing":        {body: "", want: 400},
		"Null":           {body: "null", want: 422, field: "name"},
		"WrongType":      {body: `{"name":7}`, want: 400, field: "name"},
		"NUL":            {body: object{"name": "a\x00"}, want: 400, field: "name"},
		"NULInASkill":    {body: object{"name": "a", "skills": []string{"ADR", "\x00"}}, want: 400, field: "skills[1]"},
		"NoSuchSkill":    {body: object{"name": "a", "skills": []string{"adr", "Flying"}}, want: 422, field: "skills[1]"},
		"Departmentless": {body: object{"name": "a", "department_id": 0}, want: 422, field: "department_id"},
		"NoVehicle":      {body: object{"name": "a", "vehicle_id": -4}, want: 422, field: "vehicle_id"},
		"NoStart":        {body: object{"name": "a", "start_location_id": 999999}, want: 422, field: "start_location_id"},
		"NoEnd":          {body: object{"name": "a", "end_location_id": 999999}, want: 422, field: "end_location_id"},
		"NULInAPhone":    {body: object{"name": "a", "phone_number": "+47\x00"}, want: 400, field: "phone_number"},
		"NoName":         {body: object{"name": " "}, want: 422, field: "name"},
		"LongName":       {body: object{"name": strings.Repeat("å", 200)}, want: 422, field: "name"},
		"LongPhone":      {body: object{"name": "a", "phone_number": strings.Repeat("9", 1000)}, want: 422, field: "phone_number"},
		"BadPhone":       {body: object{"name": "a", "phone_number": "12"}, want: 422, field: "phone_number"},
		"BadEmail":       {body: object{"name": "a", "email_address": "a"}, want: 422, field: "email_address"},
		"TooLarge":       {body: object{"name": strings.Repeat("x", 2<<20)}, want: 413},
		"LanguageOfNo":   {body: object{"name": ""}, headers: []string{"Accept-Language", "da"}, want: 422, field: "name"},
	} {
		t.Run(name, func(t *testing.T) {
			r.method, r.path = "POST", "/v1/drivers"
			o.requireRefused(t, r)
			if name != "Null" { // which names no field
				r.method, r.path = "PUT", path
				o.requireRefused(t, r)
			}
		})
	}
	for _, call := range []refusal{
		{method: "GET", path: "/v1/drivers/0", want: 404},
		{method: "PUT", path: "/v1/drivers/0", body: object{"name": "x"}, want: 404},
		{method: "POST", path: "/v1/drivers/0/deactivate", want: 404},
		{method: "POST", path: "/v1/drivers/0/reactivate", want: 404},
		{method: "GET", path: "/v1/drivers/x", want: 400, field: "driverId"},
		{method: "PUT", path: "/v1/drivers/x", body: object{"name": "x"}, want: 400, field: "driverId"},
		{method: "POST", path: "/v1/drivers/x/deactivate", want: 400, field: "driverId"},
		{method: "POST", path: "/v1/drivers/x/reactivate", want: 400, field: "driverId"},
		{method: "GET", path: "/v1/drivers?limit=0", want: 400, field: "limit"},
		{method: "GET", path: "/v1/drivers?page=0", want: 400, field: "page"},
		{method: "GET", path: "/v1/drivers?is_active=perhaps", want: 400, field: "is_active"},
	} {
		o.requireRefused(t, call)
	}
}

// idOf is the id of a record of the organization.
func (o *organization) idOf(t *testing.T, table, column, value string) int64 {
	t.Helper()
	return one[int64](t, o.installation, "select id from "+table+" where org_id = $1 and "+column+" = $2", o.id, value)
}

func TestDriverDetailsSkillsAndPlaces(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	oslo, van := o.idOf(t, "departments", "name", "Oslo"), o.idOf(t, "vehicles", "registration", "EB10001")
	terminal, shop := o.idOf(t, "locations", "external_id", "T-OSL"), o.idOf(t, "locations", "external_id", "L-2")
	d := o.createDriver(t, object{
		"name": "Kari", "department_id": oslo, "vehicle_id": van, "start_location_id": terminal, "end_location_id": shop,
		"skills": []string{"tail lift", "ADR"},
	})
	require.Equal(t, []int64{oslo, van, terminal, shop},
		[]int64{d.DepartmentID.MustGet(), d.VehicleID.MustGet(), d.StartLocationID.MustGet(), d.EndLocationID.MustGet()})
	require.Equal(t, []string{"ADR", "Tail lift"}, d.Skills)
	path := fmt.Sprintf("/v1/drivers/%d", d.ID)
	require.Equal(t, d, read[contract.Driver](t, o.get(t, path)))
	change := func(body object) contract.Driver {
		return read[contract.Driver](t, o.expect(t, 200, "PUT", path, body))
	}
	require.Equal(t, d, change(object{"skills": []string{"ADR", "TAIL LIFT"}}), "the same again changes nothing")

	// A driver keeps an inactive reference, but nobody can get it any more.
	_, err := o.admin.Exec(t.Context(), "with v as (update vehicles set is_active = false where org_id = $1 and id = $2) update skills set is_active = false where org_id = $1 and name = 'ADR'", o.id, van)
	require.NoError(t, err)
	require.Equal(t, []string{"ADR"}, change(object{"skills": []string{"ADR"}, "end_location_id": nil}).Skills)
	o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: object{"name": "x", "vehicle_id": van}, want: 422, field: "vehicle_id"})
	o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: object{"name": "x", "skills": []string{"ADR"}}, want: 422, field: "skills[0]"})
	bare := change(object{"skills": []string{}, "vehicle_id": nil, "department_id": nil, "start_location_id": nil})
	require.Equal(t, []string{}, bare.Skills)
	require.True(t, bare.VehicleID.IsNull() && bare.DepartmentID.IsNull() && bare.StartLocationID.IsNull() && bare.EndLocationID.IsNull())
	require.Equal(t, []string{"driver.created", "driver.updated", "driver.updated"}, o.driverEvents(t, d.ID))

	outsider := shared.organization(t)
	o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: object{"name": "x", "start_location_id": outsider.idOf(t, "locations", "external_id", "T-OSL")}, want: 422, field: "start_location_id"})
}

func TestDriversHavePreferences(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	customer, shop := o.idOf(t, "customers", "external_id", "C-100"), o.idOf(t, "locations", "external_id", "L-2")
	d := o.createDriver(t, object{"name": "Kari"})
	require.Equal(t, contract.DriverPreferences{
		CustomerIds: []int64{}, LocationIds: []int64{}, Territory: []contract.ZoneArea{},
	}, d.Preferences)
	path := fmt.Sprintf("/v1/drivers/%d", d.ID)
	wanted := object{"preferences": object{
		"customer_ids": []int64{customer, customer}, "location_ids": []int64{shop},
		"territory": []object{{"country": "NO", "prefix": "01"}, {"country": "DK"}},
	}}
	saved := read[contract.Driver](t, o.expect(t, 200, "PUT", path, wanted)).Preferences
	require.Equal(t, contract.DriverPreferences{
		CustomerIds: []int64{customer}, LocationIds: []int64{shop},
		Territory: []contract.ZoneArea{{Country: "NO", From: "01", To: "01"}, {Country: "DK"}},
	}, saved)
	o.expect(t, 200, "PUT", path, wanted)
	o.expect(t, 200, "PUT", path, object{"name": "Kari Berg"})
	require.Equal(t, saved, read[contract.Driver](t, o.get(t, path)).Preferences)
	require.Equal(t, []string{"driver.created", "driver.updated", "driver.updated"}, o.driverEvents(t, d.ID), "the same again changes nothing")

	// A driver keeps an inactive customer, but nobody can get it any more.
	_, err := o.admin.Exec(t.Context(), "update customers set is_active = false where org_id = $1 and id = $2", o.id, customer)
	require.NoError(t, err)
	of := object{"preferences": object{"customer_ids": []int64{customer}}}
	kept := read[contract.Driver](t, o.expect(t, 200, "PUT", path, of)).Preferences
	require.Equal(t, []int64{customer}, kept.CustomerIds)
	require.Empty(t, kept.LocationIds)
	of["name"] = "x"
	o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: of, want: 422, field: "preferences.customer_ids"})
	outsider := shared.organization(t)
	foreign := outsider.idOf(t, "locations", "external_id", "L-2")
	for field, preferences := range map[string]object{
		"preferences.location_ids":         {"location_ids": []int64{foreign}},
		"preferences.territory[0].country": {"territory": []object{{"country": "no"}}},
		"preferences.territory[1].to":      {"territory": []object{{"country": "NO"}, {"country": "NO", "from": "02", "to": "01"}}},
	} {
		o.requireRefused(t, refusal{method: "PUT", path: path, body: object{"preferences": preferences}, want: 422, field: field})
	}
	require.Equal(t, kept, read[contract.Driver](t, o.get(t, path)).Preferences)
}

func TestWorkdaysOverrideTheRulesOfADocument(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	driver := o.idOf(t, "drivers", "external_id", "D-17")
	path := fmt.Sprintf("/v1/drivers/%d/workdays", driver)
	const week = "?start_date=2026-03-02&end_date=2026-03-08"
	usual := read[contract.Schedule](t, o.get(t, path+week)).Workdays
	require.Len(t, usual, 7)
	require.Equal(t, contract.Workday{
		Date: usual[0].Date, Starts: "06:30", Ends: "15:00", Break: &contract.WorkdayBreak{Minutes: 30, Earliest: "10:30", Latest: "12:30"},
	}, usual[0])

	van, shop := o.idOf(t, "vehicles", "registration", "EB10004"), o.idOf(t, "locations", "external_id", "L-2")
	special := object{
		"date": "2026-03-03", "starts": "22:00", "ends": "06:00", "vehicle_id": van, "start_location_id": shop, "end_location_id": shop,
		"break": object{"minutes": 45, "earliest": "23:30", "latest": "01:00"},
	}
	days := read[contract.Schedule](t, o.expect(t, 200, "PUT", path, object{
		"start_date": "2026-03-03", "end_date": "2026-03-04", "workdays": []object{special},
	})).Workdays
	require.Equal(t, []contract.Workday{{
		Date: days[0].Date, Starts: "22:00", Ends: "06:00", VehicleID: &van, StartLocationID: &shop, EndLocationID: &shop,
		Break: &contract.WorkdayBreak{Minutes: 45, Earliest: "23:30", Latest: "01:00"},
	}}, days, "a day of the range that is not named is off")
	require.Len(t, read[contract.Schedule](t, o.get(t, path+week)).Workdays, 6)

	o.expect(t, 200, "POST", fmt.Sprintf("/v1/drivers/%d/deactivate", driver), nil)
	require.Len(t, read[contract.Schedule](t, o.get(t, path+week)).Workdays, 1, "the past stays, the rules do not count")
	o.expect(t, 200, "POST", fmt.Sprintf("/v1/drivers/%d/reactivate", driver), nil)
	require.Len(t, read[contract.Schedule](t, o.get(t, path+week)).Workdays, 6)
}
