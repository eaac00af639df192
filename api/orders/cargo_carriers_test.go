package orders_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
)

const movements = "/v2/cargo-carrier-movements"

// pallet sets up a kind of load carrier, and returns its id.
func (d desk) pallet() int64 {
	d.T.Helper()
	w := d.Send(http.MethodPut, "/v2/cargo-carriers", `{"code": "EUR1", "name": "EUR pallet", "unitValue": "110"}`,
		"Authorization", d.AsRole(d.Org, caller.Admin))
	require.Equal(d.T, http.StatusOK, w.Code, w.Body)
	var made contract.CargoCarrier
	require.NoError(d.T, json.Unmarshal(w.Body.Bytes(), &made))
	return made.ID
}

func (d desk) customer() int64 { return d.ID("select min(id) from customers where org_id = $1") }

func TestLoadCarriersAreKeptByCode(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	admin := d.AsRole(d.Org, caller.Admin)
	first := d.pallet()
	for _, body := range []string{
		`{}`, `{"name": "x"}`, `{"code": " ", "name": "x"}`, `{"code": "EUR1", "name": " "}`,
		`{"code": "EUR1", "name": "x", "unitValue": "1e3"}`, `{"code": "EUR1", "name": "x", "unitValue": "-1"}`,
	} {
		w := d.Send(http.MethodPut, "/v2/cargo-carriers", body, "Authorization", admin)
		require.Equal(t, http.StatusBadRequest, w.Code, body)
	}
	w := d.Send(
		http.MethodPut, "/v2/cargo-carriers", `{"code": "EUR1", "name": "Pallet", "isActive": false}`, "Authorization",
		admin,
	)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.JSONEq(t, fmt.Sprintf(`{"items": [{"id": %d, "code": "EUR1", "name": "Pallet", "isActive": false}]}`, first),
		d.ask(http.MethodGet, "/v2/cargo-carriers", nil).Body.String())
	w = d.ask(http.MethodPost, movements, object{"cargoCarrierId": first, "customerId": d.customer(), "quantity": 1})
	require.Equal(t, http.StatusNotFound, w.Code, "it is not in use any more")
	require.Equal(t, "cargo_carrier.created cargo_carrier.updated",
		d.Text("select string_agg(kind, ' ' order by id) from events where org_id = $1 and subject_type = 'cargo_carrier'"))
}

func TestMovementsMakeBalances(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	pallet, customer, order := d.pallet(), d.customer(), d.Import("A-1")
	send := func(body object, headers ...string) (m contract.CargoCarrierMovement) {
		w := d.ask(http.MethodPost, movements, body, headers...)
		require.Equal(t, http.StatusCreated, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &m))
		return m
	}
	got := object{"cargoCarrierId": pallet, "customerId": customer, "quantity": 12, "orderId": order, "signee": "Kari"}
	first := send(got, "Idempotency-Key", "k")
	require.Equal(t, first, send(got, "Idempotency-Key", "k"), "it is recorded once")
	require.EqualValues(t, 7, send(object{"cargoCarrierId": pallet, "customerId": customer, "quantity": -5}).Balance)
	require.Contains(t, d.log(order), "cargo_carrier.moved", "it is one of the order's story")

	var accounts contract.CargoCarrierAccountList
	path := fmt.Sprintf("/v2/cargo-carrier-accounts?customerId=%d", customer)
	require.NoError(t, json.Unmarshal(d.ask(http.MethodGet, path, nil).Body.Bytes(), &accounts))
	require.Len(t, accounts.Items, 1)
	require.EqualValues(t, 7, accounts.Items[0].Balance)

	reverse := fmt.Sprintf("%s/%d/reverse", movements, first.MovementID)
	require.Equal(t, http.StatusCreated, d.ask(http.MethodPost, reverse, object{"comment": "counted twice"}).Code)
	require.Equal(t, "CARGO_CARRIER_REVERSED", apitest.Refusal(t, d.ask(http.MethodPost, reverse, object{})))

	account := fmt.Sprintf("/v2/cargo-carrier-accounts/%d/movements", first.AccountID)
	var page contract.CargoCarrierMovementList
	require.NoError(t, json.Unmarshal(d.ask(http.MethodGet, account+"?pageSize=2", nil).Body.Bytes(), &page))
	require.Equal(t, "-5 12", fmt.Sprint(page.Items[0].Balance, " ", -page.Items[0].Quantity))
	require.Equal(t, "EUR1 -5", fmt.Sprint(page.Account.CargoCarrier.Code, " ", page.Account.Balance))
	require.True(t, page.HasMore)
	require.NoError(t, json.Unmarshal(d.ask(http.MethodGet, account+"?token="+page.NextToken, nil).Body.Bytes(), &page))
	require.Len(t, page.Items, 1)
	require.Equal(t, first.MovementID, page.Items[0].MovementID)
	require.NotNil(t, page.Items[0].ReversedBy)

	outsider := d.AsRole(d.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodGet, account, "", "Authorization", outsider).Code)
	require.Equal(t, http.StatusNotFound, d.Send(http.MethodPost, reverse, "{}", "Authorization", outsider).Code)
}

func TestMovementsAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	pallet, customer := d.pallet(), d.customer()
	for want, bodies := range map[int][]object{
		http.StatusBadRequest: {
			{},
			{"cargoCarrierId": pallet, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer, "quantity": 0},
			{"cargoCarrierId": pallet, "customerId": customer, "locationId": 1, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer, "quantity": 1_000_001},
			{"cargoCarrierId": pallet, "customerId": -1, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer, "quantity": 1, "occurredAt": "0001-01-01T00:00:00Z"},
		},
		http.StatusNotFound: {
			{"cargoCarrierId": pallet + 999, "customerId": customer, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer + 999999, "quantity": 1},
			{"cargoCarrierId": pallet, "locationId": 999999, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer, "orderId": 999999, "quantity": 1},
			{"cargoCarrierId": pallet, "customerId": customer, "driverId": 999999, "quantity": 1},
		},
	} {
		for _, body := range bodies {
			require.Equal(t, want, d.ask(http.MethodPost, movements, body).Code, body)
		}
	}
	require.Equal(t, "0", d.Text("select count(*)::text from cargo_carrier_accounts where org_id = $1"))
}
