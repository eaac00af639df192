package pages_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// authenticator gives the browser a virtual authenticator whose user is
// present.
func (s *site) authenticator() webauthn.AuthenticatorID {
	s.t.Helper()
	_, err := chromedp.Call(s.browser, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(s.t, err)
	made, err := chromedp.Call(s.browser, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, AutomaticPresenceSimulation: true, IsUserVerified: true,
		},
	})
	require.NoError(s.t, err)
	return made.AuthenticatorID
}

// signInByPasskey signs out, and in again with a passkey.
func (s *site) signInByPasskey() {
	s.t.Helper()
	s.do(s.open("/sign-in"), chromedp.Click(chromedp.CSS("#passkey")))
}

func (s *site) signOut() {
	s.t.Helper()
	s.do(s.open("/account"), chromedp.Submit(chromedp.CSS("form[action='/sign-out'] button")),
		chromedp.WaitVisible(chromedp.CSS("#passphrase")))
}

func TestPasskeysInABrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.browse()
	s.add("kari@acme.example", "dispatcher")
	device := s.authenticator()

	s.signIn("kari@acme.example")
	s.picture("account")
	add := []chromedp.Action[chromedp.Void]{
		chromedp.SendKeys(chromedp.CSS("#passkey-name"), "Kari's laptop"),
		chromedp.Click(chromedp.CSS("#new-passkey button")),
	}
	s.do(append(add, chromedp.WaitVisible(chromedp.CSS("[data-passkey]")))...)
	s.picture("account-passkey")
	s.signOut()
	s.signInByPasskey()
	s.do(chromedp.WaitVisible(chromedp.CSS("[data-passkey]")))
	seen, err := chromedp.Run(s.browser, chromedp.Text(chromedp.CSS("main")))
	require.NoError(t, err)
	require.Contains(t, seen, "Kari Berg")
	require.Contains(t, seen, "last used 2026-03-02 08:30")

	// Foreign credentials are rejected: a signature of nothing, no user
	// present.
	s.signOut()
	bogus := true
	_, err = chromedp.Call(s.browser, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{
		AuthenticatorID: device, IsBogusSignature: &bogus,
	})
	require.NoError(t, err)
	s.signInByPasskey()
	s.do(chromedp.WaitVisible(chromedp.CSS("#passkey-failed")))
	s.picture("sign-in-passkey-failed")
	bogus, unseen := false, true
	_, err = chromedp.Call(s.browser, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{
		AuthenticatorID: device, IsBogusSignature: &bogus, IsBadUV: &unseen,
	})
	require.NoError(t, err)
	s.signInByPasskey()
	s.do(chromedp.WaitVisible(chromedp.CSS("#passkey-failed")))

	// A copy that counts its uses from an earlier moment is refused.
	unseen = false
	_, err = chromedp.Call(s.browser, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{
		AuthenticatorID: device, IsBadUV: &unseen,
	})
	require.NoError(t, err)
	kept, err := chromedp.Call(s.browser, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: device})
	require.NoError(t, err)
	require.Len(t, kept.Credentials, 1)
	count := float64(0)
	_, err = chromedp.Call(s.browser, webauthn.SetCredentialProperties, webauthn.SetCredentialPropertiesParams{
		AuthenticatorID: device, CredentialID: kept.Credentials[0].CredentialID, SignCount: &count,
	})
	require.NoError(t, err)
	s.signInByPasskey()
	s.do(chromedp.WaitVisible(chromedp.CSS("#passkey-failed")))

	// Passkeys require a recent sign-in, and are gone once removed.
	s.signIn("kari@acme.example")
	s.Clock.Forward(11 * time.Minute)
	s.do(chromedp.Click(chromedp.CSS("[data-passkey]")), chromedp.WaitVisible(chromedp.CSS(".note")))
	where, err := chromedp.Run(s.browser, chromedp.Location())
	require.NoError(t, err)
	require.Equal(t, s.address+"/sign-in?again", where)
	s.picture("sign-in-again")
	known, err := chromedp.Run(s.browser, chromedp.Evaluate[string]("document.getElementById('email').value"))
	require.NoError(t, err)
	require.Equal(t, "kari@acme.example", known)
	s.signIn("kari@acme.example")
	s.do(chromedp.Click(chromedp.CSS("[data-passkey]")), chromedp.WaitNotPresent(chromedp.CSS("[data-passkey]")))
	s.signOut()
	s.signInByPasskey()
	s.do(chromedp.WaitVisible(chromedp.CSS("#passkey-failed")))
}
