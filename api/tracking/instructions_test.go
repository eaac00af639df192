package tracking_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/operations/operationstest"
)

const formType = "application/x-www-form-urlencoded"

// post sends a form as a browser does from the page itself; headers are in pairs.
func (s street) post(code, action string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	if len(headers) == 0 {
		headers = []string{"Sec-Fetch-Site", "same-origin"}
	}
	headers = append(headers, "Content-Type", formType, "Accept", "text/html")
	return s.web.Send(http.MethodPost, "/t/"+code+"/"+action, form.Encode(), headers...)
}

// send sends JSON.
func (s street) send(code, action, body string) *httptest.ResponseRecorder {
	return s.web.Send(http.MethodPost, "/t/"+code+"/"+action, body,
		"Content-Type", "application/json", "Accept", "application/json")
}

// allowed has the organization allow actions.
func (s street) allowed(actions string) { s.settings(`{"actions": ` + actions + `}`) }

// logged are the events of a kind, with who did them.
func (s street) logged(kind string) []string {
	return operationstest.One[[]string](s.Office, `select coalesce(array_agg(external_id || ' ' || stop || ' ' || actor
		|| ' ' || coalesce(data::text, '-') order by id), '{}') from events where org_id = $1 and kind = $2`, s.Org, kind)
}

// asked is what the recipient of an order asks of the driver, as it is kept.
func (s street) asked(number string) string {
	return operationstest.One[string](s.Office, `select coalesce(string_agg(concat_ws('|', r.instructions, r.safe_place,
		r.safe_place_note, r.door_code), ''), '') from recipient_instructions r
		join orders o on o.org_id = r.org_id and o.id = r.order_id where r.org_id = $1 and o.number = $2`, s.Org, number)
}

var shed = url.Values{
	"instructions": {"Ring twice"}, "safePlace": {"SHED"}, "safePlaceNote": {"It is open"}, "doorCode": {"12#34"},
}

