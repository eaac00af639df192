// Package tenants reads and deletes all data of an organization. It works as
// the owner of the tables, to whom row-level security does not apply, and reads
// from the database which tables exist.
package tenants

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"waybill/store/catalogue"
)

// ErrNotFound is the error of a slug that no organization has.
var ErrNotFound = errors.New("organization not found")

// Organization is one of the organizations of the installation.
type Organization struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	// ClosedAt is when its removal began; nil while it is open.
	ClosedAt *time.Time `json:"closedAt,omitempty"`
}

// Owner is the owner of the tables.
type Owner struct {
	conn   *pgx.Conn
	tables []catalogue.Table
	all    *catalogue.Catalogue
}

// New reads the list of tables. The caller closes the connection.
func New(ctx context.Context, conn *pgx.Conn) (*Owner, error) {
	all, err := catalogue.Read(ctx, conn)
	if err != nil {
		return nil, err
	}
	tables, err := all.DependentsFirst()
	if err != nil {
		return nil, err
	}
	return &Owner{conn: conn, tables: tables, all: all}, nil
}

// Find returns the organization with a slug, closed or not.
func (o *Owner) Find(ctx context.Context, slug string) (org Organization, err error) {
	err = o.conn.QueryRow(ctx, "select id, slug, name, closed_at from organizations where slug = $1", slug).
		Scan(&org.ID, &org.Slug, &org.Name, &org.ClosedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return org, ErrNotFound
	}
	if err != nil {
		return org, fmt.Errorf("find the organization: %w", err)
	}
	return org, nil
}

// Count is how many rows a table has of an organization.
type Count struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// Counts counts the rows of an organization by table, without empty tables.
func (o *Owner) Counts(ctx context.Context, org int64) (counts []Count, err error) {
	for _, t := range o.tables {
		c := Count{Table: t.Name}
		query := "select count(*) from " + catalogue.Quoted(t.Name) + " where org_id = $1"
		if err := o.conn.QueryRow(ctx, query, org).Scan(&c.Rows); err != nil {
			return nil, fmt.Errorf("count the rows of %s: %w", t.Name, err)
		}
		if c.Rows > 0 {
			counts = append(counts, c)
		}
	}
	return counts, nil
}
