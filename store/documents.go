package store

import (
	"context"
	"errors"
	"time"

	"waybill/domain/attachment"
	"waybill/domain/caller"
	"waybill/store/columns"
	"waybill/store/queries"
)

// SigningKey returns the key that signs the URLs of files. All instances of the
// service share it.
func (s *Store) SigningKey(ctx context.Context) ([]byte, error) {
	key, err := s.anyone().SigningKey(ctx, "files")
	return key, translate(err)
}

// SaveDeclaredDocuments stores documents that are not uploaded yet, in its own
// transaction and one round trip, and returns their ids in the same order.
func (s *Store) SaveDeclaredDocuments(ctx context.Context, by caller.Caller, files []attachment.File) ([]int64, error) {
	ids, err := s.as(by).DeclareDocuments(ctx, declarations(by.OrgID, files))
	return ids, translate(err)
}

// SaveDeclaredDocuments stores documents that are not uploaded yet, and returns
// their ids in the same order.
func (t *Tx) SaveDeclaredDocuments(ctx context.Context, files []attachment.File) ([]int64, error) {
	return t.q.DeclareDocuments(ctx, declarations(t.org, files))
}

func declarations(org int64, files []attachment.File) queries.DeclareDocumentsParams {
	p := queries.DeclareDocumentsParams{OrgID: org}
	for _, f := range files {
		columns.Add(&p.Names, f.Name)
		columns.Add(&p.ContentTypes, f.ContentType)
		columns.Add(&p.Sizes, f.Size)
	}
	return p
}

// StoredDocument is the record of a document. UploadedAt is nil and StorageKey
// empty until it is uploaded.
type StoredDocument struct {
	attachment.File
	ID         int64
	StorageKey string
	CreatedAt  time.Time
	UploadedAt *time.Time
}

// Document reads one document.
func (s *Store) Document(ctx context.Context, org, id int64) (StoredDocument, error) {
	r, err := s.lookups(org).ReadDocument(ctx, queries.ReadDocumentParams{OrgID: org, ID: id})
	if err != nil {
		return StoredDocument{}, absent("document", id, err)
	}
	return StoredDocument{
		File: attachment.File{Name: r.Name, ContentType: r.ContentType, Size: r.Size},
		ID:   r.ID, StorageKey: r.StorageKey, CreatedAt: r.CreatedAt, UploadedAt: r.UploadedAt,
	}, nil
}

// DocumentsOfOrder reads the documents that are attached to an order, by id.
func (s *Store) DocumentsOfOrder(
	ctx context.Context, org, orderID int64, most int32,
) (found []StoredDocument, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		if _, err := t.q.OrderNumber(ctx, queries.OrderNumberParams{OrgID: org, ID: orderID}); err != nil {
			return err
		}
		rows, err := t.q.DocumentsOfOrder(ctx, queries.DocumentsOfOrderParams{OrgID: org, OrderID: orderID, Most: most})
		found = make([]StoredDocument, len(rows))
		for i, r := range rows {
			found[i] = StoredDocument{
				File: attachment.File{Name: r.Name, ContentType: r.ContentType, Size: r.Size},
				ID:   r.ID, StorageKey: r.StorageKey, CreatedAt: r.CreatedAt, UploadedAt: r.UploadedAt,
			}
		}
		return err
	})
	return found, absent("order", orderID, err)
}

// DeleteDocument deletes a document that nothing refers to, with its event, and
// reports whether it did.
func (t *Tx) DeleteDocument(ctx context.Context, id int64) (bool, error) {
	n, err := t.q.DeleteDocument(ctx, queries.DeleteDocumentParams{OrgID: t.org, ID: id})
	return n > 0, err
}

// SaveDocument records that a document's bytes are in the object storage. It
// returns false, without writing, if they were before.
func (s *Store) SaveDocument(
	ctx context.Context, by caller.Caller, id int64, storageKey string, sha256 []byte,
) (first bool, err error) {
	n, err := s.as(by).CompleteDocument(ctx, queries.CompleteDocumentParams{
		OrgID: by.OrgID, ID: id, StorageKey: storageKey, Sha256: sha256,
	})
	return n > 0, translate(err)
}

// SameDocument reports whether a document has these bytes.
func (s *Store) SameDocument(ctx context.Context, org, id int64, sha256 []byte) (bool, error) {
	same, err := s.of(org).SameDocument(ctx, queries.SameDocumentParams{OrgID: org, ID: id, Sha256: sha256})
	return same, absent("document", id, err)
}

// Attached is the order or draft that documents were attached to.
type Attached struct {
	OrderID, DraftID *int64
}

// LockAttached locks the record of a number, in the same order as imports do.
// The result is neither an order nor a draft if the number is unknown.
func (t *Tx) LockAttached(ctx context.Context, number string) (Attached, error) {
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

// LoadUploadedDocuments reads those documents that are uploaded.
func (t *Tx) LoadUploadedDocuments(ctx context.Context, ids []int64) ([]attachment.Document, error) {
	rows, err := t.q.UploadedDocuments(ctx, queries.UploadedDocumentsParams{OrgID: t.org, Ids: ids})
	found := make([]attachment.Document, len(rows))
	for i, r := range rows {
		found[i] = attachment.Document(r)
	}
	return found, err
}

// SaveAttachments attaches and detaches documents, with the event of that.
func (t *Tx) SaveAttachments(ctx context.Context, to Attached, number string, change attachment.Change) error {
	var err error
	p := &pipeline{tx: t.tx}
	q := queries.New(p)
	if to.OrderID != nil {
		err = errors.Join(
			q.DetachFromOrder(ctx, queries.DetachFromOrderParams{
				OrgID: t.org, OrderID: *to.OrderID, DocumentIds: change.Detach,
			}),
			q.AttachToOrder(ctx, queries.AttachToOrderParams{OrgID: t.org, OrderID: *to.OrderID, DocumentIds: change.Attach}))
	} else {
		err = errors.Join(
			q.DetachFromDraft(ctx, queries.DetachFromDraftParams{
				OrgID: t.org, DraftID: *to.DraftID, DocumentIds: change.Detach,
			}),
			q.AttachToDraft(ctx, queries.AttachToDraftParams{OrgID: t.org, DraftID: *to.DraftID, DocumentIds: change.Attach}))
	}
	err = errors.Join(err, q.LogAttachments(ctx, queries.LogAttachmentsParams{
		OrgID: t.org, OrderID: to.OrderID, DraftID: to.DraftID,
		ExternalID: number, Detached: change.Detach, Attached: change.Attach,
	}))
	return errors.Join(err, p.send(ctx))
}

// LoadAttachments reads the documents of an order or a draft.
func (t *Tx) LoadAttachments(ctx context.Context, to Attached) (present []attachment.Document, err error) {
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

// inheritDocuments moves the documents of drafts to the orders that they
// became.
func (s *saver) inheritDocuments(ctx context.Context, promoted []int64) {
	if len(promoted) == 0 {
		return
	}
	s.queue(s.q.InheritDocuments(ctx, queries.InheritDocumentsParams{OrgID: s.org, DraftIds: promoted}))
	s.queue(s.q.ForgetDraftDocuments(ctx, queries.ForgetDraftDocumentsParams{OrgID: s.org, DraftIds: promoted}))
}
