package main

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/schema"
	"waybill/testing/stack"
)

// composeSecrets are the variables of docker-compose.yml that have no default:
// `make containers` makes one up for each.
var composeSecrets = []string{
	"POSTGRES_PASSWORD", "TEMPORAL_DB_PASSWORD", "WAYBILL_APP_PASSWORD", "WAYBILL_OWNER_PASSWORD", "WAYBILL_SEALING_SECRET",
}

func TestComposeConfinesEveryContainer(t *testing.T) {
	t.Parallel()
	file, _ := readCompose(t)
	for name, service := range file.Services {
		require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		require.Empty(t, service.CapAdd, name)
		require.False(t, service.Privileged, name)
		require.Contains(t, service.SecurityOpt, "no-new-privileges:true", name)
		require.Equal(t, name != "temporal-ui", service.ReadOnly, "the root of %s is read-only", name)
		require.Regexp(t, `^\d+[mg]$`, service.Memory, "memory of %s", name)
		require.Positive(t, service.CPUs, "processors of %s", name)
		require.Positive(t, service.Processes, "processes of %s", name)
		for _, port := range service.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s is open to this machine only: %s", name, port)
		}
	}
}

func TestComposeKeepsItsNetworksApart(t *testing.T) {
	t.Parallel()
	file, _ := readCompose(t)
	for name, network := range file.Networks {
		require.Equal(t, name != "published", network.Internal, name)
	}
	for name, service := range file.Services {
		require.NotEmpty(t, service.Networks, name)
		for _, network := range service.Networks {
			require.Contains(t, file.Networks, network, name)
		}
		if len(service.Ports) > 0 {
			require.Contains(t, service.Networks, "published", "%s has ports", name)
		}
	}
	require.Equal(t, []string{"data"}, file.Services["postgres"].Networks, "nobody outside reaches the database")
	for _, outsider := range []string{"mailpit", "temporal-ui"} {
		require.NotContains(t, file.Services[outsider].Networks, "data")
	}
}

// The file has no password, and none has a default.
func TestComposeHasNoPasswordsOfItsOwn(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`PASSWORD|PWD|SECRET|TOKEN`)
	required := regexp.MustCompile(`^\$\{\w+:\?[^}]+\}$`)
	optional := regexp.MustCompile(`^\$\{\w+:-\}$`)
	login := regexp.MustCompile(`://[^:/@]+:(.+)@`)
	file, _ := readCompose(t)
	seen := 0
	for service, part := range file.Services {
		for name, value := range part.Environment {
			if in := login.FindStringSubmatch(value); in != nil {
				require.Regexp(t, required, in[1], "%s of %s", name, service)
				seen++
			}
			if secret.MatchString(name) && !optional.MatchString(value) {
				require.Regexp(t, required, value, "%s of %s", name, service)
				seen++
			}
		}
	}
	require.Greater(t, seen, 5)
}

func TestPasswordsOfContainersAreMadeOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), ".env")
	require.NoError(t, os.WriteFile(file, []byte("WAYBILL_HTTP_PORT=9000\nPOSTGRES_PASSWORD=\nWAYBILL_APP_PASSWORD=mine\n"), 0o644))
	runScript(t, nil, "tools/container-passwords", file)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	values := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		require.NotContains(t, values, name)
		values[name] = value
	}
	require.Equal(t, "mine", values["WAYBILL_APP_PASSWORD"])
	require.Equal(t, "9000", values["WAYBILL_HTTP_PORT"])
	different := map[string]bool{}
	for _, name := range composeSecrets {
		require.NotEmpty(t, values[name], name)
		different[values[name]] = true
	}
	require.Len(t, different, len(composeSecrets), "no password is used twice")
	about, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), about.Mode())

	runScript(t, nil, "tools/container-passwords", file)
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
}

// The roles that the Postgres container creates suffice for the migrations and
// for Temporal's schemas, and neither can access the other's data.
func TestContainerRolesHaveLeastPrivilege(t *testing.T) {
	t.Parallel()
	pg, err := stack.NewPostgres(stack.PostgresOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pg.Close()) })
	require.NoError(t, pg.Start(t.Context()))
	server, err := url.Parse(pg.URL(stack.Superuser, stack.Maintenance))
	require.NoError(t, err)
	password, _ := server.User.Password()
	runScript(t, []string{
		"PGHOST=" + server.Hostname(), "PGPORT=" + server.Port(), "PGPASSWORD=" + password,
		"WAYBILL_OWNER_PASSWORD=o'wner", "TEMPORAL_DB_PASSWORD=temporal",
	}, "containers/postgres/roles.sh")

	as := func(role, password, database string) string {
		return (&url.URL{Scheme: "postgres", User: url.UserPassword(role, password), Host: server.Host, Path: database}).String()
	}
	_, err = schema.Migrate(t.Context(), as("waybill_owner", "o'wner", "waybill"), schema.Options{})
	require.NoError(t, err)
	_, err = schema.EnsureLogin(t.Context(), as("waybill_owner", "o'wner", "waybill"), as("waybill_app", "app", "waybill"))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), as("waybill_app", "app", "waybill"))
	require.NoError(t, err)
	require.NoError(t, conn.Close(context.Background()))
	_, err = pgx.Connect(t.Context(), as("temporal", "temporal", "waybill"))
	require.ErrorContains(t, err, "permission denied")

	tool, err := filepath.Abs(filepath.Join(root, "bin/tools/sql"))
	require.NoError(t, err)
	if _, err := os.Stat(tool); err != nil {
		t.Skip("Temporal's schemas are made with bin/tools/sql, which `make bin/tools/sql` builds")
	}
	programs := t.TempDir()
	require.NoError(t, os.Symlink(tool, filepath.Join(programs, "temporal-sql-tool")))
	for range 2 {
		runScript(t, []string{
			"PATH=" + programs + ":" + os.Getenv("PATH"), "SQL_HOST=" + server.Hostname(), "SQL_PORT=" + server.Port(),
			"SQL_USER=temporal", "SQL_PASSWORD=temporal",
		}, "containers/temporal/schema.sh")
	}
	conn, err = pgx.Connect(t.Context(), as("temporal", "temporal", "temporal_visibility"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var tables int
	require.NoError(t, conn.QueryRow(t.Context(),
		"select count(*) from information_schema.tables where table_name = 'executions_visibility'").Scan(&tables))
	require.Equal(t, 1, tables)
}

// runScript runs a script of the repository in its folder, and returns its
// output.
func runScript(t *testing.T, environment []string, script string, args ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, script))
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
