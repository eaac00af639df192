package people_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestInvitedAdministratorDoesNotCount takes the last active administrator away while
// another one is only invited.
func TestInvitedAdministratorDoesNotCount(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	self := o.add(o.org, "admin@acme.example", "admin")
	o.invited("never@acme.example", "admin")
	admin := o.as("admin@acme.example")
	path := fmt.Sprintf("/v1/users/%d", self)
	admin.refused(http.StatusConflict, "USER_LAST_ADMIN", http.MethodPut, path,
		fmt.Sprintf(`{"role_ids": [%d]}`, o.role("support")))
	admin.refused(http.StatusConflict, "USER_LAST_ADMIN", http.MethodPut, path, `{"is_active": false}`)
	o.add(o.org, "second@acme.example", "admin")
	admin.ask(http.StatusOK, http.MethodPut, path, `{"is_active": false}`)
}
