package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/store"
)

// onlooker records that a test has failed, and lets it pass.
type onlooker struct {
	testing.TB
	failures int
}

func (o *onlooker) Helper()               {}
func (o *onlooker) Errorf(string, ...any) { o.failures++ }

func TestASecondConnectionFailsTheTest(t *testing.T) {
	t.Parallel()
	db := New(t)
	org := Organization(t, db, "acme")
	s, o := store.New(db.Pool), &onlooker{TB: t}
	db.nested.check(o)
	require.Zero(t, o.failures)
	require.NoError(t, s.InTx(t.Context(), caller.Service(org, "test"), func(*store.Tx) error {
		_, err := s.IsSandbox(t.Context(), org)
		return err
	}))
	db.nested.check(o)
	require.Equal(t, 1, o.failures)
	db.nested.found = nil // this test is no offender
}
