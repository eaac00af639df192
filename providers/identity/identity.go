// Package identity signs people in with their accounts at OpenID Connect
// providers: it redirects them there, and reads their identity when they
// return. The consequences are decided elsewhere.
package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"waybill/providers/internet"
)

// Provider is an organization's provider, with the return address.
type Provider struct{ Issuer, ClientID, ClientSecret, Return string }

// Asked binds a response to its request, so that no other response is accepted.
type Asked struct{ State, Nonce, Verifier string }

// Claims are a provider's statements about a person. Email counts only when
// it is verified.
type Claims struct {
	Subject       string `json:"sub"`
	Email         string `json:"email"`
	EmailVerified bool   `json:"email_verified"`
	Name          string `json:"name"`
	// AuthorizedParty is the party for which a token for several audiences was
	// issued.
	AuthorizedParty string `json:"azp"`
}

const (
	timeout   = 10 * time.Second
	mostBytes = 1 << 20
	// keep is how long a provider's own description is good for, and most how many
	// are kept.
	keep = time.Hour
	most = 1000
)

// Client calls providers.
type Client struct {
	http         *http.Client
	allowPrivate bool
	now          func() time.Time

	mu    sync.Mutex
	known map[string]known
}

type known struct {
	provider *oidc.Provider
	until    time.Time
}

// New returns a client. Unless private addresses are allowed, issuers must use
// https and resolve to the public internet, which is checked for each
// connection.
func New(allowPrivate bool, now func() time.Time) *Client {
	dialer := &net.Dialer{Timeout: timeout}
	if !allowPrivate {
		dialer.Control = internet.Control
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext, transport.Proxy = dialer.DialContext, nil
	return &Client{
		http:         &http.Client{Transport: bounded{transport}, Timeout: timeout, CheckRedirect: stay},
		allowPrivate: allowPrivate, now: now, known: map[string]known{},
	}
}

// stay prevents redirects: providers' endpoints are those in their
// configuration.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// bounded limits a response to the size that a provider needs.
type bounded struct{ http.RoundTripper }

// RoundTrip sends a request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, mostBytes), answer.Body}
	}
	return answer, err
}

// CheckIssuer reports whether an issuer may be called.
func (c *Client) CheckIssuer(issuer string) bool {
	at, err := url.Parse(issuer)
	if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return false
	}
	return at.Scheme == "https" || at.Scheme == "http" && c.allowPrivate
}

// Address returns the URL at which a person signs in with a provider.
func (c *Client) Address(ctx context.Context, p Provider, asked Asked) (string, error) {
	found, err := c.provider(ctx, p.Issuer)
	if err != nil {
		return "", err
	}
	return config(found, p).AuthCodeURL(asked.State, oidc.Nonce(asked.Nonce), oauth2.S256ChallengeOption(asked.Verifier)), nil
}

// Redeem returns the claims of a person who returned with a code. It rejects a
// response unless it is signed by the provider, for this client and this
// request, and still valid.
func (c *Client) Redeem(ctx context.Context, p Provider, asked Asked, code string) (Claims, error) {
	found, err := c.provider(ctx, p.Issuer)
	if err != nil {
		return Claims{}, err
	}
	ctx = oidc.ClientContext(ctx, c.http)
	token, err := config(found, p).Exchange(ctx, code, oauth2.VerifierOption(asked.Verifier))
	if err != nil {
		return Claims{}, fmt.Errorf("redeem a code: %w", withoutAnswer(err))
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := found.VerifierContext(ctx, &oidc.Config{ClientID: p.ClientID, Now: c.now}).Verify(ctx, raw)
	if err != nil {
		return Claims{}, fmt.Errorf("verify the ID token: %w", err)
	}
	if verified.Nonce != asked.Nonce {
		return Claims{}, errors.New("verify the ID token: wrong nonce")
	}
	var claims Claims
	if err := verified.Claims(&claims); err != nil {
		return Claims{}, fmt.Errorf("read the ID token: %w", err)
	}
	if len(verified.Audience) > 1 && claims.AuthorizedParty != p.ClientID {
		return Claims{}, errors.New("read the ID token: issued for another client")
	}
	if claims.Subject == "" {
		return Claims{}, errors.New("read the ID token: no subject")
	}
	return claims, nil
}

// withoutAnswer removes a provider's answer from an error, because it may contain
// secrets.
func withoutAnswer(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil {
		return fmt.Errorf("the provider answered %s", refused.Response.Status)
	}
	return err
}

func config(found *oidc.Provider, p Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: found.Endpoint(), RedirectURL: p.Return,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// provider returns a provider's configuration, cached for a while.
func (c *Client) provider(ctx context.Context, issuer string) (*oidc.Provider, error) {
	c.mu.Lock()
	found, ok := c.known[issuer]
	c.mu.Unlock()
	if ok && c.now().Before(found.until) {
		return found.provider, nil
	}
	// Its keys are fetched later on, when this request is long over.
	made, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), c.http), issuer)
	if err != nil {
		return nil, fmt.Errorf("read the provider's configuration: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= most {
		clear(c.known)
	}
	c.known[issuer] = known{made, c.now().Add(keep)}
	return made, nil
}
