package paper

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	_ "image/png" // decodes
	"io"

	scaling "golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // decodes
)

// Image is a picture in the form in which it is drawn.
type Image struct {
	JPEG          []byte
	Width, Height int
}

const (
	// maxPixels is how many a picture may have: decoding takes several bytes for each.
	maxPixels = 16_000_000
	// longestSide is that of a drawn picture.
	longestSide = 1200
	quality     = 80
)

// ErrTooManyPixels is returned for a picture that is too large to draw.
var ErrTooManyPixels = errors.New("the picture has too many pixels")

// Shrink reads a picture, a JPEG, PNG or WebP, and makes it as small as paper
// needs it, on white.
func Shrink(content io.ReadSeeker) (*Image, error) {
	config, _, err := image.DecodeConfig(content)
	if err != nil {
		return nil, fmt.Errorf("decode a picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil, ErrTooManyPixels
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read a picture: %w", err)
	}
	decoded, _, err := image.Decode(content)
	if err != nil {
		return nil, fmt.Errorf("decode a picture: %w", err)
	}
	width, height := shrunk(decoded.Bounds().Dx(), decoded.Bounds().Dy())
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	scaling.ApproxBiLinear.Scale(small, small.Bounds(), decoded, decoded.Bounds(), draw.Over, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return &Image{JPEG: out.Bytes(), Width: width, Height: height}, nil
}

// shrunk is the size of a picture when it is not larger than needed.
func shrunk(width, height int) (w, h int) {
	longest := max(width, height)
	if longest <= longestSide {
		return width, height
	}
	return max(width*longestSide/longest, 1), max(height*longestSide/longest, 1)
}
