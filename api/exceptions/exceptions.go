package exceptions

import (
	"context"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/store"
)

// longestComment is the size limit of a comment on an exception, in bytes.
const longestComment = 2000

// ListExceptions lists exceptions, newest first.
func (h *Handlers) ListExceptions(
	ctx context.Context, request contract.ListExceptionsRequestObject,
) (contract.ListExceptionsResponseObject, error) {
	filter, size, err := filterOf(&request.Params)
	if err != nil {
		return nil, err
	}
	found, goOn, err := h.store.Exceptions(ctx, edge.PrincipalOf(ctx).OrgID, filter, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListExceptions200JSONResponse{
		Items: make([]contract.Exception, len(found)), NextToken: edge.BackwardToken(goOn), HasMore: goOn != 0,
	}
	for i := range found {
		page.Items[i] = newException(ctx, &found[i])
	}
	return page, nil
}

// filterOf reads the filter and the page size.
func filterOf(p *contract.ListExceptionsParams) (f store.ExceptionFilter, size int32, err error) {
	f = store.ExceptionFilter{DriverID: p.DriverID, OrderID: p.OrderID}
	if p.Kind != nil {
		kind := string(*p.Kind)
		f.Kind = &kind
	}
	if p.State != nil {
		open := *p.State == contract.ExceptionStateOPEN
		f.Open = &open
	}
	if p.Date != nil {
		if _, _, err := edge.CheckDays("date", p.Date.Time, "date", p.Date.Time); err != nil {
			return f, 0, err
		}
		f.Day = &p.Date.Time
	}
	f.Before, size, err = edge.Backward(p.Token, p.PageSize)
	return f, size, err
}

// ResolveException resolves an exception.
func (h *Handlers) ResolveException(
	ctx context.Context, request contract.ResolveExceptionRequestObject,
) (contract.ResolveExceptionResponseObject, error) {
	comment := strings.TrimSpace(edge.OrEmpty(request.Body.Comment))
	if err := edge.CheckTexts(edge.AtMost(longestComment, "comment", comment)); err != nil {
		return nil, err
	}
	id, as := request.ExceptionID, driving.Resolution(request.Body.Resolution)
	if err := h.operations.Driving.ResolveException(ctx, edge.Caller(ctx), id, as, comment); err != nil {
		return nil, err
	}
	x, err := h.store.Exception(ctx, edge.PrincipalOf(ctx).OrgID, id)
	if err != nil {
		return nil, err
	}
	return contract.ResolveException200JSONResponse(newException(ctx, &x)), nil
}

// newException converts an exception to the contract's form, with texts.
func newException(ctx context.Context, x *store.Exception) contract.Exception {
	kind := driving.ExceptionKind(x.Kind)
	out := contract.Exception{
		ID: x.ID, Kind: contract.ExceptionKind(x.Kind), State: contract.ExceptionStateOPEN,
		Day: openapi_types.Date{Time: x.Day}, DriverID: x.DriverID, DriverName: x.DriverName,
		OrderID: edge.OrNull(x.OrderID), ExternalID: edge.OrNull(x.Number),
		Stop: nullable.NewNullNullable[contract.ExceptionStop](), ActionID: edge.TextOrNull(x.ActionID),
		ActionType: edge.TextOrNull(x.ActionType), Rule: nullable.NewNullNullable[contract.ExceptionRule](),
		At: x.At.UTC(), Times: x.Times, Latest: utc(x.Latest), OpenedAt: x.OpenedAt.UTC(),
		Text:       edge.LocalizerOf(ctx).Say(text(x, edge.PrincipalOf(ctx).Zone)),
		Resolution: nullable.NewNullNullable[contract.ExceptionResolution](), ResolvedAt: utc(x.ResolvedAt),
		ResolvedBy: edge.OrNull(x.ResolvedBy), ResolvedByName: edge.TextOrNull(x.ResolvedByName),
		Comment: edge.OrNull(x.Comment),
	}
	for _, r := range kind.Resolutions() {
		out.Resolutions = append(out.Resolutions, contract.ResolutionOfException(r))
	}
	if x.Stop != nil {
		out.Stop.Set(contract.ExceptionStop(strings.ToUpper(*x.Stop)))
	}
	if x.Rule != "" {
		out.Rule.Set(contract.ExceptionRule(x.Rule))
	}
	if x.Resolution != "" {
		out.State = contract.ExceptionStateRESOLVED
		out.Resolution.Set(contract.ExceptionResolution(x.Resolution))
	}
	return out
}

// text describes an exception and what to do, in the caller's time zone.
func text(x *store.Exception, zone *time.Location) fault.Text {
	about := "exception.kind." + strings.ToLower(x.Kind)
	if x.Rule != "" {
		about = "exception.rule." + strings.ToLower(x.Rule)
	}
	return fault.Say(about, "who", x.DriverName, "order", edge.OrEmpty(x.Number),
		"at", x.At.In(zone).Format("15:04"))
}

func utc(at *time.Time) nullable.Nullable[time.Time] {
	if at == nil {
		return nullable.NewNullNullable[time.Time]()
	}
	return nullable.NewNullableWithValue(at.UTC())
}
