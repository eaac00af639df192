package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/domain/location"
	"waybill/domain/masterdata"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/version"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
	"waybill/store/storetest"
)

// kept is a fleet with a calendar that nobody keeps yet: the day of the plan and the next one are closed.
type kept struct {
	*operationstest.Dispatch

	calendar, customer int64
}

func newKept(t *testing.T) kept {
	t.Helper()
	d := operationstest.NewDispatch(t, "customers:\n", `calendars:
  - {name: Norway, closed: [{label: Winter break, date: "2026-03-02", until: "2026-03-03"}]}
departments: [{name: Oslo}]
customers:
`)
	id := func(sql string) int64 { return operationstest.One[int64](d.Office, sql, d.Org) }
	return kept{
		d, id("select id from calendars where org_id = $1"), id("select id from customers where org_id = $1"),
	}
}

// change changes a record of master data.
func (k kept) change(kind masterdata.Kind, id int64, body map[string]any) {
	k.T.Helper()
	_, err := k.MasterData.ChangeRecord(k.T.Context(), caller.Service(k.Org, "test"), kind, id, version.Expected{}, body)
	require.NoError(k.T, err)
}

// closing is the closing in the reason of an order.
func (k kept) closing(number string) string {
	k.T.Helper()
	return operationstest.One[string](k.Office, `select u.reasons->0->>'closed' from plan_unplanned u
		join orders o on o.org_id = u.org_id and o.id = u.order_id where o.org_id = $1 and o.number = $2`, k.Org, number)
}

// TestOrdersOfClosedPlacesAreLeftOut has a place close, then its calendar open again, and then the customer close.
func TestOrdersOfClosedPlacesAreLeftOut(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	storetest.Apply(t, k.Database, `
organization: {slug: other, name: Other AS, timezone: Europe/Oslo}
calendars: [{name: Norway, closed: [{label: Always, rrule: FREQ=DAILY}]}]
departments: [{name: Oslo, calendar: Norway}]
customers: [{externalId: C-100, businessName: Fjord Møbler AS, calendar: Norway}]
`)
	k.Load("A-1", "D-1")
	k.Load("A-2", "D-2")
	require.Equal(t, 2, k.Rest().Planned, "nobody keeps the calendar, and that of another organization does not count")

	place := operationstest.One[int64](k.Office, "select id from locations where org_id = $1 and external_id = 'D-2'", k.Org)
	_, err := k.MasterData.ChangeLocation(t.Context(), caller.Service(k.Org, "test"), place,
		func(l location.Details) (location.Details, error) {
			l.CalendarID = &k.calendar
			return l, nil
		})
	require.NoError(t, err)
	require.Equal(t, 1, k.Rest().Planned)
	require.Equal(t, "UNPLANNABLE PROVEN CLOSED_THAT_DAY", k.Reasons("A-2"))
	require.JSONEq(t, `{"party":"DELIVERY","calendar":"Norway","label":"Winter break","nextOpenDay":"2026-03-04"}`, k.closing("A-2"))
	require.NotEmpty(t, k.DriverOf("A-1"))

	k.change(masterdata.Calendars, k.calendar, map[string]any{"closed": []map[string]string{{"label": "Later", "date": "2026-03-04"}}})
	require.Equal(t, 2, k.Rest().Planned, "the calendar has changed")

	k.change(masterdata.Customers, k.customer, map[string]any{"calendar_id": k.calendar})
	k.change(masterdata.Calendars, k.calendar, map[string]any{
		"closed": []map[string]string{{"label": "Every day", "rrule": "FREQ=DAILY"}},
	})
	require.Zero(t, k.Rest().Planned)
	require.JSONEq(t, `{"party":"CUSTOMER","calendar":"Norway","label":"Every day"}`, k.closing("A-1"), "no day is open")
	k.change(masterdata.Customers, k.customer, map[string]any{"calendar_id": nil})
	require.Equal(t, 1, k.Rest().Planned)
}

// TestOrdersThatAreBegunStay closes a place while a driver has its order on board.
func TestOrdersThatAreBegunStay(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.Load("A-1", "D-1")
	k.Load("A-2", "D-2")
	require.Equal(t, 2, k.Rest().Planned)
	k.Do("update orders set status_id = 4 where org_id = $1 and number = 'A-1'", k.Org)
	k.change(masterdata.Customers, k.customer, map[string]any{"calendar_id": k.calendar})
	k.Plan()
	require.NotEmpty(t, k.DriverOf("A-1"), "its goods are on board")
	require.Equal(t, "UNPLANNABLE PROVEN CLOSED_THAT_DAY", k.Reasons("A-2"))
}

