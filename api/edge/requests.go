package edge

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"waybill/domain/fault"
)

// TextsOnly rejects a request with text that can't be stored, anywhere in it.
// It is a middleware of the generated handlers, which have decoded the request.
func TextsOnly[H ~func(context.Context, http.ResponseWriter, *http.Request, any) (any, error)](next H, _ string) H {
	return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
		if field, bad := notText(reflect.ValueOf(request), ""); bad {
			return nil, fault.Field(field, fault.Say("request.not_text"))
		}
		return next(ctx, w, r, request)
	}
}

// notText returns the path of the first invalid text in a value, as the
// contract names it.
func notText(v reflect.Value, path string) (field string, bad bool) {
	switch v.Kind() {
	case reflect.String:
		return path, !IsText(v.String())
	case reflect.Pointer, reflect.Interface:
		if v.Type().Implements(reflect.TypeFor[io.Reader]()) {
			return "", false // a body that is read later
		}
		return notText(v.Elem(), path)
	case reflect.Struct:
		return notTextOfStruct(v, path)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return "", false // bytes, and JSON that its reader validates
		}
		for i := range v.Len() {
			if field, bad := notText(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); bad {
				return field, true
			}
		}
	case reflect.Map:
		return notTextOfMap(v, path)
	}
	return "", false
}

func notTextOfStruct(v reflect.Value, path string) (field string, bad bool) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if field, bad := notText(v.Field(i), within(path, nameOf(f))); bad {
			return field, true
		}
	}
	return "", false
}

// notTextOfMap checks the keys and values of a map. Nullable values are maps
// with one boolean key.
func notTextOfMap(v reflect.Value, path string) (field string, bad bool) {
	for entries := v.MapRange(); entries.Next(); {
		at := path
		if key := entries.Key(); key.Kind() == reflect.String {
			if !IsText(key.String()) {
				return path, true
			}
			at = within(path, key.String())
		}
		if field, bad := notText(entries.Value(), at); bad {
			return field, true
		}
	}
	return "", false
}

// nameOf returns the contract's name of a field; empty for the parts of a request.
func nameOf(f reflect.StructField) string {
	if f.Anonymous || f.Name == "Body" || f.Name == "Params" {
		return ""
	}
	for _, tag := range []string{"json", "form", "uri"} {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			return name
		}
	}
	return f.Name
}

func within(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
