package stack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"waybill/internal/child"
)

// portOf is the port that a listener has.
func portOf(l net.Listener) int {
	address, _ := l.Addr().(*net.TCPAddr)
	return address.Port
}

// portOr returns the port, or a free one when it is zero.
func portOr(port int) (int, error) {
	if port != 0 {
		return port, nil
	}
	return child.FreePort()
}

const pollInterval = 20 * time.Millisecond

// await calls try until it succeeds, the process ends or ctx does.
func await(ctx context.Context, p *Process, try func(context.Context) error) error {
	err := untilReady(ctx, p.command.Name, p.Done(), try)
	if failure := p.Failure(); err != nil && failure != nil {
		return failure
	}
	return err
}

// untilReady calls try until it succeeds, the named program has stopped or ctx
// ends.
func untilReady(ctx context.Context, name string, stopped <-chan struct{}, try func(context.Context) error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-stopped:
			return fmt.Errorf("%s was stopped before it was ready", name)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w (%w)", name, context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

// listening reports whether something answers at the address.
func listening(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// answering reports whether an HTTP server answers requests; any status will do.
func answering(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