// TestNobodyWorksInAClosedDepartment closes a department, in which one driver works nevertheless.
func TestNobodyWorksInAClosedDepartment(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	department := operationstest.One[int64](k.Office, "select id from departments where org_id = $1", k.Org)
	k.Do("update drivers set department_id = $2 where org_id = $1", k.Org, department)
	k.Do("update customers set department_id = $2 where org_id = $1", k.Org, department)
	k.Load("A-1", "D-1")
	area := planning.Area{DepartmentID: department, Date: operationstest.PlannedOn}
	plan := func() int {
		done, err := k.Planning.PlanDay(t.Context(), caller.Service(k.Org, "test"), planningops.PlanningSlice{Area: area})
		require.NoError(t, err)
		return done.Planned
	}
	require.Equal(t, 1, plan())
	k.change(masterdata.Departments, department, map[string]any{"calendar_id": k.calendar})
	require.Zero(t, plan())
	require.Equal(t, "UNPLANNABLE PROVEN CLOSED_THAT_DAY", k.Reasons("A-1"))
	require.JSONEq(t, `{"party":"DEPARTMENT","calendar":"Norway","label":"Winter break","nextOpenDay":"2026-03-04"}`, k.closing("A-1"))

	nora := operationstest.One[int64](k.Office, "select id from drivers where org_id = $1 and external_id = 'nora'", k.Org)
	days := func() (works []string) {
		calendar, err := k.Store.Calendar(t.Context(), k.Org, nora, time.UTC, operationstest.PlannedOn, operationstest.PlannedOn.AddDate(0, 0, 3))
		require.NoError(t, err)
		for _, day := range calendar.Between(operationstest.PlannedOn, operationstest.PlannedOn.AddDate(0, 0, 3)) {
			works = append(works, day.Date.Format(time.DateOnly))
		}
		return works
	}
	require.Equal(t, []string{"2026-03-04", "2026-03-05"}, days())
	require.NoError(t, k.MasterData.ScheduleDriver(t.Context(), caller.Service(k.Org, "test"), nora, driver.Schedule{
		Start: operationstest.PlannedOn, End: operationstest.PlannedOn,
		Days: []driver.Workday{{Date: operationstest.PlannedOn, Hours: driver.Hours{Starts: 420, Ends: 960}}},
	}))
	require.Equal(t, []string{"2026-03-02", "2026-03-04", "2026-03-05"}, days())
	require.Equal(t, 1, plan(), "she has a workday for that date")
	require.Equal(t, "Nora", k.DriverOf("A-1"))
}

// TestImportsWarnOfClosedDays accepts orders of closed days with a warning.
func TestImportsWarnOfClosedDays(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	department := operationstest.One[int64](k.Office, "select id from departments where org_id = $1", k.Org)
	imported := func(number, date string) order.Result {
		entry := operationstest.HeavyOrder(number)
		entry.Date = date
		entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: "D-1"}
		plan := k.Imported(k.Org, entry)
		require.Equal(t, order.OrderCreated, plan.Results[0].Kind)
		return plan.Results[0]
	}
	require.Empty(t, imported("A-0", "2026-03-02").NotApplied)
	k.Do("update locations set calendar_id = $2 where org_id = $1 and external_id = 'D-1'", k.Org, k.calendar)
	require.Empty(t, imported("A-1", "2026-03-04").NotApplied)
	warnings := imported("A-2", "2026-03-03").NotApplied
	require.Len(t, warnings, 1)
	require.Equal(t, order.ClosedThatDay, warnings[0].Code)
	require.True(t, warnings[0].Code.Warns())
	require.Equal(t, "delivery", warnings[0].Field)
	require.Equal(t, "2026-03-04", warnings[0].Text.Args["next"])
	require.Equal(t, "Winter break", warnings[0].Text.Args["label"])
	k.Do("update customers set department_id = $2 where org_id = $1", k.Org, department)
	k.Do("update departments set calendar_id = $2 where org_id = $1", k.Org, k.calendar)
	warnings = imported("A-3", "2026-03-03").NotApplied
	require.Equal(t, []string{"delivery", "date"}, []string{warnings[0].Field, warnings[1].Field})
}
