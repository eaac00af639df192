package wire

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order/wire"
)

// readMember reads a member that may be absent but not null: only endDate has
// a null that means something.
func readMember(name string, raw jsontext.Value, to any) error {
	if raw.Kind() == 'n' {
		return fault.Field(name, fault.Say("recurring_order.null"))
	}
	return wire.ReadValue(raw, name, to)
}

func readInstant(name string, raw jsontext.Value, to **time.Time) error {
	var text string
	if err := readMember(name, raw, &text); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.UTC().Year() < 1970 || at.UTC().Year() > 2199 {
		return fault.Field(name, fault.Say("recurring_order.bad_timestamp"))
	}
	at = at.UTC().Truncate(time.Second)
	*to = &at
	return nil
}
