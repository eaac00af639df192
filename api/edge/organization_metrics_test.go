package edge

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
)

func TestRequestsOfOrganizationsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	o := newOrganizationRequests(func() time.Time { return now })
	for org := range int64(15) {
		for range org + 1 {
			o.count(org+1, time.Second)
		}
	}
	now = now.Add(9 * time.Minute)
	o.count(15, time.Second)
	require.Equal(t, 22, testutil.CollectAndCount(o), "ten organizations and the others, twice")
	require.NoError(t, testutil.CollectAndCompare(o, strings.NewReader(`
# HELP waybill_organization_requests Requests of the busiest organizations in the last ten minutes, and of the others.
# TYPE waybill_organization_requests gauge
waybill_organization_requests{org_id="(others)"} 15
waybill_organization_requests{org_id="6"} 6
waybill_organization_requests{org_id="7"} 7
waybill_organization_requests{org_id="8"} 8
waybill_organization_requests{org_id="9"} 9
waybill_organization_requests{org_id="10"} 10
waybill_organization_requests{org_id="11"} 11
waybill_organization_requests{org_id="12"} 12
waybill_organization_requests{org_id="13"} 13
waybill_organization_requests{org_id="14"} 14
waybill_organization_requests{org_id="15"} 16
`), "waybill_organization_requests"))
	now = now.Add(2 * time.Minute)
	require.NoError(t, testutil.CollectAndCompare(o, strings.NewReader(`
# HELP waybill_organization_request_seconds How long the answers to these requests took together.
# TYPE waybill_organization_request_seconds gauge
waybill_organization_request_seconds{org_id="15"} 1
`), "waybill_organization_request_seconds"), "what is older is forgotten")
}
