package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization"
	"waybill/domain/organization/file"
	"waybill/store/masterdata"
)

func TestApplyUsers(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const two = head + `
departments: [{name: Oslo}]
users:
  - {email: kari@x.example, name: Kari, roles: [admin, Support], language: nb, department: Oslo}
  - {email: ola@x.example, roles: [dispatcher]}
`
	const kari = "kari@x.example Kari invited document t nb t admin+support|"
	all := func() string {
		return one[string](d, `select string_agg(concat_ws(' ', u.email, u.name, u.state, u.source, u.invited_at is not
			null, coalesce(u.language, '-'),
			coalesce(u.department_id, 0) <> 0, (select string_agg(r.name, '+' order by r.id) from user_roles m join roles r
				on r.id = m.role_id
				where m.user_id = u.id)), '|' order by id) from users u`)
	}
	require.Equal(t, "+2 ~0 =0 -0", d.done(two, masterdata.Options{DryRun: true})["users"])
	require.Zero(t, one[int](d, "select count(*)::int from users"))
	require.Equal(t, "+2 ~0 =0 -0", d.done(two, masterdata.Options{})["users"])
	require.Equal(t, kari+"ola@x.example ola@x.example invited document t - f dispatcher", all())
	require.Equal(t, "+0 ~0 =2 -0", d.done(two, masterdata.Options{})["users"], "the same again writes nothing")

	// Disabled users stay disabled, and users that are left out are not
	// changed.
	_, err := d.owner.Exec(t.Context(), "update users set state = 'disabled' where email = 'ola@x.example'")
	require.NoError(t, err)
	const other = head + "users: [{email: OLA@x.example, name: Ola, roles: [driver]}]\n"
	require.Equal(t, "+0 ~1 =0 -0", d.done(other, masterdata.Options{Prune: true})["users"])
	require.Equal(t, kari+"ola@x.example Ola disabled document t - f driver", all())
	require.Equal(t, "user.created user.invited user.created user.invited user.updated",
		one[string](d, "select string_agg(kind, ' ' order by id) from events where subject_type = 'user'"))

	// An administrator with a pending invitation does not count as a remaining
	// one.
	_, err = d.owner.Exec(t.Context(), "update users set state = 'active' where email = 'kari@x.example'")
	require.NoError(t, err)
	for users, path := range map[string]string{
		"roles: [admin, king]": "users[1].roles[1]", "roles: [support]": "users", // no administrator would be left
	} {
		_, err := d.apply(head+"users: [{email: never@x.example, roles: [admin]}, {email: kari@x.example, "+users+"}]\n",
			masterdata.Options{})
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, users)
		require.Equal(t, path, problems[0].Path)
	}
	require.Contains(t, all(), "admin+support")
}

func TestUsersOfADocumentAreChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{email: x, roles: [admin]}`: "users[0].email", `{email: x@x.example}`: "users[0].roles",
		`{email: x@x.example, roles: [admin], language: sv}`:                          "users[0].language",
		`{email: x@x.example, roles: [admin]}, {email: X@x.example, roles: [driver]}`: "users[1].email",
		`{email: x@x.example, roles: [admin], passphrase: correct horse battery}`:     "users[0].passphrase",
	} {
		_, err := file.Read([]byte(head + "users: [" + text + "]\n"))
		var problems organization.Problems
		require.ErrorAs(t, err, &problems, text)
		require.Equal(t, want, problems[0].Path, text)
	}
}
