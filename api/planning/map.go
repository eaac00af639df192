package planning

import (
	"context"

	"waybill/api/contract"
	"waybill/api/edge"
)

// Map is what maps are drawn on.
type Map struct {
	// Kind is one of the contract's; "" is its SCHEMATIC.
	Kind contract.MapKind
	// URL is where it is, and Attribution whom the map must name; both may be "".
	URL, Attribution string
}

// GetMap reads what maps are drawn on.
func (h *Handlers) GetMap(context.Context, contract.GetMapRequestObject) (contract.GetMapResponseObject, error) {
	kind := h.drawn.Kind
	if kind == "" {
		kind = contract.MapKindSCHEMATIC
	}
	return contract.GetMap200JSONResponse{
		Kind: kind, URL: edge.TextOrNull(h.drawn.URL), Attribution: edge.TextOrNull(h.drawn.Attribution),
	}, nil
}
