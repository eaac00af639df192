package privacy_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/privacy"
)

func TestDataMapIsDocumented(t *testing.T) {
	t.Parallel()
	paper, err := os.ReadFile("../../docs/privacy.md")
	require.NoError(t, err)
	require.Contains(t, string(paper), privacy.Paper(), "write what privacy.Paper returns into docs/privacy.md")
}

func TestNamesThatMayBeThePersons(t *testing.T) {
	t.Parallel()
	p := privacy.Person{Names: []string{"Haldorine Ødegård"}}
	for name, is := range map[string]bool{
		"Haldorine Ødegård": true, "Ødegaard, Haldorine": true, "haldorine ödegård": true, "": true,
		"Torvald Ødegård": false, "Haldorine": false,
	} {
		require.Equal(t, is, p.Called(name), name)
	}
	require.True(t, p.IsNamedIn("Haldorine Ødegård c/o Hansen"))
	require.True(t, p.IsNamedIn(""))
	require.False(t, p.IsNamedIn("Ødegård AS"))
	single := privacy.Person{Names: []string{"Hansen"}}
	require.False(t, single.IsNamedIn("Hansen Bakeri"), "a word in the name of a business is no person")
	require.True(t, single.IsNamedIn("hansen"))
	require.True(t, new(privacy.Person).Called("anybody"))
}
