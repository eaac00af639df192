package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/people"
	"waybill/store"
)

const (
	// personTarget is how much more a request of a person may cost than one with a
	// key.
	personTarget = 1.1
	// manySignIns sign in at the same moment, with signInMemory for all of serve.
	manySignIns  = 50
	signInMemory = 400

	benchPassphrase = "tractor beam over lillehammer"
)

// measurePeople has users read single orders, with a session and with a
// personal token, in turns with a key; and has many sign in concurrently.
func measurePeople(ctx context.Context, s *site) ([]result, error) {
	org, ids, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	session, token, err := s.dispatcher(ctx, org)
	if err != nil {
		return nil, err
	}
	orders := s.url + "/v1/orders/"
	sessions, tokens := &pairs{}, &pairs{}
	for round := range 1 + s.sizes.ReadRounds {
		var rates [3]float64
		for i, r := range []request{
			{url: orders, key: org.key}, {url: orders, cookie: session}, {url: orders, token: token},
		} {
			if rates[i], err = s.readRate(ctx, r, ids); err != nil {
				return nil, err
			}
		}
		note("reads with a key: %.0f/s; with a session: %.0f/s; with a token: %.0f/s", rates[0], rates[1], rates[2])
		if round > 0 { // the first warms up
			sessions.add(rates[1], rates[0])
			tokens.add(rates[2], rates[0])
		}
	}
	memory, err := s.signInAtOnce(ctx, org.slug)
	if err != nil {
		return nil, err
	}
	return []result{
		costOf("GET of one order, a session : a key", sessions), costOf("GET of one order, a token : a key", tokens),
		within(signInMemory, fmt.Sprintf("memory of serve while %d sign in", manySignIns), "MiB", memory),
	}, nil
}

// costOf is how much longer requests took than those with a key.
func costOf(name string, runs *pairs) result {
	ratios := runs.quotients(bareByOurs)
	return atMost(personTarget, name, "/s", median(runs.ours), median(runs.bare), median(ratios)).inRounds(ratios)
}

func personAddress(n int) string { return fmt.Sprintf("person-%d@bench.example", n) }

// addPeople creates active accounts.
func (s *site) addPeople(ctx context.Context, org *organization) error {
	ops := operations.New(s.store, time.Now, operations.Settings{})
	by := caller.Service(org.id, "bench")
	roles, err := ops.People.RoleIDs(ctx, org.id, []string{"dispatcher"})
	if err != nil {
		return fmt.Errorf("find the role: %w", err)
	}
	for n := range manySignIns {
		user, err := ops.People.CreateUser(ctx, by, people.NewUser{
			UserDetails: store.UserDetails{Email: personAddress(n), Name: "Person", RoleIDs: roles}, Source: "api",
		})
		if err == nil {
			err = ops.People.SetPassphrase(ctx, by, user.ID, benchPassphrase)
		}
		if err != nil {
			return fmt.Errorf("make a person: %w", err)
		}
	}
	return nil
}

// dispatcher makes users of an organization, and returns the cookie of the first one and a personal token.
func (s *site) dispatcher(ctx context.Context, org *organization) (session, token string, err error) {
	if err := s.addPeople(ctx, org); err != nil {
		return "", "", err
	}
	if session, err = s.signIn(ctx, org.slug, 0); err != nil {
		return "", "", err
	}
	token, err = s.personalToken(ctx, session)
	return session, token, err
}

// signIn signs in a user of an organization, and returns the browser's cookie.
// A throttled sign-in is retried a moment later.
func (s *site) signIn(ctx context.Context, slug string, n int) (cookie string, err error) {
	for {
		cookie, status, err := s.trySignIn(ctx, slug, n)
		switch {
		case err != nil || cookie != "":
			return cookie, err
		case status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable:
			return "", fmt.Errorf("signing in answered %d", status)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (s *site) trySignIn(ctx context.Context, slug string, n int) (cookie string, status int, err error) {
	body := fmt.Sprintf(`{"organization": %q, "email": %q, "passphrase": %q}`, slug, personAddress(n), benchPassphrase)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/session", strings.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return "", 0, fmt.Errorf("sign in: %w", err)
	}
	for _, c := range answer.Cookies() {
		cookie = c.Name + "=" + c.Value
	}
	return cookie, answer.StatusCode, nil
}

// personalToken creates a token of a signed-in user.
func (s *site) personalToken(ctx context.Context, cookie string) (string, error) {
	body := fmt.Sprintf(`{"name": "bench", "expires_at": %q}`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	answer, err := s.call(ctx, request{
		url: s.url + "/v1/account/tokens", cookie: cookie, body: []byte(body), status: http.StatusCreated,
	})
	if err != nil {
		return "", err
	}
	var made struct{ Token string }
	err = json.Unmarshal(answer, &made)
	return made.Token, err
}

// signInAtOnce returns the peak memory of serve while many users sign in, each
// with their own account.
func (s *site) signInAtOnce(ctx context.Context, slug string) (float64, error) {
	pid := s.pidOf("serve")
	if err := forgetPeak(pid); err != nil {
		return 0, err
	}
	start := time.Now()
	group, of := errgroup.WithContext(ctx)
	for n := range manySignIns {
		group.Go(func() error {
			_, err := s.signIn(of, slug, n)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	peak, err := peakMemory(pid)
	note("%d sign-ins at once: %.1f s, %.0f MiB", manySignIns, time.Since(start).Seconds(), peak)
	return peak, err
}

func (s *site) pidOf(name string) int {
	for _, running := range s.services {
		if running.name == name {
			return running.process.Pid()
		}
	}
	return 0
}

// forgetPeak has the kernel take the memory that a process holds now for the most
// that it has held.
func forgetPeak(pid int) error {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		return fmt.Errorf("forget a process's peak of memory: %w", err)
	}
	return nil
}
