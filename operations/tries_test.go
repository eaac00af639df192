package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/orders"
	"waybill/operations/people"
	"waybill/operations/sandbox"
	"waybill/providers"
	"waybill/store"
	"waybill/store/storetest"
)

// Everything here is broken off once by the database, as for a deadlock, and runs again.

// breakOff has the database break off the first transaction that writes to a table, as it
// commits.
func (o *office) breakOff(table string) {
	o.t.Helper()
	o.do(`create sequence tries;
		create function break_off() returns trigger language plpgsql security definer as $$ begin
			if nextval('tries') = 1 then
				perform pg_advisory_xact_lock(42);
				raise exception 'as in a deadlock' using errcode = '40P01';
			end if;
			return new;
		end $$;
		create constraint trigger break_off after insert on ` + table + `
			deferrable initially deferred for each row execute function break_off()`)
}

// overtake begins something that is broken off, and something else that waits for what the
// first has locked. The other one is done before the first runs again.
func (o *office) overtake(first, other func() error) (firstErr, otherErr error) {
	o.t.Helper()
	look, err := pgx.Connect(o.t.Context(), o.OwnerURL)
	require.NoError(o.t, err)
	defer func() { _ = look.Close(context.WithoutCancel(o.t.Context())) }()
	waiting := func(many int) {
		require.Eventually(o.t, func() bool {
			var n int
			err := look.QueryRow(o.t.Context(), `select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
				where not granted and datname = current_database()`).Scan(&n)
			return err == nil && n == many
		}, 30*time.Second, 5*time.Millisecond)
	}
	o.do("select pg_advisory_lock(42)")
	firstDone, otherDone := make(chan error, 1), make(chan error, 1)
	go func() { firstDone <- first() }()
	waiting(1)
	go func() { otherDone <- other() }()
	waiting(2)
	o.do("select pg_advisory_unlock(42)")
	return <-firstDone, <-otherDone
}

func TestANumberIsDrawnInEachTry(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	wanted := heavyOrder("")
	taken := heavyOrder("M-1")
	o.breakOff("orders")
	var created orders.Created
	err, otherErr := o.overtake(func() (err error) {
		created, err = o.Orders.CreateOrder(t.Context(), clerk(org), wanted, false)
		return err
	}, func() error {
		_, err := o.Orders.CreateOrder(t.Context(), clerk(org), taken, false)
		return err
	})
	require.NoError(t, otherErr)
	require.NoError(t, err, "nobody named the number that somebody else has now")
	require.Regexp(t, "^M-[2-9]$", one[string](o, "select number from orders where id = $1", created.OrderID))
}

func TestPartsAreNumberedInEachTry(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	entry := heavyOrder("A-1")
	weight := 10.0
	entry.Products = append(entry.Products, order.ProductRequest{Name: "Chair", ExternalID: "P-2", Weight: &weight})
	id := o.imported(org, entry).Orders[0].ID
	product := one[int64](o, "select id from order_products where order_id = $1 order by id desc limit 1", id)
	o.breakOff("orders")
	parts := []order.Part{{Products: []order.PartProduct{{ID: product, Quantity: 1}}}}
	var ids []int64
	err, otherErr := o.overtake(func() (err error) {
		ids, err = o.Orders.SplitOrder(t.Context(), clerk(org), id, parts)
		return err
	}, func() error {
		_, err := o.Orders.CreateOrder(t.Context(), clerk(org), heavyOrder("A-1-2"), false)
		return err
	})
	require.NoError(t, otherErr)
	require.NoError(t, err, "nobody named the number that somebody else has now")
	require.Equal(t, "A-1-3", one[string](o, "select number from orders where id = $1", ids[1]))
	require.Empty(t, parts[0].Number, "what the caller has stays as it is")
}

func TestARunIsBegunByOneOfTwo(t *testing.T) {
	t.Parallel()
	d := newSandbox(t, "A-1")
	d.breakOff("sandbox_runs")
	day := plannedOn
	ask := sandbox.SandboxAsk{Day: &day, Pace: 60}
	var began, otherBegan bool
	start := func(began *bool) func() error {
		return func() (err error) {
			_, *began, err = d.Sandbox.StartSandboxRun(t.Context(), clerk(d.org), ask)
			return err
		}
	}
	err, otherErr := d.overtake(start(&began), start(&otherBegan))
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
	o := newOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	box := &mailbox{}
	o.Operations = operations.New(o.store, time.Now, operations.Settings{Messaging: notifications.Messaging{
		PublicURL: "https://waybill.example", Mail: box, MailFrom: "post@acme.example",
		Secrets: func(string) string { return "" },
	}})
	by := caller.Service(org, "test")
	user, err := o.People.CreateUser(t.Context(), by, people.NewUser{
		UserDetails: store.UserDetails{Email: "kari@acme.example", Name: "Kari Berg"}, Source: "console",
	})
	require.NoError(t, err)
	require.NoError(t, o.People.InviteUser(t.Context(), by, user.ID))
	event := one[int64](o, "select max(id) from events where kind = 'user.invited'")
	recorded, err := o.Notifications.RecordNotification(t.Context(), by, notifications.NewMessage{
		Key: notification.Key{EventID: event}, WorkflowID: "w", RunID: "r",
	})
	require.NoError(t, err)
	o.breakOff("account_codes")
	_, err = o.Notifications.SendNotification(t.Context(), by, recorded.ID)
	require.NoError(t, err)
	require.Contains(t, box.text, one[string](o, "select public_part from account_codes"), "the code that is good")
}
