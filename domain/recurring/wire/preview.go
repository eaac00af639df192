package wire

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/order/wire"
	"waybill/domain/recurring"
)

// ReadPreview reads a preview from JSON.
func ReadPreview(r io.Reader) (recurring.Preview, error) {
	p := recurring.Preview{Limit: recurring.DefaultPreview}
	err := wire.ReadObject(r, func(name string, raw jsontext.Value) error {
		switch name {
		case "rruleset":
			return readMember(name, raw, &p.RuleSet)
		case "startDate":
			return readInstant(name, raw, &p.Start)
		case "endDate":
			if raw.Kind() == 'n' {
				return nil
			}
			return readInstant(name, raw, &p.End)
		case "limit":
			return readMember(name, raw, &p.Limit)
		}
		return nil
	})
	return p, err
}
