package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// group is the role that the migrations grant the application's rights to.
const group = "waybill_app"

// ErrSameRole means that owner and application log in as one role.
var ErrSameRole = errors.New("owner and application are the same role")

// EnsureLogin gives the application access: it creates the role named in
// applicationURL, with its password, and makes it a member of waybill_app. It
// doesn't repeat what is already done. It returns one sentence per action, and
// ErrSameRole if the URL names the owner itself.
func EnsureLogin(ctx context.Context, ownerURL, applicationURL string) (done []string, err error) {
	application, err := pgx.ParseConfig(applicationURL)
	if err != nil {
		return nil, fmt.Errorf("read the application's database URL: %w", err)
	}
	conn, err := pgx.Connect(ctx, ownerURL)
	if err != nil {
		return nil, fmt.Errorf("connect as owner: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if conn.Config().User == application.User {
		return nil, ErrSameRole
	}
	l := login{conn: conn, application: application}
	for _, step := range []func(context.Context) error{l.ensureRole, l.ensureMember, l.ensureAccess} {
		if err := step(ctx); err != nil {
			return l.done, err
		}
	}
	return l.done, nil
}

// login is the role with which the application logs in, as the owner sees it.
type login struct {
	conn        *pgx.Conn
	application *pgx.ConnConfig
	done        []string
}

// ensureRole creates the role, or sets its password if the URL's doesn't work.
func (l *login) ensureRole(ctx context.Context) error {
	var superuser, bypass bool
	err := l.conn.QueryRow(ctx, "select rolsuper, rolbypassrls from pg_roles where rolname = $1", l.application.User).
		Scan(&superuser, &bypass)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return l.exec(ctx, fmt.Sprintf("created the login role %s", l.application.User),
			"create role %I login nosuperuser nobypassrls nocreatedb nocreaterole inherit password %L",
			l.application.User, l.password())
	case err != nil:
		return fmt.Errorf("find role %s: %w", l.application.User, err)
	case superuser || bypass:
		return &UnsafeRoleError{Role: l.application.User, Why: "it can bypass row-level security"}
	case l.entersAlready(ctx):
		return nil
	}
	return l.exec(ctx, fmt.Sprintf("set the password of role %s", l.application.User),
		"alter role %I login password %L", l.application.User, l.password())
}

// password is nil if the URL has none.
func (l *login) password() *string {
	if l.application.Password == "" {
		return nil
	}
	return &l.application.Password
}

func (l *login) entersAlready(ctx context.Context) bool {
	conn, err := pgx.ConnectConfig(ctx, l.application)
	if err != nil {
		return false
	}
	_ = conn.Close(ctx)
	return true
}

func (l *login) ensureMember(ctx context.Context) error {
	var member bool
	err := l.conn.QueryRow(ctx, "select pg_has_role($1, $2, 'member')", l.application.User, group).Scan(&member)
	if err != nil {
		return fmt.Errorf("read the memberships of role %s: %w", l.application.User, err)
	}
	if member {
		return nil
	}
	return l.exec(ctx, fmt.Sprintf("made role %s a member of %s", l.application.User, group),
		"grant %I to %I", group, l.application.User)
}

func (l *login) ensureAccess(ctx context.Context) error {
	var database string
	var connects, uses bool
	const query = `select current_database(), has_database_privilege($1, current_database(), 'connect'),
		has_schema_privilege($1, 'public', 'usage')`
	if err := l.conn.QueryRow(ctx, query, l.application.User).Scan(&database, &connects, &uses); err != nil {
		return fmt.Errorf("read the privileges of role %s: %w", l.application.User, err)
	}
	if !connects {
		done := "allowed " + group + " to connect"
		if err := l.exec(ctx, done, "grant connect on database %I to %I", database, group); err != nil {
			return err
		}
	}
	if !uses {
		return l.exec(ctx, "allowed "+group+" to use the schema public", "grant usage on schema %I to %I", "public", group)
	}
	return nil
}

// exec runs a statement about roles, which can't have parameters: the server
// does the quoting.
func (l *login) exec(ctx context.Context, done, template string, first, second any) error {
	var statement string
	const query = "select format($1::text, $2::text, $3::text)"
	if err := l.conn.QueryRow(ctx, query, template, first, second).Scan(&statement); err != nil {
		return fmt.Errorf("quote a statement about roles: %w", err)
	}
	if _, err := l.conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", done, err)
	}
	l.done = append(l.done, done)
	return nil
}

// CheckRole rejects a connection whose role could see rows of an organization
// that it did not name: a superuser, a role that bypasses row-level security,
// an owner of the tables or of a function with its owner's rights, or a member
// of any of these.
func CheckRole(ctx context.Context, db Querier) error {
	const query = `
		select current_user,
			coalesce(bool_or(r.rolsuper), false), coalesce(bool_or(r.rolbypassrls), false),
			exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
				and pg_has_role(c.relowner, 'member')),
			exists (select from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef
				and pg_has_role(p.proowner, 'member'))
		from pg_roles r where pg_has_role(r.oid, 'member')`
	var role string
	var superuser, bypass, owner, definer bool
	if err := db.QueryRow(ctx, query).Scan(&role, &superuser, &bypass, &owner, &definer); err != nil {
		return fmt.Errorf("read the database role: %w", err)
	}
	switch {
	case superuser:
		return &UnsafeRoleError{Role: role, Why: "it is a superuser"}
	case bypass:
		return &UnsafeRoleError{Role: role, Why: "it bypasses row-level security"}
	case owner:
		return &UnsafeRoleError{Role: role, Why: "it owns the tables"}
	case definer:
		return &UnsafeRoleError{Role: role, Why: "it owns functions that see all rows"}
	}
	return nil
}

// UnsafeRoleError is a role that row-level security does not restrict.
type UnsafeRoleError struct {
	Role string
	Why  string
}

// Error explains what to do.
func (e *UnsafeRoleError) Error() string {
	return fmt.Sprintf("the role %s in DATABASE_URL is not safe to use, because %s: use another role there, put "+
		"the owner in DATABASE_MIGRATE_URL, and run waybill migrate", e.Role, e.Why)
}

// isMissing reports whether a table does not exist.
func isMissing(err error) bool {
	var refused *pgconn.PgError
	return errors.Is(err, pgx.ErrNoRows) || errors.As(err, &refused) && refused.Code == "42P01"
}
