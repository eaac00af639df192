package masterdata

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/domain/organization"
	"waybill/domain/traffic"
	"waybill/domain/version"
	"waybill/store"
)

// ChangeOrganization applies change to the settings of an organization, and
// returns the organization in the API's form. A change of an unexpected version
// is a Stale fault; one without a difference writes nothing. Another time zone
// has an event of its own, which plans and recurring orders follow.
func (o *Operations) ChangeOrganization(
	ctx context.Context, c caller.Caller, expected version.Expected, change func(*store.OrganizationSettings),
) (doc store.Document, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		doc, err = o.ChangeOrganizationWithin(ctx, t, c, expected, change)
		return err
	})
	return doc, err
}

// ChangeOrganizationWithin is ChangeOrganization in a transaction.
func (o *Operations) ChangeOrganizationWithin(
	ctx context.Context, t *store.Tx, c caller.Caller, expected version.Expected, change func(*store.OrganizationSettings),
) (doc store.Document, err error) {
	if err := t.LockMasterData(ctx); err != nil {
		return nil, err
	}
	if doc, err = t.LoadOrganization(ctx); err != nil {
		return nil, err
	}
	if err := expected.Check(version.Of(doc), "organization", fmt.Sprint(c.OrgID)); err != nil {
		return nil, err
	}
	var before, wanted store.OrganizationSettings
	if err := readBoth(doc, &before, &wanted); err != nil {
		return nil, err
	}
	change(&wanted)
	changed, err := changedSettings(before, wanted)
	if err != nil || len(changed) == 0 {
		return doc, err
	}
	events := []event.Event{event.Organization{ID: c.OrgID}.SettingsChanged(changed)}
	if before.Timezone != wanted.Timezone {
		if err := mayBegin(ctx, t, wanted.Timezone); err != nil {
			return nil, err
		}
		events = append(events, event.Organization{ID: c.OrgID}.ZoneChanged(before.Timezone, wanted.Timezone))
	}
	if err := t.SaveOrganizationSettings(ctx, wanted); err != nil {
		return nil, err
	}
	if err := t.Append(ctx, events...); err != nil {
		return nil, err
	}
	return t.LoadOrganization(ctx)
}

// mayBegin refuses a time zone that the database does not know: it computes days, too.
func mayBegin(ctx context.Context, t *store.Tx, zone string) error {
	known, err := t.KnowsZone(ctx, zone)
	if err == nil && !known {
		err = fault.Violated([]fault.Violation{{Field: "timezone", Text: organization.NoZone()}})
	}
	return err
}

func readBoth(doc store.Document, both ...*store.OrganizationSettings) error {
	for _, one := range both {
		if err := json.Unmarshal(doc, one); err != nil {
			return fmt.Errorf("organization: %w", err)
		}
	}
	return nil
}

// changedSettings returns the names of the changed settings, or all
// violations.
func changedSettings(before, wanted store.OrganizationSettings) (changed []string, err error) {
	if err := fault.Violated(settingsProblems(&wanted)); err != nil {
		return nil, err
	}
	for _, setting := range []struct {
		name string
		same bool
	}{
		{"name", before.Name == wanted.Name},
		{"timezone", before.Timezone == wanted.Timezone},
		{"language", before.Language == wanted.Language},
		{"goods_apart", alike(before.GoodsApart, wanted.GoodsApart)},
		{"load_dimensions", slices.Equal(before.LoadDimensions, wanted.LoadDimensions)},
		{"costs", reflect.DeepEqual(before.Costs, wanted.Costs)},
		{"rush_hours", alike(before.RushHours, wanted.RushHours)},
		{"loading_minutes", reflect.DeepEqual(before.LoadingMinutes, wanted.LoadingMinutes)},
		{"max_driving_minutes", reflect.DeepEqual(before.MaxDrivingMinutes, wanted.MaxDrivingMinutes)},
		{"max_stops", reflect.DeepEqual(before.MaxStops, wanted.MaxStops)},
		{"office_phone", reflect.DeepEqual(before.OfficePhone, wanted.OfficePhone)},
		{"recipient_page", reflect.DeepEqual(before.RecipientPage, wanted.RecipientPage)},
		{"proof", reflect.DeepEqual(before.Proof, wanted.Proof)},
	} {
		if !setting.same {
			changed = append(changed, setting.name)
		}
	}
	return changed, nil
}

// alike reports whether two lists are the same; none and an empty one are.
func alike[T any](a, b []T) bool { return len(a)+len(b) == 0 || reflect.DeepEqual(a, b) }

// settingsProblems returns what is wrong with the settings.
func settingsProblems(wanted *store.OrganizationSettings) []fault.Violation {
	problems := slices.Concat(wanted.Identity.Problems(), masterdata.ProofProblems("proof", wanted.Proof))
	if wanted.OfficePhone != nil && !organization.IsPhone(*wanted.OfficePhone) {
		problems = append(problems, fault.Violation{Field: "office_phone", Text: fault.Say("organization.no_phone")})
	}
	if m := wanted.LoadingMinutes; m != nil && (*m < 0 || *m > masterdata.MostLoading) {
		problems = append(problems, fault.Violation{
			Field: "loading_minutes", Text: fault.Say("request.out_of_range", "min", "0", "max", fmt.Sprint(masterdata.MostLoading)),
		})
	}
	return slices.Concat(problems, masterdata.GoodsApartProblems("goods_apart", wanted.GoodsApart),
		wanted.LoadDimensions.Problems("load_dimensions"), wanted.ShiftLimits.Problems(), masterdata.CostsProblems("costs", wanted.Costs),
		traffic.Problems("rush_hours", wanted.RushHours), wanted.RecipientPage.Problems("recipient_page"))
}
