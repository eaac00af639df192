package tracking

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/recipient"
	"waybill/operations/tracking"
	"waybill/store"
)

// action is something that a recipient may do: a form on a page of its own, so that nothing typed is lost when the
// page of the stop refreshes, and what is sent with it.
type action struct {
	name recipient.Action
	// path follows the code of the link.
	path string
	form func(context.Context, *Handlers, *spoken, *store.TrackedStop) (form, error)
	// tell is what programs are told in place of the form; nil if they know what they may send.
	tell func(context.Context, *Handlers, *store.TrackedStop) (any, error)
	// send reads what was sent, and carries it out.
	send func(context.Context, *Handlers, caller.Caller, string, *http.Request) (store.TrackedStop, error)
}

// asks is the form of an action that asks the same of everybody.
func asks(
	of func(*spoken, *store.TrackedStop) form,
) func(context.Context, *Handlers, *spoken, *store.TrackedStop) (form, error) {
	return func(_ context.Context, _ *Handlers, say *spoken, stop *store.TrackedStop) (form, error) {
		return of(say, stop), nil
	}
}

// sends is the send of an action that keeps what it reads.
func sends[T any](
	read func(*http.Request) (T, error),
	keep func(*tracking.Operations, context.Context, caller.Caller, string, T) (store.TrackedStop, error),
) func(context.Context, *Handlers, caller.Caller, string, *http.Request) (store.TrackedStop, error) {
	return func(
		ctx context.Context, h *Handlers, c caller.Caller, code string, r *http.Request,
	) (store.TrackedStop, error) {
		said, err := read(r)
		if err != nil {
			return store.TrackedStop{}, err
		}
		return keep(h.operations.Tracking, ctx, c, code, said)
	}
}

// actions are all of them.
var actions = []action{instructions, slot, rating, preferences}

// largestSent is how many bytes a recipient may send: the longest texts as a form encodes them, and some.
const largestSent = 16 << 10

// How many actions per second the recipients of an organization may take over time, and at once, in each process.
const (
	actionRate  = 20
	actionBurst = 200
)

// offers are the actions that the recipient of a stop may take now.
func offers(seen *sight) (all []action) {
	moment := seen.stop.Moment(seen.now)
	for _, a := range actions {
		if seen.stop.Page.Actions.Allow(a.name, moment) == nil {
			all = append(all, a)
		}
	}
	return all
}

// addActions has the page of a stop lead to what its recipient may do, and thank for what they did.
func (h *Handlers) addActions(r *http.Request, say *spoken, seen *sight, p *page) {
	code := url.PathEscape(recipient.Code(chi.URLParam(r, "code"))) + "/"
	if strings.HasSuffix(r.URL.Path, "/") {
		code = ""
	}
	language := ""
	if chosen := h.pages.tongues.named(r.URL.Query().Get("lang")); chosen != nil {
		language = "?lang=" + chosen.Tag
	}
	for _, a := range offers(seen) {
		p.Offers = append(p.Offers, way{code + a.path + language, say.say("action." + string(a.name))})
	}
	if said := recipient.Action(r.URL.Query().Get("said")); slices.Contains(recipient.AllActions, said) {
		p.Said = say.say("said." + string(said))
	}
}

// actionPage responds with the form of an action.
func (h *Handlers) actionPage(a action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		secretive(w)
		stop, err := h.trackedStop(w, r)
		if err == nil {
			err = stop.Page.Actions.Allow(a.name, stop.Moment(h.now()))
		}
		switch isProgram := a.tell != nil && !prefersHTML(r.Header.Values("Accept")); {
		case err != nil && isProgram:
			h.edge.Fail(w, r, err)
		case err != nil:
			h.refuseOnPage(w, r, &stop, err)
		case isProgram:
			h.tellAction(w, r, &stop, a)
		default:
			say := h.pages.languageOf(r, stop.Language)
			h.showForm(w, r, http.StatusOK, say, &stop, a, func(*form) {})
		}
	}
}

// tellAction tells a program what it may send.
func (h *Handlers) tellAction(w http.ResponseWriter, r *http.Request, stop *store.TrackedStop, a action) {
	told, err := a.tell(r.Context(), h, stop)
	if err == nil {
		err = edge.WriteJSON(w, http.StatusOK, told)
	}
	if err != nil {
		h.edge.Fail(w, r, err)
	}
}

