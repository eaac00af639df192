package installation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/installation"
)

func TestANamespaceBelongsToOneDatabase(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)
	here := installation.Identity{ID: "7f3", MadeAt: made, Place: "71/16384", Turn: 40}
	with := func(change func(*installation.Claim)) installation.Claim {
		claim := installation.Claim{Identity: here, SeenAt: made.AddDate(0, 0, 1)}
		change(&claim)
		return claim
	}
	for name, test := range map[string]struct {
		there installation.Claim
		want  installation.Kind
		says  string
	}{
		"Same":               {there: with(func(*installation.Claim) {})},
		"Later":              {there: with(func(c *installation.Claim) { c.Turn = 2 })},
		"StandbyWithoutLast": {there: with(func(c *installation.Claim) { c.Turn = 41 })},
		"PlaceUnknown":       {there: with(func(c *installation.Claim) { c.Place = "" })},
		"Other": {
			there: with(func(c *installation.Claim) { c.ID = "9a1" }), want: installation.Other,
			says: "it belongs to installation 9a1 (created on 3 March 2026, last seen 2026-03-04 12:00:00Z)",
		},
		"RestoredElsewhere": {
			there: with(func(c *installation.Claim) { c.Place = "71/5" }), want: installation.Copy,
			says: "this database is a copy of installation 7f3",
		},
		"RestoredInPlace": {
			there: with(func(c *installation.Claim) { c.Turn = 42 }), want: installation.Old,
			says: "an earlier state of installation 7f3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := installation.Compare("default", here, test.there)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			var foreign *installation.ForeignNamespaceError
			require.ErrorAs(t, err, &foreign)
			require.Equal(t, test.want, foreign.Kind)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "waybill adopt-namespace")
		})
	}
}
