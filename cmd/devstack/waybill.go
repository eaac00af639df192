package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// waybill is the built product and the environment that it runs in.
type waybill struct {
	path        string
	url         string
	environment []string
}

func newWaybill(path string, s settings, variables []variable) waybill {
	addresses := []variable{{"WAYBILL_HTTP_ADDR", s.HTTPAddr}, {"WAYBILL_WORK_HTTP_ADDR", s.WorkHTTPAddr}}
	variables = append(addresses, variables...)
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return waybill{path: path, url: s.apiURL(), environment: environment(variables)}
}

// call runs one of its commands and returns the output.
func (w waybill) call(ctx context.Context, args ...string) (string, error) {
	return w.feed(ctx, "", args...)
}

// feed is call for a command that reads its standard input.
func (w waybill) feed(ctx context.Context, input string, args ...string) (string, error) {
	const grace = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, w.path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = w.environment, &stdout, &stderr
	cmd.Stdin = strings.NewReader(input)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = grace
	if err := cmd.Run(); err != nil {
		said := strings.TrimSpace(stderr.String() + stdout.String())
		return "", fmt.Errorf("waybill %s: %w\n%s", strings.Join(args, " "), err, said)
	}
	return strings.TrimSpace(stdout.String()), nil
}

// ready waits until the API can do its work.
func (w waybill) ready(ctx context.Context) error {
	const patience, pause = time.Minute, 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		status, err := w.get(ctx, "/readyz", "")
		if err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case <-ctx.Done():
			if err == nil {
				err = fmt.Errorf("status %d", status)
			}
			return fmt.Errorf("wait for %s/readyz: %w", w.url, err)
		case <-time.After(pause):
		}
	}
}

// accepts reports whether an API key works.
func (w waybill) accepts(ctx context.Context, key string) (bool, error) {
	status, err := w.get(ctx, "/v1/orders/today", key)
	if err != nil {
		return false, fmt.Errorf("test the API key of the last run: %w", err)
	}
	return status != http.StatusUnauthorized && status != http.StatusForbidden, nil
}

func (w waybill) get(ctx context.Context, path, key string) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	if key != "" {
		request.Header.Set("Authorization", "apikey "+key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	return response.StatusCode, nil
}
