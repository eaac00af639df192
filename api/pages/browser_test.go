package pages_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/people"
	"waybill/store"
	"waybill/store/storetest"
	"waybill/testing/chromium"
)

// site is a server that a browser can reach by a name, over a database with one
// organization.
type site struct {
	*apitest.Bundle

	t       *testing.T
	browser context.Context
	address string
	store   *store.Store
	ops     *operations.Operations
	by      caller.Caller
}

func newSite(t *testing.T, edit ...func(*operations.Settings)) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	db := storetest.New(t)
	s := &site{
		t: t, store: store.New(db.Pool), address: fmt.Sprintf("http://localhost:%d", listener.Addr().(*net.TCPAddr).Port),
	}
	settings := operations.Settings{Messaging: notifications.Messaging{PublicURL: s.address}}
	for _, change := range edit {
		change(&settings)
	}
	s.Bundle = apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		s.ops = operations.New(s.store, d.Now, settings)
		d.Store, d.Operations, d.Keys, d.Sessions, d.SessionUse = s.store, s.ops, s.store, s.store, s.store
		c.PublicURL = s.address
	})
	s.by = caller.Service(storetest.Organization(t, db, "acme"), "test")
	server := &http.Server{Handler: s.Server.Routes(), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// browse starts a browser of the test's own.
func (s *site) browse() {
	s.t.Helper()
	started, cancel := context.WithTimeout(chromium.Start(s.t), time.Minute)
	s.t.Cleanup(cancel)
	s.browser = started
}

// do runs browser actions in sequence.
func (s *site) do(steps ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	require.NoError(s.t, chromedp.Do(s.browser, steps...))
}

func (s *site) open(path string) chromedp.Action[chromedp.Void] {
	return chromedp.Navigate(s.address + path)
}

// picture takes screenshots in desktop and phone size, which go test -artifacts
// keeps. Nothing may be wider than the window.
func (s *site) picture(name string) {
	s.t.Helper()
	for _, v := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1280, 800}, {"phone", 390, 844}} {
		s.do(chromedp.EmulateViewport(v.width, v.height))
		overflow, err := chromedp.Run(s.browser,
			chromedp.Evaluate[int64]("document.documentElement.scrollWidth - window.innerWidth"))
		require.NoError(s.t, err)
		require.LessOrEqual(s.t, overflow, int64(0), "%s is too wide on a %s", name, v.name)
		seen, err := chromedp.Run(s.browser, chromedp.FullScreenshot(100))
		require.NoError(s.t, err)
		require.NoError(s.t, os.WriteFile(filepath.Join(s.t.ArtifactDir(), name+"-"+v.name+".png"), seen, 0o600))
	}
}

// add makes an account that is in use.
func (s *site) add(email string, roles ...string) int64 {
	s.t.Helper()
	ids, err := s.ops.People.RoleIDs(s.t.Context(), s.by.OrgID, roles)
	require.NoError(s.t, err)
	user, err := s.ops.People.CreateUser(s.t.Context(), s.by, people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(s.t, err)
	require.NoError(s.t, s.ops.People.SetPassphrase(s.t.Context(), s.by, user.ID, passphrase))
	return user.ID
}

// signIn signs a user in through the page.
func (s *site) signIn(email string) {
	s.t.Helper()
	s.do(s.open("/sign-in?org=acme"),
		chromedp.SetValue(chromedp.CSS("#organization"), "acme"), chromedp.SetValue(chromedp.CSS("#email"), email),
		chromedp.SendKeys(chromedp.CSS("#passphrase"), passphrase),
		chromedp.Submit(chromedp.CSS("#passphrase")),
		chromedp.WaitVisible(chromedp.CSS("dl")))
}
