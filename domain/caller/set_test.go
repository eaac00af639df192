package caller_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
)

func TestSet(t *testing.T) {
	t.Parallel()
	key := caller.Caller{Kind: caller.Key, ID: 3}
	support := caller.Caller{Kind: caller.Person, ID: 12, Roles: []caller.Role{caller.Support}}
	both := caller.Caller{Kind: caller.Person, ID: 13, Roles: []caller.Role{caller.Dispatcher, caller.Admin}}
	driver := caller.Caller{Kind: caller.Device, ID: 7, Roles: []caller.Role{caller.Driver}}
	for name, c := range map[string]struct {
		set caller.Set
		has []caller.Caller
	}{
		"nobody":            {caller.Set{}, nil},
		"keys":              {caller.Set{"key"}, []caller.Caller{key}},
		"one role":          {caller.Set{"support"}, []caller.Caller{support}},
		"any of the roles":  {caller.Set{"admin", "support"}, []caller.Caller{support, both}},
		"drivers' devices":  {caller.Set{"driver"}, []caller.Caller{driver}},
		"keys and a role":   {caller.Set{"key", "dispatcher"}, []caller.Caller{key, both}},
		"an unknown role":   {caller.Set{"owner"}, nil},
		"a role named keys": {caller.Set{"keys"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, who := range []caller.Caller{
				key, support, both, driver, caller.Service(1, ""),
				{Kind: caller.Carrier, Name: "key"},
				{Kind: caller.Provider, Name: "key"},
				{Kind: caller.Person, ID: 14},
			} {
				in := false
				for _, one := range c.has {
					in = in || one.Actor() == who.Actor()
				}
				require.Equal(t, in, c.set.Has(who), who.Actor())
			}
		})
	}
}

// TestKeysHaveNoRole sees to it that a person cannot pass for a key.
func TestKeysHaveNoRole(t *testing.T) {
	t.Parallel()
	person := caller.Caller{Kind: caller.Person, Roles: []caller.Role{caller.AnyKey}}
	require.False(t, caller.Set{caller.AnyKey}.Has(person))
}
