package planning_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// aStreet imports so many orders from the terminal to stops of one street, 140 m apart, that
// nobody can deliver in time.
func aStreet(d *operationstest.Dispatch, n int, latest string) (numbers []string) {
	d.T.Helper()
	for i := range n {
		number := fmt.Sprintf("S-%d", i)
		numbers = append(numbers, number)
		d.Load(number, "D-1", func(e *order.Request) {
			latitude, longitude := 59.88-float64(i)*0.00126, 10.79
			e.Delivery = &order.LocationRequest{
				Name: "Mosseveien", Earliest: "2026-03-02T07:00:00Z", Latest: latest,
				Address: &order.Address{
					Address1: fmt.Sprintf("Mosseveien %d", 200+2*i), PostalCode: "1169", City: "Oslo", Country: "NO",
					Latitude: &latitude, Longitude: &longitude,
				},
			}
			weight := 15.0
			e.Products[0].Weight = &weight
		})
	}
	return numbers
}

// sequence are the stops of a driver's route, such as "S-1 pickup".
func sequence(d *operationstest.Dispatch, name string) []string {
	d.T.Helper()
	return operationstest.One[[]string](d.Office, `select coalesce(array_agg(o.number || ' ' || s.kind order by s.seq), '{}')
		from plan_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		join drivers r on r.org_id = s.org_id and r.id = s.driver_id where s.org_id = $1 and r.name = $2`, d.Org, name)
}

// loadings counts how often a driver goes to pick up after he has delivered something.
func loadings(d *operationstest.Dispatch, name string) (n int) {
	d.T.Helper()
	delivered := true
	for _, stop := range sequence(d, name) {
		picks := stop[len(stop)-len("pickup"):] == "pickup"
		if picks && delivered {
			n++
		}
		delivered = !picks
	}
	return n
}

func TestOrdersThatAreMovedTogetherAreLoadedOnce(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	numbers := aStreet(d, 5, "2026-03-02T07:20:00Z") // pickups begin at eight
	d.Plan()
	m := moves(d, "Amir", numbers...)
	m.Reason, m.DryRun = "The customer has agreed.", true
	looked, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	m.DryRun = false
	was := operationstest.One[int](d.Office, "select coalesce(sum(driving_seconds), 0) from plan_routes where org_id = $1", d.Org)
	moved, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	require.Equal(t, looked.Driving, moved.Driving)
	require.Equal(t, looked.Breaks, moved.Breaks)
	require.NotEmpty(t, moved.Breaks)
	require.InDelta(t, was+int(moved.Driving.Seconds()),
		operationstest.One[int](d.Office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.Org), 2, "it costs what was said")
	require.Equal(t, 1, loadings(d, "Amir"), "%v", sequence(d, "Amir"))
	d.Holds()
	way := func() int {
		return operationstest.One[int](d.Office, `select meters from plan_routes p join drivers r on r.org_id = p.org_id and r.id = p.driver_id
			where p.org_id = $1 and r.name = 'Amir'`, d.Org)
	}
	whole := way()

	d.Load("A-9", "D-3")
	d.Plan()
	d.Rest()
	for _, number := range numbers {
		require.Equal(t, "Amir", d.DriverOf(number), "planning leaves it there")
	}

	// One of them alone takes about the same way.
	alone := operationstest.NewDispatch(t)
	aStreet(alone, 1, "2026-03-02T07:20:00Z")
	alone.Plan()
	single := moves(alone, "Amir", "S-0")
	single.Reason = m.Reason
	_, err = alone.Planning.MoveOrders(t.Context(), person(alone), single)
	require.NoError(t, err)
	require.InDelta(t, operationstest.One[int](alone.Office, `select meters from plan_routes p join drivers r on r.org_id = p.org_id and r.id = p.driver_id
		where p.org_id = $1 and r.name = 'Amir'`, alone.Org), whole, 1500)
}

func TestOrdersWithoutACommonPlaceAreNamed(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	tons := 900.0
	for n := range 3 {
		d.Load(operationstest.Numbered(n), "D-1", func(e *order.Request) {
			e.VehicleType = &order.Ref{Name: "Truck"}
			if n > 0 {
				heavy := tons + 600
				e.Products[0].Weight = &heavy
			}
		})
	}
	d.Plan()
	m := moves(d, "Jens", "A-0", "A-1", "A-2")
	m.Reason = "All the same."
	_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, fault.Say("plan.no_room_together", "driver", "Jens", "orders", "A-1, A-2"), refused.Text)
}

