package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) carriers(ctx context.Context) (counts, error) {
	n, err := a.q.ApplyCarriers(ctx, queries.ApplyCarriersParams{
		OrgID:      a.org,
		Names:      columns.Of(a.document.Carriers, func(c organization.Carrier) string { return c.Name }),
		SecretEnvs: columns.Of(a.document.Carriers, func(c organization.Carrier) string { return c.SecretEnv }),
	})
	return counts(n), err
}

func (a *applier) pruneCarriers(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Carriers, func(c organization.Carrier) string { return c.Name })
	return a.q.PruneCarriers(ctx, queries.PruneCarriersParams{OrgID: a.org, Names: names})
}
