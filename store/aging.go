package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/store/catalogue"
	"waybill/store/queries"
)

// AgingOrganization is an organization that keeps orders for a while only.
type AgingOrganization = queries.AgingOrganizationsRow

// AgingOrganizations returns the organizations with a retention for orders, after
// one of them, in order of their ids.
func (s *Store) AgingOrganizations(ctx context.Context, after int64) ([]AgingOrganization, error) {
	all, err := s.anyone().AgingOrganizations(ctx, after)
	return all, translate(err)
}

// Archive is a file of the object storage with rows that were removed.
type Archive = queries.ArchivesRow

// Archives returns the archives of an organization, by month.
func (s *Store) Archives(ctx context.Context, org int64) ([]Archive, error) {
	all, err := s.of(org).Archives(ctx, org)
	return all, translate(err)
}

// ReplaceArchives replaces archives with the one that combines them. It fails
// if one of them no longer exists.
func (s *Store) ReplaceArchives(ctx context.Context, by caller.Caller, parts []int64, whole *Archive) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		n, err := t.q.DropArchives(ctx, queries.DropArchivesParams{OrgID: t.org, Ids: parts})
		if err == nil && int(n) != len(parts) {
			err = errors.New("archives were merged by another process in the meantime")
		}
		if err != nil {
			return err
		}
		return t.addArchive(ctx, whole)
	})
}

func (t *Tx) addArchive(ctx context.Context, a *Archive) error {
	return t.q.AddArchive(ctx, queries.AddArchiveParams{
		OrgID: t.org, Month: a.Month, StorageKey: a.StorageKey, Lines: a.Lines, Size: a.Size, Sha256: a.Sha256,
	})
}

// AgingRoot is a kind of row that expires, with all rows that belong to it by the
// database's foreign keys.
type AgingRoot struct {
	table string
	// aged is the condition under which row t has aged out: it ended before $2,
	// and nothing needs it.
	aged string
	// month is the date that decides in which month a row is archived. Rows are
	// processed in its order.
	month, by string
}

// Table is the table of the root.
func (r *AgingRoot) Table() string { return r.table }

// agedOrder is the condition for orders of a status: orders with pending events
// for carriers, followers or messages are still needed.
const agedOrder = `t.status_id = %d and t.date < $2::timestamptz::date and t.updated_at < $2
	and not exists (select from order_exports e where e.org_id = t.org_id and e.order_id = t.id
		and (e.state <> 'closed' or e.updated_at >= $2))
	and not exists (select from notifications n where n.org_id = t.org_id and n.order_id = t.id
		and (n.status in ('queued', 'job_dequeued') or n.created_at >= $2))
	and not exists (select from tracking_links l where l.org_id = t.org_id and l.order_id = t.id and l.expires_at >= $2)
	and not exists (select from events e where e.org_id = t.org_id and e.subject_type = 'order' and e.subject_id = t.id
		and e.position is not null and e.recorded_at >= $2)`

// Final statuses of orders.
const (
	delivered = 6
	failed    = 7
	cancelled = 8
)

// AgingRoots are all kinds of rows that age out. Orders come first: a day is
// removed only once it has no orders.
func AgingRoots() []AgingRoot {
	var roots []AgingRoot
	for _, status := range []int{delivered, failed, cancelled} {
		roots = append(roots, AgingRoot{"orders", fmt.Sprintf(agedOrder, status), "t.date", "t.date"})
	}
	return append(roots,
		AgingRoot{
			"drafts", "t.order_id is null and t.updated_at < $2", "t.created_at at time zone 'UTC'", "t.updated_at",
		},
		AgingRoot{
			"exceptions", "t.order_id is null and t.action_id is null and t.day < $2::timestamptz::date", "t.day", "t.day",
		},
		AgingRoot{"alerts", "t.order_id is null and t.day < $2::timestamptz::date", "t.day", "t.day"},
		AgingRoot{"driver_messages", "t.order_id is null and t.day < $2::timestamptz::date", "t.day", "t.day"},
		AgingRoot{
			"driver_actions", "t.order_id is null and t.occurred_at < $2", "t.occurred_at at time zone 'UTC'", "t.occurred_at",
		},
		AgingRoot{"driver_days", "t.day < $2::timestamptz::date", "t.day", "t.day"},
		AgingRoot{"driver_workdays", "t.date < $2::timestamptz::date", "t.date", "t.date"},
		AgingRoot{"plans", `t.day < $2::timestamptz::date
			and not exists (select from plan_stops s where s.org_id = t.org_id and s.plan_id = t.id)
			and not exists (select from plan_unplanned u where u.org_id = t.org_id and u.plan_id = t.id)`, "t.day", "t.day"},
	)
}

