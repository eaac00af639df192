package order_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestNumbersThatCannotBeKeptAreFound(t *testing.T) {
	t.Parallel()
	for number, keepable := range map[string]bool{
		"0": true, "-0.0": true, "12.50": true, "1e308": true, "-5e-324": true, "0e400": true, "0e-16383": true,
		"0." + strings.Repeat("0", 400) + "1e401":   true,
		"1." + strings.Repeat("0", 16_382) + "1":    true,
		"1." + strings.Repeat("0", 16_383) + "1":    false,
		"0." + strings.Repeat("0", 16_383) + "e1":   true,
		"1." + strings.Repeat("0", 16_382) + "1e-1": false,
		"1e309": false, "-1e999999": false, "1e-400": false, "1E-16384": false, "-1e-999999": false,
		"0e-16384": false, "0e99999999999": false, "1e-99999999999999999999": false,
	} {
		for _, value := range []string{number, `{"a":["x",` + number + `,1]}`} {
			_, ok := order.CanonicalJSON([]byte(value))
			require.Equal(t, keepable, ok, "%.40s", value)
		}
	}
}
