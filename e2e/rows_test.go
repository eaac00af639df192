package e2e_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// tenantTables are the tables with rows of organizations, except those of
// plans, which follow in their own time.
const tenantTables = `
	select c.relname::text from pg_class c
	join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
	where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
	  and c.relname !~ '^(plans|plan_)'`

// rowCounts counts an organization's rows, table by table.
func (o *organization) rowCounts(t testing.TB) map[string]int {
	t.Helper()
	tables := list(t, o.installation, tenantTables)
	counts := make(map[string]int, len(tables))
	for _, table := range tables {
		var count int
		err := o.admin.QueryRow(context.WithoutCancel(t.Context()), "select count(*) from "+pgx.Identifier{table}.Sanitize()+" where org_id = $1", o.id).Scan(&count)
		require.NoError(t, err)
		counts[table] = count
	}
	return counts
}

// list reads a column of texts.
func list(t testing.TB, i *installation, query string, args ...any) []string {
	t.Helper()
	rows, err := i.admin.Query(context.WithoutCancel(t.Context()), query, args...)
	require.NoError(t, err, query)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err, query)
	return values
}

// rowQueries return the rows that imports leave behind, each as one text, with
// names in place of ids and without values that differ between runs: ids,
// serials and times of day.
var rowQueries = map[string]string{
	"orders": `
		select (to_jsonb(o) - '{id,org_id,serial,created_at,updated_at,updated_hour,edited_at,cancelled_at,customer_id,department_id,order_type_id,vehicle_type_id,consignee_id,consignor_id,freight_id}'::text[]
			|| jsonb_build_object('cancelled', o.cancelled_at is not null, 'edited', o.edited_at is not null, 'customer', c.external_id, 'department', d.name, 'order_type', ot.name,
				'vehicle_type', v.name, 'consignee', ce.external_id, 'consignor', cr.external_id, 'freight', f.internal_freight_number))::text
		from orders o
		left join customers c on c.org_id = o.org_id and c.id = o.customer_id
		left join departments d on d.org_id = o.org_id and d.id = o.department_id
		left join order_types ot on ot.org_id = o.org_id and ot.id = o.order_type_id
		left join vehicle_types v on v.org_id = o.org_id and v.id = o.vehicle_type_id
		left join customers ce on ce.org_id = o.org_id and ce.id = o.consignee_id
		left join customers cr on cr.org_id = o.org_id and cr.id = o.consignor_id
		left join freights f on f.org_id = o.org_id and f.id = o.freight_id
		where o.org_id = $1`,
	"stops": `
		select (to_jsonb(s) - '{id,org_id,order_id,location_id,cancelled_at}'::text[]
			|| jsonb_build_object('order', o.number, 'location', coalesce(l.external_id, l.name), 'cancelled', s.cancelled_at is not null))::text
		from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		join locations l on l.org_id = s.org_id and l.id = s.location_id
		where s.org_id = $1`,
	"contacts": `
		select (to_jsonb(c) - '{id,org_id,stop_id}'::text[] || jsonb_build_object('order', o.number, 'stop', s.kind))::text
		from stop_contacts c join order_stops s on s.org_id = c.org_id and s.id = c.stop_id
		join orders o on o.org_id = s.org_id and o.id = s.order_id
		where c.org_id = $1`,
	"stop skills": `
		select jsonb_build_array(o.number, s.kind, k.name, x.type)::text
		from stop_skills x join order_stops s on s.org_id = x.org_id and s.id = x.stop_id
		join orders o on o.org_id = s.org_id and o.id = s.order_id
		join skills k on k.org_id = x.org_id and k.id = x.skill_id
		where x.org_id = $1`,
	"products": `
		select (to_jsonb(p) - '{id,org_id,order_id,parent_id}'::text[] || jsonb_build_object('order', o.number, 'parent', parent.external_id))::text
		from order_products p join orders o on o.org_id = p.org_id and o.id = p.order_id
		left join order_products parent on parent.org_id = p.org_id and parent.id = p.parent_id
		where p.org_id = $1`,
	"product skills": `
		select jsonb_build_array(o.number, p.external_id, k.name, x.type)::text
		from order_product_skills x join order_products p on p.org_id = x.org_id and p.id = x.order_product_id
		join orders o on o.org_id = p.org_id and o.id = p.order_id
		join skills k on k.org_id = x.org_id and k.id = x.skill_id
		where x.org_id = $1`,
	"groups": `
		select jsonb_build_array(o.number, g.name)::text
		from order_group_members m join orders o on o.org_id = m.org_id and o.id = m.order_id
		join order_groups g on g.org_id = m.org_id and g.id = m.group_id
		where m.org_id = $1`,
	"prices": `
		select (to_jsonb(p) - '{org_id,order_id}'::text[] || jsonb_build_object('order', o.number))::text
		from order_prices p join orders o on o.org_id = p.org_id and o.id = p.order_id
		where p.org_id = $1`,
	"custom fields": `
		select jsonb_build_array(o.number, d.external_id, v.value)::text
		from custom_field_values v join orders o on o.org_id = v.org_id and o.id = v.order_id
		join custom_field_definitions d on d.org_id = v.org_id and d.id = v.definition_id
		where v.org_id = $1`,
	"freights": `
		select jsonb_build_array(f.internal_freight_number, ce.external_id, cr.external_id)::text
		from freights f join customers ce on ce.org_id = f.org_id and ce.id = f.consignee_id
		join customers cr on cr.org_id = f.org_id and cr.id = f.consignor_id
		where f.org_id = $1`,
	"locations": `
		select (to_jsonb(l) - '{id,org_id,created_at,updated_at}'::text[])::text from locations l where l.org_id = $1`,
	"numbers": `
		select jsonb_build_array(n.number, o.number, n.cancelled_at is not null)::text
		from order_numbers n left join orders o on o.org_id = n.org_id and o.id = n.order_id
		where n.org_id = $1`,
	"drafts": `
		select (to_jsonb(d) - '{id,org_id,order_id,created_at,updated_at,receipt}'::text[] || jsonb_build_object('order', o.number))::text
		from drafts d left join orders o on o.org_id = d.org_id and o.id = d.order_id
		where d.org_id = $1`,
	"imports": `
		select jsonb_build_array(defaults, total, chunks, chunks_done, completed_at is not null)::text from imports where org_id = $1`,
	"chunks": `
		select jsonb_build_array(chunk, positions, entries is null, done_at is not null)::text from import_chunks where org_id = $1`,
	"results": `
		select (to_jsonb(r) - '{org_id,import_id,order_id,draft_id}'::text[]
			|| jsonb_build_object('order', o.number, 'draft', d.external_id, 'has_draft', d.id is not null))::text
		from import_results r
		left join orders o on o.org_id = r.org_id and o.id = r.order_id
		left join drafts d on d.org_id = r.org_id and d.id = r.draft_id
		where r.org_id = $1`,
	// The events of each number, without the events of its messages, in
	// sequence.
	"events": `
		select (to_jsonb(e) - '{id,org_id,position,subject_id,actor,cause,order_id,draft_id,notification_id,occurred_at,recorded_at,product_ids,removed_product_ids}'::text[]
			|| jsonb_build_object('order', o.number, 'draft', d.external_id, 'has_draft', d.id is not null,
				'removed', cardinality(e.removed_product_ids), 'products', (
					select jsonb_agg(p.external_id order by place) from unnest(e.product_ids) with ordinality u (id, place)
					left join order_products p on p.org_id = e.org_id and p.id = u.id),
				'nth', row_number() over (partition by e.external_id order by e.position)))::text
		from events e
		left join orders o on o.org_id = e.org_id and o.id = e.order_id
		left join drafts d on d.org_id = e.org_id and d.id = e.draft_id
		where e.org_id = $1 and e.notification_id is null and e.subject_type <> 'organization'`,
}

// rows returns the rows that an organization's imports left behind, once every
// event has its position.
func (o *organization) rows(t *testing.T) map[string][]string {
	t.Helper()
	eventually(t, "the relay gives every event its position", func() bool {
		return one[int](t, o.installation, "select count(*) from events where org_id = $1 and position is null", o.id) == 0
	})
	all := make(map[string][]string, len(rowQueries))
	for name, query := range rowQueries {
		all[name] = list(t, o.installation, "select r from ("+query+") x(r) order by r collate \"C\"", o.id)
	}
	return all
}

// requireSameRows fails at the first row in which two results differ.
func requireSameRows(t *testing.T, want, got map[string][]string) {
	t.Helper()
	for name, rows := range want {
		for n, row := range rows[:min(len(rows), len(got[name]))] {
			require.Equal(t, row, got[name][n], "row %d of %d of %s", n+1, len(rows), name)
		}
		require.Len(t, got[name], len(rows), name)
	}
}
