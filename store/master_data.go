package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/domain/order"
	"waybill/store/queries"
)

// LockMasterData serializes changes of master data, including applied
// documents.
func (t *Tx) LockMasterData(ctx context.Context) error {
	_, err := t.q.LockOrganization(ctx, t.org)
	return err
}

// LoadMasterDatum reads one record of master data as v1 shows it.
func (t *Tx) LoadMasterDatum(ctx context.Context, kind masterdata.Kind, id int64) (Document, error) {
	return masterDatum(ctx, t.q, t.org, kind, id)
}

// LoadUnknown returns the references to records that don't exist or are
// inactive.
func (t *Tx) LoadUnknown(ctx context.Context, references []masterdata.Reference) ([]masterdata.Reference, error) {
	params := queries.UnknownMasterDataParams{OrgID: t.org}
	for _, r := range references {
		params.Kinds = append(params.Kinds, string(r.Kind))
		params.Ids = append(params.Ids, r.ID)
		params.Names = append(params.Names, r.Name)
	}
	places, err := t.q.UnknownMasterData(ctx, params)
	unknown := make([]masterdata.Reference, len(places))
	for i, place := range places {
		unknown[i] = references[place-1]
	}
	return unknown, err
}

// CountUses counts the active records that refer to one.
func (t *Tx) CountUses(ctx context.Context, kind masterdata.Kind, id int64) (int64, error) {
	return t.q.UsesOfMasterData(ctx, queries.UsesOfMasterDataParams{OrgID: t.org, Kind: string(kind), ID: id})
}

// named are the constraints that keep two records of a kind from being called the
// same.
var named = map[string]bool{
	"departments_name_key": true, "order_groups_name_key": true, "skills_name_key": true,
	"customers_external_id_key": true, "vehicle_types_name_key": true, "vehicles_registration_key": true,
	"order_types_name_key": true, "products_external_id_key": true, "zones_name_key": true,
	"freight_levels_name_key": true, "price_lists_name_key": true, "notification_rules_key": true,
	"calendars_name_key": true,
}

// SaveRecord writes a record of master data and returns its id; that of a new one
// is 0 before. A name that is taken is a Duplicate fault.
func (t *Tx) SaveRecord(ctx context.Context, id int64, r masterdata.Record) (int64, error) {
	saved, err := t.saveRecord(ctx, id, r)
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return saved, nil
	case errors.As(err, &refused) && named[refused.ConstraintName]:
		return 0, &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("master_data.exists", "name", r.Called()),
			Resource: string(r.Kind()), Name: r.Called(),
		}
	}
	return 0, fmt.Errorf("save %s: %w", r.Kind(), err)
}

func (t *Tx) saveRecord(ctx context.Context, id int64, r masterdata.Record) (int64, error) {
	switch r := r.(type) {
	case *masterdata.Department:
		return t.q.SaveDepartment(ctx, queries.SaveDepartmentParams{
			OrgID: t.org, ID: id, Name: r.Name, IsActive: r.IsActive, LoadingMinutes: r.LoadingMinutes,
			ReleaseMinute: r.ReleaseMinute(), ReleaseDaysBefore: int16(r.ReleaseDaysBefore),
			ReleaseThresholdMinutes: int16(r.ReleaseThresholdMinutes), CalendarID: r.CalendarID,
		})
	case *masterdata.Group:
		return t.q.SaveGroup(ctx, queries.SaveGroupParams{OrgID: t.org, ID: id, Name: r.Name, IsActive: r.IsActive})
	case *masterdata.Skill:
		return t.q.SaveSkill(ctx, queries.SaveSkillParams{
			OrgID: t.org, ID: id, Name: r.Name, IsActive: r.IsActive, ForTwo: r.ForTwo,
		})
	case *masterdata.Customer:
		return t.saveCustomer(ctx, id, r)
	case *masterdata.VehicleType:
		return t.saveVehicleType(ctx, id, r)
	case *masterdata.Vehicle:
		return t.saveVehicle(ctx, id, r)
	case *masterdata.OrderType:
		return t.saveOrderType(ctx, id, r)
	case *masterdata.Product:
		return t.saveProduct(ctx, id, r)
	case *masterdata.Zone:
		return t.saveZone(ctx, id, r)
	case *masterdata.FreightLevel:
		return t.q.SaveFreightLevel(ctx, queries.SaveFreightLevelParams{
			OrgID: t.org, ID: id, Name: r.Name, Seq: r.Position, MaxWeightKg: r.MaxWeightKg, MaxVolumeM3: r.MaxVolumeM3,
			MaxColli: r.MaxColli, IsActive: r.IsActive,
		})
	case *masterdata.PriceList:
		return t.savePriceList(ctx, id, r)
	case *masterdata.Calendar:
		return t.saveCalendar(ctx, id, r)
	case *masterdata.NotificationRule:
		return t.saveNotificationRule(ctx, id, r)
	}
	return 0, fmt.Errorf("cannot save %T", r)
}

