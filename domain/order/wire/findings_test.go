package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order/wire"
)

// fields are the fields in a refusal.
func fields(t *testing.T, err error) (out []string) {
	t.Helper()
	var refused *fault.Error
	require.True(t, errors.As(err, &refused), "%v", err)
	require.Equal(t, fault.Invalid, refused.Kind)
	for _, v := range refused.Violations {
		out = append(out, v.Field+" "+v.Text.ID)
	}
	return out
}

func TestEveryWrongTypeOutsideOfTheOrdersIsNamed(t *testing.T) {
	t.Parallel()
	_, err := wire.Decode(strings.NewReader(`{"updateConfig":{"allowMerge":"yes"},"fallbackCustomer":{"id":"x","name":1},
		"orders":[{"externalId":1},7]}`))
	require.Equal(t, []string{
		"updateConfig.allowMerge request.wrong_type.boolean",
		"fallbackCustomer.id request.wrong_type.integer",
		"fallbackCustomer.name request.wrong_type.string",
		"orders[1] request.wrong_type.object",
	}, fields(t, err))
}

func TestReportedProblemsAreLimitedToAHundred(t *testing.T) {
	t.Parallel()
	_, err := wire.Decode(strings.NewReader(`{"orders":[` + strings.Repeat("7,", 299) + `7]}`))
	named := fields(t, err)
	require.Len(t, named, 100)
	require.Equal(t, "orders[99] request.wrong_type.object", named[99])
}

func TestMalformedJSONCountsMoreThanWrongTypes(t *testing.T) {
	t.Parallel()
	_, err := wire.Decode(strings.NewReader(`{"orders":[{"externalId":1},{"externalId":"B",}]}`))
	require.Equal(t, []string{"orders[1] request.malformed_json"}, fields(t, err))
}

func TestUnknownMembersAreListed(t *testing.T) {
	t.Parallel()
	body, err := wire.Decode(strings.NewReader(`{"updateconfig":{},"updateConfig":{"allowmerge":true},
		"orders":[{"externalId":"A",
		"foo":1,"pickup":{"sendNotificationBeforeArrival":true},"products":[{"name":"x"},{"parent_external_id":"y"}]}]}`))
	require.NoError(t, err)
	require.Equal(t, []string{
		"updateconfig", "updateConfig.allowmerge", "orders[0].foo", "orders[0].pickup.sendNotificationBeforeArrival",
		"orders[0].products[1].parent_external_id",
	}, body.Unknown)
	require.Equal(t, "A", body.Entries[0].ExternalID)
	legacy, err := wire.DecodeLegacy(strings.NewReader(`{"orders":[{"internal_order_number":"A","externalId":"B"}]}`))
	require.NoError(t, err)
	require.Equal(t, []string{"orders[0].externalId"}, legacy.Unknown)
}
