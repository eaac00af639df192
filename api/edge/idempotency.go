package edge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

const (
	headerIdempotencyKey = "Idempotency-Key"
	headerReplayed       = "Idempotent-Replayed"
	headerRetryAfter     = "Retry-After"

	// keepAnswers is how long a response can be repeated.
	keepAnswers = 24 * time.Hour
	maxKey      = 255
)

// keptHeaders are the headers that belong to a response rather than to one
// request.
var keptHeaders = []string{"Content-Type", "Content-Language", "Location", headerETag}

// Idempotent executes a request with an Idempotency-Key once, and repeats its
// response if the request is repeated. It ignores the header for operations
// that don't have it in the contract. It keeps only final responses: after an
// internal fault the request can be retried.
func (e *Edge) Idempotent(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := e.operationOf(r)
		if op == nil || !op.TakesHeader(headerIdempotencyKey) || len(r.Header.Values(headerIdempotencyKey)) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		if err := e.serveIdempotent(w, r, op, next); err != nil {
			e.Fail(w, r, err)
		}
	})
}

func (e *Edge) serveIdempotent(
	w http.ResponseWriter, r *http.Request, op *contract.Operation, next http.Handler,
) error {
	ctx := r.Context()
	key := r.Header.Get(headerIdempotencyKey)
	if !usableIdempotencyKey(key) || len(r.Header.Values(headerIdempotencyKey)) > 1 {
		return fault.Field(headerIdempotencyKey, fault.Say("idempotency.bad_key"))
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	call := store.IdempotentCall{
		OrgID: PrincipalOf(ctx).OrgID, Operation: op.ID, Caller: repeaterOf(ctx), Key: key, Fingerprint: fingerprint(r, body),
	}
	// No request runs longer than its timeout.
	claimFor := e.config.RequestTimeout + 10*time.Second
	attempt, kept, err := e.store.ClaimKey(ctx, call, claimFor, keepAnswers)
	switch {
	case errors.Is(err, store.ErrKeyReused):
		return &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("idempotency.other_request"),
			Violations: []fault.Violation{{Field: headerIdempotencyKey, Text: fault.Say("idempotency.other_request")}},
		}
	case errors.Is(err, store.ErrKeyBusy):
		return &fault.Error{
			Kind: fault.Conflict, Text: fault.Say("idempotency.busy", "count", strconv.Itoa(retryBusyKey(err, claimFor))),
			Resource: "idempotency_key", Name: key,
		}
	case err != nil:
		return err
	case kept != nil:
		return replay(w, kept)
	}
	return e.serveAndKeep(w, r, op, attempt, next)
}

// retryBusyKey is the number of seconds after which to retry with a key whose
// request is in progress: as long as that has taken so far, but no longer than
// its claim lasts, because a process that has ended never responds.
func retryBusyKey(err error, claimFor time.Duration) int {
	var busy *store.BusyKeyError
	if !errors.As(err, &busy) {
		return 1
	}
	wait := min(claimFor-busy.LapsesIn, busy.LapsesIn+time.Second)
	return max(1, int(wait.Seconds()))
}

// repeaterOf names who may repeat a request. All keys of an organization are
// one integrator, who may change keys between two tries.
func repeaterOf(ctx context.Context) string {
	if c := Caller(ctx); c.Kind != caller.Key {
		return c.Actor()
	}
	return ""
}

func usableIdempotencyKey(key string) bool {
	if key == "" || len(key) > maxKey {
		return false
	}
	for _, c := range []byte(key) {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

func fingerprint(r *http.Request, body []byte) []byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	h.Write(body)
	return h.Sum(nil)
}

func replay(w http.ResponseWriter, kept *store.KeptAnswer) error {
	for name, value := range kept.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set(headerReplayed, "true")
	w.WriteHeader(kept.Status)
	_, err := w.Write(kept.Body)
	return err
}

// serveAndKeep serves the request, and stores the response before the client
// gets it. If the client leaves, the work stays done. The operation stores its
// outcome in its own transaction, so that the next attempt can answer from it if
// this response is lost.
//
// A response with a secret is not stored: the next attempt creates it again from
// the same outcome.
func (e *Edge) serveAndKeep(
	w http.ResponseWriter, r *http.Request, op *contract.Operation, attempt *caller.Repeat, next http.Handler,
) error {
	org := PrincipalOf(r.Context()).OrgID
	exchangeFrom(r.Context()).attempt = attempt
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), e.config.RequestTimeout)
	defer cancel()
	answer := &heldAnswer{ResponseWriter: w}
	kept := false
	defer func() {
		if kept {
			return
		}
		if err := e.store.ReleaseKey(ctx, org, attempt); err != nil {
			e.logger.WarnContext(ctx, "cannot release idempotency key", "operation", attempt.Operation, "error", err)
		}
	}()
	next.ServeHTTP(answer, r)
	if len(attempt.Outcome) > 0 && answer.status < http.StatusBadRequest {
		w.Header().Set(headerReplayed, "true")
	}
	if answer.final() && (!op.Secret || answer.status >= http.StatusBadRequest) {
		err := e.store.KeepAnswer(ctx, org, attempt, answer.kept())
		kept = err == nil
		if err != nil {
			e.logger.WarnContext(ctx, "cannot save answer for idempotency key", "operation", attempt.Operation, "error", err)
		}
	}
	return answer.send()
}

// heldAnswer delays a response until it is stored.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader records the status.
func (a *heldAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write gathers the body.
func (a *heldAnswer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// final reports whether the same request would get the same response again. One
// that may succeed later has a Retry-After.
func (a *heldAnswer) final() bool {
	return a.status >= 200 && a.status < 500 && a.status != statusClientGone && a.status != http.StatusTooManyRequests &&
		a.Header().Get(headerRetryAfter) == ""
}

func (a *heldAnswer) kept() store.KeptAnswer {
	k := store.KeptAnswer{Status: a.status, Header: map[string]string{}, Body: a.body.Bytes()}
	for _, name := range keptHeaders {
		if value := a.Header().Get(name); value != "" {
			k.Header[name] = value
		}
	}
	return k
}

func (a *heldAnswer) send() error {
	a.ResponseWriter.WriteHeader(max(a.status, http.StatusOK))
	_, err := a.ResponseWriter.Write(a.body.Bytes())
	return err
}
