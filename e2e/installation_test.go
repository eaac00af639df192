package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"waybill/internal/child"
	"waybill/testing/stack"
)

// programVariable names the environment variable with the path of the built
// waybill.
const programVariable = "WAYBILL_BIN"

const (
	database  = "waybill"
	ownerRole = "waybill_owner"
	appRole   = "waybill_app_login"
)

// temporalServer runs the workflows of an installation.
type temporalServer interface {
	Start(ctx context.Context) error
	Kill()
	Close() error
	Address() string
	Namespace() string
}

// ownTemporal is a server that one test may stop. It keeps everything in
// SQLite, over one connection, which is enough for one test.
func ownTemporal() (temporalServer, error) {
	return stack.NewTemporal(stack.TemporalOptions{NoSync: true})
}

// temporalOfAll is a namespace on the server that the tests of all packages have.
type temporalOfAll struct{ *stack.TemporalNamespace }

func newTemporalOfAll() (temporalServer, error) {
	address := os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS")
	if address == "" {
		return nil, errors.New("run the tests with make test")
	}
	return temporalOfAll{stack.NewTemporalNamespace(address, fmt.Sprintf("e2e-%d", time.Now().UnixNano()))}, nil
}

// Kill does nothing.
func (temporalOfAll) Kill() { panic("others use this server") }

// Close leaves the server running.
func (temporalOfAll) Close() error { return nil }

// installation is a Waybill with its own servers, each of which can be stopped
// and restarted.
type installation struct {
	dir     string
	program string
	// isPrevious is true if an earlier release responds, with an earlier
	// contract.
	isPrevious bool
	postgres   *stack.Postgres
	temporal   temporalServer
	mailbox    *stack.Mailbox
	sms        *stack.SMS
	// address is where serve answers.
	address string
	// elsewhere are a test's changes to the program's environment.
	elsewhere []string
	// processes are those of waybill, by name.
	processes map[string]*stack.Process
	// admin sees the rows of every organization, and the server's activity.
	admin *pgxpool.Pool
}

// builtProgram returns the path of the built waybill.
func builtProgram() (string, error) {
	path := os.Getenv(programVariable)
	if path == "" {
		return "", errors.New("run the tests with make test")
	}
	_, err := os.Stat(path) // a new program makes old results of these tests void
	return path, err
}

// newInstallation starts the servers, on the present schema, and those processes
// of waybill that are named, by their commands.
func newInstallation(
	ctx context.Context, temporal func() (temporalServer, error), commands ...string,
) (i *installation, err error) {
	i = &installation{processes: map[string]*stack.Process{}}
	if i.program, err = builtProgram(); err != nil {
		return i, err
	}
	if i.dir, err = os.MkdirTemp("", "waybill-e2e-"); err != nil {
		return i, err
	}
	port, err := child.FreePort()
	if err != nil {
		return i, err
	}
	i.address = fmt.Sprintf("127.0.0.1:%d", port)
	server, err := temporal()
	if err != nil {
		return i, err
	}
	i.temporal = server
	if err := i.startServers(ctx); err != nil {
		return i, err
	}
	if _, err := i.command(ctx, "migrate"); err != nil { // which has little to do, except in its own Temporal
		return i, err
	}
	if i.admin, err = pgxpool.New(ctx, i.postgres.URL(stack.Superuser, database)); err != nil {
		return i, err
	}
	for _, command := range commands {
		if err := i.start(command); err != nil {
			return i, err
		}
	}
	if i.processes["serve"] == nil {
		return i, nil
	}
	return i, i.ready(ctx)
}

func (i *installation) startServers(ctx context.Context) (err error) {
	if i.postgres, err = stack.NewPostgres(stack.PostgresOptions{NoSync: true, Like: migrated}); err != nil {
		return err
	}
	if i.mailbox, err = stack.NewMailbox(stack.MailboxOptions{Dir: filepath.Join(i.dir, "mailbox")}); err != nil {
		return err
	}
	if i.sms, err = stack.NewSMS(stack.SMSOptions{}); err != nil {
		return err
	}
	if err := errors.Join(i.mailbox.Start(ctx), i.sms.Start(ctx)); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return i.postgres.Start(ctx) })
	group.Go(func() error { return i.temporal.Start(ctx) })
	return group.Wait()
}

