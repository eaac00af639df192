package e2e_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/internal/child"
	"waybill/testing/stack"
)

// cluster is an installation of two serve and three work processes, with a
// Temporal server that keeps its state in the same Postgres.
type cluster struct {
	*installation
	server *stack.TemporalServer
	// addresses are those of serve, by the names of the processes.
	addresses map[string]string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := newServers(t)
	for _, name := range []string{"serve-a", "serve-b"} {
		port, err := child.FreePort()
		require.NoError(t, err)
		c.addresses[name] = fmt.Sprintf("127.0.0.1:%d", port)
		require.NoError(t, c.startAs(name, "serve", "WAYBILL_HTTP_ADDR="+c.addresses[name],
			"DATABASE_READ_URL="+c.postgres.URL(appRole, database)+"&default_transaction_read_only=on"))
	}
	for _, name := range []string{"work-a", "work-b", "work-c"} {
		c.startWork(t, name)
	}
	c.use(t, "serve-a")
	return c
}

// newServedCluster is a cluster of one serve and one work.
func newServedCluster(t *testing.T) *cluster {
	t.Helper()
	c := newServers(t)
	c.addresses["serve"] = c.address
	require.NoError(t, c.start("serve"))
	c.startWork(t, "work")
	c.use(t, "serve")
	return c
}

// newServers is a cluster in which only the servers run yet.
func newServers(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{installation: install(t), addresses: map[string]string{}}
	var err error
	c.server, err = stack.NewTemporalServer(c.postgres)
	if errors.Is(err, stack.ErrNoTemporalServer) {
		t.Skip("several processes need the full server: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.server.Close()) })
	require.NoError(t, c.server.Start(t.Context()))
	c.elsewhere = []string{"TEMPORAL_ADDRESS=" + c.server.Address(), "TEMPORAL_NAMESPACE=" + stack.DefaultNamespace}
	_, err = c.command(t.Context(), "migrate")
	require.NoError(t, err)
	return c
}

func (c *cluster) startWork(t *testing.T, name string) {
	t.Helper()
	require.NoError(t, c.startAs(name, "work", "DATABASE_URL="+c.postgres.URL(appRole, database)+"&application_name="+name))
}

// use directs callers to one serve once it is ready.
func (c *cluster) use(t *testing.T, name string) {
	t.Helper()
	c.address = c.addresses[name]
	eventually(t, name+" is ready", func() bool {
		answer, err := http.Get("http://" + c.address + "/readyz") //nolint:bodyclose // isReady closes it
		if err != nil {
			return false
		}
		return isReady(answer) == nil
	})
}

// working returns the work that is in the middle of a stalled import.
func (c *cluster) working(t *testing.T) (name string) {
	t.Helper()
	eventually(t, "a process is in the middle of a transaction", func() bool {
		name = one[string](t, c.installation, `select coalesce(min(application_name), '') from pg_stat_activity
			where application_name like 'work-%' and wait_event_type = 'Lock' and datname = current_database()`)
		return name != ""
	})
	return name
}

// killOneOfEach imports while a work, a serve, and the Temporal server are
// killed, of which only the last is restarted, and returns the organization
// with the results.
func killOneOfEach(t *testing.T) (*organization, []contract.ImportResult) {
	t.Helper()
	c := newCluster(t)
	o := c.organization(t)
	release := o.stall(t, lastChunk)
	location := o.begin(t)
	o.awaitMiddle(t, 2)
	c.kill(c.working(t))
	leader := c.awaitLeader(t, "")
	c.kill("serve-a")
	c.server.Kill()
	release()
	c.address = c.addresses["serve-b"]
	away := o.call(t, http.MethodPost, "/v3/orders/import", orders(newOrder("AWAY")))
	require.Equal(t, http.StatusServiceUnavailable, away.status)
	require.NotEmpty(t, away.header.Get("Retry-After"))
	require.NoError(t, c.server.Start(t.Context()))
	c.use(t, "serve-b")
	results := o.await(t, location)

	c.kill(leader)
	left := slices.DeleteFunc(slices.Collect(maps.Keys(c.processes)), func(name string) bool { return name == "serve-b" })
	require.Len(t, left, 1)
	eventually(t, "what is left of work leads, and serves all organizations", func() bool {
		return c.leader(t) == left[0] && one[int](t, c.installation, `select count(*) from relay_shards s
			join relay_members m on m.id = s.holder where m.id = (select leader from event_sequencer)`) == 16
	})
	eventually(t, "all that happened has its place", func() bool {
		return one[int](t, c.installation, "select count(*) from events where position is null") == 0
	})
	return o, results
}
