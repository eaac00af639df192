package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/account"
)

func TestAddressesThatOnlyLookDifferentAreTheSame(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"inv@acme.example":             "inv@acme.example",
		"\tinv@acme.example\n":         "inv@acme.example",
		"\u2170nv@acme.example":        "inv@acme.example", // a small Roman numeral
		"\uff49nv@acme.example":        "inv@acme.example", // full width
		"inv\u200b@acme.example":       "",                 // no width
		"\u202einv@acme.example":       "",                 // right to left
		"inv\u00ad@acme.example":       "",                 // a soft hyphen
		"k\u0061\u030ari@acme.example": "k\u00e5ri@acme.example",
		"inv@acme.example\x00":         "",
	} {
		got, ok := account.Email(given)
		require.Equal(t, want != "", ok, "%q", given)
		if ok {
			require.Equal(t, want, got, "%q", given)
		}
	}
}
