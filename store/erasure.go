package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/privacy"
	"waybill/store/catalogue"
	"waybill/store/queries"
)

// Erasing finds a person in an organization's data, and erases them. privacy.Places
// decides in which tables, and how.
type Erasing struct {
	store *Store
	org   int64
	keys  map[string]erasedKey
}

// erasedKey is the column by which a table is paged, or empty.
type erasedKey struct{ column, of string }

// NewErasing returns an Erasing for an organization.
func (s *Store) NewErasing(ctx context.Context, org int64) (*Erasing, error) {
	e := &Erasing{store: s, org: org, keys: map[string]erasedKey{}}
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		all, err := catalogue.Read(ctx, t.tx)
		if err != nil {
			return err
		}
		for _, table := range all.Tables {
			if len(table.Key) > 1 {
				e.keys[table.Name] = erasedKey{catalogue.Columns("t", table.Key[1:2]), table.KeyTypes[1]}
			}
		}
		return nil
	})
	return e, err
}

// Sought selects what is erased: matches of a pattern, in orders or
// elsewhere.
type Sought struct {
	Orders  []int64
	Pattern string
}

// Part is a part of a table: the rows behind a key. An empty key is the beginning of the
// table, and its end.
type Part struct {
	After string
	Batch int
}

// ErasedPart is the result for a part of a table. Last is the last key processed, empty at
// the end.
type ErasedPart struct {
	Last   string
	Count  int
	Orders []int64
	// Ended are the workflows of messages that are not sent.
	Ended []string
}

// EraseRows erases matches from part of a table, outside the given orders. If
// dry, it only counts them.
func (e *Erasing) EraseRows(
	ctx context.Context, t *Tx, place *privacy.Place, sought Sought, part Part, dry bool,
) (done ErasedPart, err error) {
	where, last, err := e.part(ctx, t, place.Table, part)
	if err != nil {
		return done, err
	}
	done.Last = last
	if place.Scope != "" {
		where += " and not coalesce((" + place.Scope + "), false)"
	}
	err = e.erase(ctx, t, place, where, sought, &done, dry)
	return done, err
}

