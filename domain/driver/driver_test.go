package driver_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/fault"
)

func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }

// fields are those that an error complains of.
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

func TestDetailsThatAreWrongAreNamed(t *testing.T) {
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
	work := driver.Workday{Date: day(3), Starts: 420, Ends: 900}
	night := driver.Workday{Date: day(4), Starts: 1320, Ends: 360}
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
		"Before":  {driver.Workday{Date: day(1), Starts: 1, Ends: 2}, "workdays[0].date"},
		"Behind":  {driver.Workday{Date: day(9), Starts: 1, Ends: 2}, "workdays[0].date"},
		"NoHours": {driver.Workday{Date: day(3), Starts: 60, Ends: 60}, "workdays[0].ends"},
	} {
		s := driver.Schedule{Start: day(2), End: day(8), Days: []driver.Workday{c.day}}
		require.Equal(t, []string{c.field}, fields(s.Check()), name)
	}
	twice := driver.Schedule{Start: day(2), End: day(8), Days: []driver.Workday{work, work}}
	require.Equal(t, []string{"workdays[1].date"}, fields(twice.Check()))

	require.True(t, good.Same([]driver.Workday{night, work}))
	require.False(t, good.Same([]driver.Workday{work}))
	require.False(t, good.Same([]driver.Workday{work, {Date: day(4), Starts: 1320, Ends: 361}}))
}
