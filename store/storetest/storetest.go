// Package storetest gives every test its own database: fresh, migrated, and
// dropped when the test ends.
package storetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/migrations"
	"waybill/store/poolcheck"
	"waybill/store/schema"
)

// Variable names the environment variable with the URL of a superuser in the
// cluster that tests may use as they like.
const Variable = "WAYBILL_TEST_DATABASE_URL"

const (
	ownerRole       = "waybill_test_owner"
	applicationRole = "waybill_test_app"
	password        = "waybill"
	templateLock    = 0x77617962696c6c // "waybill"
	patience        = time.Minute
	closePatience   = 5 * time.Second
	poolSize        = 8
)

// Database is a database of one test.
type Database struct {
	// Pool works in the role of the application, subject to row-level security.
	Pool *pgxpool.Pool
	// AppURL is the same role's URL.
	AppURL string
	// OwnerURL is the URL of the tables' owner, who sees all rows.
	OwnerURL string
	// Name is the database's name in its cluster.
	Name string

	nested *nested
}

// New creates a database for a test, as a copy of a template that is migrated
// once for each state of the migrations. Tests may call it in parallel. It
// fails the test if there is no cluster.
func New(t testing.TB) *Database {
	t.Helper()
	superuser := os.Getenv(Variable)
	if superuser == "" {
		t.Fatal("run the tests with make test")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	database, err := create(ctx, superuser)
	if err != nil {
		t.Fatalf("make a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := drop(superuser, database.Name); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
		closeSoon(t, database.Pool)
		database.nested.check(t)
	})
	return database
}

// closeSoon closes the pool without waiting forever for a connection that a
// failed test still holds: that would hide why it failed.
func closeSoon(t testing.TB, pool *pgxpool.Pool) {
	closed := make(chan struct{})
	go func() {
		pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(closePatience):
		t.Errorf("the test kept %d connections of its database's pool", pool.Stat().AcquiredConns())
	}
}

func create(ctx context.Context, superuser string) (*Database, error) {
	conn, err := pgx.Connect(ctx, superuser)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	template, err := ensureTemplate(ctx, conn, superuser)
	if err != nil {
		return nil, fmt.Errorf("make the template: %w", err)
	}
	name := "waybill_test_" + random()
	_, err = conn.Exec(ctx, fmt.Sprintf("create database %s template %s owner %s", name, template, ownerRole))
	if err != nil {
		return nil, err
	}
	database := &Database{
		Name:     name,
		AppURL:   address(superuser, applicationRole, name),
		OwnerURL: address(superuser, ownerRole, name),
	}
	database.nested = &nested{}
	database.Pool, err = open(ctx, database.AppURL, poolcheck.New(database.nested.add))
	return database, err
}

func open(ctx context.Context, appURL string, tracer *poolcheck.Tracer) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(appURL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = poolSize
	config.ConnConfig.Tracer = tracer
	return pgxpool.NewWithConfig(ctx, config)
}

// drop has its own deadline, because the test's context has ended by now.
func drop(superuser, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, superuser)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "drop database if exists "+name+" with (force)")
	return err
}

// ensureTemplate returns the name of the migrated template, and makes it when it
// is not there. Test binaries that run at the same time wait for one another.
func ensureTemplate(ctx context.Context, conn *pgx.Conn, superuser string) (string, error) {
	template := "waybill_template_" + fingerprint()
	const query = "select exists (select from pg_database where datname = $1)"
	var exists bool
	if err := conn.QueryRow(ctx, query, template).Scan(&exists); err != nil || exists {
		return template, err
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", int64(templateLock)); err != nil {
		return "", err
	}
	defer func() { _, _ = conn.Exec(ctx, "select pg_advisory_unlock($1)", int64(templateLock)) }()
	if err := conn.QueryRow(ctx, query, template).Scan(&exists); err != nil || exists {
		return template, err
	}
	return template, buildTemplate(ctx, conn, superuser, template)
}

// buildTemplate migrates a database under another name, so that one with the
// template's name is always whole.
func buildTemplate(ctx context.Context, conn *pgx.Conn, superuser, template string) error {
	if err := ensureOwner(ctx, conn); err != nil {
		return err
	}
	unfinished := template + "_new"
	for _, statement := range []string{
		"drop database if exists " + unfinished + " with (force)",
		"create database " + unfinished + " owner " + ownerRole,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	owner := address(superuser, ownerRole, unfinished)
	if _, err := schema.Migrate(ctx, owner, schema.Options{}); err != nil {
		return err
	}
	if _, err := schema.EnsureLogin(ctx, owner, address(superuser, applicationRole, unfinished)); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, "alter database "+unfinished+" rename to "+template)
	return err
}

// ensureOwner creates the role that owns all test databases. It is no
// superuser, which shows that migrations need none.
func ensureOwner(ctx context.Context, conn *pgx.Conn) error {
	var exists bool
	err := conn.QueryRow(ctx, "select exists (select from pg_roles where rolname = $1)", ownerRole).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx,
		fmt.Sprintf("create role %s login createrole nosuperuser nobypassrls password '%s'", ownerRole, password))
	return err
}

// fingerprint differs for each state of the migrations and definitions.
func fingerprint() string {
	sum := sha256.New()
	for _, from := range []embed.FS{migrations.Files, migrations.Definitions} {
		files, _ := fs.Glob(from, "*.sql")                 // the pattern is good
		defined, _ := fs.Glob(from, "definitions/*/*.sql") // and this one
		files = append(files, defined...)
		for _, file := range files {
			text, _ := from.ReadFile(file) // embedded files can be read
			fmt.Fprintf(sum, "%s %d\n%s", file, len(text), text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

func random() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// address is the superuser's URL for another role and database.
func address(superuser, role, database string) string {
	u, err := url.Parse(superuser)
	if err != nil {
		return ""
	}
	u.User = url.UserPassword(role, password)
	u.Path = "/" + database
	return u.String()
}
