package storetest

import (
	_ "embed"
	"strings"
	"testing"

	"waybill/domain/caller"
	"waybill/domain/organization/file"
	"waybill/store"
	"waybill/store/masterdata"
)

// organizationYAML is a small organization with something in every section.
//
//go:embed organization.yaml
var organizationYAML string

// Organization creates a small organization with this slug and returns its id.
// organization.yaml in this folder describes it.
func Organization(t testing.TB, db *Database, slug string) int64 {
	t.Helper()
	return Apply(t, db, strings.ReplaceAll(organizationYAML, "SLUG", slug))
}

// Apply applies an organization's document and returns its id.
func Apply(t testing.TB, db *Database, text string) int64 {
	t.Helper()
	document, err := file.Read([]byte(text))
	if err != nil {
		t.Fatalf("read the document: %v", err)
	}
	applied, err := masterdata.Apply(t.Context(), store.New(db.Pool),
		caller.Service(0, "test"), document, masterdata.Options{})
	if err != nil {
		t.Fatalf("apply the document: %v", err)
	}
	return applied.OrgID
}