// part is the condition of the rows of a part of a table.
func (e *Erasing) part(ctx context.Context, t *Tx, table string, part Part) (where, last string, err error) {
	key := e.keys[table]
	if key.column == "" {
		return "true", "", nil
	}
	where = "true"
	if part.After != "" {
		where = fmt.Sprintf("%s > %s::%s", key.column, quoted(part.After), key.of)
	}
	query := fmt.Sprintf(`select coalesce((array_agg(x.key order by x.key desc))[1]::text, ''), count(*)::int from (
		select %s as key from %s t where t.org_id = $1 and %s order by 1 limit $2) x`, key.column, table, where)
	var count int
	if err := t.tx.QueryRow(ctx, query, e.org, part.Batch).Scan(&last, &count); err != nil {
		return "", "", err
	}
	if count < part.Batch {
		return where, "", nil
	}
	return where + fmt.Sprintf(" and %s <= %s::%s", key.column, quoted(last), key.of), last, nil
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// apart separates columns that are searched together, so that no number or name
// spans two.
const apart = `e'\n####\n'`

// matches is the condition under which a row has a match.
func matches(place *privacy.Place) string {
	all := make([]string, len(place.Columns))
	for i, c := range place.Columns {
		all[i] = "t." + c.Name + "::text"
		if c.Form == privacy.DocumentBytes {
			all[i] = "convert_from(t." + c.Name + ", 'UTF8')"
		}
	}
	return "concat_ws(" + apart + ", " + strings.Join(all, ", ") + ") ~* $3"
}

// touched are the other changes to a row from which something is erased.
var touched = map[string]string{
	"orders": "updated_at = now()", "locations": "updated_at = now()", "drafts": "updated_at = now()",
	"customers": "updated_at = now()", "completion_proofs": "erased_at = now()",
}

// without are the assignments that erase the matches from a row.
func without(place *privacy.Place) string {
	forms := map[privacy.Form]string{
		privacy.Text:          "erased_text(t.%s, $3)",
		privacy.Address:       "case when t.%[1]s ~* $3 then null else t.%[1]s end",
		privacy.Emptied:       "case when t.%s is null then null else '' end",
		privacy.Document:      "erased_document(t.%s, $3)",
		privacy.DocumentText:  "erased_json(t.%s, $3)",
		privacy.DocumentBytes: "convert_to(erased_json(convert_from(t.%s, 'UTF8'), $3), 'UTF8')",
	}
	all := assigned(place, forms)
	if also := touched[place.Table]; also != "" {
		all += ", " + also
	}
	return all
}

// assigned are the assignments to the columns of a place, each by its form.
func assigned(place *privacy.Place, forms map[privacy.Form]string) string {
	all := make([]string, len(place.Columns))
	for i, c := range place.Columns {
		all[i] = c.Name + " = " + fmt.Sprintf(forms[c.Form], c.Name)
	}
	return strings.Join(all, ", ")
}

// erase counts the rows that fulfil a condition and match, and erases the
// matches.
func (e *Erasing) erase(
	ctx context.Context, t *Tx, place *privacy.Place, where string, sought Sought, done *ErasedPart, dry bool,
) error {
	order := place.Order
	if order == "" {
		order = "null::bigint"
	}
	// Each condition has a placeholder for the orders, so that its position is
	// known.
	where = fmt.Sprintf("t.org_id = $1 and ($2::bigint[] is null or true) and (%s) and %s", where, matches(place))
	args := []any{e.org, sought.Orders, sought.Pattern}
	count := fmt.Sprintf(`select count(*)::int, coalesce(array_agg(distinct %[1]s) filter (where %[1]s is not null), '{}')
		from %s t where %s`, order, place.Table, where)
	if err := t.tx.QueryRow(ctx, count, args...).Scan(&done.Count, &done.Orders); err != nil {
		return fmt.Errorf("search %s: %w", place.Table, err)
	}
	if dry || done.Count == 0 {
		return nil
	}
	if place.Table == privacy.Messages {
		ended, err := e.endMessages(ctx, t, where, args...)
		if err != nil {
			return err
		}
		done.Ended = ended
	}
	change := fmt.Sprintf("update %s t set %s where %s", place.Table, without(place), where)
	if place.Delete {
		change = fmt.Sprintf("delete from %s t where %s", place.Table, where)
	}
	if _, err := t.tx.Exec(ctx, change, args...); err != nil {
		return fmt.Errorf("erase from %s: %w", place.Table, err)
	}
	return nil
}

// endMessages ends waiting messages, with their events, and returns their
// workflows. A message without a receiver no longer blocks later ones.
func (e *Erasing) endMessages(ctx context.Context, t *Tx, where string, args ...any) ([]string, error) {
	rows, err := t.tx.Query(ctx, `with moved as (
			update notifications t set status = 'failed', failure = 'Superseded', updated_at = now()
			where t.status in ('queued', 'job_dequeued') and `+where+`
			returning t.org_id, t.id, t.order_id, t.workflow_id
		), stepped as (
			insert into notification_steps (org_id, notification_id, kind, status, code)
			select org_id, id, 'failed', 'failed', 'Superseded' from moved
		), told as (
			insert into events (org_id, kind, subject_type, subject_id, order_id, notification_id)
			select org_id, 'notification.superseded', case when order_id is null then 'notification' else 'order' end,
				coalesce(order_id, id), order_id, id from moved
		)
		select workflow_id from moved order by id`, args...)
	if err != nil {
		return nil, fmt.Errorf("end messages: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// FindInArchive returns the names of contacts that match a pattern, in lines of
// an archive.
func (s *Store) FindInArchive(ctx context.Context, org int64, lines []string, pattern string) ([]string, error) {
	names, err := s.of(org).FindInArchive(ctx, queries.FindInArchiveParams{Lines: lines, Pattern: pattern})
	return names, translate(err)
}

// ErasedLine is a line of an archive, and whether something was erased from it.
type ErasedLine = queries.ErasedLinesRow

// ErasedLines returns the lines of an archive, in order, without the matches of
// a pattern. It only checks orders that have one of the addresses.
func (s *Store) ErasedLines(
	ctx context.Context, org int64, lines []string, addresses, pattern string, at time.Time,
) ([]ErasedLine, error) {
	erased, err := s.of(org).ErasedLines(ctx, queries.ErasedLinesParams{
		Lines: lines, Addresses: addresses, Pattern: pattern, At: at,
	})
	return erased, translate(err)
}

// FoundContact is a contact with an address of the person.
type FoundContact struct {
	ID, StopID, OrderID, LocationID  int64
	Kind, Number                     string
	FirstName, LastName, Phone, Mail string
	ByMail                           bool
	StopName, LocationName           string
	Address1, Address2               string
	Instructions                     []string
}

// Name returns the contact's full name.
func (c *FoundContact) Name() string { return strings.TrimSpace(c.FirstName + " " + c.LastName) }

// ContactNumbers returns the phone numbers of all contacts, as they are written.
func (s *Store) ContactNumbers(ctx context.Context, org int64) (all []string, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		rows, err := t.tx.Query(ctx, `select distinct c.phone_number from stop_contacts c
			where c.org_id = $1 and c.phone_number <> ''`, org)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return all, translate(err)
}

// ContactsWith returns the contacts that have one of some email addresses, in lower
// case, or of some numbers, as written.
func (s *Store) ContactsWith(ctx context.Context, org int64, mails, numbers []string) (all []FoundContact, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		rows, err := t.tx.Query(ctx, `select c.id, s.id, s.order_id, s.location_id, s.kind, o.number,
				coalesce(c.first_name, ''), coalesce(c.last_name, ''), coalesce(c.phone_number, ''), coalesce(c.email_address, ''),
				coalesce(lower(trim(c.email_address)) = any ($2), false), s.name, l.name,
				coalesce(s.address1, ''), coalesce(s.address2, ''),
				array_remove(array[s.instructions, s.customer_instructions, s.parking_instructions], null)
			from stop_contacts c
			join order_stops s on s.org_id = c.org_id and s.id = c.stop_id
			join orders o on o.org_id = s.org_id and o.id = s.order_id
			join locations l on l.org_id = s.org_id and l.id = s.location_id
			where c.org_id = $1 and (lower(trim(c.email_address)) = any ($2) or c.phone_number = any ($3)) order by c.id`,
			org, mails, numbers)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[FoundContact])
		return err
	})
	return all, translate(err)
}

// FoundInDocuments holds what documents with contacts contain about a
// person.
type FoundInDocuments struct {
	Orders           []int64
	Names, Addresses []string
}

// FindInDocuments searches part of a table with documents that contain whole
// contacts. It returns the names and other addresses of the contacts that match
// a pattern.
func (e *Erasing) FindInDocuments(
	ctx context.Context, place *privacy.Place, pattern string, part Part,
) (found FoundInDocuments, last string, err error) {
	err = e.store.InReadOnlyTx(ctx, e.org, func(t *Tx) error {
		var where string
		if where, last, err = e.part(ctx, t, place.Table, part); err != nil {
			return err
		}
		order := place.Order
		if order == "" {
			order = "null::bigint"
		}
		for _, c := range place.Columns {
			if err := e.findInColumn(ctx, t, place, c, order, where, pattern, &found); err != nil {
				return fmt.Errorf("search %s: %w", place.Table, err)
			}
		}
		return nil
	})
	return found, last, err
}

func (e *Erasing) findInColumn(
	ctx context.Context,
	t *Tx,
	place *privacy.Place,
	c privacy.Column,
	order, where, pattern string,
	found *FoundInDocuments,
) error {
	text := "t." + c.Name + "::text"
	switch c.Form {
	case privacy.DocumentBytes:
		text = "convert_from(t." + c.Name + ", 'UTF8')"
	case privacy.Document, privacy.DocumentText:
	default:
		return nil
	}
	rows, err := t.tx.Query(ctx, fmt.Sprintf(`select %s, p.name, p.addresses from %s t
		cross join lateral people_in_document(%s, $2) p where t.org_id = $1 and (%s) and %s ~* $2`,
		order, place.Table, text, where, text), e.org, pattern)
	if err != nil {
		return err
	}
	var id *int64
	var name string
	var addresses []string
	_, err = pgx.ForEachRow(rows, []any{&id, &name, &addresses}, func() error {
		if id != nil && !slices.Contains(found.Orders, *id) {
			found.Orders = append(found.Orders, *id)
		}
		if name != "" {
			found.Names = append(found.Names, name)
		}
		found.Addresses = append(found.Addresses, addresses...)
		return nil
	})
	return err
}
