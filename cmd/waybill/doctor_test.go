package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"waybill/operations"
	"waybill/store"
	"waybill/store/storetest"
	"waybill/testing/stack"
)

// examined runs waybill doctor --json and returns the findings by name.
func examined(t *testing.T, environment ...string) (map[string]finding, outcome) {
	t.Helper()
	got := runProgram(t, environment, "doctor", "--json", "--limit", "20s")
	var report doctorReport
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report), got.stderr)
	found := map[string]finding{}
	for _, f := range report.Checks {
		found[f.Name] = f
	}
	require.Equal(t, report.Status == checkFails, got.status == 1, got.stdout)
	require.NotContains(t, got.stdout+got.stderr, "s3cret")
	return found, got
}

func temporalAddress(t *testing.T) string {
	t.Helper()
	address := os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS")
	require.NotEmpty(t, address, "run the tests with make test")
	return address
}

func asOwnerOf(t *testing.T, db *storetest.Database) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	db, address := storetest.New(t), temporalAddress(t)
	org := storetest.Organization(t, db, "acme")
	sms, err := stack.NewSMS(stack.SMSOptions{})
	require.NoError(t, err)
	require.NoError(t, sms.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, sms.Stop()) })
	migrated := runProgram(t, []string{
		"DATABASE_MIGRATE_URL=" + db.OwnerURL, "DATABASE_URL=" + db.AppURL,
		"TEMPORAL_ADDRESS=" + address,
	}, "migrate")
	require.Zero(t, migrated.status, migrated.stderr)
	blobs := t.TempDir()
	environment := []string{
		"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + address, "WAYBILL_BLOB_URL=file://" + blobs,
		"WAYBILL_SMS_URL=" + sms.URL(), "WAYBILL_SMS_ACCOUNT=" + stack.SMSAccount, "WAYBILL_SMS_TOKEN=" + stack.SMSToken,
	}
	found, _ := examined(t, environment...)
	for _, name := range []string{
		"settings", "postgres", "clock", "schema", "canary", "temporal", "search attributes", "storage", "mail", "sms", "followers",
		"messages", "parked events", "webhooks",
	} {
		require.Equal(t, checkOK, found[name].Status, "%+v", found[name])
	}
	require.Equal(t, checkFails, found["leader"].Status, "no work runs here")
	left, err := filepath.Glob(filepath.Join(blobs, "doctor", "*"))
	require.NoError(t, err)
	require.Empty(t, left)

	_, err = asOwnerOf(t, db).Exec(t.Context(), `insert into parked_events (org_id, follower, event_id, position, kind, reason)
		values ($1, 'exports', 1, 1, 'order.created', 'panic')`, org)
	require.NoError(t, err)
	found, got := examined(t, append(environment, "WAYBILL_SMS_TOKEN=wrongs3cret")...)
	require.Equal(t, checkFails, found["parked events"].Status, "%+v", found["parked events"])
	require.Equal(t, checkFails, found["sms"].Status, "%+v", found["sms"])
	require.Contains(t, found["sms"].Meaning, "refuses the credentials (401 20003)")
	require.Contains(t, got.stderr, "checks failed")
}

func TestDoctorWithoutItsServers(t *testing.T) {
	t.Parallel()
	closed := closedPort(t)
	var config net.ListenConfig
	silent, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0") // it accepts connections and never responds
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	got := runProgram(t, []string{
		"DATABASE_URL=postgres://app:s3cret@" + closed + "/waybill", "TEMPORAL_ADDRESS=" + closed,
		"WAYBILL_BLOB_URL=file:///proc/nowhere", "WAYBILL_SMTP_URL=smtp://user:s3cret@" + silent.Addr().String(),
	}, "doctor", "--limit", "2s")
	require.Equal(t, 1, got.status)
	require.NotContains(t, got.stdout+got.stderr, "s3cret")
	for _, name := range []string{"postgres", "temporal", "storage", "mail"} {
		require.Regexp(t, `(?m)^FAIL  `+name+` `, got.stdout)
	}
	for _, name := range []string{"clock", "schema", "canary", "search attributes", "pollers", "leader", "messages"} {
		require.Regexp(t, `(?m)^skip  `+name+` `, got.stdout)
	}
	require.Contains(t, got.stdout, "what to do: ")
	require.Contains(t, got.stdout, "see docs/troubleshooting.md#")

	invalid := runProgram(t, []string{"WAYBILL_RATE_LIMIT=many"}, "doctor")
	require.Equal(t, 1, invalid.status)
	require.Contains(t, invalid.stdout, "WAYBILL_RATE_LIMIT")
}

