package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/domain/driving"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/domain/planning"
	"waybill/store/queries"
)

// loadOrdersToPlan reads the orders of an area with their requirements.
func (t *Tx) loadOrdersToPlan(ctx context.Context, of *scope, day *planning.Day) error {
	rows, err := t.ordersToPlan(ctx, of)
	if err != nil {
		return err
	}
	if of.read == nil {
		day.Orders, err = t.ordersOf(ctx, of, rows)
		return err
	}
	day.Orders, err = of.read.orders(ctx, t, of, rows)
	return err
}

// ordersOf reads the orders' requirements.
func (t *Tx) ordersOf(ctx context.Context, of *scope, rows []queries.OrdersToPlanRow) ([]planning.Order, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	l := orderLoader{
		t: t, of: of, places: make(map[int64]int, len(rows)), rows: rows, orders: make([]planning.Order, len(rows)),
		goods: map[int][3]float64{},
	}
	for i := range rows {
		r := &rows[i]
		l.places[r.ID] = i
		l.ids = append(l.ids, r.ID)
		l.orders[i] = planning.Order{
			ID: r.ID, Number: r.Number, Status: order.Status(r.StatusID), DriverID: r.DriverID, Away: r.Away,
			VehicleTypeID: r.VehicleTypeID, CustomerID: r.CustomerID, PlannedSeconds: r.PlannedSeconds, Priority: r.TypePriority,
		}
		if err := askOfOrder(&l.orders[i], []byte(r.Asks)); err != nil {
			return nil, err
		}
	}
	for _, step := range []struct {
		name string
		load func(context.Context) error
	}{
		{"stops", l.loadStops},
		{"products", l.loadProducts},
		{"skills", l.loadSkills},
		{"prohibited drivers", l.loadProhibitions},
		{"exports", l.loadExports},
		{"locks", l.loadLocks},
		{"calendars", l.loadClosings},
	} {
		if err := step.load(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	l.setTimes()
	return l.orders, nil
}

func (t *Tx) ordersToPlan(ctx context.Context, of *scope) ([]queries.OrdersToPlanRow, error) {
	if of.every {
		return t.q.OrdersToPlan(ctx, queries.OrdersToPlanParams{
			OrgID: t.org, Day: of.area.Date, DepartmentID: of.area.DepartmentID, PlanID: of.planID,
		})
	}
	rows, err := t.q.OrdersToPlanAgain(ctx, queries.OrdersToPlanAgainParams{
		OrgID: t.org, Day: of.area.Date, DepartmentID: of.area.DepartmentID, PlanID: of.planID, OrderIds: of.orders,
	})
	return each(
		rows,
		func(r queries.OrdersToPlanAgainRow) queries.OrdersToPlanRow { return queries.OrdersToPlanRow(r) },
	), err
}

// orderLoader puts orders together from one query for each table.
type orderLoader struct {
	t      *Tx
	of     *scope
	rows   []queries.OrdersToPlanRow
	orders []planning.Order
	ids    []int64
	// places are those of the orders, by id; ofStop and ofProduct those of the orders
	// that have them.
	places, ofStop, ofProduct map[int64]int
	stops                     []queries.StopsToPlanRow
	locations                 []int64
	// timed are the stops with what is known of their time, and goods the kilograms, cubic meters
	// and colli of orders, by their places.
	timed []timedStop
	goods map[int][3]float64
	// keep are the calendars that locations keep.
	keep map[int64]int64
}

// loadStops reads the stops. Their locations supply missing values, and then their addresses.
func (l *orderLoader) loadStops(ctx context.Context) (err error) {
	l.stops, err = l.t.q.StopsToPlan(ctx, queries.StopsToPlanParams{OrgID: l.t.org, OrderIds: l.ids})
	if err != nil {
		return err
	}
	for i := range l.stops {
		l.locations = append(l.locations, l.stops[i].LocationID)
	}
	slices.Sort(l.locations)
	l.locations = slices.Compact(l.locations)
	locations, err := l.locationsByID(ctx)
	if err != nil {
		return err
	}
	guess := guesses{}
	l.ofStop = make(map[int64]int, len(l.stops))
	for i := range l.stops {
		r := &l.stops[i]
		l.ofStop[r.ID] = l.places[r.OrderID]
		stop := &l.orders[l.places[r.OrderID]].Pickup
		if order.StopKind(r.Kind) == order.Delivery {
			stop = &l.orders[l.places[r.OrderID]].Delivery
		}
		location := locations[r.LocationID]
		*stop = newStopToPlan(r, location)
		if err := askOfStop(stop, r); err != nil {
			return err
		}
		var minutes *int32
		var times string
		if location != nil {
			minutes, times = location.Minutes, location.Times
		}
		if err := l.addTimes(l.places[r.OrderID], stop, r.Minutes, minutes, times); err != nil {
			return fmt.Errorf("read times of stops: %w", err)
		}
		guess.add(stop, r.Country, r.PostalCode)
	}
	return guess.make(ctx, l.t)
}

// locationsByID reads the locations of the stops.
func (l *orderLoader) locationsByID(ctx context.Context) (map[int64]*queries.LocationsToPlanRow, error) {
	rows, err := l.t.q.LocationsToPlan(ctx, queries.LocationsToPlanParams{OrgID: l.t.org, Ids: l.locations})
	locations := make(map[int64]*queries.LocationsToPlanRow, len(rows))
	l.keep = map[int64]int64{}
	for i := range rows {
		locations[rows[i].ID] = &rows[i]
		if rows[i].CalendarID != 0 {
			l.keep[rows[i].ID] = rows[i].CalendarID
		}
	}
	return locations, err
}

func newStopToPlan(r *queries.StopsToPlanRow, location *queries.LocationsToPlanRow) planning.Stop {
	at := pointOf(r.Latitude, r.Longitude)
	placed := pointOrNone(r.PlacedLatitude, r.PlacedLongitude)
	if at == nil && r.Source == order.FromPerson {
		at = placed
	}
	if location != nil && at == nil {
		at = pointOf(location.Latitude, location.Longitude)
	}
	guessed := false
	if at == nil && placed != nil {
		at, guessed = placed, place.ReadPrecision(r.Precision).IsGuess()
	}
	if at != nil && !guessed { // nobody knows on which side of a street a guess is
		at.Curbside = location != nil && location.Curbside
	}
	return planning.Stop{
		Point: at, Guessed: guessed, Window: order.Window{Earliest: r.Earliest.UTC(), Latest: r.Latest.UTC()},
		Postal:     freight.Place{Country: r.Country, PostalCode: r.PostalCode},
		LocationID: r.LocationID, Address: planning.AddressKey(r.Address1, r.PostalCode, r.City),
		Priority: order.LocationPriority(r.Priority),
		Standing: driving.StopStanding{
			Status: driving.StopStatus(r.Status), Arrived: r.ArrivedAt.UTC(), Ended: r.EndedAt.UTC(),
		},
	}
}

// loadProducts reads the orders' goods.
func (l *orderLoader) loadProducts(ctx context.Context) error {
	rows, err := l.t.q.ProductsToPlan(ctx, queries.ProductsToPlanParams{OrgID: l.t.org, OrderIds: l.ids})
	if err != nil {
		return err
	}
	l.ofProduct = make(map[int64]int, len(rows))
	var failed error
	eachOrder(rows, func(id int64, of []queries.ProductsToPlanRow) {
		place := l.places[id]
		for i := range of {
			l.ofProduct[of[i].ID] = place
		}
		load := freight.LoadOf(itemsOf(of))
		weight, volume := load.WeightKg.InexactFloat64(), load.VolumeM3.InexactFloat64()
		l.orders[place].Load = planning.LoadOf(weight, volume, int(load.Colli.IntPart()))
		products, err := loadsOf(of)
		failed = errors.Join(failed, err)
		l.orders[place].Loads = l.orders[place].Loads.Plus(products)
		l.goods[place] = [3]float64{weight, volume, load.Colli.InexactFloat64()}
	})
	return failed
}

// eachOrder hands on the products of one order after the other.
func eachOrder(rows []queries.ProductsToPlanRow, take func(id int64, of []queries.ProductsToPlanRow)) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].OrderID == rows[0].OrderID {
			n++
		}
		take(rows[0].OrderID, rows[:n])
		rows = rows[n:]
	}
}

