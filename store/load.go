package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/recurrence"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Scope is what a snapshot is loaded for.
type Scope struct {
	Entries  []order.Request
	Defaults order.Defaults
	// Receipt is the position of the entries in the sequence of receipt, or 0
	// for entries received now.
	Receipt int64
	// Lock locks the entries' numbers and orders for this transaction, so that
	// decisions still hold when they are saved.
	Lock bool
	// Fresh is true if most numbers are new. They are not claimed in advance,
	// but inserted once with their records. If another transaction creates one
	// of them, this one runs again and claims them.
	Fresh bool
}

// Snapshot loads all that entries refer to. If the scope locks, it creates
// unknown locations; otherwise it only simulates that.
func (t *Tx) Snapshot(ctx context.Context, scope Scope) (*order.Snapshot, error) {
	snapshot := &order.Snapshot{Receipt: scope.Receipt, Numbers: map[string]order.Number{}}
	l := loader{tx: t, scope: scope, snapshot: snapshot}
	steps := []func(context.Context) error{
		l.masterData, l.prices, l.numbers, l.customers, l.locations, l.calendars, l.places,
		l.drafts, l.orders, l.newLocations, l.rules, l.mergeTargets,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("load snapshot: %w", err)
		}
	}
	return l.snapshot, nil
}

type loader struct {
	tx       *Tx
	scope    Scope
	snapshot *order.Snapshot
	// rulesVersion is that of the organization's transformation rules.
	rulesVersion int64
	// toAsk is what there is to look addresses up in.
	toAsk queries.PlaceNamesRow
	// stored are the calendars of the organization.
	stored calendar.Stored
}

// masterData is the document of the query of that name.
type masterData struct {
	VehicleTypes []struct {
		ID          int64        `json:"id"`
		Name        string       `json:"name"`
		MaxWeightKg *float64     `json:"maxWeightKg"`
		MaxVolumeM3 *float64     `json:"maxVolumeM3"`
		MaxLoads    load.Amounts `json:"maxLoads"`
	} `json:"vehicleTypes"`
	OrderTypes []struct {
		ID            int64        `json:"id"`
		Name          string       `json:"name"`
		ReadyFrom     *order.Clock `json:"readyFrom"`
		PickUpBefore  *order.Clock `json:"pickUpBefore"`
		DeliverBefore *order.Clock `json:"deliverBefore"`
	} `json:"orderTypes"`
	Skills         []order.Named       `json:"skills"`
	Groups         []order.Named       `json:"groups"`
	CustomFields   []order.CustomField `json:"customFields"`
	LoadDimensions load.Dimensions     `json:"loadDimensions"`
	// Calendars are read when somebody keeps them, and DepartmentCalendars are those of departments.
	Calendars           json.RawMessage `json:"calendars"`
	DepartmentCalendars map[int64]int64 `json:"departmentCalendars"`
}

func (l *loader) masterData(ctx context.Context) error {
	if l.scope.Lock {
		// A pin or a register that changes from here on waits for this transaction, and places
		// its orders then.
		if err := l.tx.q.BeginToWrite(ctx); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
	}
	row, err := l.tx.q.MasterData(ctx, l.tx.org)
	if err != nil {
		return fmt.Errorf("master data: %w", err)
	}
	zone, err := time.LoadLocation(row.Timezone)
	if err != nil {
		return fmt.Errorf("zone of organization: %w", err)
	}
	var m masterData
	if err := json.Unmarshal(row.Document, &m); err != nil {
		return fmt.Errorf("master data: %w", err)
	}
	s := l.snapshot
	l.rulesVersion = row.RulesVersion
	l.toAsk = queries.PlaceNamesRow{HasRegister: row.HasRegister, HasPins: row.HasPins, HasAnswers: row.HasAnswers}
	s.Zone, s.AllowMerge, s.Skills, s.Groups, s.CustomFields = zone, row.AllowMerge, m.Skills, m.Groups, m.CustomFields
	s.LoadDimensions = m.LoadDimensions
	s.DepartmentCalendars = m.DepartmentCalendars
	if l.stored, err = calendar.Read(m.Calendars, zone); err != nil {
		return err
	}
	for _, v := range m.VehicleTypes {
		s.VehicleTypes = append(s.VehicleTypes, order.VehicleType{
			Named: order.Named{ID: v.ID, Name: v.Name}, MaxWeightKg: orZero(v.MaxWeightKg), MaxVolumeM3: orZero(v.MaxVolumeM3),
			MaxLoads: v.MaxLoads,
		})
	}
	for _, o := range m.OrderTypes {
		s.OrderTypes = append(s.OrderTypes, order.OrderType{
			Named: order.Named{ID: o.ID, Name: o.Name}, ReadyFrom: o.ReadyFrom,
			PickUpBefore: o.PickUpBefore, DeliverBefore: o.DeliverBefore,
		})
	}
	return nil
}

