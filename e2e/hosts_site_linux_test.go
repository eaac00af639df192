package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"waybill/testing/hosts"
	"waybill/testing/stack"
)

// hostsVariable names the environment variable that turns on the tests on several
// hosts, and chooses their faults: see chosenFaults.
const hostsVariable = "WAYBILL_TEST_HOSTS"

// Addresses of hosts that others have in their configuration. The primary has
// floatingAddress besides its own.
const (
	ourAddress      = "10.77.0.1"
	floatingAddress = "10.77.0.10"
	proxyAddress    = "10.77.0.50"
)

// siteHosts are the hosts of a site and their addresses, in the sequence in which
// they have faults.
var siteHosts = []struct{ name, address string }{
	{"work-a", "10.77.0.41"},
	{"work-b", "10.77.0.42"},
	{"serve-a", "10.77.0.31"},
	{"serve-b", "10.77.0.32"},
	{"matching", "10.77.0.23"},
	{"history", "10.77.0.22"},
	{"worker", "10.77.0.24"},
	{"frontend", "10.77.0.21"},
	{"proxy", proxyAddress},
	{"postgres-b", "10.77.0.12"},
	{"postgres-a", "10.77.0.11"},
}

// site is an installation on eleven hosts: two of Postgres, one for each service of
// Temporal, two serve, two work, and a proxy. Callers use the proxy.
type site struct {
	*installation
	network *hosts.Network
	hosts   map[string]*hosts.Host
	// servers are the two of Postgres, by their hosts, of which primary names one.
	servers map[string]*stack.Postgres
	primary string
	// roles is held by those who change the roles of the two, or rely on them.
	roles   sync.Mutex
	cluster *stack.TemporalCluster
	proxy   *stack.Process
}

// temporalOfSite is the server of a site, whose parts are killed by their hosts.
type temporalOfSite struct{ *stack.TemporalCluster }

func (temporalOfSite) Namespace() string { return stack.DefaultNamespace }
func (t temporalOfSite) Kill()           { panic("kill a host of the site") }

// newSite starts a site.
func newSite(t *testing.T) *site {
	t.Helper()
	program, err := builtProgram()
	require.NoError(t, err)
	s := newServersOfSite(t)
	s.program = program
	s.runWaybill(t)
	return s
}

// newServersOfSite starts all but Waybill and its proxy.
func newServersOfSite(t *testing.T) *site {
	t.Helper()
	s := &site{
		installation: &installation{
			dir: t.TempDir(), address: proxyAddress + ":8080", processes: map[string]*stack.Process{},
		},
		hosts: map[string]*hosts.Host{}, servers: map[string]*stack.Postgres{}, primary: "postgres-a",
	}
	var err error
	s.network, err = hosts.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	here, err := s.network.Here(t.Context(), ourAddress)
	require.NoError(t, err)
	for _, h := range siteHosts {
		s.hosts[h.name], err = s.network.Host(t.Context(), h.name, h.address)
		require.NoError(t, err)
	}
	s.startPostgres(t)
	s.startTemporal(t)
	s.configure(t, here)
	return s
}

// runWaybill starts Waybill, on its schema, and the proxy.
func (s *site) runWaybill(t *testing.T) {
	t.Helper()
	_, err := s.command(t.Context(), "migrate")
	require.NoError(t, err)
	s.admin, err = pgxpool.New(t.Context(), s.servers[s.primary].URLAt(floatingAddress, stack.Superuser, database))
	require.NoError(t, err)
	for _, name := range []string{"serve-a", "serve-b", "work-a", "work-b", "proxy"} {
		require.NoError(t, s.run(name))
	}
	eventually(t, "the site answers", s.answers)
}

func (s *site) startTemporal(t *testing.T) {
	t.Helper()
	at := map[string]stack.Host{}
	for _, service := range []string{"frontend", "history", "matching", "worker"} {
		at[service] = stack.Host{Address: s.hosts[service].Address, Within: s.hosts[service].Within}
	}
	var err error
	s.cluster, err = stack.NewTemporalCluster(s.postgres, floatingAddress+":5432", at)
	require.NoError(t, err)
	s.temporal = temporalOfSite{s.cluster}
	require.NoError(t, s.cluster.Start(t.Context()))
}

