package operations

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/store"
)

// DeclareDocuments notes documents whose bytes are still to come, and returns
// their ids in the same order.
func (o *Operations) DeclareDocuments(ctx context.Context, c caller.Caller, files []attachment.File) ([]int64, error) {
	if c.Repeat == nil {
		return o.store.SaveDeclaredDocuments(ctx, c, files)
	}
	return once(ctx, o, c, func(t *store.Tx) ([]int64, error) { return t.SaveDeclaredDocuments(ctx, files) })
}

// Completion is what became of an upload.
type Completion int

// The outcomes of an upload.
const (
	// Completed is the first upload: its bytes are the document's.
	Completed Completion = iota
	// CompletedBefore is the repetition of the first upload.
	CompletedBefore
	// CompletedOtherwise is an upload of other bytes, which come too late.
	CompletedOtherwise
)

// CompleteDocument notes that all bytes of a document lie at a place of the
// storage. Of several uploads the first counts.
func (o *Operations) CompleteDocument(
	ctx context.Context, c caller.Caller, id int64, storageKey string, sha256 []byte,
) (Completion, error) {
	first, err := o.store.SaveDocument(ctx, c, id, storageKey, sha256)
	if err != nil {
		return 0, fmt.Errorf("complete document: %w", err)
	}
	if first {
		return Completed, nil
	}
	switch same, err := o.store.SameDocument(ctx, c.OrgID, id, sha256); {
	case err != nil:
		return 0, err
	case same:
		return CompletedBefore, nil
	}
	return CompletedOtherwise, nil
}

// AttachDocuments attaches documents to the order or the draft of a number.
// Two calls for one number take turns.
func (o *Operations) AttachDocuments(
	ctx context.Context, c caller.Caller, number string, ids []int64, behavior attachment.Behavior,
) (to store.Attached, failure attachment.Failure, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if to, err = t.LockAttached(ctx, number); err != nil {
			return err
		}
		if to == (store.Attached{}) {
			failure = attachment.OrderOrDraftNotFound
			return nil
		}
		added, err := t.LoadUploadedDocuments(ctx, ids)
		if err != nil {
			return err
		}
		if len(added) < distinct(ids) {
			failure = attachment.DocumentNotFound
			return nil
		}
		present, err := t.LoadAttachments(ctx, to)
		if err != nil {
			return err
		}
		change := attachment.Attach(present, added, behavior)
		if !change.Any() {
			return nil
		}
		return t.SaveAttachments(ctx, to, number, change)
	})
	if err != nil {
		return store.Attached{}, "", fmt.Errorf("attach documents: %w", err)
	}
	return to, failure, nil
}

// distinct counts the ids that differ.
func distinct(ids []int64) int {
	return len(slices.Compact(slices.Sorted(slices.Values(ids))))
}
