package e2e_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestTheConsoleInABrowser runs the tests of web/tests, which use the console
// like people, on an organization with a planned day. It is skipped without
// Node, a browser or a built console; CI has all of them.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	tests := newNodeTests(t, "console")
	o, day := install(t, "serve", "work").organization(t), tomorrow() // the first one, whose records are known by their numbers
	o.furnish(t, day)
	tests.run(t, []string{
		"WAYBILL_URL=http://" + o.address, "WAYBILL_ORGANIZATION=" + o.slug, "WAYBILL_PEOPLE=" + o.people(t),
		"WAYBILL_DAY=" + day, "WAYBILL_WEEKDAY=" + weekdayAhead(1),
	}, 1, nodeTestFiles(t, "tests/"+cmp.Or(os.Getenv("WAYBILL_CONSOLE_TESTS"), "*")+".test.mjs")...)
}

// furnish creates records for each page, with orders from a day on.
func (o *organization) furnish(t *testing.T, day string) {
	t.Helper()
	o.knowsOslo(t)
	o.importOrders(t, ordersFrom(t, day))
	o.draft(t, "DRAFT-1")
	o.createTemplate(t)
	o.furnishGoods(t)
	told := orderID(t, o.importOrders(t, orders(o.reachable("TOLD-1", "reader@example.com", "400 10 000")))[0])
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"TOLD-1"}})
	o.expect(t, http.StatusCreated, http.MethodPost, "/v2/webhook-endpoints", object{
		"url": "http://127.0.0.1:9/nobody", "description": "Nobody", "afterPosition": 0,
	})
	o.awaitMessage(t, told, contract.NotificationTypeSMS, "ORDER_CANCELLED", "failed")
	require.NoError(t, o.transformations(t, `  - name: Route by reference
    triggers: [TRANSFORM_TRIGGER_ORDER_UPDATED]
    when: order.reference == 'By rule'
    set:
      - {field: routeNumber, value: "'RULE-7'"}
`))
	_, err := o.admin.Exec(t.Context(), `insert into suppressions (org_id, channel, address, reason)
		values ($1, 'EMAIL', 'closed@post.example', 'bounced'), ($1, 'EMAIL', 'reopened@post.example', 'bounced'), ($1, 'SMS', '+4740000099', 'bounced')`, o.id)
	require.NoError(t, err)
	_, err = o.admin.Exec(t.Context(), `insert into travel_proposals (org_id, hours, legs, days, trial_legs, trial_days, before_seconds, after_seconds)
		values ($1, '[{"days": ["MO"], "from": "07:00", "until": "09:00", "factor": 1.5, "areas": [{"country": "NO", "from": "01", "to": "01"}]}]',
			8120, 20, 1980, 5, 210, 95)`, o.id)
	require.NoError(t, err)
	_, err = o.admin.Exec(t.Context(), `insert into travel_proposals (org_id, kind, hours, visits, legs, days, trial_legs, trial_days,
			before_seconds, after_seconds)
		select $1, 'VISITS', '[]', jsonb_build_array(jsonb_build_object('orderTypeId', min(id), 'setupSeconds', 450, 'orderSeconds', 90,
			'setupSecondsBefore', 240, 'orderSecondsBefore', 60, 'visits', 118)), 3120, 20, 31, 5, 780, 140
		from order_types where org_id = $1 and name = 'Standard'`, o.id)
	require.NoError(t, err)
	eventually(t, "the day is planned", func() bool {
		plan := read[contract.PlanPage](t, o.get(t, "/v2/plans/"+day))
		return len(plan.Routes) > 2 && len(plan.Plans) > 0
	})
}

// people creates a user of each role, and returns their credentials.
func (o *organization) people(t *testing.T) string {
	t.Helper()
	people := map[string]map[string]string{}
	for _, role := range []string{"admin", "dispatcher", "support"} {
		people[role] = o.person(t, role)
	}
	encoded, err := json.Marshal(people)
	require.NoError(t, err)
	return string(encoded)
}

func (o *organization) person(t *testing.T, role string) map[string]string {
	t.Helper()
	p := map[string]string{"email": role + "@" + o.slug + ".example", "passphrase": "a lantern over the fjord at " + o.slug}
	invite := exec.CommandContext(t.Context(), o.program, "users", "invite", "--org", o.slug, "--email", p["email"],
		"--name", "Kim "+role, "--role", role, "--passphrase-stdin")
	invite.Env, invite.Stdin = o.environment(), strings.NewReader(p["passphrase"])
	printed, err := invite.CombinedOutput()
	require.NoError(t, err, string(printed))
	return p
}
