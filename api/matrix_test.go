package api_test

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/credential"
)

// openOperations have no API authentication: each has its own, or is public. All
// others must name their callers.
var openOperations = []string{
	"acceptInvitation", "beginPasskeySignIn", "checkEnrolment", "chooseSlot", "downloadFile", "enrol", "enrolByCode",
	"finishSignIn", "getContract", "getContract31", "getDocs", "getHealth", "getInstructionsPage", "getMetrics",
	"getPreferencesPage", "getRatingPage", "getReadiness", "getSlotPage", "getTrackingLogo",
	"getTrackingPage", "leaveInstructions", "rateDelivery",
	"receiveCarrierUpdate", "reportPostmark", "reportSendgrid", "reportTwilio", "requestDriverCode",
	"requestReset", "resetPassphrase", "setPreferences", "signIn", "signInWithPasskey", "uploadFile",
}

// someone is a caller of the matrix.
type someone struct {
	name    string
	headers []string
	as      string   // its name in x-callers; empty for an unknown caller
	tags    []string // the permitted tags of its role; nil for all
	isToken bool     // no sign-in
}

// may reports whether the contract lets the caller through to an operation.
func (s someone) may(op *contract.Operation) bool {
	narrowed := s.tags != nil && !slices.Contains(op.Tags, "Account") &&
		!slices.ContainsFunc(op.Tags, func(tag string) bool { return slices.Contains(s.tags, tag) })
	onTheRoad := slices.Contains(op.Tags, "Driving") // for phones
	return slices.Contains(op.Callers, s.as) && !narrowed && (!onTheRoad || s.name == "device")
}

// matrix is an installation whose callers have real credentials.
type matrix struct {
	*apitest.Office

	handler    http.Handler
	operations []*contract.Operation // that name their callers, by id
	ids        map[string]string     // of the organization's records, by their place in paths
	users      int
}

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	m := &matrix{ids: map[string]string{}}
	m.Office = apitest.NewOffice(t, func(_ *api.Config, d *api.Dependencies) { d.Keys, d.Sessions = d.Store, d.Store })
	m.handler = m.Server.Routes()
	all, err := contract.Read()
	require.NoError(t, err)
	for _, op := range all {
		if len(op.Callers) > 0 {
			m.operations = append(m.operations, op)
		}
	}
	slices.SortFunc(m.operations, func(a, b *contract.Operation) int { return strings.Compare(a.ID, b.ID) })
	return m
}

// user makes an account with a role.
func (m *matrix) user(org int64, role, state string) int64 {
	m.T.Helper()
	m.users++
	var id int64
	require.NoError(m.T, m.Owner.QueryRow(m.T.Context(), `with u as (
			insert into users (org_id, email, name, state, source) values ($1, $2, 'MARKER', $4, 'api') returning id
		), r as (
			insert into user_roles (org_id, user_id, role_id) select $1, u.id, r.id from u, roles r where r.org_id = $1 and
				r.name = $3
		) select id from u`, org, fmt.Sprintf("person-%d@example.com", m.users), role, state).Scan(&id))
	return id
}

// session creates the credential of a user or, for a device, a driver, and returns
// its headers.
func (m *matrix) session(kind credential.Kind, org, owner int64, ended bool) []string {
	m.T.Helper()
	secret, err := credential.New(kind, rand.Reader)
	require.NoError(m.T, err)
	hash := secret.Hash()
	user, driver, sort := &owner, (*int64)(nil), "browser"
	switch kind {
	case credential.Token:
		sort = "token"
	case credential.Device:
		user, driver, sort = nil, &owner, "device"
	}
	_, err = m.Owner.Exec(m.T.Context(), `insert into sessions (org_id, kind, public_part, hash, user_id, driver_id,
		signed_in_at,
			created_at, last_used_at, expires_at, ended_at)
		values ($1, $2, $3, $4, $5, $6, case when $2 = 'browser' then now() end, now(), now(), now() + interval '1 day',
			case when $7 then now() end)`, org, sort, secret.Public(), hash[:], user, driver, ended)
	require.NoError(m.T, err)
	if kind == credential.Token {
		return []string{"Authorization", "Bearer " + secret.Reveal()}
	}
	return []string{"Cookie", "waybill=" + secret.Reveal(), "Sec-Fetch-Site", "same-origin"}
}

