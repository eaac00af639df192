package caller

import "slices"

// Whole returns unrestricted grants of roles.
func Whole(roles ...Role) []Grant {
	grants := make([]Grant, len(roles))
	for i, role := range roles {
		grants[i] = Grant{Role: role}
	}
	return grants
}

// contains reports whether the grant allows everything that a role allows on one tag,
// or on all of them when whole is set. An administrator's role contains every other role; no
// other role contains another one.
func (g Grant) contains(role Role, tag string, whole bool) bool {
	if g.Role != role && g.Role != Admin {
		return false
	}
	return g.Tags == nil || !whole && slices.Contains(g.Tags, tag)
}

// Hold reports whether grants together allow everything that another grant allows.
func Hold(held []Grant, other Grant) bool {
	has := func(tag string, whole bool) bool {
		return slices.ContainsFunc(held, func(g Grant) bool { return g.contains(other.Role, tag, whole) })
	}
	if other.Tags == nil {
		return has("", true)
	}
	return !slices.ContainsFunc(other.Tags, func(tag string) bool { return !has(tag, false) })
}

// MayGive reports whether the caller may grant all of these roles to somebody.
// Nobody can grant more than they have. The service itself may grant
// everything. API keys, devices, carriers and providers grant nothing.
func (c Caller) MayGive(grants ...Grant) bool {
	switch c.Kind {
	case System:
		return true
	case Person:
		held := c.Grants
		if len(held) == 0 {
			held = Whole(c.Roles...)
		}
		return !slices.ContainsFunc(grants, func(g Grant) bool { return !Hold(held, g) })
	case Key, Device, Carrier, Provider:
	}
	return false
}

// MayGiveAll reports whether the caller may hand out the whole organization, as an API
// key or an identity provider does.
func (c Caller) MayGiveAll() bool { return c.MayGive(Grant{Role: Admin}) }
