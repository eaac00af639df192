// Package people serves sign-in, the user's own account, and the administration
// of users, roles, API keys and phones.
package people

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	// Contract says which tags a role may have.
	Contract contract.Operations
	// PublicURL is the service's address as the outside sees it.
	PublicURL string
	Now       func() time.Time
}

// Handlers serve accounts.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	publicURL  string
	tags       []string
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	h := &Handlers{
		edge: d.Edge, store: d.Store, operations: d.Operations, publicURL: d.PublicURL,
		now: d.Now,
	}
	for _, op := range d.Contract {
		for _, tag := range op.Tags {
			if !slices.Contains(h.tags, tag) {
				h.tags = append(h.tags, tag)
			}
		}
	}
	return h
}

// OpenRoutes are the routes for anonymous callers.
func (h *Handlers) OpenRoutes(r chi.Router) {
	r = r.With(h.sameOrigin)
	r.Post("/v1/session", h.edge.Handle(h.signIn))
	r.Post("/v1/session/factor", h.edge.Handle(h.finishSignIn))
	r.Post("/v1/session/passkey", h.edge.Handle(h.beginPasskeySignIn))
	r.Put("/v1/session/passkey", h.edge.Handle(h.signInWithPasskey))
	r.Post("/v1/password-resets", h.edge.Handle(h.requestReset))
	r.Put("/v1/password-resets", h.edge.Handle(h.resetPassphrase))
	r.Put("/v1/invitations", h.edge.Handle(h.acceptInvitation))
	r.Post("/v1/driver/enrolment", h.edge.Handle(h.enrol))
	r.Post("/v1/driver/enrolment/check", h.edge.Handle(h.checkEnrolment))
	r.Post("/v1/driver/codes", h.edge.Handle(h.requestDriverCode))
	r.Put("/v1/driver/codes", h.edge.Handle(h.enrolByCode))
}

// Routes are the routes that change cookies.
func (h *Handlers) Routes(r chi.Router) {
	r.Get("/v1/session", h.edge.Handle(h.getSession))
	r.Delete("/v1/session", h.edge.Handle(h.signOut))
	r.Post("/v1/session/confirm", h.edge.Handle(h.confirm))
	r.Put("/v1/account/passphrase", h.edge.Handle(h.changePassphrase))
}

// sameOrigin rejects requests from other sites: nobody may be signed in to
// another user's account.
func (h *Handlers) sameOrigin(next http.Handler) http.Handler {
	return h.edge.Handle(func(w http.ResponseWriter, r *http.Request) error {
		if err := h.edge.SameOrigin(r); err != nil {
			return err
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// read decodes the body of a request.
func read[T any](r *http.Request) (body T, err error) {
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return body, edge.BodyFault(err)
	}
	return body, nil
}

// maxName is the longest name, in characters.
const maxName = 200

func checkName(field, name string) error {
	if length := utf8.RuneCountInString(name); length < 1 || length > maxName || !edge.IsText(name) {
		return fault.Field(field, fault.Say("name.bad"))
	}
	return nil
}
