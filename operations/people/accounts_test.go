package people_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/account"
	"waybill/store"
)

// residentMiB is how much memory the process has had at most.
func residentMiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			require.NoError(t, err)
			return kib / 1024
		}
	}
	t.Fatal("the system does not tell")
	return 0
}

func setState(t *testing.T, p *staff, id int64, state account.State) {
	t.Helper()
	_, err := p.ChangeUser(t.Context(), p.operator(), id, func(u store.User) (store.UserDetails, account.State, error) {
		return detailsOf(u), state, nil
	})
	require.NoError(t, err)
}

func detailsOf(u store.User) store.UserDetails {
	d := store.UserDetails{
		Email: u.Email, Name: u.Name, Language: u.Language, DriverID: u.DriverID, DepartmentID: u.DepartmentID,
	}
	for _, r := range u.Roles {
		d.RoleIDs = append(d.RoleIDs, r.ID)
	}
	return d
}
