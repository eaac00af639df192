package people

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// newRelyingParty returns the relying party of passkeys: the service at its
// public address. It is nil unless that is a name, because browsers support
// passkeys only for names.
func newRelyingParty(publicURL string) *webauthn.WebAuthn {
	address, err := url.Parse(publicURL)
	if err != nil || address.Hostname() == "" {
		return nil
	}
	if _, err := netip.ParseAddr(address.Hostname()); err == nil {
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: "Waybill", RPOrigins: []string{address.Scheme + "://" + address.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil
	}
	return party
}

// HasPasskeys reports whether browsers can have passkeys for the service.
func (o *Operations) HasPasskeys() bool { return o.relyingParty != nil }

func (o *Operations) passkeyParty() (*webauthn.WebAuthn, error) {
	if o.relyingParty == nil {
		return nil, fault.Illegal("passkey.unavailable", "passkey", "")
	}
	return o.relyingParty, nil
}

// PasskeyRequest are the options for the browser, and the secret with which to
// return its response.
type PasskeyRequest struct {
	Pending string
	Options any
}

// BegunPasskey is the data of a request until the browser responds.
type begunPasskey struct {
	Org, User int64
	Session   *webauthn.SessionData
}

// BeginPasskey begins creating a passkey of a user.
func (o *Operations) BeginPasskey(ctx context.Context, c caller.Caller, user int64) (PasskeyRequest, error) {
	party, err := o.passkeyParty()
	if err != nil {
		return PasskeyRequest{}, err
	}
	holder, err := o.passkeyHolder(ctx, c.OrgID, user)
	if err != nil {
		return PasskeyRequest{}, err
	}
	if len(holder.credentials) >= account.MostPasskeys {
		return PasskeyRequest{}, tooManyPasskeys(user)
	}
	options, session, err := party.BeginRegistration(holder,
		webauthn.WithExclusions(webauthn.Credentials(holder.credentials).CredentialDescriptors()))
	if err != nil {
		return PasskeyRequest{}, fmt.Errorf("request a passkey: %w", err)
	}
	return o.askForPasskey(ctx, newPasskey, begunPasskey{c.OrgID, user, session}, options)
}

func tooManyPasskeys(user int64) error {
	return fault.Illegal("passkey.too_many", "user", fmt.Sprint(user))
}

func (o *Operations) askForPasskey(
	ctx context.Context, kind challengeKind, begun begunPasskey, options any,
) (PasskeyRequest, error) {
	pending, err := o.challenge(ctx, kind, begun)
	return PasskeyRequest{Pending: pending, Options: options}, err
}

// AddPasskey keeps the passkey that a browser has made for a user by a request.
func (o *Operations) AddPasskey(
	ctx context.Context, c caller.Caller, user int64, pending, name string, answer json.RawMessage,
) (added store.Passkey, err error) {
	party, err := o.passkeyParty()
	if err != nil {
		return store.Passkey{}, err
	}
	var begun begunPasskey
	switch ok, err := o.met(ctx, newPasskey, pending, &begun); {
	case err != nil:
		return store.Passkey{}, err
	case !ok || begun.Org != c.OrgID || begun.User != user:
		return store.Passkey{}, codeUnusable()
	}
	holder, err := o.passkeyHolder(ctx, c.OrgID, user)
	if err != nil {
		return store.Passkey{}, err
	}
	credential, err := finishPasskey(party, holder, begun.Session, answer)
	if err != nil {
		return store.Passkey{}, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.invalid"), Cause: err,
			Violations: []fault.Violation{{Field: "credential", Text: fault.Say("passkey.bad")}},
		}
	}
	return o.keepPasskey(ctx, c, user, name, credential)
}

func finishPasskey(
	party *webauthn.WebAuthn, holder passkeyHolder, session *webauthn.SessionData, answer json.RawMessage,
) (*webauthn.Credential, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return nil, err
	}
	return party.CreateCredential(holder, *session, parsed)
}

func (o *Operations) keepPasskey(
	ctx context.Context, c caller.Caller, user int64, name string, credential *webauthn.Credential,
) (added store.Passkey, err error) {
	added = store.Passkey{Name: name, CreatedAt: o.now()}
	if added.Credential, err = json.Marshal(credential); err != nil {
		return added, fmt.Errorf("write a passkey: %w", err)
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if _, err := t.LockUser(ctx, user); err != nil {
			return err
		}
		present, err := t.Passkeys(ctx, user)
		if err != nil {
			return err
		}
		if len(present) >= account.MostPasskeys {
			return tooManyPasskeys(user)
		}
		added.ID, err = t.CreatePasskey(ctx, store.NewPasskey{
			UserID: user, CredentialID: credential.ID, Credential: added.Credential, Name: name, At: added.CreatedAt,
		})
		if err != nil {
			return err
		}
		return t.Append(ctx, event.User{ID: user}.Session(event.PasskeyAdded, added.ID))
	})
	return added, err
}

