package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The targets of exports.
const (
	exportFeedTarget = 1.5
	behindTarget     = 0.7
)

const exportFeedPage = 100

// carrierType is the order type that has export.
const carrierType = `insert into order_types (org_id, name, ready_from, pick_up_before, deliver_before, export_carrier)
	values (@org, 'Carrier', 480, 720, 960, 'postnord')`

// newExporter returns an organization whose orders of type Carrier are
// exported.
func (s *site) newExporter(ctx context.Context, slug string) (*organization, error) {
	org, err := s.newOrganization(ctx, slug)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{
		carrierType, "update organizations set reexport = true, reexport_since = now() where id = @org",
	} {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id}); err != nil {
			return nil, fmt.Errorf("make an exporter: %w", err)
		}
	}
	return org, nil
}

// carrierBody is an import of orders of the type Carrier.
func carrierBody(prefix string, count int) ([]byte, error) {
	body, err := importBody(prefix, count, first)
	return bytes.ReplaceAll(body, []byte(`"name":"Standard"`), []byte(`"name":"Carrier"`)), err
}

// offered waits until n orders of an organization are in its feed.
func (s *site) offered(ctx context.Context, org *organization, count int) error {
	const pending = "select count(*) >= $2 from order_exports where org_id = $1 and state = 'pending'"
	if err := s.until(ctx, pending, org.id, count); err != nil {
		return fmt.Errorf("wait for %d exports to begin: %w", count, err)
	}
	return nil
}

// measureExportFeed fetches the first page of an organization with many exports
// and of one with few, in turns.
func measureExportFeed(ctx context.Context, s *site) ([]result, error) {
	few, err := s.newExports(ctx, s.sizes.FewExports)
	if err != nil {
		return nil, err
	}
	many, err := s.newExports(ctx, s.sizes.ManyExports)
	if err != nil {
		return nil, err
	}
	if _, err := s.owner.Exec(ctx, "vacuum (analyze) order_exports, export_versions"); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	var runs pairs
	for i := range feedWarmUp + s.sizes.FeedPages {
		ours, err := s.exportPage(ctx, many)
		if err != nil {
			return nil, err
		}
		least, err := s.exportPage(ctx, few)
		if err != nil {
			return nil, err
		}
		if i >= feedWarmUp {
			runs.add(ours, least)
		}
	}
	long, short := median(runs.ours), median(runs.bare)
	name := fmt.Sprintf("page of the export feed, %d pending of %d : %d of %d",
		s.sizes.ManyExports/10, s.sizes.ManyExports*11/10, s.sizes.FewExports/10, s.sizes.FewExports*11/10)
	return []result{atMost(exportFeedTarget, name, "ms", long, short, long/short)}, nil
}

func (s *site) exportPage(ctx context.Context, org *organization) (float64, error) {
	var answer []byte
	took, err := timed(func() (err error) {
		answer, err = s.call(
			ctx, request{url: fmt.Sprintf("%s/v1/orders/export?perPage=%d", s.url, exportFeedPage), key: org.key},
		)
		return err
	})
	if n := bytes.Count(answer, []byte(`"exportToken"`)); err == nil && n != exportFeedPage {
		err = fmt.Errorf("a page of the export feed has %d shipments, not %d", n, exportFeedPage)
	}
	return took, err
}

// exportRows create exported orders, and a tenth as many waiting ones.
var exportRows = []string{
	`insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
	 select @org, 'E-' || n, n, date '2027-03-01', c.id, t.id, v.id
	 from generate_series(1, @count::int * 11 / 10) n,
	 (select min(id) as id from customers where org_id = @org) c,
	     (select min(id) as id from order_types where org_id = @org) t,
	 (select min(id) as id from vehicle_types where org_id = @org) v`,
	`insert into order_exports (org_id, order_id, carrier, state, place, version, exported_version, fingerprint,
	    acknowledgements, succeeded_at, closes_at)
	 select @org, id, 'postnord', case when serial > @count::int then 'pending' else 'exported' end,
	 case when serial > @count::int then nextval('export_place') end, 1,
	     case when serial > @count::int then 0 else 1 end, '\x00',
	 case when serial > @count::int then 0 else 1 end, case when serial <= @count::int then now() end,
	     case when serial <= @count::int then now() + interval '14 days' end
	 from orders where org_id = @org`,
	`insert into export_versions (org_id, order_id, version, token, fingerprint, payload)
	 select @org, id, 1, 'exp_' || id, '\x00',
	     '{"orderId":' || id || ',"externalId":"' || number || '","text":"' || repeat('x', 1500) || '"}'
	 from orders where org_id = @org`,
}

func (s *site) newExports(ctx context.Context, count int) (*organization, error) {
	org, err := s.newExporter(ctx, fmt.Sprintf("exports-%d", count))
	if err != nil {
		return nil, err
	}
	for _, statement := range exportRows {
		if _, err := s.owner.Exec(ctx, statement, pgx.NamedArgs{"org": org.id, "count": count}); err != nil {
			return nil, fmt.Errorf("make %d exports: %w", count, err)
		}
	}
	return org, nil
}

// measureImportsOfExported imports orders that are exported, in turns with the
// same orders that are not.
func measureImportsOfExported(ctx context.Context, s *site) ([]result, error) {
	var runs pairs
	for round := range s.sizes.ExportedRounds + 1 { // the first warms up, with few
		count := s.sizes.Exported
		if round == 0 {
			count = s.sizes.Acknowledgements
		}
		plain, err := s.importExported(ctx, round, count, importBodyOf)
		if err != nil {
			return nil, err
		}
		ours, err := s.importExported(ctx, round, count, carrierBody)
		if err != nil {
			return nil, err
		}
		note("round %d: import with exports behind it %.0f ms, without %.0f ms", round, ours, plain)
		if round > 0 {
			runs.add(ours, plain)
		}
	}
	ratios := runs.quotients(bareByOurs)
	name := fmt.Sprintf("import of %d exported orders : not exported", s.sizes.Exported)
	return []result{
		atLeast(behindTarget, name, "ms", median(runs.ours), median(runs.bare), median(ratios)).inRounds(ratios),
	}, nil
}

func importBodyOf(prefix string, count int) ([]byte, error) { return importBody(prefix, count, first) }

// importExported imports into a separate organization, and waits until
// everything after the import is done.
func (s *site) importExported(
	ctx context.Context, round, count int, bodyOf func(string, int) ([]byte, error),
) (float64, error) {
	body, err := bodyOf("X", count)
	if err != nil {
		return 0, err
	}
	exported := bytes.Contains(body, []byte(`"name":"Carrier"`))
	org, err := s.newExporter(ctx, fmt.Sprintf("exported-%t-%d", exported, round))
	if err != nil {
		return 0, err
	}
	took, err := timed(func() error {
		_, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
		return err
	})
	if err == nil && exported {
		err = s.offered(ctx, org, count)
	}
	return took, err
}
