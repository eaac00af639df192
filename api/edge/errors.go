package edge

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"waybill/api/contract"
	"waybill/domain/fault"
	"waybill/store"
)

// Canonical codes of google.rpc.Code.
const (
	codeCancelled          = 1
	codeInvalidArgument    = 3
	codeNotFound           = 5
	codeAlreadyExists      = 6
	codePermissionDenied   = 7
	codeResourceExhausted  = 8
	codeFailedPrecondition = 9
	codeAborted            = 10
	codeOutOfRange         = 11
	codeUnimplemented      = 12
	codeInternal           = 13
	codeUnavailable        = 14
	codeUnauthenticated    = 16
)

// statusClientGone is for the log and the metrics: the client has left.
const statusClientGone = 499

var (
	errPanicked   = errors.New("handler panicked")
	errClientGone = errors.New("client closed the connection")
)

// problem is an error as it will be answered.
type problem struct {
	status  int
	code    int32
	fault   *fault.Error
	details func(problemContext) []contract.StatusDetail
	// metadata of the reason, instead of the values of its text.
	metadata map[string]string
	headers  map[string]string
}

// Fail answers an error. Faults of ours are logged here, once, with their
// cause; the caller never sees it.
func (e *Edge) Fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(e.asFault(r, err))
	if p.status >= http.StatusInternalServerError && callerGone(r.Context()) {
		err = errClientGone
		p = problemOf(err)
	}
	e.logProblem(r.Context(), p, err)
	e.answer(w, r, p)
}

// Refusal is the public part of an error.
type Refusal struct {
	Status  int
	Text    fault.Text
	Headers map[string]string
	// Violations are the fields that cannot be used.
	Violations []fault.Violation
}

// Refuse returns the public part of an error, for responses that are not JSON.
// The error is logged as Fail does.
func (e *Edge) Refuse(r *http.Request, err error) Refusal {
	p := problemOf(e.asFault(r, err))
	e.logProblem(r.Context(), p, err)
	return Refusal{Status: p.status, Text: p.fault.Text, Headers: p.headers, Violations: p.fault.Violations}
}

// callerGone reports whether the client has left. An internal error is then most
// likely only the consequence.
func callerGone(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.Canceled) || exchangeFrom(ctx).broken
}

