package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
)

func TestDecodeRequestNamesFieldsWithoutAPrefix(t *testing.T) {
	t.Parallel()
	for body, field := range map[string]string{
		`[]`:                            "",
		`null`:                          "",
		``:                              "",
		`{"date":`:                      "date",
		`{} {}`:                         "",
		`{"pickup":{"name":7}}`:         "pickup.name",
		`{"products":[{"weight":"1"}]}`: "products[0].weight",
		"{\"reference\":\"a\\u0000\"}":  "reference",
	} {
		_, err := wire.DecodeRequest(strings.NewReader(body))
		var f *fault.Error
		require.ErrorAs(t, err, &f, body)
		require.Equal(t, fault.Invalid, f.Kind, body)
		require.Equal(t, field, f.Violations[0].Field, body)
	}
	request, err := wire.DecodeRequest(strings.NewReader(`{"externalId":"A","routeNumber":7}`))
	require.NoError(t, err)
	require.Equal(t, order.Request{ExternalID: "A", RouteNumber: "7"}, request)
	broken := errors.New("broken")
	_, err = wire.DecodeRequest(failing{broken})
	require.ErrorIs(t, err, broken)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
