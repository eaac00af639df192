package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/store"
	"waybill/workflows"
)

// importOrders takes an import in, has the workflow work on it, and answers
// with the results; or with where to find them, when the caller asked not to
// wait or the import takes too long to.
func (s *Server) importOrders(w http.ResponseWriter, r *http.Request) error {
	validateOnly, err := flag(r, "validateOnly")
	if err != nil {
		return err
	}
	body, err := wire.Decode(r.Body)
	if err != nil {
		return err
	}
	if validateOnly {
		return s.previewImport(w, r, body)
	}
	ctx, org := r.Context(), PrincipalOf(r.Context()).OrgID
	importID, done, err := s.runImport(ctx, org, body, prefersAsync(r.Header))
	if err != nil {
		return err
	}
	if !done {
		return s.answerLater(w, r, importID)
	}
	return s.writeResults(w, r, s.store.ImportResults(ctx, org, importID))
}

// flag reads an optional boolean of the query.
func flag(r *http.Request, name string) (bool, error) {
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

// runImport keeps the request, starts its workflow and, unless told otherwise,
// waits for it. An import whose workflow cannot be started is taken back, so
// that a caller who is told so can safely send it again.
func (s *Server) runImport(ctx context.Context, org int64, body wire.Body, async bool) (id int64, done bool, err error) {
	staged, err := s.stage(ctx, org, body)
	if err != nil {
		return 0, false, err
	}
	by := CallerOf(ctx)
	id, err = s.store.CreateImport(ctx, by, staged)
	if err != nil {
		return 0, false, err
	}
	in := workflows.ImportInput{OrgID: org, ImportID: id, Entries: staged.Total, Chunks: len(staged.Chunks), InOrder: staged.InOrder}
	run, err := workflows.StartImport(ctx, s.temporal, in, RequestID(ctx))
	if err != nil {
		if undo := s.store.AbandonImport(context.WithoutCancel(ctx), by, id); undo != nil {
			s.logger.ErrorContext(ctx, "import not taken back", "import_id", id, "error", undo)
		}
		return 0, false, err
	}
	if async {
		return id, false, nil
	}
	waiting, cancel := context.WithTimeout(ctx, s.config.ImportWait)
	defer cancel()
	done, err = workflows.AwaitImport(waiting, run)
	return id, done, err
}

// stage cuts a request into chunks.
func (s *Server) stage(ctx context.Context, org int64, body wire.Body) (store.NewImport, error) {
	n := store.NewImport{Defaults: body.Defaults, RequestID: RequestID(ctx), Total: len(body.Entries)}
	for _, positions := range order.Cut(body.Numbers(), order.ChunkSize) {
		entries := make([]wire.Entry, len(positions))
		for i, p := range positions {
			entries[i] = body.Entries[p]
		}
		n.Chunks = append(n.Chunks, store.ImportChunk{Positions: positions, Entries: wire.EncodeEntries(entries)})
	}
	if len(n.Chunks) == 1 {
		return n, nil
	}
	merges, err := s.store.MergesByDefault(ctx, org)
	n.InOrder = body.Defaults.UpdateConfig.MayMerge(merges)
	return n, err
}

// previewImport answers with the outcomes that an import would have.
func (s *Server) previewImport(w http.ResponseWriter, r *http.Request, body wire.Body) error {
	entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
	if err != nil {
		return fmt.Errorf("preview import: %w", err)
	}
	results, err := s.store.PreviewImport(r.Context(), PrincipalOf(r.Context()).OrgID, body.Defaults, entries)
	if err != nil {
		return err
	}
	return s.writeResults(w, r, foreseen(results))
}

// answerLater answers 202: the import goes on, and is found at Location.
func (s *Server) answerLater(w http.ResponseWriter, r *http.Request, importID int64) error {
	progress, err := s.store.ImportProgress(r.Context(), PrincipalOf(r.Context()).OrgID, importID)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("/v3/orders/imports/%d", importID))
	if prefersAsync(r.Header) {
		w.Header().Set("Preference-Applied", "respond-async")
	}
	return writeJSON(w, http.StatusAccepted, newProgress(progress))
}

func newProgress(p store.ImportProgress) ImportProgress {
	out := ImportProgress{
		ImportID: p.ID, State: ImportProgressStateRunning, Total: int32(p.Total), Done: int32(p.Done),
		CreatedAt: p.CreatedAt.UTC(),
	}
	if p.CompletedAt != nil {
		at := p.CompletedAt.UTC()
		out.State, out.CompletedAt = ImportProgressStateCompleted, &at
	}
	return out
}

// GetImport says how far an import has come, with its results when it is done.
func (s *Server) GetImport(ctx context.Context, request GetImportRequestObject) (GetImportResponseObject, error) {
	org := PrincipalOf(ctx).OrgID
	progress, err := s.store.ImportProgress(ctx, org, request.ImportID)
	if err != nil {
		return nil, err
	}
	out := newProgress(progress)
	if progress.CompletedAt == nil {
		return GetImport200JSONResponse(out), nil
	}
	results := make([]ImportResult, 0, progress.Total)
	say := LocalizerOf(ctx)
	for r, err := range s.store.ImportResults(ctx, org, request.ImportID) {
		if err != nil {
			return nil, err
		}
		results = append(results, newResult(r, say))
	}
	out.Results = &results
	return GetImport200JSONResponse(out), nil
}
