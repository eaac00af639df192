package driving

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/label"
	"waybill/operations/core"
	"waybill/store"
)

// ScanAtom notes that a barcode was read, with the event of its product; by a driver
// where that is not 0. It moves no order.
func (o *Operations) ScanAtom(
	ctx context.Context, c caller.Caller, scan event.Scan, driver int64,
) (store.Scanned, error) {
	scanned, err := core.Once(ctx, o.store, c, func(t *store.Tx) (store.Scanned, error) {
		return t.SaveScan(ctx, label.Same(scan.Barcode), scan, driver)
	})
	if err != nil {
		return scanned, fmt.Errorf("scan: %w", err)
	}
	return scanned, nil
}
