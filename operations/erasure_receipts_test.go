package operations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/privacy"
	privacyops "waybill/operations/privacy"
	"waybill/store"
)

var erasing = caller.Service(1, "waybill contacts erase")

func (h *house) eraseHow(how privacyops.Erasing, email, phone string) privacyops.Erased {
	h.t.Helper()
	person, ok := privacy.NewPerson(email, phone, "NO")
	require.True(h.t, ok)
	erased, err := h.Privacy.EraseContact(h.t.Context(), caller.Service(h.orgs[0], "waybill contacts erase"), person, how)
	require.NoError(h.t, err)
	return erased
}

// importNow imports an order as the API does, and returns its result.
func (h *house) importNow(number string, contacts ...order.Contact) order.Result {
	h.t.Helper()
	entry := heavyOrder(number)
	entry.Delivery = &order.LocationRequest{
		Name: "Corvinus Hallgrim", Contacts: contacts,
		Address: &order.Address{Address1: "Lia 17", PostalCode: "0150", City: "Oslo", Country: "NO"},
	}
	by := clerk(h.orgs[0])
	previewed, err := h.Orders.PreviewImport(h.t.Context(), by, body(h.t, entry))
	require.NoError(h.t, err)
	staged, err := h.Orders.StageImport(h.t.Context(), by, body(h.t, entry))
	require.NoError(h.t, err)
	_, err = h.Orders.ImportChunk(h.t.Context(), caller.Service(h.orgs[0], "import/1"), staged.ID, 0)
	require.NoError(h.t, err)
	kept := one[string](h.office, "select coalesce(reasons::text, '') from import_results where org_id = $1 and import_id = $2",
		h.orgs[0], staged.ID)
	for _, note := range append(previewed[0].Reasons, previewed[0].NotApplied...) {
		require.Contains(h.t, kept, note.Code)
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
	h := newHouse(t)
	h.home("PR-1", order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	require.Zero(t, h.eraseHow(privacyops.Erasing{Dry: true}, "c@example.com", "").Receipt)
	none, err := h.Privacy.Receipts(t.Context(), h.orgs[0], 0, 10)
	require.NoError(t, err)
	require.Empty(t, none, "a dry run has none")

	erased := h.eraseHow(privacyops.Erasing{}, "c@example.com", "")
	receipt, err := h.Privacy.Receipt(t.Context(), h.orgs[0], erased.Receipt)
	require.NoError(t, err)
	require.True(t, receipt.Found.Any())
	require.Equal(t, 1, receipt.Found.Orders)
	require.Equal(t, 1, receipt.Found.Rows["order_stops"])
	require.Equal(t, "system", receipt.Actor)
	require.NotNil(t, receipt.EndedAt)
	_, err = h.Privacy.Receipt(t.Context(), h.orgs[1], erased.Receipt)
	require.ErrorIs(t, err, store.ErrNotFound)

	again := h.eraseHow(privacyops.Erasing{}, "c@example.com", "")
	receipt, err = h.Privacy.Receipt(t.Context(), h.orgs[0], again.Receipt)
	require.NoError(t, err)
	require.False(t, receipt.Found.Any(), "nothing was found: %+v", receipt.Found)
	all, err := h.Privacy.Receipts(t.Context(), h.orgs[0], 0, 10)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Zero(t, one[int](h.office, "select count(*)::int from erasures e, erased_addresses a where concat(e.*, a.*) ~* 'example|hallgrim'"))
}

func TestAnImportThatBringsAnErasedAddressBackIsWarned(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	contact := order.Contact{FirstName: "Corvinus", EmailAddress: "C@example.com", PhoneNumber: "912 88 775"}
	require.Empty(t, notesOf(h.importNow("PW-1", contact)))
	h.eraseHow(privacyops.Erasing{}, "c@example.com", "")
	require.Equal(t, []string{
		"CONTACT_ERASED delivery.contacts[0].emailAddress import.contact_erased",
		"CONTACT_ERASED delivery.contacts[0].phoneNumber import.contact_erased",
	}, notesOf(h.importNow("PW-2", order.Contact{EmailAddress: "c@Example.com", PhoneNumber: "004791288775"})))
	require.Empty(t, notesOf(h.importNow("PW-3", order.Contact{EmailAddress: "other@example.com"})))
	h.eraseHow(privacyops.Erasing{Objects: true}, "", "91288775")
	require.Contains(t, notesOf(h.importNow("PW-4", contact)),
		"CONTACT_ERASED delivery.contacts[0].phoneNumber import.contact_objects")
}

func TestAnObjectionLastsLongerThanTheAddress(t *testing.T) {
	t.Parallel()
	for name, objects := range map[string]bool{"Said": true, "ClosedBefore": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newPostbox(t, nil)
			if !objects {
				o.do("insert into suppressions (org_id, channel, address, reason) values (1, 'EMAIL', 'wrong@example.com', 'spam')")
			}
			person, ok := privacy.NewPerson("wrong@example.com", "", "NO")
			require.True(t, ok)
			_, err := o.Privacy.EraseContact(t.Context(), erasing, person, privacyops.Erasing{Objects: objects})
			require.NoError(t, err)
			o.do("update stop_contacts set email_address = 'Wrong@example.com'")
			recorded := o.record("order.created", mailOfCreated)
			_, err = o.Notifications.SendNotification(t.Context(), o.by, recorded.ID)
			require.ErrorContains(t, err, "on the suppression list")
			require.Empty(t, o.mails)

			require.NoError(t, o.Notifications.OpenAddress(t.Context(), o.by, "WRONG@example.com"))
			_, err = o.Notifications.SendNotification(t.Context(), o.by, recorded.ID)
			require.NoError(t, err)
			require.Len(t, o.mails, 1)
			require.ErrorIs(t, o.Notifications.OpenAddress(t.Context(), o.by, "wrong@example.com"), store.ErrNotFound)
		})
	}
}

