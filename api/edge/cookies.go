package edge

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"

	"waybill/domain/credential"
	"waybill/domain/fault"
)

// cookies are how browsers keep their sessions.
type cookies struct {
	name   string
	secure bool
	origin *http.CrossOriginProtection
}

// newCookies returns the cookies of the service at a public address. Browsers
// keep the strict kind for https only; without it, as on a developer's machine,
// the plain kind is used.
func newCookies(publicURL string) cookies {
	c := cookies{name: "waybill", origin: http.NewCrossOriginProtection()}
	address, err := url.Parse(publicURL)
	if err != nil || address.Host == "" {
		return c
	}
	if address.Scheme == "https" {
		c.name, c.secure = "__Host-waybill", true
	}
	_ = c.origin.AddTrustedOrigin(address.Scheme + "://" + address.Host) // proxies may write another Host
	return c
}

// sessionOf reads the session, of a person or of a device, that a request carries.
func (c cookies) sessionOf(r *http.Request) (credential.Secret, bool) {
	cookie, err := r.Cookie(c.name)
	if err != nil {
		return credential.Secret{}, false
	}
	if secret, ok := credential.Parse(credential.Session, cookie.Value); ok {
		return secret, true
	}
	return credential.Parse(credential.Device, cookie.Value)
}

func (c cookies) cookie(value string) *http.Cookie {
	return &http.Cookie{
		Name: c.name, Value: value, Path: "/", HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode,
	}
}

// SetSession stores a session in the browser of a request. It ends with the
// browser if lifetime is 0.
func (e *Edge) SetSession(w http.ResponseWriter, secret credential.Secret, lifetime time.Duration) {
	cookie := e.cookies.cookie(secret.Reveal())
	cookie.MaxAge = int(lifetime / time.Second)
	http.SetCookie(w, cookie)
}

// ClearSession has the browser forget its session.
func (e *Edge) ClearSession(w http.ResponseWriter) {
	cookie := e.cookies.cookie("")
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}

// pendingLifetime is how long a browser keeps a sign-in with another
// provider.
const pendingLifetime = 10 * time.Minute

// SetPending makes the browser keep a pending sign-in; "" deletes it.
func (e *Edge) SetPending(w http.ResponseWriter, pending string) {
	cookie := e.cookies.cookie(pending)
	cookie.Name += "-pending"
	if cookie.MaxAge = int(pendingLifetime / time.Second); pending == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

// PendingOf returns the browser's pending sign-in.
func (e *Edge) PendingOf(r *http.Request) string {
	cookie, err := r.Cookie(e.cookies.name + "-pending")
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SessionOf reads the session that the cookie of a request holds, good or not.
func (e *Edge) SessionOf(r *http.Request) (credential.Secret, bool) { return e.cookies.sessionOf(r) }

// ForgetSession removes a session from the cache, so that its end, or a new
// sign-in, takes effect at once in this process.
func (e *Edge) ForgetSession(public string) { e.sessions.forget(public) }

// formTypes are the media types that pages of other sites can send without a
// preflight request.
var formTypes = []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}

// SameOriginForm refuses a request that another site had a browser send, be it a form or not.
func (e *Edge) SameOriginForm(r *http.Request) error {
	if e.cookies.origin.Check(r) != nil {
		return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("auth.cross_origin")}
	}
	return nil
}

// SameOrigin refuses a request that another site had a browser send, and JSON that
// calls itself something that other sites may send.
func (e *Edge) SameOrigin(r *http.Request) error {
	if err := e.SameOriginForm(r); err != nil {
		return err
	}
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if e.operationOf(r) != nil && !safe && slices.Contains(formTypes, media) {
		return &fault.Error{Kind: fault.Forbidden, Text: fault.Say("auth.not_json")}
	}
	return nil
}

// May reports whether a principal may call an operation of the contract.
func (e *Edge) May(p *Principal, operation string) bool {
	for _, op := range e.operations {
		if op.ID == operation {
			return p.may(op)
		}
	}
	return false
}

// PrincipalFor returns the person signed in with the browser of a page
// request, and false for an anonymous one.
func (e *Edge) PrincipalFor(r *http.Request) (Principal, bool) {
	secret, ok := e.cookies.sessionOf(r)
	if !ok {
		return Principal{}, false
	}
	principal, err := e.principalOfCookie(r, secret)
	if err != nil {
		return Principal{}, false
	}
	return *principal, true
}
