package storetest

import (
	_ "embed"
	"strings"
	"testing"

	"waybill/domain/organization/file"
	"waybill/store"
)

// organizationYAML is a small organization with something in every section.
//
//go:embed organization.yaml
var organizationYAML string

// Organization makes a small organization with this slug and gives its id.
// organization.yaml, beside this file, says what it has.
func Organization(t testing.TB, db *Database, slug string) int64 {
	t.Helper()
	return Apply(t, db, strings.ReplaceAll(organizationYAML, "SLUG", slug))
}

// Apply makes an organization what a document says and gives its id.
func Apply(t testing.TB, db *Database, text string) int64 {
	t.Helper()
	document, err := file.Read([]byte(text))
	if err != nil {
		t.Fatalf("read the document: %v", err)
	}
	applied, err := store.New(db.Pool).ApplyOrganization(t.Context(), document, store.ApplyOptions{})
	if err != nil {
		t.Fatalf("apply the document: %v", err)
	}
	return applied.OrgID
}
