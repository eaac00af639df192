package privacy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/privacy"
	"waybill/operations/operationstest"
	privacyops "waybill/operations/privacy"
	"waybill/store"
)

var erasing = caller.Service(1, "waybill contacts erase")

func eraseHow(h *operationstest.House, how privacyops.Erasing, email, phone string) privacyops.Erased {
	h.T.Helper()
	person, ok := privacy.NewPerson(email, phone, "NO")
	require.True(h.T, ok)
	erased, err := h.Privacy.EraseContact(h.T.Context(), caller.Service(h.Orgs[0], "waybill contacts erase"), person, how)
	require.NoError(h.T, err)
	return erased
}

// importNow imports an order as the API does, and returns its result.
func importNow(h *operationstest.House, number string, contacts ...order.Contact) order.Result {
	h.T.Helper()
	entry := operationstest.HeavyOrder(number)
	entry.Delivery = &order.LocationRequest{
		Name: "Corvinus Hallgrim", Contacts: contacts,
		Address: &order.Address{Address1: "Lia 17", PostalCode: "0150", City: "Oslo", Country: "NO"},
	}
	by := operationstest.Clerk(h.Orgs[0])
	previewed, err := h.Orders.PreviewImport(h.T.Context(), by, operationstest.Body(h.T, entry))
	require.NoError(h.T, err)
	staged, err := h.Orders.StageImport(h.T.Context(), by, operationstest.Body(h.T, entry))
	require.NoError(h.T, err)
	_, err = h.Orders.ImportChunk(h.T.Context(), caller.Service(h.Orgs[0], "import/1"), staged.ID, 0)
	require.NoError(h.T, err)
	kept := operationstest.One[string](h.Office, "select coalesce(reasons::text, '') from import_results where org_id = $1 and import_id = $2",
		h.Orgs[0], staged.ID)
	for _, note := range append(previewed[0].Reasons, previewed[0].NotApplied...) {
		require.Contains(h.T, kept, note.Code)
	}
	return previewed[0]
}

func notesOf(r order.Result) (all []string) {
	for _, n := range append(r.Reasons, r.NotApplied...) {
		all = append(all, fmt.Sprint(n.Code, " ", n.Field, " ", n.Text.ID))
	}
	return all
}

func TestAnErasureHasAReceipt(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PR-1", order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	require.Zero(t, eraseHow(h, privacyops.Erasing{Dry: true}, "c@example.com", "").Receipt)
	none, err := h.Privacy.Receipts(t.Context(), h.Orgs[0], 0, 10)
	require.NoError(t, err)
	require.Empty(t, none, "a dry run has none")

	erased := eraseHow(h, privacyops.Erasing{}, "c@example.com", "")
	receipt, err := h.Privacy.Receipt(t.Context(), h.Orgs[0], erased.Receipt)
	require.NoError(t, err)
	require.True(t, receipt.Found.Any())
	require.Equal(t, 1, receipt.Found.Orders)
	require.Equal(t, 1, receipt.Found.Rows["order_stops"])
	require.Equal(t, "system", receipt.Actor)
	require.NotNil(t, receipt.EndedAt)
	_, err = h.Privacy.Receipt(t.Context(), h.Orgs[1], erased.Receipt)
	require.ErrorIs(t, err, store.ErrNotFound)

	again := eraseHow(h, privacyops.Erasing{}, "c@example.com", "")
	receipt, err = h.Privacy.Receipt(t.Context(), h.Orgs[0], again.Receipt)
	require.NoError(t, err)
	require.False(t, receipt.Found.Any(), "nothing was found: %+v", receipt.Found)
	all, err := h.Privacy.Receipts(t.Context(), h.Orgs[0], 0, 10)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Zero(t, operationstest.One[int](h.Office, "select count(*)::int from erasures e, erased_addresses a where concat(e.*, a.*) ~* 'example|hallgrim'"))
}

