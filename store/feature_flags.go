package store

import (
	"context"
	"encoding/json"
	"time"

	"waybill/domain/version"
	"waybill/store/queries"
)

// FeatureFlag is a switch of an organization, with the user who changed it
// last.
type FeatureFlag struct {
	Name      string
	Enabled   bool
	ChangedAt *time.Time // nil if nobody did
	ChangedBy string     // the actor of the event
}

// The switches by the names that the API has for them.
const (
	flagAllowMerge = "allow_merge"
	flagReexport   = "reexport"
	flagCarriers   = "carrier_moves_status"
)

// VersionOfFlags names the state of the switches.
func VersionOfFlags(flags []FeatureFlag) version.Version {
	content, err := json.Marshal(flags)
	if err != nil {
		panic(err) // they consist of texts and times only
	}
	return version.Of(content)
}

// FeatureFlags reads the switches of an organization, in the order of their
// names.
func (s *Store) FeatureFlags(ctx context.Context, org int64) ([]FeatureFlag, error) {
	flags, err := featureFlags(ctx, s.of(org), org)
	return flags, translate(err)
}

// LoadFeatureFlags reads the switches, in the order of their names.
func (t *Tx) LoadFeatureFlags(ctx context.Context) ([]FeatureFlag, error) {
	return featureFlags(ctx, t.q, t.org)
}

func featureFlags(ctx context.Context, q *queries.Queries, org int64) ([]FeatureFlag, error) {
	rows, err := q.ReadFeatureFlags(ctx, org)
	return each(rows, func(r queries.ReadFeatureFlagsRow) FeatureFlag {
		f := FeatureFlag{Name: r.Name, Enabled: r.Enabled, ChangedBy: r.ChangedBy}
		if r.ChangedBy != "" {
			at := r.ChangedAt.UTC()
			f.ChangedAt = &at
		}
		return f
	}), err
}

// SaveFeatureFlags writes the switches that are named.
func (t *Tx) SaveFeatureFlags(ctx context.Context, wanted map[string]bool) error {
	params := queries.SetFeatureFlagsParams{OrgID: t.org}
	if on, named := wanted[flagAllowMerge]; named {
		params.AllowMerge = &on
	}
	if on, named := wanted[flagReexport]; named {
		params.Reexport = &on
	}
	if on, named := wanted[flagCarriers]; named {
		params.CarrierMovesStatus = &on
	}
	return t.q.SetFeatureFlags(ctx, params)
}
