package notification

import "fmt"

// Key names what is to be said to whom: one event, one rule, one receiver by
// its place among the rule's receivers. It names nobody.
type Key struct {
	EventID  int64
	RuleID   int64
	Receiver int32
}

// String writes the key as it stands in the log and in workflow IDs.
func (k Key) String() string { return fmt.Sprintf("%d-%d-%d", k.EventID, k.RuleID, k.Receiver) }

// ParseKey reads what String writes.
func ParseKey(text string) (Key, error) {
	var k Key
	n, err := fmt.Sscanf(text, "%d-%d-%d", &k.EventID, &k.RuleID, &k.Receiver)
	if err != nil || n != 3 || k.String() != text {
		return Key{}, fmt.Errorf("invalid message key %q", text)
	}
	return k, nil
}
