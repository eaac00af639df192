package edge

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"waybill/api/contract"
	"waybill/domain/fault"
)

// asFault converts errors of the libraries at the edge to faults: of reading
// the body, of parameters in generated code, and timeouts. It returns all
// others unchanged.
func (e *Edge) asFault(r *http.Request, err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &fault.Error{
			Kind: fault.TooLarge, Text: fault.Say("request.too_large", "limit", sizeOf(tooLarge.Limit)), Cause: err,
		}
	}
	var broken *brokenBody
	if errors.As(err, &broken) {
		return broken.fault()
	}
	if f := e.parameterFault(r, err); f != nil {
		return f
	}
	if fault.KindOf(err) != fault.Internal {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(r.Context().Err(), context.DeadlineExceeded) {
		return &fault.Error{Kind: fault.Unavailable, Text: fault.Say("service.timeout"), Cause: err}
	}
	return err
}

// sizeOf writes a number of bytes for people.
func sizeOf(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " B"
}

// parameterFault names the parameter that the generated code could not use.
func (e *Edge) parameterFault(r *http.Request, err error) *fault.Error {
	var missing *contract.RequiredParamError
	var header *contract.RequiredHeaderError
	var format *contract.InvalidParamFormatError
	var unmarshal *contract.UnmarshalingParamError
	var cookie *contract.UnescapedCookieParamError
	var many *contract.TooManyValuesForParamError
	switch {
	case errors.As(err, &missing):
		return fault.Field(missing.ParamName, fault.Say("param.required"))
	case errors.As(err, &header):
		return fault.Field(header.ParamName, fault.Say("param.required"))
	case errors.As(err, &many):
		return fault.Field(many.ParamName, fault.Say("param.single"))
	case errors.As(err, &format):
		return fault.Field(format.ParamName, e.formatText(r, format.ParamName))
	case errors.As(err, &unmarshal):
		return fault.Field(unmarshal.ParamName, fault.Say("param.format"))
	case errors.As(err, &cookie):
		return fault.Field(cookie.ParamName, fault.Say("param.format"))
	}
	return nil
}

// formatText describes the expected form of a parameter.
func (e *Edge) formatText(r *http.Request, name string) fault.Text {
	op := e.operationOf(r)
	if op == nil {
		return fault.Say("param.format")
	}
	switch op.Formats[name] {
	case "date":
		return fault.Say("param.date")
	case "date-time":
		return fault.Say("param.timestamp")
	case "integer":
		return fault.Say("param.integer")
	case "number":
		return fault.Say("param.number")
	case "boolean":
		return fault.Say("param.boolean")
	}
	return fault.Say("param.format")
}

// FailDecoding answers errors of the generated code while it decodes a body.
func (e *Edge) FailDecoding(w http.ResponseWriter, r *http.Request, err error) {
	e.Fail(w, r, BodyFault(err))
}

// BodyFault returns the fault for an invalid JSON body.
func BodyFault(err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	var tooLarge *http.MaxBytesError
	var broken *brokenBody
	var unknown *contract.UnknownFieldError
	switch {
	case errors.As(err, &unknown):
		return fault.Field(unknown.Field,
			fault.Say("request.unknown_field", "name", unknown.Field, "allowed", strings.Join(unknown.Known, ", ")))
	case errors.As(err, &tooLarge), errors.As(err, &broken), fault.KindOf(err) != fault.Internal:
		return err
	case errors.As(err, &syntax):
		return fault.Field("", fault.Say("request.malformed_json", "offset", strconv.FormatInt(syntax.Offset, 10)))
	case errors.As(err, &wrong):
		return fault.Field(wrong.Field, wrongType(wrong))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Field("", fault.Say("request.truncated"))
	}
	f := fault.Field("", fault.Say("request.unreadable"))
	f.Cause = err
	return f
}

func wrongType(e *json.UnmarshalTypeError) fault.Text {
	got, detail, _ := strings.Cut(e.Value, " ")
	if got == "bool" {
		got = "boolean"
	}
	switch e.Type.Kind() {
	case reflect.Bool:
		return fault.Say("request.wrong_type.boolean", "got", got)
	case reflect.String:
		return fault.Say("request.wrong_type.string", "got", got)
	case reflect.Slice, reflect.Array:
		return fault.Say("request.wrong_type.array", "got", got)
	case reflect.Struct, reflect.Map:
		return fault.Say("request.wrong_type.object", "got", got)
	case reflect.Float32, reflect.Float64:
		return fault.Say("request.wrong_type.number", "got", got)
	}
	if detail != "" {
		return fault.Say("request.number_out_of_range")
	}
	return fault.Say("request.wrong_type.integer", "got", got)
}
