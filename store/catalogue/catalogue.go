// Package catalogue reads from the database which tables have rows of
// organizations, and their references to each other, so that nobody has to
// maintain a list.
package catalogue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Organizations is the table of the organizations themselves.
const Organizations = "organizations"

// Table is a table with rows of organizations.
type Table struct {
	Name string
	// Key are the columns of its primary key, and KeyTypes their types.
	Key, KeyTypes []string
	// Parts are the tables that hold its rows: its partitions, or itself.
	Parts []string
}

// Reference is a foreign key.
type Reference struct {
	From, To string
	// Columns of From, of these Types, refer to Keys of To, in the same order.
	Columns, Types, Keys []string
}

// Self reports whether rows refer to rows of their own table.
func (r *Reference) Self() bool { return r.From == r.To }

// Catalogue are the tables with a column org_id, and all foreign keys between them.
type Catalogue struct {
	Tables     []Table
	References []Reference
}

// Querier runs queries; pools, connections and transactions do.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

const tablesQuery = `
	select c.relname::text as name,
		coalesce((select array_agg(a.attname::text order by k.n)
			from pg_constraint p cross join unnest(p.conkey) with ordinality k (num, n)
			join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num
			where p.conrelid = c.oid and p.contype = 'p'), '{}') as key,
		coalesce((select array_agg(format_type(a.atttypid, a.atttypmod) order by k.n)
			from pg_constraint p cross join unnest(p.conkey) with ordinality k (num, n)
			join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num
			where p.conrelid = c.oid and p.contype = 'p'), '{}') as key_types,
		case c.relkind when 'p'
			then coalesce((select array_agg(x.relname::text order by x.relname)
				from pg_inherits i join pg_class x on x.oid = i.inhrelid where i.inhparent = c.oid), '{}')
			else array[c.relname::text] end as parts
	from pg_class c join pg_attribute o on o.attrelid = c.oid and o.attname = 'org_id' and not o.attisdropped
	where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
	order by c.relname`

const referencesQuery = `
	select f.relname::text as "from", t.relname::text as "to",
		(select array_agg(a.attname::text order by c.n) from unnest(k.conkey) with ordinality c (num, n)
			join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.num) as columns,
		(select array_agg(format_type(a.atttypid, a.atttypmod) order by c.n) from unnest(k.conkey) with ordinality c (num, n)
			join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.num) as types,
		(select array_agg(a.attname::text order by c.n) from unnest(k.confkey) with ordinality c (num, n)
			join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.num) as keys
	from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
	where k.contype = 'f' and k.conparentid = 0 and not f.relispartition
		and f.relnamespace = 'public'::regnamespace and t.relnamespace = 'public'::regnamespace
	order by k.conname, f.relname`

// Read reads the catalogue of the database.
func Read(ctx context.Context, db Querier) (*Catalogue, error) {
	var c Catalogue
	rows, err := db.Query(ctx, tablesQuery)
	if err == nil {
		c.Tables, err = pgx.CollectRows(rows, pgx.RowToStructByName[Table])
	}
	if err != nil {
		return nil, fmt.Errorf("read the tables of the database: %w", err)
	}
	rows, err = db.Query(ctx, referencesQuery)
	if err == nil {
		c.References, err = pgx.CollectRows(rows, pgx.RowToStructByName[Reference])
	}
	if err != nil {
		return nil, fmt.Errorf("read the foreign keys of the database: %w", err)
	}
	c.References = slices.DeleteFunc(c.References, func(r Reference) bool { return !c.has(r.From) || !c.has(r.To) })
	return &c, nil
}

func (c *Catalogue) has(table string) bool {
	return slices.ContainsFunc(c.Tables, func(t Table) bool { return t.Name == table })
}

// Table returns a table by its name, or nil.
func (c *Catalogue) Table(name string) *Table {
	for i := range c.Tables {
		if c.Tables[i].Name == name {
			return &c.Tables[i]
		}
	}
	return nil
}

// DependentsFirst returns all tables, each before those that it refers to.
func (c *Catalogue) DependentsFirst() ([]Table, error) {
	waiting := slices.Clone(c.Tables)
	var ordered []Table
	for len(waiting) > 0 {
		free := slices.DeleteFunc(slices.Clone(waiting), func(t Table) bool { return c.isReferred(t.Name, waiting) })
		if len(free) == 0 {
			return nil, fmt.Errorf("the tables %s have circular references", names(waiting))
		}
		ordered = append(ordered, free...)
		waiting = slices.DeleteFunc(waiting, func(t Table) bool {
			return slices.ContainsFunc(free, func(f Table) bool { return f.Name == t.Name })
		})
	}
	return ordered, nil
}

// isReferred reports whether one of some other tables refers to a table.
func (c *Catalogue) isReferred(table string, by []Table) bool {
	return slices.ContainsFunc(c.References, func(r Reference) bool {
		return r.To == table && !r.Self() && slices.ContainsFunc(by, func(t Table) bool { return t.Name == r.From })
	})
}

// Step is a table below a root, and the references that lead to it.
type Step struct {
	Table Table
	By    []Reference
}

// Below returns the tables whose rows refer to those of a root, directly or
// through others, each after those that it refers to. It does not follow
// references for which kept returns true.
func (c *Catalogue) Below(root string, kept func(Reference) bool) ([]Step, error) {
	ordered, err := c.DependentsFirst()
	if err != nil {
		return nil, err
	}
	slices.Reverse(ordered)
	in := map[string]bool{root: true}
	var steps []Step
	for _, t := range ordered {
		var by []Reference
		for _, r := range c.References {
			if r.From == t.Name && in[r.To] && !r.Self() && !kept(r) {
				by = append(by, r)
			}
		}
		if len(by) > 0 && t.Name != root {
			in[t.Name] = true
			steps = append(steps, Step{Table: t, By: by})
		}
	}
	return steps, nil
}

// Selfs are the references of a table to itself.
func (c *Catalogue) Selfs(table string) []Reference {
	return slices.DeleteFunc(slices.Clone(c.References), func(r Reference) bool { return r.From != table || !r.Self() })
}

func names(tables []Table) string {
	all := make([]string, len(tables))
	for i, t := range tables {
		all[i] = t.Name
	}
	return strings.Join(all, ", ")
}

// Quoted returns a name as SQL writes it.
func Quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// Columns returns names as SQL writes them, each of the table that alias names.
func Columns(alias string, columns []string) string {
	all := make([]string, len(columns))
	for i, name := range columns {
		all[i] = pgx.Identifier{alias, name}.Sanitize()
	}
	return strings.Join(all, ", ")
}
