// Package restored reads and mends a database that was restored to an earlier time, as the owner of its tables.
package restored

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Database is a restored database. No process works on it.
type Database struct{ conn *pgx.Conn }

// New reads and mends a database over a connection of the owner of its tables. The caller closes the connection.
func New(conn *pgx.Conn) *Database { return &Database{conn: conn} }

// Ahead is by how much new ids, positions of the log and order numbers continue behind those of the database.
type Ahead struct{ IDs, Numbers int64 }

// Advance has the database continue with ids, positions and order numbers that nobody has seen before the restore:
// callers know those of the lost time, and workflows are named after them. It returns how many sequences it has
// advanced.
func (d *Database) Advance(ctx context.Context, by Ahead) (sequences int, err error) {
	err = pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		const advance = `
			select count(setval(format('%I.%I', s.schemaname, s.sequencename)::regclass, least(s.max_value,
				coalesce(s.last_value, s.start_value)
					+ case when s.sequencename like 'order\_serial\_%' then $2::bigint else $1 end)))
			from pg_sequences s where s.schemaname = 'public'`
		if err := tx.QueryRow(ctx, advance, by.IDs, by.Numbers).Scan(&sequences); err != nil {
			return fmt.Errorf("advance the sequences: %w", err)
		}
		if _, err := tx.Exec(ctx, "update event_sequencer set last_position = last_position + $1", by.IDs); err != nil {
			return fmt.Errorf("advance the positions of the log: %w", err)
		}
		return nil
	})
	return sequences, err
}

// Subject is what a workflow is about, by its workflow ID: its kind, the organization's name in workflow IDs, and an
// id or, of a message, the whole workflow ID.
type Subject struct{ Kind, Org, ID string }

// rows has for each kind of workflow the query for its row: w is the subject, and g its organization.
var rows = map[string]string{
	"import":          "select from imports x where x.org_id = g.id and x.id::text = w.id",
	"recurring-order": "select from recurring_orders x where x.org_id = g.id and x.id::text = w.id",
	"export":          "select from order_exports x where x.org_id = g.id and x.order_id::text = w.id",
	"notification":    "select from notifications x where x.org_id = g.id and x.workflow_id = w.id",
	"webhook":         "select from webhook_endpoints x where x.org_id = g.id and x.id::text = w.id",
	"resending":       "select from resendings x where x.org_id = g.id and x.id::text = w.id",
}

// Without returns the places of those subjects that have no row. Subjects of other kinds have none of their own.
func (d *Database) Without(ctx context.Context, subjects []Subject) (missing []int, err error) {
	of := map[string][]int{}
	for i, s := range subjects {
		of[s.Kind] = append(of[s.Kind], i)
	}
	for kind, row := range rows {
		var orgs, ids []string
		for _, i := range of[kind] {
			orgs, ids = append(orgs, subjects[i].Org), append(ids, subjects[i].ID)
		}
		if len(ids) == 0 {
			continue
		}
		found, err := d.conn.Query(ctx, `
			select w.place from unnest($1::text[], $2::text[]) with ordinality w (org, id, place)
			where not exists (select from organizations g where g.workflow_name = w.org and exists (`+row+`))
			order by w.place`, orgs, ids)
		if err != nil {
			return nil, fmt.Errorf("look for the rows of workflows: %w", err)
		}
		places, err := pgx.CollectRows(found, pgx.RowTo[int64])
		if err != nil {
			return nil, fmt.Errorf("look for the rows of workflows: %w", err)
		}
		for _, place := range places {
			missing = append(missing, of[kind][place-1])
		}
	}
	return missing, nil
}

// Message is a message that the database takes for unsent.
type Message struct {
	OrgID, ID           int64
	WorkflowID, Channel string
}

// Unsent returns messages that the database takes for unsent, by their ids, behind one.
func (d *Database) Unsent(ctx context.Context, after int64, most int) ([]Message, error) {
	found, err := d.conn.Query(ctx, `
		select n.org_id, n.id, n.workflow_id, n.channel from notifications n
		where n.status in ('queued', 'job_dequeued') and n.id > $1 order by n.id limit $2`, after, most)
	if err != nil {
		return nil, fmt.Errorf("list unsent messages: %w", err)
	}
	messages, err := pgx.CollectRows(found, pgx.RowToStructByPos[Message])
	if err != nil {
		return nil, fmt.Errorf("list unsent messages: %w", err)
	}
	return messages, nil
}