// A namespace that was never migrated has no search attributes.
func TestDoctorMissesSearchAttributes(t *testing.T) {
	t.Parallel()
	address := temporalAddress(t)
	found, _ := examined(t, "TEMPORAL_ADDRESS="+address, "TEMPORAL_NAMESPACE=nowhere", "WAYBILL_BLOB_URL=file://"+t.TempDir())
	require.Contains(t, found["temporal"].Meaning, "namespace nowhere not found")

	name := "doctor-" + strings.ReplaceAll(time.Now().Format("150405.000000"), ".", "-")
	namespaces, err := client.NewNamespaceClient(client.Options{HostPort: address})
	require.NoError(t, err)
	t.Cleanup(namespaces.Close)
	require.NoError(t, namespaces.Register(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	}))
	require.Eventually(t, func() bool {
		found, _ = examined(t, "TEMPORAL_ADDRESS="+address, "TEMPORAL_NAMESPACE="+name, "WAYBILL_BLOB_URL=file://"+t.TempDir())
		return found["temporal"].Status == checkOK
	}, longest, 50*time.Millisecond)
	require.Equal(t, checkFails, found["search attributes"].Status)
	require.Contains(t, found["search attributes"].Meaning, "lacks WaybillChannel, WaybillExternalId")
	require.Equal(t, "run waybill migrate", found["search attributes"].Next)
	require.Equal(t, checkFails, found["pollers"].Status, "%+v", found["pollers"])
}

// mailbox is a mail server that accepts one password.
type mailbox struct{}

func (mailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return mailbox{}, nil }
func (mailbox) AuthMechanisms() []string                    { return []string{sasl.Plain} }
func (mailbox) Mail(string, *smtp.MailOptions) error        { return nil }
func (mailbox) Rcpt(string, *smtp.RcptOptions) error        { return nil }
func (mailbox) Data(io.Reader) error                        { return nil }
func (mailbox) Reset()                                      {}
func (mailbox) Logout() error                               { return nil }
func (mailbox) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, _, password string) error {
		if password != "right" {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func TestDoctorSignsInToTheMailServer(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	roots := filepath.Join(t.TempDir(), "roots.pem")
	require.NoError(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	server := smtp.NewServer(mailbox{})
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	for password, status := range map[string]checkStatus{"right": checkOK, "s3cret": checkFails} {
		found, _ := examined(t, "SSL_CERT_FILE="+roots, "TEMPORAL_ADDRESS="+closedPort(t), "WAYBILL_BLOB_URL=file://"+t.TempDir(),
			"WAYBILL_SMTP_URL=smtp://waybill:"+password+"@"+listener.Addr().String())
		require.Equal(t, status, found["mail"].Status, "%+v", found["mail"])
		if status == checkFails {
			require.Contains(t, found["mail"].Meaning, "refuses the credentials (535)")
			require.Contains(t, found["mail"].Next, "WAYBILL_SMTP_URL")
		}
	}
}

// A doctor with another secret, and one on a copy of the database, report that
// and change nothing.
func TestDoctorKnowsItsInstallation(t *testing.T) {
	t.Parallel()
	const first, second = "a-secret-that-is-long-enough-0001", "a-secret-that-is-long-enough-0002"
	namespace, blobs := ownNamespace(t), "WAYBILL_BLOB_URL=file://"+t.TempDir()
	original, restored := storetest.New(t), storetest.New(t)
	before, _ := examined(t, with(asOriginal(namespace, original), blobs, "WAYBILL_SEALING_SECRET="+second)...)
	require.Equal(t, checkOK, before["canary"].Status, "%+v", before["canary"])
	require.Contains(t, before["canary"].Meaning, "nothing is sealed yet")
	require.Equal(t, checkWarns, before["namespace"].Status, "%+v", before["namespace"])

	env := with(asOriginal(namespace, original), blobs, "WAYBILL_SEALING_SECRET="+first)
	require.Zero(t, runProgram(t, env, "migrate").status)
	o := operations.New(store.New(original.Pool), time.Now, operations.Settings{SealingSecret: first})
	require.NoError(t, o.Sealing.Check(t.Context()), "the doctor before has sealed nothing")
	found, _ := examined(t, env...)
	require.Equal(t, checkOK, found["canary"].Status, "%+v", found["canary"])
	require.Equal(t, checkOK, found["namespace"].Status, "%+v", found["namespace"])

	found, _ = examined(t, with(env, "WAYBILL_SEALING_SECRET="+second)...)
	require.Equal(t, checkFails, found["canary"].Status)
	require.Contains(t, found["canary"].Meaning, "is not the secret of this installation")
	found, _ = examined(t, with(asOriginal(namespace, restored), blobs)...)
	require.Equal(t, checkFails, found["namespace"].Status)
	require.Contains(t, found["namespace"].Meaning, "this database is a copy of installation ")
}
