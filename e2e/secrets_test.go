package e2e_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"

	"waybill/api/contract"
	"waybill/testing/stack"
)

// secrets are the secrets that a test received, by kind.
type secrets map[string]string

// open returns the secret part of each credential, which only its owner knows.
func (s secrets) open() secrets {
	parts := secrets{}
	for what, secret := range s {
		if parts[what] = secret; strings.HasPrefix(secret, "wb") {
			parts[what] = secret[strings.LastIndex(secret, "_")+1:]
		}
	}
	return parts
}

// browsing is a browser of a person, or a phone of a driver.
type browsing struct {
	*organization

	t      *testing.T
	cookie string
}

// say calls an operation, keeps the session in the response, and returns the
// response.
func (b *browsing) say(want int, method, path string, body any) map[string]any {
	b.t.Helper()
	headers := []string{idempotencyKey, rand.Text()}
	if b.cookie != "" {
		headers = append(headers, "Cookie", "waybill="+b.cookie)
	}
	a := b.anonymous(b.t, method, path, body, headers...)
	require.Equal(b.t, want, a.status, "%s %s: %s", method, path, a.body)
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		require.NotContains(b.t, string(a.body), c.Value, "a session stands in an answer")
		b.cookie = c.Value
	}
	var answer map[string]any
	_ = json.Unmarshal(a.body, &answer)
	return answer
}

var codeInLink = regexp.MustCompile(`#c=(\S+)`)

// awaitLink waits for a message with a link to an address, and returns the code of
// its link.
func (o *organization) awaitLink(t *testing.T, address string) (code string) {
	t.Helper()
	eventually(t, "a link for "+address, func() bool {
		for _, m := range o.mailsTo(t, address) {
			m := read[stack.Message](t, fetch(t, o.mailbox.PageURL()+"/messages/"+m.ID))
			if match := codeInLink.FindStringSubmatch(m.Text); match != nil {
				code = match[1]
			}
		}
		return code != ""
	})
	return code
}

// TestNoSecretIsKept signs in, invites, resets, makes keys and tokens and connects
// phones, and then looks for every secret in the logs, in the database, and in
// what Temporal keeps.
func TestNoSecretIsKept(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	found := secrets{}
	o.useEverySecret(t, found)
	found = found.open()

	for what, secret := range found {
		require.GreaterOrEqual(t, len(secret), 16, what)
		for name := range i.processes {
			log, err := os.ReadFile(i.log(name))
			require.NoError(t, err)
			require.NotContains(t, string(log), secret, "%s stands in the log of %s", what, name)
		}
	}
	tables := o.tablesWith(t, found)
	require.Empty(t, tables)
	o.searchHistories(t, found)
}

