package masterdata

import (
	"context"
	"encoding/json"
	"strings"

	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) transformations(ctx context.Context) (counts, error) {
	params := queries.ApplyTransformationsParams{OrgID: a.org}
	for i := range a.document.Transformations {
		t := &a.document.Transformations[i]
		set := make([]store.RuleAssignment, len(t.Set))
		for j, s := range t.Set {
			set[j] = store.RuleAssignment(s)
		}
		assignments, err := json.Marshal(set)
		if err != nil {
			return counts{}, err
		}
		columns.Add(&params.Names, t.Name)
		columns.Add(&params.Triggers, strings.Join(t.Triggers, ","))
		columns.Add(&params.Conditions, t.When)
		columns.Add(&params.Assignments, string(assignments))
		columns.Add(&params.RunOrders, int32(t.Order))
		columns.Add(&params.Seqs, int32(i))
		columns.Add(&params.Actives, t.Active == nil || *t.Active)
	}
	n, err := a.q.ApplyTransformations(ctx, params)
	return counts(n), err
}

func (a *applier) pruneTransformations(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Transformations, func(t organization.Transformation) string { return t.Name })
	return a.q.PruneTransformations(ctx, queries.PruneTransformationsParams{OrgID: a.org, Names: names})
}
