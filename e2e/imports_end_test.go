package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/workflows"
)

// threeChunks starts an import of three chunks, of which the last always fails.
func (o *organization) threeChunks(t *testing.T) (location, workflow string) {
	t.Helper()
	_, err := o.admin.Exec(t.Context(), fmt.Sprintf(`
		create function fail_chunk_%[1]d() returns trigger language plpgsql as $$ begin
			raise exception 'not now' using errcode = '40001'; end $$;
		create trigger fail_chunk_%[1]d before update on import_chunks for each row
			when (new.org_id = %[1]d and new.chunk = 2 and new.done_at is not null) execute function fail_chunk_%[1]d()`, o.id))
	require.NoError(t, err)
	numbers := series("END-", 1300)
	entries := make([]object, len(numbers))
	for i, number := range numbers {
		entries[i] = newOrder(number)
	}
	a := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import", orders(entries...), "Prefer", "respond-async")
	accepted := read[contract.ImportProgress](t, a)
	eventually(t, "two chunks are done", func() bool {
		return one[int](t, o.installation, "select chunks_done from imports where org_id = $1 and id = $2", o.id, accepted.ImportID) == 2
	})
	return a.header.Get("Location"), workflows.ImportID(o.slug, accepted.ImportID)
}

// requireHalf requires that an import has the results of finished entries, and
// names the rest.
func requireHalf(t *testing.T, p contract.ImportProgress, state contract.ImportProgressState) {
	t.Helper()
	require.Equal(t, state, p.State)
	require.NotNil(t, p.Results)
	require.NotNil(t, p.NotDone)
	require.Len(t, *p.Results, int(p.Done))
	require.Len(t, *p.NotDone, int(p.Total-p.Done))
	missing := map[int32]bool{}
	for _, n := range *p.NotDone {
		missing[n] = true
	}
	next := 0
	for n := range p.Total {
		if !missing[n] {
			require.Equal(t, series("END-", 1300)[n], (*p.Results)[next].OrderCreated.ExternalID)
			next++
		}
	}
}

// A cancelled bulk import ends as cancelled: finished entries stay and are
// reported, and no others are processed.
func TestCancelledImportIsReportedAsCancelled(t *testing.T) {
	t.Parallel()
	o := install(t, "serve", "work").organization(t)
	location, workflow := o.threeChunks(t)
	requireHalf(t, read[contract.ImportProgress](t, o.get(t, location+"?results=true")), contract.ImportProgressStateRunning)
	require.Nil(t, read[contract.ImportProgress](t, o.get(t, location)).Results)
	require.NoError(t, o.temporalClient(t).CancelWorkflow(t.Context(), workflow, ""))
	var p contract.ImportProgress
	eventually(t, "the import ends", func() bool {
		p = read[contract.ImportProgress](t, o.get(t, location))
		return p.State != contract.ImportProgressStateRunning
	})
	requireHalf(t, p, contract.ImportProgressStateCancelled)
	require.NotNil(t, p.CompletedAt)
	require.Equal(t, int(p.Done), one[int](t, o.installation, "select count(*) from orders where org_id = $1", o.id))
	require.Zero(t, one[int](t, o.installation, "select count(*) from import_chunks where org_id = $1 and entries is not null", o.id))
}
