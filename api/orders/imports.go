package orders

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order/wire"
	"waybill/store"
	"waybill/workflows"
)

// ImportRoutes are the routes that read their bodies as a stream, because
// imports are large.
func (h *Handlers) ImportRoutes(r chi.Router) {
	r.Method(http.MethodPost, "/v3/orders/import", h.edge.Handle(h.importOrders))
	r.Method(http.MethodPut, "/v2/drafts/{orderDraftId}", h.edge.Handle(h.completeDraft))
	r.Method(http.MethodPost, "/v2/drafts/complete", h.edge.Handle(h.completeDrafts))
	r.Method(http.MethodPut, edge.PlainErrorsPath, h.edge.Handle(h.importOrdersV1))
	r.Method(http.MethodPut, "/v2/import/orders", h.edge.Handle(h.importOrdersV2))
}

// importOrders starts an import and responds with the results, or with their
// future location if the caller prefers not to wait or the import takes too
// long.
func (h *Handlers) importOrders(w http.ResponseWriter, r *http.Request) error {
	validateOnly, err := queryFlag(r, "validateOnly")
	if err != nil {
		return err
	}
	body, err := wire.Decode(r.Body)
	if err != nil {
		return err
	}
	warnOfUnknown(w, body.Unknown)
	if validateOnly {
		return h.previewImport(w, r, body)
	}
	ctx, org := r.Context(), edge.PrincipalOf(r.Context()).OrgID
	importID, done, err := h.runImport(ctx, org, body, prefersAsync(r.Header))
	if err != nil {
		return err
	}
	if !done {
		return h.answerLater(w, r, importID)
	}
	return h.writeResults(w, r, h.store.ImportResults(ctx, org, importID))
}

// queryFlag reads an optional boolean of the query.
func queryFlag(r *http.Request, name string) (bool, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return false, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, fault.Field(name, fault.Say("request.not_one_of", "allowed", "true, false"))
	}
	return value, nil
}

// prefersAsync reads the preference of RFC 7240.
func prefersAsync(h http.Header) bool {
	for _, line := range h.Values("Prefer") {
		for _, preference := range strings.Split(line, ",") {
			name, _, _ := strings.Cut(preference, ";")
			if strings.EqualFold(strings.TrimSpace(name), "respond-async") {
				return true
			}
		}
	}
	return false
}

// runImport saves the request, starts its workflow and, unless told otherwise,
// waits for it. If the workflow can't be started, it deletes the import, so
// that the caller can safely send it again.
func (h *Handlers) runImport(
	ctx context.Context, org int64, body wire.Body, async bool,
) (id int64, done bool, err error) {
	by := edge.Caller(ctx)
	staged, err := h.operations.Orders.StageImport(ctx, by, body)
	if err != nil {
		return 0, false, err
	}
	edge.OnlyWaits(ctx)
	id = staged.ID
	in := workflows.ImportInput{
		OrgID: org, ImportID: id, Entries: staged.Entries, Chunks: staged.Chunks, InOrder: staged.InOrder,
	}
	kept, forget := h.operations.Orders.WatchImport(by, staged)
	defer forget()
	run, err := workflows.StartImport(ctx, h.temporal, in, edge.RequestID(ctx))
	if err != nil {
		if undo := h.operations.Orders.AbandonImport(context.WithoutCancel(ctx), by, id); undo != nil {
			h.logger.ErrorContext(ctx, "cannot abandon import", "import_id", id, "error", undo)
		}
		return 0, false, err
	}
	if async {
		return id, false, nil
	}
	waiting, cancel := context.WithTimeout(ctx, h.importWait)
	defer cancel()
	done, err = workflows.AwaitImport(waiting, run, kept)
	return id, done, err
}

// previewImport responds with the outcomes that an import would have.
func (h *Handlers) previewImport(w http.ResponseWriter, r *http.Request, body wire.Body) error {
	results, err := h.operations.Orders.PreviewImport(r.Context(), edge.Caller(r.Context()), body)
	if err != nil {
		return err
	}
	return h.writePreview(w, r, previewResults(results), body.Unknown)
}

// answerLater responds with 202: the import continues, and its Location shows
// the progress.
func (h *Handlers) answerLater(w http.ResponseWriter, r *http.Request, importID int64) error {
	progress, err := h.store.ImportProgress(r.Context(), edge.PrincipalOf(r.Context()).OrgID, importID)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("/v3/orders/imports/%d", importID))
	if prefersAsync(r.Header) {
		w.Header().Set("Preference-Applied", "respond-async")
	}
	return edge.WriteJSON(w, http.StatusAccepted, newProgress(progress))
}

func newProgress(p store.ImportProgress) contract.ImportProgress {
	out := contract.ImportProgress{
		ImportID: p.ID, State: contract.ImportProgressStateRunning, Total: int32(p.Total), Done: int32(p.Done),
		CreatedAt: p.CreatedAt.UTC(),
	}
	if p.CompletedAt != nil {
		at := p.CompletedAt.UTC()
		out.State, out.CompletedAt = contract.ImportProgressStateCompleted, &at
	}
	if p.EndedAt != nil {
		at := p.EndedAt.UTC()
		out.State, out.CompletedAt = contract.ImportProgressState(p.EndedAs), &at
	}
	return out
}

// GetImport returns the progress of an import, and its results when it has
// ended.
func (h *Handlers) GetImport(
	ctx context.Context, request contract.GetImportRequestObject,
) (contract.GetImportResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	progress, err := h.store.ImportProgress(ctx, org, request.ImportID)
	if err != nil {
		return nil, err
	}
	out := newProgress(progress)
	if out.CompletedAt == nil && (request.Params.Results == nil || !*request.Params.Results) {
		return contract.GetImport200JSONResponse(out), nil
	}
	results := make([]contract.ImportResult, 0, progress.Total)
	var missing []int32
	next := 0
	say := edge.LocalizerOf(ctx)
	for r, err := range h.store.ImportResults(ctx, org, request.ImportID) {
		if err != nil {
			return nil, err
		}
		for ; next < r.Position; next++ {
			missing = append(missing, int32(next))
		}
		next++
		results = append(results, newResult(r, say))
	}
	for ; next < progress.Total; next++ {
		missing = append(missing, int32(next))
	}
	out.Results, out.Done = &results, int32(len(results))
	if len(missing) > 0 {
		out.NotDone = &missing
	}
	return contract.GetImport200JSONResponse(out), nil
}
