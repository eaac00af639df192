package store

import (
	"context"

	"waybill/domain/masterdata"
	"waybill/store/queries"
)

// MasterData returns one page of a kind of master data in the form of v1, in
// the order of its list, and the total number. A nil active returns both active
// and inactive records.
func (s *Store) MasterData(
	ctx context.Context, org int64, kind masterdata.Kind, active *bool, page Page,
) ([]Document, int64, error) {
	rows, err := s.of(org).PageMasterData(ctx, queries.PageMasterDataParams{
		OrgID: org, Kind: string(kind), IsActive: active, PageSize: page.Size, Skip: page.skip(),
	})
	if err == nil && len(rows) == 0 && page.Number > 1 {
		_, total, err := s.MasterData(ctx, org, kind, active, countOnly)
		return nil, total, err
	}
	docs, total := make([]Document, len(rows)), int64(0)
	for i, r := range rows {
		docs[i], total = r.Document, r.Total
	}
	return docs, total, translate(err)
}

// MasterDatum reads one record of master data as v1 shows it.
func (s *Store) MasterDatum(ctx context.Context, org int64, kind masterdata.Kind, id int64) (Document, error) {
	return masterDatum(ctx, s.of(org), org, kind, id)
}

func masterDatum(ctx context.Context, q *queries.Queries, org int64, kind masterdata.Kind, id int64) (Document, error) {
	rows, err := q.PageMasterData(ctx, queries.PageMasterDataParams{OrgID: org, Kind: string(kind), ID: &id, PageSize: 1})
	switch {
	case err != nil:
		return nil, translate(err)
	case len(rows) == 0:
		return nil, kind.Missing(id)
	}
	return rows[0].Document, nil
}

// Organization reads an organization as v1 shows it.
func (s *Store) Organization(ctx context.Context, org int64) (Document, error) {
	doc, err := s.of(org).ReadOrganization(ctx, org)
	return doc, translate(err)
}

// Messaging returns the senders of an organization's messages in the form of
// v1.
func (s *Store) Messaging(ctx context.Context, org int64) (Document, error) {
	doc, err := s.of(org).ReadMessaging(ctx, org)
	return doc, translate(err)
}

// Carriers returns the carriers that may report to an organization, by their names.
func (s *Store) Carriers(ctx context.Context, org int64) ([]CarrierSecret, error) {
	rows, err := s.of(org).CarrierSecrets(ctx, org)
	carriers := make([]CarrierSecret, len(rows))
	for i, r := range rows {
		carriers[i] = CarrierSecret{Carrier: r.Name, Environment: r.SecretEnv, IsShared: r.IsShared}
	}
	return carriers, translate(err)
}
