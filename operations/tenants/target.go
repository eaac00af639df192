package tenants

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// partial is the suffix of incomplete files.
const partial = ".partial"

// createPartial begins a file, which gets its name from finishPartial.
func createPartial(path string) (*os.File, error) {
	return os.OpenFile(path+partial, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // the operator names it
}

func finishPartial(path string) error { return os.Rename(path+partial, path) }

// OpenTarget begins an export at a path: an archive if it ends with .tar.gz or
// .tgz, otherwise a folder, which may have the files of an interrupted export.
func OpenTarget(path string) (Target, error) {
	if strings.HasSuffix(path, ".tar.gz") || strings.HasSuffix(path, ".tgz") {
		return newArchive(path)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	// Existing files are no complete export until this one is.
	if err := os.Remove(folder(path).path(manifestFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return folder(path), nil
}

// folder is an export as files of a folder.
type folder string

// Create begins a file of the folder.
func (f folder) Create(name string) (io.WriteCloser, error) {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := createPartial(path)
	if err != nil {
		return nil, err
	}
	return &wholeFile{file: file, Writer: bufio.NewWriter(file), path: path}, nil
}

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Sum reads an existing file.
func (f folder) Sum(name string, size int64) (string, bool) {
	file, err := os.Open(f.path(name))
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if n, err := io.Copy(sum, file); err != nil || n != size {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
}

// Finish has nothing left to do.
func (f folder) Finish() error { return nil }

// wholeFile has its name once it is whole.
type wholeFile struct {
	*bufio.Writer
	file *os.File
	path string
}

// Close renames the file.
func (w *wholeFile) Close() error {
	if err := errors.Join(w.Flush(), w.file.Close()); err != nil {
		return err
	}
	return finishPartial(w.path)
}

// archive is an export as one compressed file. It is written from the beginning each
// time, and has its name once it is whole.
type archive struct {
	path string
	file *os.File
	zip  *gzip.Writer
	tar  *tar.Writer
}

func newArchive(path string) (*archive, error) {
	file, err := createPartial(path)
	if err != nil {
		return nil, err
	}
	zip := gzip.NewWriter(file)
	return &archive{path: path, file: file, zip: zip, tar: tar.NewWriter(zip)}, nil
}

// Create begins a file of the archive. It is a separate file until it is
// complete, because the archive begins with its length.
func (a *archive) Create(name string) (io.WriteCloser, error) {
	file, err := os.CreateTemp(filepath.Dir(a.path), filepath.Base(a.path)+".*"+partial)
	if err != nil {
		return nil, err
	}
	return &entry{archive: a, File: file, name: name}, nil
}

// Sum has no earlier export.
func (a *archive) Sum(string, int64) (string, bool) { return "", false }

// Finish renames the archive.
func (a *archive) Finish() error {
	if err := errors.Join(a.tar.Close(), a.zip.Close(), a.file.Close()); err != nil {
		return err
	}
	return finishPartial(a.path)
}

// entry is a file on its way into the archive.
type entry struct {
	*os.File
	archive *archive
	name    string
}

// Close puts the file into the archive.
func (e *entry) Close() error {
	err := e.add()
	return errors.Join(err, e.File.Close(), os.Remove(e.Name()))
}

func (e *entry) add() error {
	size, err := e.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := e.Seek(0, io.SeekStart); err != nil {
		return err
	}
	header := &tar.Header{Name: e.name, Mode: 0o600, Size: size, ModTime: time.Now()}
	if err := e.archive.tar.WriteHeader(header); err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	_, err = io.Copy(e.archive.tar, e.File)
	return err
}
