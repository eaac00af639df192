package orders_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

func TestTheNextNumberIsProposed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	proposed := func(authorization string) string {
		w := d.Send(http.MethodGet, "/v2/orders/next-number", "", "Authorization", authorization)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var next contract.NextOrderNumber
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &next))
		if next.Number.IsNull() {
			return ""
		}
		return next.Number.MustGet()
	}
	made := func(numbers ...string) {
		for _, number := range numbers {
			w := d.ask(http.MethodPost, "/v1/orders", handwritten(object{"internal_order_number": number}))
			require.Equal(t, http.StatusCreated, w.Code, w.Body)
		}
	}
	d.Import("SO-2026-00042")
	require.Empty(t, proposed(d.dispatcher), "the system that orders come from counts its own numbers on")
	made("BD-0099")
	require.Equal(t, "BD-0100", proposed(d.dispatcher))
	d.Import("BD-0100")
	draft := d.ask(http.MethodPost, "/v1/orders?as_draft=true",
		handwritten(object{"internal_order_number": "BD-0101", "customer": nil}))
	require.Equal(t, http.StatusAccepted, draft.Code, draft.Body)
	require.Equal(t, "BD-0102", proposed(d.dispatcher), "numbers that orders and drafts have are passed over")
	require.Equal(t, http.StatusCreated, d.ask(http.MethodPost, "/v1/orders", handwritten()).Code)
	require.Equal(t, "BD-0102", proposed(d.dispatcher), "a number that was drawn is nobody's pattern")
	require.Equal(t, http.StatusConflict,
		d.ask(http.MethodPost, "/v1/orders", handwritten(object{"internal_order_number": "BD-0100"})).Code)
	require.Equal(t, "BD-0102", proposed(d.dispatcher), "what was refused was not chosen")
	made("URGENT")
	require.Empty(t, proposed(d.dispatcher))
	require.Empty(t, proposed(d.AsRole(d.Other, caller.Dispatcher)), "each organization has its own")
	w := d.Send(http.MethodGet, "/v2/orders/next-number", "", "Authorization", d.AsRole(d.Org, caller.Support))
	require.Equal(t, http.StatusForbidden, w.Code)
}