// handover is that of one driver's route to another one, in the plan as it is.
func handover(d *operationstest.Dispatch, from, to string) planningops.PlanHandover {
	d.T.Helper()
	id := func(name string) int64 {
		return operationstest.One[int64](d.Office, "select id from drivers where org_id = $1 and name = $2", d.Org, name)
	}
	return planningops.PlanHandover{
		Handover: planning.Handover{From: id(from), To: id(to)}, Area: operationstest.Area,
		Seen: operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org),
	}
}

func TestARouteIsHandedOver(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
		lock(d, operationstest.Numbered(n), "Nora")
	}
	d.Load("A-6", "D-2", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Rest()
	require.Equal(t, "Nora", d.DriverOf("A-6"))
	h := handover(d, "Nora", "Jens")
	h.DryRun = true
	rows := d.EveryRow()
	looked, err := d.Planning.HandOverRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, h.Seen, looked.Version)
	require.Len(t, looked.Orders, 6)
	require.Len(t, looked.Stay, 1)
	require.Equal(t, planning.SkillMissing, looked.Stay[0].Why.Code)
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")

	before := sequence(d, "Nora")
	h.DryRun, h.Reason = false, "Nora is ill."
	handed, err := d.Planning.HandOverRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	require.True(t, handed.Applied)
	require.Equal(t, looked.Orders, handed.Orders)
	require.Equal(t, looked.Driving, handed.Driving)
	require.Equal(t, handed.Version, operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org))
	d.Holds()
	var rest []string
	for _, stop := range before {
		if stop != "A-6 pickup" && stop != "A-6 delivery" {
			rest = append(rest, stop)
		}
	}
	require.Equal(t, rest, sequence(d, "Jens"), "the sequence is that of the route")
	require.Equal(t, []string{"A-6 pickup", "A-6 delivery"}, sequence(d, "Nora"))
	require.Equal(t, 6, operationstest.One[int](d.Office, `select count(*) from order_driver_locks l join drivers r
		on r.org_id = l.org_id and r.id = l.driver_id where l.org_id = $1 and r.name = 'Jens' and l.reason = 'Nora is ill.'`, d.Org))
	require.Contains(t, d.Told(), "A-0 order.planned 2 Jens")
	d.Plan()
	require.Equal(t, "Jens", d.DriverOf("A-0"), "planning leaves it there")

	_, err = d.Planning.HandOverRoute(t.Context(), person(d), h)
	require.NoError(t, err, "what stays can be asked for again")
	back := handover(d, "Jens", "Nora")
	back.Orders = handed.Orders[:2]
	back.Seen = h.Seen
	_, err = d.Planning.HandOverRoute(t.Context(), person(d), back)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "they have got another driver since")
	back.Seen = handed.Version
	undone, err := d.Planning.HandOverRoute(t.Context(), person(d), back)
	require.NoError(t, err)
	require.Len(t, undone.Orders, 2)
	require.Len(t, sequence(d, "Nora"), 6)
	d.Holds()
}

func TestImpossibleHandoverIsRefused(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Load("A-0", "D-1")
	d.Plan()
	from, idle := d.DriverOf("A-0"), otherVan(d, "A-0")
	for _, c := range []struct {
		change func(*planningops.PlanHandover)
		text   fault.Text
	}{
		{func(h *planningops.PlanHandover) { *h = handover(d, idle, from) }, fault.Say("plan.no_route", "driver", idle)},
		{func(h *planningops.PlanHandover) { h.To = 999_999 }, fault.Say("plan.no_workday", "driver", "999999")},
	} {
		h := handover(d, from, idle)
		c.change(&h)
		_, err := d.Planning.HandOverRoute(t.Context(), person(d), h)
		var refused *fault.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, c.text, refused.Text)
	}
	h := handover(d, from, idle)
	h.Area.Date = h.Area.Date.AddDate(0, 0, 1)
	_, err := d.Planning.HandOverRoute(t.Context(), person(d), h)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
