package order

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
)

// The limits of one import request.
const (
	MaxEntries   = 10_000
	MaxBodyBytes = 64 << 20
)

// Body is an import request that has the right form: its entries can be
// judged, whatever they say.
type Body struct {
	Defaults Defaults
	// Entries are the orders as they were written, in the request's order.
	Entries []Entry
}

// Entry is one order of an import request, still in JSON.
type Entry struct {
	ExternalID string
	Raw        jsontext.Value
}

// Decode reads the body of an import. It keeps one entry at a time in Go
// values and all of them as text, so that a large import costs little more
// memory than its body. A fault of kind Invalid names the field, as in
// "orders[3].pickup.name"; more than MaxEntries orders are TooLarge. Errors of
// r are returned as they are.
func Decode(r io.Reader) (Body, error) { return decode(r, imports) }

func decode(r io.Reader, f format) (Body, error) {
	d := decoder{source: &source{Reader: r}, format: f}
	d.in = jsontext.NewDecoder(d.source)
	if err := d.body(); err != nil {
		return Body{}, d.explain(err)
	}
	if len(d.out.Entries) == 0 {
		return Body{}, fault.Field("orders", fault.Say("import.orders_empty"))
	}
	return d.out, nil
}

// DecodeRequest reads a single order as Decode reads those of an import: an
// object with the right JSON types, whatever it says.
func DecodeRequest(r io.Reader) (Request, error) {
	d := decoder{source: &source{Reader: r}, entry: -1}
	d.in = jsontext.NewDecoder(d.source)
	var request Request
	raw, err := d.in.ReadValue()
	if err == nil && raw.Kind() != '{' {
		err = fault.Field("", fault.Say("request.not_an_object"))
	}
	if err == nil {
		err = decodeValue(raw, "", &request)
	}
	if err == nil {
		err = d.atEnd()
	}
	if err != nil {
		return Request{}, d.explain(err)
	}
	return request, nil
}

// DecodeEntries reads what EncodeEntries wrote.
func DecodeEntries(raw []byte) ([]Request, error) {
	var entries []Request
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, err
	}
	return entries, nil
}

// EncodeEntries makes one JSON array of entries.
func EncodeEntries(entries []Entry) []byte {
	size := 2
	for _, e := range entries {
		size += len(e.Raw) + 1
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	out.WriteByte('[')
	for i, e := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(e.Raw)
	}
	out.WriteByte(']')
	return out.Bytes()
}

// format is what tells one form of import body from another: what its members
// are called, and how an entry is read.
type format struct {
	customer, vehicleType, orderType string
	settings                         string // "" where the form has none
	entry                            func(raw jsontext.Value, at string) (Entry, error)
	// reference reads a member that names a record; nil reads a Ref.
	reference func(raw jsontext.Value, at string) (*Ref, error)
}

// imports is the form of the present import.
var imports = format{
	customer: "fallbackCustomer", vehicleType: "fallbackVehicleType", orderType: "fallbackOrderType",
	settings: "updateConfig", entry: newEntry,
}

func newEntry(raw jsontext.Value, at string) (Entry, error) {
	var request Request
	if err := decodeValue(raw, at, &request); err != nil {
		return Entry{}, err
	}
	return Entry{ExternalID: request.ExternalID, Raw: raw.Clone()}, nil
}

type decoder struct {
	source *source
	format format
	in     *jsontext.Decoder
	out    Body
	entry  int // the entry being read, -1 outside of orders
	// other reads the members of another object than an import.
	other func(name string) error
}

func (d *decoder) body() error {
	d.entry = -1
	if d.in.PeekKind() != '{' {
		if _, err := d.in.ReadValue(); err != nil {
			return err
		}
		return fault.Field("", fault.Say("request.not_an_object"))
	}
	if _, err := d.in.ReadToken(); err != nil {
		return err
	}
	for d.in.PeekKind() == '"' {
		name, err := d.in.ReadToken()
		if err != nil {
			return err
		}
		if err := d.member(name.String()); err != nil {
			return err
		}
	}
	if _, err := d.in.ReadToken(); err != nil {
		return err
	}
	return d.atEnd()
}

// atEnd refuses whatever follows the body's object.
func (d *decoder) atEnd() error {
	_, err := d.in.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.Field("", fault.Say("request.trailing_data"))
}

func (d *decoder) member(name string) error {
	if d.other != nil {
		return d.other(name)
	}
	switch name {
	case "":
		return d.in.SkipValue()
	case "orders":
		return d.orders()
	case d.format.customer:
		return d.reference(name, &d.out.Defaults.FallbackCustomer)
	case d.format.vehicleType:
		return d.reference(name, &d.out.Defaults.FallbackVehicleType)
	case d.format.orderType:
		return d.reference(name, &d.out.Defaults.FallbackOrderType)
	case d.format.settings:
		if err := d.value(name, &d.out.Defaults.UpdateConfig); err != nil {
			return err
		}
		return checkBehaviours(d.out.Defaults.UpdateConfig)
	}
	return d.in.SkipValue()
}

// value reads one member into to.
func (d *decoder) value(name string, to any) error {
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	return decodeValue(raw, name, to)
}

// reference reads a member that names a record.
func (d *decoder) reference(name string, to **Ref) error {
	if d.format.reference == nil {
		return d.value(name, to)
	}
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	*to, err = d.format.reference(raw, name)
	return err
}