func (o *organization) useEverySecret(t *testing.T, found secrets) {
	t.Helper()
	slug := one[string](t, o.installation, "select slug from organizations where id = $1", o.id)
	found["passphrase"], found["next passphrase"] = "tractor beam over lillehammer", "violin case under steinkjer"
	link, err := o.command(t.Context(), "users", "invite", "--org", slug, "--email", "astrid@secrets.example",
		"--name", "Astrid Dahl", "--role", "admin")
	require.NoError(t, err)
	found["first invitation"] = codeInLink.FindStringSubmatch(link)[1]
	admin := &browsing{o, t, ""}
	admin.say(http.StatusNoContent, http.MethodPut, "/v1/invitations",
		object{"code": found["first invitation"], "passphrase": found["passphrase"]})
	signIn := object{"organization": slug, "email": "astrid@secrets.example", "passphrase": found["passphrase"]}
	admin.say(http.StatusOK, http.MethodPost, "/v1/session", signIn)
	found["session"] = admin.cookie

	found["API key"] = admin.say(http.StatusCreated, http.MethodPost, "/v1/api-keys", object{"name": "erp"})["key"].(string)
	found["token"] = admin.say(http.StatusCreated, http.MethodPost, "/v1/account/tokens",
		object{"name": "report", "expires_at": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)})["token"].(string)
	o.repeatWithSecrets(t, admin, found)
	found["client secret"] = "the secret of a client elsewhere"
	admin.say(http.StatusCreated, http.MethodPost, "/v1/identity-providers", object{
		"slug": "idp", "name": "Directory", "issuer": "https://idp.example", "client_id": "waybill",
		"client_secret": found["client secret"],
	})
	role := one[int64](t, o.installation, "select id from roles where org_id = $1 and name = 'support'", o.id)
	admin.say(http.StatusCreated, http.MethodPost, "/v1/users",
		object{"email": "liv@secrets.example", "name": "Liv Moe", "role_ids": []int64{role}})
	found["invitation"] = o.awaitLink(t, "liv@secrets.example")

	seed := admin.say(http.StatusOK, http.MethodPost, "/v1/account/totp", nil)["secret"].(string)
	found["seed"] = seed
	code, err := totp.GenerateCode(seed, time.Now())
	require.NoError(t, err)
	codes := admin.say(http.StatusOK, http.MethodPut, "/v1/account/totp", object{"code": code})["recovery_codes"].([]any)
	found["recovery code"] = codes[0].(string)
	other := &browsing{o, t, ""}
	found["pending"] = other.say(http.StatusAccepted, http.MethodPost, "/v1/session", signIn)["pending"].(string)
	other.say(http.StatusOK, http.MethodPost, "/v1/session/factor",
		object{"pending": found["pending"], "code": found["recovery code"]})
	found["other session"] = other.cookie
	o.enrollPhones(t, admin, slug, found)

	other.say(http.StatusAccepted, http.MethodPost, "/v1/password-resets",
		object{"organization": slug, "email": "astrid@secrets.example"})
	found["reset"] = o.awaitLink(t, "astrid@secrets.example")
	other.say(http.StatusNoContent, http.MethodPut, "/v1/password-resets",
		object{"code": found["reset"], "passphrase": found["next passphrase"]})
}

// repeatWithSecrets calls each operation that responds with a secret and may be
// repeated twice with one key.
func (o *organization) repeatWithSecrets(t *testing.T, admin *browsing, found secrets) {
	t.Helper()
	endpoint := object{"url": "https://hooks.example/waybill"}
	twice := func(want int, path string, body any) object {
		t.Helper()
		headers := []string{"Cookie", "waybill=" + admin.cookie, idempotencyKey, rand.Text()}
		first := o.anonymous(t, http.MethodPost, path, body, headers...)
		require.Equal(t, want, first.status, "%s", first.body)
		require.Empty(t, first.header.Get("Idempotent-Replayed"))
		again := o.anonymous(t, http.MethodPost, path, body, headers...)
		require.Equal(t, want, again.status, "%s", again.body)
		require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
		answer, repeated := read[object](t, first), read[object](t, again)
		require.Equal(t, answer["secret"], repeated["secret"])
		require.Equal(t, answer["id"], repeated["id"])
		other := o.anonymous(t, http.MethodPost, path, object{"another": "request"}, headers...)
		require.Equal(t, http.StatusUnprocessableEntity, other.status, "%s", other.body)
		return answer
	}
	calls := map[string]func(){
		"createWebhookEndpoint": func() {
			made := twice(http.StatusCreated, "/v2/webhook-endpoints", endpoint)
			found["webhook secret"] = strings.TrimPrefix(made["secret"].(string), "whsec_")
		},
		"rotateWebhookSecret": func() {
			made := read[object](t, o.expect(t, http.StatusCreated, http.MethodPost, "/v2/webhook-endpoints", endpoint))
			rotated := twice(http.StatusOK, fmt.Sprintf("/v2/webhook-endpoints/%.0f/rotate-secret", made["id"]), object{})
			found["next webhook secret"] = strings.TrimPrefix(rotated["secret"].(string), "whsec_")
		},
		"createDocuments": func() {
			file := object{"name": "a.pdf", "content_type": "application/pdf", "size": 7}
			made := twice(http.StatusOK, "/v1/documents", object{"documents": []object{file}})
			address, err := url.Parse(made["documents"].([]any)[0].(map[string]any)["upload_url"].(string))
			require.NoError(t, err)
			found["upload"] = address.Query().Get("signature")
		},
	}
	all, err := contract.Read()
	require.NoError(t, err)
	for _, op := range all {
		if op.Secret && op.TakesHeader(idempotencyKey) {
			require.Contains(t, calls, op.ID, "it is not tried whether its secret is kept")
			calls[op.ID]()
		}
	}
}

