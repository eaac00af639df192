package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/privacy"
)

// ErasedOrders selects what is erased from orders in addition to matches.
type ErasedOrders struct {
	Sought

	// Contacts are the person's contacts. Names is a pattern of the names of
	// further ones, or empty.
	Contacts []int64
	Names    string
	// Private are stops at the person's home, whose location is erased.
	Private []int64
	// Signed are orders that were delivered to the person; their signatures are
	// erased.
	Signed []int64
}

// FromOrders is the result of erasing from orders.
type FromOrders struct {
	Counts map[string]int
	// Files are the storage keys of deleted files.
	Files []string
	// Ended are the workflows of messages that are not sent.
	Ended []string
}

// EraseFromOrders erases a person from orders and everything that belongs to
// them, contacts last. If dry, it only counts.
func (e *Erasing) EraseFromOrders(
	ctx context.Context, t *Tx, of *ErasedOrders, dry bool,
) (done FromOrders, err error) {
	done.Counts = map[string]int{}
	if !dry {
		if _, err := t.tx.Exec(ctx, `select from orders o where o.org_id = $1 and o.id = any ($2)
			order by o.id for no key update`, e.org, of.Orders); err != nil {
			return done, err
		}
		if done.Ended, err = e.endMessages(ctx, t, "t.org_id = $1 and t.order_id = any ($2) and t.contact_id = any ($3)",
			e.org, of.Orders, of.Contacts); err != nil {
			return done, err
		}
	}
	for _, place := range privacy.Places() {
		if place.Scope == "" {
			continue
		}
		var part ErasedPart
		if err := e.erase(ctx, t, &place, place.Scope, of.Sought, &part, dry); err != nil {
			return done, err
		}
		done.Counts[place.Table] += part.Count
		done.Ended = append(done.Ended, part.Ended...)
	}
	if dry {
		return done, nil
	}
	if done.Files, err = e.eraseSignatures(ctx, t, of); err != nil {
		return done, err
	}
	return done, errors.Join(e.eraseHomes(ctx, t, of), e.eraseContacts(ctx, t, of))
}

// eraseSignatures erases the signees of deliveries to the person, regardless of the name
// entered, and returns the storage keys of the signatures.
func (e *Erasing) eraseSignatures(ctx context.Context, t *Tx, of *ErasedOrders) ([]string, error) {
	rows, err := t.tx.Query(ctx, `with theirs as (
			select p.org_id, p.id, p.signature_sha256 from completion_proofs p
			where p.org_id = $1 and (p.order_id = any ($2) or p.order_id = any ($3) and p.signee like '%[erased]%')
		), kept as (
			update completion_proofs p set erased_at = now(), signature_key = null,
				signee = case when p.signee is null then null else '[erased]' end,
				manifest = case when p.signee = '' then p.manifest
					else replace(p.manifest, to_json(p.signee)::text, '"[erased]"') end
			from theirs x where p.org_id = x.org_id and p.id = x.id
				and (p.signature_sha256 is not null or p.signature_key is not null or p.signee <> '[erased]')
		)
		delete from proof_pictures c using theirs x where c.org_id = x.org_id and c.sha256 = x.signature_sha256
		returning c.storage_key`, e.org, of.Signed, of.Orders)
	if err != nil {
		return nil, fmt.Errorf("erase signatures: %w", err)
	}
	files, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("erase signatures: %w", err)
	}
	return files, e.all(ctx, t, of.Signed,
		`update external_updates u set signee_name = '[erased]',
			raw_body = replace(u.raw_body, to_json(u.signee_name)::text, '"[erased]"')
		where u.org_id = $1 and u.order_id = any ($2) and u.signee_name <> '[erased]' and u.signee_name <> ''`,
		`update cargo_carrier_movements m set signee = '[erased]'
		where m.org_id = $1 and m.order_id = any ($2) and m.signee <> '[erased]' and m.signee <> ''`,
		`update driver_actions a set data = jsonb_set(a.data, '{proof,signee}', '"[erased]"')
		where a.org_id = $1 and a.order_id = any ($2) and a.data #>> '{proof,signee}' <> '[erased]'`)
}

// How positions are erased: nowhere removes a recorded position, and nearby coarsens a place p
// in a plan to about a kilometer.
const (
	nowhere = "latitude = null, longitude = null, accuracy_meters = null, distance_meters = null"
	nearby  = "latitude = round(p.latitude::numeric, 2), longitude = round(p.longitude::numeric, 2)"
)

// ofHomes selects rows p that are kept by the addresses of the person's stops, unless someone
// by another name has a stop there, too.
const ofHomes = `using order_stops s
		where s.org_id = $1 and s.id = any ($2) and p.org_id = s.org_id and p.key = decode(s.position ->> 'place', 'hex')
			and not exists (select from order_stops x where x.org_id = s.org_id
				and x.position ->> 'place' = s.position ->> 'place' and x.position is not null and x.id <> all ($2)
				and x.name <> s.name)`

