// Package documents keeps the files of orders, and prepares the labels of their goods.
package documents

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
}

// New makes the operations over a store.
func New(s *store.Store) *Operations { return &Operations{store: s} }

// DeclareDocuments notes documents whose bytes are still to come, and returns
// their ids in the same order.
func (o *Operations) DeclareDocuments(ctx context.Context, c caller.Caller, files []attachment.File) ([]int64, error) {
	if c.Repeat == nil {
		return o.store.SaveDeclaredDocuments(ctx, c, files)
	}
	return core.Once(ctx, o.store, c, func(t *store.Tx) ([]int64, error) { return t.SaveDeclaredDocuments(ctx, files) })
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

// DetachDocument takes a document off an order, which must have it. The document
// stays.
func (o *Operations) DetachDocument(ctx context.Context, c caller.Caller, orderID, documentID int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		number, err := t.LoadOrderNumber(ctx, orderID)
		if err != nil {
			return err
		}
		to, err := t.LockAttached(ctx, number)
		if err != nil {
			return err
		}
		if to.OrderID == nil || *to.OrderID != orderID {
			return fault.Missing("order", strconv.FormatInt(orderID, 10))
		}
		present, err := t.LoadAttachments(ctx, to)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(present, func(d attachment.Document) bool { return d.ID == documentID }) {
			return fault.Missing("document", strconv.FormatInt(documentID, 10))
		}
		return t.SaveAttachments(ctx, to, number, attachment.Change{Detach: []int64{documentID}})
	})
	if err != nil {
		return fmt.Errorf("detach document: %w", err)
	}
	return nil
}

// DeleteDocument forgets a document that is attached to nothing. Its bytes, to which
// nothing leads any more, are tidied away later.
func (o *Operations) DeleteDocument(ctx context.Context, c caller.Caller, id int64) error {
	if _, err := o.store.Document(ctx, c.OrgID, id); err != nil {
		return err
	}
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		deleted, err := t.DeleteDocument(ctx, id)
		if err == nil && !deleted {
			err = fault.Illegal("document.attached", "document", strconv.FormatInt(id, 10))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("delete document: %w", err)
	}
	return nil
}

// distinct counts the ids that differ.
func distinct(ids []int64) int {
	return len(slices.Compact(slices.Sorted(slices.Values(ids))))
}
