package pages_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driver"
	"waybill/operations/people"
	"waybill/store"
)

// waitFor waits until the page shows an element.
func waitFor(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.WaitVisible(chromedp.CSS(selector))
}

func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(selector))
}

func write(selector, text string) chromedp.Action[chromedp.Void] {
	return chromedp.SendKeys(chromedp.CSS(selector), text)
}

// text is the text that the browser shows.
func (s *site) text() string {
	s.t.Helper()
	seen, err := chromedp.Run(s.browser, chromedp.Text(chromedp.CSS("main")))
	require.NoError(s.t, err)
	return seen
}

func TestSigningInInABrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.browse()
	s.do(s.open("/sign-in?org=acme"))
	s.picture("sign-in")
	s.do(write(
		"#email", "kari@acme.example",
	), write("#passphrase", "wrong"), click("form button:not(.show)"), waitFor(".error"))
	s.picture("sign-in-refused")
	s.do(s.open("/forgotten?org=acme"))
	s.picture("forgotten")
	s.do(write("#email", "kari@acme.example"), click("form button"), waitFor("[role=status]"))
	s.picture("forgotten-sent")

	ids, err := s.ops.People.RoleIDs(t.Context(), s.by.OrgID, []string{"dispatcher"})
	require.NoError(t, err)
	user, err := s.ops.People.CreateUser(t.Context(), s.by, people.NewUser{
		UserDetails: store.UserDetails{Email: "kari@acme.example", Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(t, err)
	link, err := s.ops.People.UserLink(t.Context(), s.by, user.ID)
	require.NoError(t, err)
	s.do(s.open(strings.TrimPrefix(link, s.address)), waitFor("#passphrase"))
	where, err := chromedp.Run(s.browser, chromedp.Location())
	require.NoError(t, err)
	require.Equal(t, s.address+"/invitation", where, "the code is not left in the address")
	s.picture("invitation")
	s.do(write("#passphrase", passphrase), click(".show"), click("form button:not(.show)"), waitFor(".note"))
	s.picture("sign-in-chosen")

	as := caller.Caller{OrgID: s.by.OrgID, Kind: caller.Person, ID: user.ID, Cause: "test"}
	seed, err := s.ops.People.BeginTOTP(t.Context(), as, user.ID)
	require.NoError(t, err)
	code, err := totp.GenerateCode(seed.Secret, s.Clock.Now())
	require.NoError(t, err)
	_, err = s.ops.People.ConfirmTOTP(t.Context(), as, user.ID, code)
	require.NoError(t, err)
	s.do(write(
		"#email", "kari@acme.example",
	), write("#passphrase", passphrase), click("form button:not(.show)"), waitFor("#code"))
	s.picture("second-factor")
	s.Clock.Forward(30 * time.Second)
	code, err = totp.GenerateCode(seed.Secret, s.Clock.Now())
	require.NoError(t, err)
	s.do(write("#code", code), click("form button"), waitFor("dl"))
	require.Contains(t, s.text(), "Kari Berg")
	link, err = s.ops.People.UserLink(t.Context(), s.by, user.ID)
	require.NoError(t, err)
	s.do(s.open(strings.TrimPrefix(link, s.address)), waitFor("#passphrase"))
	s.picture("reset")
}

func TestPhonesInABrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.browse()
	s.add("kari@acme.example", "dispatcher")
	s.add("ola@acme.example", "support")
	s.signIn("ola@acme.example")
	s.do(s.open("/phones"), waitFor("dl"))
	require.NotContains(t, s.text(), "Drivers’ phones", "support enrolls no phones")
	s.signIn("kari@acme.example")
	s.do(s.open("/phones"), waitFor("h1"))
	s.picture("phones-none")
	by := s.by
	_, err := s.ops.MasterData.CreateDriver(t.Context(), by, driver.Details{Name: "Nora Berg", PhoneNumber: "+4740000017"})
	require.NoError(t, err)
	s.do(s.open("/phones"), waitFor("#driver"))
	s.picture("phones")
	s.do(click("[name=send]"), waitFor(".note"))
	s.picture("phones-sent")
	s.do(click("form button:not([name])"), waitFor(".scan"))
	s.picture("phones-scan")

	// The phone: another browser would be one.
	e, err := s.ops.People.BeginEnrolment(t.Context(), by, s.driverID())
	require.NoError(t, err)
	s.do(s.open("/driver/enrol#c="+e.Code.Reveal()), waitFor("form button"))
	s.picture("driver-enrol")
	s.do(click("form button"), waitFor(".big"))
	require.Contains(t, s.text(), "Nora Berg")
	s.picture("driver-is-it-you")
	s.do(click("[name=yes]"), waitFor("form[action='/sign-out']"))
	require.Contains(t, s.text(), "This phone is connected")
	s.picture("driver-connected")
	s.do(s.open("/driver/sign-in?org=acme"))
	s.picture("driver-sign-in")
	s.do(write("#phone", "40000017"), click("form button"), waitFor("#code"))
	s.picture("driver-code")
	s.do(write("#code", "000000"), click("form button"), waitFor(".error"))
	s.picture("driver-code-refused")
}

// driverID is the organization's only driver.
func (s *site) driverID() int64 {
	s.t.Helper()
	drivers, _, err := s.store.Drivers(s.t.Context(), s.by.OrgID, nil, nil, store.Page{Number: 1, Size: 1})
	require.NoError(s.t, err)
	require.Len(s.t, drivers, 1)
	return drivers[0].ID
}