// eraseHomes erases the person's home. Postal code and town stay, and places in plans are
// coarsened to about a kilometer.
func (e *Erasing) eraseHomes(ctx context.Context, t *Tx, of *ErasedOrders) error {
	const stops = `select s.* from order_stops s where s.org_id = $1 and s.id = any ($2)`
	return e.all(
		ctx,
		t,
		of.Private,
		`update export_versions v
			set payload = regexp_replace(v.payload, '"(latitude|longitude)":\s*-?[0-9.]+', '"\1":null', 'g')
		from (`+stops+`) s where v.org_id = s.org_id and v.order_id = s.order_id and v.payload ~ '"latitude":\s*-?[0-9]'`,
		`update plan_stops p set `+nearby+`
		from (`+stops+`) s where p.org_id = s.org_id and p.order_id = s.order_id and p.kind = s.kind`,
		`delete from custom_field_values v using (`+stops+`) s
		where v.org_id = s.org_id and v.order_id = s.order_id and v.stop = s.kind`,
		`update driver_actions a set `+nowhere+`
		where a.org_id = $1 and a.stop_id = any ($2)`,
		`update completion_proofs p set `+nowhere+`,
			manifest = replace(replace(p.manifest, coalesce(p.latitude::text, '[erased]'), '"[erased]"'),
				coalesce(p.longitude::text, '[erased]'), '"[erased]"'), erased_at = now()
		from (`+stops+`) s where p.org_id = s.org_id and p.order_id = s.order_id and s.kind = 'delivery'
			and p.latitude is not null`,
		`delete from recipient_instructions r using (`+stops+`) s
		where r.org_id = s.org_id and r.order_id = s.order_id and s.kind = 'delivery'`,
		`update recipient_ratings r set comment = '[erased]' from (`+stops+`) s
		where r.org_id = s.org_id and r.order_id = s.order_id and s.kind = 'delivery' and r.comment <> ''`,
		`delete from place_pins p `+ofHomes,
		`delete from place_proposals p where p.org_id = $1 and p.stop_id = any ($2) and p.target <> 'ADDRESS'`,
		`delete from place_proposals p `+ofHomes,
		`update erp_orders e set own = e.own #- '{Pickup,Position}' #- '{Delivery,Position}'
		from (`+stops+`) s where e.org_id = s.org_id and e.order_id = s.order_id`,
		`update locations l set address1 = null, address2 = null, latitude = null, longitude = null, position = null,
			match_key = sha256(convert_to(gen_random_uuid()::text, 'UTF8')), updated_at = now()
		from (`+stops+`) s where l.org_id = s.org_id and l.id = s.location_id and not exists (
			select from order_stops x where x.org_id = l.org_id and x.location_id = l.id and x.id <> all ($2)
				and x.name <> s.name)`,
		`update order_stops s set address1 = null, address2 = null, latitude = null, longitude = null, position = null,
			instructions = null, customer_instructions = null, parking_instructions = null
		where s.org_id = $1 and s.id = any ($2)`,
	)
}

// eraseContacts erases the contacts themselves. Another person with the same address
// keeps their name.
func (e *Erasing) eraseContacts(ctx context.Context, t *Tx, of *ErasedOrders) error {
	_, err := t.tx.Exec(ctx, `with theirs as (
			select c.id, c.id = any ($3) or ($5 <> '' and concat_ws(' ', c.first_name, c.last_name) ~* $5) as whole
			from stop_contacts c join order_stops s on s.org_id = c.org_id and s.id = c.stop_id
			where c.org_id = $1 and s.order_id = any ($2)
		)
		update stop_contacts c set
			first_name = case when x.whole or c.first_name ~* $4 then null else c.first_name end,
			last_name = case when x.whole or c.last_name ~* $4 then null else c.last_name end,
			phone_number = case when x.whole or c.phone_number ~* $4 then null else c.phone_number end,
			email_address = case when x.whole or c.email_address ~* $4 then null else c.email_address end
		from theirs x where c.org_id = $1 and c.id = x.id and (x.whole or
			concat_ws(`+apart+`, c.first_name, c.last_name, c.phone_number, c.email_address) ~* $4)`,
		e.org, of.Orders, of.Contacts, of.Pattern, of.Names)
	if err != nil {
		return fmt.Errorf("erase contacts: %w", err)
	}
	return nil
}

// all carries out statements with some ids.
func (e *Erasing) all(ctx context.Context, t *Tx, ids []int64, statements ...string) error {
	if len(ids) == 0 {
		return nil
	}
	for _, statement := range statements {
		if _, err := t.tx.Exec(ctx, statement, e.org, ids); err != nil {
			return fmt.Errorf("erase from orders: %w", err)
		}
	}
	return nil
}
