package planning

import (
	"context"

	"waybill/api/contract"
	"waybill/api/edge"
)

// Map is the source of map tiles.
type Map struct {
	// Kind is one of the contract's; "" is its SCHEMATIC.
	Kind contract.MapKind
	// URL is its address, and Attribution the credit that the map must show;
	// both may be "".
	URL, Attribution string
}

// GetMap returns the source of map tiles.
func (h *Handlers) GetMap(context.Context, contract.GetMapRequestObject) (contract.GetMapResponseObject, error) {
	kind := h.drawn.Kind
	if kind == "" {
		kind = contract.MapKindSCHEMATIC
	}
	return contract.GetMap200JSONResponse{
		Kind: kind, URL: edge.TextOrNull(h.drawn.URL), Attribution: edge.TextOrNull(h.drawn.Attribution),
	}, nil
}
