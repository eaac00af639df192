package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/privacy"
)

// RetainingOrganization is an organization that keeps something personal for a while only.
type RetainingOrganization struct {
	ID int64
	privacy.Retention
}

// RetainingOrganizations returns the organizations that keep something personal for a while
// only, behind one of them, in the order of their ids.
func (s *Store) RetainingOrganizations(ctx context.Context, after int64) ([]RetainingOrganization, error) {
	rows, err := s.anyone().RetainingOrganizations(ctx, after)
	all := make([]RetainingOrganization, len(rows))
	for i, r := range rows {
		all[i] = RetainingOrganization{r.ID, privacy.Retention{
			People: int(r.PeopleDays), Proofs: int(r.ProofsDays), Drivers: int(r.DriversDays),
		}}
	}
	return all, translate(err)
}

// Retained is the result of a batch of erasures. Files are object storage keys
// that nothing refers to any more.
type Retained struct {
	Count int
	Files []string
}

// keeping defines one kind of row that is erased by age: which rows are due,
// oldest first, and how they are erased. Both statements take the organization
// as $1.
type keeping struct {
	kind privacy.Kind
	// due selects the ids of what is due before the moment $2; erased has the
	// ids as $2, and may have the moment as $3.
	due    string
	erased []string
	// files has the ids as $2 and returns object storage keys; it may be empty.
	files string
}

// keepings are all kinds of rows that are erased by their age, but not as a whole.
func keepings() []keeping {
	return []keeping{
		peopleOfOrders(), peopleOfDrafts, peopleOfMessages, peopleOfLocations, peopleOfPins,
		peopleOfProposals, messagesOfDrivers, proofsOfOrders(), workOfDrivers, factorsOfDrivers,
	}
}

// Retain erases a batch of personal data of a kind that ended before a moment,
// and returns the number of rows. If dry, it only counts them.
func (t *Tx) Retain(
	ctx context.Context, kind privacy.Kind, before time.Time, batch int, dry bool,
) (done Retained, err error) {
	for _, k := range keepings() {
		if k.kind != kind {
			continue
		}
		count, files, err := t.retain(ctx, &k, before, batch, dry)
		if err != nil {
			return done, fmt.Errorf("erase %s: %w", kind, translate(err))
		}
		done.Count += count
		done.Files = append(done.Files, files...)
	}
	return done, nil
}

func (t *Tx) retain(
	ctx context.Context, k *keeping, before time.Time, batch int, dry bool,
) (count int, files []string, err error) {
	due := k.due + " limit $3"
	if dry {
		err = t.tx.QueryRow(ctx, "select count(*)::int from ("+due+") x", t.org, before, batch).Scan(&count)
		return count, nil, err
	}
	rows, err := t.tx.Query(ctx, due+" for no key update skip locked", t.org, before, batch)
	if err != nil {
		return 0, nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil || len(ids) == 0 {
		return 0, nil, err
	}
	if k.files != "" {
		rows, err := t.tx.Query(ctx, k.files, t.org, ids)
		if err != nil {
			return 0, nil, err
		}
		if files, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return 0, nil, err
		}
	}
	for _, statement := range k.erased {
		args := []any{t.org, ids}
		if strings.Contains(statement, "$3") {
			args = append(args, before)
		}
		if _, err := t.tx.Exec(ctx, statement, args...); err != nil {
			return 0, nil, err
		}
	}
	return len(ids), files, nil
}

// wholly are the assignments that erase all personal data from a row of an
// order. No such row has its own address, or a document in bytes.
func wholly(place *privacy.Place) string {
	return assigned(place, map[privacy.Form]string{
		privacy.Text:         "case when t.%[1]s is null or t.%[1]s = '' then t.%[1]s else '[erased]' end",
		privacy.Emptied:      "case when t.%s is null then null else '' end",
		privacy.Document:     "without_people(t.%s)",
		privacy.DocumentText: "without_people(t.%s)",
	})
}

// fromOrders erases all personal data of a kind that belongs to orders.
func fromOrders(kind privacy.Kind) (statements []string) {
	for _, place := range privacy.Places() {
		if place.Kept == kind && place.Scope != "" {
			statements = append(statements,
				fmt.Sprintf("update %s t set %s where t.org_id = $1 and %s", place.Table, wholly(&place), place.Scope))
		}
	}
	return statements
}

// oldOrders are orders of a day before $2 with something to erase since they
// changed.
func oldOrders(erasedAt string) string {
	return `select o.id from orders o where o.org_id = $1 and o.date < $2::timestamptz::date
		and (o.` + erasedAt + ` is null or o.` + erasedAt + ` < o.updated_at) order by o.date, o.id`
}

