package notification

import "fmt"

// Key identifies a message: one event, one rule, and one receiver by its
// place among the rule's receivers. It contains no personal data.
type Key struct {
	EventID  int64
	RuleID   int64
	Receiver int32
}

// String returns the key in the form used in the log and in workflow IDs.
func (k Key) String() string { return fmt.Sprintf("%d-%d-%d", k.EventID, k.RuleID, k.Receiver) }

// ParseKey parses the result of String.
func ParseKey(text string) (Key, error) {
	var k Key
	n, err := fmt.Sscanf(text, "%d-%d-%d", &k.EventID, &k.RuleID, &k.Receiver)
	if err != nil || n != 3 || k.String() != text {
		return Key{}, fmt.Errorf("invalid message key %q", text)
	}
	return k, nil
}
