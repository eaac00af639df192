package store

import (
	"context"
	"encoding/json"
	"strings"

	"waybill/domain/organization"
	"waybill/store/queries"
)

func (a *applier) transformations(ctx context.Context) (counts, error) {
	params := queries.ApplyTransformationsParams{OrgID: a.org}
	for i := range a.document.Transformations {
		t := &a.document.Transformations[i]
		set := make([]ruleAssignment, len(t.Set))
		for j, s := range t.Set {
			set[j] = ruleAssignment(s)
		}
		assignments, err := json.Marshal(set)
		if err != nil {
			return counts{}, err
		}
		put(&params.Names, t.Name)
		put(&params.Triggers, strings.Join(t.Triggers, ","))
		put(&params.Conditions, t.When)
		put(&params.Assignments, string(assignments))
		put(&params.RunOrders, int32(t.Order))
		put(&params.Seqs, int32(i))
		put(&params.Actives, t.Active == nil || *t.Active)
	}
	n, err := a.q.ApplyTransformations(ctx, params)
	return counts(n), err
}

func (a *applier) pruneTransformations(ctx context.Context) (pruned, error) {
	names := column(a.document.Transformations, func(t organization.Transformation) string { return t.Name })
	n, err := a.q.PruneTransformations(ctx, queries.PruneTransformationsParams{OrgID: a.org, Names: names})
	return pruned{Deleted: n}, err
}
