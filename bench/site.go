package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"waybill/internal/child"
	"waybill/store"
	"waybill/testing/stack"
)

// The environment, as set by devstack test.
const (
	databaseVariable = "WAYBILL_TEST_DATABASE_URL"
	temporalVariable = "WAYBILL_TEST_TEMPORAL_ADDRESS"
	programVariable  = "WAYBILL_BIN"
)

const (
	database  = "waybill_bench"
	ownerRole = "waybill_bench_owner"
	appRole   = "waybill_bench_app"
	// poolSize is how many connections each server may have, ours and the bare
	// one alike.
	poolSize = 16
)

// site is a private installation: a database, and the program's two services on
// it as in production.
type site struct {
	sizes   sizes
	started time.Time
	// organizations are how many were made: some measurements make theirs more than once.
	organizations atomic.Int64
	dir           string
	owner         *pgxpool.Pool // sees and may write all rows
	store         *store.Store  // over the same pool

	ownerURL, appURL, temporal, program string

	mail     *mailServer
	services []*service
	url      string
	workURL  string // of the probes and metrics of work
	client   *http.Client
	imported *organization // has sizes.Orders orders once imports were measured
}

// service is one of the program's services.
type service struct {
	name    string
	process *stack.Process
}

func openSite(ctx context.Context, size sizes) (s *site, err error) {
	s = &site{
		sizes: size, started: time.Now(), temporal: os.Getenv(temporalVariable), program: os.Getenv(programVariable),
		client: newClient(),
	}
	if s.temporal == "" || s.program == "" || os.Getenv(databaseVariable) == "" {
		return nil, errors.New("servers not running: use make bench")
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = os.MkdirTemp("", "waybill-bench-"); err != nil {
		return s, fmt.Errorf("make a folder: %w", err)
	}
	if s.mail, err = newMailServer(ctx); err != nil {
		return s, fmt.Errorf("start a mail server: %w", err)
	}
	if err := s.createDatabase(ctx, os.Getenv(databaseVariable)); err != nil {
		return s, fmt.Errorf("create the database: %w", err)
	}
	if err := s.migrate(ctx); err != nil {
		return s, err
	}
	if s.owner, err = pgxpool.New(ctx, s.ownerURL); err != nil {
		return s, fmt.Errorf("open the database: %w", err)
	}
	s.store = store.New(s.owner)
	if err := s.beUnknown(ctx); err != nil {
		return s, err
	}
	return s, s.start(ctx)
}

// beUnknown separates our workflows from those of earlier runs on the same
// Temporal server: their ids begin with the organization's.
func (s *site) beUnknown(ctx context.Context) error {
	_, err := s.owner.Exec(
		ctx, fmt.Sprintf("alter table organizations alter column id restart with %d", time.Now().Unix()),
	)
	if err != nil {
		return fmt.Errorf("choose the organizations' ids: %w", err)
	}
	return nil
}

// createDatabase creates an empty database and the role that will own its
// tables.
func (s *site) createDatabase(ctx context.Context, superuser string) error {
	conn, err := pgx.Connect(ctx, superuser)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	password := rand.Text()
	for _, statement := range []string{
		"drop database if exists " + database + " with (force)",
		"drop role if exists " + ownerRole,
		"create role " + ownerRole + " login createrole password '" + password + "'",
		"create database " + database + " owner " + ownerRole,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	s.ownerURL, err = address(superuser, ownerRole, password)
	if err != nil {
		return err
	}
	s.appURL, err = address(superuser, appRole, rand.Text())
	return err
}

// checkpoint makes the server flush what it has only logged so far.
func (s *site) checkpoint(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, os.Getenv(databaseVariable))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "checkpoint")
	return err
}

// address is the superuser's URL for another role in our database.
func address(superuser, role, password string) (string, error) {
	u, err := url.Parse(superuser)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", databaseVariable, err)
	}
	u.User, u.Path = url.UserPassword(role, password), "/"+database
	return u.String(), nil
}

// environment is the program's environment.
func (s *site) environment(more ...string) []string {
	return append(append(os.Environ(),
		"DATABASE_URL="+s.appURL, "DATABASE_MIGRATE_URL="+s.ownerURL,
		"TEMPORAL_ADDRESS="+s.temporal, "TEMPORAL_NAMESPACE="+stack.DefaultNamespace,
		"WAYBILL_RATE_LIMIT=0", "WAYBILL_IMPORT_WAIT=4m", fmt.Sprintf("WAYBILL_DATABASE_CONNS=%d", poolSize),
		"WAYBILL_LOG_LEVEL=info", "WAYBILL_LOG_FORMAT=json", "OTEL_EXPORTER_OTLP_ENDPOINT=",
		"WAYBILL_BLOB_URL=file://"+filepath.Join(s.dir, "blobs"),
		"WAYBILL_WEBHOOK_ALLOW_PRIVATE=true", "WAYBILL_EMAILS_PER_DAY=0", "WAYBILL_EMAILS_PER_RECEIVER=0",
		"WAYBILL_SMTP_URL="+s.mail.url, "WAYBILL_SMTP_FROM=post@bench.example",
		"WAYBILL_POSTMARK_LOGIN=bench:bench", // so that messages wait for reports
	), more...)
}

func (s *site) migrate(ctx context.Context) error {
	process, err := s.launch("migrate", s.environment(), "migrate")
	if err != nil {
		return err
	}
	select {
	case <-process.Done():
	case <-ctx.Done():
		process.Kill()
		return ctx.Err()
	}
	if process.ExitCode() != 0 {
		return process.Failure()
	}
	return nil
}

// start runs serve and work, and waits until both are ready.
func (s *site) start(ctx context.Context) error {
	for _, of := range []struct{ name, variable string }{
		{"serve", "WAYBILL_HTTP_ADDR"}, {"work", "WAYBILL_WORK_HTTP_ADDR"},
	} {
		port, err := child.FreePort()
		if err != nil {
			return err
		}
		address := fmt.Sprintf("127.0.0.1:%d", port)
		process, err := s.launch(of.name, s.environment(of.variable+"="+address), of.name)
		if err != nil {
			return err
		}
		s.services = append(s.services, &service{of.name, process})
		if err := s.ready(ctx, process, "http://"+address+"/readyz"); err != nil {
			return fmt.Errorf("wait for %s: %w", of.name, err)
		}
		if of.name == "serve" {
			s.url = "http://" + address
		} else {
			s.workURL = "http://" + address
		}
	}
	return nil
}

// launch starts the program; its log is a file, as in production.
func (s *site) launch(name string, environment []string, args ...string) (*stack.Process, error) {
	return stack.Launch(stack.Command{
		Name: name, Path: s.program, Args: args, Env: environment, Log: filepath.Join(s.dir, name+".log"),
	})
}

const readyWithin = time.Minute

// ready waits until a server responds with 200.
func (s *site) ready(ctx context.Context, p *stack.Process, url string) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		_, err := s.call(ctx, request{url: url})
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return p.Failure()
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// close stops everything and deletes its data.
func (s *site) close() error {
	var errs []error
	for _, started := range s.services {
		errs = append(errs, started.process.Failure(), started.process.Stop())
	}
	if s.mail != nil {
		errs = append(errs, s.mail.smtp.Close())
	}
	if s.owner != nil {
		s.owner.Close()
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}
