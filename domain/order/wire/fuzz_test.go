package wire_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
)

// bodies are where fuzzing starts.
var bodies = []string{
	`{"orders":[{}]}`,
	`{"orders":[{"externalId":"A","date":"2026-06-15","customer":{"externalId":"C-1"},"vehicleType":{"id":1},
		"orderType":{"name":"Standard"},
		"pickup":{"name":"P","address":{"address1":"a","city":"b","country":"NO"},"opens":"08:00","closes":"16:00",
		"hasOpeningTimes":true,"openingHoursIsDefault":false},
		"delivery":{"externalId":"D","address":{"latitude":59.9,"longitude":10.7},"earliest":"2026-06-15T10:00:00Z",
		"latest":"2026-06-15T12:00:00+01:00"},
		"products":[{"externalId":"1","quantity":2,"weight":1.5},{"parentExternalId":"1","atomType":"trade item"}]}]}`,
	`{"fallbackCustomer":{"businessName":"Nord AS"},"updateConfig":{"allowMerge":true,
		"orderProducts":"REPLACE_EXISTING_ORDER_PRODUCT"},
		"orders":[{"externalId":"K","routeNumber":1e2,"customFields":[{"externalId":"floor","value":[1,{"a":null}]}],
		"groups":[{"name":"Morning"}],
		"pricing":[{"price":1.50,"currency":"NOK"}]},{"externalId":"K","products":[]}]}`,
	`{"orders":[{"reference":"\ud83d\ude00\u0000"}]}`, `[`, `{"orders":[{"a":{"b":`,
	`{"orders":[{"externalId":7,"products":[{"quantity":"12"}]},{"a":1,"a\u0000":2}]}`, "\uFEFF{\"orders\":[{}]}",
}

func FuzzDecode(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, err := wire.Decode(bytes.NewReader(raw))
		if err != nil {
			var known *fault.Error
			require.True(t, errors.As(err, &known), "%v", err)
			return
		}
		entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
		require.NoError(t, err)
		require.Len(t, entries, len(body.Entries))
		for i := range entries {
			require.Equal(t, body.Entries[i].ExternalID, entries[i].ExternalID)
		}
		if slices.ContainsFunc(entries, func(r order.Request) bool { return len(r.Unreadable) > 0 }) {
			return
		}
		again, err := wire.Decode(bytes.NewReader([]byte(`{"orders":` + string(wire.EncodeEntries(body.Entries)) + `}`)))
		require.NoError(t, err)
		require.Equal(t, body.Entries, again.Entries)
	})
}
