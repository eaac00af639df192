package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/proof"
	"waybill/store"
)

var sum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// document is JSON that a view has shaped.
type document json.RawMessage

// VisitListOrderDocumentationsResponse responds with the document.
func (d document) VisitListOrderDocumentationsResponse(w http.ResponseWriter) error {
	return edge.WriteRaw(w, http.StatusOK, d)
}

// ListOrderDocumentations lists drivers' documentation of an order.
func (h *Handlers) ListOrderDocumentations(
	ctx context.Context, request contract.ListOrderDocumentationsRequestObject,
) (contract.ListOrderDocumentationsResponseObject, error) {
	doc, err := h.store.OrderDocumentations(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	return document(doc), err
}

// GetOrderPicture returns the address of a picture named in an order's
// documentation.
func (h *Handlers) GetOrderPicture(
	ctx context.Context, request contract.GetOrderPictureRequestObject,
) (contract.GetOrderPictureResponseObject, error) {
	if !sum.MatchString(request.Sha256) {
		return nil, fault.Field("sha256", fault.Say("driven.no_sum"))
	}
	found, err := h.store.OrderPicture(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID, request.Sha256)
	if err != nil {
		return nil, err
	}
	out := contract.GetOrderPicture200JSONResponse{Sha256: request.Sha256}
	if found.StorageKey == "" {
		out.URL.SetNull()
		out.ContentType.SetNull()
		out.Size.SetNull()
		return out, nil
	}
	address, err := h.files.DownloadURL(ctx, found.StorageKey, downloadLifetime)
	if err != nil {
		return nil, err
	}
	out.URL.Set(address)
	out.ContentType.Set(found.ContentType)
	out.Size.Set(found.Size)
	return out, nil
}

// GetCompletionProof reads how an order was proved to be completed.
func (h *Handlers) GetCompletionProof(
	ctx context.Context, request contract.GetCompletionProofRequestObject,
) (contract.GetCompletionProofResponseObject, error) {
	rows, err := h.store.CompletionProofs(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	out := contract.CompletionProof{ProofType: contract.CompletionProofProofType(rows[0].Type)}
	out.InPersonProof.SetNull()
	out.ContactlessProof.SetNull()
	for i := range rows {
		p, err := h.newProof(ctx, &rows[i])
		if err != nil {
			return nil, err
		}
		if contract.CompletionProofProofType(rows[i].Type) == contract.CompletionProofProofTypeInPerson {
			out.InPersonProof.Set(p)
		} else {
			out.ContactlessProof.Set(p)
		}
	}
	return unescapedJSON{out}, nil
}

// wholeMeters rounds a distance: positions of phones are not more exact.
func wholeMeters(distance *float64) nullable.Nullable[int64] {
	if distance == nil {
		return nullable.NewNullNullable[int64]()
	}
	return nullable.NewNullableWithValue(int64(math.Round(*distance)))
}

// newProof converts a proof, with addresses of the signature and pictures that
// have arrived.
func (h *Handlers) newProof(ctx context.Context, row *store.CompletionProof) (contract.Proof, error) {
	p := contract.Proof{
		ImageUrls: []string{}, SignatureURL: nullable.NewNullNullable[string](),
		Signee: edge.OrNull(row.Signee), Comment: edge.OrNull(row.Comment), OccurredAt: row.OccurredAt.UTC(),
		DriverID: edge.OrNull(row.DriverID), DriverName: edge.OrNull(row.DriverName),
		Position: nullable.NewNullNullable[contract.ProofPlace](), DistanceMeters: wholeMeters(row.DistanceMeters),
		PicturesNamed: len(row.PictureKeys), Sequence: edge.OrNull(row.Seq), Manifest: edge.OrNull(row.Manifest),
		SignatureSha256: edge.TextOrNull(row.Signature), ManifestSha256: edge.TextOrNull(row.Hash),
	}
	if row.Latitude != nil && row.Longitude != nil {
		p.Position.Set(contract.ProofPlace{
			Latitude: *row.Latitude, Longitude: *row.Longitude, AccuracyMeters: edge.OrNull(row.AccuracyMeters),
		})
	}
	var err error
	if p.Scans, err = newScans(row.Scans); err != nil {
		return p, err
	}
	return p, h.sign(ctx, row, &p)
}

// newScans converts scans to the contract's form.
func newScans(kept json.RawMessage) ([]contract.ActionScan, error) {
	var scans []proof.Scan
	if err := json.Unmarshal(kept, &scans); err != nil {
		return nil, fmt.Errorf("scans of a proof: %w", err)
	}
	out := make([]contract.ActionScan, len(scans))
	for i, scan := range scans {
		out[i].Code = scan.Code
		if scan.Product != 0 {
			out[i].ProductID = &scan.Product
		}
	}
	return out, nil
}

// sign signs the addresses of a signature and of the pictures that have arrived.
func (h *Handlers) sign(ctx context.Context, row *store.CompletionProof, p *contract.Proof) error {
	if row.SignatureKey != nil {
		address, err := h.files.DownloadURL(ctx, *row.SignatureKey, downloadLifetime)
		if err != nil {
			return err
		}
		p.SignatureURL.Set(address)
	}
	for _, key := range row.PictureKeys {
		if key == "" {
			continue
		}
		address, err := h.files.DownloadURL(ctx, key, downloadLifetime)
		if err != nil {
			return err
		}
		p.ImageUrls = append(p.ImageUrls, address)
	}
	p.PicturesArrived = len(p.ImageUrls)
	return nil
}
