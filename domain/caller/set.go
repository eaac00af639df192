package caller

import "slices"

// AnyKey is how a set names the API keys.
const AnyKey = "key"

// Set are the callers that may ask for something, as x-callers of the contract
// names them: AnyKey, or a role. The empty set has nobody in it.
type Set []string

// Has reports whether a caller is in the set. A person or device is when one of
// its roles is; the service itself, carriers and providers never are.
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