func (t *Tx) saveCustomer(ctx context.Context, id int64, r *masterdata.Customer) (int64, error) {
	return t.q.SaveCustomer(ctx, queries.SaveCustomerParams{
		OrgID: t.org, ID: id, ExternalID: r.ExternalID, BusinessName: r.BusinessName, DepartmentID: r.DepartmentID,
		EmailAddress: r.EmailAddress, PhoneNumber: r.PhoneNumber, CalendarID: r.CalendarID, IsActive: r.IsActive,
	})
}

func (t *Tx) saveVehicleType(ctx context.Context, id int64, r *masterdata.VehicleType) (int64, error) {
	for i, served := range r.AlsoServes {
		if id != 0 && served == id {
			return 0, violated([]fault.Violation{{
				Field: fmt.Sprintf("also_serves[%d]", i), Text: fault.Say("vehicle_type.serves_itself"),
			}})
		}
	}
	id, err := t.q.SaveVehicleType(ctx, queries.SaveVehicleTypeParams{
		OrgID: t.org, ID: id, Name: r.Name, MaxWeightKg: r.MaxWeightKg, MaxVolumeM3: r.MaxVolumeM3,
		MaxRouteKm: r.MaxRouteKm, MaxLoads: LoadsText(r.MaxLoads), MaxStops: r.MaxStops,
		MaxDrivingMinutes: r.MaxDrivingMinutes, DrivingRule: r.DrivingRule, ExtraSetupSeconds: r.ExtraSetupSeconds,
		TravelsAs: r.TravelsAs, IsActive: r.IsActive,
		HeightM: r.HeightM, WidthM: r.WidthM, LengthM: r.LengthM,
		GrossWeightKg: r.GrossWeightKg, AxleLoadKg: r.AxleLoadKg, TopSpeedKmh: r.TopSpeedKmh,
		CostPerShift: r.CostPerShift, CostPerHour: r.CostPerHour, CostPerKm: r.CostPerKm,
		HazardousGoods: r.HazardousGoods, AvoidsFerries: r.AvoidsFerries, AvoidsTolls: r.AvoidsTolls,
	})
	if err != nil {
		return 0, err
	}
	return id, t.q.SetAlsoServes(ctx, queries.SetAlsoServesParams{OrgID: t.org, ID: id, ServedIds: r.AlsoServes})
}

func (t *Tx) saveVehicle(ctx context.Context, id int64, r *masterdata.Vehicle) (int64, error) {
	id, err := t.q.SaveVehicle(ctx, queries.SaveVehicleParams{
		OrgID: t.org, ID: id, Registration: r.Registration, Name: r.Name, VehicleTypeID: r.VehicleTypeID,
		MaxWeightKg: r.MaxWeightKg, MaxVolumeM3: r.MaxVolumeM3, MaxRouteKm: r.MaxRouteKm, MaxLoads: LoadsText(r.MaxLoads),
		HomeLocationID: r.HomeLocationID, IsActive: r.IsActive,
	})
	if err != nil {
		return 0, err
	}
	skills, err := t.q.SkillsByName(ctx, queries.SkillsByNameParams{OrgID: t.org, Names: r.Skills})
	if err != nil {
		return 0, err
	}
	return id, t.q.SetVehicleSkills(ctx, queries.SetVehicleSkillsParams{OrgID: t.org, ID: id, SkillIds: skills})
}

func (t *Tx) saveOrderType(ctx context.Context, id int64, r *masterdata.OrderType) (int64, error) {
	return t.q.SaveOrderType(ctx, queries.SaveOrderTypeParams{
		OrgID: t.org, ID: id, Name: r.Name, Priority: r.Priority, ReadyFrom: minuteOf(r.ReadyFrom),
		PickUpBefore: minuteOf(r.PickUpBefore), DeliverBefore: minuteOf(r.DeliverBefore),
		MinBookAheadMinutes: r.MinBookAheadMinutes, MaxBookAheadMinutes: r.MaxBookAheadMinutes,
		ExportCarrier: r.ExportCarrier, Proof: ProofText(r.Proof), ServiceTime: ServiceTimeText(r.ServiceTime),
		IsActive: r.IsActive,
	})
}

