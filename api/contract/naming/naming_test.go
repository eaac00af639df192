package naming_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract/naming"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, operation, resource, method string }{
		{"Import", "importOrders", "Orders", "Import"},
		{"Import", "importOrdersV1", "Orders", "ImportV1"},
		{"Orders", "getOrder", "Orders", "Get"},
		{"Orders", "getOrderByNumber", "Orders", "GetByNumber"},
		{"Order operations", "getErpOrder", "ERPOrders", "Get"},
		{"Webhook endpoints", "createWebhookEndpoint", "WebhookEndpoints", "Create"},
		{"Master data", "listFreightLevels", "MasterData", "ListFreightLevels"},
		{"Drivers", "scheduleWorkdays", "Drivers", "ScheduleWorkdays"},
		{"Something new", "readSomethingNew", "SomethingNew", "Read"},
	} {
		require.Equal(t, naming.Name{Resource: c.resource, Method: c.method}, naming.Of(c.tag, c.operation), c.operation)
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, pascal, camel, snake string }{
		{"orderId", "OrderID", "orderId", "order_id"},
		{"externalIds", "ExternalIDs", "externalIds", "external_ids"},
		{"order_status_ids", "OrderStatusIDs", "orderStatusIds", "order_status_ids"},
		{"CompletionProofPDF", "CompletionProofPDF", "completionProofPdf", "completion_proof_pdf"},
		{"ImportV1", "ImportV1", "importV1", "import_v1"},
		{"ERPOrders", "ERPOrders", "erpOrders", "erp_orders"},
		{"from", "From", "from", "from_"},
		{"@type", "Type", "type", "type"},
		{"trade item", "TradeItem", "tradeItem", "trade_item"},
		{"order.delivered", "OrderDelivered", "orderDelivered", "order_delivered"},
		{"ORDER_NOT_FOUND", "OrderNotFound", "orderNotFound", "order_not_found"},
	} {
		require.Equal(t, c.pascal, naming.Pascal(c.name))
		require.Equal(t, c.camel, naming.Camel(c.name))
		require.Equal(t, c.snake, naming.Snake(c.name))
	}
}
