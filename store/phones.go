package store

import (
	"context"
	"time"

	"waybill/store/queries"
)

// DriverByPhone returns the active driver with a number in E.164, or
// ErrNotFound if there is none, or more than one.
func (s *Store) DriverByPhone(ctx context.Context, org int64, number string) (int64, error) {
	ids, err := s.of(org).DriversByPhone(ctx, queries.DriversByPhoneParams{OrgID: org, Number: number})
	if err == nil && (len(ids) != 1 || number == "") {
		return 0, ErrNotFound
	}
	if err != nil {
		return 0, translate(err)
	}
	return ids[0], nil
}

// PutPhoneCode stores the hash of the code of a request, replacing the one
// before.
func (t *Tx) PutPhoneCode(ctx context.Context, driver int64, request string, hash []byte, at, expires time.Time) error {
	return t.q.PutPhoneCode(ctx, queries.PutPhoneCodeParams{
		OrgID: t.org, Request: request, Hash: hash, DriverID: driver, At: at, ExpiresAt: expires,
	})
}

// OrganizationName returns the name of an organization.
func (s *Store) OrganizationName(ctx context.Context, org int64) (string, error) {
	name, err := s.of(org).OrganizationName(ctx, org)
	return name, translate(err)
}

// OrganizationCountry returns the country of an organization's national phone
// numbers, or "" if it is not set, and its time zone.
func (s *Store) OrganizationCountry(ctx context.Context, org int64) (country, zone string, err error) {
	row, err := s.of(org).OrganizationCountry(ctx, org)
	return row.Country, row.Timezone, translate(err)
}
