package orders

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/planning"
	"waybill/store"
)

const (
	// mostProhibited is how many drivers an order may keep away.
	mostProhibited = 100
	// longest texts, in characters.
	longestReason  = 500
	longestComment = 2000
	// daysBack is how old a reported event may be, in days.
	daysBack = 31
	// clockSkew is by how much a caller's clock may be ahead.
	clockSkew = 5 * time.Minute
)

// SetOrderStatus moves an order to another status.
func (h *Handlers) SetOrderStatus(
	ctx context.Context, request contract.SetOrderStatusRequestObject,
) (contract.SetOrderStatusResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	move, err := h.newMove(request.Body)
	if err != nil {
		return nil, err
	}
	notes, err := newNotes(request.Body)
	if err != nil {
		return nil, err
	}
	_, err = h.operations.Planning.MoveOrder(ctx, edge.Caller(ctx), request.OrderID, move, notes, expected)
	if err != nil {
		return nil, err
	}
	return h.document(ctx, request.OrderID)
}

// document is the present state of an order, with its version.
func (h *Handlers) document(ctx context.Context, id int64) (document, error) {
	doc, v, err := h.store.Order(ctx, edge.PrincipalOf(ctx).OrgID, id, nil)
	edge.Versioned(ctx, v)
	return document(doc), err
}

// newMove reads where an order is to go.
func (h *Handlers) newMove(b *contract.SetOrderStatus) (driving.Move, error) {
	m := driving.Move{To: order.Status(b.OrderStatusID), Correct: edge.IsTrue(b.Force)}
	if b.OrderStatusID < 1 || b.OrderStatusID > contract.OrderStatusID(order.Cancelled) {
		return m, fault.Field("order_status_id", fault.Say("request.not_one_of", "allowed", "1, 2, 3, 4, 5, 6, 7, 8"))
	}
	var err error
	if m.DriverID, err = driverID(b.DriverID); err != nil {
		return m, err
	}
	if b.Stop != nil {
		if !b.Stop.Valid() {
			return m, fault.Field("stop", fault.Say("request.not_one_of", "allowed", "pickup, delivery"))
		}
		m.Stop = order.StopKind(*b.Stop)
	}
	if b.OccurredAt == nil {
		return m, nil
	}
	m.At = b.OccurredAt.UTC()
	return m, checkAgo("occurred_at", h.now().Sub(m.At))
}

// checkAgo rejects times in the future, or too long ago.
func checkAgo(field string, ago time.Duration) error {
	switch {
	case ago < -clockSkew:
		return unprocessable(field, fault.Say("driving.not_yet"))
	case ago > daysBack*24*time.Hour:
		return unprocessable(field, fault.Say("driving.too_long_ago", "days", strconv.Itoa(daysBack)))
	}
	return nil
}

// driverID reads a driver's id, or 0 for none. Callers can't send 0.
func driverID(named nullable.Nullable[int64]) (int64, error) {
	id, err := named.Get()
	if err != nil {
		return 0, nil //nolint:nilerr // absent or null means nobody
	}
	if id <= 0 {
		return 0, unprocessable("driver_id", fault.Say("driving.driver_unknown", "name", strconv.FormatInt(id, 10)))
	}
	return id, nil
}

func unprocessable(field string, text fault.Text) error {
	return fault.Violated([]fault.Violation{{Field: field, Text: text}})
}

// The types of documentation that a change of status creates.
const (
	noteOfFailure = "failure"
	noteOfStatus  = "comment"
)

// newNotes reads the notes on a change of status.
func newNotes(b *contract.SetOrderStatus) ([]store.Note, error) {
	var notes []store.Note
	for _, n := range []struct {
		field, kind, text string
		longest           int
	}{
		{"failure_reason", noteOfFailure, edge.TextOf(b.FailureReason), longestReason},
		{"comment", noteOfStatus, edge.TextOf(b.Comment), longestComment},
	} {
		if err := checkText(n.field, n.text, n.longest); err != nil {
			return nil, err
		}
		if text := strings.TrimSpace(n.text); text != "" {
			notes = append(notes, store.Note{Type: n.kind, Comment: text})
		}
	}
	if edge.TextOf(b.FailureReason) != "" && b.OrderStatusID != contract.OrderStatusID(order.Failed) {
		return nil, unprocessable("failure_reason", fault.Say("driving.no_failure"))
	}
	return notes, nil
}

