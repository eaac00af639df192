package people_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
)

// code makes a link of a user and returns the code in it.
func (o *office) code(user int64) string {
	o.T.Helper()
	link, err := o.ops.People.UserLink(o.T.Context(), caller.Service(o.org, "test"), user)
	require.NoError(o.T, err)
	_, code, found := strings.Cut(link, "#c=")
	require.True(o.T, found)
	return code
}

func (o *office) choose(path, code, passphrase string) int {
	o.T.Helper()
	return o.Send(http.MethodPut, path, fmt.Sprintf(`{"code": %q, "passphrase": %q}`, code, passphrase),
		"Content-Type", "application/json").Code
}

// TestANewerLinkEndsOlderOnes has no link outlive a newer one, or a change of the
// passphrase.
func TestANewerLinkEndsOlderOnes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	invited := o.invited("ola@acme.example", "support")
	first, second := o.code(invited), o.code(invited)
	require.Equal(t, http.StatusNotFound, o.choose("/v1/invitations", first, passphrase))
	require.Equal(t, http.StatusNoContent, o.choose("/v1/invitations", second, passphrase))

	id := o.add(o.org, "kari@acme.example", "support")
	first, second = o.code(id), o.code(id)
	require.Equal(t, http.StatusNotFound, o.choose("/v1/password-resets", first, another))
	o.as("kari@acme.example").ask(http.StatusNoContent, http.MethodPut, "/v1/account/passphrase",
		fmt.Sprintf(`{"present": %q, "passphrase": "tractor beam over lillehammer"}`, passphrase))
	require.Equal(t, http.StatusNotFound, o.choose("/v1/password-resets", second, another))
}