// KeptReference reports references whose rows do not expire: the balance of load
// carriers is the sum of all movements.
func KeptReference(r catalogue.Reference) bool { return r.From == "cargo_carrier_movements" }

// CountAged counts rows of a root that have aged out, up to a bound.
func (s *Store) CountAged(
	ctx context.Context, org int64, root *AgingRoot, before time.Time, atMost int,
) (count int, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		query := fmt.Sprintf("select count(*) from (select from %s t where t.org_id = $1 and %s limit $3) x",
			root.table, root.aged)
		return t.tx.QueryRow(ctx, query, org, before, atMost).Scan(&count)
	})
	return count, err
}

// Aged are rows taken from a root: some of one month, with all dependent rows, one
// line of JSON each.
type Aged struct {
	Month time.Time
	Lines [][]byte
}

// Aging removes expired rows. It reads the tables once, for any number of batches; a
// table created meanwhile is left for the next run.
type Aging struct {
	store *Store
	all   *catalogue.Catalogue
}

// NewAging returns an Aging, which removes rows that have aged out.
func (s *Store) NewAging() *Aging { return &Aging{store: s} }

// tables returns the names of the tables.
func (g *Aging) tables(ctx context.Context, t *Tx) (*catalogue.Catalogue, error) {
	if g.all == nil {
		all, err := catalogue.Read(ctx, t.tx)
		if err != nil {
			return nil, err
		}
		g.all = all
	}
	return g.all, nil
}

// AgeOut removes up to a number of rows of a root, of one month, with all dependent
// rows, and returns how many. It calls keep before it commits: all or nothing. Locked
// rows are left for later.
func (g *Aging) AgeOut(
	ctx context.Context, by caller.Caller, root *AgingRoot, before time.Time, atMost int, keep func(Aged) (Archive, error),
) (count int, err error) {
	err = g.store.InTx(ctx, by, func(t *Tx) error {
		count = 0
		a := agedBatch{t: t, root: root}
		if err := a.pick(ctx, before, atMost); err != nil || len(a.lines) == 0 {
			return err
		}
		if a.all, err = g.tables(ctx, t); err != nil {
			return err
		}
		if err := a.gather(ctx); err != nil {
			return err
		}
		archive, err := a.archived(keep)
		if err != nil {
			return err
		}
		count = len(a.lines)
		if err := errors.Join(a.remove(ctx), t.addArchive(ctx, &archive)); err != nil {
			return err
		}
		return t.Append(ctx, event.Organization{ID: t.org}.OrdersArchived(
			event.Archived{Table: root.table, Month: a.month.Format("2006-01"), Rows: count}))
	})
	if err != nil {
		return 0, fmt.Errorf("remove expired %s: %w", root.table, err)
	}
	return count, nil
}

// pick locks the rows of the root that go.
func (a *agedBatch) pick(ctx context.Context, before time.Time, atMost int) error {
	if _, err := a.t.tx.Exec(ctx, "set local enable_seqscan = off"); err != nil {
		return err
	}
	query := fmt.Sprintf(`select to_jsonb(t), date_trunc('month', %s)::date from %s t where t.org_id = $1 and %s
		order by %s limit $3 for update of t skip locked`, a.root.month, a.root.table, a.root.aged, a.root.by)
	rows, err := a.t.tx.Query(ctx, query, a.t.org, before, atMost)
	if err != nil {
		return err
	}
	var doc json.RawMessage
	var month time.Time
	_, err = pgx.ForEachRow(rows, []any{&doc, &month}, func() error {
		if len(a.lines) == 0 {
			a.month = month
		}
		if month.Equal(a.month) {
			a.add(a.root.table, len(a.lines), doc)
			rows := map[string][]json.RawMessage{a.root.table: {slices.Clone(doc)}}
			a.lines = append(a.lines, agedLine{Table: a.root.table, Rows: rows})
		}
		return nil
	})
	return err
}

// archived has the lines kept.
func (a *agedBatch) archived(keep func(Aged) (Archive, error)) (Archive, error) {
	aged := Aged{Month: a.month}
	for _, line := range a.lines {
		text, err := json.Marshal(line)
		if err != nil {
			return Archive{}, err
		}
		aged.Lines = append(aged.Lines, text)
	}
	return keep(aged)
}
