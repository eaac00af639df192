package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/order"
)

func TestAValidEntryBecomesAnOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	plan := w.imported(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		r.Reference, r.InternalFreightNumber, r.RouteNumber = "ref", "F1", "R1"
		r.Consignee, r.Consignor = &order.Ref{ID: ptr(int64(receiver))}, &order.Ref{Name: " mottaker "}
		r.Groups = []order.Ref{{Name: "morning"}, {ID: ptr(int64(evening))}, {ID: ptr(int64(morning))}}
		r.Pricing = []order.PriceRequest{{Name: "Freight", Price: "0149.50", Currency: "NOK"}}
		r.CustomFields = []order.CustomFieldValue{
			{ExternalID: "floor", Value: []byte(` {"b": 1.0, "a": 12345678901234567} `)},
		}
		r.Delivery.Skills = []order.SkillRequest{{Name: "tail lift"}, {ID: ptr(int64(cold)), Type: order.SkillProhibited}}
		r.Delivery.Priority = order.PriorityHigh
	}))
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
	require.Equal(t, []event.Kind{event.OrderCreated}, events(plan))
	require.Len(t, plan.Orders, 1)
	o := plan.Results[0].Order
	require.Same(t, plan.Orders[0], o)
	require.Equal(t, order.Registered, o.Status)
	require.Equal(t, order.Header{
		Date: time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC), Reference: "ref",
		CustomerID: fjord, DepartmentID: 7, OrderTypeID: standard,
		VehicleTypeID: van, FreightNumber: "F1", RouteNumber: "R1", ConsigneeID: receiver, ConsignorID: receiver,
	}, o.Header)
	require.True(t, o.InFreight())
	require.Equal(t, []int64{morning, evening}, o.Groups)
	require.Equal(t, []order.Price{{Name: "Freight", Amount: "149.5", Currency: "NOK", Quantity: 1}}, o.Prices)
	require.Equal(t, map[int64]order.FieldValue{1: {JSON: `{"a":12345678901234567,"b":1}`}}, o.CustomFields)
	require.Equal(t, map[int64]order.SkillType{lift: order.SkillRequired, cold: order.SkillProhibited}, o.Delivery.Skills)
	require.Equal(t, order.PriorityHigh, o.Delivery.Priority)
	require.Equal(t, order.PriorityNormal, o.Pickup.Priority)
	require.Equal(t, "A-1", o.Products[0].InstanceNumber)
	require.Equal(t, order.AtomTradeItem, o.Products[0].AtomType)
	require.Equal(t,
		order.Changes{
			New: true, Header: true, Pickup: true, Delivery: true, Products: true, Groups: true, Prices: true, Fields: true,
		},
		o.Changes)
}

func TestTheStrongestReferenceCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ref  order.Ref
		want int64
	}{
		"ID":                      {order.Ref{ID: ptr(int64(nord))}, nord},
		"ExternalID":              {order.Ref{ExternalID: "C-2"}, nord},
		"BusinessName":            {order.Ref{BusinessName: "  NORD as "}, nord},
		"Name":                    {order.Ref{Name: "Nord AS"}, nord},
		"IDBeforeExternalID":      {order.Ref{ID: ptr(int64(fjord)), ExternalID: "C-2", BusinessName: "Mottaker"}, fjord},
		"ExternalIDBeforeName":    {order.Ref{ExternalID: "C-2", BusinessName: "Mottaker"}, nord},
		"BusinessNameBeforeName":  {order.Ref{Name: "Mottaker", BusinessName: "Nord AS"}, nord},
		"AWrongIDIsNotMadeUpFor":  {order.Ref{ID: ptr(int64(0)), ExternalID: "C-2"}, 0},
		"AWrongNumberIsNotEither": {order.Ref{ExternalID: "c-2", BusinessName: "Nord AS"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := setup(t).one(order.Defaults{}, with(entry("A"), func(r *order.Request) { r.Customer = &c.ref }))
			if c.want == 0 {
				require.Equal(t, []order.Code{order.CustomerNotFound}, codes(got))
				return
			}
			require.Equal(t, c.want, got.Order.CustomerID)
		})
	}
}

