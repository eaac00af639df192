package edge

import (
	"context"
	"strings"

	"waybill/domain/fault"
	"waybill/domain/version"
)

const (
	headerETag    = "ETag"
	headerIfMatch = "If-Match"
	// bodyMark separates the version of a record in an entity tag from the hash of
	// the response.
	bodyMark = "."
)

// Versioned sets the version of the record in the response, if any.
func Versioned(ctx context.Context, v version.Version) {
	if v == "" {
		return
	}
	if x := exchangeFrom(ctx); x != nil {
		x.Header().Set(headerETag, `"`+string(v)+`"`)
	}
}

// Expected reads the header If-Match: entity tags, of which one must be the
// record's (RFC 9110, section 13.1.1). Without the header every version
// matches.
func Expected(ifMatch *string) (version.Expected, error) {
	if ifMatch == nil {
		return nil, nil
	}
	var expected version.Expected
	for tag := range strings.SplitSeq(*ifMatch, ",") {
		v, ok := versionOf(strings.TrimSpace(tag))
		if !ok {
			return nil, fault.Field(headerIfMatch, fault.Say("changed.bad_tag"))
		}
		expected = append(expected, v)
	}
	return expected, nil
}

// versionOf parses one entity tag. A weak one identifies no version. It ignores
// the hash of the response: the language in which the record was read does not
// matter for a change.
func versionOf(tag string) (version.Version, bool) {
	if tag == string(version.Any) {
		return version.Any, true
	}
	name, opened := strings.CutPrefix(tag, `"`)
	name, closed := strings.CutSuffix(name, `"`)
	name, _, _ = strings.Cut(name, bodyMark)
	return version.Version(name), opened && closed && name != "" && !strings.ContainsAny(name, `"*`)
}
