package driver_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/fault"
)

// crewOn is a schedule of one day with a co-driver.
func crewOn(coDriver int64) driver.Schedule {
	return driver.Schedule{Start: wednesday, End: wednesday, Days: []driver.Workday{{
		Date: wednesday, Hours: driver.Hours{Starts: 420, Ends: 900}, Second: driver.Second{CoDriverID: coDriver},
	}}}
}

// refusal is the identifier of the only violation, or empty.
func refusal(t *testing.T, err error) string {
	t.Helper()
	var problem *fault.Error
	if !errors.As(err, &problem) {
		require.NoError(t, err)
		return ""
	}
	require.Len(t, problem.Violations, 1)
	require.Equal(t, "workdays[0].co_driver_id", problem.Violations[0].Field)
	return problem.Violations[0].Text.ID
}

func TestCrewsThatCannotBe(t *testing.T) {
	t.Parallel()
	of, known := driver.Colleague{ID: 1, DepartmentID: 5, IsActive: true}, []driver.Colleague{
		{ID: 2, DepartmentID: 5, IsActive: true}, {ID: 3, DepartmentID: 6, IsActive: true}, {ID: 4, DepartmentID: 5},
	}
	ride := func(days int, who, with int64) driver.Ride {
		return driver.Ride{Date: wednesday.AddDate(0, 0, days), DriverID: who, CoDriverID: with}
	}
	for why, tc := range map[string]struct {
		with    int64
		rides   []driver.Ride
		refused string
	}{
		"a colleague":                {2, nil, ""},
		"oneself":                    {1, nil, "driver.rides_with_oneself"},
		"nobody":                     {7, nil, "driver.co_driver_unknown"},
		"one who has left":           {4, nil, "driver.inactive"},
		"one of another department":  {3, nil, "driver.co_driver_of_department"},
		"one who rides with another": {2, []driver.Ride{ride(0, 9, 2)}, "driver.co_driver_taken"},
		"one who does so tomorrow":   {2, []driver.Ride{ride(1, 9, 2)}, ""},
		"one who has a co-driver":    {2, []driver.Ride{ride(0, 2, 9)}, "driver.co_driver_has_one"},
		"while riding with somebody": {2, []driver.Ride{ride(0, 9, 1)}, "driver.is_co_driver"},
		"as it is already":           {2, []driver.Ride{ride(0, 1, 2)}, ""},
	} {
		require.Equal(t, tc.refused, refusal(t, crewOn(tc.with).CheckCrews(of, nil, known, tc.rides)), why)
	}
	present := crewOn(3).Days
	require.NoError(t, crewOn(3).CheckCrews(of, present, known, nil), "what is stored already stays")
	require.Equal(t, []int64{3}, crewOn(3).CoDrivers())
}

func TestNobodySharesTheDriving(t *testing.T) {
	t.Parallel()
	s := crewOn(0)
	require.NoError(t, s.Check())
	s.Days[0].SharesDriving = true
	var problem *fault.Error
	require.ErrorAs(t, s.Check(), &problem)
	require.Equal(t, "workdays[0].shares_driving", problem.Violations[0].Field)
}
