package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/store/catalogue"
	"waybill/store/queries"
)

// derivedTable is derived from other rows for searching orders. It is not archived,
// and is deleted with its order.
const derivedTable = "order_texts"

// agedBatch are rows of a root that go with all below them, in one transaction.
type agedBatch struct {
	t     *Tx
	root  *AgingRoot
	month time.Time
	lines []agedLine
	// rows are the rows to delete, by table; steps are the tables below the
	// root.
	rows  map[string][]agedRow
	all   *catalogue.Catalogue
	steps []catalogue.Step
}

// agedLine is a row of the root with all rows below it, as it is archived.
type agedLine struct {
	Table string                       `json:"table"`
	Rows  map[string][]json.RawMessage `json:"rows"`
}

// agedRow is a row to delete, and its line in the archive.
type agedRow struct {
	line   int
	fields map[string]json.RawMessage
}

func (a *agedBatch) add(table string, line int, doc json.RawMessage) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(doc, &fields) // the database made it
	if a.rows == nil {
		a.rows = map[string][]agedRow{}
	}
	a.rows[table] = append(a.rows[table], agedRow{line, fields})
}

// gather reads all that is below the rows of the root, table by table.
func (a *agedBatch) gather(ctx context.Context) (err error) {
	if a.steps, err = a.all.Below(a.root.table, KeptReference); err != nil {
		return err
	}
	a.steps = slices.DeleteFunc(a.steps, func(s catalogue.Step) bool { return s.Table.Name == derivedTable })
	for _, step := range a.steps {
		seen := map[string]bool{}
		for _, r := range step.By {
			if err := a.gatherBy(ctx, &step.Table, r, seen); err != nil {
				return fmt.Errorf("read %s: %w", step.Table.Name, err)
			}
		}
	}
	return a.gatherDraftNumbers(ctx)
}

// gatherBy reads the rows that one reference leads to, without those seen before.
func (a *agedBatch) gatherBy(
	ctx context.Context, table *catalogue.Table, r catalogue.Reference, seen map[string]bool,
) error {
	parents := a.rows[r.To]
	if len(parents) == 0 {
		return nil
	}
	keys := make([]map[string]json.RawMessage, len(parents))
	for i, p := range parents {
		keys[i] = map[string]json.RawMessage{"line": json.RawMessage(strconv.Itoa(p.line))}
		for n, name := range r.Keys {
			keys[i]["k"+strconv.Itoa(n)] = p.fields[name]
		}
	}
	query := fmt.Sprintf(`select to_jsonb(t), k.line from %s t
		join (select distinct x.* from jsonb_to_recordset($2::jsonb) as x (line int%s)) k on %s where t.org_id = $1`,
		catalogue.Quoted(table.Name), declared(r.Types), matched(r.Columns))
	return a.read(ctx, table, seen, query, keys)
}

// declared are the columns of a record set, and matched the condition that they are
// those of a row t.
func declared(types []string) string {
	var b strings.Builder
	for n, name := range types {
		fmt.Fprintf(&b, ", k%d %s", n, name)
	}
	return b.String()
}

func matched(columns []string) string {
	all := make([]string, len(columns))
	for n, name := range columns {
		all[n] = fmt.Sprintf("%s = k.k%d", catalogue.Columns("t", []string{name}), n)
	}
	return strings.Join(all, " and ")
}

func (a *agedBatch) read(
	ctx context.Context,
	table *catalogue.Table,
	seen map[string]bool,
	query string,
	keys any,
) error {
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	rows, err := a.t.tx.Query(ctx, query, a.t.org, string(text))
	if err != nil {
		return err
	}
	var doc json.RawMessage
	var line int
	_, err = pgx.ForEachRow(rows, []any{&doc, &line}, func() error {
		a.add(table.Name, line, doc)
		added := a.rows[table.Name]
		var key strings.Builder
		for _, name := range table.Key {
			key.Write(append(added[len(added)-1].fields[name], ' '))
		}
		if seen[key.String()] {
			a.rows[table.Name] = added[:len(added)-1]
			return nil
		}
		seen[key.String()] = true
		below := a.lines[line].Rows
		below[table.Name] = append(below[table.Name], slices.Clone(doc))
		return nil
	})
	return err
}