// answer writes the problem as a Status. An answer that has begun cannot be
// taken back, so it is broken off where its reader will notice.
func (e *Edge) answer(w http.ResponseWriter, r *http.Request, p problem) {
	x := exchangeFrom(r.Context())
	if x.status != 0 {
		panic(http.ErrAbortHandler)
	}
	say := e.languages.Choose(x.languages)
	about := problemContext{fault: p.fault, metadata: p.metadata, say: say, requestID: x.requestID}
	body := contract.APIError{
		Code:    p.code,
		Message: say.Say(p.fault.Text),
		Details: append(p.details(about), errorInfo(about)...),
	}
	h := w.Header()
	h["Cache-Control"] = notStored
	h.Set("Content-Language", say.Tag)
	for name, value := range p.headers {
		h.Set(name, value)
	}
	if wantsPlainErrors(r) {
		writePlain(w, p.status, plainText(body.Message, body.Details))
		return
	}
	if err := WriteJSON(w, p.status, body); err != nil && x.status == 0 {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func writePlain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client is gone
}

// logProblem logs errors that operators have to handle.
func (e *Edge) logProblem(ctx context.Context, p problem, err error) {
	level := slog.LevelError
	switch p.status {
	case http.StatusInternalServerError:
	case http.StatusServiceUnavailable:
		level = slog.LevelWarn
	case http.StatusUnauthorized:
		if p.fault.Cause == nil {
			return
		}
		level = slog.LevelInfo // answers of identity providers are for operators
	default:
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", RequestID(ctx)),
		slog.String("route", routeOf(ctx)),
		slog.Any("error", err),
	}
	if x := exchangeFrom(ctx); x.traceID != "" {
		attrs = append(attrs, slog.String("trace_id", x.traceID))
	}
	e.logger.LogAttrs(ctx, level, "request failed", attrs...)
}

// row maps a kind of fault. Its text is the default for a fault without one.
type row struct {
	status  int
	code    int32
	text    fault.Text
	details func(problemContext) []contract.StatusDetail
}

// rowOf is the only table from kinds of fault to responses.
func rowOf(kind fault.Kind) row {
	switch kind {
	case fault.Invalid:
		return row{http.StatusBadRequest, codeInvalidArgument, fault.Say("request.invalid"), badRequest}
	case fault.Unprocessable:
		return row{http.StatusUnprocessableEntity, codeInvalidArgument, fault.Say("request.unprocessable"), badRequest}
	case fault.TooLarge:
		return row{http.StatusRequestEntityTooLarge, codeInvalidArgument, fault.Say("request.over_limit"), badRequest}
	case fault.Unauthenticated:
		return row{http.StatusUnauthorized, codeUnauthenticated, fault.Say("auth.key_needed"), noDetails}
	case fault.Forbidden:
		return row{http.StatusForbidden, codePermissionDenied, fault.Say("auth.forbidden"), noDetails}
	case fault.NotFound:
		return row{http.StatusNotFound, codeNotFound, fault.Say("resource.not_found"), resourceInfo}
	case fault.Gone:
		return row{http.StatusGone, codeOutOfRange, fault.Say("resource.gone"), noDetails}
	case fault.Duplicate:
		return row{http.StatusConflict, codeAlreadyExists, fault.Say("resource.exists"), exists}
	case fault.IllegalState:
		return row{http.StatusConflict, codeFailedPrecondition, fault.Say("resource.illegal_state"), state}
	case fault.Conflict:
		return row{http.StatusConflict, codeAborted, fault.Say("resource.conflict"), race}
	case fault.Stale:
		return row{http.StatusPreconditionFailed, codeFailedPrecondition, fault.Say("changed.meanwhile"), race}
	case fault.RateLimited:
		text := fault.Say("rate.limited", "count", "1")
		return row{http.StatusTooManyRequests, codeResourceExhausted, text, retryInfo("1s")}
	case fault.Unavailable:
		return row{http.StatusServiceUnavailable, codeUnavailable, fault.Say("service.unavailable"), requestInfo}
	case fault.Internal:
	}
	return row{http.StatusInternalServerError, codeInternal, fault.Say("service.internal"), requestInfo}
}

// problemOf returns the response to an error. It reveals nothing of an internal
// fault, or of an error that is not a fault.
func problemOf(err error) problem {
	if p, ok := edgeProblem(err); ok {
		return p
	}
	var f *fault.Error
	if errors.Is(err, store.ErrNotFound) {
		err = &fault.Error{Kind: fault.NotFound}
	}
	if !errors.As(err, &f) || f.Kind == fault.Internal {
		f = &fault.Error{Kind: fault.Internal}
	}
	r := rowOf(f.Kind)
	if f.Text.ID == "" {
		worded := *f
		worded.Text = r.text
		f = &worded
	}
	p := problem{status: r.status, code: r.code, fault: f, details: r.details, headers: headersOf(r.status)}
	var broken *brokenBody
	if errors.As(err, &broken) {
		p.headers = headersOf(http.StatusRequestEntityTooLarge)
	}
	if f.Kind == fault.Conflict { // another change was faster
		p.headers = map[string]string{headerRetryAfter: cmp.Or(f.Text.Args["count"], "1")}
	}
	if seconds := f.Text.Args["count"]; f.Kind == fault.RateLimited && seconds != "" {
		p.details, p.headers = retryInfo(seconds+"s"), map[string]string{headerRetryAfter: seconds}
	}
	return p
}

// headersOf returns the headers that some statuses require.
func headersOf(status int) map[string]string {
	switch status {
	case http.StatusUnauthorized:
		return map[string]string{"WWW-authenticate": challenge}
	case http.StatusRequestEntityTooLarge:
		return map[string]string{"Connection": "close"} // the rest of the body is not worth reading
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return map[string]string{headerRetryAfter: "1"}
	}
	return nil
}

// edgeProblem maps errors of the edge itself.
func edgeProblem(err error) (problem, bool) {
	var refused *forbidden
	var over *limited
	var method *notAllowed
	var encoding *unknownEncoding
	switch {
	case errors.As(err, &encoding):
		return problem{
			status: http.StatusUnsupportedMediaType, code: codeInvalidArgument,
			fault:   withText(fault.Say("request.unknown_encoding", "name", fault.Clip(encoding.encoding))),
			details: noDetails, headers: map[string]string{"Accept-Encoding": "gzip"},
		}, true
	case errors.As(err, &refused):
		return problem{
			status: http.StatusForbidden, code: codePermissionDenied, fault: withText(refused.text()),
			details: noDetails, metadata: refused.metadata(),
		}, true
	case errors.As(err, &over):
		seconds := strconv.Itoa(over.wait)
		return problem{
			status: http.StatusTooManyRequests, code: codeResourceExhausted,
			fault:   withText(fault.Say("rate.limited", "count", seconds)),
			details: retryInfo(seconds + "s"), headers: map[string]string{headerRetryAfter: seconds},
		}, true
	case errors.As(err, &method):
		return problem{
			status: http.StatusMethodNotAllowed, code: codeUnimplemented,
			fault:   withText(fault.Say("route.method_not_allowed", "allowed", method.allowed)),
			details: noDetails, headers: map[string]string{"Allow": method.allowed},
		}, true
	case errors.Is(err, errClientGone):
		return problem{
			status: statusClientGone, code: codeCancelled,
			fault: withText(fault.Say("request.cancelled")), details: noDetails,
		}, true
	}
	return problem{}, false
}

func withText(text fault.Text) *fault.Error { return &fault.Error{Text: text} }
