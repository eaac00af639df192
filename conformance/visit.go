package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// visit is one run of the rules at a site.
type visit struct {
	Site
	// mark begins every number of an order of this run.
	mark string
}

// answer is a response of the site.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// String shows an answer to people, in a line.
func (a *answer) String() string {
	const most = 200
	body := a.body
	if len(body) > most {
		body = append(bytes.Clone(body[:most]), "…"...)
	}
	return fmt.Sprintf("%d %s", a.status, body)
}

func (a *answer) read(into any) error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return fmt.Errorf("read the answer: %w: %s", err, a)
	}
	return nil
}

// expect is an error when the answer has another status.
func (a *answer) expect(status int) error {
	if a.status != status {
		return fmt.Errorf("expected %d, got %s", status, a)
	}
	return nil
}

// reason returns the reason of an error, after a look at its form.
func (a *answer) reason() (string, error) {
	var status struct {
		Code    int
		Message string
		Details []struct {
			Type   string `json:"@type"`
			Reason string
		}
	}
	if err := a.read(&status); err != nil {
		return "", err
	}
	if status.Code == 0 || status.Message == "" || len(status.Details) == 0 {
		return "", fmt.Errorf("error without a code, message or details: %s", a)
	}
	last := status.Details[len(status.Details)-1]
	if last.Type != "type.googleapis.com/google.rpc.ErrorInfo" || last.Reason == "" {
		return "", errors.New("the last detail is not an ErrorInfo with a reason")
	}
	return last.Reason, nil
}

// call sends a request with the key. Headers are given in pairs, and an empty
// value removes one.
func (v *visit) call(ctx context.Context, method, path string, body any, headers ...string) (*answer, error) {
	var sent io.Reader = http.NoBody
	switch body := body.(type) {
	case nil:
	case string:
		sent = bytes.NewReader([]byte(body))
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, v.URL+path, sent)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "apikey "+v.Key)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	got, err := v.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close() //nolint:errcheck // what was read is what counts
	text, err := io.ReadAll(got.Body)
	return &answer{status: got.StatusCode, header: got.Header, body: text}, err
}

// refused calls, and is an error unless the answer has the status and the reason; an
// empty reason is any.
func (v *visit) refused(
	ctx context.Context, status int, reason, method, path string, body any, headers ...string,
) error {
	a, err := v.call(ctx, method, path, body, headers...)
	if err != nil {
		return err
	}
	if err := a.expect(status); err != nil {
		return err
	}
	got, err := a.reason()
	if err == nil && reason != "" && got != reason {
		err = fmt.Errorf("expected reason %s, got %s", reason, got)
	}
	return err
}