// TestInstructionsReachTheDriver goes the way of a browser without JavaScript.
func TestInstructionsReachTheDriver(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	number := operationstest.Numbered(0)
	require.NotContains(t, s.page(codes[0]), "/instructions", "nothing is allowed unless the organization says so")
	require.Nil(t, s.told(codes[0]).Actions)
	s.allowed(`{"instructions": {}}`)
	require.Contains(t, s.page(codes[0]), `href="`+codes[0]+`/instructions"`)
	require.Contains(t, s.page(codes[0]+"/?lang=nb"), `href="instructions?lang=nb"`)
	form := s.page(codes[0] + "/instructions?lang=nb")
	require.Contains(t, form, "Legg igjen beskjed til sjåføren")
	require.NotContains(t, form, "http-equiv=\"refresh\"", "nothing typed is lost")

	w := s.post(codes[0], "instructions", shed)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, "../"+codes[0]+"?said=INSTRUCTIONS", w.Header().Get("Location"))
	require.Equal(t, "Ring twice|SHED|It is open|12#34", s.asked(number))
	require.Equal(t, []string{number + " delivery recipient -"}, s.logged("order.recipient_instructed"))

	page := s.page(codes[0] + "?said=INSTRUCTIONS")
	for _, part := range []string{
		"Thank you. The driver sees this", "Ring twice", "In the shed", "It is open", "With a door code",
	} {
		require.Contains(t, page, part)
	}
	require.Equal(t, &contract.TrackedInstructions{
		Instructions: "Ring twice", SafePlace: nullable.NewNullableWithValue(contract.SafePlaceSHED),
		SafePlaceNote: "It is open", HasDoorCode: true,
	}, s.told(codes[0]).Instructions)
	require.Equal(t, http.StatusSeeOther, s.post(codes[0], "instructions", shed).Code)
	require.Len(t, s.logged("order.recipient_instructed"), 1, "the same again changes nothing")

	keep := url.Values{"instructions": {"Ring once"}}
	require.Equal(t, http.StatusSeeOther, s.post(codes[0], "instructions?lang=sv", keep).Code)
	require.Equal(t, "Ring once||12#34", s.asked(number), "an empty field keeps the code")
	keep.Set("removeDoorCode", "1")
	s.post(codes[0], "instructions", keep)
	require.Equal(t, "Ring once||", s.asked(number))

	w = s.send(codes[0], "instructions", `{"safePlace": "GARAGE", "doorCode": "99"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var stop contract.TrackedStop
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &stop))
	require.Equal(t, contract.SafePlaceGARAGE, stop.Instructions.SafePlace.MustGet())
	require.Equal(t, "|GARAGE||99", s.asked(number))
	require.Equal(t, http.StatusOK, s.send(codes[0], "instructions", `{}`).Code)
	require.Equal(t, "||99", s.asked(number), "a program that says nothing of the code keeps it")
}

// TestNobodyIsAtHome has a recipient say so, and take it back.
func TestNobodyIsAtHome(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	number := operationstest.Numbered(0)
	s.allowed(`{"instructions": {}}`)
	w := s.post(codes[0], "instructions", url.Values{"absent": {"1"}, "safePlace": {"SHED"}})
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, []string{number + ` delivery recipient {"absent": true}`}, s.logged("order.recipient_instructed"))
	require.Contains(t, s.page(codes[0]), "Nobody will be at home")
	require.Contains(t, s.page(codes[0]+"/instructions"), `name="absent" value="1" checked`)
	require.True(t, s.told(codes[0]).Instructions.Absent)
	route, err := s.Store.DriverRoute(t.Context(), s.Org, s.Nora, operationstest.PlannedOn, true)
	require.NoError(t, err)
	require.Contains(t, string(route), `"absent": true`)
	require.Equal(t, http.StatusOK, s.send(codes[0], "instructions", `{"safePlace": "SHED"}`).Code)
	require.False(t, s.told(codes[0]).Instructions.Absent)
	require.NotContains(t, s.page(codes[0]+"/instructions"), "checked")
}

func TestInstructionsAreRefusedOnceTooLate(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	first := codes[s.order(0)]
	refused := func(reason, text string) {
		t.Helper()
		w := s.post(first, "instructions", shed)
		require.Equal(t, http.StatusConflict, w.Code, w.Body)
		require.Contains(t, w.Body.String(), text)
		w = s.send(first, "instructions", `{"instructions": "Too late"}`)
		require.Equal(t, http.StatusConflict, w.Code)
		require.Contains(t, w.Body.String(), reason)
		require.Equal(t, http.StatusConflict, s.web.Send(http.MethodGet, "/t/"+first+"/instructions", "").Code)
		require.NotContains(t, s.page(first), "/instructions")
		require.Empty(t, s.asked(operationstest.Numbered(s.order(0))))
	}
	s.allowed(`{"instructions": {}}`)
	s.collected()
	refused("RECIPIENT_NEXT", "You are next. It is too late to change this.")
	for tag, text := range map[string]string{
		"nb": "Det er for sent", "da": "Det er for sent", "sv": "Det är för sent", "fi": "ei voi enää",
		"de": "ist es zu spät",
	} {
		require.Contains(t, s.post(first, "instructions?lang="+tag, shed).Body.String(), text)
	}
	s.Do(`update organizations set recipient_page = recipient_page || '{"phone": "+47 22 00 00 00"}' where id = $1`, s.Org)
	require.Contains(t, s.post(first, "instructions", shed).Body.String(), `href="tel:&#43;4722000000"`)
	s.allowed(`{"instructions": {"minutes_before": 1440}}`)
	refused("RECIPIENT_TOO_LATE", "It is too late to change this.")
	s.allowed(`{"instructions": {"minutes_before": 0}}`)
	require.Equal(t, http.StatusSeeOther, s.post(first, "instructions", shed).Code, "there is still time")
	s.Do("delete from recipient_instructions where org_id = $1", s.Org)
	s.Says(driving.Arrive, s.Stops[3].ID)
	refused("RECIPIENT_THERE", "The driver is already there.")
	s.Says(driving.Deliver, s.Stops[3].ID)
	refused("RECIPIENT_OVER", "The delivery is over.")
	require.Empty(t, s.logged("order.failed"))
}

// TestAttackWithInstructions sends what nobody should.
func TestAttackWithInstructions(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.allowed(`{"instructions": {}}`)
	number := operationstest.Numbered(0)
	refused := func(status int, w *httptest.ResponseRecorder) {
		t.Helper()
		require.Equal(t, status, w.Code, w.Body)
		require.Empty(t, s.asked(number))
		require.Empty(t, s.logged("order.recipient_instructed"))
	}
	// Other sites.
	for _, site := range []string{"cross-site", "same-site"} {
		refused(http.StatusForbidden, s.post(codes[0], "instructions", shed, "Sec-Fetch-Site", site))
	}
	old := func(origin string) *httptest.ResponseRecorder {
		return s.web.Send(http.MethodPost, "/t/"+codes[0]+"/instructions", shed.Encode(),
			"Content-Type", formType, "Origin", origin)
	}
	refused(http.StatusForbidden, old("https://evil.example"))
	refused(http.StatusForbidden, old("null"))
	refused(http.StatusBadRequest, s.web.Send(http.MethodPost, "/t/"+codes[0]+"/instructions", `{"instructions": "x"}`,
		"Content-Type", "text/plain", "Accept", "application/json"))
	// Values.
	for field, value := range map[string]string{
		"instructions": strings.Repeat("x", 501), "safePlaceNote": strings.Repeat("x", 101),
		"doorCode": strings.Repeat("1", 21), "safePlace": "ROOF",
	} {
		w := s.post(codes[0], "instructions", url.Values{field: {value}})
		refused(http.StatusBadRequest, w)
		require.Contains(t, w.Body.String(), `role="alert"`, field)
		body, err := json.Marshal(map[string]string{field: value})
		require.NoError(t, err)
		w = s.send(codes[0], "instructions", string(body))
		refused(http.StatusBadRequest, w)
		require.Contains(t, w.Body.String(), `"field":"`+field+`"`)
	}
	for _, body := range []string{"", "[]", "{", `{"instructions": 1}`, `null`} {
		if w := s.send(codes[0], "instructions", body); body != "null" {
			refused(http.StatusBadRequest, w)
		}
	}
	s.Do("delete from recipient_instructions where org_id = $1", s.Org)
	long := strings.Repeat("x", 20_000)
	refused(http.StatusRequestEntityTooLarge, s.post(codes[0], "instructions", url.Values{"instructions": {long}}))
	refused(http.StatusRequestEntityTooLarge, s.send(codes[0], "instructions", `{"instructions": "`+long+`"}`))
	// Links that do not work, other stops, and what the organization does not allow.
	refused(http.StatusForbidden, s.post(pickupCode, "instructions", shed))
	s.Do("update tracking_links set revoked_at = now() where org_id = $1 and code = $2", s.Org, codes[1])
	s.Do("update tracking_links set expires_at = now() where org_id = $1 and code = $2", s.Org, codes[2])
	guess := s.post("ZZZZZZZZZZZZZZZZZZZZZZZZZ2", "instructions", shed)
	refused(http.StatusNotFound, guess)
	for _, code := range codes[1:] {
		w := s.post(code, "instructions", shed)
		refused(http.StatusNotFound, w)
		require.Equal(t, guess.Body.String(), w.Body.String(), "of links that ended nobody learns anything")
	}
	s.allowed(`{}`)
	refused(http.StatusForbidden, s.post(codes[0], "instructions", shed))
	s.allowed(`{"instructions": {}}`)
	s.Do("update organizations set suspended_at = now() where id = $1", s.Org)
	refused(http.StatusForbidden, s.post(codes[0], "instructions", shed))
	s.Do("update organizations set suspended_at = null, closed_at = now() where id = $1", s.Org)
	refused(http.StatusNotFound, s.post(codes[0], "instructions", shed))
}

// TestTheOfficeReadsWhatRecipientsSay, and the driver on the day itself.
func TestTheOfficeReadsWhatRecipientsSay(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.allowed(`{"instructions": {"minutes_before": 0}}`)
	first, stop := codes[s.order(0)], s.Stops[3]
	office := func() (said contract.OrderRecipient) {
		w := s.web.Send(http.MethodGet, "/v1/orders/"+strconv.FormatInt(stop.OrderID, 10)+"/recipient", "",
			"Authorization", s.web.AsRole(s.Org, caller.Dispatcher))
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NotContains(t, w.Body.String(), "12#34")
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &said))
		return said
	}
	driver := func(today bool) string {
		doc, err := s.Store.DriverRoute(t.Context(), s.Org, s.Nora, operationstest.PlannedOn, today)
		require.NoError(t, err)
		return string(doc)
	}
	require.True(t, office().Instructions.IsNull())
	require.Equal(t, http.StatusSeeOther, s.post(first, "instructions", shed).Code)
	said := office().Instructions.MustGet()
	require.Equal(t, []any{"Ring twice", contract.SafePlaceSHED, "It is open", true},
		[]any{said.Text, said.SafePlace.MustGet(), said.SafePlaceNote, said.HasDoorCode})
	require.Equal(t, 1, strings.Count(driver(true), "12#34"), "at one stop")
	require.Contains(t, driver(true), `"safePlace": "SHED"`)
	require.NotContains(t, driver(false), "12#34", "not before the day")
	s.collected()
	s.Says(driving.Deliver, stop.ID)
	require.NotContains(t, driver(true), "12#34", "not afterwards")
	require.Contains(t, driver(true), "Ring twice")
}

// TestAttackTheDoorCode looks for the door code everywhere but at the driver's stop.
func TestAttackTheDoorCode(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.allowed(`{"instructions": {"minutes_before": 0}}`)
	const secret = "SESAME77"
	first := codes[s.order(0)]
	require.Equal(t, http.StatusSeeOther, s.post(first, "instructions", url.Values{
		"doorCode": {secret}, "instructions": {`"><script>alert(1)</script>`},
	}).Code)
	for _, code := range codes {
		require.NotContains(t, s.both(code), secret)
		require.NotContains(t, s.page(code+"/instructions"), secret, "who else has the link does not read it")
		require.NotContains(t, s.page(code+"/instructions"), "<script>alert")
		require.NotContains(t, s.both(code), "<script>alert")
	}
	require.NotContains(t, s.both(codes[s.order(1)]), "alert(1)", "others read nothing of it")
	require.NotContains(t, operationstest.One[string](s.Office,
		"select coalesce(string_agg(e::text, ' '), '') from events e where org_id = $1", s.Org), secret)
	require.NotContains(t, operationstest.One[string](s.Office,
		"select string_agg(v::text, ' ') from v1_orders v where v.org_id = $1", s.Org), secret)
}

// TestAttackWithManyChanges has a recipient change their mind for ever, and twice at once.
func TestAttackWithManyChanges(t *testing.T) {
	t.Parallel()
	s := newStreet(t)
	s.allowed(`{"instructions": {}}`)
	var all sync.WaitGroup
	statuses := make([]int, 30)
	for i := range statuses {
		all.Go(func() {
			body := `{"instructions": "` + strings.Repeat("x", i+1) + `"}`
			statuses[i] = s.send(codes[0], "instructions", body).Code
		})
	}
	all.Wait()
	kept := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			kept++
		} else {
			require.Equal(t, http.StatusConflict, status)
		}
	}
	require.Equal(t, 20, kept, "each change counts once, and no more")
	require.Len(t, s.logged("order.recipient_instructed"), 20)
	s.Now = s.Now.Add(time.Minute)
	require.Equal(t, http.StatusConflict, s.post(codes[0], "instructions", shed).Code)
	require.Equal(t, http.StatusSeeOther, s.post(codes[1], "instructions", shed).Code, "others can still do so")
}