// takeAction carries out what a recipient sends. A form leads back to the page of the stop, so that reading that
// again sends nothing again.
func (h *Handlers) takeAction(a action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		secretive(w)
		stop, err := h.admitAction(w, r)
		before := stop
		if err == nil {
			r.Body = http.MaxBytesReader(w, r.Body, largestSent)
			by := tracking.Recipient(stop.OrgID, edge.RequestID(r.Context()))
			stop, err = a.send(r.Context(), h, by, recipient.Code(chi.URLParam(r, "code")), r)
			err = knownLink(err)
		}
		switch {
		case err != nil && !isForm(r):
			h.edge.Fail(w, r, err)
		case err != nil && fault.KindOf(err) == fault.Invalid && r.PostForm != nil:
			h.askAgain(w, r, &before, a, err)
		case err != nil:
			h.refuseOnPage(w, r, &before, err)
		case isForm(r):
			w.Header().Set("Location", h.backTo(r, "said", string(a.name)))
			w.WriteHeader(http.StatusSeeOther)
		default:
			if err := edge.WriteJSON(w, http.StatusOK, see(&stop, h.now()).told()); err != nil {
				h.edge.Fail(w, r, err)
			}
		}
	}
}

// admitAction finds the stop of a link for somebody who sends something, within the limits of the address and of the
// organization. Other sites may send nothing.
func (h *Handlers) admitAction(w http.ResponseWriter, r *http.Request) (store.TrackedStop, error) {
	if err := h.edge.SameOriginForm(r); err != nil {
		return store.TrackedStop{}, err
	}
	stop, err := h.trackedStop(w, r)
	if err != nil {
		return stop, err
	}
	return stop, h.pages.actions.Admit(w, stop.OrgID)
}

// askAgain shows a form with what was typed, and what is wrong with it.
func (h *Handlers) askAgain(w http.ResponseWriter, r *http.Request, stop *store.TrackedStop, a action, err error) {
	refusal := h.edge.Refuse(r, err)
	say := h.pages.languageOf(r, stop.Language)
	h.showForm(w, r, refusal.Status, say, stop, a, func(sent *form) {
		for i := range sent.Fields {
			f := &sent.Fields[i]
			f.Value = r.PostForm.Get(f.Name)
			for j := range f.Options {
				f.Options[j].Chosen = f.Options[j].Value == f.Value
			}
		}
		sent.say(say, refusal.Violations)
	})
}

// showForm writes the page with the form of an action, once fill has filled it in.
func (h *Handlers) showForm(
	w http.ResponseWriter, r *http.Request, status int, say *spoken, stop *store.TrackedStop, a action, fill func(*form),
) {
	asked, err := a.form(r.Context(), h, say, stop)
	if err != nil {
		h.refuseOnPage(w, r, stop, err)
		return
	}
	asked.Send = say.say("send")
	fill(&asked)
	p := page{
		Sender: stop.Organization, Mood: "open", Title: say.say("action." + string(a.name)), Text: asked.Empty,
		Back: way{h.backTo(r), say.say("back")}, Brand: brandOf(stop),
	}
	if asked.Empty == "" {
		p.Form = &asked
	}
	if stop.Number != "" {
		p.Kind = say.say("order", "number", stop.Number)
	}
	h.writePage(w, r, status, say, p)
}

// refuseOnPage says why an action is not possible, and whom to contact about it.
func (h *Handlers) refuseOnPage(w http.ResponseWriter, r *http.Request, stop *store.TrackedStop, err error) {
	if stop.OrgID == 0 { // nothing is said of whose the link was
		h.failOnPage(w, r, err)
		return
	}
	refusal := h.edge.Refuse(r, err)
	say := h.pages.languageOf(r, stop.Language)
	text := say.say("refused." + refusal.Text.ID)
	switch {
	case refusal.Status == http.StatusTooManyRequests:
		text = say.say("busy")
	case text == "":
		text = say.say("trouble")
	}
	for name, value := range refusal.Headers {
		w.Header().Set(name, value)
	}
	h.writePage(w, r, refusal.Status, say, page{
		Sender: stop.Organization, Mood: "open", Title: say.say("refused"), Text: text, Brand: brandOf(stop),
		Facts: contactFact(say, stop), Back: way{h.backTo(r), say.say("back")},
	})
}

// backTo is the page of the stop as seen from the page of an action, in the language that was chosen.
func (h *Handlers) backTo(r *http.Request, pairs ...string) string {
	query := url.Values{}
	if chosen := h.pages.tongues.named(r.URL.Query().Get("lang")); chosen != nil {
		query.Set("lang", chosen.Tag)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	address := "../" + url.PathEscape(recipient.Code(chi.URLParam(r, "code")))
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// isForm reports whether a browser sends a form; everything else is read as JSON.
func isForm(r *http.Request) bool {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media == "application/x-www-form-urlencoded"
}

// formOf reads a form.
func formOf(r *http.Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		return nil, edge.BodyFault(err)
	}
	return r.PostForm, nil
}

// read reads a body of JSON. Another site cannot have a browser send that.
func read[T any](r *http.Request) (body T, err error) {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != edge.MediaJSON {
		return body, fault.Field("Content-Type", fault.Say("request.not_one_of",
			"allowed", edge.MediaJSON+", application/x-www-form-urlencoded"))
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return body, edge.BodyFault(err)
	}
	return body, nil
}
