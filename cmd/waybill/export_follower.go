package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"waybill/domain/export"
	"waybill/store"
	"waybill/workflows"
)

// exportStarts is how many exports are told of a change at a time: few, so that
// a bulk import does not have to share the machine with the exports behind it.
const exportStarts = 4

// newExportFollower tells the exports of orders that those have changed, each
// once however often it is in a batch.
func newExportFollower(s *store.Store, temporal client.Client) store.Follower {
	return store.Follower{Name: "exports", Hand: func(ctx context.Context, events []store.Event) error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(exportStarts)
		for org, orderIDs := range changedOrders(events) {
			if err := afterImports(ctx, s, org); err != nil {
				return err
			}
			subjects, err := s.ExportSubjects(ctx, org, orderIDs)
			if err != nil {
				return err
			}
			for _, of := range subjects {
				group.Go(func() error {
					return workflows.ExportChanged(ctx, temporal, workflows.ExportedOrder{OrgID: org, OrderID: of.OrderID, ExternalID: of.Number})
				})
			}
		}
		return group.Wait()
	}}
}

// A bulk import goes first: its caller waits, and its exports need not. After
// that long they begin even so.
const (
	importPatience = 5 * time.Second
	importPause    = 100 * time.Millisecond
)

// afterImports waits until an organization has no bulk import at work.
func afterImports(ctx context.Context, s *store.Store, org int64) error {
	for end := time.Now().Add(importPatience); time.Now().Before(end) && ctx.Err() == nil; rest(ctx, importPause) {
		working, err := s.BulkImportAtWork(ctx, org)
		if err != nil || !working {
			return err
		}
	}
	return ctx.Err()
}

// changedOrders are the orders that events speak of, by organization. What an
// export writes itself is no change of its order, but for a mark made by hand.
func changedOrders(events []store.Event) map[int64][]int64 {
	changed := map[int64][]int64{}
	for i := range events {
		e := &events[i]
		own := strings.HasPrefix(string(e.Kind), "export.") && e.Kind != export.EventMarked
		if e.OrderID != 0 && !own {
			changed[e.OrgID] = append(changed[e.OrgID], e.OrderID)
		}
	}
	for org, orderIDs := range changed {
		slices.Sort(orderIDs)
		changed[org] = slices.Compact(orderIDs)
	}
	return changed
}
