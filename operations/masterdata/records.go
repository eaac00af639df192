package masterdata

import (
	"context"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/domain/version"
	"waybill/operations/core"
	"waybill/store"
)

// KeptRecord is a record of master data as stored, and in the API's form.
type KeptRecord struct {
	ID       int64          `json:"id"`
	Document store.Document `json:"document"`
}

// Version names the state of the record.
func (k KeptRecord) Version() version.Version { return version.Of(k.Document) }

// CreateRecord adds a record of master data from a body. A name in use is a
// Duplicate fault.
func (o *Operations) CreateRecord(
	ctx context.Context, c caller.Caller, kind masterdata.Kind, body any,
) (KeptRecord, error) {
	return core.Once(ctx, o.store, c, func(t *store.Tx) (KeptRecord, error) {
		wanted, err := masterdata.Changed(kind.New(), body)
		if err != nil {
			return KeptRecord{}, err
		}
		if err := t.LockMasterData(ctx); err != nil {
			return KeptRecord{}, err
		}
		if err := checkRecord(ctx, t, nil, wanted); err != nil {
			return KeptRecord{}, err
		}
		return keepRecord(ctx, t, 0, wanted, func(r event.Record) event.Event { return r.Event(kindsOf[kind].created) })
	})
}

// ChangeRecord applies a body to a record of master data. A change of an
// unexpected version is a Stale fault; one without a difference writes nothing.
// A record that active records refer to can't be deactivated.
func (o *Operations) ChangeRecord(
	ctx context.Context, c caller.Caller, kind masterdata.Kind, id int64, expected version.Expected, body any,
) (kept KeptRecord, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if err := t.LockMasterData(ctx); err != nil {
			return err
		}
		present, err := t.LoadMasterDatum(ctx, kind, id)
		if err != nil {
			return err
		}
		kept = KeptRecord{ID: id, Document: present}
		if err := expected.Check(kept.Version(), string(kind), strconv.FormatInt(id, 10)); err != nil {
			return err
		}
		kept, err = changeRecord(ctx, t, kind, kept, body)
		return err
	})
	return kept, err
}

func changeRecord(
	ctx context.Context, t *store.Tx, kind masterdata.Kind, present KeptRecord, body any,
) (KeptRecord, error) {
	before, err := masterdata.Read(kind, present.Document)
	if err != nil {
		return KeptRecord{}, err
	}
	wanted, err := masterdata.Changed(before, body)
	if err != nil {
		return KeptRecord{}, err
	}
	if err := checkRecord(ctx, t, before, wanted); err != nil {
		return KeptRecord{}, err
	}
	members, err := masterdata.Differing(before, wanted)
	if err != nil || len(members) == 0 {
		return present, err
	}
	what := kindsOf[kind].updated
	if before.Active() && !wanted.Active() {
		what = kindsOf[kind].deactivated
		if err := checkUnused(ctx, t, kind, present.ID); err != nil {
			return KeptRecord{}, err
		}
	}
	return keepRecord(ctx, t, present.ID, wanted, func(r event.Record) event.Event { return r.Changed(what, members) })
}

// checkRecord returns all violations of a record, and then its new references
// that don't exist.
func checkRecord(ctx context.Context, t *store.Tx, before, wanted masterdata.Record) error {
	if err := wanted.Check(); err != nil {
		return err
	}
	return refuseUnknown(ctx, t, masterdata.NewReferences(before, wanted))
}

// refuseUnknown refuses references to what does not exist or is inactive.
func refuseUnknown(ctx context.Context, t *store.Tx, references []masterdata.Reference) error {
	unknown, err := t.LoadUnknown(ctx, references)
	if err != nil || len(unknown) == 0 {
		return err
	}
	refused := &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable")}
	for _, r := range unknown {
		name := r.Name
		if name == "" {
			name = strconv.FormatInt(r.ID, 10)
		}
		refused.Violations = append(refused.Violations, fault.Violation{
			Field: r.Field, Text: fault.Say("master_data.unknown", "name", name),
		})
	}
	return refused
}

// checkUnused refuses to deactivate something that active records refer to.
func checkUnused(ctx context.Context, t *store.Tx, kind masterdata.Kind, id int64) error {
	uses, err := t.CountUses(ctx, kind, id)
	if err != nil || uses == 0 {
		return err
	}
	return &fault.Error{
		Kind: fault.IllegalState, Text: fault.Say("master_data.in_use", "count", strconv.FormatInt(uses, 10)),
		Resource: string(kind), Name: strconv.FormatInt(id, 10),
	}
}

// keepRecord writes a record with its event, and reads how the API shows it then.
func keepRecord(
	ctx context.Context, t *store.Tx, id int64, r masterdata.Record, made func(event.Record) event.Event,
) (kept KeptRecord, err error) {
	if kept.ID, err = t.SaveRecord(ctx, id, r); err != nil {
		return KeptRecord{}, err
	}
	about := event.Record{Type: event.SubjectType(r.Kind()), ID: kept.ID, Name: r.Called()}
	if err := t.Append(ctx, made(about)); err != nil {
		return KeptRecord{}, err
	}
	kept.Document, err = t.LoadMasterDatum(ctx, r.Kind(), kept.ID)
	return kept, err
}

// recordKinds are the kinds of event that records of one kind of master data write.
type recordKinds struct{ created, updated, deactivated event.Kind }

var kindsOf = map[masterdata.Kind]recordKinds{
	masterdata.Departments:   {event.DepartmentCreated, event.DepartmentUpdated, event.DepartmentDeactivated},
	masterdata.Customers:     {event.CustomerCreated, event.CustomerUpdated, event.CustomerDeactivated},
	masterdata.Groups:        {event.GroupCreated, event.GroupUpdated, event.GroupDeactivated},
	masterdata.Skills:        {event.SkillCreated, event.SkillUpdated, event.SkillDeactivated},
	masterdata.VehicleTypes:  {event.VehicleTypeCreated, event.VehicleTypeUpdated, event.VehicleTypeDeactivated},
	masterdata.Vehicles:      {event.VehicleCreated, event.VehicleUpdated, event.VehicleDeactivated},
	masterdata.OrderTypes:    {event.OrderTypeCreated, event.OrderTypeUpdated, event.OrderTypeDeactivated},
	masterdata.Products:      {event.ProductCreated, event.ProductUpdated, event.ProductDeactivated},
	masterdata.Zones:         {event.ZoneCreated, event.ZoneUpdated, event.ZoneDeactivated},
	masterdata.FreightLevels: {event.FreightLevelCreated, event.FreightLevelUpdated, event.FreightLevelDeactivated},
	masterdata.Calendars:     {event.CalendarCreated, event.CalendarUpdated, event.CalendarDeactivated},
	masterdata.PriceLists:    {event.PriceListCreated, event.PriceListUpdated, event.PriceListDeactivated},
	masterdata.NotificationRules: {
		event.NotificationRuleCreated, event.NotificationRuleUpdated, event.NotificationRuleDeactivated,
	},
}
