package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

func TestOrdersWhy(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "acme")
	owner := asOwnerOf(t, db)
	exec := func(sql string) {
		t.Helper()
		_, err := owner.Exec(t.Context(), sql, org)
		require.NoError(t, err)
	}
	exec(`with o as (insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select $1, 7, 'NF-7', 7, '2027-03-01', min(c.id), (select min(id) from order_types where org_id = $1),
				(select min(id) from vehicle_types where org_id = $1) from customers c where c.org_id = $1 returning id)
		insert into order_numbers (org_id, number, order_id) select $1, 'NF-7', id from o`)
	exec(`insert into plans (org_id, id, day) values ($1, 1, '2027-03-01')`)
	exec(`insert into plan_unplanned (org_id, order_id, plan_id, state, certainty, reasons)
		values ($1, 7, 1, 'UNPLANNED', 'PROVEN', '[{"code": "NO_DRIVER"}]')`)
	exec(`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id, receiver, sender,
			body, provider, status, attempts)
		values ($1, 'EMAIL', 'k', 'notification/acme/k', 'r', 'ORDER_CREATED', 1, null, 7, 'kari@example.com', 'a@example.com',
			'Hei Kari', 'smtp', 'queued', 3)`)
	exec(`insert into drafts (org_id, id, external_id, request, reasons)
		values ($1, 9, 'NF-9', '{"name": "Kari"}', '[{"code": "MISSING", "field": "customer", "detail": "Kari"}]')`)
	exec(`insert into imports (org_id, id, defaults, total, chunks) values ($1, 5, '{}', 1, 1)`)
	exec(`insert into import_results (org_id, import_id, position, kind, order_id, external_id)
		values ($1, 5, 0, 'orderCreated', 7, 'NF-7')`)
	exec(`insert into events (org_id, position, kind, subject_type, subject_id, order_id, actor, cause)
		values ($1, 1, 'order.created', 'order', 7, 7, 'system', 'import/acme/5')`)

	env := []string{"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + temporalAddress(t)}
	got := runProgram(t, env, "orders", "why", "--org", "acme", "NF-7")
	require.Zero(t, got.status, got.stderr)
	for _, says := range []string{
		"order 7 (NF-7): ", "last import 5", "orderCreated", "plan: UNPLANNED (PROVEN)", "  NO_DRIVER\n", "export: none",
		"email ORDER_CREATED", "waits for the provider after 3 attempts", "workflow import/acme/5: not found",
		"workflow plan/acme/0/2027-03-01: not found", "workflow notification/acme/k: not found",
	} {
		require.Contains(t, got.stdout, says)
	}
	draft := runProgram(t, env, "orders", "why", "--org", "acme", "NF-9")
	require.Zero(t, draft.status, draft.stderr)
	require.Contains(t, draft.stdout, "draft 9: incomplete")
	require.Contains(t, draft.stdout, "  MISSING customer\n")
	for _, out := range []string{got.stdout, draft.stdout} {
		require.NotContains(t, out, "Kari")
		require.NotContains(t, out, "kari@")
	}
	nobody := runProgram(t, env, "orders", "why", "--org", "acme", "NF-8")
	require.Equal(t, 1, nobody.status)
	require.Contains(t, nobody.stderr, `acme has no order or draft with the number "NF-8"`)
}

// Commands record their operator, and the activity of an organization is shown.
func TestOperatorsAreRecordedAndActivityIsShown(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "acme")
	quiet := storetest.Organization(t, db, "quiet")
	env := []string{"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t)}
	for _, run := range [][]string{
		{"keys", "create", "--org", "acme", "--name", "one", "--operator", "kari"},
		{"keys", "create", "--org", "acme", "--name", "two"},
	} {
		got := runProgram(t, append(env, "WAYBILL_OPERATOR=ola"), run...)
		require.Zero(t, got.status, got.stderr)
	}
	owner := asOwnerOf(t, db)
	var causes []string
	require.NoError(t, owner.QueryRow(t.Context(),
		"select array_agg(cause order by id) from events where cause like 'waybill keys%'").Scan(&causes))
	require.Equal(t, []string{"waybill keys create by kari", "waybill keys create by ola"}, causes)
	_, err := owner.Exec(t.Context(), "update events set position = id")
	require.NoError(t, err)

	all := runProgram(t, env, "organizations", "activity")
	require.Zero(t, all.status, all.stderr)
	require.Regexp(t, `(?m)^acme +\d+ +\d+ % `, all.stdout)
	require.Contains(t, all.stdout, "Next: waybill organizations activity --org ")
	one := runProgram(t, env, "organizations", "activity", "--org", "acme")
	require.Zero(t, one.status, one.stderr)
	require.Regexp(t, `(?m)^  key.created +2$`, one.stdout)
	require.Contains(t, one.stdout, "workflows: unknown")
	_, err = owner.Exec(t.Context(), "delete from events where org_id = $1", quiet)
	require.NoError(t, err)
	require.NotContains(t, runProgram(t, env, "organizations", "activity").stdout, "quiet")
}