// key makes an API key and returns the headers of it.
func (m *matrix) key(org int64, revoked bool) []string {
	m.T.Helper()
	secret, err := credential.New(credential.APIKey, rand.Reader)
	require.NoError(m.T, err)
	hash := secret.Hash()
	_, err = m.Owner.Exec(m.T.Context(), `insert into api_keys (org_id, name, public_part, hash, revoked_at)
		values ($1, $2, $2, $3, case when $4 then now() end)`, org, secret.Public(), hash[:], revoked)
	require.NoError(m.T, err)
	return []string{"Authorization", "apikey " + secret.Reveal()}
}

// person signs in as a new person.
func (m *matrix) person(org int64, role string) []string {
	m.T.Helper()
	return m.session(credential.Session, org, m.user(org, role, "active"), false)
}

// callers are all sorts of caller.
func (m *matrix) callers() []someone {
	m.T.Helper()
	m.ID("insert into roles (org_id, name, base, tags) values ($1, 'MARKER role', 'dispatcher', '{Drivers}') returning id")
	driver := m.ID("select min(id) from drivers where org_id = $1")
	all := []someone{
		{name: "nobody"},
		{name: "revoked session", headers: m.session(credential.Session, m.Org, m.user(m.Org, "admin", "active"), true)},
		{name: "revoked token", headers: m.session(credential.Token, m.Org, m.user(m.Org, "admin", "active"), true)},
		{name: "revoked device", headers: m.session(credential.Device, m.Org, driver, true)},
		{name: "revoked key", headers: m.key(m.Org, true)},
		{name: "disabled", headers: m.session(credential.Session, m.Org, m.user(m.Org, "admin", "disabled"), false)},
		{name: "key", headers: m.key(m.Org, false), as: "key"},
		{name: "device", headers: m.session(credential.Device, m.Org, driver, false), as: "driver"},
		{name: "custom role", headers: m.person(m.Org, "MARKER role"), as: "dispatcher", tags: []string{"Drivers"}},
	}
	for _, role := range []string{"admin", "dispatcher", "support", "driver"} {
		token := m.session(credential.Token, m.Org, m.user(m.Org, role, "active"), false)
		all = append(all, someone{name: role, headers: m.person(m.Org, role), as: role},
			someone{name: "token of " + role, headers: token, as: role, isToken: true})
	}
	return append(all, m.impostors()...)
}

