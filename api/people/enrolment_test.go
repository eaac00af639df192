package people_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
	"waybill/store"
	"waybill/store/storetest"
)

// post collects sent messages.
type post struct {
	mu    sync.Mutex
	mails []providers.Email
	texts []providers.Text
}

// mailer and texter are its two counters.
type (
	mailer struct{ *post }
	texter struct{ *post }
)

// Send takes an email.
func (m mailer) Send(_ context.Context, _ string, e providers.Email) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails = append(m.mails, e)
	return nil
}

// Send takes a text message.
func (m texter) Send(_ context.Context, _ providers.SMSAccount, text providers.Text) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts = append(m.texts, text)
	return "SM1", nil
}

// newPostedOffice is an office whose messages are kept.
func newPostedOffice(t *testing.T) (*office, *post) {
	t.Helper()
	kept := &post{}
	db := storetest.New(t)
	o := &office{db: db, store: store.New(db.Pool), org: storetest.Organization(t, db, "acme")}
	o.Bundle = apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		o.ops = operations.New(o.store, d.Now, operations.Settings{Messaging: notifications.Messaging{
			Mail: mailer{kept}, SMS: texter{kept}, Secrets: func(string) string { return "" }, MailFrom: "waybill@acme.example",
			SMSFrom: "Waybill", PublicURL: "https://waybill.example",
		}})
		d.Store, d.Operations, d.Keys, d.Sessions, d.SessionUse = o.store, o.ops, o.store, o.store, o.store
		c.PublicURL = "https://waybill.example"
	})
	return o, kept
}

// deliver sends all messages of events, and returns the log's entries.
func (o *office) deliver() (bodies []string) {
	o.T.Helper()
	ctx := o.T.Context()
	owner, err := pgx.Connect(ctx, o.db.OwnerURL)
	require.NoError(o.T, err)
	defer func() { _ = owner.Close(ctx) }()
	rows, err := owner.Query(ctx, `SELECT org_id, id, kind, recorded_at FROM events e WHERE NOT EXISTS (
		SELECT FROM notifications n WHERE n.org_id = e.org_id AND n.event_id = e.id) ORDER BY id`)
	require.NoError(o.T, err)
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e store.Event, err error) {
		return e, row.Scan(&e.OrgID, &e.ID, &e.Kind, &e.RecordedAt)
	})
	require.NoError(o.T, err)
	due, err := o.store.DueNotifications(ctx, events)
	require.NoError(o.T, err)
	by := caller.Service(o.org, "test")
	for _, n := range due {
		m, err := o.ops.Notifications.RecordNotification(
			ctx, by, notifications.NewMessage{Key: n.Key, WorkflowID: "w" + n.Key.String(), RunID: "r"},
		)
		require.NoError(o.T, err)
		require.Empty(o.T, m.Failure)
		_, err = o.ops.Notifications.SendNotification(ctx, by, m.ID)
		require.NoError(o.T, err)
		var body string
		require.NoError(o.T, owner.QueryRow(ctx, "SELECT body FROM notifications WHERE id = $1", m.ID).Scan(&body))
		bodies = append(bodies, body)
	}
	return bodies
}

var eightDigits = regexp.MustCompile(`\b\d{8}\b`)

