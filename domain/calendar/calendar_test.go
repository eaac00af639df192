package calendar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/calendar"
	"waybill/domain/fault"
)

func day(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func norway(t *testing.T) *calendar.Calendar {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	c, err := calendar.New(1, "Norway", []calendar.Closed{
		{Label: "Constitution Day", RRule: "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=17"},
		{Label: "Whit Monday", Date: "2027-05-17"},
		{Label: "Summer", Date: "2027-07-12", Until: "2027-07-14"},
	}, zone)
	require.NoError(t, err)
	return c
}

func TestCalendarsCloseOnDaysRangesAndRules(t *testing.T) {
	t.Parallel()
	c := norway(t)
	for date, want := range map[string]string{
		"2027-05-16": "", "2027-05-17": "Constitution Day", "2199-05-17": "Constitution Day", "2027-05-18": "",
		"2027-07-11": "", "2027-07-12": "Summer", "2027-07-13": "Summer", "2027-07-14": "Summer", "2027-07-15": "",
	} {
		label, closed := c.On(day(date))
		require.Equal(t, want, label, date)
		require.Equal(t, want != "", closed, date)
	}
	var none *calendar.Calendar
	_, closed := none.On(day("2027-05-17"))
	require.False(t, closed)
}

func TestTheNextOpenDayIsThatOfAllParties(t *testing.T) {
	t.Parallel()
	weekends, err := calendar.New(2, "Weekends",
		[]calendar.Closed{{Label: "Weekend", RRule: "FREQ=WEEKLY;BYDAY=SA,SU"}}, time.UTC)
	require.NoError(t, err)
	c := norway(t)
	var closings calendar.Closings
	require.Nil(t, closings.Order(day("2027-05-18"), calendar.Parties{Customer: c}))
	require.Nil(t, closings.Order(day("2027-05-17"), calendar.Parties{}))
	saturday := &calendar.Closing{Party: calendar.Delivery, Calendar: "Weekends", Label: "Weekend", NextOpen: "2027-05-18"}
	for range 2 { // the second time from memory
		require.Equal(t, saturday, closings.Order(day("2027-05-15"), calendar.Parties{Customer: c, Delivery: weekends}),
			"Saturday, Sunday, and Constitution Day of the customer")
	}
	both := calendar.Parties{Department: c, Customer: c, Pickup: weekends}
	require.Equal(t,
		&calendar.Closing{Party: calendar.Department, Calendar: "Norway", Label: "Constitution Day", NextOpen: "2027-05-18"},
		closings.Department(day("2027-05-17"), both))
	require.Equal(t, calendar.Customer, closings.Order(day("2027-05-17"), both).Party)
	require.Nil(t, closings.Order(day("2027-05-17"), calendar.Parties{Department: c}),
		"its department alone leaves no order out")
	require.Nil(t, closings.Department(day("2027-05-16"), both))
	always, err := calendar.New(3, "Never", []calendar.Closed{{Label: "Gone", RRule: "FREQ=DAILY"}}, time.UTC)
	require.NoError(t, err)
	require.Equal(t, &calendar.Closing{Party: calendar.Pickup, Calendar: "Never", Label: "Gone"},
		closings.Order(day("2027-05-15"), calendar.Parties{Pickup: always}))
}

func TestWrongEntriesAreNamed(t *testing.T) {
	t.Parallel()
	closed := []calendar.Closed{
		{Label: " Easter ", Date: "2027-03-25", Until: "2027-03-29"},
		{Label: "", Date: "2027-03-25"},
		{Label: "A"},
		{Label: "B", Date: "2027-03-25", RRule: "FREQ=DAILY"},
		{Label: "C", Date: "25.3.2027"},
		{Label: "D", Date: "2027-03-25", Until: "2027-03-24"},
		{Label: "E", Date: "2027-03-25", Until: "2028-03-25"},
		{Label: "F", RRule: "FREQ=YEARLY;BYEASTER=1"},
		{Label: "G", RRule: "freq=yearly;bymonth=12;bymonthday=25"},
		{Label: "H", Date: "2027-03-25", Until: "x"},
	}
	problems := calendar.Problems("closed", closed)
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field+" "+p.Text.ID)
	}
	require.Equal(t, []string{
		"closed[1].label master_data.missing", "closed[2].date calendar.no_days", "closed[3].rrule calendar.rule_alone",
		"closed[4].date calendar.bad_date", "closed[5].until calendar.bad_range", "closed[6].until calendar.bad_range",
		"closed[7].rrule " + problems[6].Text.ID, "closed[9].until calendar.bad_date",
	}, fields)
	require.Equal(t, "Easter", closed[0].Label)
	rules := make([]calendar.Closed, calendar.MostRules+1)
	for i := range rules {
		rules[i] = calendar.Closed{Label: "Sundays", RRule: "FREQ=WEEKLY;BYDAY=SU"}
	}
	require.Equal(t, []fault.Violation{{Field: "closed", Text: fault.Say("calendar.too_many_rules", "max", "30")}},
		calendar.Problems("closed", rules))
	many := make([]calendar.Closed, calendar.MostEntries+1)
	require.Equal(t, []fault.Violation{{Field: "closed", Text: fault.Say("field.too_many", "max", "200")}},
		calendar.Problems("closed", many))
}

func TestCalendarsAreReadAsTheyAreStored(t *testing.T) {
	t.Parallel()
	all, err := calendar.Read([]byte(`[{"id": 7, "name": "Norway", "closed": [{"label": "Christmas", "date": "2027-12-24",
		"until": "2027-12-26"}]}, {"id": 9, "name": "Broken", "closed": [{"label": "Christmas"}]}]`), time.UTC)
	require.NoError(t, err)
	norway, err := all.Of(7)
	require.NoError(t, err)
	label, closed := norway.On(day("2027-12-25"))
	require.True(t, closed)
	require.Equal(t, "Christmas", label)
	again, err := all.Of(7)
	require.NoError(t, err)
	require.Same(t, norway, again)
	unknown, err := all.Of(8)
	require.NoError(t, err)
	require.Nil(t, unknown)
	_, err = all.Of(9)
	require.ErrorContains(t, err, `calendar "Broken", entry 0`)
	_, err = calendar.Read([]byte(`{}`), time.UTC)
	require.Error(t, err)
}
