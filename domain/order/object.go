package order

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
)

// ReadObject reads a body that is one JSON object, member by member, as
// strictly as an import is read. A fault of kind Invalid names the place;
// errors of r and of read are returned as they are.
func ReadObject(r io.Reader, read func(name string, raw jsontext.Value) error) error {
	d := decoder{source: &source{Reader: r}, entry: -1}
	d.in = jsontext.NewDecoder(d.source)
	d.other = func(name string) error {
		raw, err := d.in.ReadValue()
		if err != nil {
			return err
		}
		return read(name, raw)
	}
	if err := d.body(); err != nil {
		return d.explain(err)
	}
	return nil
}

// ReadValue reads a JSON value into to, which is named at in faults.
func ReadValue(raw jsontext.Value, at string, to any) error {
	return decodeValue(raw, at, to)
}

// ReadRequest reads one order, which is named at in faults.
func ReadRequest(raw jsontext.Value, at string) (Request, error) {
	var request Request
	if raw.Kind() != '{' {
		return request, fault.Field(at, wrongType("object", raw.Kind()))
	}
	err := decodeValue(raw, at, &request)
	return request, err
}
