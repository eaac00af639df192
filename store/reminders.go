package store

import (
	"context"
	"time"

	"waybill/store/queries"
)

// RemindingOrganization is an organization with reminders for orders, and its
// current day.
type RemindingOrganization = queries.RemindingOrganizationsRow

// RemindingOrganizations returns the organizations with rules for reminders where it is nine
// in the morning or later.
func (s *Store) RemindingOrganizations(ctx context.Context, at time.Time) ([]RemindingOrganization, error) {
	all, err := s.anyone().RemindingOrganizations(ctx, at)
	return all, translate(err)
}

// RemindOrders marks up to most upcoming orders and returns their number. Each
// is marked once.
func (t *Tx) RemindOrders(ctx context.Context, today time.Time, most int32) (int, error) {
	n, err := t.q.RemindOrders(ctx, queries.RemindOrdersParams{OrgID: t.org, Today: today, Most: most})
	return int(n), err
}
