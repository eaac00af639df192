package contract

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// notice returns the response headers of a deprecated operation: since when it is
// deprecated (RFC 9745), and when it is removed (RFC 8594).
func (o *Operation) notice() (map[string]string, error) {
	if !o.Deprecated {
		if o.DeprecatedAt != "" || o.Sunset != "" {
			return nil, fmt.Errorf("%s has a sunset date but is not deprecated", o.ID)
		}
		return nil, nil
	}
	since, err := time.Parse(time.DateOnly, o.DeprecatedAt)
	end, endErr := time.Parse(time.DateOnly, o.Sunset)
	if err = errors.Join(err, endErr); err != nil {
		return nil, fmt.Errorf("read the dates of %s: %w", o.ID, err)
	}
	if !since.Before(end) {
		return nil, fmt.Errorf("%s has a sunset date before its deprecation date", o.ID)
	}
	return map[string]string{
		"Deprecation": "@" + strconv.FormatInt(since.Unix(), 10),
		"Sunset":      end.Format(http.TimeFormat),
	}, nil
}
