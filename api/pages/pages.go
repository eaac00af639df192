// Package pages serves the pages before sign-in, and without scripts: for
// signing in, for an invitation and for a new passphrase, and the user's own
// account.
package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/operations"
	"waybill/operations/people"
	"waybill/store"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed code.js
	codeJS string
)

// Dependencies are the dependencies of the pages.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	// PublicURL is the service's address as browsers see it.
	PublicURL string
	// HasConsole is true if there is a console to go to.
	HasConsole bool
	// HasDriverApp is true if there is a drivers' app, which enrolls phones
	// itself.
	HasDriverApp bool
	Now          func() time.Time
}

// Pages serve people's browsers.
type Pages struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	template   *template.Template
	headers    map[string]string
	publicURL  string
	home       string // where people go once they have signed in
	// hasDriverApp leaves the addresses where phones are connected to the app.
	hasDriverApp bool
	now          func() time.Time
}

// Where people go once they have signed in.
const (
	accountPage = "/account"
	consolePage = "/console/"
)

// New returns pages.
func New(d Dependencies) (*Pages, error) {
	parsed, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	p := &Pages{
		edge: d.Edge, store: d.Store, operations: d.Operations,
		template: parsed, now: d.Now, publicURL: d.PublicURL, home: accountPage,
		hasDriverApp: d.HasDriverApp,
		headers: map[string]string{
			"Cache-Control":              "no-store",
			"Content-Type":               "text/html; charset=utf-8",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Referrer-Policy":            "same-origin",
			"X-Content-Type-Options":     "nosniff",
			"Content-Security-Policy": "default-src 'none'; style-src " + hashOf(pageCSS) + "; script-src " + hashOf(codeJS) +
				"; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		},
	}
	if d.HasConsole {
		p.home = consolePage
	}
	if strings.HasPrefix(d.PublicURL, "https://") {
		p.headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
	}
	return p, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Routes are those of the pages.
func (p *Pages) Routes(r chi.Router) {
	r.Get("/sign-in", p.page(p.showSignIn))
	r.Post("/sign-in", p.page(p.signIn))
	r.Post("/sign-in/factor", p.page(p.finishSignIn))
	r.Post("/sign-in/elsewhere", p.page(p.goToProvider))
	r.Get(people.ReturnPath, p.page(p.comeBack))
	r.Post("/sign-out", p.page(p.signOut))
	r.Get("/forgotten", p.page(p.showForgotten))
	r.Post("/forgotten", p.page(p.forgotten))
	for path, purpose := range map[string]store.CodePurpose{
		"/invitation": store.InvitationCode, "/reset": store.ResetCode,
	} {
		r.Get(path, p.page(p.showChoose(purpose)))
		r.Post(path, p.page(p.choose(purpose)))
	}
	if !p.hasDriverApp {
		p.phoneRoutes(r)
	}
	r.Get("/phones", p.page(p.showPhones))
	r.Post("/phones", p.page(p.connectPhone))
	r.Get("/account", p.page(p.account))
	r.Post("/account/sessions", p.page(p.endOthers))
}

// phoneRoutes are the routes of the pages that enroll phones if there is no app
// for it.
func (p *Pages) phoneRoutes(r chi.Router) {
	r.Get("/driver/enrol", p.page(p.showEnrol))
	r.Post("/driver/enrol", p.page(p.enrol))
	r.Get("/driver/sign-in", p.page(p.showPhone))
	r.Post("/driver/sign-in", p.page(p.sendCode))
	r.Post("/driver/sign-in/code", p.page(p.enrolByCode))
	r.Get("/driver/connected", p.page(p.connected))
}

// view is the data for the template.
type view struct {
	Page     string // which of them
	Language string
	Style    template.CSS
	Script   template.JS
	T        map[string]string
	Status   int
	Error    string
	// Previous input, and hidden values.
	Organization, Email, Pending, Code, Action string
	// The signed-in user and their organization.
	Name     string
	Roles    string
	Sessions []session
	// HasConsole is true if there is a console to go to.
	HasConsole bool
	// HasPasskeys is true if the service supports passkeys; Passkeys are the
	// user's.
	HasPasskeys bool
	Passkeys    []passkey
	// Choices are providers to sign in with, Address where one of them is.
	Choices []store.IdentityProvider
	Address string
	// MayConnect is true if the user may enroll phones of Drivers. Picture is
	// the code for a phone to scan, and Sent is true if a link was sent.
	MayConnect bool
	Drivers    []store.Driver
	Picture    picture
	Sent       bool
	// To is where to go instead.
	To string
}

type session struct {
	Name    string
	Since   string
	Current bool
}

type passkey struct {
	ID       int64
	Name     string
	LastUsed string // "" if it is unused
}

// page responds with the result of a handler. Requests that change something
// must come from our own pages.
func (p *Pages) page(show func(http.ResponseWriter, *http.Request) (view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := p.edge.SameOrigin(r)
		var v view
		if err == nil {
			v, err = show(w, r)
		}
		if err != nil {
			v = p.failed(w, r, v, err)
		}
		if v.To != "" {
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, v.To, http.StatusSeeOther)
			return
		}
		p.write(w, r, v)
	}
}

// failed shows an error on the page where it happened.
func (p *Pages) failed(w http.ResponseWriter, r *http.Request, v view, err error) view {
	refusal := p.edge.Refuse(r, err)
	for name, value := range refusal.Headers {
		w.Header().Set(name, value)
	}
	text := refusal.Text
	if len(refusal.Violations) > 0 {
		text = refusal.Violations[0].Text
	}
	v.Status, v.Error = refusal.Status, edge.LocalizerOf(r.Context()).Say(text)
	if v.Page == "" {
		v.Page = "message"
	}
	return v
}

func (p *Pages) write(w http.ResponseWriter, r *http.Request, v view) {
	say := edge.LocalizerOf(r.Context())
	v.Language, v.Style, v.Script, v.T = say.Tag, template.CSS(pageCSS), template.JS(codeJS), make(map[string]string)
	for name, text := range texts {
		v.T[name] = say.Say(text)
	}
	v.HasConsole = p.home == consolePage
	v.T["going"] = say.Say(fault.Say("page.elsewhere_going", "name", v.Name))
	var body bytes.Buffer
	if err := p.template.Execute(&body, v); err != nil {
		p.edge.Fail(w, r, err)
		return
	}
	for name, value := range p.headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Language", v.Language)
	if v.Status != 0 {
		w.WriteHeader(v.Status)
	}
	_, _ = w.Write(body.Bytes()) // otherwise the client is gone
}

// texts are the texts of the pages, by their names in the template.
var texts = map[string]fault.Text{
	"signIn":        fault.Say("page.sign_in"),
	"console":       fault.Say("page.console"),
	"organization":  fault.Say("page.organization"),
	"email":         fault.Say("page.email"),
	"passphrase":    fault.Say("page.passphrase"),
	"forgotten":     fault.Say("page.forgotten"),
	"factor":        fault.Say("page.factor"),
	"factorHelp":    fault.Say("page.factor_help"),
	"code":          fault.Say("page.code"),
	"go":            fault.Say("page.go"),
	"sendLink":      fault.Say("page.send_link"),
	"linkSent":      fault.Say("page.link_sent"),
	"welcome":       fault.Say("page.welcome"),
	"choose":        fault.Say("page.choose"),
	"chooseHelp":    fault.Say("page.choose_help"),
	"save":          fault.Say("page.save"),
	"chosen":        fault.Say("page.chosen"),
	"show":          fault.Say("page.show"),
	"account":       fault.Say("page.account"),
	"sessions":      fault.Say("page.sessions"),
	"here":          fault.Say("page.here"),
	"signOut":       fault.Say("page.sign_out"),
	"failed":        fault.Say("page.failed"),
	"passkeyIn":     fault.Say("page.passkey_sign_in"),
	"passkeys":      fault.Say("page.passkeys"),
	"passkeyHelp":   fault.Say("page.passkey_help"),
	"passkeyName":   fault.Say("page.passkey_name"),
	"passkeyAdd":    fault.Say("page.passkey_add"),
	"passkeyFails":  fault.Say("page.passkey_failed"),
	"remove":        fault.Say("page.remove"),
	"again":         fault.Say("page.again"),
	"othersOut":     fault.Say("page.others_out"),
	"neverUsed":     fault.Say("page.never_used"),
	"lastUsed":      fault.Say("page.last_used"),
	"roles":         fault.Say("page.roles"),
	"elsewhere":     fault.Say("page.elsewhere"),
	"phoneConnect":  fault.Say("page.phone_connect"),
	"phoneYou":      fault.Say("page.phone_is_it_you"),
	"phoneYes":      fault.Say("page.phone_yes"),
	"phoneDone":     fault.Say("page.phone_connected"),
	"phoneDoneHelp": fault.Say("page.phone_connected_help"),
	"phoneNumber":   fault.Say("page.phone_number"),
	"phoneSendCode": fault.Say("page.phone_send_code"),
	"phoneCodeHelp": fault.Say("page.phone_code_help"),
	"phones":        fault.Say("page.phones"),
	"phonesHelp":    fault.Say("page.phones_help"),
	"phonesDriver":  fault.Say("page.phones_driver"),
	"phonesQR":      fault.Say("page.phones_qr"),
	"phonesSend":    fault.Say("page.phones_send"),
	"phonesScan":    fault.Say("page.phones_scan"),
	"phonesSent":    fault.Say("page.phones_sent"),
	"phonesNone":    fault.Say("page.phones_none"),
	"back":          fault.Say("page.back"),
	"iDrive":        fault.Say("page.i_drive"),
	"which":         fault.Say("page.elsewhere_choose"),
}