func TestImportOfErasedAddressIsWarned(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	contact := order.Contact{FirstName: "Corvinus", EmailAddress: "C@example.com", PhoneNumber: "912 88 775"}
	require.Empty(t, notesOf(importNow(h, "PW-1", contact)))
	eraseHow(h, privacyops.Erasing{}, "c@example.com", "")
	require.Equal(t, []string{
		"CONTACT_ERASED delivery.contacts[0].emailAddress import.contact_erased",
		"CONTACT_ERASED delivery.contacts[0].phoneNumber import.contact_erased",
	}, notesOf(importNow(h, "PW-2", order.Contact{EmailAddress: "c@Example.com", PhoneNumber: "004791288775"})))
	require.Empty(t, notesOf(importNow(h, "PW-3", order.Contact{EmailAddress: "other@example.com"})))
	eraseHow(h, privacyops.Erasing{Objects: true}, "", "91288775")
	require.Contains(t, notesOf(importNow(h, "PW-4", contact)),
		"CONTACT_ERASED delivery.contacts[0].phoneNumber import.contact_objects")
}

func TestAnObjectionLastsLongerThanTheAddress(t *testing.T) {
	t.Parallel()
	for name, objects := range map[string]bool{"Said": true, "ClosedBefore": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := operationstest.NewPostbox(t, nil)
			if !objects {
				o.Do("insert into suppressions (org_id, channel, address, reason) values (1, 'EMAIL', 'wrong@example.com', 'spam')")
			}
			person, ok := privacy.NewPerson("wrong@example.com", "", "NO")
			require.True(t, ok)
			_, err := o.Privacy.EraseContact(t.Context(), erasing, person, privacyops.Erasing{Objects: objects})
			require.NoError(t, err)
			o.Do("update stop_contacts set email_address = 'Wrong@example.com'")
			recorded := o.Record("order.created", operationstest.MailOfCreated)
			_, err = o.Notifications.SendNotification(t.Context(), o.By, recorded.ID)
			require.ErrorContains(t, err, "on the suppression list")
			require.Empty(t, o.Mails)

			require.NoError(t, o.Notifications.OpenAddress(t.Context(), o.By, "WRONG@example.com"))
			_, err = o.Notifications.SendNotification(t.Context(), o.By, recorded.ID)
			require.NoError(t, err)
			require.Len(t, o.Mails, 1)
			require.ErrorIs(t, o.Notifications.OpenAddress(t.Context(), o.By, "wrong@example.com"), store.ErrNotFound)
		})
	}
}

// TestReimportedPersonIsErasedAgain has a backup that knows the person and not the erasure.
func TestReimportedPersonIsErasedAgain(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	contact := order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com", PhoneNumber: "91288775"}
	home(h, "PB-1", contact)
	eraseHow(h, privacyops.Erasing{}, "c@example.com", "")
	list, err := h.Privacy.ErasedList(t.Context(), h.Orgs[0])
	require.NoError(t, err)
	require.Len(t, list.Addresses, 2)

	home(h, "PB-2", contact)
	home(h, "PB-3", order.Contact{FirstName: "Somebody", EmailAddress: "else@example.com"})
	h.Exec(`insert into drafts (org_id, external_id, request) values ($1, 'D', '{"contacts": [{"phoneNumber": "+47 912 88 775"}]}')`, h.Orgs[0])
	h.Exec("truncate erasure_keys, erased_addresses")
	by := caller.Service(h.Orgs[0], "waybill contacts erase")
	nothing, err := h.Privacy.EraseAgain(t.Context(), by, false)
	require.NoError(t, err)
	require.Zero(t, nothing.Found)

	require.NoError(t, h.Privacy.TakeErasedList(t.Context(), by, &list))
	dry, err := h.Privacy.EraseAgain(t.Context(), by, true)
	require.NoError(t, err)
	require.Equal(t, 3, dry.Found, "an address, and a number that is written in two ways")
	again, err := h.Privacy.EraseAgain(t.Context(), by, false)
	require.NoError(t, err)
	require.Equal(t, 2, again.Known)
	require.NotContains(t, fmt.Sprint(contactsLeft(h)), "Corvinus")
	require.Contains(t, fmt.Sprint(contactsLeft(h)), "else@example.com")
	require.NotContains(t, operationstest.One[string](h.Office, "select request::text from drafts where org_id = $1", h.Orgs[0]), "775")
	last, err := h.Privacy.EraseAgain(t.Context(), by, false)
	require.NoError(t, err)
	require.Zero(t, last.Found)
	_, err = h.Privacy.ErasedList(t.Context(), h.Orgs[1])
	require.ErrorIs(t, err, store.ErrNotFound)
}