func TestPhoneIsEnrolledByMessage(t *testing.T) {
	t.Parallel()
	o, kept := newPostedOffice(t)
	o.add(o.org, "kari@acme.example", "dispatcher")
	cookie := o.session("acme", "kari@acme.example")
	w := o.Send(
		http.MethodPost, "/v1/drivers", `{"name": "Nora Berg", "phone_number": "+47 400 00 017"}`, "Cookie", cookie,
	)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	driver := w.Header().Get("Location")
	send := func(method, path, body string) (int, map[string]any) {
		w := o.Send(method, path, body, "Content-Type", "application/json")
		var answer map[string]any
		_ = json.Unmarshal(w.Body.Bytes(), &answer)
		return w.Code, answer
	}

	// A link, which first shows whose it is.
	require.Equal(t, http.StatusAccepted, o.Send(http.MethodPost, driver+"/enrolments/send", "", "Cookie", cookie).Code)
	bodies := o.deliver()
	require.Len(t, bodies, 1)
	require.Contains(t, bodies[0], "[link]")
	require.NotContains(t, bodies[0], "#c=")
	require.Equal(t, "+4740000017", kept.texts[0].To)
	_, code, found := strings.Cut(kept.texts[0].Body, "https://waybill.example/driver/enrol#c=")
	require.True(t, found, kept.texts[0].Body)
	body := fmt.Sprintf(`{"code": %q}`, code)
	for range 2 {
		status, of := send(http.MethodPost, "/v1/driver/enrolment/check", body)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "Nora Berg", of["name"])
	}
	status, _ := send(http.MethodPost, "/v1/driver/enrolment", body)
	require.Equal(t, http.StatusOK, status)
	status, _ = send(http.MethodPost, "/v1/driver/enrolment/check", body)
	require.Equal(t, http.StatusNotFound, status, "once")

	// A code, only for the phone that requested it.
	ask := func(number string) string {
		status, answer := send(
			http.MethodPost, "/v1/driver/codes", fmt.Sprintf(`{"organization": "acme", "phone_number": %q}`, number),
		)
		require.Equal(t, http.StatusAccepted, status)
		return answer["pending"].(string)
	}
	enrol := func(pending, code string) int {
		status, _ := send(
			http.MethodPut, "/v1/driver/codes", fmt.Sprintf(`{"pending": %q, "code": %q, "name": "Pixel 11"}`, pending, code),
		)
		return status
	}
	nobody := ask("+47 400 00 018")
	require.Empty(t, o.deliver(), "nobody has this number")
	require.Equal(t, http.StatusUnauthorized, enrol(nobody, "000000"))
	first, second := ask("400 00 017"), ask("+4740000017")
	bodies = o.deliver()
	require.Len(t, bodies, 2)
	require.Contains(t, bodies[0], "[code]")
	require.NotRegexp(t, eightDigits, bodies[0])
	codes := []string{eightDigits.FindString(kept.texts[1].Body), eightDigits.FindString(kept.texts[2].Body)}
	if codes[0] != codes[1] { // one time in a million they are the same
		require.Equal(t, http.StatusUnauthorized, enrol(first, codes[1]), "the code of another request")
	}
	require.Equal(t, http.StatusOK, enrol(second, codes[1]))
	require.Equal(t, http.StatusUnauthorized, enrol(second, codes[1]), "once")
	require.Equal(t, http.StatusUnauthorized, enrol(first, codes[0]), "a phone was connected meanwhile")

	// Guessing ends after five tries, and a code after ten minutes.
	o.Clock.Forward(time.Hour)
	pending := ask("40000017")
	o.deliver()
	good := eightDigits.FindString(kept.texts[3].Body)
	for range 5 {
		require.Equal(t, http.StatusUnauthorized, enrol(pending, "12345"))
	}
	require.Equal(t, http.StatusUnauthorized, enrol(pending, good), "guessed too often")
	o.Clock.Forward(time.Hour)
	pending = ask("40000017")
	o.deliver()
	o.Clock.Forward(11 * time.Minute)
	require.Equal(t, http.StatusUnauthorized, enrol(pending, eightDigits.FindString(kept.texts[4].Body)), "too late")
	require.NotContains(t, o.Logs.Text(), good)
}

func TestCodesPerPhoneNumberAreLimited(t *testing.T) {
	t.Parallel()
	o, _ := newPostedOffice(t)
	for n := range 10 {
		w := o.Send(http.MethodPost, "/v1/driver/codes", `{"organization": "acme", "phone_number": "40000017"}`,
			"Content-Type", "application/json")
		if w.Code == http.StatusTooManyRequests {
			require.GreaterOrEqual(t, n, 4)
			require.NotEmpty(t, w.Header().Get("Retry-After"))
			return
		}
	}
	t.Fatal("nothing slows it down")
}

// TestPassphraseChangeSendsMail covers number 4, and the other messages about
// an account.
func TestPassphraseChangeSendsMail(t *testing.T) {
	t.Parallel()
	o, kept := newPostedOffice(t)
	id := o.add(o.org, "kari@acme.example", "support")
	o.deliver()
	cookie := o.session("acme", "kari@acme.example")
	w := o.Send(http.MethodPut, "/v1/account/passphrase",
		fmt.Sprintf(`{"present": %q, "passphrase": "tractor beam over lillehammer"}`, passphrase), "Cookie", cookie)
	require.Equal(t, http.StatusNoContent, w.Code, w.Body)
	require.Len(t, o.deliver(), 1)
	last := kept.mails[len(kept.mails)-1]
	require.Equal(t, "kari@acme.example", last.To)
	require.Equal(t, "Passfrasen din er endret", last.Subject)
	require.NotContains(t, last.Text, "tractor")

	by := caller.Caller{OrgID: o.org, Kind: caller.Person, ID: id, Cause: "test"}
	seed, err := o.ops.People.BeginTOTP(t.Context(), by, id)
	require.NoError(t, err)
	code, err := totp.GenerateCode(seed.Secret, o.Clock.Now())
	require.NoError(t, err)
	_, err = o.ops.People.ConfirmTOTP(t.Context(), by, id, code)
	require.NoError(t, err)
	require.Len(t, o.deliver(), 1)
	require.Equal(t, "Måten du logger inn på er endret", kept.mails[len(kept.mails)-1].Subject)

	w = o.Send(http.MethodPost, "/v1/password-resets", `{"organization": "acme", "email": "kari@acme.example"}`,
		"Content-Type", "application/json")
	require.Equal(t, http.StatusAccepted, w.Code)
	bodies := o.deliver()
	require.Len(t, bodies, 1)
	require.Contains(t, bodies[0], "[link]")
	require.Contains(t, kept.mails[len(kept.mails)-1].Text, "https://waybill.example/reset#c=")
}
