package edge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/fault"
	"waybill/store"
)

// answering serves one error.
func answering(b *apitest.Bundle, err error) http.Handler {
	return b.Server.Edge.Around(func(http.ResponseWriter, *http.Request) error { return err })
}

func TestFaultsBecomeStatuses(t *testing.T) {
	t.Parallel()
	cause := errors.New("pq: relation secret_table is on fire")
	for _, c := range []struct {
		kind   fault.Kind
		status int
		code   int32
		detail string
	}{
		{fault.Invalid, 400, 3, "BadRequest"},
		{fault.Unprocessable, 422, 3, "BadRequest"},
		{fault.TooLarge, 413, 3, "BadRequest"},
		{fault.Unauthenticated, 401, 16, ""},
		{fault.Forbidden, 403, 7, ""},
		{fault.NotFound, 404, 5, "ResourceInfo"},
		{fault.Gone, 410, 11, ""},
		{fault.Duplicate, 409, 6, "PreconditionFailure"},
		{fault.IllegalState, 409, 9, "PreconditionFailure"},
		{fault.Conflict, 409, 10, "PreconditionFailure"},
		{fault.RateLimited, 429, 8, "RetryInfo"},
		{fault.Unavailable, 503, 14, "RequestInfo"},
		{fault.Internal, 500, 13, "RequestInfo"},
	} {
		t.Run(fmt.Sprintf("Kind%dAnswers%d", c.kind, c.status), func(t *testing.T) {
			t.Parallel()
			b := apitest.New(t)
			err := fmt.Errorf("read order: %w", &fault.Error{
				Kind: c.kind, Resource: "order", Name: "SO-1", Cause: cause,
				Violations: []fault.Violation{{Field: "orders[3].date", Text: fault.Say("param.date")}},
			})
			w := apitest.Serve(answering(b, err), http.MethodGet, "/x", "", "X-Request-ID", "abc")
			require.Equal(t, c.status, w.Code)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.Equal(t, "en", w.Header().Get("Content-Language"))
			require.NotContains(t, w.Body.String(), "secret_table")
			status := apitest.Status(t, w.Body.Bytes())
			require.Equal(t, c.code, status.Code)
			require.NotEmpty(t, status.Message)
			require.NotEmpty(t, apitest.Reason(status))
			if c.detail == "" {
				require.Len(t, status.Details, 1)
				return
			}
			kind, err := status.Details[0].Discriminator()
			require.NoError(t, err)
			require.Equal(t, "type.googleapis.com/google.rpc."+c.detail, kind)
		})
	}
}

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		body string
	}{
		"AnInvalidFieldIsNamed": {
			fault.Field("orders[3].date", fault.Say("param.date")),
			`{"code":3,"message":"The request is invalid. See the details for each field that must change.",
			"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
			{"field":"orders[3].date","description":"The value must be a date in the format YYYY-MM-DD.",
				"reason":"PARAM_DATE"}]},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"REQUEST_INVALID","domain":"waybill"}]}`,
		},
		"TheBodyAsAWholeIsNamedBody": {
			fault.Field("", fault.Say("request.truncated")),
			`{"code":3,"message":"The request is invalid. See the details for each field that must change.",
			"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
			{"field":"body","description":"The body is empty or incomplete. Send one complete JSON object.",
			"reason":"REQUEST_TRUNCATED"}]},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"REQUEST_INVALID","domain":"waybill"}]}`,
		},
		"WhatIsAbsentIsNamed": {
			fault.Missing("order", "90417"),
			`{"code":5,"message":"There is no order 90417.","details":[
			{"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceType":"order","resourceName":"90417"},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ORDER_NOT_FOUND","domain":"waybill",
			"metadata":{"name":"90417"}}]}`,
		},
		"AnAbsentRowThatNobodyNamedIsStillA404": {
			fmt.Errorf("read: %w", store.ErrNotFound),
			`{"code":5,"message":"The resource does not exist.","details":[
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RESOURCE_NOT_FOUND","domain":"waybill"}]}`,
		},
		"AnIllegalStateNamesItsSubject": {
			&fault.Error{Kind: fault.IllegalState, Resource: "order", Name: "SO-1"},
			`{"code":9,"message":"This is not possible in the current state.","details":[
			{"@type":"type.googleapis.com/google.rpc.PreconditionFailure","violations":[
			{"type":"STATE","subject":"order/SO-1","description":"This is not possible in the current state."}]},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RESOURCE_ILLEGAL_STATE","domain":"waybill"}]}`,
		},
		"AFaultOfOursShowsTheRequestAlone": {
			errors.New("ERROR: permission denied for table orders (SQLSTATE 42501)"),
			`{"code":13,"message":"Something went wrong on our side.","details":[
			{"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"abc"},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_INTERNAL","domain":"waybill"}]}`,
		},
		"ALateAnswerIsUnavailable": {
			fmt.Errorf("select orders: %w", context.DeadlineExceeded),
			`{"code":14,"message":"The request took too long. Try again.","details":[
			{"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"abc"},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_TIMEOUT","domain":"waybill"}]}`,
		},
		"AMissingParameterIsNamed": {
			&contract.RequiredParamError{ParamName: "startDate"},
			`{"code":3,"message":"The request is invalid. See the details for each field that must change.",
			"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
			{"field":"startDate","description":"The parameter is required.","reason":"PARAM_REQUIRED"}]},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"REQUEST_INVALID","domain":"waybill"}]}`,
		},
		"TheCallersWordsAreNotMarkup": {
			fault.Missing("order", `<b>&"`+"\xff"),
			`{"code":5,"message":"There is no order <b>&\"\ufffd.","details":[
			{"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceType":"order","resourceName":"<b>&\"\ufffd"},
			{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ORDER_NOT_FOUND","domain":"waybill",
			"metadata":{"name":"<b>&\"\ufffd"}}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apitest.Serve(answering(apitest.New(t), c.err), http.MethodGet, "/x", "", "X-Request-ID", "abc")
			apitest.Status(t, w.Body.Bytes())
			require.JSONEq(t, c.body, w.Body.String())
		})
	}

	t.Run("AFaultOfOursKeepsItsWordsToItself", func(t *testing.T) {
		t.Parallel()
		err := &fault.Error{Kind: fault.Internal, Text: fault.Say("order.not_found", "name", "secret")}
		w := apitest.Serve(answering(apitest.New(t), err), http.MethodGet, "/x", "")
		require.NotContains(t, w.Body.String(), "secret")
		require.EqualValues(t, 13, apitest.Status(t, w.Body.Bytes()).Code)
	})

	t.Run("LongWordsOfTheCallerAreCutShort", func(t *testing.T) {
		t.Parallel()
		w := apitest.Serve(
			answering(apitest.New(t), fault.Missing("order", strings.Repeat("å", 100_000))), http.MethodGet, "/x", "",
		)
		require.Less(t, w.Body.Len(), 1500)
		require.Contains(t, w.Body.String(), "å…")
	})

	t.Run("EachFaultOfOursIsLoggedOnceWithItsCause", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		apitest.Serve(answering(b, errors.New("disk full")), http.MethodGet, "/x", "", "X-Request-ID", "abc")
		records := b.Logs.Records(t, "request failed")
		require.Len(t, records, 1)
		require.Equal(t, "disk full", records[0]["error"])
		require.Equal(t, "abc", records[0]["request_id"])
		require.Equal(t, "ERROR", records[0]["level"])
		require.Equal(t, 1, strings.Count(b.Logs.Text(), "disk full"))
	})

	t.Run("FaultsOfTheCallerAreNotLogged", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		apitest.Serve(answering(b, fault.Missing("order", "1")), http.MethodGet, "/x", "")
		require.Empty(t, b.Logs.Records(t, "request failed"))
	})

	t.Run("ACallerWhoLeftIsNoFault", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		h := b.Server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error { return r.Context().Err() })
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/x", nil))
		require.Empty(t, b.Logs.Records(t, "request failed"))
		require.EqualValues(t, 499, b.Logs.Records(t, "request answered")[0]["status"])
	})
}

func TestBodiesThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	var into struct {
		Numbers []int64 `json:"numbers"`
		Name    string  `json:"name"`
		Price   float64 `json:"price"`
		Open    bool    `json:"open"`
		Inner   struct {
			Day time.Time `json:"day"`
		} `json:"inner"`
	}
	for body, want := range map[string][2]string{
		``:                      {"body", "The body is empty"},
		`{"numbers":`:           {"body", "The body is empty or incomplete"},
		`{"numbers":[}`:         {"body", "The error is at byte 13"},
		`{"numbers":["a"]}`:     {"numbers", "a whole number, not a JSON string"},
		`{"numbers":[1.5]}`:     {"numbers", "has decimals"},
		`{"numbers":[1e99]}`:    {"numbers", "too large"},
		`{"numbers":{}}`:        {"numbers", "a list, not a JSON object"},
		`{"name":1}`:            {"name", "a string, not a JSON number"},
		`{"name":true}`:         {"name", "not a JSON boolean"},
		`{"price":"1"}`:         {"price", "a number, not a JSON string"},
		`{"open":1}`:            {"open", "true or false"},
		`{"inner":[]}`:          {"inner", "an object, not a JSON array"},
		`[]`:                    {"body", "an object, not a JSON array"},
		`{"inner":{"day":"x"}}`: {"body", "could not be read"},
	} {
		b := apitest.New(t)
		target := into
		h := b.Server.Edge.Around(func(w http.ResponseWriter, r *http.Request) error {
			err := json.NewDecoder(r.Body).Decode(&target)
			b.Server.Edge.FailDecoding(w, r, fmt.Errorf("can't decode JSON body: %w", err))
			return nil
		})
		w := apitest.Serve(h, http.MethodPost, "/x", body)
		require.Equal(t, http.StatusBadRequest, w.Code, body)
		detail, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsBadRequestDetail()
		require.NoError(t, err)
		require.Len(t, detail.FieldViolations, 1)
		require.Equal(t, want[0], detail.FieldViolations[0].Field, body)
		require.Contains(t, detail.FieldViolations[0].Description, want[1], body)
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][2]string{
		"/v1/orders/abc":                                     {"orderId", "a whole number"},
		"/v1/orders/99999999999999999999":                    {"orderId", "a whole number"},
		"/v1/orders?endDate=2026-03-02":                      {"startDate", "required"},
		"/v1/orders?startDate=x&endDate=2026-03-02":          {"startDate", "YYYY-MM-DD"},
		"/v1/orders?startDate=2026-02-30&endDate=2026-03-02": {"startDate", "YYYY-MM-DD"},
		"/v1/orders/1%00":                                    {"path", "NUL"},
		"/v1/orders/internal/%ff":                            {"path", "UTF-8"},
		"/v1/orders/today?loads=%00":                         {"query", "NUL"},
		"/v1/orders/today?loads=%zz":                         {"query", "UTF-8"},
		"/v1/orders/today?loads=%ff":                         {"query", "UTF-8"},
	} {
		b := apitest.New(t)
		w := b.Send(http.MethodGet, target, "", "Authorization", "apikey "+b.Key)
		require.Equal(t, http.StatusBadRequest, w.Code, "%s: %s", target, w.Body)
		detail, err := apitest.Status(t, w.Body.Bytes()).Details[0].AsBadRequestDetail()
		require.NoError(t, err)
		require.Equal(t, want[0], detail.FieldViolations[0].Field, target)
		require.Contains(t, detail.FieldViolations[0].Description, want[1], target)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	small := func(c *api.Config, _ *api.Dependencies) { c.MaxBody, c.RequestTimeout = 1<<10, time.Nanosecond }

	t.Run("ABodyOverTheLimitGets413", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, small)
		h := b.Server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error {
			_, err := io.Copy(io.Discard, r.Body)
			return err
		})
		require.Equal(t, http.StatusOK, apitest.Serve(h, http.MethodPost, "/x", strings.Repeat("a", 1<<10)).Code)
		w := apitest.Serve(h, http.MethodPost, "/x", strings.Repeat("a", 1<<10+1))
		require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
		require.Equal(t, "The body is larger than 1 KiB.", apitest.Status(t, w.Body.Bytes()).Message)
		require.Equal(t, "close", w.Header().Get("Connection"))
	})

	t.Run("TheContractsRoutesHaveTheLimit", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for path, limit := range map[string]int{
			"/v1/orders/paginated": api.DefaultMaxBody, "/v2/orders/cancel-orders": 16 << 20,
		} {
			body := `{"externalIds":["` + strings.Repeat("a", limit) + `"]}`
			w := b.Send(http.MethodPost, path, body, "Authorization", "apikey "+b.Key)
			require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
			message := apitest.Status(t, w.Body.Bytes()).Message
			require.Equal(t, fmt.Sprintf("The body is larger than %d MiB.", limit>>20), message)
		}
	})

	t.Run("AnAnswerThatTakesTooLongIsUnavailable", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, small)
		h := b.Server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return errors.New("statement was cancelled")
		})
		w := apitest.Serve(h, http.MethodGet, "/x", "")
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
	})
}

func TestRoutesThatDoNotExist(t *testing.T) {
	t.Parallel()

	t.Run("AnUnknownPathGets404", func(t *testing.T) {
		t.Parallel()
		w := apitest.New(t).Send(http.MethodGet, "/v9/nothing", "")
		require.Equal(t, http.StatusNotFound, w.Code)
		require.EqualValues(t, 5, apitest.Status(t, w.Body.Bytes()).Code)
		require.NotEmpty(t, w.Header().Get("X-Request-ID"))
	})

	t.Run("AnUnknownMethodGets405AndLearnsTheOthers", func(t *testing.T) {
		t.Parallel()
		for _, method := range []string{http.MethodDelete, "BREW"} {
			b := apitest.New(t)
			w := b.Send(method, "/v1/orders", "", "Authorization", "apikey "+b.Key)
			require.Equal(t, http.StatusMethodNotAllowed, w.Code)
			require.Equal(t, "GET, POST", w.Header().Get("Allow"))
			status := apitest.Status(t, w.Body.Bytes())
			require.EqualValues(t, 12, status.Code)
			require.EqualValues(t, "ROUTE_METHOD_NOT_ALLOWED", apitest.Reason(status))
		}
	})

	t.Run("AnUnknownMethodTellsStrangersNothing", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/v1/orders", "/v1/orders/12", "/v3/orders/import", "/v1/vehicles"} {
			w := apitest.New(t).Send("BREW", path, "")
			require.Equal(t, http.StatusUnauthorized, w.Code, path)
			require.Empty(t, w.Header().Get("Allow"), path)
		}
	})

	t.Run("AnUnknownMethodWhereNobodyIsAskedGets405", func(t *testing.T) {
		t.Parallel()
		w := apitest.New(t).Send(http.MethodPost, "/healthz", "")
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, http.MethodGet, w.Header().Get("Allow"))
		apitest.Status(t, w.Body.Bytes())
	})
}

func TestPanics(t *testing.T) {
	t.Parallel()

	t.Run("AnswerAFaultOfOursAndAreLogged", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		h := b.Server.Edge.Around(func(http.ResponseWriter, *http.Request) error { panic("secret") })
		w := apitest.Serve(h, http.MethodGet, "/x", "")
		require.Equal(t, http.StatusInternalServerError, w.Code)
		require.EqualValues(t, 13, apitest.Status(t, w.Body.Bytes()).Code)
		require.NotContains(t, w.Body.String(), "secret")
		require.Len(t, b.Logs.Records(t, "handler panicked"), 1)
		require.EqualValues(t, 500, b.Logs.Records(t, "request answered")[0]["status"])
	})

	t.Run("BreakOffAnAnswerThatHasBegun", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		h := b.Server.Edge.Around(func(w http.ResponseWriter, _ *http.Request) error {
			_, _ = io.WriteString(w, "[1,")
			panic("half-way")
		})
		require.PanicsWithValue(t, http.ErrAbortHandler, func() { apitest.Serve(h, http.MethodGet, "/x", "") })
		require.Len(t, b.Logs.Records(t, "request answered"), 1)
	})
}
