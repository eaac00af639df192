package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/store/queries"
)

// SigningKey gives the key with which addresses of files are signed. It is the
// same for every instance of the service.
func (s *Store) SigningKey(ctx context.Context) ([]byte, error) {
	key, err := s.anyone().SigningKey(ctx, "files")
	return key, translate(err)
}

// DeclareDocuments notes documents whose bytes are still to come, and gives
// their ids in the same order.
func (s *Store) DeclareDocuments(ctx context.Context, by caller.Caller, files []attachment.File) ([]int64, error) {
	p := queries.DeclareDocumentsParams{OrgID: by.OrgID}
	for _, f := range files {
		p.Names = append(p.Names, f.Name)
		p.ContentTypes = append(p.ContentTypes, f.ContentType)
		p.Sizes = append(p.Sizes, f.Size)
	}
	ids, err := s.as(by).DeclareDocuments(ctx, p)
	return ids, translate(err)
}

// StoredDocument is what is known of a document. UploadedAt is nil and StorageKey
// empty until its bytes are there.
type StoredDocument struct {
	attachment.File
	ID         int64
	StorageKey string
	CreatedAt  time.Time
	UploadedAt *time.Time
}

// Document reads one document.
func (s *Store) Document(ctx context.Context, org, id int64) (StoredDocument, error) {
	r, err := s.of(org).ReadDocument(ctx, queries.ReadDocumentParams{OrgID: org, ID: id})
	if err != nil {
		return StoredDocument{}, absent("document", id, err)
	}
	return StoredDocument{
		File: attachment.File{Name: r.Name, ContentType: r.ContentType, Size: r.Size},
		ID:   r.ID, StorageKey: r.StorageKey, CreatedAt: r.CreatedAt, UploadedAt: r.UploadedAt,
	}, nil
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
func (s *Store) CompleteDocument(ctx context.Context, by caller.Caller, id int64, storageKey string, sha256 []byte) (Completion, error) {
	n, err := s.as(by).CompleteDocument(ctx, queries.CompleteDocumentParams{OrgID: by.OrgID, ID: id, StorageKey: storageKey, Sha256: sha256})
	if err != nil {
		return 0, fmt.Errorf("complete document: %w", translate(err))
	}
	if n > 0 {
		return Completed, nil
	}
	same, err := s.of(by.OrgID).SameDocument(ctx, queries.SameDocumentParams{OrgID: by.OrgID, ID: id, Sha256: sha256})
	switch {
	case err != nil:
		return 0, absent("document", id, err)
	case same:
		return CompletedBefore, nil
	}
	return CompletedOtherwise, nil
}

// Attached is what documents were attached to: an order or a draft.
type Attached struct {
	OrderID, DraftID *int64
}

// AttachDocuments attaches documents to the order or the draft of a number.
// Two calls for one number take turns.
func (s *Store) AttachDocuments(
	ctx context.Context, by caller.Caller, number string, ids []int64, behavior attachment.Behavior,
) (to Attached, failure attachment.Failure, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		if to, err = t.lockAttached(ctx, number); err != nil {
			return err
		}
		if to == (Attached{}) {
			failure = attachment.OrderOrDraftNotFound
			return nil
		}
		added, err := t.uploaded(ctx, ids)
		if err != nil {
			return err
		}
		if len(added) < len(distinct(ids)) {
			failure = attachment.DocumentNotFound
			return nil
		}
		return t.attach(ctx, to, number, added, behavior)
	})
	if err != nil {
		return Attached{}, "", fmt.Errorf("attach documents: %w", err)
	}
	return to, failure, nil
}

// lockAttached locks what a number leads to, in the order in which imports do;
// it is neither order nor draft when the number is unknown.
func (t *Tx) lockAttached(ctx context.Context, number string) (Attached, error) {
	numbers, err := t.q.LockNumbers(ctx, queries.LockNumbersParams{OrgID: t.org, Numbers: []string{number}})
	if err != nil || len(numbers) == 0 {
		return Attached{}, err
	}
	if id := numbers[0].OrderID; id != 0 {
		return Attached{OrderID: &id}, t.q.LockOrders(ctx, queries.LockOrdersParams{OrgID: t.org, Ids: []int64{id}})
	}
	id, err := t.q.LockOpenDraft(ctx, queries.LockOpenDraftParams{OrgID: t.org, ExternalID: number})
	if err = translate(err); errors.Is(err, ErrNotFound) {
		return Attached{}, nil
	}
	return Attached{DraftID: &id}, err
}

func (t *Tx) uploaded(ctx context.Context, ids []int64) ([]attachment.Document, error) {
	rows, err := t.q.UploadedDocuments(ctx, queries.UploadedDocumentsParams{OrgID: t.org, Ids: ids})
	found := make([]attachment.Document, len(rows))
	for i, r := range rows {
		found[i] = attachment.Document(r)
	}
	return found, err
}

func (t *Tx) attach(ctx context.Context, to Attached, number string, added []attachment.Document, behavior attachment.Behavior) error {
	present, err := t.attachments(ctx, to)
	if err != nil {
		return err
	}
	change := attachment.Attach(present, added, behavior)
	if !change.Any() {
		return nil
	}
	p := &pipeline{tx: t.tx}
	q := queries.New(p)
	if to.OrderID != nil {
		err = errors.Join(
			q.DetachFromOrder(ctx, queries.DetachFromOrderParams{OrgID: t.org, OrderID: *to.OrderID, DocumentIds: change.Detach}),
			q.AttachToOrder(ctx, queries.AttachToOrderParams{OrgID: t.org, OrderID: *to.OrderID, DocumentIds: change.Attach}))
	} else {
		err = errors.Join(
			q.DetachFromDraft(ctx, queries.DetachFromDraftParams{OrgID: t.org, DraftID: *to.DraftID, DocumentIds: change.Detach}),
			q.AttachToDraft(ctx, queries.AttachToDraftParams{OrgID: t.org, DraftID: *to.DraftID, DocumentIds: change.Attach}))
	}
	err = errors.Join(err, q.LogAttachments(ctx, queries.LogAttachmentsParams{
		OrgID: t.org, OrderID: to.OrderID, DraftID: to.DraftID, ExternalID: number, Detached: change.Detach, Attached: change.Attach,
	}))
	return errors.Join(err, p.send(ctx))
}

func (t *Tx) attachments(ctx context.Context, to Attached) (present []attachment.Document, err error) {
	if to.OrderID != nil {
		rows, err := t.q.OrderAttachments(ctx, queries.OrderAttachmentsParams{OrgID: t.org, OrderID: *to.OrderID})
		for _, r := range rows {
			present = append(present, attachment.Document(r))
		}
		return present, err
	}
	rows, err := t.q.DraftAttachments(ctx, queries.DraftAttachmentsParams{OrgID: t.org, DraftID: *to.DraftID})
	for _, r := range rows {
		present = append(present, attachment.Document(r))
	}
	return present, err
}

// inheritDocuments gives the documents of drafts to the orders that they have
// become.
func (s *saver) inheritDocuments(ctx context.Context, promoted []int64) {
	if len(promoted) == 0 {
		return
	}
	s.queue(s.q.InheritDocuments(ctx, queries.InheritDocumentsParams{OrgID: s.org, DraftIds: promoted}))
	s.queue(s.q.ForgetDraftDocuments(ctx, queries.ForgetDraftDocumentsParams{OrgID: s.org, DraftIds: promoted}))
}
