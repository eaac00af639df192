package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waybill-tms/waybill-go"
	"waybill/api/apitest"
	"waybill/api/contract"
)

const idempotencyKey = "Idempotency-Key"

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	nora := object{"name": "Nora"}
	drivers := read[contract.DriverPage](t, o.get(t, "/v1/drivers")).Total
	first := o.expect(t, http.StatusCreated, "POST", "/v1/drivers", nora, idempotencyKey, "key-1")
	require.Empty(t, first.header.Get("Idempotent-Replayed"))

	again := o.expect(t, http.StatusCreated, "POST", "/v1/drivers", nora, idempotencyKey, "key-1")
	require.Equal(t, string(first.body), string(again.body))
	require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	require.Equal(t, first.header.Get("Content-Type"), again.header.Get("Content-Type"))
	require.NotEqual(t, first.header.Get("X-Request-ID"), again.header.Get("X-Request-ID"))
	require.Equal(t, drivers+1, read[contract.DriverPage](t, o.get(t, "/v1/drivers")).Total)

	// A key is its organization's and its operation's.
	require.Equal(t, http.StatusCreated, other.call(t, "POST", "/v1/drivers", nora, idempotencyKey, "key-1").status)
	o.importOrders(t, orders(newOrder("KEY")))
	upsert := object{"internal_order_number": "KEY", "order_products": []object{{"external_id": "B"}}}
	o.expect(t, http.StatusOK, "POST", upsertPath, upsert, idempotencyKey, "key-1")
	o.requireRefused(t, refusal{
		method: "POST", path: "/v1/drivers", body: object{"name": "Else"}, headers: []string{idempotencyKey, "key-1"},
		want: http.StatusUnprocessableEntity, field: idempotencyKey,
	})

	// An answer that is final is kept even when it is a refusal.
	for range 2 {
		a := o.expect(t, http.StatusUnprocessableEntity, "POST", "/v1/drivers", object{"name": ""}, idempotencyKey, "key-2", "Accept-Language", "nb")
		require.Equal(t, "nb", a.header.Get("Content-Language"))
		require.NotEmpty(t, apitest.Status(t, a.body).Message)
	}

	for _, key := range []string{" ", "a b", strings.Repeat("x", 256), "nøkkel"} {
		o.requireRefused(t, refusal{method: "POST", path: "/v1/drivers", body: nora, headers: []string{idempotencyKey, key}, want: 400, field: idempotencyKey})
	}

	// After a day the key is as new.
	_, err := o.admin.Exec(t.Context(), "update idempotency_keys set expires_at = now() - interval '1 second' where org_id = $1 and key = 'key-1'", o.id)
	require.NoError(t, err)
	later := o.expect(t, http.StatusCreated, "POST", "/v1/drivers", object{"name": "Later"}, idempotencyKey, "key-1")
	require.NotEqual(t, string(first.body), string(later.body))
}

func TestIdempotencyKeyOfManyAtOnce(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	c, err := waybill.New("http://"+o.address, o.key, waybill.WithRetries(waybill.Retries{Tries: 1}))
	require.NoError(t, err)
	var wg sync.WaitGroup
	ids := make([]int64, 12)
	for i := range ids {
		wg.Go(func() {
			for ids[i] == 0 {
				driver, err := c.Drivers.Create(t.Context(), waybill.CreateDriverRequest{Name: "One"}, waybill.WithIdempotencyKey("race"))
				if err == nil {
					ids[i] = driver.ID
				} else if !errors.Is(err, waybill.ErrConflict) {
					t.Errorf("neither created nor busy: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	require.Equal(t, 1, one[int](t, shared, "select count(*) from drivers where org_id = $1 and name = 'One'", o.id))
}

// A request that died with its process, before it had done anything, blocks its
// key only until its claim lapses.
func TestIdempotencyKeyOfAnAbandonedRequest(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	body := object{"name": "Nora"}
	o.expect(t, http.StatusCreated, "POST", "/v1/drivers", body, idempotencyKey, "dead")
	_, err := o.admin.Exec(t.Context(), `
		update idempotency_keys set status = null, outcome = null, claimed_until = now() + interval '1 minute' where org_id = $1`, o.id)
	require.NoError(t, err)
	busy := o.expect(t, http.StatusConflict, "POST", "/v1/drivers", body, idempotencyKey, "dead")
	require.Equal(t, int32(10), apitest.Status(t, busy.body).Code)
	seconds, err := strconv.Atoi(busy.header.Get("Retry-After"))
	require.NoError(t, err)
	require.InDelta(t, 10, seconds, 5, "it has been worked on for ten seconds of its seventy")
	o.lapse(t)
	o.expect(t, http.StatusCreated, "POST", "/v1/drivers", body, idempotencyKey, "dead")
}

// lapse ends the claims on the keys of an organization.
func (o *organization) lapse(t *testing.T) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), "update idempotency_keys set claimed_until = now() - interval '1 second' where org_id = $1", o.id)
	require.NoError(t, err)
}

// If a process dies after a request is done, but before the response, the next
// attempt returns the response and does nothing again.
func TestIdempotencyKeyOfALostAnswer(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	forgetAnswers := fmt.Sprintf(`
		create function forget_answers_%[1]d() returns trigger language plpgsql as $$ begin
			new.status := null; new.headers := null; new.body := null; return new; end $$;
		create trigger forget_answers_%[1]d before update on idempotency_keys for each row
			when (new.org_id = %[1]d and new.status is not null) execute function forget_answers_%[1]d()`, o.id)
	_, err := o.admin.Exec(t.Context(), forgetAnswers)
	require.NoError(t, err)
	nora := object{"name": "Nora"}
	first := read[contract.Driver](t, o.expect(t, http.StatusCreated, "POST", "/v1/drivers", nora, idempotencyKey, "lost"))
	o.expect(t, http.StatusConflict, "POST", "/v1/drivers", nora, idempotencyKey, "lost")
	_, err = o.admin.Exec(t.Context(), fmt.Sprintf("drop trigger forget_answers_%d on idempotency_keys", o.id))
	require.NoError(t, err)

	o.lapse(t)
	again := o.expect(t, http.StatusCreated, "POST", "/v1/drivers", nora, idempotencyKey, "lost")
	require.Equal(t, first, read[contract.Driver](t, again))
	require.Equal(t, 1, one[int](t, shared, "select count(*) from drivers where org_id = $1 and name = 'Nora'", o.id))
	kept := o.expect(t, http.StatusCreated, "POST", "/v1/drivers", nora, idempotencyKey, "lost")
	require.Equal(t, string(again.body), string(kept.body))
	require.Equal(t, "true", kept.header.Get("Idempotent-Replayed"))
}
