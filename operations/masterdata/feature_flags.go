package masterdata

import (
	"context"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/version"
	"waybill/store"
)

// FeatureFlags returns the switches of an organization.
func (o *Operations) FeatureFlags(ctx context.Context, org int64) ([]store.FeatureFlag, error) {
	return o.store.FeatureFlags(ctx, org)
}

// SetFeatureFlags turns switches on or off, by their names, and returns all of
// them. A change of another version than those expected is a Stale fault, and
// a name that no switch has a violation.
func (o *Operations) SetFeatureFlags(
	ctx context.Context, c caller.Caller, expected version.Expected, wanted map[string]bool,
) (flags []store.FeatureFlag, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if err := t.LockMasterData(ctx); err != nil {
			return err
		}
		if flags, err = t.LoadFeatureFlags(ctx); err != nil {
			return err
		}
		if err := expected.Check(store.VersionOfFlags(flags), "feature_flag", ""); err != nil {
			return err
		}
		changed, err := changedFlags(flags, wanted)
		if err != nil || len(changed) == 0 {
			return err
		}
		if err := t.SaveFeatureFlags(ctx, wanted); err != nil {
			return err
		}
		events := make([]event.Event, len(changed))
		for i, name := range changed {
			events[i] = event.Organization{ID: c.OrgID}.FlagChanged(name, wanted[name])
		}
		if err := t.Append(ctx, events...); err != nil {
			return err
		}
		flags, err = t.LoadFeatureFlags(ctx)
		return err
	})
	return flags, err
}

// changedFlags returns the names of the flags that change, in order.
func changedFlags(flags []store.FeatureFlag, wanted map[string]bool) ([]string, error) {
	known := map[string]bool{}
	var changed []string
	for _, f := range flags {
		known[f.Name] = true
		if on, named := wanted[f.Name]; named && on != f.Enabled {
			changed = append(changed, f.Name)
		}
	}
	refused := &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable")}
	for name := range wanted {
		if !known[name] {
			refused.Violations = append(refused.Violations, fault.Violation{
				Field: "flags." + fault.Clip(name), Text: fault.Say("feature_flag.unknown"),
			})
		}
	}
	if len(refused.Violations) > 0 {
		return nil, refused
	}
	return changed, nil
}
