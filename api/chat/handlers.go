// Package chat serves the messages between the office and drivers, to both.
package chat

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Now        func() time.Time
}

// Handlers serve messages.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, operations: d.Operations, now: d.Now}
}

// today is the day in the calendar of the caller's organization.
func (h *Handlers) today(ctx context.Context) time.Time {
	now := h.now().In(edge.PrincipalOf(ctx).Zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// newMessages converts messages to the contract's form.
func newMessages(found []store.DriverMessage) []contract.DriverMessage {
	out := make([]contract.DriverMessage, len(found))
	for i := range found {
		m := &found[i]
		out[i] = contract.DriverMessage{
			ID: m.ID, ClientID: edge.TextOrNull(m.ClientID), Date: openapi_types.Date{Time: m.Day}, DriverID: m.DriverID,
			DriverName: m.DriverName, From: contract.MessageSide(m.Side), Text: m.Text, OrderID: edge.OrNull(m.OrderID),
			ExternalID: edge.OrNull(m.Number), SentByName: edge.TextOrNull(m.AuthorName), WrittenAt: m.WrittenAt.UTC(),
			SentAt: m.SentAt.UTC(), ReadAt: nullable.NewNullNullable[time.Time](),
		}
		if m.ReadAt != nil {
			out[i].ReadAt.Set(m.ReadAt.UTC())
		}
	}
	return out
}