func itemsOf(rows []queries.ProductsToPlanRow) []freight.Item {
	places := make(map[int64]int, len(rows))
	for i := range rows {
		places[rows[i].ID] = i
	}
	items := make([]freight.Item, len(rows))
	for i := range rows {
		r := &rows[i]
		items[i] = freight.Item{
			Parent: -1, Quantity: r.Quantity, Weight: orNone(r.Weight), Length: orNone(r.Length), Width: orNone(r.Width),
			Height: orNone(r.Height),
		}
		if parent, here := places[r.ParentID]; here {
			items[i].Parent = parent
		}
	}
	return items
}

// loadSkills reads the skills that stops and products require and prohibit.
func (l *orderLoader) loadSkills(ctx context.Context) error {
	p := queries.SkillsToPlanParams{OrgID: l.t.org, ProductIds: make([]int64, 0, len(l.ofProduct))}
	for i := range l.stops {
		p.StopIds = append(p.StopIds, l.stops[i].ID)
	}
	for id := range l.ofProduct {
		p.ProductIds = append(p.ProductIds, id)
	}
	slices.Sort(p.ProductIds)
	rows, err := l.t.q.SkillsToPlan(ctx, p)
	for _, r := range rows {
		place := l.ofStop[r.StopID]
		if r.ProductID != 0 {
			place = l.ofProduct[r.ProductID]
		}
		o := &l.orders[place]
		switch order.SkillType(r.Type) {
		case order.SkillRequired:
			o.Needs = append(o.Needs, r.SkillID)
		case order.SkillProhibited:
			o.Refuses = append(o.Refuses, r.SkillID)
		}
	}
	for i := range l.orders {
		l.orders[i].Needs, l.orders[i].Refuses = once(l.orders[i].Needs), once(l.orders[i].Refuses)
	}
	return err
}

