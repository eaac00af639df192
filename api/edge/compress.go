package edge

import (
	"compress/gzip"
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// worthCompressing is the size from which responses are compressed. Secrets that
// are shown once, and descriptions of sessions, are smaller, so their compressed
// length never leaks information.
const worthCompressing = 2 << 10

// newCompression compresses long text for clients that accept gzip. Event streams
// are excluded: they must be sent line by line.
func newCompression() (func(http.Handler) http.HandlerFunc, error) {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(worthCompressing),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{
			"application/json", "application/yaml", "text/css", "text/javascript", "text/csv", "text/plain",
			"text/html", "text/markdown", "image/svg+xml",
		}),
		gzhttp.EnableZstd(false),
		gzhttp.SuffixETag(gzipped),
	)
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	return wrap, nil
}

// Compress compresses long responses on request.
func (e *Edge) Compress(next http.Handler) http.Handler { return e.compress(next) }
