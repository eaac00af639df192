package people_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/people"
	"waybill/operations/sealing"
	"waybill/store"
	"waybill/store/storetest"
)

// staff is an organization with operations over it, and a clock moved by hand.
type staff struct {
	*people.Operations

	t     *testing.T
	store *store.Store
	org   int64
	mu    sync.Mutex
	now   time.Time
}

func newStaff(t *testing.T) *staff {
	t.Helper()
	db := storetest.New(t)
	p := &staff{t: t, store: store.New(db.Pool), now: time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)}
	p.org = storetest.Organization(t, db, "acme")
	p.Operations = p.another()
	return p
}

// another returns the operations of another instance of the service.
func (p *staff) another() *people.Operations {
	sealer := sealing.New(p.store, sealing.Settings{})
	return people.New(p.store, p.clock, sealer, people.Settings{PublicURL: "https://waybill.example"})
}

func (p *staff) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *staff) forward(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

func (p *staff) operator() caller.Caller { return caller.Service(p.org, "test") }

const passphrase = "correct horse battery staple"

// add makes an account that is in use.
func (p *staff) add(email string, roles ...string) store.User {
	p.t.Helper()
	ids, err := p.RoleIDs(p.t.Context(), p.org, roles)
	require.NoError(p.t, err)
	user, err := p.CreateUser(p.t.Context(), p.operator(), people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(p.t, err)
	require.NoError(p.t, p.SetPassphrase(p.t.Context(), p.operator(), user.ID, passphrase))
	return user
}

func (p *staff) signIn(email, passphrase string) (people.SignedIn, error) {
	return p.SignIn(p.t.Context(), attempt(email, passphrase))
}

func attempt(email, passphrase string) *people.Attempt {
	return &people.Attempt{
		Organization: "acme", Email: email, Passphrase: passphrase, Address: "192.0.2.1", Agent: "Firefox", Cause: "r-1",
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	user := p.add("kari@acme.example", "dispatcher", "support")

	in, err := p.signIn(" KARI@acme.example ", passphrase)
	require.NoError(t, err)
	require.Empty(t, in.Pending)
	found, err := p.store.FindSession(t.Context(), in.Session.Secret.Public())
	require.NoError(t, err)
	require.True(t, found.IsGood)
	require.Equal(t, user.ID, found.UserID)
	require.Equal(t, []caller.Grant{{Role: caller.Dispatcher}, {Role: caller.Support}}, found.Grants)
	require.Equal(t, p.now.Add(time.Hour), found.Ends().UTC())

	again, err := p.signIn("kari@acme.example", passphrase)
	require.NoError(t, err)
	require.NotEqual(t, in.Session.Secret, again.Session.Secret, "each sign-in has a secret of its own")
}

// TestUnknownAccountsGetTheSameResponse is number 8 of the checklist of people.
func TestUnknownAccountsGetTheSameResponse(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	p.add("wrong@acme.example", "admin")
	disabled := p.add("disabled@acme.example", "support")
	setState(t, p, disabled.ID, "disabled")
	var compared []string
	p.WatchPassphrases(func(hash string) { compared = append(compared, hash) })
	for n, a := range []*people.Attempt{
		attempt("wrong@acme.example", "not the passphrase"), attempt("disabled@acme.example", passphrase),
		attempt("unknown@acme.example", passphrase),
		{Organization: "unknown", Email: "kari@acme.example", Passphrase: passphrase, Address: "192.0.2.9"},
	} {
		_, err := p.SignIn(t.Context(), a)
		var f *fault.Error
		require.ErrorAs(t, err, &f)
		require.Equal(t, fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("sign_in.failed")}, *f)
		// Next to a comparison, all else that is done takes no time; and all take as long.
		require.Len(t, compared, n+1)
		require.Regexp(t, `^\$argon2id\$v=19\$m=47104,t=1,p=1\$.{22}\$.{43}$`, compared[n])
	}
}

// TestRepeatedFailuresArePaused is number 7: 100 wrong tries, over two instances.
func TestRepeatedFailuresArePaused(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	p.add("kari@acme.example", "admin")
	p.add("ola@acme.example", "admin")
	instances := []*people.Operations{p.Operations, p.another()}
	var longest time.Duration
	for n := range 100 {
		o := instances[n%2]
		a := attempt("kari@acme.example", "not the passphrase")
		_, err := o.SignIn(t.Context(), a)
		waited := time.Duration(0)
		for fault.KindOf(err) == fault.RateLimited {
			p.forward(time.Second)
			waited += time.Second
			if waited%time.Minute == 0 {
				p.forward(time.Minute) // the longest pauses need not be counted by the second
				waited += time.Minute
			}
			_, err = o.SignIn(t.Context(), a)
		}
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
		require.Equal(t, n < 5, waited == 0, "try %d waited %s", n, waited)
		longest = max(longest, waited)
		if n == 20 {
			break // and so on, at the longest pause
		}
	}
	require.Greater(t, longest, 10*time.Minute)
	_, err := p.signIn("kari@acme.example", passphrase)
	require.Equal(t, fault.RateLimited, fault.KindOf(err), "the right one has to wait too")
	_, err = p.signIn("ola@acme.example", passphrase)
	require.NoError(t, err, "others do not")
	p.forward(time.Hour)
	_, err = p.signIn("kari@acme.example", passphrase)
	require.NoError(t, err)
	_, err = p.signIn("kari@acme.example", "not the passphrase")
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "who has signed in begins anew")
}

// TestCodesWorkOnce is number 10, of one-time passwords and recovery codes.
func TestCodesWorkOnce(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	user := p.add("kari@acme.example", "admin")
	kari := caller.Caller{OrgID: p.org, Kind: caller.Person, ID: user.ID, Cause: "r-1"}
	seed, err := p.BeginTOTP(t.Context(), kari, user.ID)
	require.NoError(t, err)
	in, err := p.signIn("kari@acme.example", passphrase)
	require.NoError(t, err)
	require.NotNil(t, in.Session, "a seed counts once it is confirmed")
	recovery, err := p.ConfirmTOTP(t.Context(), kari, user.ID, now(t, p, seed.Secret))
	require.NoError(t, err)
	require.Len(t, recovery, 10)
	p.forward(time.Minute)

	finish := func(code string) error {
		in, err := p.signIn("kari@acme.example", passphrase)
		require.NoError(t, err)
		require.Nil(t, in.Session)
		_, err = p.FinishSignIn(t.Context(), attempt("", ""), in.Pending, code)
		if err == nil {
			_, again := p.FinishSignIn(t.Context(), attempt("", ""), in.Pending, recovery[9])
			require.Error(t, again, "what was begun ends once")
		}
		return err
	}
	code := now(t, p, seed.Secret)
	require.NoError(t, finish(code))
	require.Error(t, finish(code), "the same one again")
	p.forward(time.Minute)
	require.NoError(t, finish(now(t, p, seed.Secret)))
	require.NoError(t, finish(recovery[0]))
	p.forward(time.Hour)
	require.Error(t, finish(recovery[0]))
	p.forward(time.Hour)
	require.NoError(t, finish(recovery[1]))
}

func now(t *testing.T, p *staff, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, p.clock())
	require.NoError(t, err)
	return code
}

