package notifications

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// The default and maximum size of a page of addresses.
const (
	usualSuppressions = 100
	maxSuppressions   = 1000
)

// longestAddress is that of an email address, in bytes.
const longestAddress = 254

// ListSuppressions lists the addresses that get no messages.
func (h *Handlers) ListSuppressions(
	ctx context.Context, request contract.ListSuppressionsRequestObject,
) (contract.ListSuppressionsResponseObject, error) {
	filter, size, err := suppressionFilterOf(&request.Params)
	if err != nil {
		return nil, err
	}
	found, more, err := h.store.Suppressions(ctx, edge.PrincipalOf(ctx).OrgID, filter, size)
	if err != nil {
		return nil, err
	}
	page := contract.ListSuppressions200JSONResponse{Items: make([]contract.Suppression, len(found)), HasMore: more}
	for i, s := range found {
		page.Items[i] = contract.Suppression{
			Channel: contract.NotificationType(s.Channel), Address: s.Address, Reason: contract.SuppressionReason(s.Reason),
			NotificationID: edge.OrNull(edge.IDOrNone(s.NotificationID)), CreatedAt: s.CreatedAt.UTC(),
		}
	}
	if more {
		page.NextToken = tokenOf(found[len(found)-1])
	}
	return page, nil
}

// suppressionFilterOf reads the filter and the page size.
func suppressionFilterOf(p *contract.ListSuppressionsParams) (f store.SuppressionFilter, size int32, err error) {
	f.Part = strings.TrimSpace(edge.OrEmpty(p.Address))
	if err := edge.CheckTexts(edge.AtMost(longestAddress, "address", f.Part)); err != nil {
		return f, 0, err
	}
	behind, err := base64.RawURLEncoding.DecodeString(edge.OrEmpty(p.Token))
	channel, address, isPair := strings.Cut(string(behind), " ")
	if err != nil || len(behind) > 0 && !isPair || edge.CheckTexts(edge.AtMost(maxToken, "token", address)) != nil {
		return f, 0, fault.Field("token", fault.Say("feed.bad_token"))
	}
	f.Channel, f.Behind = channel, address
	if size = usualSuppressions; p.PageSize != nil {
		size = *p.PageSize
	}
	if size < 1 || size > maxSuppressions {
		return f, 0, edge.OutOfRange("pageSize", 1, maxSuppressions)
	}
	return f, size, nil
}

// maxToken is the longest address that a token may name, in bytes.
const maxToken = 1000

// tokenOf names the address after which the next page begins.
func tokenOf(last store.Suppression) string {
	return base64.RawURLEncoding.EncodeToString([]byte(last.Channel + " " + last.Address))
}

// LiftSuppression lets an address receive messages again.
func (h *Handlers) LiftSuppression(
	ctx context.Context, request contract.LiftSuppressionRequestObject,
) (contract.LiftSuppressionResponseObject, error) {
	address := strings.TrimSpace(request.Body.Address)
	if err := edge.CheckTexts(edge.AtMost(longestAddress, "address", address)); err != nil {
		return nil, err
	}
	err := h.operations.Notifications.OpenAddress(ctx, edge.Caller(ctx), address)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fault.Missing("suppression", address)
	}
	if err != nil {
		return nil, err
	}
	return contract.LiftSuppression204Response{}, nil
}