// checkText rejects invalid or too long text.
func checkText(field, text string, longest int) error {
	if !edge.IsText(text) {
		return fault.Field(field, fault.Say("request.not_text"))
	}
	if len([]rune(text)) > longest {
		return fault.Field(field, fault.Say("field.too_long", "max", strconv.Itoa(longest)))
	}
	return nil
}

// ListProhibitedDrivers lists the drivers that must not have an order.
func (h *Handlers) ListProhibitedDrivers(
	ctx context.Context, request contract.ListProhibitedDriversRequestObject,
) (contract.ListProhibitedDriversResponseObject, error) {
	drivers, v, err := h.store.ProhibitedDrivers(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	edge.Versioned(ctx, v)
	return contract.ListProhibitedDrivers200JSONResponse(newProhibited(request.OrderID, drivers)), err
}

// SetProhibitedDrivers sets the drivers that must not have an order.
func (h *Handlers) SetProhibitedDrivers(
	ctx context.Context, request contract.SetProhibitedDriversRequestObject,
) (contract.SetProhibitedDriversResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	named := request.Body.Drivers
	if named == nil {
		return nil, fault.Field("drivers", fault.Say("param.required"))
	}
	if len(named) > mostProhibited {
		return nil, fault.Field("drivers", fault.Say("driving.too_many", "max", strconv.Itoa(mostProhibited)))
	}
	wanted := make([]store.ProhibitedDriver, len(named))
	for i, d := range named {
		reason := strings.TrimSpace(edge.TextOf(d.Reason))
		if err := checkText(fmt.Sprintf("drivers[%d].reason", i), reason, longestReason); err != nil {
			return nil, err
		}
		wanted[i] = store.ProhibitedDriver{DriverID: d.DriverID, Reason: reason}
	}
	drivers, v, err := h.operations.Planning.ProhibitDrivers(ctx, edge.Caller(ctx), request.OrderID, wanted, expected)
	edge.Versioned(ctx, v)
	return contract.SetProhibitedDrivers200JSONResponse(newProhibited(request.OrderID, drivers)), err
}

func newProhibited(orderID int64, drivers []store.ProhibitedDriver) contract.ProhibitedDrivers {
	out := contract.ProhibitedDrivers{OrderID: orderID, Drivers: make([]contract.ProhibitedDriver, len(drivers))}
	for i, d := range drivers {
		out.Drivers[i] = contract.ProhibitedDriver{ID: d.DriverID, Name: d.Name, Reason: edge.TextOrNull(d.Reason)}
	}
	return out
}

// SetDriverLock locks an order to one driver, or unlocks it.
func (h *Handlers) SetDriverLock(
	ctx context.Context, request contract.SetDriverLockRequestObject,
) (contract.SetDriverLockResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if !request.Body.DriverID.IsSpecified() {
		return nil, fault.Field("driver_id", fault.Say("param.required"))
	}
	driver, err := driverID(request.Body.DriverID)
	if err != nil {
		return nil, err
	}
	change := planning.DriverLock{DriverID: driver}
	if from := request.Body.LockedTo; from != nil {
		change.LockedTo = *from
	}
	v, err := h.operations.Planning.LockDriver(ctx, edge.Caller(ctx), request.OrderID, change, expected)
	if err != nil {
		return nil, err
	}
	lock, err := h.store.OrderDriverLock(ctx, edge.PrincipalOf(ctx).OrgID, request.OrderID)
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, v)
	out := contract.SetDriverLock200JSONResponse{OrderID: request.OrderID}
	out.DriverLock = edge.OrNull((*contract.DriverLockOfOrder)(lock))
	return out, nil
}
