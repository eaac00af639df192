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
)

// withTOTP gives somebody one-time passwords and returns what makes them.
func (o *office) withTOTP(user int64) (next func() string) {
	o.T.Helper()
	by := caller.Caller{OrgID: o.org, Kind: caller.Person, ID: user, Cause: "test"}
	seed, err := o.ops.BeginTOTP(o.T.Context(), by, user)
	require.NoError(o.T, err)
	next = func() string {
		o.Clock.Forward(time.Minute)
		code, err := totp.GenerateCode(seed.Secret, o.Clock.Now())
		require.NoError(o.T, err)
		return code
	}
	_, err = o.ops.ConfirmTOTP(o.T.Context(), by, user, next())
	require.NoError(o.T, err)
	return next
}

// TestALostFactorIsTakenAway has an administrator remove somebody's second factor.
func TestALostFactorIsTakenAway(t *testing.T) {
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
		`select count(*) from events where org_id = $1 and subject_id = $2 and kind = 'user.factor_removed'`, o.org, id).Scan(&told))
	require.Equal(t, 1, told, "its owner is told once")
}
