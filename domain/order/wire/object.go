package wire

import (
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
)

// ReadObject reads a body that is one JSON object, member by member, as
// strictly as an import is read. A fault of kind Invalid names the place;
// errors of r and of read are returned as they are.
func ReadObject(r io.Reader, read func(name string, raw jsontext.Value) error) error {
	o := newObject(r)
	return o.read(func(name string) error {
		raw, err := o.in.ReadValue()
		if err != nil {
			return err
		}
		return read(name, raw)
	})
}

// object reads one JSON object without anything after it.
type object struct {
	source *source
	in     *jsontext.Decoder
	// inside names the element that is being read; it is empty outside of lists
	// that are read element by element.
	inside string
}

func newObject(r io.Reader) object {
	s := &source{Reader: &unmarked{Reader: r}}
	return object{source: s, in: jsontext.NewDecoder(s)}
}

// read calls member for the name of each member; member reads its value.
func (o *object) read(member func(name string) error) error {
	err := o.members(member)
	if err == nil {
		err = o.atEnd()
	}
	return o.explain(err)
}

func (o *object) members(member func(name string) error) error {
	if o.in.PeekKind() != '{' {
		if _, err := o.in.ReadValue(); err != nil {
			return err
		}
		return fault.Field("", fault.Say("request.not_an_object"))
	}
	if _, err := o.in.ReadToken(); err != nil {
		return err
	}
	for o.in.PeekKind() == '"' {
		name, err := o.in.ReadToken()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := o.in.ReadToken()
	return err
}

// atEnd refuses anything after the object.
func (o *object) atEnd() error {
	_, err := o.in.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.Field("", fault.Say("request.trailing_data"))
}

// explain turns an error into a fault that names the place.
func (o *object) explain(err error) error {
	var known *fault.Error
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case o.source.err != nil:
		return o.source.err
	case errors.As(err, &known):
		return known
	case errors.As(err, &syntax):
		return o.malformed(syntax)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Field("", fault.Say("request.truncated"))
	}
	return err
}

// malformed reports the position and cause of a JSON error.
func (o *object) malformed(err *jsontext.SyntacticError) error {
	offset := strconv.FormatInt(err.ByteOffset, 10)
	text := fault.Say("request.malformed_json", "offset", offset)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = fault.Say("request.truncated")
	case errors.Is(err, jsontext.ErrDuplicateName):
		text = fault.Say("request.duplicate_member", "offset", offset)
	}
	f := fault.Field(o.place(err.JSONPointer), text)
	f.Cause = err.Err
	return f
}

// place returns the path of the element or member with invalid JSON. It goes no
// deeper: inside a value that the decoder is still reading, its pointer may
// consist of bytes that have moved on.
func (o *object) place(pointer jsontext.Pointer) string {
	if o.inside != "" {
		return o.inside
	}
	for member := range pointer.Tokens() {
		return fault.Clip(member)
	}
	return ""
}

// source records the error of a reader. The decoder itself can distinguish that
// from bad JSON only between values.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.err = err
	}
	return n, err
}
