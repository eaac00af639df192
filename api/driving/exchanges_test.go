package driving_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

// carrier makes a kind of load carrier of an organization.
func (d depot) carrier(org int64, code string) int64 {
	d.T.Helper()
	var id int64
	require.NoError(d.T, d.Owner.QueryRow(d.T.Context(),
		"insert into cargo_carriers (org_id, code, name) values ($1, $2, $2 || ' pallet') returning id", org, code).Scan(&id))
	return id
}

// swap returns a driver's exchange: kinds, how many stay, and how many are taken
// along.
func swap(lines ...[3]int64) object {
	said := make([]object, len(lines))
	for i, l := range lines {
		said[i] = object{"cargoCarrierId": l[0], "delivered": l[1], "collected": l[2]}
	}
	return object{"cargoCarriers": said}
}

// moved are all movements, by their place and kind.
func (d depot) moved() string {
	return d.Text(`select coalesce(string_agg(concat_ws(' ', l.external_id, c.code, m.quantity, m.balance,
			'driver='||m.driver_id, m.comment, 'back='||(m.reverses is not null)::text), E'\n' order by m.id), '')
		from cargo_carrier_movements m
		join cargo_carrier_accounts a on a.org_id = m.org_id and a.id = m.account_id
		join cargo_carriers c on c.org_id = m.org_id and c.id = a.cargo_carrier_id
		join locations l on l.org_id = m.org_id and l.id = a.location_id
		where m.org_id = $1`)
}

func TestLoadCarriersAreExchanged(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	eur, cage := d.carrier(d.Org, "EUR"), d.carrier(d.Org, "CAGE")
	nora := d.phone("Nora")
	id, pickup, delivery := nora.give("A-1")
	who := fmt.Sprintf("driver=%d", nora.driver)
	swapped := nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 10*minute,
		swap([3]int64{cage, 0, 3}, [3]int64{eur, 12, 5}), object{"comment": "One is cracked"})
	require.Equal(t, []string{"APPLIED 2"}, outcomes(nora.says(swapped)), "nobody has to have arrived")
	want := strings.Join([]string{
		"L-2 EUR 12 12 " + who + " One is cracked back=false",
		"L-2 EUR -5 7 " + who + " One is cracked back=false",
		"L-2 CAGE -3 -3 " + who + " One is cracked back=false",
	}, "\n")
	require.Equal(t, want, d.moved())
	require.Equal(t, "cargo_carriers CAGE pallet −3, EUR pallet +12 −5: One is cracked", d.Text(
		`select type||' '||comment from order_documentations where org_id = $1`))
	require.Equal(t, "12, -5, -3", d.Text(`select string_agg(data->>'quantity', ', ' order by id) from events
		where org_id = $1 and kind = 'cargo_carrier.moved' and order_id = $2 and driver_id = $3
			and occurred_at < now() - interval '9 minutes'`, id, nora.driver))
	require.Contains(t, d.story(id), "order.driver_acted "+who)

	again := nora.says(swapped)
	require.True(t, again[0].Repeated)
	require.Equal(t, want, d.moved(), "sent again, it moves nothing")

	back := nora.did("EXCHANGE_CARGO_CARRIERS", pickup, 50*time.Second, swap([3]int64{eur, 4, 6}))
	undo := func() object {
		return nora.did("UNDO", pickup, 10*time.Second, object{"undoes": back["id"]})
	}
	require.Equal(t, []string{"APPLIED 2", "APPLIED 2", "APPLIED 2"}, outcomes(nora.says(back, undo(), undo())))
	require.Equal(t, strings.Join([]string{
		want, "L-1 EUR 4 4 " + who + " back=false", "L-1 EUR -6 -2 " + who + " back=false",
		"L-1 EUR -4 -6 " + who + " back=true", "L-1 EUR 6 0 " + who + " back=true",
	}, "\n"), d.moved(), "taken back once, however often that is said")
	require.Equal(t, "7", d.Text("select count(*)::text from events where org_id = $1 and kind = 'cargo_carrier.moved'"))
}

