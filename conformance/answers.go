package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// rulesOfAnswers are the read-only rules.
func rulesOfAnswers() []rule {
	return []rule{
		{"key-needed", "a request without a valid key gets 401", false, keyNeeded},
		{"errors-have-reasons", "an error is a status with details, and the last detail has a reason", false, errorsHaveReasons},
		{"errors-in-languages", "messages depend on Accept-Language, reasons do not", false, errorsInLanguages},
		{"malformed-is-400", "invalid JSON or a value of the wrong type gets 400 with the name of the field", false, malformed},
		{"method-not-allowed", "an unsupported method gets 405 with the supported methods", false, methodNotAllowed},
		{"request-id", "every answer has the X-Request-ID of the request", false, requestID},
		{"rate-limit", "answers show what is left of the key's rate limit", false, rateLimit},
		{"validate-only", "validateOnly returns a result for each order, and writes nothing", false, validateOnly},
		{"feed-is-ordered", "positions in the status feed increase, and a token continues after the last one", false, feedIsOrdered},
	}
}

func keyNeeded(ctx context.Context, v *visit) error {
	for _, key := range []string{"", "apikey wbk_0_0", "Bearer " + v.Key} {
		err := v.refused(ctx, http.StatusUnauthorized, "AUTH_KEY_NEEDED", http.MethodGet, "/v1/orders/today", nil, "Authorization", key)
		if err != nil {
			return err
		}
	}
	return nil
}

func errorsHaveReasons(ctx context.Context, v *visit) error {
	return v.refused(ctx, http.StatusNotFound, "ORDER_NOT_FOUND", http.MethodGet, "/v1/orders/internal/"+v.mark+"-NONE", nil)
}

func errorsInLanguages(ctx context.Context, v *visit) error {
	said := map[string]string{}
	for _, language := range []string{"nb", "en", "da"} {
		a, err := v.call(ctx, http.MethodGet, "/v1/orders/internal/"+v.mark+"-NONE", nil, "Accept-Language", language)
		if err != nil {
			return err
		}
		var status struct{ Message string }
		if err := a.read(&status); err != nil {
			return err
		}
		if reason, err := a.reason(); err != nil || reason != "ORDER_NOT_FOUND" {
			return fmt.Errorf("reason in %s is %q: %w", language, reason, err)
		}
		said[status.Message] = language
	}
	if len(said) < 3 {
		return errors.New("message is the same in several languages")
	}
	return nil
}

func malformed(ctx context.Context, v *visit) error {
	for _, body := range []string{"{", `{"orders":{}}`, `{"orders":[5]}`} {
		err := v.refused(ctx, http.StatusBadRequest, "", http.MethodPost, "/v3/orders/import?validateOnly=true", body)
		if err != nil {
			return fmt.Errorf("%s: %w", body, err)
		}
	}
	return nil
}

func methodNotAllowed(ctx context.Context, v *visit) error {
	a, err := v.call(ctx, http.MethodDelete, "/v2/orders/summary/orderstatusfeed", nil)
	if err != nil {
		return err
	}
	if err := a.expect(http.StatusMethodNotAllowed); err != nil {
		return err
	}
	if a.header.Get("Allow") == "" {
		return errors.New("header Allow is missing")
	}
	return nil
}

func requestID(ctx context.Context, v *visit) error {
	for path, wanted := range map[string]string{"/v1/orders/today": v.mark + "-1", "/v1/orders/internal/none-" + v.mark: v.mark + "-2"} {
		a, err := v.call(ctx, http.MethodGet, path, nil, "X-Request-ID", wanted)
		if err != nil {
			return err
		}
		if got := a.header.Get("X-Request-ID"); got != wanted {
			return fmt.Errorf("sent %q, got %q", wanted, got)
		}
	}
	return nil
}

func rateLimit(ctx context.Context, v *visit) error {
	a, err := v.call(ctx, http.MethodGet, "/v1/orders/today", nil)
	if err != nil {
		return err
	}
	if err := a.expect(http.StatusOK); err != nil {
		return err
	}
	if (a.header.Get("RateLimit-Policy") == "") != (a.header.Get("RateLimit") == "") {
		return errors.New("only one of the headers RateLimit-Policy and RateLimit is set")
	}
	return nil
}

func validateOnly(ctx context.Context, v *visit) error {
	number := v.mark + "-TRIED"
	orders := map[string]any{"orders": []any{map[string]any{"externalId": number}, map[string]any{}}}
	a, err := v.call(ctx, http.MethodPost, "/v3/orders/import?validateOnly=true", orders)
	if err != nil {
		return err
	}
	if err := a.expect(http.StatusOK); err != nil {
		return err
	}
	var imported struct{ Results []result }
	if err := a.read(&imported); err != nil {
		return err
	}
	if len(imported.Results) != 2 || imported.Results[0].DraftCreated == nil ||
		imported.Results[0].DraftCreated.ExternalID != number || len(imported.Results[0].DraftCreated.Reasons) == 0 {
		return fmt.Errorf("expected two drafts with reasons: %s", a)
	}
	a, err = v.call(ctx, http.MethodGet, "/v2/drafts?pageSize=200", nil)
	if err != nil {
		return err
	}
	if bytesContain(a.body, number) {
		return errors.New("the draft was saved")
	}
	return nil
}

func feedIsOrdered(ctx context.Context, v *visit) error {
	last, token := int64(0), ""
	for range 3 {
		page, err := v.feed(ctx, token, 50)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if item.Position < last {
				return fmt.Errorf("position %d comes after %d", item.Position, last)
			}
			last = item.Position
		}
		if token = page.NextToken; token == "" {
			return errors.New("page has no nextToken")
		}
		if !page.HasMore {
			return nil
		}
	}
	return nil
}
