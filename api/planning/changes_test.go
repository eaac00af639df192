package planning_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// codes are the possible codes of reasons in the contract.
func codes(t *testing.T) (codes []string) {
	t.Helper()
	for _, code := range apitest.Document(t).Components.Schemas["PlanningReasonCode"].Value.Enum {
		codes = append(codes, fmt.Sprint(code))
	}
	require.Greater(t, len(codes), 20)
	return codes
}

func TestDayIsPlannedFromScratch(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan := o.plan()
	body := fmt.Sprintf(`{"version":3,"departmentId":%d}`, o.oslo)
	ask := func(who, body string) int {
		return o.as(who, http.MethodPost, monday+"/fresh-start", body).Code
	}
	require.Equal(t, http.StatusForbidden, ask(o.key, body))
	require.Equal(t, http.StatusNotFound, ask(o.dispatcher, `{"version":3}`), "a department has it")
	require.Equal(t, http.StatusAccepted, ask(o.dispatcher, body))
	stale := o.as(o.dispatcher, http.MethodPost, monday+"/fresh-start", body)
	require.Equal(t, http.StatusConflict, stale.Code, "it is version 4 by now")
	require.Equal(t, "PLAN_STALE", apitest.Refusal(t, stale))
	require.Equal(t, "4 true plan.fresh_start user:12 2026-03-02", o.text(
		`select concat_ws(' ', p.version, p.fresh::text, e.kind, e.actor, e.external_id) from plans p, events e
		where p.org_id = $1 and p.id = $2 and e.org_id = p.org_id and e.subject_type = 'plan' and e.subject_id = p.id`, plan))
}
