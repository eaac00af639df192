package tracking

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/netip"

	"waybill/api/edge"
)

var (
	//go:embed page.html
	trackingHTML string
	//go:embed page.css
	trackingCSS string
	//go:embed page.js
	trackingJS string
)

// refreshSeconds is how often a page reloads where scripts do not run. Its
// script reads it as often, and updates what has changed.
const refreshSeconds = 60

// pages renders the public pages and limits requests.
type pages struct {
	template *template.Template
	tongues  *tongues
	limiter  *edge.Limiter[netip.Prefix]
	actions  *edge.Limiter[int64] // by organization
}

func newPages(d Dependencies) (*pages, error) {
	p := &pages{
		limiter: edge.NewLimiter[netip.Prefix]("address", d.Rate, d.Burst, d.Now),
		actions: edge.NewLimiter[int64]("organization", actionRate, actionBurst, d.Now),
	}
	var err error
	if p.tongues, err = newTongues(); err != nil {
		return nil, err
	}
	if p.template, err = template.New("page").Parse(trackingHTML); err != nil {
		return nil, fmt.Errorf("read the tracking page: %w", err)
	}
	return p, nil
}

// policy is the Content-Security-Policy of a page with these styles, and with a form or without.
func policy(sends bool, styles ...string) string {
	allowed, forms := "", "'none'"
	if sends {
		forms = "'self'"
	}
	for _, style := range styles {
		if style != "" {
			allowed += " " + hashed(style)
		}
	}
	return "default-src 'none'; style-src" + allowed + "; script-src " + hashed(trackingJS) +
		"; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action " + forms + "; frame-ancestors 'none'"
}

// hashed names a text as a Content-Security-Policy does.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// admit takes a token from the bucket of the caller's network.
func (t *pages) admit(w http.ResponseWriter, r *http.Request) error {
	return t.limiter.Admit(w, edge.NetworkOf(r.Context()))
}

// languageOf returns the language of a page: the one that was chosen on it, or else
// the one that the browser asks for. usual is used where neither says any.
func (t *pages) languageOf(r *http.Request, usual string) *spoken {
	asked := r.Header.Get("Accept-Language")
	if asked != "" {
		usual = t.tongues.all[0].Tag
	}
	if chosen := t.tongues.named(r.URL.Query().Get("lang")); chosen != nil {
		return chosen
	}
	return t.tongues.choose(asked, usual)
}

// page is the data for the template.
type page struct {
	Language  string
	Languages languages
	// Sender is who brings or fetches the goods, empty where that is unknown.
	Sender, Logo string
	Style, Brand template.CSS
	Script       template.JS
	Preview      *preview
	Mood         string // open, done or failed
	Kind         string
	Title        string
	Steps        []bool // which have been reached
	Facts        []fact
	Sketch       *sketch // nil where there is nothing to draw
	Text         string
	// Said thanks for what was sent; Offers lead to the actions, and Back from there.
	Said    string
	Offers  []way
	Form    *form
	Back    way
	Note    string
	Refresh int
}

// languages are those that the reader may choose.
type languages struct {
	Name string
	All  []*spoken
}

// preview is what other programs show of a link. They may keep it, so it says only what
// stays true or is soon seen to be old.
type preview struct{ Title, Description, Site, Picture string }

type fact struct {
	Name  string
	Lines []string
	Links []link
}

// way leads to another of our pages.
type way struct{ Address, Text string }

// link is an address that was checked before.
type link struct {
	Address template.URL
	Text    string
}

// failOnPage answers an error as a page. It says nothing about whose the link was.
func (h *Handlers) failOnPage(w http.ResponseWriter, r *http.Request, err error) {
	refusal := h.edge.Refuse(r, err)
	say := h.pages.languageOf(r, "")
	for name, value := range refusal.Headers {
		w.Header().Set(name, value)
	}
	reason := "trouble"
	switch refusal.Status {
	case http.StatusNotFound:
		reason = "gone"
	case http.StatusTooManyRequests:
		reason = "busy"
	}
	shown := page{Mood: "open", Title: say.say("unavailable"), Text: say.say(reason)}
	if refusal.Status != http.StatusNotFound {
		shown.Refresh = refreshSeconds // it may work later
	}
	h.writePage(w, r, refusal.Status, say, shown)
}

func (h *Handlers) writePage(w http.ResponseWriter, r *http.Request, status int, say *spoken, p page) {
	p.Language, p.Languages = say.Tag, languages{Name: say.say("language"), All: h.pages.tongues.all}
	p.Style, p.Script = template.CSS(trackingCSS), template.JS(trackingJS)
	var body bytes.Buffer
	if err := h.pages.template.Execute(&body, p); err != nil {
		h.edge.Fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy(p.Form != nil, trackingCSS, string(p.Brand)))
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Language", p.Language)
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // otherwise the client is gone
}