// configure has programs find the servers by their hosts, and what this program
// runs by its address.
func (s *site) configure(t *testing.T, here *hosts.Host) {
	t.Helper()
	var err error
	s.mailbox, err = stack.NewMailbox(stack.MailboxOptions{Dir: filepath.Join(s.dir, "mailbox")})
	require.NoError(t, err)
	s.sms, err = stack.NewSMS(stack.SMSOptions{})
	require.NoError(t, err)
	require.NoError(t, s.mailbox.Start(t.Context()))
	require.NoError(t, s.sms.Start(t.Context()))
	forwarded := func(local string) string {
		u, err := url.Parse(local)
		require.NoError(t, err)
		u.Host, err = here.Forward(t.Context(), u.Host)
		require.NoError(t, err)
		return u.String()
	}
	pg := s.servers[s.primary]
	s.elsewhere = []string{
		"DATABASE_URL=" + pg.URLAt(floatingAddress, appRole, database),
		"DATABASE_MIGRATE_URL=" + pg.URLAt(floatingAddress, ownerRole, database),
		"WAYBILL_SMTP_URL=" + forwarded(s.mailbox.SMTPURL()),
		"WAYBILL_SMS_URL=" + forwarded(s.sms.URL()),
		"WAYBILL_PUBLIC_URL=http://" + s.address,
	}
	require.NoError(t, os.WriteFile(s.proxyFile(), []byte(proxySettings(s.hosts)), 0o600))
}

func (s *site) proxyFile() string { return filepath.Join(s.dir, "haproxy.cfg") }

// proxySettings have the proxy ask both serve processes twice a second whether they
// are ready, and repeat requests that did not get through.
func proxySettings(at map[string]*hosts.Host) string {
	var servers strings.Builder
	for _, name := range []string{"serve-a", "serve-b"} {
		fmt.Fprintf(&servers, "  server %s %s:8080 check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n",
			name, at[name].Address)
	}
	return `defaults
  mode http
  timeout connect 1s
  timeout client 2m
  timeout server 2m
  timeout check 1s
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
frontend callers
  bind ` + proxyAddress + `:8080
  default_backend serve
backend serve
  option httpchk GET /readyz
  http-check expect status 200
` + servers.String()
}

// run starts what runs on a host.
func (s *site) run(host string) (err error) {
	h := s.hosts[host]
	switch {
	case host == "proxy":
		program, err := exec.LookPath("haproxy")
		if err != nil {
			return fmt.Errorf("install haproxy: %w", err)
		}
		s.proxy, err = stack.Launch(stack.Command{
			Name: "the proxy", Path: program, Args: []string{"-W", "-db", "-f", s.proxyFile()},
			Log: s.log("proxy"), Within: h.Within,
		})
		return err
	case s.servers[host] != nil:
		return s.servers[host].Start(context.Background())
	case strings.HasPrefix(host, "serve-"), strings.HasPrefix(host, "work-"):
		return s.runProgram(host, s.program)
	}
	return s.cluster.StartService(host)
}

// runProgram starts serve or work on its host.
func (s *site) runProgram(host, program string) error {
	command, _, _ := strings.Cut(host, "-")
	p, err := stack.Launch(stack.Command{
		Name: "waybill on " + host, Path: program, Args: []string{command}, Log: s.log(host),
		Env: s.environment("WAYBILL_HTTP_ADDR="+s.hosts[host].Address+":8080",
			"DATABASE_URL="+s.servers[s.primary].URLAt(floatingAddress, appRole, database)+"&application_name="+host),
		Within: s.hosts[host].Within,
	})
	if err == nil {
		s.processes[host] = p
	}
	return err
}

// crash ends all programs on a host without warning.
func (s *site) crash(host string) error { return s.hosts[host].Signal(unix.SIGKILL) }

// answers reports whether the proxy finds a serve process that is ready.
func (s *site) answers() bool {
	client := http.Client{Timeout: 2 * time.Second}
	a, err := client.Get("http://" + s.address + "/readyz") //nolint:bodyclose // isReady closes it
	return err == nil && isReady(a) == nil
}

func (s *site) close() error {
	for _, h := range s.hosts {
		h.Heal()
		_ = h.Signal(unix.SIGCONT)
	}
	if s.proxy != nil {
		_ = s.proxy.Stop()
	}
	err := s.installation.close()
	for name, pg := range s.servers {
		if pg != s.postgres {
			if closed := pg.Close(); err == nil && closed != nil {
				err = fmt.Errorf("close %s: %w", name, closed)
			}
		}
	}
	if closed := s.network.Close(); err == nil {
		err = closed
	}
	return err
}
