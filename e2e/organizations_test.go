package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
)

// tenantRows counts the rows of an organization, by table.
func (o *organization) tenantRows(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, table := range list(t, o.installation, `select distinct c.relname::text from pg_class c
		join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`) {
		if n := one[int](t, o.installation, "select count(*) from "+table+" where org_id = $1", o.id); n > 0 {
			counts[table] = n
		}
	}
	return counts
}

// executions counts the organization's workflows in Temporal.
func (o *organization) executions(t *testing.T) int64 {
	t.Helper()
	answer, err := o.temporalClient(t).CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
		Query: fmt.Sprintf("WaybillOrg = %d", o.id),
	})
	require.NoError(t, err)
	return answer.GetCount()
}

// busy has an organization with something of everything: orders, a document, a webhook
// endpoint, a template, a plan, and a day that was driven with its proofs and pictures.
func (i *installation) busy(t *testing.T) *organization {
	t.Helper()
	o := i.organization(t)
	o.importOrders(t, toDrive())
	o.attach(t, "DRIVE-0", nil, o.upload(t, "note.txt", "hello"))
	o.createTemplate(t)
	o.expect(t, http.StatusCreated, http.MethodPost, "/v2/webhook-endpoints", object{"url": "https://127.0.0.1:9/hooks"})
	o.drive(t, http.StatusAccepted, object{"date": tomorrow(), "pace": 1200})
	o.awaitDriven(t, tomorrow())
	return o
}

// TestAnOrganizationIsRemovedAsAWhole removes an organization that has something of
// everything while the service runs. Another one keeps all that it has.
func TestAnOrganizationIsRemovedAsAWhole(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	leaves, stays := i.busy(t), i.busy(t)
	before := leaves.tenantRows(t)
	for _, table := range []string{"orders", "events", "documents", "completion_proofs", "driver_actions", "plans", "webhook_endpoints"} {
		require.NotZero(t, before[table], table)
	}
	require.NotZero(t, leaves.executions(t))
	require.NotZero(t, leaves.blobs(t))

	said, err := i.command(t.Context(), "organizations", "remove", "--org", leaves.slug, "--dry-run")
	require.NoError(t, err)
	require.Regexp(t, `(?m)^orders +\d+$`, said)
	require.Contains(t, said, "nothing was removed")
	_, err = i.command(t.Context(), "organizations", "remove", "--org", leaves.slug)
	require.ErrorContains(t, err, "the slug does not match", "nobody typed it")
	require.Equal(t, before["orders"], leaves.tenantRows(t)["orders"])
	leaves.get(t, "/v1/organization")

	kept, files := stays.tenantRows(t), stays.blobs(t)
	said, err = i.command(t.Context(), "organizations", "remove", "--org", leaves.slug, "--yes")
	require.NoError(t, err)
	require.Contains(t, said, "Removed organization "+leaves.slug)
	require.Empty(t, leaves.tenantRows(t))
	require.Zero(t, one[int](t, i, "select count(*) from organizations where id = $1", leaves.id))
	require.Zero(t, one[int](t, i, "select count(*) from pg_class where relname = 'order_serial_' || $1::bigint", leaves.id))
	require.Zero(t, leaves.executions(t))
	require.NoError(t, filepath.WalkDir(filepath.Join(i.dir, "blobs", fmt.Sprint(leaves.id)),
		func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				t.Errorf("%s is left over", path)
			}
			return nil
		}))
	eventually(t, "its key is unknown", func() bool {
		return leaves.call(t, http.MethodGet, "/v1/orders/1", nil).status == http.StatusUnauthorized
	})
	_, err = i.command(t.Context(), "organizations", "remove", "--org", leaves.slug, "--yes")
	require.ErrorContains(t, err, " not found")

	now := stays.tenantRows(t)
	for table, n := range kept {
		require.GreaterOrEqual(t, now[table], n, table)
	}
	require.Equal(t, files, stays.blobs(t))
	stays.importOrders(t, orders(newOrder("AFTER")))
	eventually(t, "the log goes on", func() bool {
		return one[int](t, i, `select count(*) from events e where e.position is null`) == 0
	})
	require.NoError(t, i.complaints())
	log, err := os.ReadFile(i.log("work"))
	require.NoError(t, err)
	require.Less(t, strings.Count(string(log), "follower cannot take events"), 3)
}