// TestManySignInsAtOnceKeepTheirMemory has fifty users sign in concurrently.
func TestManySignInsAtOnceKeepTheirMemory(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	p.add("kari@acme.example", "admin")
	var all sync.WaitGroup
	errs := make(chan error, 50)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for n := range 50 {
		all.Go(func() {
			a := attempt("unknown@acme.example", passphrase)
			a.Organization = string(rune('a'+n%26)) + "x" + string(rune('a'+n/26))
			_, err := p.SignIn(ctx, a)
			errs <- err
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	}
	require.Less(t, residentMiB(t), 1000, "each of them takes 46 MiB, and other tests take some as well")
}

// TestIPv6NetworkSharesALimit fails from networks of one /48, each of which has
// tries left, and from another one.
func TestIPv6NetworkSharesALimit(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	from := func(network string) fault.Kind {
		_, err := p.SignInWithPasskey(t.Context(), &people.Attempt{Address: network}, "none", nil)
		return fault.KindOf(err)
	}
	for i := range 1_000 {
		require.Equal(t, fault.Unauthenticated, from(fmt.Sprintf("2001:db8:1:%x::/64", i/50)))
	}
	require.Equal(t, fault.RateLimited, from("2001:db8:1:fffe::/64"))
	require.Equal(t, fault.Unauthenticated, from("2001:db8:2::/64"))
}

func TestPasskeyRequestsPerNetworkAreLimited(t *testing.T) {
	t.Parallel()
	p := newStaff(t)
	ask := func(network string) error {
		_, err := p.BeginPasskeySignIn(t.Context(), &people.Attempt{Address: network})
		return err
	}
	for range 100 {
		require.NoError(t, ask("203.0.113.7/32"))
	}
	require.Equal(t, fault.RateLimited, fault.KindOf(ask("203.0.113.7/32")))
	require.NoError(t, ask("203.0.113.8/32"))
	p.forward(2 * time.Minute)
	require.NoError(t, ask("203.0.113.7/32"))
}
