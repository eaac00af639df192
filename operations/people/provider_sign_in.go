package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"strings"

	"golang.org/x/oauth2"

	"waybill/domain/account"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/providers/identity"
	"waybill/store"
)

// ReturnPath is where providers send people back to.
const ReturnPath = "/sign-in/callback"

// ProviderRedirect is the provider to which a user is redirected. Pending is stored in
// their browser, so that no other browser's response is accepted. Choices are
// the providers if there are several; then the rest is empty.
type ProviderRedirect struct {
	Address, Name, Pending string
	Choices                []store.IdentityProvider
}

// begunProviderSignIn is the data kept until the user returns.
type begunProviderSignIn struct {
	Org, Provider int64
	Asked         identity.Asked
}

// providerSignInFailed is the only error for an invalid return from a provider.
// cause is for the log.
func providerSignInFailed(cause error) error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("sign_in.elsewhere_failed"), Cause: cause}
}

// SignInWithProvider redirects a user to a provider of an organization: the one
// that slug names, or the only one.
func (o *Operations) SignInWithProvider(ctx context.Context, a *Attempt, slug string) (ProviderRedirect, error) {
	if err := o.admitFrom(ctx, a.Address); err != nil {
		return ProviderRedirect{}, err
	}
	org, err := o.store.OrganizationID(ctx, strings.ToLower(strings.TrimSpace(a.Organization)))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return ProviderRedirect{}, err
	}
	found, err := o.activeProviders(ctx, org, slug)
	if err != nil {
		return ProviderRedirect{}, err
	}
	switch len(found) {
	case 0:
		return ProviderRedirect{}, fault.Field("organization", fault.Say("sign_in.no_provider"))
	case 1:
		return o.goToProvider(ctx, org, &found[0])
	}
	return ProviderRedirect{Choices: found}, nil
}

func (o *Operations) activeProviders(ctx context.Context, org int64, slug string) (found []store.IdentityProvider, _ error) {
	all, err := o.store.IdentityProviders(ctx, org)
	for _, p := range all {
		if p.IsActive && (slug == "" || p.Slug == slug) {
			found = append(found, p)
		}
	}
	return found, err
}

func (o *Operations) goToProvider(ctx context.Context, org int64, p *store.IdentityProvider) (ProviderRedirect, error) {
	known, err := o.providerOf(ctx, p)
	if err != nil {
		return ProviderRedirect{}, err
	}
	begun := begunProviderSignIn{org, p.ID, identity.Asked{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
	}}
	address, err := o.identity.Address(ctx, known, begun.Asked)
	if err != nil {
		return ProviderRedirect{}, providerSignInFailed(err)
	}
	pending, err := o.challenge(ctx, providerSignIn, begun)
	return ProviderRedirect{Address: address, Name: p.Name, Pending: pending}, err
}

func (o *Operations) providerOf(ctx context.Context, p *store.IdentityProvider) (identity.Provider, error) {
	known := identity.Provider{
		Issuer: p.Issuer, ClientID: p.ClientID,
		Return: strings.TrimSuffix(o.settings.PublicURL, "/") + ReturnPath,
	}
	if p.SealedSecret == nil {
		return known, nil
	}
	secret, err := o.sealer.Open(ctx, o.store, p.SealedSecret)
	known.ClientSecret = string(secret)
	return known, err
}

// Returned is what a user returns with from a provider: the data in their
// browser, the state and the code.
type Returned struct{ Pending, State, Code string }

// ReturnFromProvider opens a session for a user who returns from a provider.
// An account is identified by its issuer and subject; the first time, by an
// email address that the provider has verified. The second factor is required
// if there is one.
func (o *Operations) ReturnFromProvider(ctx context.Context, a *Attempt, r Returned) (SignedIn, error) {
	var begun begunProviderSignIn
	switch ok, err := o.met(ctx, providerSignIn, r.Pending, &begun); {
	case err != nil:
		return SignedIn{}, err
	case !ok:
		return SignedIn{}, providerSignInFailed(nil)
	}
	if subtle.ConstantTimeCompare([]byte(begun.Asked.State), []byte(r.State)) != 1 || r.Code == "" {
		return SignedIn{}, providerSignInFailed(nil)
	}
	provider, err := o.store.IdentityProvider(ctx, begun.Org, begun.Provider)
	if err != nil || !provider.IsActive {
		return SignedIn{}, providerSignInFailed(err)
	}
	known, err := o.providerOf(ctx, &provider)
	if err != nil {
		return SignedIn{}, err
	}
	claims, err := o.identity.Redeem(ctx, known, begun.Asked, r.Code)
	if err != nil {
		return SignedIn{}, providerSignInFailed(err)
	}
	user, err := o.userOfClaims(ctx, a, begun.Org, &provider, &claims)
	if err != nil {
		return SignedIn{}, err
	}
	if user.HasTotp {
		pending, err := o.askForFactor(ctx, begun.Org, user.ID)
		return SignedIn{Pending: pending}, err
	}
	session, err := o.letIn(ctx, a, begun.Org, &user)
	return SignedIn{Session: session}, err
}

