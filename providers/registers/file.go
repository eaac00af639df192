// Package registers reads the files of address registers as streams: OpenStreetMap extracts,
// OpenAddresses, GeoNames postal codes and Kartverket's Matrikkelen.
package registers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"waybill/domain/place"
)

// Format is the form of a register's file.
type Format struct {
	Name string
	// Rank orders formats by trust: a register precedes OpenStreetMap.
	Rank int
	// Attribution must be shown wherever the data is.
	Attribution string
	read        func(context.Context, *File, func(place.Record) error) error
}

// The formats that are read.
var (
	Matrikkelen   = Format{"Matrikkelen", 1, "© Kartverket, CC BY 4.0", readMatrikkelen}
	OpenAddresses = Format{"OpenAddresses", 2, "OpenAddresses; see the license of each source", readAddressesJSON}
	AddressesCSV  = Format{"OpenAddresses CSV", 2, "OpenAddresses; see the license of each source", readAddressesCSV}
	OpenStreetMap = Format{"OpenStreetMap", 3, "© OpenStreetMap contributors, ODbL", readOpenStreetMap}
	GeoNames      = Format{"GeoNames", 4, "GeoNames, CC BY 4.0", readGeoNames}
)

// ErrUnknownFormat is returned for a file in none of the formats.
var ErrUnknownFormat = errors.New("it is not an OpenStreetMap extract (.osm.pbf), an OpenAddresses file (GeoJSON lines or CSV), " +
	"a list of postal codes from GeoNames, or a CSV file of Matrikkelen")

// File is a register's file. Only one goroutine may read it; any may read its
// progress.
type File struct {
	Path   string
	Format Format
	Size   int64
	// Country is the country of addresses without one.
	Country string
	taken   atomic.Int64
	// passes is how often the file is read, from which progress is computed.
	passes int64
}

// Open detects the format of a file. If country is empty, the name of the file
// or its positions determine it.
func Open(path, country string) (*File, error) {
	about, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Size: about.Size(), Country: country, passes: 1}
	if f.Country == "" {
		f.Country = countryOfName(filepath.Base(path))
	}
	in, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	head := make([]byte, 4096)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if f.Format, err = detect(head[:n]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.taken.Store(0)
	return f, nil
}

// detect detects the format by the first bytes of a file.
func detect(head []byte) (Format, error) {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte("\n"))
	first := strings.ToLower(strings.TrimRight(string(line), "\r"))
	switch {
	case bytes.Contains(head[:min(len(head), 64)], []byte("OSMHeader")):
		return OpenStreetMap, nil
	case strings.HasPrefix(first, "{"):
		return OpenAddresses, nil
	case strings.Contains(first, ";") && strings.Contains(first, "adressenavn") && strings.Contains(first, "epsg"):
		return Matrikkelen, nil
	case strings.Contains(first, "lon") && strings.Contains(first, "number") && strings.Contains(first, "street"):
		return AddressesCSV, nil
	case strings.Count(first, "\t") >= 10:
		return GeoNames, nil
	}
	return Format{}, ErrUnknownFormat
}

// Read passes on the records in the order of the file, which is the same each
// time. It leaves out records without a number or position.
func (f *File) Read(ctx context.Context, take func(place.Record) error) error {
	f.taken.Store(0)
	if err := f.Format.read(ctx, f, take); err != nil {
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	return nil
}

// Progress is the share of the file that was read, from 0 to 1.
func (f *File) Progress() float64 {
	if f.Size == 0 {
		return 1
	}
	return min(1, float64(f.taken.Load())/float64(f.Size*f.passes))
}

// Fingerprint is a hash of the file's content and of the country it is read for.
func (f *File) Fingerprint() (string, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", f.Format.Name, f.Country)
	if _, err := io.Copy(sum, in); err != nil {
		return "", fmt.Errorf("read %s: %w", f.Path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// counted counts the bytes that were read of the file itself.
type counted struct {
	io.Reader
	taken *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.taken.Add(int64(n))
	return n, err
}

// stream is the content of a file.
type stream struct {
	io.Reader
	file io.Closer
}

func (s stream) Close() error { return s.file.Close() }

// open opens the file, and unpacks it when its name ends with .gz.
func (f *File) open() (io.ReadCloser, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(&counted{Reader: file, taken: &f.taken}, 1<<20)
	if !strings.HasSuffix(f.Path, ".gz") {
		return stream{in, file}, nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("unpack %s: %w", f.Path, err)
	}
	return stream{unpacked, file}, nil
}
