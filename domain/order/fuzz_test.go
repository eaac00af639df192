package order_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

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
}

func FuzzDecide(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, err := wire.Decode(bytes.NewReader(raw))
		if err != nil || len(body.Entries) > 100 {
			return
		}
		entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
		require.NoError(t, err)
		w := setup(t)
		w.imported(order.Defaults{}, full("K", "old"), entry("M"))
		plan := w.imported(body.Defaults, entries...)
		var accepted []order.Request
		seenBefore := map[string]bool{}
		for i, r := range plan.Results {
			if r.Order != nil && !seenBefore[r.ExternalID] {
				accepted = append(accepted, entries[i])
			}
			if seenBefore[r.ExternalID] {
				return // the same number twice takes turns
			}
			seenBefore[r.ExternalID] = true
		}
		unchanged(t, w.imported(body.Defaults, accepted...))
	})
}
