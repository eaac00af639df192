package waybill

import (
	"context"
	"fmt"
	"time"
)

// ImportIncompleteError is an import that ended before each order had a result. Progress has
// the results that there are; send the orders at the indexes of NotDone again.
type ImportIncompleteError struct{ Progress *ImportProgress }

func (e *ImportIncompleteError) Error() string {
	return fmt.Sprintf("waybill: import %d ended as %s after %d of %d orders", e.Progress.ImportID, e.Progress.State, e.Progress.Done, e.Progress.Total)
}

// ImportAndWait imports orders and waits for the results.
func (c *Client) ImportAndWait(ctx context.Context, request ImportRequest, opts ...Option) (*ImportResponse, error) {
	answer, err := c.Orders.Import(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	return c.WaitForImport(ctx, answer)
}

// WaitForImport returns the results of an import: at once when the answer has them, or when
// the import has ended. The context limits the time. An import that ended early is an
// [*ImportIncompleteError].
func (c *Client) WaitForImport(ctx context.Context, answer *OrdersImportAnswer, opts ...Option) (*ImportResponse, error) {
	if answer.ImportResponse != nil {
		return answer.ImportResponse, nil
	}
	progress := answer.ImportProgress
	for pause := 200 * time.Millisecond; progress.State == ImportProgressStateRunning; pause = min(2*pause, 5*time.Second) {
		if err := wait(ctx, pause); err != nil {
			return nil, err
		}
		var err error
		if progress, err = c.Orders.GetImport(ctx, progress.ImportID, nil, opts...); err != nil {
			return nil, err
		}
	}
	if progress.State != ImportProgressStateCompleted {
		return nil, &ImportIncompleteError{progress}
	}
	return &ImportResponse{Results: progress.Results}, nil
}
