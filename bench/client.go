package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// newClient keeps its connections, as an integrator's program does.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
}

// request is one call; with a body it is a POST. It is made with a key, or by a
// person with a cookie or a token.
type request struct {
	url                string
	key, cookie, token string
	body               []byte
	status             int // of the answer; 0 for 200
}

// call sends a request and reads the whole answer.
func (s *site) call(ctx context.Context, r request) ([]byte, error) {
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if r.body != nil {
		method, body = http.MethodPost, bytes.NewReader(r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, method, r.url, body)
	if err != nil {
		return nil, err
	}
	if r.body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	switch {
	case r.key != "":
		sent.Header.Set("Authorization", "apikey "+r.key)
	case r.token != "":
		sent.Header.Set("Authorization", "Bearer "+r.token)
	case r.cookie != "":
		sent.Header.Set("Cookie", r.cookie)
	}
	response, err := s.client.Do(sent)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if response.StatusCode != max(r.status, http.StatusOK) {
		return nil, fmt.Errorf("%s %s answered %d: %.300s", method, r.url, response.StatusCode, answer)
	}
	return answer, nil
}
