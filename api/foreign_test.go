package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// Row ids: each kind of record has a row with the first id in the other
// organization, and no row with one of the others.
const (
	foreignID   = int64(5_000_001)
	nobodys     = "5000002"
	nobodysEver = "5000003"
)

var foreign = strconv.FormatInt(foreignID, 10)

// TestForeignIDsLookNonexistent names, in bodies and queries, rows of another
// organization, and rows that don't exist. The responses must be the same, and
// the rows of the other organization must not change.
func TestForeignIDsLookNonexistent(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	m.fill()
	cloned := m.cloneToOther()
	require.Greater(t, cloned, 30)
	callers := m.callers()
	document := apitest.Document(t)
	before := m.ofOther()
	var walked int
	for _, op := range m.operations {
		item := document.Paths.Value(op.Route.Pattern)
		if item == nil || slices.Contains(unwalked, op.ID) || slices.Contains(begun, op.ID) ||
			slices.Contains([]string{"streamHints", "streamDriverHints"}, op.ID) {
			continue
		}
		described := item.GetOperation(op.Route.Method)
		for _, r := range m.namingIDs(op, described) {
			walked++
			m.requireNoDifference(callers, op, r)
		}
	}
	require.Greater(t, walked, 50)
	require.Equal(t, before, m.ofOther())
}

// naming is a request with an id in place of %ID%.
type naming struct{ target, body string }

const placeholder = "%ID%"

// with is the request with an id.
func (n naming) with(id string) naming {
	return naming{
		strings.ReplaceAll(n.target, url.QueryEscape(placeholder), id),
		strings.ReplaceAll(n.body, `"`+placeholder+`"`, id),
	}
}

// namingIDs are requests of an operation that have an id in one place each.
func (m *matrix) namingIDs(op *contract.Operation, described *openapi3.Operation) (all []naming) {
	own := m.target(op)
	for _, body := range withIDs(exampleOf(described)) {
		all = append(all, naming{own, body})
	}
	for _, p := range described.Parameters {
		if p.Value == nil || p.Value.In != openapi3.ParameterInQuery || !namesRows.MatchString(p.Value.Name) {
			continue
		}
		asked, sep := own, "?"
		if strings.Contains(own, "?") {
			sep = "&"
		}
		asked += sep + p.Value.Name + "=" + url.QueryEscape(placeholder)
		all = append(all, naming{asked, string(exampleOf(described))})
	}
	return all
}

// namesRows matches names of fields that hold ids of rows.
var namesRows = regexp.MustCompile(`(?i)(^|_)ids?$|[a-z]Ids?$|[a-z]IDs?$`)

// withIDs are copies of a body, each with the placeholder in place of one id.
func withIDs(body []byte) (bodies []string) {
	isID := func(field string, v any) bool {
		_, isNumber := v.(json.Number)
		return isNumber && namesRows.MatchString(field)
	}
	_, ids := withValue(body, -1, nil, isID)
	for i := range ids {
		changed, _ := withValue(body, i, placeholder, isID)
		bodies = append(bodies, string(changed))
	}
	return bodies
}

// requireNoDifference compares the response for an id of another organization with those
// for unknown ids. The latter are sent first, so that one-time effects have happened.
func (m *matrix) requireNoDifference(callers []someone, op *contract.Operation, n naming) {
	m.T.Helper()
	headers := m.allowed(callers, op)
	if headers == nil {
		return
	}
	said := func(id string) (int, string) {
		r := n.with(id)
		body := r.body
		if op.Route.Method == http.MethodGet || op.Route.Method == http.MethodDelete {
			body = ""
		}
		w := apitest.Serve(
			m.handler,
			op.Route.Method,
			r.target,
			body,
			append([]string{"Content-Type", "application/json"}, headers...)...)
		return w.Code, leveled(w)
	}
	said(nobodysEver)
	wantCode, want := said(nobodys)
	code, got := said(foreign)
	if code != wantCode || got != want {
		m.T.Errorf(
			"%s %s %s: %d %s for an id of others, %d %s for one of nobody",
			op.ID,
			n.target,
			n.body,
			code,
			got,
			wantCode,
			want,
		)
	}
}

var (
	numbers = regexp.MustCompile(`\d+`)
	drawn   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|wb[a-z]_\w+|(?i)"request_?id":"[^"]*"`)
)

// leveled removes from a body what differs between requests.
func leveled(w *httptest.ResponseRecorder) string {
	return numbers.ReplaceAllString(drawn.ReplaceAllString(w.Body.String(), "…"), "#")
}

// cloneToOther copies one row of each table to the other organization, with a
// unique id and references to other such rows, and returns the number of
// tables.
func (m *matrix) cloneToOther() (cloned int) {
	m.T.Helper()
	left := m.tablesWithIDs()
	for before := -1; cloned > before; { // until all references can be resolved
		before = cloned
		left = slices.DeleteFunc(left, func(table string) bool {
			columns := m.Text(`select string_agg(quote_ident(column_name), ', ') from information_schema.columns
				where $1 > 0 and table_schema = 'public' and table_name = $2 and is_generated = 'NEVER'`, table)
			done, err := m.Owner.Exec(m.T.Context(), `insert into `+table+` (`+columns+`) overriding system value
				select `+columns+` from (select (jsonb_populate_record(x,
					jsonb_build_object('org_id', $2::bigint, 'id', $3::bigint) || (
					select coalesce(jsonb_object_agg(f.key, case jsonb_typeof(f.value) when 'number' then to_jsonb($3::bigint)
						else to_jsonb(left(f.value #>> '{}', 20) || 'x') end), '{}') from jsonb_each(to_jsonb(x)) f
					where f.key ~ '_id$' and f.key not in ('org_id', 'status_id') and jsonb_typeof(f.value) = 'number'
						or f.key in ('external_id', 'name', 'number', 'slug') and jsonb_typeof(f.value) = 'string'))).*
				from `+table+` x where x.org_id = $1 limit 1) y`, m.Org, m.Other, foreignID)
			if err != nil || done.RowsAffected() == 0 {
				return false // unique or absent key
			}
			cloned++
			return true
		})
	}
	return cloned
}

// tablesWithIDs are the tables whose rows belong to an organization and have a
// numeric id.
func (m *matrix) tablesWithIDs() (tables []string) {
	m.T.Helper()
	rows, err := m.Owner.Query(m.T.Context(), `select c.table_name from information_schema.columns c
		join information_schema.columns i using (table_schema, table_name)
		join information_schema.tables t using (table_schema, table_name)
		where c.table_schema = 'public' and c.column_name = 'org_id' and i.column_name = 'id' and i.data_type = 'bigint'
			and t.table_type = 'BASE TABLE' and c.table_name !~ '^events' order by 1`)
	require.NoError(m.T, err)
	defer rows.Close()
	for rows.Next() {
		var table string
		require.NoError(m.T, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(m.T, rows.Err())
	return tables
}

// ofOther returns the records of the other organization, by table.
func (m *matrix) ofOther() map[string]string {
	m.T.Helper()
	found := map[string]string{}
	for _, table := range m.tablesWithIDs() {
		var rows string
		require.NoError(m.T, m.Owner.QueryRow(
			m.T.Context(),
			`select coalesce(string_agg(x::text, ' ' order by x.id), '') from `+table+` x where x.org_id = $1`,
			m.Other,
		).Scan(&rows))
		found[table] = rows
	}
	return found
}
