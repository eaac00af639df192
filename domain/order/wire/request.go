package wire

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// DecodeRequest reads a single order as Decode reads those of an import: an
// object with the right JSON types and any values.
func DecodeRequest(r io.Reader) (order.Request, error) {
	o := newObject(r)
	request, err := o.request()
	if err == nil {
		err = o.atEnd()
	}
	if err != nil {
		return order.Request{}, o.explain(err)
	}
	return request, nil
}

func (o *object) request() (request order.Request, err error) {
	raw, err := o.in.ReadValue()
	if err != nil {
		return request, err
	}
	if raw.Kind() != '{' {
		return request, fault.Field("", fault.Say("request.not_an_object"))
	}
	err = ReadValue(raw, "", &request)
	return request, err
}

// ReadRequest reads one order, whose path in faults is at.
func ReadRequest(raw jsontext.Value, at string) (order.Request, error) {
	var request order.Request
	if raw.Kind() != '{' {
		return request, fault.Field(at, wrongType("object", raw.Kind()))
	}
	err := ReadValue(raw, at, &request)
	return request, err
}