// impostors send valid secrets in places where they do not count, and unknown secrets.
func (m *matrix) impostors() []someone {
	m.T.Helper()
	secretOf := func(headers []string) string { return headers[1][strings.IndexAny(headers[1], " =")+1:] }
	session, token, key := m.person(m.Org, "admin"),
		m.session(credential.Token, m.Org, m.user(m.Org, "admin", "active"), false), m.key(m.Org, false)
	madeUp := "wbu_" + strings.Repeat("a", 16) + "_" + strings.Repeat("b", 32)
	return []someone{
		{name: "session as bearer", headers: []string{"Authorization", "Bearer " + secretOf(session)}},
		{name: "key as bearer", headers: []string{"Authorization", "Bearer " + secretOf(key)}},
		{name: "token as key", headers: []string{"Authorization", "apikey " + secretOf(token)}},
		{name: "token as cookie", headers: []string{"Cookie", "waybill=" + secretOf(token), "Sec-Fetch-Site", "same-origin"}},
		{name: "made up", headers: []string{"Authorization", "Bearer " + madeUp}},
		{name: "bad header beside a cookie", headers: append([]string{"Authorization", "Bearer x"}, session...)},
	}
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// target is the path of an operation with ids of the organization.
func (m *matrix) target(op *contract.Operation) string {
	m.T.Helper()
	filled := op.Route.Pattern
	for _, at := range parameter.FindAllStringIndex(op.Route.Pattern, -1) {
		name := op.Route.Pattern[at[0]:at[1]]
		id, known := m.ids[op.Route.Pattern[:at[1]]]
		if !known {
			id, known = m.ids[name]
		}
		require.True(m.T, known, "there is no test data for %s of %s", name, op.Route.Pattern)
		filled = strings.Replace(filled, name, id, 1)
	}
	return filled + queries[op.ID]
}

// queries are the required parameters of operations.
var queries = map[string]string{
	"listOrders": "?startDate=2026-03-02&endDate=2026-03-02", "searchOrders": "?query=MARKER",
	"searchCustomers":  "?query=MARKER",
	"searchPlaces":     "?q=MARKER&country=NO",
	"searchOrderTypes": "?name=MARKER", "listScheduleIntervals": "?date=2026-03-02",
	"replanCancelledOrder": "?externalId=MARKER-1",
	"rankDrivers":          "?orderId=1",
	"rankDriversForOrders": "?orderIds=1",
	"listWorkdays":         "?start_date=2026-03-02&end_date=2026-03-08",
}

// call calls an operation on the organization's records.
func (m *matrix) call(s someone, op *contract.Operation, body string) *httptest.ResponseRecorder {
	m.T.Helper()
	if op.Route.Method == http.MethodGet || op.Route.Method == http.MethodDelete {
		body = ""
	}
	return apitest.Serve(m.handler, op.Route.Method, m.target(op), body, append([]string{
		"Content-Type",
		"application/json",
	}, s.headers...)...)
}

// TestPermissions calls each operation of the contract as each kind of
// caller: x-callers alone decides. Unknown callers get 401 and forbidden ones
// 403, and neither changes anything.
func TestPermissions(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	m.fill()
	callers := m.callers()
	events := "select count(*) from events where org_id = $1"
	before := m.ID(events)
	for _, op := range m.operations {
		for _, s := range callers {
			if s.may(op) {
				continue
			}
			w := m.call(s, op, "{}")
			if s.as == "" {
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s by %s: %s", op.ID, s.name, w.Body)
				continue
			}
			require.Equal(t, http.StatusForbidden, w.Code, "%s by %s: %s", op.ID, s.name, w.Body)
			want := "AUTH_NOT_FOR_ROLE"
			if s.as == "key" {
				want = "AUTH_NOT_FOR_KEYS"
			}
			if op.ID != "importOrdersV1" { // which responds in plain text
				require.Equal(t, want, string(apitest.Reason(apitest.Status(t, w.Body.Bytes()))), "%s by %s", op.ID, s.name)
			}
		}
	}
	require.Equal(t, before, m.ID(events))

	m.checkLetThrough(callers)
}

// checkLetThrough has callers use permitted operations on unknown records, so that
// the data stays the same for each.
func (m *matrix) checkLetThrough(callers []someone) {
	m.T.Helper()
	for where := range m.ids {
		m.ids[where] = "999999999"
	}
	m.ids["{date}"] = "2026-03-02"
	for _, op := range m.operations {
		var through int
		for _, s := range callers {
			if !s.may(op) {
				continue
			}
			through++
			own := slices.Contains(op.Tags, "Account")
			if own {
				s.headers = m.again(s) // because it may end the caller's session
			}
			w := m.call(s, op, "{}")
			require.Less(m.T, w.Code, http.StatusInternalServerError, "%s by %s: %s", op.ID, s.name, w.Body)
			switch {
			case op.ID == "confirmSession":
				require.Equal(m.T, http.StatusUnauthorized, w.Code, "no passphrase is a wrong one")
			case own && s.name == "device": // a phone has a session, and hardly more of an account
			case s.isToken && (own || op.Fresh): // which require a sign-in with a browser
				require.Contains(m.T, []int{
					http.StatusOK, http.StatusNoContent, http.StatusUnauthorized, http.StatusForbidden,
					http.StatusNotFound,
				}, w.Code, "%s by %s: %s", op.ID, s.name, w.Body)
				require.False(m.T, op.Fresh && w.Code != http.StatusForbidden, "%s by %s: %s", op.ID, s.name, w.Body)
			default:
				require.NotContains(m.T, []int{http.StatusUnauthorized, http.StatusForbidden}, w.Code, "%s by %s: %s", op.ID,
					s.name, w.Body)
			}
		}
		require.NotZero(m.T, through, "nobody may call %s", op.ID)
	}
}

// again returns the headers of another caller like one.
func (m *matrix) again(s someone) []string {
	switch s.name {
	case "device":
		return m.session(credential.Device, m.Org, m.ID("select min(id) from drivers where org_id = $1"), false)
	case "custom role":
		return m.person(m.Org, "MARKER role")
	}
	if s.isToken {
		return m.session(credential.Token, m.Org, m.user(m.Org, s.as, "active"), false)
	}
	return m.person(m.Org, s.as)
}

// TestAdministratorsHaveAllPermissions checks that an administrator has the
// permissions of every other role, on which granting roles relies.
func TestAdministratorsHaveAllPermissions(t *testing.T) {
	t.Parallel()
	all, err := contract.Read()
	require.NoError(t, err)
	for _, op := range all {
		if len(op.Callers) > 0 && !op.IsForTelephones() {
			require.Contains(t, op.Callers, "admin", op.ID)
		}
	}
}

// TestOperationsNameTheirCallers finds operations without permitted callers, and
// public ones.
func TestOperationsNameTheirCallers(t *testing.T) {
	t.Parallel()
	all, err := contract.Read()
	require.NoError(t, err)
	var open []string
	for _, op := range all {
		require.NotContains(t, op.Tags, "Administration", op.ID)
		if len(op.Callers) == 0 {
			open = append(open, op.ID)
		}
	}
	slices.Sort(open)
	require.Equal(t, openOperations, open)
}

// TestAnotherOrganizationsIdentifiersAreUnknown calls each operation as the
// administrator, and with a key, of another organization.
func TestAnotherOrganizationsIdentifiersAreUnknown(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	m.fill()
	own := someone{name: "own admin", headers: m.person(m.Org, "admin"), as: "admin"}
	outsiders := []someone{
		{name: "their admin", headers: m.person(m.Other, "admin"), as: "admin"},
		{name: "their key", headers: m.key(m.Other, false), as: "key"},
	}
	events := "select count(*) from events where org_id = $1"
	before := m.ID(events)
	for _, op := range m.operations {
		names := strings.Contains(strings.ReplaceAll(op.Route.Pattern, "{date}", ""), "{")
		for _, s := range outsiders {
			if !s.may(op) || slices.Contains(op.Tags, "Account") {
				continue
			}
			w := m.call(s, op, cmp.Or(bodies[op.ID], "{}"))
			require.NotContains(t, w.Body.String(), "MARKER ", "%s by %s", op.ID, s.name)
			if names {
				require.Equal(t, http.StatusNotFound, w.Code, "%s by %s: %s", op.ID, s.name, w.Body)
			}
		}
		if names && op.Route.Method == http.MethodGet && own.may(op) && !slices.Contains(absent, op.ID) {
			w := m.call(own, op, "")
			require.Equal(t, http.StatusOK, w.Code, "%s of %s: %s", op.ID, m.target(op), w.Body)
		}
	}
	require.Equal(t, before, m.ID(events))
}

// absent lists the parts that an order need not have, and that the test's
// order lacks.
var absent = []string{
	"getOrderBooking", "getDraftBooking", "getCompletionProof", "getCompletionProofPdf", "getOrderExport",
	"getOrderPicture",
}
