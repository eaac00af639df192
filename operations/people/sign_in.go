package people

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// Attempt is an attempt to sign in: the organization, the network, and the
// request.
type Attempt struct {
	Organization string // its slug
	Email        string
	Passphrase   string
	// Address is the network of the caller, Agent the name of the browser.
	Address, Agent string
	Cause          string
}

// SignedIn is a new session or, if the account has a second factor, the secret
// for providing it.
type SignedIn struct {
	Session *OpenedSession
	Pending string // the secret for the second step; "" if there is none
}

// signInFailed is the only error for a failed sign-in.
func signInFailed() error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("sign_in.failed")}
}

// codeFailed is the only error for a code that fails to finish a procedure.
func codeFailed() error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("sign_in.code_failed")}
}

// How many failed tries an account has, and a network, which many people may
// share.
var (
	accountThrottle = store.Throttle{Free: 5, Longest: 15 * time.Minute, Forget: 24 * time.Hour}
	addressThrottle = store.Throttle{Free: 100, Longest: time.Minute, Forget: time.Hour}
	siteThrottle    = store.Throttle{Free: 1_000, Longest: time.Minute, Forget: time.Hour}
	// passkeyThrottle is how often a network may begin a sign-in with a
	// passkey, which keeps a row for ten minutes, whether or not it succeeds.
	passkeyThrottle = store.Throttle{Free: 100, Longest: time.Minute, Forget: time.Hour}
)

// SignIn opens a session for a user with the account's passphrase. An unknown
// account, a disabled one and a wrong passphrase get the same response, after
// the same time.
func (o *Operations) SignIn(ctx context.Context, a *Attempt) (SignedIn, error) {
	a.Organization, a.Email = strings.ToLower(strings.TrimSpace(a.Organization)), strings.TrimSpace(a.Email)
	if err := o.admitTry(ctx, accountSubject(a.Organization, a.Email), a.Address); err != nil {
		return SignedIn{}, err
	}
	org, user, err := o.credentials(ctx, a.Organization, a.Email)
	if err != nil {
		return SignedIn{}, err
	}
	ok, stale, err := o.passphrases.match(ctx, user.Passphrase, a.Passphrase)
	if err != nil {
		return SignedIn{}, err
	}
	if !ok || account.State(user.State) != account.Active {
		return SignedIn{}, signInFailed()
	}
	if stale {
		if err := o.rehash(ctx, a, org, user.ID); err != nil {
			return SignedIn{}, err
		}
	}
	if user.HasTotp {
		pending, err := o.askForFactor(ctx, org, user.ID)
		return SignedIn{Pending: pending}, err
	}
	session, err := o.letIn(ctx, a, org, &user)
	return SignedIn{Session: session}, err
}

// admitTry counts a try of an account from a network, and refuses it while either
// has to pause.
func (o *Operations) admitTry(ctx context.Context, subject, address string) error {
	if err := o.admit(ctx, subject, accountThrottle); err != nil {
		return err
	}
	return o.admitFrom(ctx, address)
}

// origin is a source of tries, and its limit of failed ones.
type origin struct {
	subject  string
	throttle store.Throttle
}

// originsOf returns all origins of a try from a network. A customer of a
// provider may have a /48 of IPv6, which is 65,536 networks, so that counts as
// well.
func originsOf(address string) []origin {
	all := []origin{{addressSubject(address), addressThrottle}}
	if site := siteOf(address); site != "" {
		all = append(all, origin{addressSubject(site), siteThrottle})
	}
	return all
}

// admitFrom counts a try from a network, and refuses it while that has to pause.
func (o *Operations) admitFrom(ctx context.Context, address string) error {
	for _, from := range originsOf(address) {
		if err := o.admit(ctx, from.subject, from.throttle); err != nil {
			return err
		}
	}
	return nil
}

// siteOf returns the /48 of an IPv6 network, or "" for other networks.
func siteOf(address string) string {
	network, err := netip.ParsePrefix(address)
	if err != nil || !network.Addr().Is6() {
		return ""
	}
	site, err := network.Addr().Prefix(48)
	if err != nil {
		return ""
	}
	return site.String()
}

func (o *Operations) admit(ctx context.Context, subject string, throttle store.Throttle) error {
	now := o.now()
	next, ok, err := o.store.BeginTry(ctx, subject, throttle, now)
	if err != nil {
		return fmt.Errorf("count a sign-in attempt: %w", err)
	}
	if !ok {
		return tooManyTries(next.Sub(now))
	}
	return nil
}

// tooManyTries is the error for a caller that must pause before the next try.
func tooManyTries(wait time.Duration) error {
	seconds := strconv.Itoa(int(math.Ceil(max(wait.Seconds(), 1))))
	return &fault.Error{Kind: fault.RateLimited, Text: fault.Say("sign_in.pause", "count", seconds)}
}

// accountSubject names an account for the throttle, whether or not it exists.
func accountSubject(slug, email string) string {
	return "account\x00" + slug + "\x00" + strings.ToLower(email)
}

func addressSubject(address string) string { return "address\x00" + address }

// credentials returns the credentials of an account, or none for an unknown
// one, after the same look-ups.
func (o *Operations) credentials(ctx context.Context, slug, email string) (int64, store.Credentials, error) {
	org, err := o.store.OrganizationID(ctx, slug)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, store.Credentials{}, err
	}
	user, err := o.store.CredentialsByEmail(ctx, org, email)
	if errors.Is(err, store.ErrNotFound) {
		return org, store.Credentials{}, nil
	}
	return org, user, err
}

// rehash stores a passphrase with the present cost.
func (o *Operations) rehash(ctx context.Context, a *Attempt, org, user int64) error {
	hash, err := o.passphrases.hash(ctx, a.Passphrase)
	if err != nil {
		return err
	}
	return o.store.InTx(ctx, person(org, user, a.Cause), func(t *store.Tx) error {
		return t.SetPassphrase(ctx, user, hash)
	})
}

// person is a user who is signing in, as the caller of the operation.
func person(org, user int64, cause string) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Person, ID: user, Cause: cause}
}

// letIn opens a session of an authenticated user, and resets their failed
// tries.
func (o *Operations) letIn(
	ctx context.Context, a *Attempt, org int64, user *store.Credentials,
) (session *OpenedSession, err error) {
	err = o.store.InTx(ctx, person(org, user.ID, a.Cause), func(t *store.Tx) error {
		session, err = o.openBrowserSession(ctx, t, user.ID, a.Agent)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	return session, o.forgiveTries(ctx, accountSubject(user.Slug, user.Email), a.Address)
}

func (o *Operations) forgiveTries(ctx context.Context, subject, address string) error {
	err := o.store.EndTries(ctx, subject)
	for _, from := range originsOf(address) {
		err = errors.Join(err, o.store.UndoTry(ctx, from.subject))
	}
	return err
}
