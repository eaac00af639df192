package edge

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"waybill/domain/fault"
)

// decompress accepts bodies in gzip, too. The limit applies to the decompressed
// size; other encodings are rejected.
func (e *Edge) decompress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		encoding := encodingOf(r.Header)
		if r.Body == nil || r.Body == http.NoBody {
			encoding = ""
		}
		switch encoding {
		case "":
		case "gzip", "x-gzip":
			limit := exchangeFrom(r.Context()).maxBody
			r.Body = &unzipped{ReadCloser: r.Body, limit: limit, left: limit}
			r.ContentLength = -1
			r.Header.Del("Content-Encoding")
		default:
			e.Fail(w, r, &unknownEncoding{encoding})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// encodingOf returns the content codings of a body, separated by commas, or ""
// if it has none.
func encodingOf(h http.Header) string {
	var codings []string
	for coding := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "" && coding != "identity" {
			codings = append(codings, coding)
		}
	}
	return strings.Join(codings, ", ")
}

// unknownEncoding is the error of a body in a coding that the service does not read.
type unknownEncoding struct{ encoding string }

// Error names the coding.
func (e *unknownEncoding) Error() string { return "unsupported content encoding " + e.encoding }

// unzipped is a body in gzip as it was before.
type unzipped struct {
	io.ReadCloser

	in          *gzip.Reader
	limit, left int64
	err         error
}

// Read reads on, as far as the limit allows.
func (u *unzipped) Read(p []byte) (n int, err error) {
	if u.err == nil && u.in == nil {
		u.in, u.err = gzip.NewReader(u.ReadCloser)
	}
	if u.err == nil && len(p) > 0 {
		n, u.err = u.in.Read(p[:min(int64(len(p)), u.left+1)])
		if u.left -= int64(n); u.left < 0 {
			return n - 1, u.fail(&http.MaxBytesError{Limit: u.limit})
		}
	}
	return n, u.fail(u.err)
}

// fail records an error of the body.
func (u *unzipped) fail(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		f := fault.Field("", fault.Say("request.not_gzip"))
		f.Cause = err
		err = f
	}
	u.err = err
	return err
}
