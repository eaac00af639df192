package orders

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// ListCargoCarriers lists the kinds of load carriers.
func (h *Handlers) ListCargoCarriers(
	ctx context.Context, _ contract.ListCargoCarriersRequestObject,
) (contract.ListCargoCarriersResponseObject, error) {
	found, err := h.store.CargoCarriers(ctx, edge.PrincipalOf(ctx).OrgID)
	list := contract.ListCargoCarriers200JSONResponse{Items: make([]contract.CargoCarrier, len(found))}
	for i := range found {
		list.Items[i] = newCargoCarrier(&found[i])
	}
	return list, err
}

func newCargoCarrier(c *store.CargoCarrier) contract.CargoCarrier {
	out := contract.CargoCarrier{ID: c.ID, Code: c.Code, Name: c.Name, IsActive: c.IsActive}
	if c.UnitValue != "" {
		out.UnitValue = &c.UnitValue
	}
	return out
}

// PutCargoCarrier creates or replaces a kind of load carrier.
func (h *Handlers) PutCargoCarrier(
	ctx context.Context, request contract.PutCargoCarrierRequestObject,
) (contract.PutCargoCarrierResponseObject, error) {
	const longestCode = 50
	body := request.Body
	carrier := store.CargoCarrier{
		Code: body.Code, Name: body.Name, UnitValue: edge.OrEmpty(
			body.UnitValue,
		), IsActive: body.IsActive == nil || *body.IsActive,
	}
	hidden := func(r rune) bool { return !unicode.IsGraphic(r) }
	if strings.TrimSpace(
		carrier.Code,
	) == "" || len(carrier.Code) > longestCode || strings.ContainsFunc(carrier.Code, hidden) {
		return nil, fault.Field("code", fault.Say("cargo_carrier.bad_code"))
	}
	if strings.TrimSpace(carrier.Name) == "" {
		return nil, fault.Field("name", fault.Say("param.required"))
	}
	if err := edge.CheckTexts(edge.AtMost(longestText, "name", carrier.Name)); err != nil {
		return nil, err
	}
	if carrier.UnitValue != "" && !isUnitValue(carrier.UnitValue) {
		return nil, fault.Field("unitValue", fault.Say("cargo_carrier.bad_value"))
	}
	carrier, err := h.operations.MasterData.SaveCargoCarrier(ctx, edge.Caller(ctx), carrier)
	if err != nil {
		return nil, err
	}
	return contract.PutCargoCarrier200JSONResponse(newCargoCarrier(&carrier)), nil
}

// isUnitValue reports whether a text is an amount of at most 12 digits before
// the point and 6 after it.
func isUnitValue(text string) bool {
	const most, places = 12, 6
	whole, part, pointed := strings.Cut(text, ".")
	_, err := decimal.NewFromString(text)
	return err == nil && digits(whole) && len(whole) <= most && (!pointed || digits(part) && len(part) <= places)
}

