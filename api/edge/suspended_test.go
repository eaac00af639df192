package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
)

// A suspended organization can only use the feeds; new operations are checked too.
func TestSuspendedOrganizationReadsOnlyItsFeeds(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	b.Keys.Change(func(k *edge.APIKey) { k.Suspended = true })
	open := map[string]bool{"getOrderStatusFeed": true, "getProductStatusFeed": true, "getExportFeed": true}
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			if callers, _ := op.Extensions["x-callers"].([]any); len(callers) == 0 {
				continue
			}
			_, spared := op.Extensions["x-while-suspended"]
			require.Equal(t, open[op.OperationID], spared, op.OperationID)
			if spared {
				continue
			}
			target := parameter.ReplaceAllString(path, "12")
			w := b.Send(method, target, "{}", "Authorization", "apikey "+b.Key)
			require.Equal(t, http.StatusForbidden, w.Code, "%s %s", method, target)
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
				require.Contains(t, w.Body.String(), "suspended", "%s speaks plain text", target)
				continue
			}
			info, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsErrorInfoDetail()
			require.NoError(t, err)
			require.EqualValues(t, "ORGANIZATION_SUSPENDED", info.Reason)
		}
	}
}