// TestWhoComesBackIsErasedAgain has a backup that knows the person and not the erasure.
func TestWhoComesBackIsErasedAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	contact := order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com", PhoneNumber: "91288775"}
	h.home("PB-1", contact)
	h.eraseHow(privacyops.Erasing{}, "c@example.com", "")
	list, err := h.Privacy.ErasedList(t.Context(), h.orgs[0])
	require.NoError(t, err)
	require.Len(t, list.Addresses, 2)

	h.home("PB-2", contact)
	h.home("PB-3", order.Contact{FirstName: "Somebody", EmailAddress: "else@example.com"})
	h.exec(`insert into drafts (org_id, external_id, request) values ($1, 'D', '{"contacts": [{"phoneNumber": "+47 912 88 775"}]}')`, h.orgs[0])
	h.exec("truncate erasure_keys, erased_addresses")
	by := caller.Service(h.orgs[0], "waybill contacts erase")
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
	require.NotContains(t, fmt.Sprint(h.contactsLeft()), "Corvinus")
	require.Contains(t, fmt.Sprint(h.contactsLeft()), "else@example.com")
	require.NotContains(t, one[string](h.office, "select request::text from drafts where org_id = $1", h.orgs[0]), "775")
	last, err := h.Privacy.EraseAgain(t.Context(), by, false)
	require.NoError(t, err)
	require.Zero(t, last.Found)
	_, err = h.Privacy.ErasedList(t.Context(), h.orgs[1])
	require.ErrorIs(t, err, store.ErrNotFound)
}

// TestAnOrderThatIsImportedMeanwhileIsErased has a transaction that began before the
// erasure, and ends while it waits.
func TestAnOrderThatIsImportedMeanwhileIsErased(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.home("PM-1", order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	h.exec("update stop_contacts set email_address = null where org_id = $1 and email_address = 'c@example.com'", h.orgs[0])
	h.home("PM-0", order.Contact{FirstName: "First", LastName: "Hallgrim", EmailAddress: "c@example.com"})
	tx, err := h.owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "update stop_contacts set email_address = 'c@example.com' where org_id = $1 and first_name = 'Corvinus'", h.orgs[0])
	require.NoError(t, err)
	done := make(chan privacyops.Erased)
	go func() { done <- h.eraseHow(privacyops.Erasing{}, "c@example.com", "") }()
	require.Eventually(t, func() bool { // what it found at first is erased
		var gone bool
		err := tx.QueryRow(t.Context(), `select not exists (select from stop_contacts
			where org_id = $1 and email_address = 'c@example.com' and first_name = 'First')`, h.orgs[0]).Scan(&gone)
		return err == nil && gone
	}, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, 2, (<-done).Orders)
	require.NotContains(t, fmt.Sprint(h.contactsLeft()), "c@example.com")
}

func TestAnOrderIsLeftOutOfAnErasure(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	contact := order.Contact{FirstName: "Corvinus", LastName: "Hallgrim", EmailAddress: "c@example.com"}
	h.home("PX-1", contact)
	h.home("PX-2", contact)
	h.exec("update orders set reference = 'for c@example.com' where org_id = $1", h.orgs[0])
	kept := one[int64](h.office, "select id from orders where org_id = $1 and number = 'PX-2'", h.orgs[0])
	before := h.stopOf("PX-2")
	require.Equal(t, 1, h.eraseHow(privacyops.Erasing{Except: []int64{kept}}, "c@example.com", "").Orders)
	require.NotContains(t, h.stopOf("PX-1"), "Hallgrim")
	require.Equal(t, before, h.stopOf("PX-2"))
	require.Equal(t, "for c@example.com", one[string](h.office, "select reference from orders where id = $1", kept))
	require.Equal(t, "for [erased]", one[string](h.office, "select reference from orders where number = 'PX-1'"))
	require.Contains(t, h.contactsLeft(), "Corvinus|Hallgrim|c@example.com")
}

func TestWhatIsKeptOfAPersonIsExported(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for statement := range strings.SplitSeq(knowsKari, ";\n") {
		h.exec(statement, h.orgs[0])
	}
	h.exec(`insert into stop_contacts (org_id, stop_id, seq, first_name, last_name, email_address)
		select org_id, id, 7, 'Kari', 'Nordmann', 'kari@example.com' from order_stops where org_id = $1 and kind = 'delivery'`, h.orgs[0])
	h.fillWithKari(h.orgs[0])
	person, ok := privacy.NewPerson("Kari@example.com", "", "NO")
	require.True(t, ok)
	by := caller.Service(h.orgs[0], "waybill contacts export")
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
	none, err := h.Privacy.ExportPerson(t.Context(), caller.Service(h.orgs[1], "test"), person, nil)
	require.NoError(t, err)
	require.Empty(t, none.Places)
}
