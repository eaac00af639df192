// Package privacy serves administrators' answers to people who want to see
// their data, or to have it erased.
package privacy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"go.temporal.io/sdk/client"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/privacy"
	"waybill/operations"
	privacyops "waybill/operations/privacy"
	"waybill/store"
	"waybill/workflows"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Operations *operations.Operations
	Temporal   client.Client
	Logger     *slog.Logger
}

// Handlers serve erasures.
type Handlers struct{ d Dependencies }

// New returns handlers.
func New(d Dependencies) *Handlers { return &Handlers{d} }

// person reads the person of a request.
func (h *Handlers) person(ctx context.Context, s *contract.PersonSought) (privacy.Person, error) {
	var names []string
	if s.Names != nil {
		names = *s.Names
	}
	person, ok, err := h.d.Operations.Privacy.FindPerson(
		ctx, edge.PrincipalOf(ctx).OrgID, edge.OrEmpty(s.Email), edge.OrEmpty(s.Phone), names)
	if err == nil && !ok {
		err = fault.Field("email", fault.Say("privacy.bad_person"))
	}
	return person, err
}

func exceptOf(s *contract.PersonSought) []int64 {
	if s.ExceptOrders == nil {
		return nil
	}
	return *s.ExceptOrders
}

// PreviewErasure lists where a person's data is.
func (h *Handlers) PreviewErasure(
	ctx context.Context, request contract.PreviewErasureRequestObject,
) (contract.PreviewErasureResponseObject, error) {
	person, err := h.person(ctx, request.Body)
	if err != nil {
		return nil, err
	}
	found, err := h.d.Operations.Privacy.EraseContact(ctx, edge.Caller(ctx), person,
		privacyops.Erasing{Dry: true, Except: exceptOf(request.Body)})
	if err != nil {
		return nil, err
	}
	return contract.PreviewErasure200JSONResponse{
		Orders: count(found.Orders), Contacts: contactsOf(found.Contacts), Shared: contactsOf(found.Shared),
		Rows: rowsOf(found.Findings().Rows),
	}, nil
}

// ErasePerson erases a person.
func (h *Handlers) ErasePerson(
	ctx context.Context, request contract.ErasePersonRequestObject,
) (contract.ErasePersonResponseObject, error) {
	sought := &contract.PersonSought{
		Email: request.Body.Email, Phone: request.Body.Phone, Names: request.Body.Names,
		ExceptOrders: request.Body.ExceptOrders,
	}
	person, err := h.person(ctx, sought)
	if err != nil {
		return nil, err
	}
	by := edge.Caller(ctx)
	erased, err := h.d.Operations.Privacy.EraseContact(ctx, by, person, privacyops.Erasing{
		Except: exceptOf(sought), Objects: request.Body.Objects != nil && *request.Body.Objects,
	})
	// No further message is sent: a workflow without the signal notices when
	// its time comes.
	if told := workflows.EndNotifications(ctx, h.d.Temporal, erased.Ended); told != nil {
		h.d.Logger.WarnContext(ctx, "cannot end workflows of erased messages", "error", told)
	}
	if err != nil {
		return nil, err
	}
	receipt, err := h.d.Operations.Privacy.Receipt(ctx, by.OrgID, erased.Receipt)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/privacy/erasures/%d", receipt.ID))
	return contract.ErasePerson201JSONResponse(newErasure(&receipt)), nil
}

// erasuresPage is how many receipts a page has.
const erasuresPage = 100

// ListErasures lists receipts.
func (h *Handlers) ListErasures(
	ctx context.Context, request contract.ListErasuresRequestObject,
) (contract.ListErasuresResponseObject, error) {
	var before int64
	if request.Params.Before != nil {
		before = max(*request.Params.Before, 1)
	}
	found, err := h.d.Operations.Privacy.Receipts(ctx, edge.PrincipalOf(ctx).OrgID, before, erasuresPage+1)
	if err != nil {
		return nil, err
	}
	page := contract.ListErasures200JSONResponse{Items: []contract.Erasure{}, HasMore: len(found) > erasuresPage}
	for i := range found[:min(len(found), erasuresPage)] {
		page.Items = append(page.Items, newErasure(&found[i]))
	}
	return page, nil
}

// GetErasure returns a receipt.
func (h *Handlers) GetErasure(
	ctx context.Context, request contract.GetErasureRequestObject,
) (contract.GetErasureResponseObject, error) {
	receipt, err := h.d.Operations.Privacy.Receipt(ctx, edge.PrincipalOf(ctx).OrgID, request.ErasureID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fault.Missing("erasure", fmt.Sprint(request.ErasureID))
	}
	if err != nil {
		return nil, err
	}
	return contract.GetErasure200JSONResponse(newErasure(&receipt)), nil
}

// ExportPerson returns a person's data.
func (h *Handlers) ExportPerson(
	ctx context.Context, request contract.ExportPersonRequestObject,
) (contract.ExportPersonResponseObject, error) {
	person, err := h.person(ctx, request.Body)
	if err != nil {
		return nil, err
	}
	found, err := h.d.Operations.Privacy.ExportPerson(ctx, edge.Caller(ctx), person, exceptOf(request.Body))
	if err != nil {
		return nil, err
	}
	export := contract.ExportPerson200JSONResponse{Person: found.Person, Places: []contract.PersonExportPlace{}}
	for _, p := range found.Places {
		place := contract.PersonExportPlace{Table: p.Table, What: p.What, Why: p.Why, Period: p.Period}
		for _, raw := range p.Rows {
			var row map[string]any
			if err := json.Unmarshal(raw, &row); err != nil {
				return nil, err
			}
			place.Rows = append(place.Rows, row)
		}
		export.Places = append(export.Places, place)
	}
	return export, nil
}

func newErasure(r *privacyops.Receipt) contract.Erasure {
	e := contract.Erasure{
		ID: r.ID, Actor: r.Actor, Objects: r.Objects, StartedAt: r.BegunAt.UTC(), FinishedAt: edge.OrNull(r.EndedAt),
		IsFound: r.Found.Any(), Orders: count(r.Found.Orders), Rows: rowsOf(r.Found.Rows),
		Messages: count(r.Found.Messages), Files: count(r.Found.Files), FilesLeft: count(r.Found.FilesLeft),
	}
	for _, rest := range privacy.Remains() {
		e.Remains = append(e.Remains, contract.ErasureRemaining{What: rest.What, Until: rest.Until})
	}
	return e
}

func rowsOf(counts map[string]int) []contract.ErasedRows {
	all := []contract.ErasedRows{}
	for _, table := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, contract.ErasedRows{Table: table, Count: count(counts[table])})
	}
	return all
}

func contactsOf(found []privacyops.ErasedContact) []contract.ErasureContact {
	all := make([]contract.ErasureContact, len(found))
	for i, c := range found {
		all[i] = contract.ErasureContact{OrderID: c.OrderID, Number: c.Number, Stop: c.Stop, Name: c.Name}
	}
	return all
}

func count(n int) int32 { return int32(n) }
