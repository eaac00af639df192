package planning

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/region"
)

// Map is the source of map tiles.
type Map struct {
	// Kind is one of the contract's; "" is its SCHEMATIC.
	Kind contract.MapKind
	// URL is its address, and Attribution the credit that the map must show;
	// both may be "".
	URL, Attribution string
	// Regions are the regions with map tiles, and the version of the tiles. It may be nil.
	Regions func() (regions []region.Region, version string)
	// Tiles is the address of their tiles, before the version, and Streets that of pictures of their streets.
	Tiles, Streets string
}

// GetMap returns the source of map tiles.
func (h *Handlers) GetMap(context.Context, contract.GetMapRequestObject) (contract.GetMapResponseObject, error) {
	kind := h.drawn.Kind
	if kind == "" {
		kind = contract.MapKindSCHEMATIC
	}
	return contract.GetMap200JSONResponse{
		Kind: kind, URL: edge.TextOrNull(h.drawn.URL), Attribution: edge.TextOrNull(h.drawn.Attribution),
		Regions: h.drawn.regions(),
	}, nil
}

// regions describes the map tiles of the regions, or is null if there are none.
func (m *Map) regions() nullable.Nullable[contract.MapRegions] {
	if m.Regions == nil {
		return nullable.NewNullNullable[contract.MapRegions]()
	}
	all, version := m.Regions()
	if len(all) == 0 {
		return nullable.NewNullNullable[contract.MapRegions]()
	}
	described := contract.MapRegions{URL: m.Tiles + "?v=" + version, MaxZoom: region.MostZoom}
	for i := range all {
		b := all[i].Bounds
		described.Bounds = append(described.Bounds, []float64{b.West, b.South, b.East, b.North})
	}
	described.Attribution = region.Credits(all)
	return nullable.NewNullableWithValue(described)
}