// enrollPhones connects a driver's phone in all three ways.
func (o *organization) enrollPhones(t *testing.T, admin *browsing, slug string, found secrets) {
	t.Helper()
	const number = "+4740000917"
	driver := admin.say(http.StatusCreated, http.MethodPost, "/v1/drivers",
		object{"name": "Nora Lie", "phone_number": number})["id"].(float64)
	path := fmt.Sprintf("/v1/drivers/%.0f/enrolments", driver)
	texts := func() (bodies []string) {
		for _, m := range o.sms.Messages() {
			if m.To == number {
				bodies = append(bodies, m.Body)
			}
		}
		return bodies
	}
	found["picture"] = admin.say(http.StatusOK, http.MethodPost, path, nil)["code"].(string)
	first := &browsing{o, t, ""}
	first.say(http.StatusOK, http.MethodPost, "/v1/driver/enrolment", object{"code": found["picture"]})
	found["device"] = first.cookie

	admin.say(http.StatusAccepted, http.MethodPost, path+"/send", nil)
	eventually(t, "the link of the phone", func() bool { return len(texts()) == 1 })
	found["link"] = codeInLink.FindStringSubmatch(texts()[0])[1]
	second := &browsing{o, t, ""}
	second.say(http.StatusOK, http.MethodPost, "/v1/driver/enrolment", object{"code": found["link"]})
	found["second device"] = second.cookie

	third := &browsing{o, t, ""}
	found["pending phone"] = third.say(http.StatusAccepted, http.MethodPost, "/v1/driver/codes",
		object{"organization": slug, "phone_number": number})["pending"].(string)
	eventually(t, "the code of the phone", func() bool { return len(texts()) == 2 })
	code := regexp.MustCompile(`\b\d{8}\b`).FindString(texts()[0])
	third.say(http.StatusOK, http.MethodPut, "/v1/driver/codes", object{"pending": found["pending phone"], "code": code})
	found["third device"] = third.cookie
	require.Contains(t, one[string](t, o.installation,
		"select string_agg(body, ' ') from notifications where org_id = $1 and channel = 'SMS'", o.id), "[code]")
}

// tablesWith names the tables that contain a secret, as text or as bytes.
func (o *organization) tablesWith(t *testing.T, found secrets) (tables []string) {
	t.Helper()
	rows, err := o.admin.Query(t.Context(), `select format('%I.%I', schemaname, tablename) from pg_tables
		where schemaname not in ('pg_catalog', 'information_schema')`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(names), 50)
	for _, table := range names {
		for what, secret := range found {
			n := one[int](t, o.installation, "select count(*) from only "+table+
				" x where position($1 in x::text) > 0 or position($2 in x::text) > 0", secret, hex.EncodeToString([]byte(secret)))
			if n > 0 {
				tables = append(tables, what+" in "+table)
			}
		}
	}
	return tables
}

// searchHistories reads all that Temporal keeps.
func (o *organization) searchHistories(t *testing.T, found secrets) {
	t.Helper()
	c := o.temporalClient(t)
	list, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: o.temporal.Namespace(), PageSize: 1000,
	})
	require.NoError(t, err)
	events := 0
	for _, w := range list.Executions {
		history := c.GetWorkflowHistory(t.Context(), w.Execution.WorkflowId, w.Execution.RunId, false,
			enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			event, err := history.Next()
			require.NoError(t, err)
			events++
			for what, secret := range found {
				require.False(t, strings.Contains(event.String(), secret), "%s stands in the history of %s", what, w.Execution.WorkflowId)
			}
		}
	}
	require.Greater(t, events, 50, "messages were sent by workflows")
}
