package caller

import "slices"

// AnyKey is how a set names the API keys.
const AnyKey = "key"

// Set lists the callers that may call an operation, as in the contract's
// x-callers: AnyKey, or roles. The empty set contains no caller.
type Set []string

// Has reports whether the set contains a caller. People and devices match by
// their roles; the service itself, carriers and providers never match.
func (s Set) Has(c Caller) bool {
	switch c.Kind {
	case Key:
		return slices.Contains(s, AnyKey)
	case Person, Device:
		return slices.ContainsFunc(c.Roles, func(r Role) bool { return r != AnyKey && slices.Contains(s, string(r)) })
	case System, Carrier, Provider:
	}
	return false
}