// prices loads the price lists if prices are to be computed.
func (l *loader) prices(ctx context.Context) error {
	if !l.scope.Defaults.ComputePrices {
		return nil
	}
	tables, err := priceTables(ctx, l.tx.q, l.tx.org)
	l.snapshot.Prices = tables
	return err
}

// entryNumbers are the numbers that can be stored.
func (l *loader) entryNumbers() []string {
	var numbers []string
	for i := range l.scope.Entries {
		if n := l.scope.Entries[i].ExternalID; order.UsableNumber(n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func (l *loader) numbers(ctx context.Context) error {
	numbers := l.entryNumbers()
	q, org := l.tx.q, l.tx.org
	if !l.scope.Lock {
		found, err := q.FindNumbers(ctx, queries.FindNumbersParams{OrgID: org, Numbers: numbers})
		for _, n := range found {
			l.snapshot.Numbers[n.Number] = order.Number{OrderID: n.OrderID, Cancelled: n.Cancelled}
		}
		return err
	}
	if l.merging() {
		if err := q.LockMerging(ctx, org); err != nil {
			return fmt.Errorf("lock merging: %w", err)
		}
	}
	fresh := l.scope.Fresh && !l.tx.claims
	if err := l.tx.lockNumbers(ctx, l.snapshot, numbers, !fresh); err != nil || !fresh {
		return err
	}
	for _, n := range numbers {
		if _, known := l.snapshot.Numbers[n]; !known {
			l.tx.fresh[n] = true
		}
	}
	return nil
}

// lockNumbers locks numbers and adds their orders and drafts to the snapshot.
func (t *Tx) lockNumbers(ctx context.Context, s *order.Snapshot, numbers []string, claim bool) error {
	if claim {
		if err := t.q.ClaimNumbers(ctx, queries.ClaimNumbersParams{OrgID: t.org, Numbers: numbers}); err != nil {
			return fmt.Errorf("claim numbers: %w", err)
		}
	}
	locked, err := t.q.LockNumbers(ctx, queries.LockNumbersParams{OrgID: t.org, Numbers: numbers})
	if err != nil {
		return fmt.Errorf("lock numbers: %w", err)
	}
	for _, n := range locked {
		s.Numbers[n.Number] = order.Number{OrderID: n.OrderID, Cancelled: n.Cancelled, Receipt: n.Receipt}
	}
	return nil
}

func (l *loader) merging() bool {
	return l.scope.Defaults.UpdateConfig.MayMerge(l.snapshot.AllowMerge)
}

func (l *loader) customers(ctx context.Context) error {
	params := queries.FindCustomersParams{OrgID: l.tx.org}
	add := func(r *order.Ref) {
		switch {
		case r == nil:
		case r.ID != nil:
			params.Ids = append(params.Ids, *r.ID)
		case r.ExternalID != "":
			params.ExternalIds = append(params.ExternalIds, r.ExternalID)
		case r.AnyName() != "":
			params.Names = append(params.Names, strings.ToLower(strings.TrimSpace(r.AnyName())))
		}
	}
	add(l.scope.Defaults.FallbackCustomer)
	for i := range l.scope.Entries {
		e := &l.scope.Entries[i]
		add(e.Customer)
		add(e.Consignee)
		add(e.Consignor)
	}
	params.Ids, params.Names = distinct(params.Ids), distinct(params.Names)
	params.ExternalIds = distinct(params.ExternalIds)
	rows, err := l.tx.q.FindCustomers(ctx, params)
	for _, c := range rows {
		l.snapshot.Customers = append(l.snapshot.Customers, order.Customer{
			ID: c.ID, ExternalID: c.ExternalID, BusinessName: c.BusinessName, DepartmentID: c.DepartmentID,
			CalendarID: c.CalendarID,
		})
	}
	return err
}

// calendars reads the calendars that customers, locations and departments keep.
func (l *loader) calendars(context.Context) error {
	if l.stored.None() {
		return nil
	}
	s := l.snapshot
	kept := slices.Collect(maps.Values(s.DepartmentCalendars))
	for i := range s.Customers {
		kept = append(kept, s.Customers[i].CalendarID)
	}
	for _, location := range s.Locations {
		kept = append(kept, location.CalendarID)
	}
	s.Calendars = map[int64]*calendar.Calendar{}
	for _, id := range distinct(kept) {
		of, err := l.stored.Of(id)
		if err != nil {
			return err
		}
		if of != nil {
			s.Calendars[id] = of
		}
	}
	return nil
}

func (l *loader) locations(ctx context.Context) error {
	found, err := l.tx.findLocations(ctx, order.RefsOf(l.scope.Entries))
	l.snapshot.Locations = found
	return err
}

func (t *Tx) findLocations(ctx context.Context, r order.LocationRefs) ([]*order.Location, error) {
	params := queries.FindLocationsParams{
		OrgID: t.org, Ids: r.IDs, ExternalIds: r.ExternalIDs, MatchKeys: make([][]byte, len(r.Keys)),
	}
	for i := range r.Keys {
		params.MatchKeys[i] = r.Keys[i][:]
	}
	rows, err := t.q.FindLocations(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("locations: %w", err)
	}
	found := make([]*order.Location, len(rows))
	for i := range rows {
		if found[i], err = newLocation(&rows[i]); err != nil {
			return nil, fmt.Errorf("location %d: %w", rows[i].ID, err)
		}
	}
	return found, nil
}

func newLocation(row *queries.FindLocationsRow) (*order.Location, error) {
	l := &order.Location{
		ID: row.ID, ExternalID: row.ExternalID, Key: order.LocationKey(row.MatchKey), Name: row.Name,
		HoursAreDefault: row.UseOpeningHoursAsDefault, EstimatedTimeOnLocation: row.EstimatedTimeOnLocation,
		CalendarID: row.CalendarID,
		Address: order.Address{
			Address1: row.Address1, Address2: row.Address2, PostalCode: row.PostalCode, City: row.City,
			State: row.State, Country: row.Country, Latitude: row.Latitude, Longitude: row.Longitude,
		},
	}
	var err error
	if l.Pauses, err = readPauses(row.Pauses); err != nil {
		return nil, err
	}
	if row.Opens != nil && row.Closes != nil {
		l.Hours = &order.Hours{Opens: order.Clock(*row.Opens), Closes: order.Clock(*row.Closes)}
	}
	if len(row.Windows) == 0 {
		return l, nil
	}
	var windows []struct {
		RRule  string      `json:"rrule"`
		Opens  order.Clock `json:"opens"`
		Closes order.Clock `json:"closes"`
	}
	if err := json.Unmarshal(row.Windows, &windows); err != nil {
		return nil, fmt.Errorf("time windows: %w", err)
	}
	for _, w := range windows {
		days, err := recurrence.ParseDays(w.RRule, time.UTC)
		if err != nil {
			return nil, fmt.Errorf("time windows: %w", err)
		}
		l.Windows = append(l.Windows, order.RecurringHours{Days: days, Hours: order.Hours{Opens: w.Opens, Closes: w.Closes}})
	}
	return l, nil
}

// newLocations creates the unknown locations of entries.
func (l *loader) newLocations(ctx context.Context) error {
	l.snapshot.Prepare()
	added := order.NewLocations(l.snapshot, l.scope.Entries)
	if len(added) == 0 {
		return nil
	}
	if !l.scope.Lock {
		l.snapshot.Foresee(added)
		return nil
	}
	if err := l.tx.CreateLocations(ctx, added, l.snapshot.Places); err != nil {
		return err
	}
	found, err := l.tx.findLocations(ctx, identities(added))
	if err != nil {
		return err
	}
	l.snapshot.Locations = append(l.snapshot.Locations, found...)
	l.snapshot.Prepare()
	return nil
}

func identities(added []order.NewLocation) order.LocationRefs {
	var r order.LocationRefs
	for i := range added {
		if added[i].ExternalID != "" {
			r.ExternalIDs = append(r.ExternalIDs, added[i].ExternalID)
		} else {
			r.Keys = append(r.Keys, added[i].Key)
		}
	}
	return r
}

func (l *loader) drafts(ctx context.Context) error {
	var waiting []string
	for _, number := range l.entryNumbers() {
		if n, known := l.snapshot.Numbers[number]; known && n.OrderID == 0 {
			waiting = append(waiting, number)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	rows, err := l.tx.q.FindDrafts(ctx, queries.FindDraftsParams{OrgID: l.tx.org, ExternalIds: waiting})
	for _, d := range rows {
		l.snapshot.Drafts = append(l.snapshot.Drafts, &order.Draft{ID: d.ID, ExternalID: d.ExternalID, Receipt: d.Receipt})
	}
	return err
}

// orders loads the orders that numbers lead to.
func (l *loader) orders(ctx context.Context) error {
	var ids []int64
	for _, n := range l.snapshot.Numbers {
		if n.OrderID != 0 {
			ids = append(ids, n.OrderID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := l.tx.findOrders(ctx, distinct(ids), l.scope.Lock)
	l.snapshot.Orders = found
	return err
}

// mostMergeTargets limits how many orders of one key are checked for capacity,
// oldest first.
const mostMergeTargets = 100

// mergeTargets loads the orders that entries may be merged with. It runs last,
// because the conditions of a merge are known only after the entries are
// checked.
func (l *loader) mergeTargets(ctx context.Context) error {
	if !l.merging() {
		return nil
	}
	params := queries.FindMergeTargetsParams{OrgID: l.tx.org, Most: mostMergeTargets}
	for _, k := range order.MergeKeys(l.snapshot, l.scope.Defaults, l.scope.Entries) {
		columns.Add(&params.CustomerIds, k.CustomerID)
		columns.Add(&params.Dates, k.Date)
		columns.Add(&params.OrderTypeIds, k.OrderTypeID)
		columns.Add(&params.VehicleTypeIds, k.VehicleTypeID)
		columns.Add(&params.ConsigneeIds, k.ConsigneeID)
		columns.Add(&params.ConsignorIds, k.ConsignorID)
		columns.Add(&params.FreightNumbers, k.FreightNumber)
		columns.Add(&params.RouteNumbers, k.RouteNumber)
		columns.Add(&params.PickupIds, k.PickupID)
		columns.Add(&params.DeliveryIds, k.DeliveryID)
	}
	if len(params.CustomerIds) == 0 {
		return nil
	}
	ids, err := l.tx.q.FindMergeTargets(ctx, params)
	if err != nil {
		return fmt.Errorf("merge targets: %w", err)
	}
	ids = slices.DeleteFunc(ids, l.knowsOrder)
	if len(ids) == 0 {
		return nil
	}
	found, err := l.tx.findOrders(ctx, ids, l.scope.Lock)
	if err != nil {
		return err
	}
	l.snapshot.Orders = append(l.snapshot.Orders, found...)
	l.snapshot.Prepare()
	return l.rules(ctx)
}

func (l *loader) knowsOrder(id int64) bool {
	return slices.ContainsFunc(l.snapshot.Orders, func(o *order.Order) bool { return o.ID == id })
}

// RegisterLocations creates the places that entries speak of for the first
// time, without looking at anything else of them.
func (t *Tx) RegisterLocations(ctx context.Context, entries []order.Request) error {
	l := loader{tx: t, scope: Scope{Entries: entries, Lock: true}, snapshot: &order.Snapshot{}}
	if err := l.locations(ctx); err != nil {
		return err
	}
	l.snapshot.Prepare()
	added := order.NewLocations(l.snapshot, entries)
	if len(added) == 0 {
		return nil
	}
	known, err := t.placesOfLocations(ctx, added)
	if err != nil {
		return err
	}
	return t.CreateLocations(ctx, added, known)
}