// TestReversedExchangeCannotBeUndone leaves the driver nothing to reverse.
func TestReversedExchangeCannotBeUndone(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	eur := d.carrier(d.Org, "EUR")
	nora := d.phone("Nora")
	_, _, delivery := nora.give("A-1")
	swapped := nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 50*time.Second, swap([3]int64{eur, 12, 0}))
	nora.says(swapped)
	first := d.ID("select id from cargo_carrier_movements where org_id = $1")
	path := fmt.Sprintf("/v2/cargo-carrier-movements/%d/reverse", first)
	w := d.Send(http.MethodPost, path, `{}`, "Authorization", d.dispatcher, "Idempotency-Key", "a")
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	require.Equal(t, []string{"APPLIED 2"}, outcomes(nora.says(
		nora.did("UNDO", delivery, 10*time.Second, object{"undoes": swapped["id"]}))))
	require.Equal(t, "0 2", d.Text(`select concat_ws(' ', (select balance from cargo_carrier_accounts where org_id = $1),
		(select count(*) from cargo_carrier_movements where org_id = $1))`))
	late := nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 50*time.Second, swap([3]int64{eur, 1, 0}))
	require.Equal(t, []string{"RECORDED NOTHING_TO_UNDO 2", "RECORDED UNDONE 2"}, outcomes(nora.says(
		nora.did("UNDO", delivery, 10*time.Second, object{"undoes": late["id"]}), late)), "the undo came first")
	require.Equal(t, "2", d.Text("select count(*)::text from cargo_carrier_movements where org_id = $1"))
}

// TestExchangeCountsAfterOfficeChanges: load carriers change hands in the yard, and
// not in the office.
func TestExchangeCountsAfterOfficeChanges(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	eur := d.carrier(d.Org, "EUR")
	nora, jens := d.phone("Nora"), d.phone("Jens")
	id, _, delivery := nora.give("A-1")
	w := d.Send(http.MethodPost, "/v2/orders/cancel-orders", `{"externalIds": ["A-1"]}`, "Authorization", d.dispatcher)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	d.exec("update cargo_carriers set is_active = false where org_id = $1")
	require.Equal(t, []string{"APPLIED 8"}, outcomes(nora.says(
		nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, swap([3]int64{eur, 2, 0})))))
	require.Equal(t, "2", d.Text("select balance::text from cargo_carrier_accounts where org_id = $1"))

	org := d.ID(`insert into organizations (slug, name, timezone)
		select slug || '-2', 'Other', timezone from organizations where id = $1 returning id`)
	theirs := d.carrier(org, "EUR")
	require.Equal(t, []string{"REJECTED UNKNOWN_CARGO_CARRIER 8", "REJECTED UNKNOWN_CARGO_CARRIER 8"}, outcomes(nora.says(
		nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, swap([3]int64{eur, 1, 0}, [3]int64{theirs, 1, 0})),
		nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, swap([3]int64{1 << 40, 1, 0})))))
	require.Equal(t, []string{"REJECTED UNKNOWN_STOP"}, outcomes(jens.says(
		jens.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, swap([3]int64{eur, 1, 0})))))
	require.Equal(t, "1", d.Text("select count(*)::text from cargo_carrier_movements where org_id = $1"))
	require.Equal(t, "3", d.Text(`select sum(times)::text from exceptions
		where org_id = $1 and kind = 'BAD_ORDER_OF_ACTIONS'`), "the office hears of what cannot be")
	require.NotContains(t, d.story(id), "UNKNOWN_CARGO_CARRIER")

	for field, said := range map[string]object{
		"actions[0].cargoCarriers":                   {},
		"actions[0].cargoCarriers[0].cargoCarrierId": swap([3]int64{0, 1, 0}),
		"actions[0].cargoCarriers[0].delivered":      swap([3]int64{eur, -1, 0}),
		"actions[0].cargoCarriers[0].collected":      swap([3]int64{eur, 0, 10_001}),
		"actions[0].cargoCarriers[1].cargoCarrierId": swap([3]int64{eur, 1, 0}, [3]int64{eur, 1, 0}),
	} {
		w := nora.post(nora.did("NOTE", delivery, 0), nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, said))
		field = strings.Replace(field, "[0]", "[1]", 1)
		require.Equal(t, http.StatusBadRequest, w.Code, "%s: %s", field, w.Body)
		bad, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsBadRequestDetail()
		require.NoError(t, err)
		require.Equal(t, field, bad.FieldViolations[0].Field)
	}
	huge := swap([3]int64{eur, 1 << 40, 0})
	require.Equal(t, http.StatusBadRequest, nora.post(nora.did("EXCHANGE_CARGO_CARRIERS", delivery, 0, huge)).Code)
	require.Equal(t, "0", d.Text("select count(*)::text from driver_actions where org_id = $1 and type = 'NOTE'"))
}