// gatherDraftNumbers reads the numbers that drafts hold: no foreign key leads there.
func (a *agedBatch) gatherDraftNumbers(ctx context.Context) error {
	if a.root.table != "drafts" {
		return nil
	}
	numbers := catalogue.Reference{
		From: "order_numbers", To: "drafts",
		Columns: []string{"number"}, Types: []string{"text"}, Keys: []string{"external_id"},
	}
	table := a.all.Table("order_numbers")
	a.steps = append(a.steps, catalogue.Step{Table: *table})
	keys := make([]map[string]json.RawMessage, 0, len(a.rows["drafts"]))
	for _, d := range a.rows["drafts"] {
		line := json.RawMessage(strconv.Itoa(d.line))
		keys = append(keys, map[string]json.RawMessage{"line": line, "k0": d.fields["external_id"]})
	}
	query := "select to_jsonb(t), k.line from order_numbers t join jsonb_to_recordset($2::jsonb) as k (line int" +
		declared(numbers.Types) + ") on " + matched(numbers.Columns) + " where t.org_id = $1 and t.order_id is null"
	return a.read(ctx, table, map[string]bool{}, query, keys)
}

// remove deletes all that was gathered, dependents first, and exactly that. Of proofs
// the links of their chain stay, and of movements of load carriers all but the order.
func (a *agedBatch) remove(ctx context.Context) error {
	orders := a.ids(a.root.table, "id")
	if a.root.table == "orders" {
		err := errors.Join(
			a.t.q.KeepProofLinks(ctx, queries.KeepProofLinksParams{OrgID: a.t.org, OrderIds: orders}),
			a.t.q.UncoupleMovements(ctx, queries.UncoupleMovementsParams{OrgID: a.t.org, OrderIds: orders}))
		if err != nil {
			return err
		}
	}
	tables := []catalogue.Table{*a.all.Table(a.root.table)}
	for _, step := range a.steps {
		tables = append(tables, step.Table)
	}
	slices.Reverse(tables)
	for i := range tables {
		if err := a.delete(ctx, &tables[i]); err != nil {
			return fmt.Errorf("delete from %s: %w", tables[i].Name, err)
		}
	}
	return errors.Join(
		a.t.q.ForgetFreights(ctx, queries.ForgetFreightsParams{OrgID: a.t.org, Ids: a.ids("orders", "freight_id")}),
		a.t.q.ForgetPictures(ctx, queries.ForgetPicturesParams{OrgID: a.t.org, Sums: a.pictures()}))
}

func (a *agedBatch) delete(ctx context.Context, table *catalogue.Table) error {
	rows := a.rows[table.Name]
	if len(rows) == 0 {
		return nil
	}
	keys := make([]map[string]json.RawMessage, len(rows))
	for i, row := range rows {
		keys[i] = map[string]json.RawMessage{}
		for n, name := range table.Key {
			keys[i]["k"+strconv.Itoa(n)] = row.fields[name]
		}
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	query := fmt.Sprintf("delete from %s t using jsonb_to_recordset($2::jsonb) as k (%s) where t.org_id = $1 and %s",
		catalogue.Quoted(table.Name), strings.TrimPrefix(declared(table.KeyTypes), ", "), matched(table.Key))
	tag, err := a.t.tx.Exec(ctx, query, a.t.org, string(text))
	if err == nil && int(tag.RowsAffected()) != len(rows) {
		err = fmt.Errorf("%d rows were archived, but %d would be deleted", len(rows), tag.RowsAffected())
	}
	return err
}

// ids are the numbers that a column has in the rows of a table.
func (a *agedBatch) ids(table, column string) (ids []int64) {
	for _, row := range a.rows[table] {
		if id, err := strconv.ParseInt(string(row.fields[column]), 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// pictures are those named by the proofs and failures to delete.
func (a *agedBatch) pictures() (sums []string) {
	named := func(doc json.RawMessage) {
		var sum string
		if json.Unmarshal(doc, &sum) == nil && strings.HasPrefix(sum, `\x`) {
			sums = append(sums, sum[2:])
		}
	}
	for _, row := range a.rows["completion_proof_images"] {
		named(row.fields["sha256"])
	}
	for _, row := range a.rows["completion_proofs"] {
		named(row.fields["signature_sha256"])
	}
	for _, row := range a.rows["driver_actions"] {
		var data struct{ Pictures []string }
		if json.Unmarshal(row.fields["data"], &data) == nil && string(row.fields["type"]) == `"FAIL"` {
			sums = append(sums, data.Pictures...)
		}
	}
	return slices.DeleteFunc(sums, func(sum string) bool { return len(sum) != sumLength })
}

// sumLength is how long a SHA-256 in hex is.
const sumLength = 64
