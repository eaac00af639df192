package attachment

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// WithoutMetadata removes the metadata that cameras and programs add to a
// picture, such as where it was taken (EXIF, XMP, IPTC and comments), and any
// data after its end. The picture keeps its orientation and its colors. Data
// that is not a valid picture of the media type is returned unchanged, because
// no program shows it.
func WithoutMetadata(mediaType string, picture []byte) []byte {
	var clean []byte
	ok := false
	switch mediaType {
	case "image/jpeg":
		clean, ok = cleanJPEG(picture)
	case "image/png":
		clean, ok = cleanPNG(picture)
	case "image/webp":
		clean, ok = cleanWebP(picture)
	}
	if !ok {
		return picture
	}
	return clean
}

// Markers of JPEG (ITU-T T.81, table B.1).
const (
	jpegStart   = 0xD8
	jpegEnd     = 0xD9
	jpegScan    = 0xDA
	jpegRestart = 0xD0 // to 0xD7
	jpegApp0    = 0xE0 // to 0xEF
	jpegApp1    = 0xE1
	jpegApp2    = 0xE2
	jpegApp14   = 0xEE // how colors are written, by Adobe
	jpegComment = 0xFE
)

func cleanJPEG(b []byte) (clean []byte, ok bool) {
	if len(b) < 4 || b[0] != 0xFF || b[1] != jpegStart {
		return nil, false
	}
	clean = append(clean, b[:2]...)
	for b = b[2:]; len(b) >= 2 && b[0] == 0xFF; {
		marker := b[1]
		switch {
		case marker == 0xFF: // padding before a marker
			b = b[1:]
			continue
		case marker == jpegEnd:
			return append(clean, b[:2]...), true
		case len(b) < 4:
			return nil, false
		}
		size := 2 + int(binary.BigEndian.Uint16(b[2:]))
		if size < 4 || size > len(b) {
			return nil, false
		}
		clean = append(clean, keptOfJPEG(marker, b[:size])...)
		if b = b[size:]; marker == jpegScan {
			n := lengthOfScan(b)
			clean, b = append(clean, b[:n]...), b[n:]
		}
	}
	return nil, false
}

// keptOfJPEG is the part of a segment to keep.
func keptOfJPEG(marker byte, segment []byte) []byte {
	switch {
	case marker == jpegApp1:
		return orientationAlone(segment)
	case marker == jpegApp2 && bytes.HasPrefix(segment[4:], []byte("ICC_PROFILE\x00")),
		marker == jpegApp0, marker == jpegApp14:
		return segment
	case marker > jpegApp0 && marker <= jpegApp0+0xF, marker == jpegComment:
		return nil
	}
	return segment
}

// lengthOfScan returns the length of a scan's data: up to the next marker that is
// not a restart.
func lengthOfScan(b []byte) int {
	for i := 0; i+1 < len(b); i++ {
		if b[i] == 0xFF && b[i+1] != 0 && b[i+1] != 0xFF && (b[i+1] < jpegRestart || b[i+1] > jpegRestart+7) {
			return i
		}
	}
	return len(b)
}

// orientationTag is the EXIF tag for the orientation of a picture.
const orientationTag = 0x0112

// orientationAlone returns an EXIF segment with only the orientation of another
// one, or nothing if the picture is not rotated.
func orientationAlone(segment []byte) []byte {
	tiff, isExif := bytes.CutPrefix(segment[4:], []byte("Exif\x00\x00"))
	if !isExif || len(tiff) < 10 {
		return nil
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return nil
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return nil
		}
		if turned := order.Uint16(entries[8:]); order.Uint16(entries) == orientationTag {
			if turned < 2 || turned > 8 {
				return nil
			}
			return []byte{
				0xFF, jpegApp1, 0, 34, 'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1,
				orientationTag >> 8, orientationTag & 0xFF, 0, 3, 0, 0, 0, 1, 0, byte(turned), 0, 0, 0, 0, 0, 0,
			}
		}
		entries = entries[12:]
	}
	return nil
}

var (
	pngBegin   = []byte("\x89PNG\r\n\x1a\n")
	pngDropped = []string{"eXIf", "tEXt", "zTXt", "iTXt", "tIME"}
)

func cleanPNG(b []byte) (clean []byte, ok bool) {
	rest, isPNG := bytes.CutPrefix(b, pngBegin)
	if !isPNG {
		return nil, false
	}
	clean = append(clean, pngBegin...)
	for len(rest) >= 12 {
		size := 12 + int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)) {
			return nil, false
		}
		kind := string(rest[4:8])
		if !slices.Contains(pngDropped, kind) {
			clean = append(clean, rest[:size]...)
		}
		if kind == "IEND" {
			return clean, true
		}
		rest = rest[size:]
	}
	return nil, false
}

// Flags in the header of a WebP file (RFC 9649, section 2.7.1).
const webpSaysEXIFAndXMP = 0x08 | 0x04

func cleanWebP(b []byte) (clean []byte, ok bool) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return nil, false
	}
	end := 8 + int64(binary.LittleEndian.Uint32(b[4:]))
	if end > int64(len(b)) {
		return nil, false
	}
	clean = append(clean, b[:12]...)
	for rest := b[12:end]; len(rest) >= 8; {
		size := 8 + int64(binary.LittleEndian.Uint32(rest[4:]))
		size += size % 2
		if size > int64(len(rest)) {
			return nil, false
		}
		switch kind := string(rest[:4]); {
		case kind == "EXIF" || kind == "XMP ":
		case kind == "VP8X" && size > 8:
			clean = append(clean, rest[:size]...)
			clean[len(clean)-int(size)+8] &^= webpSaysEXIFAndXMP
		default:
			clean = append(clean, rest[:size]...)
		}
		rest = rest[size:]
	}
	binary.LittleEndian.PutUint32(clean[4:], uint32(len(clean)-8))
	return clean, true
}
