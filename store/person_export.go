package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"waybill/domain/privacy"
)

// Read returns the rows of a part of a table that match, each as an object of its personal
// columns: those of the sought orders, or all others.
func (e *Erasing) Read(
	ctx context.Context, place *privacy.Place, sought Sought, inOrders bool, part Part,
) (rows []json.RawMessage, last string, err error) {
	err = e.store.InReadOnlyTx(ctx, e.org, func(t *Tx) error {
		var where string
		if where, last, err = e.part(ctx, t, place.Table, part); err != nil {
			return err
		}
		if place.Scope != "" {
			scope := "coalesce((" + place.Scope + "), false)"
			if !inOrders {
				scope = "not " + scope
			}
			where += " and " + scope
		}
		found, err := t.tx.Query(ctx, fmt.Sprintf(`select %s from %s t
			where t.org_id = $1 and ($2::bigint[] is null or true) and (%s) and %s`,
			object(place), place.Table, where, matches(place)), e.org, sought.Orders, sought.Pattern)
		if err != nil {
			return fmt.Errorf("read %s: %w", place.Table, err)
		}
		rows, err = pgx.CollectRows(found, pgx.RowTo[json.RawMessage])
		return err
	})
	return rows, last, err
}

// object builds a JSON object of the personal columns of a row. If the row
// combines several orders, it contains only the matches, because the rest
// belongs to other people.
func object(place *privacy.Place) string {
	var all []string
	for _, c := range place.Columns {
		value := "t." + c.Name
		if c.Form == privacy.DocumentBytes {
			value = "(select jsonb_agg(p.addresses) from people_in_document(convert_from(t." + c.Name + ", 'UTF8'), $3) p)"
		}
		all = append(all, "'"+c.Name+"', "+value)
	}
	if place.Order != "" {
		all = append(all, "'order', (select o.number from orders o where o.org_id = t.org_id and o.id = "+place.Order+")")
	}
	return "jsonb_strip_nulls(jsonb_build_object(" + strings.Join(all, ", ") + "))"
}

// ReadContacts returns contacts as objects.
func (e *Erasing) ReadContacts(ctx context.Context, ids []int64) (rows []json.RawMessage, err error) {
	err = e.store.InReadOnlyTx(ctx, e.org, func(t *Tx) error {
		found, err := t.tx.Query(ctx, `select jsonb_strip_nulls(jsonb_build_object('order', o.number, 'stop', s.kind,
				'first_name', c.first_name, 'last_name', c.last_name, 'phone_number', c.phone_number,
				'email_address', c.email_address))
			from stop_contacts c
			join order_stops s on s.org_id = c.org_id and s.id = c.stop_id
			join orders o on o.org_id = s.org_id and o.id = s.order_id
			where c.org_id = $1 and c.id = any ($2) order by c.id`, e.org, ids)
		if err != nil {
			return err
		}
		rows, err = pgx.CollectRows(found, pgx.RowTo[json.RawMessage])
		return err
	})
	return rows, err
}