// userOfClaims returns the user of a provider's claims, creating or linking the
// account if needed.
func (o *Operations) userOfClaims(
	ctx context.Context, a *Attempt, org int64, p *store.IdentityProvider, claims *identity.Claims,
) (store.Credentials, error) {
	who := store.Identity{Issuer: p.Issuer, Subject: claims.Subject}
	id, err := o.store.UserOfIdentity(ctx, org, who)
	if errors.Is(err, store.ErrNotFound) {
		id, err = o.claimAccount(ctx, a, org, p, claims)
	}
	if err != nil {
		return store.Credentials{}, err
	}
	user, err := o.store.Credentials(ctx, org, id)
	if err == nil && account.State(user.State) != account.Active {
		err = noLinkedAccount(p)
	}
	return user, err
}

// noLinkedAccount rejects a user whom the provider knows but the
// organization does not.
func noLinkedAccount(p *store.IdentityProvider) error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("sign_in.no_account", "name", p.Name)}
}

// claimAccount links the account of a user who comes from a provider for the
// first time: the one with the address that the provider has verified, unless
// another user of the provider is linked to it.
func (o *Operations) claimAccount(
	ctx context.Context, a *Attempt, org int64, p *store.IdentityProvider, claims *identity.Claims,
) (id int64, err error) {
	email, ok := account.Email(claims.Email)
	if !ok || !claims.EmailVerified {
		return 0, noLinkedAccount(p)
	}
	user, err := o.store.CredentialsByEmail(ctx, org, email)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	if user.ID == 0 && p.NewUsersRoleID == 0 {
		return 0, noLinkedAccount(p)
	}
	err = o.store.InTx(ctx, person(org, user.ID, a.Cause), func(t *store.Tx) error {
		if id = user.ID; id == 0 {
			if id, err = o.createClaimed(ctx, t, p, email, claims.Name); err != nil {
				return err
			}
		}
		return o.link(ctx, t, p, id, claims.Subject)
	})
	return id, err
}

// createClaimed creates an account for a user without an invitation.
func (o *Operations) createClaimed(
	ctx context.Context, t *store.Tx, p *store.IdentityProvider, email, name string,
) (int64, error) {
	if name = strings.TrimSpace(name); name == "" {
		name = email
	}
	id, err := t.CreateUser(ctx, store.UserDetails{
		Email: email, Name: fault.Clip(name), RoleIDs: []int64{p.NewUsersRoleID},
	}, "api")
	if err != nil {
		return 0, err
	}
	return id, t.Append(ctx, event.User{ID: id}.Event(event.UserCreated))
}

// link links an external account to a user, and activates the user's account if
// needed.
func (o *Operations) link(ctx context.Context, t *store.Tx, p *store.IdentityProvider, user int64, subject string) error {
	present, err := t.LockUser(ctx, user)
	if err != nil {
		return err
	}
	taken, err := t.HasIdentity(ctx, user, p.Issuer)
	if err != nil {
		return err
	}
	if taken || present.State == account.Disabled {
		return noLinkedAccount(p)
	}
	if err := t.CreateIdentity(ctx, user, store.Identity{Issuer: p.Issuer, Subject: subject}, o.now()); err != nil {
		return err
	}
	events := []event.Event{event.User{ID: user}.Session(event.IdentityLinked, p.ID)}
	if present.State == account.Invited {
		events = append(events, event.User{ID: user}.Event(event.UserActivated))
		if err := t.SetUserState(ctx, user, account.Active); err != nil {
			return err
		}
		if err := t.EndAccountCodes(ctx, store.SessionOwner{UserID: user}, o.now()); err != nil {
			return err
		}
	}
	return t.Append(ctx, events...)
}
