package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) drivers(ctx context.Context) (counts, error) {
	drivers := a.document.Drivers
	n, err := a.q.ApplyDrivers(ctx, queries.ApplyDriversParams{
		OrgID:          a.org,
		ExternalIds:    columns.Of(drivers, func(d organization.Driver) string { return d.ExternalID }),
		Names:          columns.Of(drivers, func(d organization.Driver) string { return d.Name }),
		PhoneNumbers:   columns.Of(drivers, func(d organization.Driver) string { return d.PhoneNumber }),
		EmailAddresses: columns.Of(drivers, func(d organization.Driver) string { return d.EmailAddress }),
	})
	return counts(n), err
}

func (a *applier) pruneDrivers(ctx context.Context) (int64, error) {
	params := queries.PruneDriversParams{OrgID: a.org, ExternalIds: []string{}, Names: []string{}}
	for _, d := range a.document.Drivers {
		if d.ExternalID != "" {
			columns.Add(&params.ExternalIds, d.ExternalID)
		} else {
			columns.Add(&params.Names, d.Name)
		}
	}
	return a.q.PruneDrivers(ctx, params)
}
