package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/storetest"
)

func TestApplyOrganization(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "acme")
	require.Equal(t, org, storetest.Organization(t, db, "acme"))
	_ = store.New
	_ = organization.Read
	_ = strings.ToLower
}
