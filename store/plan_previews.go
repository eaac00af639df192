package store

import (
	"context"
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// mostPreviews is how many previews of a plan are kept.
const mostPreviews = 10

// KeepPreview keeps the routes that a search beside a plan would change, for an hour, and
// returns their id.
func (t *Tx) KeepPreview(ctx context.Context, plan Plan, becomes []planning.Becoming) (id int64, err error) {
	p := queries.AddPreviewParams{OrgID: t.org, PlanID: plan.ID}
	for i := range becomes {
		columns.Add(&p.DriverIds, becomes[i].DriverID)
		columns.Add(&p.Was, arrayOf(stopNumbers(becomes[i].Was)))
		columns.Add(&p.Becomes, arrayOf(stopNumbers(becomes[i].Is)))
	}
	if id, err = t.q.AddPreview(ctx, p); err != nil {
		return 0, err
	}
	return id, t.q.DropPreviews(ctx, queries.DropPreviewsParams{OrgID: t.org, PlanID: plan.ID, Most: mostPreviews})
}

// arrayOf writes numbers as an array of Postgres.
func arrayOf(numbers []int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// Preview returns the routes that a preview of an area changes. One that is not kept any
// more is missing.
func (s *Store) Preview(ctx context.Context, org int64, area planning.Area, id int64) ([]planning.Becoming, error) {
	rows, err := s.of(org).PreviewRoutes(ctx, queries.PreviewRoutesParams{
		OrgID: org, ID: id, Day: area.Date, DepartmentID: area.DepartmentID,
	})
	if err != nil {
		return nil, translate(err)
	}
	if len(rows) == 0 {
		return nil, &fault.Error{
			Kind: fault.NotFound, Text: fault.Say("plan.preview_gone"), Resource: "plan", Name: strconv.FormatInt(id, 10),
		}
	}
	var all []planning.Becoming
	for _, r := range rows {
		if r.DriverID != 0 {
			all = append(all, planning.Becoming{DriverID: r.DriverID, Was: stopRefs(r.Was), Is: stopRefs(r.Becomes)})
		}
	}
	return all, nil
}

// DeletePreview throws a preview away.
func (t *Tx) DeletePreview(ctx context.Context, id int64) error {
	return t.q.DeletePreview(ctx, queries.DeletePreviewParams{OrgID: t.org, ID: id})
}
