package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/domain/order"
	loading "waybill/operations/places"
	"waybill/store/places"
)

const (
	// placesTarget is for an import without coordinates, compared with one with them.
	placesTarget = 1.25
	placesSource = "demo/regions/oslo-center.osm.pbf"
)

// measurePlaces imports orders to addresses of central Oslo with coordinates and without, in
// turns, and then one order after the other without.
func measurePlaces(ctx context.Context, s *site) ([]result, error) {
	houses, err := s.loadOslo(ctx)
	if err != nil {
		return nil, err
	}
	runs := &pairs{}
	for round := -1; round < s.sizes.ImportRounds; round++ {
		without, err := s.importHouses(ctx, fmt.Sprintf("no-points-%d", round+1), houses, false)
		if err != nil {
			return nil, err
		}
		with, err := s.importHouses(ctx, fmt.Sprintf("points-%d", round+1), houses, true)
		if err != nil {
			return nil, err
		}
		note("import without coordinates: %.0f ms; with: %.0f ms", without, with)
		if round >= 0 { // the first round warms up
			runs.add(without, with)
		}
	}
	if err := s.arePlaced(ctx); err != nil {
		return nil, err
	}
	ratios := runs.quotients(oursByBare)
	name := fmt.Sprintf("import of %d orders without coordinates", s.sizes.Orders)
	imported := atMost(placesTarget, name, "ms", median(runs.ours), median(runs.bare), median(ratios)).inRounds(ratios)
	took, err := s.planHouses(ctx, houses)
	if err != nil {
		return nil, err
	}
	return []result{
		imported,
		within(plannedTarget, "import of one order without coordinates until driver and ETA (p50)", "ms", quantile(took, 0.5)),
	}, nil
}

// loadOslo loads the register, and returns its addresses.
func (s *site) loadOslo(ctx context.Context) (houses []order.Address, err error) {
	conn, err := pgx.Connect(ctx, s.ownerURL)
	if err != nil {
		return nil, fmt.Errorf("connect as the owner: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	load := loading.Load{Owner: places.NewOwner(conn), Said: func(string) {}}
	if _, err := load.File(ctx, placesSource, "oslo-center"); err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, `select s.name, s.postal_code, p.number || p.letter, p.latitude, p.longitude
		from address_points p join streets s on s.id = p.street_id order by p.street_id, p.number, p.letter`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var street, number string
		a := order.Address{City: "Oslo", Country: "NO", Latitude: new(float64), Longitude: new(float64)}
		if err := rows.Scan(&street, &a.PostalCode, &number, a.Latitude, a.Longitude); err != nil {
			return nil, err
		}
		a.Address1 = street + " " + number
		houses = append(houses, a)
	}
	return houses, rows.Err()
}

// atHouse has an order delivered at an address, with its coordinates or without.
func atHouse(entry *order.Request, a order.Address, given bool) {
	if !given {
		a.Latitude, a.Longitude = nil, nil
	}
	entry.Delivery.Address = &a
}

// importHouses imports orders into an organization of its own, and returns how long that took.
func (s *site) importHouses(ctx context.Context, slug string, houses []order.Address, given bool) (float64, error) {
	org, err := s.newOrganization(ctx, slug)
	if err != nil {
		return 0, err
	}
	entries := newOrders("B", s.sizes.Orders, first)
	for i := range entries {
		atHouse(&entries[i], houses[i%len(houses)], given)
	}
	body, err := json.Marshal(map[string]any{"orders": entries})
	if err != nil {
		return 0, err
	}
	took, err := s.importOf(ctx, org, body, importKinds[0].result)
	if err != nil {
		return 0, err
	}
	return took, s.settle(ctx)
}

// arePlaced checks that the addresses were found.
func (s *site) arePlaced(ctx context.Context) error {
	var found int
	err := s.owner.QueryRow(ctx, `select count(*) from order_stops where kind = 'delivery' and latitude is null
		and position ->> 'precision' in ('POINT', 'INTERPOLATED')`).Scan(&found)
	if want := s.sizes.Orders * (s.sizes.ImportRounds + 1); err == nil && found < want*95/100 {
		err = fmt.Errorf("%d of %d orders have a position", found, want)
	}
	return err
}

// planHouses plans a day, and then one more order without coordinates after the other.
func (s *site) planHouses(ctx context.Context, houses []order.Address) (took []float64, err error) {
	org, err := s.newOrganization(ctx, "houses")
	if err != nil {
		return nil, err
	}
	for _, statement := range fleet {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
			return nil, fmt.Errorf("make a fleet: %w", err)
		}
	}
	for i := range 1 + min(s.sizes.SmallImports, planSingles) {
		count := 1
		if i == 0 {
			count = planned200 // the day
		}
		entries := make([]order.Request, count)
		for n := range entries {
			entries[n] = newOrder(fmt.Sprintf("H%d-%d", i, n), n, first)
			entries[n].Date = time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
			entries[n].Pickup, entries[n].Delivery.Earliest, entries[n].Delivery.Latest = pickup(n%4), "", ""
			atHouse(&entries[n], houses[(i*planned200+n*7)%len(houses)], false)
		}
		began := time.Now()
		ids, err := s.importAll(ctx, org, entries)
		if err != nil {
			return nil, err
		}
		if err := s.awaitDriver(ctx, org, ids[0]); err != nil {
			return nil, err
		}
		if i > 0 {
			took = append(took, milliseconds(time.Since(began)))
		}
	}
	return took, nil
}
