package store_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// definers are the functions that the application may call and that run with
// the rights of the tables' owner, to whom no policy applies. Each returns as
// little as possible; check that for every function you add here.
var definers = []string{
	"activity_since", "aging_organizations", "carrier_secret_is_shared", "changes_behind", "closed_organizations",
	"drive_days_of_events", "due_notifications", "events_between", "find_account_code", "find_api_key",
	"find_custom_field_values", "find_locations", "find_orders_by_text", "find_orders_by_word", "find_orders_by_words",
	"find_organization", "find_places",
	"find_session", "find_tracking_link", "follow_events", "forget_account_codes", "forget_carrier_bodies",
	"forget_documents", "forget_events", "forget_export_payloads", "forget_idempotency_keys", "forget_imports",
	"forget_keys", "forget_message_texts", "forget_parked_events", "forget_pictures", "forget_place_answers",
	"forget_positions",
	"forget_sessions",
	"forget_sign_ins", "forget_tallies", "forget_template_changes", "forget_tracking_links",
	"forget_travel_legs", "forget_webhooks", "hand_over_messages", "installation_health", "is_suspended",
	"living", "living_imports", "log_lag",
	"make_event_partitions", "needs_attention", "oldest_waiting_messages",
	"overdue_templates", "places_waiting", "relay_beat", "reminding_organizations", "retaining_organizations",
	"road_profiles", "search_notifications",
	"sequence_events",
	"sequence_events_of_leader",
	"sscc_prefix_is_taken", "unreferenced_files",
}

// TestFunctionsOfTheOwnerAreFew checks all functions that see the rows of every
// organization: only the application may call them, and nothing created by a caller is in
// their search path.
func TestFunctionsOfTheOwnerAreFew(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	rows, err := d.owner.Query(t.Context(), `
		select p.proname::text as name, 'search_path=public, pg_temp' = any (coalesce(p.proconfig, '{}')) as has_path,
			has_function_privilege('public', p.oid, 'execute') as is_public,
			has_function_privilege('waybill_app', p.oid, 'execute') as is_granted,
			p.proowner = (select c.relowner from pg_class c where c.oid = 'organizations'::regclass) as is_owners
		from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`)
	require.NoError(t, err)
	type function struct {
		Name                                   string
		HasPath, IsPublic, IsGranted, IsOwners bool
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[function])
	require.NoError(t, err)
	var granted []string
	for _, f := range found {
		require.True(t, f.HasPath, "%s finds what callers put in its way", f.Name)
		require.False(t, f.IsPublic, "everybody may call %s", f.Name)
		require.True(t, f.IsOwners, "%s does not belong to the owner of the tables", f.Name)
		if f.IsGranted {
			granted = append(granted, f.Name)
		}
	}
	slices.Sort(granted)
	require.Equal(t, definers, slices.Compact(granted))
}

// TestApplicationRoleOwnsAndCreatesNothing checks what row-level security relies
// on, since it is not forced for owners: the application's role owns nothing,
// and can't become an owner.
func TestApplicationRoleOwnsAndCreatesNothing(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	var roles []string
	err := d.Pool.QueryRow(t.Context(), `select array_agg(r.rolname::text order by r.rolname = current_user desc)
		from pg_roles r where pg_has_role(r.oid, 'member')`).Scan(&roles)
	require.NoError(t, err)
	require.Len(t, roles, 2, "the login and the group that the rights are granted to")
	require.True(t, slices.Contains(roles, "waybill_app"))
	for _, role := range roles {
		require.False(t, one[bool](d, `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
			from pg_roles where rolname = $1`, role), role)
		require.Zero(t, one[int](d, `select count(*)::int from pg_shdepend s join pg_roles r on r.oid = s.refobjid
			where s.refclassid = 'pg_authid'::regclass and s.deptype = 'o' and r.rolname = $1
			and s.dbid in (0, (select oid from pg_database where datname = current_database()))`, role),
			"%s owns something", role)
		require.False(t, one[bool](d, "select has_schema_privilege($1, 'public', 'create')", role), role)
		require.False(t, one[bool](d, "select has_database_privilege($1, current_database(), 'create')", role), role)
		require.Empty(t, one[[]string](d, `select coalesce(array_agg(c.relname::text), '{}') from pg_class c
			where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
				and has_table_privilege($1, c.oid, 'trigger, truncate, references')`, role), role)
	}
}