// TestBalancesAddUpWithDrivers has drivers exchange load carriers and undo
// that, the office move and reverse them, and phones repeat requests, all
// concurrently at the same locations. Each balance is the sum of its movements,
// and nothing happens twice.
func TestBalancesAddUpWithDrivers(t *testing.T) {
	t.Parallel()
	const drivers, steps = 4, 12
	d := newDepot(t)
	kinds := []int64{d.carrier(d.Org, "EUR"), d.carrier(d.Org, "CAGE"), d.carrier(d.Org, "BOX")}
	phones, stops := make([]*phone, drivers), make([][]int64, drivers)
	for i := range drivers {
		phones[i] = d.phone(fmt.Sprint("D", i))
		_, pickup, delivery := phones[i].give(fmt.Sprint("A-", i))
		stops[i] = []int64{pickup, delivery}
	}
	place := d.ID("select location_id from order_stops where org_id = $1 and id = $2", stops[0][1])
	counted := 0
	var all sync.WaitGroup
	var mu sync.Mutex
	for i, p := range phones {
		all.Go(func() {
			for range steps {
				stop := stops[i][rand.IntN(2)]
				rand := rand.Perm(len(kinds))
				swapped := p.did("EXCHANGE_CARGO_CARRIERS", stop, 40*time.Second,
					swap([3]int64{kinds[rand[0]], 5, 3}, [3]int64{kinds[rand[1]], 0, 2}))
				var both sync.WaitGroup
				for range 2 { // the phone does not know whether the first one arrived
					both.Go(func() { p.says(swapped) })
				}
				both.Wait()
				mu.Lock()
				counted += 3
				mu.Unlock()
				if rand[0] == 0 {
					undo := p.did("UNDO", stop, 5*time.Second, object{"undoes": swapped["id"]})
					both.Go(func() { p.says(undo) })
					both.Go(func() { p.says(undo) })
					both.Wait()
					mu.Lock()
					counted += 3
					mu.Unlock()
				}
			}
		})
	}
	all.Go(func() {
		for i := range steps {
			body := fmt.Sprintf(`{"cargoCarrierId": %d, "locationId": %d, "quantity": 7}`, kinds[i%len(kinds)], place)
			w := d.Send(http.MethodPost, "/v2/cargo-carrier-movements", body, "Authorization", d.dispatcher,
				"Idempotency-Key", fmt.Sprint(i))
			if w.Code != http.StatusCreated {
				t.Errorf("move: %s", w.Body)
			}
		}
	})
	all.Wait()
	require.Equal(t, fmt.Sprint(counted+steps), d.Text(
		"select count(*)::text from cargo_carrier_movements where org_id = $1"))
	require.Equal(t, "0", d.Text(`select count(*)::text from cargo_carrier_accounts a where a.org_id = $1 and a.balance <>
		(select sum(m.quantity) from cargo_carrier_movements m where m.org_id = a.org_id and m.account_id = a.id)`))
	require.Equal(t, "0", d.Text(`select count(*)::text from (
		select balance, sum(quantity) over (partition by account_id order by id) as sum
		from cargo_carrier_movements where org_id = $1) x where balance <> sum`), "the running balances")
	require.Equal(t, "0", d.Text(`select count(*)::text from cargo_carrier_movements r
		join cargo_carrier_movements m on m.org_id = r.org_id and m.id = r.reverses
		where r.org_id = $1 and (r.quantity <> -m.quantity or r.account_id <> m.account_id or m.reverses is not null)`))
	require.Equal(t, fmt.Sprint(counted+steps), d.Text(
		"select count(*)::text from events where org_id = $1 and kind = 'cargo_carrier.moved'"))
}

func TestARouteNamesTheLoadCarriersInUse(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	route := func() string {
		w := d.Send(http.MethodGet, "/v1/driver/route", "", "Authorization", nora.header)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		return w.Body.String()
	}
	require.Contains(t, strings.ReplaceAll(route(), " ", ""), `"cargoCarriers":[]`)
	eur := d.carrier(d.Org, "EUR")
	d.carrier(d.Org, "OLD")
	d.exec("update cargo_carriers set is_active = false where org_id = $1 and code = 'OLD'")
	require.Contains(t, strings.ReplaceAll(route(), " ", ""),
		fmt.Sprintf(`"cargoCarriers":[{"id":%d,"code":"EUR","name":"EURpallet"}]`, eur))
}
