package tracking

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
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
	policy   string // Content-Security-Policy
	limiter  *edge.Limiter[netip.Prefix]
}

func newPages(d Dependencies) (*pages, error) {
	p := &pages{
		limiter: edge.NewLimiter[netip.Prefix]("address", d.Rate, d.Burst, d.Now),
	}
	p.policy = "default-src 'none'; style-src " + hashed(trackingCSS) + "; script-src " + hashed(trackingJS) +
		"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	var err error
	if p.template, err = template.New("page").Parse(trackingHTML); err != nil {
		return nil, fmt.Errorf("read the tracking page: %w", err)
	}
	return p, nil
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

// page is the data for the template.
type page struct {
	Language string
	Style    template.CSS
	Script   template.JS
	Mood     string // open, done or failed
	Kind     string
	Title    string
	Steps    []bool // which have been reached
	Facts    []fact
	Sketch   *sketch // nil where there is nothing to draw
	Text     string
	Note     string
	Refresh  int
}

type fact struct {
	Name  string
	Lines []string
}

// stopPage describes the state of a stop.
func stopPage(say edge.Localizer, stop store.TrackedStop) page {
	kind := string(stop.Stop)
	place := fact{Name: say.Say(fault.Say("tracking.place"))}
	for _, line := range []string{stop.Name, stop.Town} {
		if line != "" {
			place.Lines = append(place.Lines, line)
		}
	}
	p := page{
		Language: say.Tag, Mood: moodOf(stop), Refresh: refreshSeconds,
		Kind:  say.Say(fault.Say("tracking.kind." + kind)),
		Title: say.Say(fault.Say("tracking.status." + kind + "." + stop.Status.String())),
		Steps: stepsReached(stop),
		Facts: []fact{{Name: say.Say(fault.Say("tracking.window")), Lines: window(say, stop)}},
		Note:  say.Say(fault.Say("tracking.note")),
	}
	if p.Mood != "open" {
		p.Refresh = 0 // nothing changes any more
	}
	if lines := expected(say, stop); len(lines) > 0 {
		p.Facts = append([]fact{{Name: say.Say(fault.Say("tracking.eta")), Lines: lines}}, p.Facts...)
	}
	if isExpected(stop) {
		p.Sketch = sketchOf(stop.Way, say.Say(fault.Say("tracking.way")))
	}
	if len(place.Lines) > 0 {
		p.Facts = append(p.Facts, place)
	}
	return p
}

// expected says when the driver will arrive, and where they are; nothing once
// the driver is there.
func expected(say edge.Localizer, stop store.TrackedStop) (lines []string) {
	if !isExpected(stop) {
		return nil
	}
	lines = append(lines, stop.ETA.Format("15:04"))
	switch {
	case stop.Before > 0:
		lines = append(lines, say.Say(fault.Say("tracking.before", "stops", strconv.Itoa(stop.Before))))
	case stop.Before == 0 && !math.IsNaN(stop.Distance):
		away := strconv.FormatFloat(math.Max(stop.Distance/1000, 0.1), 'f', 1, 64)
		lines = append(lines, say.Say(fault.Say("tracking.away", "distance", away)))
	}
	return lines
}

// isExpected reports whether the driver is still to arrive at the stop, as far
// as is known.
func isExpected(stop store.TrackedStop) bool {
	return !stop.ETA.IsZero() && moodOf(stop) == "open" && stop.Status != finalStatus(stop.Stop)-1
}

// window writes a time window in the organization's time zone.
func window(say edge.Localizer, stop store.TrackedStop) []string {
	day := func(at time.Time) string { return say.Calendar().FmtDateFull(at) }
	const clock = "15:04"
	from, until := stop.Earliest, stop.Latest
	if day(from) == day(until) {
		return []string{day(from), from.Format(clock) + "–" + until.Format(clock)}
	}
	return []string{day(from) + ", " + from.Format(clock) + " –", day(until) + ", " + until.Format(clock)}
}

func moodOf(stop store.TrackedStop) string {
	switch {
	case stop.Status == order.Failed, stop.Status == order.Cancelled:
		return "failed"
	case stop.Status == finalStatus(stop.Stop):
		return "done"
	}
	return "open"
}

// finalStatus is the status of a finished stop.
func finalStatus(stop order.StopKind) order.Status {
	if stop == order.Pickup {
		return order.PickedUp
	}
	return order.Delivered
}

// stepsReached are the statuses on the way to a stop's end, and which of them
// are reached, or none if the stop will not be completed.
func stepsReached(stop store.TrackedStop) []bool {
	if moodOf(stop) == "failed" {
		return nil
	}
	all := make([]bool, finalStatus(stop.Stop))
	for i := range all {
		all[i] = order.Status(i+1) <= stop.Status
	}
	return all
}

// failOnPage answers an error as a page.
func (h *Handlers) failOnPage(w http.ResponseWriter, r *http.Request, err error) {
	refusal := h.edge.Refuse(r, err)
	say := edge.LocalizerOf(r.Context())
	for name, value := range refusal.Headers {
		w.Header().Set(name, value)
	}
	shown := page{
		Language: say.Tag, Mood: "open", Title: say.Say(fault.Say("tracking.unavailable")), Text: say.Say(refusal.Text),
	}
	if refusal.Status != http.StatusNotFound {
		shown.Refresh = refreshSeconds // it may work later
	}
	h.writePage(w, r, refusal.Status, shown)
}

func (h *Handlers) writePage(w http.ResponseWriter, r *http.Request, status int, p page) {
	p.Style, p.Script = template.CSS(trackingCSS), template.JS(trackingJS)
	var body bytes.Buffer
	if err := h.pages.template.Execute(&body, p); err != nil {
		h.edge.Fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Language", p.Language)
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // otherwise the client is gone
}