// once returns ids in their order, each once.
func once(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// loadProhibitions reads which drivers may not have the orders, because of the
// order, its customer or a stop.
func (l *orderLoader) loadProhibitions(ctx context.Context) error {
	byCustomer, byLocation := map[int64][]int64{}, map[int64][]int64{}
	p := queries.ProhibitionsToPlanParams{OrgID: l.t.org, OrderIds: l.ids, LocationIds: l.locations}
	for i := range l.rows {
		p.CustomerIds = append(p.CustomerIds, l.rows[i].CustomerID)
	}
	p.CustomerIds = once(p.CustomerIds)
	rows, err := l.t.q.ProhibitionsToPlan(ctx, p)
	for _, r := range rows {
		switch {
		case r.OrderID != 0:
			o := &l.orders[l.places[r.OrderID]]
			o.Prohibited = append(o.Prohibited, r.DriverID)
		case r.CustomerID != 0:
			byCustomer[r.CustomerID] = append(byCustomer[r.CustomerID], r.DriverID)
		default:
			byLocation[r.LocationID] = append(byLocation[r.LocationID], r.DriverID)
		}
	}
	for i := range l.rows {
		l.orders[i].Prohibited = append(l.orders[i].Prohibited, byCustomer[l.rows[i].CustomerID]...)
	}
	for i := range l.stops {
		o := &l.orders[l.places[l.stops[i].OrderID]]
		o.Prohibited = append(o.Prohibited, byLocation[l.stops[i].LocationID]...)
	}
	for i := range l.orders {
		l.orders[i].Prohibited = once(l.orders[i].Prohibited)
	}
	return err
}

func (l *orderLoader) loadExports(ctx context.Context) error {
	ids, err := l.t.q.ExportedToPlan(ctx, queries.ExportedToPlanParams{OrgID: l.t.org, OrderIds: l.ids})
	for _, id := range ids {
		l.orders[l.places[id]].Exported = true
	}
	return err
}

// loadLocks reads to whom orders are locked, and which violations the locks
// permit.
func (l *orderLoader) loadLocks(ctx context.Context) error {
	rows, err := l.t.q.LocksToPlan(ctx, queries.LocksToPlanParams{OrgID: l.t.org, OrderIds: l.ids})
	for i := range rows {
		r, o := &rows[i], &l.orders[l.places[rows[i].OrderID]]
		o.LockedTo = r.DriverID
		o.Accept(planning.Accepted{
			Anyhow: r.AcceptsAnyhow, PickupUntil: orZero(r.PickupUntil).UTC(), DeliveryUntil: orZero(r.DeliveryUntil).UTC(),
		})
	}
	return err
}

// loadClosings finds the orders of which the customer, a stop or the department has closed on the day.
func (l *orderLoader) loadClosings(ctx context.Context) error {
	if l.of.closings.calendars.None() {
		return nil
	}
	customers := make([]int64, len(l.rows))
	for i := range l.rows {
		customers[i] = l.rows[i].CustomerID
	}
	rows, err := l.t.q.CalendarsOfCustomers(ctx, queries.CalendarsOfCustomersParams{OrgID: l.t.org, Ids: once(customers)})
	if err != nil {
		return err
	}
	ofCustomer := make(map[int64]int64, len(rows))
	for _, r := range rows {
		ofCustomer[r.ID] = r.CalendarID
	}
	for i := range l.orders {
		o := &l.orders[i]
		parties, err := l.of.closings.parties(kept{
			l.of.calendar, ofCustomer[o.CustomerID], l.keep[o.Pickup.LocationID], l.keep[o.Delivery.LocationID],
		})
		if err != nil {
			return err
		}
		o.Closed = l.of.closings.found.Order(l.of.area.Date, parties)
		o.NobodyWorks = l.of.closings.found.Department(l.of.area.Date, parties)
	}
	return nil
}
