package order_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestNumbersAreCountedOn(t *testing.T) {
	t.Parallel()
	for number, wanted := range map[string]string{
		"BD-1000": "BD-1001", "SO-2026-00042": "SO-2026-00043", "999": "1000", "A09": "A10", "Ø-099": "Ø-100",
		"2026/7": "2026/8", "00": "01", "9999999999999999": "", "": "", "URGENT": "", "A-1-b": "", "M-12": "",
		"M-12-1": "M-12-2", strings.Repeat("x", 254) + "9": "",
	} {
		next := order.NextNumbers(number)
		if wanted == "" {
			require.Empty(t, next, number)
			continue
		}
		require.Equal(t, wanted, next[0], number)
		require.Len(t, next, 200, number)
	}
	require.Equal(t, []string{"A-9", "A-10", "A-11"}, order.NextNumbers("A-8")[:3])
}
