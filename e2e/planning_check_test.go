package e2e_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
	"waybill/store"
)

// requireRoutes requires that the committed plans of tomorrow are valid, by the
// check that is independent of the search, once they have followed the last
// change; and that no order with a place is unplanned.
func (o *organization) requireRoutes(t *testing.T) {
	t.Helper()
	departments := list(t, o.installation,
		"select coalesce(department_id, 0)::text from plans where org_id = $1 and day = $2::date", o.id, tomorrow())
	require.NotEmpty(t, departments)
	for _, department := range departments {
		id, err := strconv.ParseInt(department, 10, 64)
		require.NoError(t, err)
		var why string
		eventually(t, "the plan of department "+department+" holds", func() bool {
			if now := o.broken(t, id); now != why {
				why = now
				t.Log("department", department, why)
			}
			return why == ""
		})
	}
}

// broken describes the violations of a plan.
func (o *organization) broken(t *testing.T, department int64) string {
	t.Helper()
	date, err := time.Parse(time.DateOnly, tomorrow())
	require.NoError(t, err)
	area := planning.Area{DepartmentID: department, Date: date}
	day, err := store.New(o.admin).PlanningDay(t.Context(), o.id, area, time.Now())
	require.NoError(t, err)
	draft := day.Draft()
	tables := travel.NewTables(travel.Crow{}, time.Now)
	for _, profile := range draft.Profiles {
		table, err := tables.Table(t.Context(), nil, profile, draft.Points)
		require.NoError(t, err)
		draft.Problem.Travel = append(draft.Problem.Travel, table.Travel)
	}
	require.NoError(t, draft.Problem.Validate())
	for _, v := range routing.Broken(&draft.Problem, draft.Present) {
		return v.String()
	}
	explainer := routing.NewExplainer(&draft.Problem, draft.Present)
	for _, r := range draft.Present.Unplanned(len(draft.Orders)) {
		for _, refusal := range explainer.Why(r).Shifts {
			if refusal.Code == "" {
				return "an order is left over that has a place"
			}
		}
	}
	return ""
}
