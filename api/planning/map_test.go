package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/api/planning"
	"waybill/domain/region"
)

func TestTheMapHasTheStreetsOfTheRegions(t *testing.T) {
	t.Parallel()
	oslo := region.Region{Bounds: region.Bounds{West: 10.72, South: 59.9, East: 10.78, North: 59.94}, Attribution: "© OSM"}
	alps := region.Region{Bounds: region.Bounds{West: 9.47, South: 47.04, East: 9.64, North: 47.28}, Attribution: "© OSM"}
	h := planning.New(planning.Dependencies{Map: planning.Map{
		Tiles:   "/map/{z}/{x}/{y}.pbf",
		Regions: func() ([]region.Region, string) { return []region.Region{oslo, alps}, "abc" },
	}})
	answer, err := h.GetMap(t.Context(), contract.GetMapRequestObject{})
	require.NoError(t, err)
	regions, err := answer.(contract.GetMap200JSONResponse).Regions.Get()
	require.NoError(t, err)
	require.Equal(t, contract.MapRegions{
		URL: "/map/{z}/{x}/{y}.pbf?v=abc", MaxZoom: 14, Attribution: "© OSM",
		Bounds: [][]float64{{10.72, 59.9, 10.78, 59.94}, {9.47, 47.04, 9.64, 47.28}},
	}, regions)
}
