package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/vehicle"
)

func TestProfileIsTheModeOrTheKeyOfAClass(t *testing.T) {
	t.Parallel()
	none, high := vehicle.Class{}, vehicle.Class{HeightM: new(4.0)}
	for _, mode := range []planning.Profile{planning.Car, planning.Truck, planning.Bike, ""} {
		require.Equal(t, mode, planning.ProfileOf(mode, &none), "a vehicle without a class keeps its profile")
	}
	require.Equal(t, planning.Profile("car-h400"), planning.ProfileOf(planning.Car, &high))
	require.Equal(t, planning.Profile("truck-h400"), planning.ProfileOf(planning.Truck, &high))
	require.Equal(t, planning.Bike, planning.ProfileOf(planning.Bike, &high))
	mode, class := planning.Profile("truck-h400").Class()
	require.Equal(t, planning.Truck, mode)
	require.Equal(t, high, class)
	mode, class = planning.Bike.Class()
	require.Equal(t, planning.Bike, mode)
	require.True(t, class.Empty())
}
