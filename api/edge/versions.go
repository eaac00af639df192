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
	// bodyMark is between the version of a record in an entity tag and what stands
	// for the bytes of the answer.
	bodyMark = "."
)

// Versioned says in the answer to a request which version of a record it is of;
// nothing where there is none.
func Versioned(ctx context.Context, v version.Version) {
	if v == "" {
		return
	}
	if x := exchangeFrom(ctx); x != nil {
		x.Header().Set(headerETag, `"`+string(v)+`"`)
	}
}

// Expected reads the header If-Match: entity tags, of which one must be that of
// the record (RFC 9110, section 13.1.1). Without the header every version will
// do.
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

// versionOf reads one entity tag. A weak one names no version for sure. What stands
// for the bytes of an answer is no part of the version: a change does not care in
// which language the record was read.
func versionOf(tag string) (version.Version, bool) {
	if tag == string(version.Any) {
		return version.Any, true
	}
	name, opened := strings.CutPrefix(tag, `"`)
	name, closed := strings.CutSuffix(name, `"`)
	name, _, _ = strings.Cut(name, bodyMark)
	return version.Version(name), opened && closed && name != "" && !strings.ContainsAny(name, `"*`)
}
