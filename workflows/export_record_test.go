package workflows_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"waybill/activities"
	"waybill/domain/export"
	"waybill/workflows"
)

// script holds the results of an activity's attempts, one after the other;
// the last one repeats.
type script[T any] struct {
	mu   sync.Mutex
	rest []T
}

func (s *script[T]) next() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.rest[0]
	if len(s.rest) > 1 {
		s.rest = s.rest[1:]
	}
	return first
}

// goOn replaces the rest of the script.
func (s *script[T]) goOn(rest ...T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = rest
}

// playing returns an activity that returns the next result of a script. Attempts selects
// those that find the database down.
func playing[In, Out any](s *script[Out], attempts *attempts) func(context.Context, In) (Out, error) {
	return func(context.Context, In) (out Out, err error) {
		if attempts.fails() {
			return out, errDatabaseAway
		}
		return s.next(), nil
	}
}

// exportScript is the story of one export.
type exportScript struct {
	looks script[activities.ExportStatus]
	acks  script[activities.Acknowledged]
}

func (s *exportScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"ConsiderExport": playing[activities.ExportInput](&s.looks, attempts),
		"Acknowledge": func(context.Context, activities.AcknowledgeInput) (activities.Acknowledged, error) {
			ack := s.acks.next()
			if ack.State == export.Closed {
				s.looks.goOn(ack.Status) // for all later calls
			}
			return ack, nil
		},
	}
}

// acknowledged is the answer to the acknowledgement of that number.
func acknowledged(number int, s activities.ExportStatus) activities.Acknowledged {
	s.Used, s.Left = number, export.Limit-number
	return activities.Acknowledged{Counted: true, Number: number, State: s.State, Status: s}
}

var pendingExport = activities.ExportStatus{State: export.Pending, Left: export.Limit}

func exportedUntil(at time.Time) activities.ExportStatus {
	return activities.ExportStatus{State: export.Exported, Used: 1, Left: 4, ClosesAt: &at}
}

func closedExport(why export.Reason) activities.ExportStatus {
	return activities.ExportStatus{State: export.Closed, Reason: why, Used: 1, Left: 4}
}

// recordExports records exports from their first offer on: each acknowledgement
// but the last is followed by a change of the order.
func recordExports(t *testing.T, r *recorder) {
	soon, late := time.Now().Add(5*time.Second), time.Now().Add(time.Hour)
	again := activities.ExportStatus{State: export.Pending, Used: 1, Left: 4, IsUpdate: true, ClosesAt: &late}
	type (
		looks = []activities.ExportStatus
		acks  = []activities.Acknowledged
	)
	for _, tc := range []struct {
		name    string
		failing int32
		looks   looks
		acks    acks
		end     func(*testing.T, client.WorkflowRun)
	}{
		{
			name:  "window_over",
			looks: looks{pendingExport, exportedUntil(soon), closedExport(export.WindowOver)},
			acks:  acks{acknowledged(1, exportedUntil(soon)), acknowledged(2, exportedUntil(soon))},
		},
		{
			name: "returns", looks: looks{pendingExport, again},
			acks: acks{
				acknowledged(1, exportedUntil(late)), acknowledged(4, again), acknowledged(5, closedExport(export.Spent)),
			},
		},
		{
			name: "patient", failing: 24, looks: looks{pendingExport},
			acks: acks{acknowledged(1, closedExport(export.ReexportOff))},
		},
		{name: "not_subject", looks: looks{{Left: 5}}},
		{name: "open", looks: looks{pendingExport}, acks: acks{acknowledged(1, exportedUntil(late))}, end: r.rests},
		{name: "cancelled", looks: looks{pendingExport}, acks: acks{acknowledged(1, exportedUntil(late))}, end: r.cancel},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &exportScript{}
			s.looks.goOn(tc.looks...)
			s.acks.goOn(tc.acks...)
			queue := "export_" + tc.name
			r.work(t, queue, s.stands(newAttempts(t, tc.failing, 0)))
			run := r.start(t, queue, workflows.ExportOrder, workflows.ExportInput{OrgID: 1, OrderID: 3})
			r.rests(t, run)
			for n := range tc.acks {
				if n > 0 {
					require.NoError(t, r.SignalWorkflow(t.Context(), queue, "", workflows.ExportChangedSignal, nil))
					r.rests(t, run)
				}
				r.update(t, run, workflows.AcknowledgeUpdate, int64(n+1))
			}
			if tc.end != nil {
				tc.end(t, run)
			} else {
				require.NoError(t, run.Get(t.Context(), nil))
			}
			r.keep(t, run, queue)
		})
	}
}