// minuteOf reads a time of the day that was checked.
func minuteOf(clock *string) *int16 {
	if clock == nil {
		return nil
	}
	c, _ := order.ParseClock(*clock)
	return minutes(&c)
}

func (t *Tx) saveProduct(ctx context.Context, id int64, r *masterdata.Product) (int64, error) {
	id, err := t.q.SaveProduct(ctx, queries.SaveProductParams{
		OrgID: t.org, ID: id, ExternalID: r.ExternalID, Name: r.Name, BarcodeID: r.BarcodeID, Weight: r.Weight,
		Length: r.Length, Width: r.Width, Height: r.Height, AtomType: r.AtomType, IsActive: r.IsActive,
	})
	if err != nil {
		return 0, err
	}
	skills, err := t.q.SkillsByName(ctx, queries.SkillsByNameParams{OrgID: t.org, Names: r.Skills})
	if err != nil {
		return 0, err
	}
	err = t.q.SetProductSkills(ctx, queries.SetProductSkillsParams{OrgID: t.org, ID: id, SkillIds: skills})
	if err != nil {
		return 0, err
	}
	if err := t.q.DropProductUnits(ctx, queries.DropProductUnitsParams{OrgID: t.org, ID: id}); err != nil {
		return 0, err
	}
	units := queries.AddProductUnitsParams{OrgID: t.org, ID: id}
	for _, u := range r.Units {
		units.Names = append(units.Names, u.Name)
		units.Quantities = append(units.Quantities, u.Quantity)
		units.BarcodeIds = append(units.BarcodeIds, orZero(u.BarcodeID))
	}
	return id, t.q.AddProductUnits(ctx, units)
}

func (t *Tx) saveNotificationRule(ctx context.Context, id int64, r *masterdata.NotificationRule) (int64, error) {
	rule := r.Rule()
	return t.q.SaveNotificationRule(ctx, queries.SaveNotificationRuleParams{
		OrgID: t.org, ID: id, Event: r.Event, Channel: r.Channel, Receiver: r.Receiver, Address: rule.Address,
		Subject: rule.Subject, Body: rule.Body, BodyHtml: rule.HTML,
		WindowFrom: minuteOf(r.SendFrom), WindowTo: minuteOf(r.SendUntil), Series: r.Series, DaysAhead: daysOf(r.DaysAhead),
		IsActive: r.IsActive,
	})
}

func daysOf(days *int32) *int16 {
	if days == nil {
		return nil
	}
	short := int16(*days)
	return &short
}

func (t *Tx) saveZone(ctx context.Context, id int64, r *masterdata.Zone) (int64, error) {
	areas, err := json.Marshal(r.Areas)
	if err != nil {
		return 0, err
	}
	return t.q.SaveZone(ctx, queries.SaveZoneParams{
		OrgID: t.org, ID: id, Name: r.Name, Areas: areas, IsActive: r.IsActive,
	})
}

func (t *Tx) savePriceList(ctx context.Context, id int64, r *masterdata.PriceList) (int64, error) {
	id, err := t.q.SavePriceList(ctx, queries.SavePriceListParams{
		OrgID: t.org, ID: id, Name: r.Name, Seq: r.Position, Currency: r.Currency, MinimumPrice: r.MinimumPrice,
		IsActive: r.IsActive,
	})
	if err != nil {
		return 0, err
	}
	types := queries.ApplyPriceListOrderTypesParams{OrgID: t.org, AllIds: []int64{id}}
	for _, orderType := range r.OrderTypeIDs {
		types.PriceListIds = append(types.PriceListIds, id)
		types.OrderTypeIds = append(types.OrderTypeIds, orderType)
	}
	if _, err := t.q.ApplyPriceListOrderTypes(ctx, types); err != nil {
		return 0, err
	}
	lines := queries.ApplyPriceListLinesParams{OrgID: t.org, AllIds: []int64{id}, Sizes: []int32{int32(len(r.Prices))}}
	for i, p := range r.Prices {
		lines.PriceListIds = append(lines.PriceListIds, id)
		lines.Seqs = append(lines.Seqs, int32(i))
		lines.FromZoneIds = append(lines.FromZoneIds, orZero(p.FromZoneID))
		lines.ToZoneIds = append(lines.ToZoneIds, orZero(p.ToZoneID))
		lines.FreightLevelIds = append(lines.FreightLevelIds, orZero(p.FreightLevelID))
		lines.Bases = append(lines.Bases, p.Base)
		lines.PerKgs = append(lines.PerKgs, p.PerKg)
		lines.PerCollis = append(lines.PerCollis, p.PerColli)
	}
	_, err = t.q.ApplyPriceListLines(ctx, lines)
	return id, err
}