func peopleOfOrders() keeping {
	return keeping{
		kind: privacy.People, due: oldOrders("people_erased_at"),
		erased: append([]string{
			`update stop_contacts c set first_name = null, last_name = null, phone_number = null, email_address = null
			from order_stops s where s.org_id = $1 and s.order_id = any ($2) and c.org_id = s.org_id and c.stop_id = s.id`,
			`delete from custom_field_values v where v.org_id = $1 and v.order_id = any ($2)`,
			`update order_stops s set latitude = null, longitude = null, position = null
			where s.org_id = $1 and s.order_id = any ($2)`,
			`update erp_orders e set own = e.own #- '{Pickup,Position}' #- '{Delivery,Position}'
			where e.org_id = $1 and e.order_id = any ($2)`,
			`update plan_stops p set ` + nearby + `
			where p.org_id = $1 and p.order_id = any ($2)`,
		}, append(fromOrders(privacy.People),
			`update orders o set people_erased_at = now() where o.org_id = $1 and o.id = any ($2)`)...),
	}
}

// peopleOfDrafts are the contacts of drafts that have not changed for long, in
// any state.
var peopleOfDrafts = keeping{
	kind: privacy.People,
	due: `select d.id from drafts d where d.org_id = $1 and d.updated_at < $2
		and (d.people_erased_at is null or d.people_erased_at < d.updated_at) order by d.updated_at, d.id`,
	erased: []string{
		`update drafts d set request = without_people(d.request), defaults = without_people(d.defaults),
			reasons = without_people(d.reasons), people_erased_at = now() where d.org_id = $1 and d.id = any ($2)`,
	},
}

// peopleOfMessages are the receivers of messages that are about no order.
var peopleOfMessages = keeping{
	kind: privacy.People,
	due: `select n.id from notifications n where n.org_id = $1 and n.order_id is null and n.created_at < $2
		and n.receiver <> '[erased]' order by n.id`,
	erased: []string{
		`update notification_steps s set answer = '' where s.org_id = $1 and s.notification_id = any ($2) and s.answer <> ''`,
		`update notifications n set receiver = '[erased]', subject = '', body = '', body_html = ''
		where n.org_id = $1 and n.id = any ($2)`,
	},
}

// peopleOfLocations are the contacts of locations that imports created, once no
// order, template, load carrier account, vehicle or driver refers to them.
// Importing an order again creates a new location.
var peopleOfLocations = keeping{
	kind: privacy.People,
	due: `select l.id from locations l where l.org_id = $1 and l.updated_at < $2 and l.created_at < $2
		and l.external_id is null and l.people_erased_at is null
		and not exists (select from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			where s.org_id = l.org_id and s.location_id = l.id and o.date >= $2::timestamptz::date)
		and not exists (select from recurring_orders r where r.org_id = l.org_id
			and l.id in (r.pickup_location_id, r.delivery_location_id))
		and not exists (select from cargo_carrier_accounts a where a.org_id = l.org_id and a.location_id = l.id)
		and not exists (select from vehicles v where v.org_id = l.org_id and v.home_location_id = l.id)
		and not exists (select from drivers d where d.org_id = l.org_id and l.id in (d.start_location_id, d.end_location_id))
		and not exists (select from driver_workdays w where w.org_id = l.org_id and l.id = any (w.break_location_ids)
			and w.date >= $2::timestamptz::date)
		and not exists (select from driver_workday_rules r where r.org_id = l.org_id and l.id = any (r.break_location_ids))
		order by l.id`,
	erased: []string{
		`delete from location_names n where n.org_id = $1 and n.location_id = any ($2)`,
		`update locations l set name = '[erased]', address1 = null, address2 = null, latitude = null, longitude = null,
			position = null, match_key = sha256(convert_to(gen_random_uuid()::text, 'UTF8')), people_erased_at = now()
		where l.org_id = $1 and l.id = any ($2)`,
	},
}

// peopleOfPins are pins of addresses where no order stops any more, and no location of the master
// data is.
var peopleOfPins = keeping{
	kind: privacy.People,
	due: `select p.id from place_pins p where p.org_id = $1 and p.pinned_at < $2
		and not exists (select from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
			where s.org_id = p.org_id and s.position ->> 'place' = encode(p.key, 'hex') and s.position is not null
				and o.date >= $2::timestamptz::date)
		and not exists (select from locations l where l.org_id = p.org_id and l.position ->> 'place' = encode(p.key, 'hex')
			and l.position is not null and l.external_id is not null and l.deleted_at is null)
		order by p.id`,
	erased: []string{`delete from place_pins p where p.org_id = $1 and p.id = any ($2)`},
}

