package main

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/jackc/pgx/v5"

	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/store"
)

// organization is an organization for a measurement.
type organization struct {
	id   int64
	slug string // also its name in workflow IDs
	key  string
}

// masterData are the records that the orders refer to by name.
var masterData = []string{
	"insert into departments (org_id, name) values (@org, 'Oslo')",
	`insert into customers (org_id, external_id, business_name, department_id)
	 select @org, 'C-' || n, 'Customer ' || n, d.id
	 from departments d cross join generate_series(1, 20) n where d.org_id = @org`,
	"insert into vehicle_types (org_id, name, max_weight_kg, max_volume_m3) values (@org, 'Van', 1200, 12)",
	`insert into order_types (org_id, name, priority, ready_from, pick_up_before, deliver_before)
	 values (@org, 'Standard', 1, 480, 720, 960)`,
}

// newOrganization returns an organization without orders, and a key for it.
func (s *site) newOrganization(ctx context.Context, slug string) (*organization, error) {
	o, err := s.emptyOrganization(ctx, slug)
	if err != nil {
		return nil, err
	}
	for _, statement := range masterData {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": o.id}); err != nil {
			return nil, fmt.Errorf("fill organization: %w", err)
		}
	}
	key, err := credential.New(credential.APIKey, rand.Reader)
	if err != nil {
		return nil, err
	}
	o.key = key.Reveal()
	_, err = s.store.CreateAPIKey(ctx, caller.Service(o.id, "bench"), store.NewAPIKey{Name: "bench", Public: key.Public(), Hash: key.Hash()})
	return o, err
}

// emptyOrganization creates an organization without records.
func (s *site) emptyOrganization(ctx context.Context, slug string) (*organization, error) {
	// The Temporal server may remember workflows of an earlier run by their names.
	o := &organization{slug: fmt.Sprintf("%s-%d-%d", slug, s.started.Unix(), s.organizations.Add(1))}
	err := s.owner.QueryRow(ctx,
		"insert into organizations (slug, name, timezone) values ($1, $1, 'Europe/Oslo') returning id", o.slug).Scan(&o.id)
	if err != nil {
		return nil, fmt.Errorf("make organization: %w", err)
	}
	return o, nil
}