// RemovePasskey ends a passkey of a user.
func (o *Operations) RemovePasskey(ctx context.Context, c caller.Caller, user, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		removed, err := t.RemovePasskey(ctx, user, id)
		if err != nil {
			return err
		}
		if !removed {
			return fault.Missing("passkey", fmt.Sprint(id))
		}
		return t.Append(ctx, event.User{ID: user}.Session(event.PasskeyRemoved, id))
	})
}

// BeginPasskeySignIn begins a sign-in with a passkey of any account. It is
// rate-limited per network.
func (o *Operations) BeginPasskeySignIn(ctx context.Context, a *Attempt) (PasskeyRequest, error) {
	party, err := o.passkeyParty()
	if err != nil {
		return PasskeyRequest{}, err
	}
	if err := o.admit(ctx, "passkey\x00"+a.Address, passkeyThrottle); err != nil {
		return PasskeyRequest{}, err
	}
	options, session, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return PasskeyRequest{}, fmt.Errorf("request a passkey: %w", err)
	}
	return o.askForPasskey(ctx, showsPasskey, begunPasskey{Session: session}, options)
}

// SignInWithPasskey opens a session for the owner of a passkey of an active
// account. The browser has verified the user, so no second factor is required.
// All failures get the same response.
func (o *Operations) SignInWithPasskey(
	ctx context.Context, a *Attempt, pending string, answer json.RawMessage,
) (*OpenedSession, error) {
	party, err := o.passkeyParty()
	if err != nil {
		return nil, err
	}
	if err := o.admitFrom(ctx, a.Address); err != nil {
		return nil, err
	}
	var begun begunPasskey
	switch ok, err := o.met(ctx, showsPasskey, pending, &begun); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, signInFailed()
	}
	holder, credential, err := o.checkPasskey(ctx, party, begun.Session, answer)
	if err != nil {
		return nil, err
	}
	kept, err := json.Marshal(credential)
	if err != nil {
		return nil, fmt.Errorf("write a passkey: %w", err)
	}
	err = o.store.InTx(ctx, person(holder.org, holder.user.ID, a.Cause), func(t *store.Tx) error {
		return t.UsePasskey(ctx, holder.user.ID, credential.ID, kept, o.now())
	})
	if err != nil {
		return nil, err
	}
	return o.letIn(ctx, a, holder.org, &holder.user)
}

// checkPasskey returns the owner of a passkey, and its new record. It rejects a
// passkey whose use counter has decreased, because it was copied.
func (o *Operations) checkPasskey(
	ctx context.Context, party *webauthn.WebAuthn, session *webauthn.SessionData, answer json.RawMessage,
) (holder passkeyHolder, _ *webauthn.Credential, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return holder, nil, signInFailed()
	}
	var failed error // internal failures, rather than invalid passkeys
	_, credential, err := party.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		org, user, ok := readHandle(handle)
		if !ok {
			return nil, store.ErrNotFound
		}
		if holder, err = o.passkeyHolder(ctx, org, user); err != nil && !errors.Is(err, store.ErrNotFound) {
			failed = err
		}
		return holder, err
	}, *session, parsed)
	switch {
	case failed != nil:
		return holder, nil, failed
	case err != nil || credential.Authenticator.CloneWarning || account.State(holder.user.State) != account.Active:
		return holder, nil, signInFailed()
	}
	return holder, credential, nil
}

// passkeyHolder is a user in the form of the WebAuthn library.
type passkeyHolder struct {
	org         int64
	user        store.Credentials
	credentials []webauthn.Credential
}

func (o *Operations) passkeyHolder(ctx context.Context, org, user int64) (holder passkeyHolder, err error) {
	holder.org = org
	if holder.user, err = o.store.Credentials(ctx, org, user); err != nil {
		return holder, err
	}
	keys, err := o.store.Passkeys(ctx, org, user)
	if err != nil {
		return holder, err
	}
	holder.credentials = make([]webauthn.Credential, len(keys))
	for i, key := range keys {
		if err := json.Unmarshal(key.Credential, &holder.credentials[i]); err != nil {
			return holder, fmt.Errorf("read passkey %d: %w", key.ID, err)
		}
	}
	return holder, nil
}

// handleSize is the length of the handle by which a passkey identifies its
// account: the ids of organization and user, which mean nothing to others.
const handleSize = 16

// WebAuthnID is the handle of the account.
func (h passkeyHolder) WebAuthnID() []byte {
	handle := binary.BigEndian.AppendUint64(make([]byte, 0, handleSize), uint64(h.org))
	return binary.BigEndian.AppendUint64(handle, uint64(h.user.ID))
}

func readHandle(handle []byte) (org, user int64, ok bool) {
	if len(handle) != handleSize {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(handle)), int64(binary.BigEndian.Uint64(handle[handleSize/2:])), true
}

// WebAuthnName is how browsers list the account.
func (h passkeyHolder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName is the name of the owner.
func (h passkeyHolder) WebAuthnDisplayName() string { return h.user.Name }

// WebAuthnCredentials are the passkeys that the account has.
func (h passkeyHolder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }
