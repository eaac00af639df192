package driver_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/fault"
	"waybill/domain/order"
)

func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }

// fields are the fields in an error.
func fields(err error) (names []string) {
	var f *fault.Error
	if errors.As(err, &f) {
		for _, v := range f.Violations {
			names = append(names, v.Field)
		}
	}
	return names
}

func TestDetailsAreKeptInOneForm(t *testing.T) {
	t.Parallel()
	kept, err := driver.Details{Name: " Nora ", PhoneNumber: "+47 900 12 345", EmailAddress: "n@x.example"}.Check()
	require.NoError(t, err)
	require.Equal(t, driver.Details{Name: "Nora", PhoneNumber: "+4790012345", EmailAddress: "n@x.example"}, kept)
}

func TestInvalidDetailsAreReported(t *testing.T) {
	t.Parallel()
	long := string(make([]byte, 256))
	for name, c := range map[string]struct {
		details driver.Details
		field   string
	}{
		"NoName":             {driver.Details{Name: "  "}, "name"},
		"LongName":           {driver.Details{Name: "x" + long}, "name"},
		"LongExternalID":     {driver.Details{Name: "x", ExternalID: "x" + long}, "external_id"},
		"PhoneWithoutLand":   {driver.Details{Name: "x", PhoneNumber: "90012345"}, "phone_number"},
		"PhoneOfLetters":     {driver.Details{Name: "x", PhoneNumber: "call me"}, "phone_number"},
		"EmailWithoutAt":     {driver.Details{Name: "x", EmailAddress: "nora.example"}, "email_address"},
		"EmailWithoutDomain": {driver.Details{Name: "x", EmailAddress: "nora@"}, "email_address"},
		"TwoEmails":          {driver.Details{Name: "x", EmailAddress: "a@x.example, b@x.example"}, "email_address"},
	} {
		_, err := c.details.Check()
		require.Equal(t, fault.Unprocessable, fault.KindOf(err), name)
		require.Equal(t, []string{c.field}, fields(err), name)
	}
}

func TestSchedules(t *testing.T) {
	t.Parallel()
	work := driver.Workday{Date: day(3), Hours: driver.Hours{Starts: 420, Ends: 900}}
	night := driver.Workday{Date: day(4), Hours: driver.Hours{Starts: 1320, Ends: 360}}
	good := driver.Schedule{Start: day(2), End: day(8), Days: []driver.Workday{work, night}}
	require.NoError(t, good.Check())
	require.NoError(t, driver.Schedule{Start: day(2), End: day(2).AddDate(0, 0, driver.MaxDays-1)}.Check())
	require.Equal(t, []string{"end_date"},
		fields(driver.Schedule{Start: day(2), End: day(2).AddDate(0, 0, driver.MaxDays)}.Check()))
	require.Equal(t, []string{"end_date"}, fields(driver.Schedule{Start: day(2), End: day(1)}.Check()))

	for name, c := range map[string]struct {
		day   driver.Workday
		field string
	}{
		"Before":  {driver.Workday{Date: day(1), Hours: driver.Hours{Starts: 1, Ends: 2}}, "workdays[0].date"},
		"Behind":  {driver.Workday{Date: day(9), Hours: driver.Hours{Starts: 1, Ends: 2}}, "workdays[0].date"},
		"NoHours": {driver.Workday{Date: day(3), Hours: driver.Hours{Starts: 60, Ends: 60}}, "workdays[0].ends"},
		"NoNight": {driver.Workday{Date: day(3), Hours: driver.Hours{Starts: 1440, Ends: 0}}, "workdays[0].ends"},
	} {
		s := driver.Schedule{Start: day(2), End: day(8), Days: []driver.Workday{c.day}}
		require.Equal(t, []string{c.field}, fields(s.Check()), name)
	}
	twice := driver.Schedule{Start: day(2), End: day(8), Days: []driver.Workday{work, work}}
	require.Equal(t, []string{"workdays[1].date"}, fields(twice.Check()))

	require.True(t, good.Same(good.All()))
	require.Len(t, good.All(), 7, "days that are not named are off")
	require.False(t, good.Same([]driver.Workday{work, night}), "of the other days nothing is said yet")
	later := good.All()
	later[2].Ends++
	require.False(t, good.Same(later))
	later = good.All()
	later[0] = driver.Workday{Date: day(2), Hours: work.Hours}
	require.False(t, good.Same(later))
}

// hours are minutes of the day, and how many of them are a break.
func hours(starts, ends order.Clock, pause int, earliest, latest order.Clock) driver.Hours {
	return driver.Hours{
		Starts: starts, Ends: ends, Break: driver.Break{Minutes: pause, Earliest: earliest, Latest: latest},
	}
}

func TestBreaksLieWithinTheHours(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hours driver.Hours
		field string
	}{
		"Usual":         {hours(420, 900, 30, 660, 780), ""},
		"JustEnough":    {hours(420, 900, 30, 660, 690), ""},
		"AllDay":        {hours(0, 1440, 30, 0, 1440), ""},
		"OverMidnight":  {hours(1320, 360, 30, 1430, 60), ""},
		"NoMinutes":     {hours(420, 900, 0, 660, 780), "break.minutes"},
		"ADay":          {hours(420, 900, 1440, 660, 780), "break.minutes"},
		"BeforeTheWork": {hours(420, 900, 30, 360, 780), "break.earliest"},
		"AfterTheWork":  {hours(420, 900, 30, 660, 901), "break.latest"},
		"TooNarrow":     {hours(420, 900, 30, 660, 689), "break.latest"},
		"TurnedRound":   {hours(420, 900, 30, 780, 660), "break.latest"},
	} {
		field, _ := c.hours.Problem()
		require.Equal(t, c.field, field, name)
	}
}

func TestSingleDaysOverrideRules(t *testing.T) {
	t.Parallel()
	early, late := driver.Hours{Starts: 360, Ends: 840}, driver.Hours{Starts: 600, Ends: 1080}
	rules := []driver.Rule{{"FREQ=WEEKLY;BYDAY=MO", early}, {"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", late}}
	said := []driver.Workday{
		{Date: day(3), Off: true},
		{Date: day(7), Hours: early, VehicleID: 4}, // a Saturday
	}
	calendar, err := driver.NewCalendar(time.UTC, rules, said)
	require.NoError(t, err)
	require.Equal(t, []driver.Workday{
		{Date: day(2), Hours: early},
		{Date: day(4), Hours: late},
		{Date: day(5), Hours: late},
		{Date: day(6), Hours: late},
		said[1],
		{Date: day(9), Hours: early},
	}, calendar.Between(day(2), day(9)))
	_, err = driver.NewCalendar(time.UTC, []driver.Rule{{"FREQ=NEVER", early}}, nil)
	require.ErrorContains(t, err, "FREQ=NEVER")
}

func TestDetailsAreTheSameWhateverTheOrderOfSkills(t *testing.T) {
	t.Parallel()
	d := driver.Details{Name: "Nora", Skills: []string{"ADR", "Tail lift"}}
	same := driver.Details{Name: "Nora", Skills: []string{"tail lift", "adr", "ADR"}}
	require.True(t, d.Same(same))
	same.VehicleID = 4
	require.False(t, d.Same(same))
	require.False(t, d.Same(driver.Details{Name: "Nora", Skills: []string{"ADR"}}))
	_, err := driver.Details{Name: "Nora", Skills: make([]string, 101)}.Check()
	require.Equal(t, []string{"skills"}, fields(err))
}
