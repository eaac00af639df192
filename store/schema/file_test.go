package schema_test

import (
	"flag"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

var update = flag.Bool("update", false, "write store/schema.sql instead of comparing with it")

const schemaFile = "../schema.sql"

// The file is for people who read the schema. It contains the result of all
// migrations: tables, constraints, policies, functions, views and triggers.
func TestTheSchemaFileIsUpToDate(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	made := readable(dump(t, db.Name, "--no-privileges"))
	if *update {
		require.NoError(t, os.WriteFile(schemaFile, []byte(made), 0o600))
		return
	}
	written, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	if firstLine(string(written)) != firstLine(made) {
		t.Skipf("the file is of another version of Postgres, which writes schemas otherwise: %s", firstLine(made))
	}
	require.True(t, made == string(written), "store/schema.sql is not up to date: run make schema and commit it")
}

// dump returns the schema of a database as the server's own pg_dump writes it.
func dump(t *testing.T, database string, flags ...string) string {
	t.Helper()
	server := os.Getenv(storetest.Variable)
	address, err := url.Parse(server)
	require.NoError(t, err)
	conn := connect(t, server)
	var folder, version string
	const query = "select setting, (current_setting('server_version_num')::int / 10000)::text" +
		" from pg_config where name = 'BINDIR'"
	require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&folder, &version))
	program := filepath.Join(folder, "pg_dump")
	if _, err := os.Stat(program); err != nil {
		t.Skip("there is no pg_dump beside the server, so the schema is not compared")
	}
	address.Path = "/" + database
	flags = append(flags, "--schema-only", "--no-owner", "--exclude-table=events_2*", "--exclude-table=goose_db_version*",
		"--dbname="+address.String())
	run := exec.CommandContext(t.Context(), program, flags...)
	var complaint strings.Builder
	run.Stderr = &complaint
	out, err := run.Output()
	require.NoError(t, err, complaint.String())
	return "-- Written by make schema from the migrations, with Postgres " + version + ".\n" + string(out)
}

var (
	noise = regexp.MustCompile(`(?m)^(--|-- (Name|Dumped|PostgreSQL)\b.*|` +
		`SET .*|SELECT pg_catalog\..*|\\(un)?restrict .*)\n`)
	emptied  = regexp.MustCompile(`\n{3,}`)
	selfName = regexp.MustCompile(`\bpublic\.`)
)

// readable removes noise from a dump of the schema.
func readable(dumped string) string {
	dumped = noise.ReplaceAllString(dumped, "")
	dumped = selfName.ReplaceAllString(dumped, "")
	return strings.TrimRight(emptied.ReplaceAllString(dumped, "\n\n"), "\n") + "\n"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
