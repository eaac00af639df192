package edge

import (
	"net/http"
	"strings"

	"waybill/api/contract"
)

// PlainErrorsPath is the path whose errors are plain text.
const PlainErrorsPath = "/v1/import/orders"

// wantsPlainErrors reports whether a request's errors are answered as plain
// text.
func wantsPlainErrors(r *http.Request) bool {
	return r.Method == http.MethodPut && r.URL.Path == PlainErrorsPath
}

// plainText writes an error for people, with a line for each field.
func plainText(message string, details []contract.StatusDetail) string {
	lines := []string{message}
	for _, d := range details {
		bad, err := d.AsBadRequestDetail()
		if err != nil {
			continue
		}
		for _, v := range bad.FieldViolations {
			lines = append(lines, v.Field+": "+v.Description)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
