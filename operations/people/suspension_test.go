package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/store"
)

func TestNobodySignsInToASuspendedOrganization(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	p.add("kari@acme.example", "admin")
	p.suspend(true)
	_, err := p.signIn("kari@acme.example", passphrase)
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "organization.suspended", refused.Text.ID)
	p.suspend(false)
	_, err = p.signIn("kari@acme.example", passphrase)
	require.NoError(t, err)
}

func (p *staff) suspend(suspended bool) {
	p.t.Helper()
	require.NoError(p.t, p.store.InTx(p.t.Context(), p.operator(), func(t *store.Tx) error {
		_, err := t.Suspend(p.t.Context(), suspended)
		return err
	}))
}
