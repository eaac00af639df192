package contract

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// UnknownFieldError is the error for a body with a field that is not in its
// schema, when the schema says `additionalProperties: false`: ignoring such a
// field would change the meaning of the request.
type UnknownFieldError struct {
	Field string
	// Known are the fields that there are.
	Known []string
}

// Error names the unknown field.
func (e *UnknownFieldError) Error() string { return "unknown field " + e.Field }

// strictly reads an object into to, a pointer to a structure, and refuses fields that
// the structure does not have.
func strictly(body []byte, to any) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return json.Unmarshal(body, to) // reports the problem
	}
	known := fieldsOf(reflect.TypeOf(to).Elem())
	var unknown []string
	for name := range members {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return &UnknownFieldError{Field: slices.Min(unknown), Known: known}
	}
	return json.Unmarshal(body, to)
}

// fieldsOf are the names of a structure's fields in JSON.
func fieldsOf(t reflect.Type) []string {
	names := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// UnmarshalJSON refuses fields that there are none of.
func (r *CreateWebhookEndpointRequest) UnmarshalJSON(body []byte) error {
	type plain CreateWebhookEndpointRequest
	return strictly(body, (*plain)(r))
}

// UnmarshalJSON refuses fields that there are none of.
func (r *UpdateWebhookEndpointRequest) UnmarshalJSON(body []byte) error {
	type plain UpdateWebhookEndpointRequest
	return strictly(body, (*plain)(r))
}

// UnmarshalJSON refuses fields that there are none of.
func (r *RotateWebhookSecretRequest) UnmarshalJSON(body []byte) error {
	type plain RotateWebhookSecretRequest
	return strictly(body, (*plain)(r))
}

// UnmarshalJSON refuses fields that there are none of.
func (r *TestWebhookEndpointRequest) UnmarshalJSON(body []byte) error {
	type plain TestWebhookEndpointRequest
	return strictly(body, (*plain)(r))
}

// UnmarshalJSON refuses fields that there are none of.
func (r *ReplayWebhooksRequest) UnmarshalJSON(body []byte) error {
	type plain ReplayWebhooksRequest
	return strictly(body, (*plain)(r))
}

// UnmarshalJSON refuses fields that there are none of.
func (r *ResendingRequest) UnmarshalJSON(body []byte) error {
	type plain ResendingRequest
	return strictly(body, (*plain)(r))
}
