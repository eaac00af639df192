package workflows_test

import (
	"context"
	"errors"
	"testing"

	"waybill/activities"
	"waybill/workflows"
)

var errDatabaseAway = errors.New("the database is away")

func recordImports(t *testing.T, r *recorder) {
	small, large := workflows.ImportInput{Entries: 1, Chunks: 1}, workflows.ImportInput{Entries: 5000, Chunks: 10}
	inOrder := workflows.ImportInput{Entries: 1500, Chunks: 3, InOrder: true}
	for id, tc := range []struct {
		name             string
		failing, hanging int32
		input            workflows.ImportInput
		end              end
	}{
		{name: "small", input: small},
		{name: "small_patient", failing: 24, input: small},
		{name: "large", failing: 2, input: large},
		{name: "in_order", input: inOrder},
		{name: "worker_died", hanging: 1, input: inOrder},
		{name: "open", hanging: 1, input: inOrder, end: open},
		{name: "cancelled", hanging: 1, input: large, end: cancelled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			attempts := newAttempts(t, tc.failing, tc.hanging)
			queue := "import_" + tc.name
			r.work(t, queue, map[string]any{
				"RegisterLocations": func(context.Context, activities.RegisterInput) error { return nil },
				"ImportChunk": func(context.Context, activities.ChunkInput) (activities.Outcomes, error) {
					if attempts.fails() {
						return activities.Outcomes{}, errDatabaseAway
					}
					return activities.Outcomes{Created: 500}, nil
				},
			})
			tc.input.OrgID, tc.input.ImportID = 1, int64(id+1)
			run := r.start(t, queue, workflows.ImportOrders, tc.input)
			r.keepAt(t, run, tc.end, r.begins)
		})
	}
}
