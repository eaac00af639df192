package masterdata_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/domain/organization/file"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/store/masterdata"
)

// everything is a document of all that orders refer to.
const everything = operationstest.Head + `departments: [{name: Oslo}]
customers: [{externalId: C-100, businessName: Fjord AS, department: Oslo}, {externalId: C-GONE, businessName: Gone AS}]
vehicleTypes: [{name: Van, maxWeightKg: 1000}, {name: Gone}]
orderTypes: [{name: Standard, readyFrom: "08:00", pickUpBefore: "12:00", deliverBefore: "16:00"}, {name: Gone}]
skills: [{name: Tail lift}, {name: Gone}]
locations:
  - {externalId: L-1, name: Depot, address: {address1: Gate 1, postalCode: "0668", city: Oslo, country: "NO"}}
  - {externalId: L-2, name: Shop, address: {address1: Gate 2, postalCode: "0461", city: Oslo, country: "NO"}}
notifications:
  - {event: ORDER_CREATED, channel: EMAIL, to: depot@example.com, subject: New, body: An order}
`

// TestImportsGoOnWhileADocumentIsApplied has a document, with pruning, wait in the middle of its
// transaction, behind what somebody else holds: it has changed by then all that orders
// refer to, and holds the organization.
func TestImportsGoOnWhileADocumentIsApplied(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	o.Apply(everything, masterdata.Options{})
	org := operationstest.One[int64](o, "select id from organizations")
	o.Imported(org, operationstest.HeavyOrder("SO-1"))

	changed := strings.NewReplacer("Fjord AS", "Fjord og Fjell AS", "maxWeightKg: 1000", "maxWeightKg: 900",
		`"16:00"`, `"17:00"`, "name: Depot", "name: The depot", "name: Shop", "name: The shop", "An order", "Your order",
		", {externalId: C-GONE, businessName: Gone AS}", "", ", {name: Gone}", "",
		"{slug: acme, name: Acme", "{slug: acme, name: Acme AS").Replace(everything)
	held, err := o.Owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = held.Rollback(context.Background()) }()
	_, err = held.Exec(t.Context(), "select from notification_rules for update")
	require.NoError(t, err)
	applied := make(chan error, 1)
	document, err := file.Read([]byte(changed))
	require.NoError(t, err)
	go func() {
		_, err := o.MasterData.ApplyOrganization(t.Context(), operationstest.Clerk(0), document, masterdata.Options{Prune: true})
		applied <- err
	}()
	watch, err := pgx.Connect(t.Context(), o.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = watch.Close(context.Background()) }()
	for waits := false; !waits; {
		select {
		case err := <-applied:
			require.Fail(t, "the document waits for nobody", err)
		case <-time.After(20 * time.Millisecond):
		}
		require.NoError(t, watch.QueryRow(t.Context(), `select exists (select from pg_locks l join pg_stat_activity a using (pid)
			where a.datname = current_database() and not l.granted)`).Scan(&waits))
	}

	imported := make(chan struct{})
	go func() {
		defer close(imported)
		// A draft refers to the organization itself, and so waits where an order does not.
		o.Imported(org, operationstest.HeavyOrder("SO-1"), operationstest.HeavyOrder("SO-2"), order.Request{ExternalID: "D-1"})
	}()
	select {
	case <-imported:
	case err := <-applied:
		require.Fail(t, "the document is applied already", err)
	case <-time.After(20 * time.Second):
		require.Fail(t, "the import waits for the document")
	}
	require.NoError(t, held.Rollback(t.Context()))
	require.NoError(t, <-applied)
	require.Equal(t, "The depot", operationstest.One[string](o, "select name from locations where external_id = 'L-1'"))
	require.Zero(t, operationstest.One[int](o, "select count(*)::int from customers where external_id = 'C-GONE'"))
	require.Equal(t, 2, operationstest.One[int](o, "select count(*)::int from orders"))
}

// TestRulesWithoutASenderAreNamed names the channels for which neither the documents of
// the organization nor the installation say whom messages are from.
func TestRulesWithoutASenderAreNamed(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	unsigned := func(text string, messaging notifications.Messaging) []notification.Channel {
		t.Helper()
		document, err := file.Read([]byte(operationstest.Head + text))
		require.NoError(t, err)
		applied, err := operations.New(o.Store, time.Now, operations.Settings{Messaging: messaging}).
			MasterData.ApplyOrganization(t.Context(), operationstest.Clerk(0), document, masterdata.Options{Prune: true})
		require.NoError(t, err)
		return applied.Unsigned
	}
	const emails = "{event: ORDER_CREATED, channel: EMAIL, to: a@example.com, subject: New, body: An order}"
	const both = "notifications: [" + emails + ", {event: ORDER_CREATED, channel: SMS, to: CUSTOMER, message: An order}]\n"
	require.Empty(t, unsigned("", notifications.Messaging{}), "nothing is sent")
	require.Equal(t, []notification.Channel{notification.Email, notification.SMS}, unsigned(both, notifications.Messaging{}))
	require.Equal(t, []notification.Channel{notification.SMS},
		unsigned("", notifications.Messaging{MailFrom: "post@example.com"}), "rules of an earlier document send as well")
	require.Equal(t, []notification.Channel{notification.Email},
		unsigned("messaging: {smsFrom: Acme}\n", notifications.Messaging{}))
	require.Empty(t, unsigned("messaging: {smsFrom: Acme, emailFrom: post@example.com}\n", notifications.Messaging{}))
	require.Empty(t, unsigned("notifications: []\nmessaging: {}\n", notifications.Messaging{}), "no rule is left")
}
