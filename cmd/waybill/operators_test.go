package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/operations"
	"waybill/operations/sealing"
	"waybill/operations/webhooks"
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
	require.Contains(t, revoked.stdout, "key "+key.Public()+" expires at ")
	again := runProgram(t, env, "keys", "revoke", "--org", "acme", "--name", "erp", "--in", "2h")
	require.Equal(t, 1, again.status, "a key that ends sooner stays so")

	outsider := runProgram(t, env, "keys", "list", "--org", "nobody")
	require.Equal(t, 1, outsider.status)
	require.Equal(t, "waybill: organization \"nobody\" not found: create it with waybill apply\n", outsider.stderr)
}

func TestOrganizationsAreSuspendedAndResumed(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "acme")
	env := []string{"DATABASE_URL=" + db.AppURL}
	made := runProgram(t, env, "keys", "create", "--org", "acme", "--name", "erp")
	key, ok := credential.Parse(credential.APIKey, strings.TrimSuffix(made.stdout, "\n"))
	require.True(t, ok, made.stderr)
	for _, step := range []struct {
		command, says string
		suspended     bool
	}{
		{"suspend", "acme is now suspended\n", true},
		{"suspend", "acme is already suspended\n", true},
		{"resume", "acme is now active\n", false},
		{"resume", "acme is already active\n", false},
	} {
		got := runProgram(t, env, "organizations", step.command, "--org", "acme")
		require.Zero(t, got.status, got.stderr)
		require.Equal(t, step.says, got.stdout)
		kept, err := store.New(db.Pool).FindAPIKey(t.Context(), key.Public())
		require.NoError(t, err)
		require.Equal(t, step.suspended, kept.Suspended)
	}
}

func TestTheSealingSecretIsChangedWithoutAGap(t *testing.T) {
	t.Parallel()
	const first, second = "a-secret-that-is-long-enough-0001", "a-secret-that-is-long-enough-0002"
	db := storetest.New(t)
	by := caller.Service(storetest.Organization(t, db, "acme"), "test")
	with := func(secret string, also ...string) *operations.Operations {
		return operations.New(store.New(db.Pool), time.Now, operations.Settings{SealingSecret: secret, SealingAlsoOpens: also})
	}
	_, err := with(first).Webhooks.CreateEndpoint(t.Context(), by, webhooks.NewEndpoint{
		WebhookDetails: store.WebhookDetails{URL: "https://example.com/hook", IsActive: true},
	})
	require.NoError(t, err)
	reseal := func(environment ...string) outcome {
		return runProgram(t, append(environment, "DATABASE_URL="+db.AppURL, "DATABASE_MIGRATE_URL="+db.OwnerURL), "secrets", "reseal")
	}
	lost := reseal("WAYBILL_SEALING_SECRET=" + second)
	require.Equal(t, 1, lost.status)
	require.Contains(t, lost.stderr, "opens 1 of 1 values")
	require.NoError(t, with(first).Sealing.Check(t.Context()), "nothing is changed")

	done := reseal("WAYBILL_SEALING_SECRET="+second, "WAYBILL_SEALING_ALSO_OPENS="+first)
	require.Equal(t, "1 value resealed, 0 already sealed with the current secret, 0 lost\n", done.stdout, done.stderr)
	var wrong *sealing.WrongSecretError
	require.ErrorAs(t, with(first).Sealing.Check(t.Context()), &wrong)
	again := reseal("WAYBILL_SEALING_SECRET=" + second)
	require.Equal(t, "0 values resealed, 1 already sealed with the current secret, 0 lost\n", again.stdout, again.stderr)
}

func TestProofsAreVerified(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "acme")
	env := []string{"DATABASE_URL=" + db.AppURL, "WAYBILL_BLOB_URL=file://" + t.TempDir()}

	none := runProgram(t, env, "proofs", "verify", "--org", "acme", "--chain-only")
	require.Zero(t, none.status, none.stderr)
	require.Equal(t, "0 proofs, all unchanged\n", none.stdout)
	hash := strings.Repeat("ab", 32)
	noted := runProgram(t, env, "proofs", "verify", "--org", "acme", "--noted", hash)
	require.Equal(t, 1, noted.status)
	require.Contains(t, noted.stderr, "no proof has the hash "+hash)
	wrong := runProgram(t, env, "proofs", "verify", "--org", "acme", "--noted", "xyz")
	require.Contains(t, wrong.stderr, "--noted must be a hex-encoded hash")
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
	require.Contains(t, second.stdout, "nordfrakt is unchanged.")
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
	require.Contains(t, got.stderr, file+":3:35: customers[0].department: department \"Nowhere\" not found")

	got = runProgram(t, env, "apply", "-f", filepath.Join(t.TempDir(), "absent.yaml"))
	require.Equal(t, 1, got.status)
	require.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	env := asOriginal(ownNamespace(t), db)
	first := runProgram(t, env, "migrate")
	require.Zero(t, first.status, first.stderr)
	second := runProgram(t, env, "migrate")
	require.Zero(t, second.status, second.stderr)
	require.Contains(t, second.stdout, "has all search attributes")
	require.NotContains(t, second.stdout, "ran migration")
}

// Actions outside an organization, or that outlive it, name the operator, too.
func TestOperatorsAreRecorded(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner := asOwnerOf(t, db)
	storetest.Organization(t, db, "leaves")
	env := with(asOriginal(ownNamespace(t), db), "WAYBILL_BLOB_URL=file://"+t.TempDir(), "WAYBILL_OPERATOR=kari")
	actions := func() (all []string) {
		rows, err := owner.Query(t.Context(), "select operator || ', ' || command || ': ' || done from operator_actions order by id")
		require.NoError(t, err)
		all, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return all
	}
	require.Zero(t, runProgram(t, env, "migrate").status)
	require.Empty(t, actions(), "nothing was to be done")
	role := "recorded_" + strings.ToLower(rand.Text())
	let := runProgram(t, with(env, "DATABASE_URL="+as(t, db.AppURL, role, "secret")), "migrate")
	require.Zero(t, let.status, let.stderr)
	defer func() {
		_, err := owner.Exec(t.Context(), "drop role "+role)
		require.NoError(t, err)
	}()
	require.Equal(t, []string{
		"kari, waybill migrate: created the login role " + role, "kari, waybill migrate: made role " + role + " a member of waybill_app",
	}, actions())

	dry := runProgram(t, env, "organizations", "remove", "--org", "leaves", "--dry-run")
	require.Zero(t, dry.status, dry.stderr)
	require.Len(t, actions(), 2)
	removed := runProgram(t, env, "organizations", "remove", "--org", "leaves", "--yes", "--operator", "ola")
	require.Zero(t, removed.status, removed.stderr)
	require.Len(t, actions(), 4)
	require.Contains(t, actions()[2], "ola, waybill organizations remove: started to remove organization leaves, number ")
	require.Contains(t, actions()[3], "ola, waybill organizations remove: removed organization leaves, number ")
}

func TestMigrateWarnsIfServeUsesTheOwner(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	got := runProgram(t, []string{"DATABASE_URL=" + db.OwnerURL}, "migrate", "--skip-temporal")
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, "the role in DATABASE_URL owns the tables")
}