// peopleOfProposals are old proposals of positions.
var peopleOfProposals = keeping{
	kind:   privacy.People,
	due:    `select p.id from place_proposals p where p.org_id = $1 and p.proposed_at < $2 order by p.id`,
	erased: []string{`delete from place_proposals p where p.org_id = $1 and p.id = any ($2)`},
}

// messagesOfDrivers are old messages between the office and drivers, who name recipients.
var messagesOfDrivers = keeping{
	kind:   privacy.People,
	due:    `select m.id from driver_messages m where m.org_id = $1 and m.day < $2::timestamptz::date order by m.id`,
	erased: []string{`delete from driver_messages m where m.org_id = $1 and m.id = any ($2)`},
}

// factorsOfDrivers are old proposals of how drivers differ.
var factorsOfDrivers = keeping{
	kind: privacy.Drivers,
	due: `select p.id from travel_proposals p where p.org_id = $1 and p.kind = 'DRIVERS' and p.proposed_at < $2
		order by p.id`,
	erased: []string{`delete from travel_proposals p where p.org_id = $1 and p.id = any ($2)`},
}

// proofsOfOrders are the proofs of old deliveries. The hash of an erased
// manifest is not checked.
func proofsOfOrders() keeping {
	return keeping{
		kind: privacy.Proofs, due: oldOrders("proofs_erased_at"),
		files: `with named as (
				select p.signature_sha256 as sha256 from completion_proofs p where p.org_id = $1 and p.order_id = any ($2)
				union select i.sha256 from completion_proofs p
				join completion_proof_images i on i.org_id = p.org_id and i.proof_id = p.id
				where p.org_id = $1 and p.order_id = any ($2)
				union select decode(x.sha256, 'hex') from driver_actions a
				cross join lateral jsonb_array_elements_text(a.data -> 'pictures') x (sha256)
				where a.org_id = $1 and a.order_id = any ($2) and a.type = 'FAIL' and x.sha256 ~ '^[0-9a-f]{64}$'
			)
			delete from proof_pictures c using named n where c.org_id = $1 and c.sha256 = n.sha256 returning c.storage_key`,
		erased: append(fromOrders(privacy.Proofs),
			`update completion_proofs p set signature_key = null, `+nowhere+`,
				manifest = without_people(p.manifest), erased_at = now()
			where p.org_id = $1 and p.order_id = any ($2)`,
			`update driver_actions a set `+nowhere+`
			where a.org_id = $1 and a.order_id = any ($2)`,
			`update orders o set proofs_erased_at = now() where o.org_id = $1 and o.id = any ($2)`),
	}
}

// workOfDrivers are drivers' days, each with the driver's actions without an
// order. The ids are those of drivers with days that are due.
var workOfDrivers = keeping{
	kind: privacy.Drivers,
	due: `select d.id from drivers d where d.org_id = $1 and (
			exists (select from driver_days y where y.org_id = d.org_id and y.driver_id = d.id
				and y.day < $2::timestamptz::date)
			or exists (select from driver_workdays w where w.org_id = d.org_id and w.driver_id = d.id
				and w.date < $2::timestamptz::date)
			or exists (select from driver_whereabouts h where h.org_id = d.org_id and h.driver_id = d.id and h.at < $2
				and h.latitude is not null)
			or exists (select from sessions s where s.org_id = d.org_id and s.driver_id = d.id and s.expires_at < $2
				and s.name <> ''))
		order by d.id`,
	erased: []string{
		`update driver_actions a set ` + nowhere + `,
			comment = null from driver_days y
		where y.org_id = $1 and y.driver_id = any ($2) and y.day < $3::timestamptz::date and a.org_id = y.org_id
			and a.driver_id = y.driver_id and a.order_id is null and a.occurred_at >= y.day
			and a.occurred_at < least(y.day + 2, $3)`,
		`delete from driver_days y where y.org_id = $1 and y.driver_id = any ($2) and y.day < $3::timestamptz::date`,
		`delete from driver_workdays w where w.org_id = $1 and w.driver_id = any ($2) and w.date < $3::timestamptz::date`,
		`update driver_whereabouts h set latitude = null, longitude = null, accuracy_meters = null
		where h.org_id = $1 and h.driver_id = any ($2) and h.at < $3`,
		`update sessions s set name = '' where s.org_id = $1 and s.driver_id = any ($2) and s.expires_at < $3`,
	},
}
