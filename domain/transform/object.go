package transform

import (
	"fmt"
	"reflect"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"waybill/domain/order"
)

// object is a type whose fields expressions may read. Its fields are known
// when a rule is compiled, so a misspelt one is found then, and they are read
// without reflection.
type object struct {
	celType *cel.Type
	names   []string // in the order in which they are shown
	fields  map[string]*types.FieldType
}

type member struct {
	name string
	typ  *types.FieldType
}

func newObject(name string, members ...member) *object {
	o := &object{
		celType: types.NewObjectType(name, traits.FieldTesterType|traits.IndexerType),
		fields:  make(map[string]*types.FieldType, len(members)),
	}
	for _, m := range members {
		o.names = append(o.names, m.name)
		o.fields[m.name] = m.typ
	}
	return o
}

// attribute is a field of a Go type; get also reports whether it is given.
func attribute[T any](name string, typ *cel.Type, get func(T) (any, bool)) member {
	return member{name, &types.FieldType{
		Type: typ,
		IsSet: func(target any) bool {
			of, ok := target.(T)
			if !ok {
				return false
			}
			_, given := get(of)
			return given
		},
		GetFrom: func(target any) (any, error) {
			of, ok := target.(T)
			if !ok {
				return nil, fmt.Errorf("no such field: %s", name)
			}
			value, _ := get(of)
			return value, nil
		},
	}}
}

func text[T any](name string, get func(T) string) member {
	return attribute(name, cel.StringType, func(of T) (any, bool) {
		value := get(of)
		return value, value != ""
	})
}

func measure[T any](name string, get func(T) *float64) member {
	return attribute(name, cel.DoubleType, func(of T) (any, bool) {
		if value := get(of); value != nil {
			return *value, true
		}
		return 0.0, false
	})
}

// objectOf finds the type of a value, nil when it is none of ours.
func objectOf(value any) *object {
	switch value.(type) {
	case *input:
		return orderObject
	case *order.Customer:
		return customerObject
	case *order.Product:
		return productObject
	case *stopInput:
		return stopObject
	case *order.Address:
		return addressObject
	case *order.Contact:
		return contactObject
	}
	return nil
}

// plain returns an object as maps and lists, as it is shown to people.
func plain(value any) any {
	o := objectOf(value)
	if o == nil {
		switch value := value.(type) {
		case []*order.Product:
			return plainList(value)
		case []*order.Contact:
			return plainList(value)
		case time.Time:
			return value.UTC().Format(time.RFC3339)
		}
		return value
	}
	out := make(map[string]any, len(o.names))
	for _, name := range o.names {
		if field := o.fields[name]; field.IsSet(value) {
			inner, _ := field.GetFrom(value) // it has this field
			out[name] = plain(inner)
		}
	}
	return out
}

func plainList[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = plain(v)
	}
	return out
}

// provider shows CEL our objects.
type provider struct {
	*types.Registry
	objects map[string]*object
}

func newProvider() *provider {
	registry, err := types.NewRegistry()
	if err != nil {
		panic("transform: no types: " + err.Error())
	}
	p := &provider{Registry: registry, objects: map[string]*object{}}
	for _, o := range objects() {
		p.objects[o.celType.TypeName()] = o
	}
	return p
}

// FindStructType returns one of our types.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if o, ok := p.objects[name]; ok {
		return types.NewTypeTypeWithParam(o.celType), true
	}
	return p.Registry.FindStructType(name)
}

// FindStructFieldNames returns the fields of one of our types.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	if o, ok := p.objects[name]; ok {
		return o.names, true
	}
	return p.Registry.FindStructFieldNames(name)
}

// FindStructFieldType returns a field of one of our types.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if o, ok := p.objects[name]; ok {
		f, ok := o.fields[field]
		return f, ok
	}
	return p.Registry.FindStructFieldType(name, field)
}

// NewValue refuses to make objects: rules only read them.
func (p *provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if _, ok := p.objects[name]; ok {
		return types.NewErr("a rule cannot make a new %s", name)
	}
	return p.Registry.NewValue(name, fields)
}

// NativeToValue makes values of CEL.
func (p *provider) NativeToValue(value any) ref.Val {
	if o := objectOf(value); o != nil {
		return &objectValue{o, value}
	}
	switch value := value.(type) {
	case []*order.Product:
		return types.NewDynamicList(p, value)
	case []*order.Contact:
		return types.NewDynamicList(p, value)
	case map[string]any:
		return types.NewStringInterfaceMap(p, value)
	}
	return p.Registry.NativeToValue(value)
}

// objectValue is an object as a value of CEL.
type objectValue struct {
	object *object
	native any
}

// ConvertToNative returns the object itself.
func (v *objectValue) ConvertToNative(typ reflect.Type) (any, error) {
	if reflect.TypeOf(v.native).AssignableTo(typ) {
		return v.native, nil
	}
	return nil, fmt.Errorf("cannot store a value of type %s", v.object.celType.TypeName())
}

// ConvertToType returns the object's type.
func (v *objectValue) ConvertToType(typ ref.Type) ref.Val {
	if typ == types.TypeType {
		return v.object.celType
	}
	return types.NewErr("%s is no %s", v.object.celType.TypeName(), typ.TypeName())
}

// Equal compares all fields.
func (v *objectValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(*objectValue)
	return types.Bool(ok && o.object == v.object && reflect.DeepEqual(plain(v.native), plain(o.native)))
}

// Type returns the object's type.
func (v *objectValue) Type() ref.Type { return v.object.celType }

// Value returns the native value.
func (v *objectValue) Value() any { return v.native }

// IsSet reports whether a field is given.
func (v *objectValue) IsSet(field ref.Val) ref.Val {
	f, ok := v.field(field)
	if !ok {
		return types.NewErr("no such field: %v", field)
	}
	return types.Bool(f.IsSet(v.native))
}

// Get reads a field.
func (v *objectValue) Get(field ref.Val) ref.Val {
	f, ok := v.field(field)
	if !ok {
		return types.NewErr("no such field: %v", field)
	}
	value, err := f.GetFrom(v.native)
	if err != nil {
		return types.WrapErr(err)
	}
	return language().CELTypeAdapter().NativeToValue(value)
}

func (v *objectValue) field(name ref.Val) (*types.FieldType, bool) {
	text, _ := name.(types.String)
	f, ok := v.object.fields[string(text)]
	return f, ok
}
