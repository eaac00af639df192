package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/operations/orders"
	"waybill/operations/people"
	"waybill/operations/sandbox"
	"waybill/providers"
	"waybill/store"
	"waybill/store/storetest"
)

// Everything here is broken off once by the database, as for a deadlock, and runs again.

func TestANumberIsDrawnInEachTry(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	wanted := operationstest.HeavyOrder("")
	taken := operationstest.HeavyOrder("M-1")
	o.BreakOff("orders")
	var created orders.Created
	err, otherErr := o.Overtake(func() (err error) {
		created, err = o.Orders.CreateOrder(t.Context(), operationstest.Clerk(org), wanted, false)
		return err
	}, func() error {
		_, err := o.Orders.CreateOrder(t.Context(), operationstest.Clerk(org), taken, false)
		return err
	})
	require.NoError(t, otherErr)
	require.NoError(t, err, "nobody named the number that somebody else has now")
	require.Regexp(t, "^M-[2-9]$", operationstest.One[string](o, "select number from orders where id = $1", created.OrderID))
}

func TestPartsAreNumberedInEachTry(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	entry := operationstest.HeavyOrder("A-1")
	weight := 10.0
	entry.Products = append(entry.Products, order.ProductRequest{Name: "Chair", ExternalID: "P-2", Weight: &weight})
	id := o.Imported(org, entry).Orders[0].ID
	product := operationstest.One[int64](o, "select id from order_products where order_id = $1 order by id desc limit 1", id)
	o.BreakOff("orders")
	parts := []order.Part{{Products: []order.PartProduct{{ID: product, Quantity: 1}}}}
	var ids []int64
	err, otherErr := o.Overtake(func() (err error) {
		ids, err = o.Orders.SplitOrder(t.Context(), operationstest.Clerk(org), id, parts)
		return err
	}, func() error {
		_, err := o.Orders.CreateOrder(t.Context(), operationstest.Clerk(org), operationstest.HeavyOrder("A-1-2"), false)
		return err
	})
	require.NoError(t, otherErr)
	require.NoError(t, err, "nobody named the number that somebody else has now")
	require.Equal(t, "A-1-3", operationstest.One[string](o, "select number from orders where id = $1", ids[1]))
	require.Empty(t, parts[0].Number, "what the caller has stays as it is")
}

func TestARunIsBegunByOneOfTwo(t *testing.T) {
	t.Parallel()
	d := operationstest.NewSandbox(t, "A-1")
	d.BreakOff("sandbox_runs")
	day := operationstest.PlannedOn
	ask := sandbox.SandboxAsk{Day: &day, Pace: 60}
	var began, otherBegan bool
	start := func(began *bool) func() error {
		return func() (err error) {
			_, *began, err = d.Sandbox.StartSandboxRun(t.Context(), operationstest.Clerk(d.Org), ask)
			return err
		}
	}
	err, otherErr := d.Overtake(start(&began), start(&otherBegan))
	require.NoError(t, err)
	require.NoError(t, otherErr)
	require.NotEqual(t, otherBegan, began, "what the first try began was undone with it")
}

// mailbox keeps the text of the last message.
type mailbox struct{ text string }

// Send implements notifications.MailSender.
func (m *mailbox) Send(_ context.Context, _ string, mail providers.Email) error {
	m.text = mail.Text
	return nil
}

func TestTheLinkOfTheLastTryIsSent(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	box := &mailbox{}
	o.Operations = operations.New(o.Store, time.Now, operations.Settings{Messaging: notifications.Messaging{
		PublicURL: "https://waybill.example", Mail: box, MailFrom: "post@acme.example",
		Secrets: func(string) string { return "" },
	}})
	by := caller.Service(org, "test")
	user, err := o.People.CreateUser(t.Context(), by, people.NewUser{
		UserDetails: store.UserDetails{Email: "kari@acme.example", Name: "Kari Berg"}, Source: "console",
	})
	require.NoError(t, err)
	require.NoError(t, o.People.InviteUser(t.Context(), by, user.ID))
	event := operationstest.One[int64](o, "select max(id) from events where kind = 'user.invited'")
	recorded, err := o.Notifications.RecordNotification(t.Context(), by, notifications.NewMessage{
		Key: notification.Key{EventID: event}, WorkflowID: "w", RunID: "r",
	})
	require.NoError(t, err)
	o.BreakOff("account_codes")
	_, err = o.Notifications.SendNotification(t.Context(), by, recorded.ID)
	require.NoError(t, err)
	require.Contains(t, box.text, operationstest.One[string](o, "select public_part from account_codes"), "the code that is good")
}