// TestOrderImportedDuringErasureIsErased has a transaction that began before the
// erasure, and ends while it waits.
func TestOrderImportedDuringErasureIsErased(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	home(h, "PM-1", order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	h.Exec("update stop_contacts set email_address = null where org_id = $1 and email_address = 'c@example.com'", h.Orgs[0])
	home(h, "PM-0", order.Contact{FirstName: "First", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	tx, err := h.Owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "update stop_contacts set email_address = 'c@example.com' where org_id = $1 and first_name = 'Corvinus'", h.Orgs[0])
	require.NoError(t, err)
	done := make(chan privacyops.Erased)
	go func() { done <- eraseHow(h, privacyops.Erasing{}, "c@example.com", "") }()
	require.Eventually(t, func() bool { // what it found at first is erased
		var gone bool
		err := tx.QueryRow(t.Context(), `select not exists (select from stop_contacts
			where org_id = $1 and email_address = 'c@example.com' and first_name = 'First')`, h.Orgs[0]).Scan(&gone)
		return err == nil && gone
	}, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, 2, (<-done).Orders)
	require.NotContains(t, fmt.Sprint(contactsLeft(h)), "c@example.com")
}

func TestAnOrderIsLeftOutOfAnErasure(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	contact := order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"}
	home(h, "PX-1", contact)
	home(h, "PX-2", contact)
	h.Exec("update orders set reference = 'for c@example.com' where org_id = $1", h.Orgs[0])
	kept := operationstest.One[int64](h.Office, "select id from orders where org_id = $1 and number = 'PX-2'", h.Orgs[0])
	before := stopOf(h, "PX-2")
	require.Equal(t, 1, eraseHow(h, privacyops.Erasing{Except: []int64{kept}}, "c@example.com", "").Orders)
	require.NotContains(t, stopOf(h, "PX-1"), "Hallgrim")
	require.Equal(t, before, stopOf(h, "PX-2"))
	require.Equal(t, "for c@example.com", operationstest.One[string](h.Office, "select reference from orders where id = $1", kept))
	require.Equal(t, "for [erased]", operationstest.One[string](h.Office, "select reference from orders where number = 'PX-1'"))
	require.Contains(t, contactsLeft(h), "Corvinus|Hallgrim|c@example.com")
}

func TestPersonalDataIsExported(t *testing.T) {
	t.Parallel()
	h := operationstest.NewHouse(t)
	for statement := range strings.SplitSeq(knowsKari, ";\n") {
		h.Exec(statement, h.Orgs[0])
	}
	h.Exec(`insert into stop_contacts (org_id, stop_id, seq, first_name, last_name, email_address)
		select org_id, id, 7, 'Kari', 'Nordmann', 'kari@example.com' from order_stops where org_id = $1 and kind = 'delivery'`, h.Orgs[0])
	fillWithKari(h, h.Orgs[0])
	person, ok := privacy.NewPerson("Kari@example.com", "", "NO")
	require.True(t, ok)
	by := caller.Service(h.Orgs[0], "waybill contacts export")
	export, err := h.Privacy.ExportPerson(t.Context(), by, person, nil)
	require.NoError(t, err)
	var found []string
	for _, p := range export.Places {
		require.NotEmpty(t, p.Why)
		require.NotEmpty(t, p.Rows)
		require.NotContains(t, fmt.Sprint(export.Person), "ola@")
		found = append(found, p.Table)
	}
	var all []string
	for _, p := range privacy.DataMap() {
		all = append(all, p.Table)
	}
	require.ElementsMatch(t, all, found, "it comes from the same list as erasing")
	none, err := h.Privacy.ExportPerson(t.Context(), caller.Service(h.Orgs[1], "test"), person, nil)
	require.NoError(t, err)
	require.Empty(t, none.Places)
}
