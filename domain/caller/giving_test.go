package caller_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
)

func grant(role caller.Role, tags ...string) caller.Grant {
	return caller.Grant{Role: role, Tags: tags}
}

var (
	people  = grant(caller.Admin, "People")
	orders  = grant(caller.Admin, "Orders")
	support = grant(caller.Support, "People", "Orders")
)

func TestHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		held  []caller.Grant
		other caller.Grant
		want  bool
	}{
		"nothing holds nothing":             {nil, grant(caller.Support), false},
		"a whole role holds itself":         {caller.Whole(caller.Support), grant(caller.Support), true},
		"a whole role holds a part of it":   {caller.Whole(caller.Support), grant(caller.Support, "Orders"), true},
		"a whole administrator holds all":   {caller.Whole(caller.Admin), grant(caller.Dispatcher), true},
		"a whole administrator holds parts": {caller.Whole(caller.Admin), grant(caller.Driver, "Account"), true},
		"a dispatcher holds no support":     {caller.Whole(caller.Dispatcher), grant(caller.Support), false},
		"a dispatcher is no administrator":  {caller.Whole(caller.Dispatcher), grant(caller.Admin, "Orders"), false},
		"a part holds itself":               {[]caller.Grant{people}, people, true},
		"a part holds the same of a lower role": {
			[]caller.Grant{grant(caller.Admin, "People", "Orders")}, grant(caller.Support, "Orders"), true,
		},
		"a part holds no more":       {[]caller.Grant{people}, support, false},
		"a part holds nothing whole": {[]caller.Grant{grant(caller.Admin, "People")}, grant(caller.Support), false},
		"parts add up": {
			[]caller.Grant{people, orders}, grant(caller.Admin, "Orders", "People"), true,
		},
		"a part beside a whole role": {
			[]caller.Grant{grant(caller.Admin, "People"), grant(caller.Dispatcher)}, grant(caller.Dispatcher), true,
		},
		"a part of one role and a part of another": {
			[]caller.Grant{grant(caller.Admin, "People"), grant(caller.Dispatcher, "Orders")},
			grant(caller.Dispatcher, "People", "Orders"), true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, caller.Hold(c.held, c.other))
		})
	}
}

func TestGrantingPermissions(t *testing.T) {
	t.Parallel()
	admin, narrow := caller.Whole(caller.Admin), []caller.Grant{people}
	dispatcher := []caller.Role{caller.Dispatcher}
	for name, c := range map[string]struct {
		by         caller.Caller
		some, more bool // a grant of People, and everything
	}{
		"the service":             {caller.Service(1, ""), true, true},
		"an administrator":        {caller.Caller{Kind: caller.Person, Grants: admin}, true, true},
		"a role without grants":   {caller.Caller{Kind: caller.Person, Roles: []caller.Role{caller.Admin}}, true, true},
		"a narrow administrator":  {caller.Caller{Kind: caller.Person, Grants: narrow}, true, false},
		"a dispatcher":            {caller.Caller{Kind: caller.Person, Roles: dispatcher}, false, false},
		"somebody without a role": {caller.Caller{Kind: caller.Person}, false, false},
		"a key":                   {caller.Caller{Kind: caller.Key, Grants: admin}, false, false},
		"a phone":                 {caller.Caller{Kind: caller.Device, Roles: []caller.Role{caller.Admin}}, false, false},
		"a carrier":               {caller.Caller{Kind: caller.Carrier}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.some, c.by.MayGive(grant(caller.Admin, "People")))
			require.Equal(t, c.some, c.by.MayGive(grant(caller.Support, "People"), grant(caller.Admin, "People")))
			require.Equal(t, c.more, c.by.MayGive(grant(caller.Admin, "People"), grant(caller.Support)))
			require.Equal(t, c.more, c.by.MayGiveAll())
		})
	}
}
