package operations_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	planningops "waybill/operations/planning"
)

// aStreet imports so many orders from the terminal to stops of one street, 140 m apart, that
// nobody can deliver in time.
func (d *dispatch) aStreet(n int, latest string) (numbers []string) {
	d.t.Helper()
	for i := range n {
		number := fmt.Sprintf("S-%d", i)
		numbers = append(numbers, number)
		d.load(number, "D-1", func(e *order.Request) {
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
func (d *dispatch) sequence(name string) []string {
	d.t.Helper()
	return one[[]string](d.office, `select coalesce(array_agg(o.number || ' ' || s.kind order by s.seq), '{}')
		from plan_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		join drivers r on r.org_id = s.org_id and r.id = s.driver_id where s.org_id = $1 and r.name = $2`, d.org, name)
}

// loadings counts how often a driver goes to pick up after he has delivered something.
func (d *dispatch) loadings(name string) (n int) {
	d.t.Helper()
	delivered := true
	for _, stop := range d.sequence(name) {
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
	d := newDispatch(t)
	numbers := d.aStreet(5, "2026-03-02T07:20:00Z") // pickups begin at eight
	d.plan()
	m := d.moves("Amir", numbers...)
	m.Reason, m.DryRun = "The customer has agreed.", true
	looked, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.NoError(t, err)
	m.DryRun = false
	was := one[int](d.office, "select coalesce(sum(driving_seconds), 0) from plan_routes where org_id = $1", d.org)
	moved, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.NoError(t, err)
	require.Equal(t, looked.Driving, moved.Driving)
	require.Equal(t, looked.Breaks, moved.Breaks)
	require.NotEmpty(t, moved.Breaks)
	require.InDelta(t, was+int(moved.Driving.Seconds()),
		one[int](d.office, "select sum(driving_seconds) from plan_routes where org_id = $1", d.org), 2, "it costs what was said")
	require.Equal(t, 1, d.loadings("Amir"), "%v", d.sequence("Amir"))
	d.holds()
	way := func() int {
		return one[int](d.office, `select meters from plan_routes p join drivers r on r.org_id = p.org_id and r.id = p.driver_id
			where p.org_id = $1 and r.name = 'Amir'`, d.org)
	}
	whole := way()

	d.load("A-9", "D-3")
	d.plan()
	d.rest()
	for _, number := range numbers {
		require.Equal(t, "Amir", d.driverOf(number), "planning leaves it there")
	}

	// One of them alone takes about the same way.
	alone := newDispatch(t)
	alone.aStreet(1, "2026-03-02T07:20:00Z")
	alone.plan()
	single := alone.moves("Amir", "S-0")
	single.Reason = m.Reason
	_, err = alone.Planning.MoveOrders(t.Context(), alone.person(), single)
	require.NoError(t, err)
	require.InDelta(t, one[int](alone.office, `select meters from plan_routes p join drivers r on r.org_id = p.org_id and r.id = p.driver_id
		where p.org_id = $1 and r.name = 'Amir'`, alone.org), whole, 1500)
}

func TestOrdersThatFindNoPlaceTogetherAreNamed(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	tons := 900.0
	for n := range 3 {
		d.load(numbered(n), "D-1", func(e *order.Request) {
			e.VehicleType = &order.Ref{Name: "Truck"}
			if n > 0 {
				heavy := tons + 600
				e.Products[0].Weight = &heavy
			}
		})
	}
	d.plan()
	m := d.moves("Jens", "A-0", "A-1", "A-2")
	m.Reason = "All the same."
	_, err := d.Planning.MoveOrders(t.Context(), d.person(), m)
	require.Equal(t, fault.IllegalState, fault.KindOf(err))
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, fault.Say("plan.no_room_together", "driver", "Jens", "orders", "A-1, A-2"), refused.Text)
}

// handover is that of one driver's route to another one, in the plan as it is.
func (d *dispatch) handover(from, to string) planningops.PlanHandover {
	d.t.Helper()
	id := func(name string) int64 {
		return one[int64](d.office, "select id from drivers where org_id = $1 and name = $2", d.org, name)
	}
	return planningops.PlanHandover{
		Handover: planning.Handover{From: id(from), To: id(to)}, Area: area,
		Seen: one[int64](d.office, "select version from plans where org_id = $1", d.org),
	}
}

func TestARouteIsHandedOver(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	for n := range 6 {
		d.load(numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
		d.lock(numbered(n), "Nora")
	}
	d.load("A-6", "D-2", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.rest()
	require.Equal(t, "Nora", d.driverOf("A-6"))
	h := d.handover("Nora", "Jens")
	h.DryRun = true
	rows := d.everyRow()
	looked, err := d.Planning.HandOverRoute(t.Context(), d.person(), h)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, h.Seen, looked.Version)
	require.Len(t, looked.Orders, 6)
	require.Len(t, looked.Stay, 1)
	require.Equal(t, planning.SkillMissing, looked.Stay[0].Why.Code)
	require.Equal(t, rows, d.everyRow(), "a dry run writes nothing")

	before := d.sequence("Nora")
	h.DryRun, h.Reason = false, "Nora is ill."
	handed, err := d.Planning.HandOverRoute(t.Context(), d.person(), h)
	require.NoError(t, err)
	require.True(t, handed.Applied)
	require.Equal(t, looked.Orders, handed.Orders)
	require.Equal(t, looked.Driving, handed.Driving)
	require.Equal(t, handed.Version, one[int64](d.office, "select version from plans where org_id = $1", d.org))
	d.holds()
	var rest []string
	for _, stop := range before {
		if stop != "A-6 pickup" && stop != "A-6 delivery" {
			rest = append(rest, stop)
		}
	}
	require.Equal(t, rest, d.sequence("Jens"), "the sequence is that of the route")
	require.Equal(t, []string{"A-6 pickup", "A-6 delivery"}, d.sequence("Nora"))
	require.Equal(t, 6, one[int](d.office, `select count(*) from order_driver_locks l join drivers r
		on r.org_id = l.org_id and r.id = l.driver_id where l.org_id = $1 and r.name = 'Jens' and l.reason = 'Nora is ill.'`, d.org))
	require.Contains(t, d.told(), "A-0 order.planned 2 Jens")
	d.plan()
	require.Equal(t, "Jens", d.driverOf("A-0"), "planning leaves it there")

	_, err = d.Planning.HandOverRoute(t.Context(), d.person(), h)
	require.NoError(t, err, "what stays can be asked for again")
	back := d.handover("Jens", "Nora")
	back.Orders = handed.Orders[:2]
	back.Seen = h.Seen
	_, err = d.Planning.HandOverRoute(t.Context(), d.person(), back)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "they have got another driver since")
	back.Seen = handed.Version
	undone, err := d.Planning.HandOverRoute(t.Context(), d.person(), back)
	require.NoError(t, err)
	require.Len(t, undone.Orders, 2)
	require.Len(t, d.sequence("Nora"), 6)
	d.holds()
}

func TestAHandoverThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDispatch(t)
	d.load("A-0", "D-1")
	d.plan()
	from, idle := d.driverOf("A-0"), d.otherVan("A-0")
	for _, c := range []struct {
		change func(*planningops.PlanHandover)
		text   fault.Text
	}{
		{func(h *planningops.PlanHandover) { *h = d.handover(idle, from) }, fault.Say("plan.no_route", "driver", idle)},
		{func(h *planningops.PlanHandover) { h.To = 999_999 }, fault.Say("plan.no_workday", "driver", "999999")},
	} {
		h := d.handover(from, idle)
		c.change(&h)
		_, err := d.Planning.HandOverRoute(t.Context(), d.person(), h)
		var refused *fault.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, c.text, refused.Text)
	}
	h := d.handover(from, idle)
	h.Area.Date = h.Area.Date.AddDate(0, 0, 1)
	_, err := d.Planning.HandOverRoute(t.Context(), d.person(), h)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
