package masterdata_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/storetest"
)

// yard is an office with pallets, and customers who exchange them.
type yard struct {
	*operationstest.Office

	clerk     caller.Caller
	carrier   int64
	customers []int64
}

func newYard(t *testing.T) yard {
	t.Helper()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	y := yard{Office: o, clerk: operationstest.Clerk(org)}
	pallet, err := o.MasterData.SaveCargoCarrier(t.Context(), y.clerk, store.CargoCarrier{Code: "EUR1", Name: "EUR pallet", IsActive: true})
	require.NoError(t, err)
	y.carrier = pallet.ID
	y.customers = operationstest.One[[]int64](o, `with c as (
		insert into customers (org_id, business_name) select $1, 'C' || i from generate_series(1, 3) i returning id)
		select array_agg(id order by id) from c`, org)
	return y
}

func (y yard) move(customer int64, quantity int32) (store.CargoMoved, error) {
	return y.MasterData.MoveCargoCarriers(y.T.Context(), y.clerk, store.CargoMove{
		CarrierID: y.carrier, CustomerID: customer, Quantity: quantity, OccurredAt: time.Now(),
	})
}

func TestAMovementIsReversedOnce(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	first, err := y.move(y.customers[0], 12)
	require.NoError(t, err)
	require.EqualValues(t, 12, first.Balance)
	second, err := y.move(y.customers[0], -5)
	require.NoError(t, err)
	require.EqualValues(t, 7, second.Balance)
	back, err := y.MasterData.ReverseCargoMovement(t.Context(), y.clerk, first.ID, "counted twice")
	require.NoError(t, err)
	require.EqualValues(t, -5, back.Balance)
	require.Equal(t, first.ID, back.Reverses)
	_, err = y.MasterData.ReverseCargoMovement(t.Context(), y.clerk, first.ID, "")
	require.ErrorContains(t, err, "cargo_carrier.reversed")
	_, err = y.MasterData.ReverseCargoMovement(t.Context(), y.clerk, back.ID, "")
	require.ErrorContains(t, err, "cargo_carrier.is_reversal")
	other := operationstest.Clerk(storetest.Organization(t, y.Database, "other"))
	_, err = y.MasterData.ReverseCargoMovement(t.Context(), other, second.ID, "")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	require.Equal(t, 3, operationstest.One[int](y.Office, "select count(*) from events where kind = 'cargo_carrier.moved' and data ->> 'carrier' = 'EUR1'"))
}

// TestBalancesAddUp has many move pallets and take movements back at once, several the
// same one: each balance is the sum of its movements, each movement says what the
// balance was behind it, and nothing is taken back twice.
func TestBalancesAddUp(t *testing.T) {
	t.Parallel()
	const workers, steps = 8, 20
	y := newYard(t)
	var made sync.Map
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range steps {
				if rand.IntN(3) > 0 {
					moved, err := y.move(y.customers[rand.IntN(len(y.customers))], int32(1+rand.IntN(50))*int32(1-2*rand.IntN(2)))
					if err != nil {
						t.Errorf("move: %v", err)
					}
					made.Store(moved.ID, true)
					continue
				}
				made.Range(func(id, _ any) bool {
					_, err := y.MasterData.ReverseCargoMovement(t.Context(), y.clerk, id.(int64), "")
					if err != nil && fault.KindOf(err) != fault.IllegalState {
						t.Errorf("reverse: %v", err)
					}
					return rand.IntN(3) > 0
				})
			}
		})
	}
	wg.Wait()
	require.Positive(t, operationstest.One[int](y.Office, "select count(*) from cargo_carrier_movements where reverses is not null"))
	require.Zero(t, operationstest.One[int](y.Office, `
		select count(*) from cargo_carrier_accounts a where a.balance <>
			(select sum(m.quantity) from cargo_carrier_movements m where m.org_id = a.org_id and m.account_id = a.id)`))
	require.Zero(t, operationstest.One[int](y.Office, `
		select count(*) from (select balance, sum(quantity) over (partition by account_id order by id) as sum
			from cargo_carrier_movements) x where balance <> sum`), "the running balances")
	require.Zero(t, operationstest.One[int](y.Office, `
		select count(*) from cargo_carrier_movements r join cargo_carrier_movements m on m.id = r.reverses
		where r.quantity <> -m.quantity or r.account_id <> m.account_id or m.reverses is not null`))
	require.Equal(t, operationstest.One[int](y.Office, "select count(*) from cargo_carrier_movements"),
		operationstest.One[int](y.Office, "select count(*) from events where kind = 'cargo_carrier.moved'"))
}