func checkBehaviours(s UpdateSettings) error {
	for _, b := range behaviours {
		if v := b.value(s); v != "" && !slices.Contains(b.allowed, v) {
			return fault.Field("updateConfig."+b.field,
				fault.Say("request.not_one_of", "allowed", strings.Join(b.allowed, ", ")))
		}
	}
	return nil
}

func (d *decoder) orders() error {
	if kind := d.in.PeekKind(); kind != '[' {
		// A null is as good as nothing, and Decode says that orders are missing.
		if _, err := d.in.ReadValue(); err != nil || kind == 'n' {
			return err
		}
		return fault.Field("orders", wrongType("array", kind))
	}
	if _, err := d.in.ReadToken(); err != nil {
		return err
	}
	for d.entry = 0; d.in.PeekKind() != ']'; d.entry++ {
		if d.entry == MaxEntries {
			return &fault.Error{
				Kind: fault.TooLarge,
				Text: fault.Say("import.too_many_orders", "max", strconv.Itoa(MaxEntries)),
			}
		}
		if err := d.order(); err != nil {
			return err
		}
	}
	d.entry = -1
	_, err := d.in.ReadToken()
	return err
}

func (d *decoder) order() error {
	raw, err := d.in.ReadValue()
	if err != nil {
		return err
	}
	if raw.Kind() != '{' {
		return fault.Field(at(d.entry), wrongType("object", raw.Kind()))
	}
	entry, err := d.format.entry(raw, at(d.entry))
	if err != nil {
		return err
	}
	d.out.Entries = append(d.out.Entries, entry)
	return nil
}

// decodeValue reads raw into to, naming the field below at that is wrong.
func decodeValue(raw jsontext.Value, at string, to any) error {
	if bytes.Contains(raw, []byte(`\u0000`)) {
		if field, found := findNUL(raw); found {
			return fault.Field(strings.TrimPrefix(at+fieldPath(field), "."), fault.Say("request.nul_character"))
		}
	}
	err := json.Unmarshal(raw, to)
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		return fault.Field(strings.TrimPrefix(at+fieldPath(semantic.JSONPointer), "."), semanticText(semantic))
	}
	return err
}

// findNUL gives the place of the first string that holds a NUL character,
// which JSON can carry and a database cannot.
func findNUL(raw jsontext.Value) (jsontext.Pointer, bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return "", false
		}
		if token.Kind() == '"' && strings.ContainsRune(token.String(), 0) {
			return dec.StackPointer(), true
		}
	}
}

// explain turns an error of the decoder into a fault that names the place.
func (d *decoder) explain(err error) error {
	var known *fault.Error
	var syntax *jsontext.SyntacticError
	switch {
	case d.source.err != nil:
		return d.source.err
	case errors.As(err, &known):
		return known
	case errors.As(err, &syntax):
		return d.malformed(syntax)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Field("", fault.Say("request.truncated"))
	}
	return err
}

// malformed says where JSON goes wrong, and how.
func (d *decoder) malformed(err *jsontext.SyntacticError) error {
	offset := strconv.FormatInt(err.ByteOffset, 10)
	text := fault.Say("request.malformed_json", "offset", offset)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = fault.Say("request.truncated")
	case errors.Is(err, jsontext.ErrDuplicateName):
		text = fault.Say("request.duplicate_member", "offset", offset)
	}
	f := fault.Field(d.place(err.JSONPointer), text)
	f.Cause = err.Err
	return f
}

// place names the entry or member in which JSON goes wrong. It goes no deeper:
// inside a value that the decoder is still reading, its pointer may be made of
// bytes that have moved on.
func (d *decoder) place(pointer jsontext.Pointer) string {
	if d.entry >= 0 {
		return at(d.entry)
	}
	for member := range pointer.Tokens() {
		return clip(member)
	}
	return ""
}

// source remembers what kept a reader from reading on. The decoder itself
// tells that apart from bad JSON only between values.
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

// at names an entry.
func at(entry int) string { return "orders[" + strconv.Itoa(entry) + "]" }

func semanticText(err *json.SemanticError) fault.Text {
	want := "other"
	if err.GoType != nil {
		want = wanted(err.GoType.Kind().String(), err.GoType.Name())
	}
	if err.JSONKind == '0' && (want == "integer" || want == "number") {
		return fault.Say("request.number_out_of_range")
	}
	return wrongType(want, err.JSONKind)
}

// wanted names the JSON type that a Go type is read from.
func wanted(kind, name string) string {
	switch {
	case name == "Loose":
		return "string_or_number"
	case kind == "string":
		return "string"
	case kind == "bool":
		return "boolean"
	case strings.HasPrefix(kind, "int"):
		return "integer"
	case strings.HasPrefix(kind, "float"):
		return "number"
	case kind == "slice":
		return "array"
	}
	return "object"
}

func wrongType(want string, got jsontext.Kind) fault.Text {
	return fault.Say("request.wrong_type."+want, "got", kindName(got))
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "boolean"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "null"
}

// fieldPath writes a JSON pointer (RFC 6901) the way people write fields:
// "/pickup/contacts/0/name" is ".pickup.contacts[0].name". Callers make up
// names of any length, so each is shortened.
func fieldPath(pointer jsontext.Pointer) string {
	var b strings.Builder
	for token := range pointer.Tokens() {
		if isDigits(token) {
			b.WriteString("[" + token + "]")
			continue
		}
		b.WriteString("." + clip(token))
	}
	return b.String()
}

func isDigits(text string) bool {
	return text != "" && len(text) < 10 && strings.Trim(text, "0123456789") == ""
}