func digits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// ListCargoCarrierAccounts lists the balances of load carriers.
func (h *Handlers) ListCargoCarrierAccounts(
	ctx context.Context, request contract.ListCargoCarrierAccountsRequestObject,
) (contract.ListCargoCarrierAccountsResponseObject, error) {
	p := request.Params
	after, size, err := idPage(p.Token, p.PageSize)
	if err != nil {
		return nil, err
	}
	found, more, err := h.store.CargoAccounts(ctx, edge.PrincipalOf(ctx).OrgID, p.CustomerID, p.LocationID, after, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListCargoCarrierAccounts200JSONResponse{
		Items: make([]contract.CargoCarrierAccount, len(found)), HasMore: more,
	}
	for i := range found {
		page.Items[i] = newCargoAccount(&found[i])
	}
	if more {
		page.NextToken = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	return page, nil
}

func newCargoAccount(a *store.CargoAccount) contract.CargoCarrierAccount {
	return contract.CargoCarrierAccount{
		AccountID: a.ID, Balance: a.Balance,
		CargoCarrier: contract.CargoCarrierOfAccount{ID: a.CargoCarrierID, Code: a.Code, Name: a.Name},
		Party: contract.CargoCarrierParty{
			CustomerID: edge.IDOrNone(a.CustomerID), LocationID: edge.IDOrNone(a.LocationID), Name: a.Party,
		},
	}
}

// idPage reads a token that is an id, or 0, and the page size.
func idPage(token *string, pageSize *int32) (id int64, size int32, err error) {
	if size, err = overviewSize(pageSize); err != nil {
		return 0, 0, err
	}
	if text := edge.OrEmpty(token); text != "" {
		if id, err = strconv.ParseInt(text, 10, 64); err != nil || id < 1 {
			return 0, 0, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	return id, size, nil
}

// ListCargoCarrierMovements lists the movements of an account.
func (h *Handlers) ListCargoCarrierMovements(
	ctx context.Context, request contract.ListCargoCarrierMovementsRequestObject,
) (contract.ListCargoCarrierMovementsResponseObject, error) {
	p := request.Params
	before, size, err := idPage(p.Token, p.PageSize)
	if err != nil {
		return nil, err
	}
	account, found, more, err := h.store.CargoMovements(ctx, edge.PrincipalOf(ctx).OrgID, store.CargoMovementQuery{
		Account: request.AccountID, From: p.From, To: p.To, Before: before, AtMost: size,
	})
	if err != nil {
		return nil, err
	}
	page := contract.ListCargoCarrierMovements200JSONResponse{
		Account: newCargoAccount(&account), Items: make([]contract.CargoCarrierMovement, len(found)), HasMore: more,
	}
	for i := range found {
		page.Items[i] = newCargoMovement(&store.CargoMoved{CargoMovement: found[i]})
	}
	if more {
		page.NextToken = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	return page, nil
}

func newCargoMovement(m *store.CargoMoved) contract.CargoCarrierMovement {
	out := contract.CargoCarrierMovement{
		MovementID: m.ID, AccountID: m.AccountID, CargoCarrierID: edge.IDOrNone(m.CarrierID), Quantity: m.Quantity,
		Balance: m.Balance, OccurredAt: m.OccurredAt.UTC(), CreatedAt: m.CreatedAt.UTC(),
		OrderID: edge.IDOrNone(m.OrderID), DriverID: edge.IDOrNone(m.DriverID),
		Reverses: edge.IDOrNone(m.Reverses), ReversedBy: edge.IDOrNone(m.ReversedBy),
	}
	if m.Signee != "" {
		out.Signee = &m.Signee
	}
	if m.Comment != "" {
		out.Comment = &m.Comment
	}
	return out
}

// MoveCargoCarriers records a movement of load carriers.
func (h *Handlers) MoveCargoCarriers(
	ctx context.Context, request contract.MoveCargoCarriersRequestObject,
) (contract.MoveCargoCarriersResponseObject, error) {
	move, err := h.cargoMove(request.Body)
	if err != nil {
		return nil, err
	}
	moved, err := h.operations.MasterData.MoveCargoCarriers(ctx, edge.Caller(ctx), move)
	if err != nil {
		return nil, err
	}
	createdMovement(ctx, &moved)
	return contract.MoveCargoCarriers201JSONResponse(newCargoMovement(&moved)), nil
}

func (h *Handlers) cargoMove(body *contract.CargoCarrierMovementRequest) (store.CargoMove, error) {
	const most = 1_000_000
	move := store.CargoMove{
		CarrierID: body.CargoCarrierID, Quantity: body.Quantity, OccurredAt: h.now(),
		Signee: edge.OrEmpty(body.Signee), Comment: edge.OrEmpty(body.Comment),
	}
	err := readIDs(
		namedID{"customerId", body.CustomerID, &move.CustomerID}, namedID{"locationId", body.LocationID, &move.LocationID},
		namedID{"orderId", body.OrderID, &move.OrderID}, namedID{"driverId", body.DriverID, &move.DriverID})
	if err != nil {
		return move, err
	}
	if (move.CustomerID == 0) == (move.LocationID == 0) {
		return move, fault.Field("customerId", fault.Say("cargo_carrier.one_party"))
	}
	if move.Quantity == 0 || move.Quantity > most || move.Quantity < -most {
		return move, fault.Field("quantity", fault.Say("cargo_carrier.no_quantity"))
	}
	if body.OccurredAt != nil {
		if move.OccurredAt = *body.OccurredAt; !keepable(move.OccurredAt) {
			return move, fault.Field("occurredAt", fault.Say("param.timestamp"))
		}
	}
	return move, edge.CheckTexts(
		edge.AtMost(longestText, "signee", move.Signee), edge.AtMost(longestComment, "comment", move.Comment))
}

// namedID is an optional identifier, and its destination.
type namedID struct {
	field string
	sent  *int64
	to    *int64
}

// readIDs reads identifiers; omitted ones stay 0.
func readIDs(ids ...namedID) error {
	for _, id := range ids {
		if id.sent == nil {
			continue
		}
		if *id.to = *id.sent; *id.to < 1 {
			return edge.OutOfRange(id.field, 1, math.MaxInt)
		}
	}
	return nil
}

// keepable reports whether a time is within the supported years.
func keepable(at time.Time) bool { return at.Year() >= 1970 && at.Year() < 2200 }

// ReverseCargoCarrierMovement reverses a movement.
func (h *Handlers) ReverseCargoCarrierMovement(
	ctx context.Context, request contract.ReverseCargoCarrierMovementRequestObject,
) (contract.ReverseCargoCarrierMovementResponseObject, error) {
	comment := ""
	if request.Body != nil {
		comment = edge.OrEmpty(request.Body.Comment)
	}
	if err := edge.CheckTexts(edge.AtMost(longestComment, "comment", comment)); err != nil {
		return nil, err
	}
	moved, err := h.operations.MasterData.ReverseCargoMovement(ctx, edge.Caller(ctx), request.MovementID, comment)
	if err != nil {
		return nil, err
	}
	createdMovement(ctx, &moved)
	return contract.ReverseCargoCarrierMovement201JSONResponse(newCargoMovement(&moved)), nil
}

// createdMovement sets the address of the account's movements.
func createdMovement(ctx context.Context, m *store.CargoMoved) {
	edge.CreatedAt(ctx, fmt.Sprintf("/v2/cargo-carrier-accounts/%d/movements", m.AccountID))
}