func TestFallbacksReplaceMissingValues(t *testing.T) {
	t.Parallel()
	d := order.Defaults{
		FallbackCustomer: &order.Ref{ExternalID: "C-2"}, FallbackVehicleType: &order.Ref{Name: "Bike"},
		FallbackOrderType: &order.Ref{Name: "Standard"},
	}
	w := setup(t)
	none := with(entry("A"), func(r *order.Request) { r.Customer, r.VehicleType, r.OrderType = nil, &order.Ref{}, nil })
	o := w.one(d, none).Order
	require.Equal(t, []int64{nord, bike, standard}, []int64{o.CustomerID, o.VehicleTypeID, o.OrderTypeID})

	o = w.one(d, entry("B")).Order
	require.Equal(t, []int64{fjord, van, standard}, []int64{o.CustomerID, o.VehicleTypeID, o.OrderTypeID})

	wrong := with(entry("C"), func(r *order.Request) { r.Customer = &order.Ref{ExternalID: "?"} })
	require.Equal(t, []order.Code{order.CustomerNotFound}, codes(w.one(d, wrong)), "a wrong customer is not a missing one")
}

func TestAFreightTakesAllThree(t *testing.T) {
	t.Parallel()
	party := &order.Ref{ID: ptr(int64(receiver))}
	for _, c := range []struct {
		freight              order.Loose
		consignee, consignor *order.Ref
		want                 bool
	}{
		{"F", party, party, true},
		{"", party, party, false},
		{"F", nil, party, false},
		{"F", party, nil, false},
		{"F", &order.Ref{}, party, false},
	} {
		o := setup(t).one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
			r.InternalFreightNumber, r.Consignee, r.Consignor = c.freight, c.consignee, c.consignor
		})).Order
		require.Equal(t, c.want, o.InFreight())
		require.Equal(t, string(c.freight), o.FreightNumber, "it is kept all the same")
	}
}

func TestADraftIsUpdatedAndThenPromoted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	bad := with(entry("A"), func(r *order.Request) { r.Date = "" })
	plan := w.imported(order.Defaults{}, bad)
	require.Equal(t, []event.Kind{event.DraftCreated}, events(plan))
	first := plan.Drafts[0].ID

	worse := with(bad, func(r *order.Request) { r.Customer = nil })
	plan = w.imported(order.Defaults{}, worse)
	require.Equal(t, []event.Kind{event.DraftUpdated}, events(plan))
	require.Equal(t, first, plan.Results[0].Draft.ID)
	require.Equal(t, worse, plan.Results[0].Draft.Request)

	plan = w.imported(order.Defaults{}, entry("A"))
	require.Equal(t, []order.Kind{order.OrderCreated}, kinds(plan))
	require.Equal(t, first, plan.Drafts[0].ID)
	require.Same(t, plan.Results[0].Order, plan.Drafts[0].Promoted)
	require.Empty(t, w.drafts)
}

func TestADraftIsPromotedWithinAChunk(t *testing.T) {
	t.Parallel()
	bad := with(entry("A"), func(r *order.Request) { r.Date = "" })
	plan := setup(t).imported(order.Defaults{}, bad, bad, entry("A"), bad)
	require.Equal(t,
		[]order.Kind{order.DraftCreated, order.DraftCreated, order.OrderCreated, order.FailedUpdate}, kinds(plan))
	require.Equal(t,
		[]event.Kind{event.DraftCreated, event.DraftUpdated, event.DraftPromoted, event.OrderCreated}, events(plan))
	require.Len(t, plan.Drafts, 1)
	require.Same(t, plan.Results[2].Order, plan.Drafts[0].Promoted)
}

func TestDraftsWithoutANumberAreAllKept(t *testing.T) {
	t.Parallel()
	w := setup(t)
	plan := w.imported(order.Defaults{}, entry(""), entry(long), entry(""))
	require.Len(t, plan.Drafts, 3)
	require.Equal(t, long, plan.Results[1].ExternalID, "the caller finds its entry again")
	require.Equal(t, order.DraftCreated, w.one(order.Defaults{}, entry("")).Kind)
	require.Len(t, w.drafts, 4)
}

func TestTheSameNumberTwiceInAChunkIsOneOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	plan := w.imported(order.Defaults{}, entry("A"),
		with(entry("A"), func(r *order.Request) { r.Reference = "second" }), entry("B"))
	require.Equal(t, []order.Kind{order.OrderCreated, order.OrderUpdated, order.OrderCreated}, kinds(plan))
	require.Same(t, plan.Results[0].Order, plan.Results[1].Order)
	require.Equal(t, "second", w.orders[0].Reference)
	require.Len(t, plan.Orders, 2)
	require.Len(t, plan.Numbers, 2)
}
