package edge

import (
	"compress/gzip"
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// worthCompressing is from how many bytes on an answer is compressed. Secrets that
// are shown once, and what a session says of itself, are smaller, so no length ever
// tells a stranger anything of them.
const worthCompressing = 2 << 10

// newCompression compresses what is text and long, for those who take gzip. Streams
// of events are none of it: they must leave line by line.
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

// Compress compresses long answers for who asks for it.
func (e *Edge) Compress(next http.Handler) http.Handler { return e.compress(next) }
