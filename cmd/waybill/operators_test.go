package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/credential"
	"waybill/store"
	"waybill/store/storetest"
)

func TestKeysAreMadeListedAndRevoked(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	org := storetest.Organization(t, db, "acme")
	env := []string{"DATABASE_URL=" + db.AppURL}

	made := runProgram(t, env, "keys", "create", "--org", "acme", "--name", "erp", "--expires", "720h")
	require.Zero(t, made.status, made.stderr)
	require.Empty(t, made.stderr, "the hint is for people at a terminal")
	key, ok := credential.Parse(credential.APIKey, strings.TrimSuffix(made.stdout, "\n"))
	require.True(t, ok, "standard output holds the key and nothing else: %q", made.stdout)
	kept, err := store.New(db.Pool).FindAPIKey(t.Context(), key.Public())
	require.NoError(t, err)
	hash := key.Hash()
	require.Equal(t, hash[:], kept.Hash)
	require.Equal(t, org, kept.OrgID)
	require.NotNil(t, kept.ExpiresAt)

	listed := runProgram(t, env, "keys", "list", "--org", "acme")
	require.Contains(t, listed.stdout, key.Public())
	require.NotContains(t, listed.stdout, strings.TrimSpace(made.stdout))

	revoked := runProgram(t, env, "keys", "revoke", "--org", "acme", "--name", "erp", "--in", "1h")
	require.Zero(t, revoked.status, revoked.stderr)
	require.Contains(t, revoked.stdout, "key "+key.Public()+" ends at ")
	again := runProgram(t, env, "keys", "revoke", "--org", "acme", "--name", "erp", "--in", "2h")
	require.Equal(t, 1, again.status, "a key that ends sooner stays so")

	stranger := runProgram(t, env, "keys", "list", "--org", "nobody")
	require.Equal(t, 1, stranger.status)
	require.Equal(t, "waybill: there is no organization \"nobody\": waybill apply creates one\n", stranger.stderr)
}

func TestProofsAreVerified(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "acme")
	env := []string{"DATABASE_URL=" + db.AppURL, "WAYBILL_BLOB_URL=file://" + t.TempDir()}

	none := runProgram(t, env, "proofs", "verify", "--org", "acme", "--chain-only")
	require.Zero(t, none.status, none.stderr)
	require.Equal(t, "0 proofs, all as they were made\n", none.stdout)
	hash := strings.Repeat("ab", 32)
	noted := runProgram(t, env, "proofs", "verify", "--org", "acme", "--noted", hash)
	require.Equal(t, 1, noted.status)
	require.Contains(t, noted.stderr, "no proof has the hash "+hash)
	wrong := runProgram(t, env, "proofs", "verify", "--org", "acme", "--noted", "xyz")
	require.Contains(t, wrong.stderr, "--noted is no hash in hex")
}

func TestApply(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	env := []string{"DATABASE_URL=" + db.AppURL}
	demo := filepath.Join("..", "..", "demo", "organization.yaml")

	dry := runProgram(t, env, "apply", "-f", demo, "--dry-run")
	require.Zero(t, dry.status, dry.stderr)
	require.Contains(t, dry.stdout, "nothing was written")
	first := runProgram(t, env, "apply", "-f", demo)
	require.Zero(t, first.status, first.stderr)
	require.Contains(t, first.stdout, "waybill keys create --org nordfrakt", "it says what to do next")
	second := runProgram(t, env, "apply", "--file", demo, "--prune")
	require.Contains(t, second.stdout, "nordfrakt was so already.")
}

func TestApplyNamesLineAndColumn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	env := []string{"DATABASE_URL=" + db.AppURL}
	file := filepath.Join(t.TempDir(), "bad.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }

	write("organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\nskills:\n  - {name: ADR, colour: red}\n")
	got := runProgram(t, env, "apply", "-f", file)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, file+":3:17: skills[0].colour: unknown key")

	write("organization: {slug: acme, name: Acme, timezone: Europe/Oslo}\n" +
		"customers:\n  - {businessName: A, department: Nowhere}\n")
	got = runProgram(t, env, "apply", "-f", file)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, file+":3:35: customers[0].department: there is no department \"Nowhere\"")

	got = runProgram(t, env, "apply", "-f", filepath.Join(t.TempDir(), "absent.yaml"))
	require.Equal(t, 1, got.status)
	require.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	temporal := os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS")
	require.NotEmpty(t, temporal, "run the tests with make test")
	db := storetest.New(t)
	env := []string{"DATABASE_MIGRATE_URL=" + db.OwnerURL, "DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + temporal}
	first := runProgram(t, env, "migrate")
	require.Zero(t, first.status, first.stderr)
	second := runProgram(t, env, "migrate")
	require.Zero(t, second.status, second.stderr)
	require.Contains(t, second.stdout, "the search attributes of namespace default are there")
	require.NotContains(t, second.stdout, "ran migration")
}

func TestMigrateTellsWhenTheOwnerIsToServe(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	got := runProgram(t, []string{"DATABASE_URL=" + db.OwnerURL}, "migrate", "--skip-temporal")
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, "DATABASE_URL names the owner of the tables")
}
