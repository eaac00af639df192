package people_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations/people"
)

// withTOTP sets up one-time passwords for a user and returns their generator.
func (o *office) withTOTP(user int64) (next func() string) {
	o.T.Helper()
	by := caller.Caller{OrgID: o.org, Kind: caller.Person, ID: user, Cause: "test"}
	seed, err := o.ops.People.BeginTOTP(o.T.Context(), by, user)
	require.NoError(o.T, err)
	next = func() string {
		o.Clock.Forward(time.Minute)
		code, err := totp.GenerateCode(seed.Secret, o.Clock.Now())
		require.NoError(o.T, err)
		return code
	}
	_, err = o.ops.People.ConfirmTOTP(o.T.Context(), by, user, next())
	require.NoError(o.T, err)
	return next
}

// wrongCode is six digits that are not the code.
func wrongCode(code string) string {
	if code[0] == '0' {
		return "1" + code[1:]
	}
	return "0" + code[1:]
}

// TestAFactorIsThrottledForItsAccount begins one sign-in after the other, each
// from its own network, and answers each with wrong codes.
func TestAFactorIsThrottledForItsAccount(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.add(o.org, "kari@acme.example", "support")
	code := o.withTOTP(id)
	other := o.add(o.org, "ola@acme.example", "support")
	others := o.withTOTP(other)
	begin := func(email, network string) string {
		in, err := o.ops.People.SignIn(t.Context(), &people.Attempt{
			Organization: "acme", Email: email, Passphrase: passphrase, Address: network,
		})
		require.NoError(t, err)
		return in.Pending
	}
	finish := func(pending, code string) int {
		return o.Send(http.MethodPost, "/v1/session/factor", fmt.Sprintf(`{"pending": %q, "code": %q}`, pending, code),
			"Content-Type", "application/json").Code
	}
	wrong := wrongCode(code())
	first, second := begin("kari@acme.example", "a"), begin("kari@acme.example", "b")
	for range 5 {
		require.Equal(t, http.StatusUnauthorized, finish(first, wrong))
	}
	require.Equal(t, http.StatusTooManyRequests, finish(second, wrong))
	require.Equal(t, http.StatusOK, finish(begin("ola@acme.example", "c"), others()), "another account is not affected")
	o.Clock.Forward(5 * time.Minute)
	require.Equal(t, http.StatusOK, finish(begin("kari@acme.example", "d"), code()), "the right one, after the pause")
	require.Equal(t, http.StatusUnauthorized, finish(begin("kari@acme.example", "e"), wrong), "all is forgiven")
}

// TestLostSecondFactorIsRemoved has an administrator remove a user's second
// factor.
func TestLostSecondFactorIsRemoved(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	id := o.add(o.org, "kari@acme.example", "support")
	o.withTOTP(id)
	require.Equal(t, http.StatusAccepted, o.signIn("acme", "kari@acme.example").Code)
	admin := o.as("admin@acme.example")
	path := fmt.Sprintf("/v1/users/%d/totp", id)
	o.Clock.Forward(11 * time.Minute)
	admin.refused(http.StatusForbidden, "REAUTHENTICATION_NEEDED", http.MethodDelete, path, "")
	admin = o.as("admin@acme.example")
	admin.ask(http.StatusNoContent, http.MethodDelete, path, "")
	require.Equal(t, http.StatusOK, o.signIn("acme", "kari@acme.example").Code)
	admin.ask(http.StatusNoContent, http.MethodDelete, path, "")
	admin.ask(http.StatusNotFound, http.MethodDelete, "/v1/users/999999/totp", "")
	var told int
	owner, err := pgx.Connect(t.Context(), o.db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	require.NoError(t, owner.QueryRow(t.Context(),
		`select count(*) from events where org_id = $1 and subject_id = $2 and kind = 'user.factor_removed'`,
		o.org, id).Scan(&told))
	require.Equal(t, 1, told, "its owner is told once")
}