// install makes an installation for one test.
func install(t *testing.T, commands ...string) *installation {
	t.Helper()
	i, err := newInstallation(t.Context(), ownTemporal, commands...)
	t.Cleanup(func() {
		if err := i.close(); err != nil {
			t.Errorf("close the installation: %v", err)
		}
	})
	require.NoError(t, err)
	return i
}

// close stops everything and forgets it.
func (i *installation) close() error {
	var errs []error
	for _, p := range i.processes {
		errs = append(errs, p.Stop())
	}
	if i.admin != nil {
		i.admin.Close()
	}
	if i.mailbox != nil {
		errs = append(errs, i.mailbox.Stop())
	}
	if i.sms != nil {
		errs = append(errs, i.sms.Stop())
	}
	if i.temporal != nil {
		errs = append(errs, i.temporal.Close())
	}
	if i.postgres != nil {
		errs = append(errs, i.postgres.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(i.dir))...)
}

// environment is the environment of the program.
func (i *installation) environment(extra ...string) []string {
	return append(append(os.Environ(),
		"WAYBILL_HTTP_ADDR="+i.address,
		"DATABASE_URL="+i.postgres.URL(appRole, database),
		"DATABASE_MIGRATE_URL="+i.postgres.URL(ownerRole, database),
		"TEMPORAL_ADDRESS="+i.temporal.Address(),
		"TEMPORAL_NAMESPACE="+i.temporal.Namespace(),
		"WAYBILL_SMTP_URL="+i.mailbox.SMTPURL(),
		"WAYBILL_SMS_URL="+i.sms.URL(),
		"WAYBILL_SMS_ACCOUNT="+stack.SMSAccount,
		"WAYBILL_SMS_TOKEN="+stack.SMSToken,
		"WAYBILL_POSTMARK_LOGIN=postmark:secret",
		"WAYBILL_SANDBOX_SENDS=true",
		"WAYBILL_WEBHOOK_ALLOW_PRIVATE=true",
		"WAYBILL_RATE_LIMIT=0",
		"WAYBILL_CHECK_CONNS=true",
		"WAYBILL_TRACKING_RATE_LIMIT=0",
		"WAYBILL_BLOB_URL=file://"+filepath.Join(i.dir, "blobs"),
		"WAYBILL_LOG_FORMAT=json",
		"WAYBILL_SHUTDOWN_TIMEOUT=5s",
		"OTEL_EXPORTER_OTLP_ENDPOINT=",
	), append(slices.Clone(i.elsewhere), extra...)...)
}

// command runs a command of waybill and returns its output.
func (i *installation) command(ctx context.Context, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, i.program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = i.environment(), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("waybill %s: %w\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
	}
	return strings.TrimSpace(stdout.String()), nil
}

// start starts a waybill process under its command's name, with a test's
// additional environment.
func (i *installation) start(command string, extra ...string) error {
	return i.startAs(command, command, extra...)
}

func (i *installation) startAs(name, command string, extra ...string) error {
	return i.launch(name, []string{command}, extra...)
}

// launch starts waybill with arguments, and more environment than usual.
func (i *installation) launch(name string, args []string, extra ...string) error {
	p, err := stack.Launch(stack.Command{
		Name: "waybill " + name, Path: i.program, Args: args,
		Env: i.environment(extra...), Log: i.log(name),
	})
	if err == nil {
		i.processes[name] = p
	}
	return err
}

func (i *installation) log(name string) string { return filepath.Join(i.dir, name+".log") }

// kill ends a process of waybill as a crash would.
func (i *installation) kill(name string) {
	i.processes[name].Kill()
	delete(i.processes, name)
}

// ready waits until serve can do its work.
func (i *installation) ready(ctx context.Context) error {
	serve := i.processes["serve"]
	for {
		r, err := http.Get("http://" + i.address + "/readyz") //nolint:bodyclose // isReady closes it
		if err == nil {
			if err = isReady(r); err == nil {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for waybill serve: %w", err)
		case <-serve.Done():
			return serve.Failure()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// isReady reads a response of /readyz: everything is available, including
// Temporal.
func isReady(r *http.Response) error {
	defer func() { _ = r.Body.Close() }()
	var answer struct{ Status string }
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK || answer.Status != "ok" {
		return fmt.Errorf("%s: %s", r.Status, answer.Status)
	}
	return nil
}

// complaints returns an error if a waybill process has logged one: while all
// servers are available, no request may cause an internal fault.
func (i *installation) complaints() error {
	var errs []error
	for name := range i.processes {
		text, err := os.ReadFile(i.log(name))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			var entry struct{ Level string }
			if json.Unmarshal([]byte(line), &entry) != nil || entry.Level == "ERROR" {
				errs = append(errs, fmt.Errorf("waybill %s: %s", name, line))
			}
		}
	}
	return errors.Join(errs...)
}

// eventually waits until something is so. Only a fault makes it take long.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	eventuallyIn(t, 3*time.Minute, what, so)
}

// eventuallyIn is eventually with a longer timeout.
func eventuallyIn(t *testing.T, patience time.Duration, what string, so func() bool) {
	t.Helper()
	const pause = 20 * time.Millisecond
	for end := time.Now().Add(patience); !so(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Fatalf("waited %s in vain: %s", patience, what)
		}
	}
}

// organization is a tenant of an installation, and the caller in its name.
type organization struct {
	*installation
	id   int64
	slug string // also its name in workflow IDs
	key  string
}

// organization makes a tenant with the master data of the demo.
func (i *installation) organization(t *testing.T) *organization {
	t.Helper()
	return i.organizationOf(t, demoOrganization(t))
}

// withoutDrivers is an organization like the demo's without drivers, so that
// its orders stay unplanned on every day.
func (i *installation) withoutDrivers(t *testing.T) *organization {
	t.Helper()
	return i.organizationOf(t, withoutDrivers(t, demoOrganization(t)))
}

// withoutDrivers is a document of an organization without its drivers.
func withoutDrivers(t *testing.T, document []byte) []byte {
	t.Helper()
	drivers := regexp.MustCompile(`(?m)^drivers:\n(?:[ #].*\n)+`)
	require.True(t, drivers.Match(document))
	return drivers.ReplaceAll(document, nil)
}

// ofOslo are the positions of the demo's addresses in Oslo.
var ofOslo = map[string]string{
	"Kværnerveien 5": "59.9058, longitude: 10.779", "Københavngata 10": "59.9273, longitude: 10.7669",
	"Maridalsveien 87": "59.9324, longitude: 10.7566", "Sandakerveien 33": "59.9358, longitude: 10.7629",
}

// demoOrganization is the document of the demo's organization. Its addresses in
// Oslo have coordinates here, because few installations have an address register.
func demoOrganization(t *testing.T) []byte {
	t.Helper()
	document, err := os.ReadFile("../demo/organization.yaml")
	require.NoError(t, err)
	for street, at := range ofOslo {
		written := regexp.MustCompile(`({address1: ` + street + `, [^}]+)}`)
		require.Regexp(t, written, string(document))
		document = written.ReplaceAll(document, []byte("$1, latitude: "+at+"}"))
	}
	return document
}

// organizationOf applies a document of the demo with a different name and
// creates a key.
func (i *installation) organizationOf(t *testing.T, document []byte) *organization {
	t.Helper()
	slug := fmt.Sprintf("org-%d", time.Now().UnixNano())
	document = bytes.Replace(document, []byte("slug: nordfrakt"), []byte("slug: "+slug), 1)
	return i.organizationNamed(t, slug, document)
}

// organizationNamed has the organization of a document, and a key.
func (i *installation) organizationNamed(t *testing.T, slug string, document []byte) *organization {
	t.Helper()
	file := filepath.Join(t.TempDir(), "organization.yaml")
	require.NoError(t, os.WriteFile(file, document, 0o600))
	_, err := i.command(t.Context(), "apply", "-f", file)
	require.NoError(t, err)
	o := &organization{installation: i, slug: slug}
	o.key, err = i.command(t.Context(), "keys", "create", "--org", slug, "--name", "e2e")
	require.NoError(t, err)
	o.id = one[int64](t, i, "select id from organizations where slug = $1", slug)
	return o
}

// one reads a single value, across all organizations.
func one[T any](t *testing.T, i *installation, query string, args ...any) T {
	t.Helper()
	var value T
	require.NoError(t, i.admin.QueryRow(context.WithoutCancel(t.Context()), query, args...).Scan(&value), query)
	return value
}
