package attachment_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"waybill/domain/attachment"
)

const secret = "59 54 51 N 10 44 34 E"

func drawing() image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 40, 24))
	for x := range 40 {
		for y := range 24 {
			m.Set(x, y, color.RGBA{byte(x * 6), byte(y * 10), byte(x ^ y), 255})
		}
	}
	return m
}

func jpegSegment(marker byte, content string) []byte {
	head := []byte{0xFF, marker, 0, 0}
	binary.BigEndian.PutUint16(head[2:], uint16(len(content)+2))
	return append(head, content...)
}

// exif returns EXIF data with an orientation among other entries, in little-endian byte
// order.
func exif(turned byte) string {
	entry := func(tag uint16, value byte) string {
		return string([]byte{byte(tag), byte(tag >> 8), 3, 0, 1, 0, 0, 0, value, 0, 0, 0})
	}
	return "Exif\x00\x00II*\x00\x08\x00\x00\x00\x03\x00" + entry(0x0100, 40) + entry(0x0112, turned) + entry(0x8825, 1) +
		"\x00\x00\x00\x00" + secret
}

func TestPicturesLoseTheirMetadata(t *testing.T) {
	t.Parallel()

	t.Run("JPEG", func(t *testing.T) {
		t.Parallel()
		var plain bytes.Buffer
		require.NoError(t, jpeg.Encode(&plain, drawing(), nil))
		with := bytes.Join([][]byte{
			plain.Bytes()[:2],
			jpegSegment(0xE1, exif(6)), jpegSegment(0xE1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
			jpegSegment(0xE2, "ICC_PROFILE\x00\x01\x01colors"), jpegSegment(0xE2, "MPF\x00"+secret),
			jpegSegment(0xED, secret), jpegSegment(0xFE, secret),
			{0xFF},
			plain.Bytes()[2:],
			[]byte("behind the end: " + secret),
		}, nil)
		clean := attachment.WithoutMetadata("image/jpeg", with)
		require.NotContains(t, string(clean), secret)
		require.Contains(t, string(clean), "ICC_PROFILE")
		require.Contains(t, string(clean), "\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06", "it is still turned")
		was, err := jpeg.Decode(&plain)
		require.NoError(t, err)
		is, err := jpeg.Decode(bytes.NewReader(clean))
		require.NoError(t, err)
		require.Equal(t, was, is)
		require.Equal(t, clean, attachment.WithoutMetadata("image/jpeg", clean))
		require.NotContains(t, string(attachment.WithoutMetadata("image/jpeg",
			bytes.Replace(with, []byte(exif(6)), []byte(exif(1)), 1))), "Exif", "one that is not turned says nothing")
	})

	t.Run("PNG", func(t *testing.T) {
		t.Parallel()
		var plain bytes.Buffer
		require.NoError(t, png.Encode(&plain, drawing()))
		chunk := func(kind, content string) []byte {
			c := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
			c = append(c, kind+content...)
			return binary.BigEndian.AppendUint32(c, crc32.ChecksumIEEE([]byte(kind+content)))
		}
		const head = 8 + 25 // the signature and IHDR
		with := bytes.Join([][]byte{
			plain.Bytes()[:head], chunk("eXIf", exif(6)), chunk("tEXt", "Comment\x00"+secret),
			plain.Bytes()[head:], []byte(secret),
		}, nil)
		require.Equal(t, plain.Bytes(), attachment.WithoutMetadata("image/png", with))
	})

	t.Run("WebP", func(t *testing.T) {
		t.Parallel()
		chunk := func(kind, content string) []byte {
			c := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(content)))
			return append(c, content...)
		}
		riff := func(chunks ...[]byte) []byte {
			body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
			return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
		}
		// One white pixel, as cwebp -lossless writes it.
		pixel := chunk("VP8L", "\x2f\x00\x00\x00\x00\x07\xd0\xff\xfe\xf7\xbf\xff\x81\x88\xe8\x7f\x00\x00")
		with := append(riff(chunk("VP8X", "\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00"), pixel,
			chunk("EXIF", secret+"!"), chunk("XMP ", secret+"!")), secret...)
		clean := attachment.WithoutMetadata("image/webp", with)
		require.Equal(t, riff(chunk("VP8X", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), pixel), clean)
		_, err := webp.DecodeConfig(bytes.NewReader(clean))
		require.NoError(t, err)
	})
}

// FuzzWithoutMetadata checks that no input panics and that the output has no metadata left.
func FuzzWithoutMetadata(f *testing.F) {
	var plain bytes.Buffer
	require.NoError(f, jpeg.Encode(&plain, drawing(), nil))
	f.Add("image/jpeg", plain.Bytes())
	f.Add("image/jpeg", append([]byte{0xFF, 0xD8}, jpegSegment(0xE1, exif(6))...))
	f.Add("image/png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xaeB`\x82"))
	f.Add("image/webp", []byte("RIFF\x0c\x00\x00\x00WEBPVP8X\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, kind string, picture []byte) {
		clean := attachment.WithoutMetadata(kind, bytes.Clone(picture))
		require.LessOrEqual(t, len(clean), len(picture)+36)
		require.Equal(t, clean, attachment.WithoutMetadata(kind, bytes.Clone(clean)))
	})
}
