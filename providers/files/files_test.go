package files_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	"waybill/domain/fault"
	"waybill/providers/files"
)

const served = "https://waybill.example/v1/files"

var key = []byte("a key of the tests")

func open(t *testing.T, storage string) *files.Storage {
	t.Helper()
	s, err := files.Open(t.Context(), storage, served, key)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// folder is a storage in a folder that does not exist yet.
func folder(t *testing.T) (storage *files.Storage, root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "some", "where")
	return open(t, "file://"+root+"?create_dir=true"), root
}

// bucket is a storage in an S3 bucket. It uses the process's environment, so
// such tests do not run in parallel.
func bucket(t *testing.T) *files.Storage {
	t.Helper()
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("waybill"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	query := url.Values{"region": {"eu-north-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}
	return open(t, "s3://waybill?"+query.Encode())
}

var note = attachment.File{Name: "følgeseddel.txt", ContentType: "text/plain", Size: 5}

// requireKeeps checks what every storage does.
func requireKeeps(t *testing.T, s *files.Storage) {
	t.Helper()
	ctx := t.Context()
	sum, err := s.Write(ctx, "1/documents/1/A", note, strings.NewReader("hello"))
	require.NoError(t, err)
	want := sha256.Sum256([]byte("hello"))
	require.Equal(t, want[:], sum)
	c, err := s.Read(ctx, "1/documents/1/A")
	require.NoError(t, err)
	text, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Equal(t, "hello", string(text))
	contentType, disposition, modified := c.Describe()
	require.Equal(t, "text/plain", contentType)
	require.Equal(t, "attachment; filename*=utf-8''f%C3%B8lgeseddel.txt", disposition)
	require.WithinDuration(t, time.Now(), modified, time.Minute)
	require.NoError(t, c.Close())

	for name, content := range map[string]io.Reader{
		"1/half":    strings.NewReader("hel"),
		"1/more":    strings.NewReader("hello!"),
		"1/nothing": strings.NewReader(""),
		"1/broken":  io.MultiReader(strings.NewReader("hel"), broken{}),
	} {
		_, err := s.Write(ctx, name, note, content)
		require.Error(t, err, name)
		_, err = s.Read(ctx, name)
		require.Equal(t, fault.NotFound, fault.KindOf(err), "%s: %v", name, err)
	}

	require.NoError(t, s.Delete(ctx, "1/documents/1/A"))
	require.NoError(t, s.Delete(ctx, "1/documents/1/A"), "again")
	_, err = s.Read(ctx, "1/documents/1/A")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}

// broken is a body whose sender is gone.
type broken struct{}

// Read returns an error.
func (broken) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// An unavailable storage is neither an internal error nor the caller's fault.
func TestStorageOutageIsReportedAndCounted(t *testing.T) {
	t.Parallel()
	s, root := folder(t)
	failed := map[string]int{}
	s.Watch(func(operation string, isFailed bool) {
		if isFailed {
			failed[operation]++
		}
	})
	_, err := s.Write(t.Context(), "1/a", note, strings.NewReader("hello"))
	require.NoError(t, err)
	_, err = s.Write(t.Context(), "1/half", note, io.MultiReader(strings.NewReader("hel"), broken{}))
	require.ErrorContains(t, err, "connection reset")
	require.Equal(t, fault.Internal, fault.KindOf(err), "the sender is gone")
	_, err = s.Read(t.Context(), "1/absent")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	require.Empty(t, failed)

	require.NoError(t, os.RemoveAll(root))
	require.NoError(t, os.WriteFile(root, nil, 0o600)) // where the folder was
	_, err = s.Write(t.Context(), "1/a", note, strings.NewReader("hello"))
	require.Equal(t, fault.Unavailable, fault.KindOf(err), "%v", err)
	require.ErrorContains(t, err, "object storage unavailable")
	require.Equal(t, map[string]int{files.OperationWrite: 1}, failed)
}

func TestAFolderKeepsFiles(t *testing.T) {
	t.Parallel()
	s, root := folder(t)
	requireKeeps(t, s)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		require.True(t, entry.IsDir(), "%s is left over", path)
		return err
	}))
}

func TestABucketKeepsFiles(t *testing.T) {
	requireKeeps(t, bucket(t))
}

func TestABucketSignsDownloadsItself(t *testing.T) {
	s := bucket(t)
	_, err := s.Write(t.Context(), "1/a", note, strings.NewReader("hello"))
	require.NoError(t, err)
	address, err := s.DownloadURL(t.Context(), "1/a", 15*time.Minute)
	require.NoError(t, err)
	u, err := url.Parse(address)
	require.NoError(t, err)
	require.Equal(t, "900", u.Query().Get("X-Amz-Expires"))
	require.NotEmpty(t, u.Query().Get("X-Amz-Signature"))
	r, err := http.Get(address)
	require.NoError(t, err)
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	require.Equal(t, "hello", string(text))

	upload, err := s.UploadURL(t.Context(), "documents/1/1", "text/plain", time.Hour)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(upload, served+"?"), "uploads are taken by the service, whatever the storage")
}

func TestSignedAddresses(t *testing.T) {
	t.Parallel()
	s, _ := folder(t)
	sign := func(lives time.Duration) *url.URL {
		address, err := s.UploadURL(t.Context(), "documents/1/1", "text/plain", lives)
		require.NoError(t, err)
		u, err := url.Parse(address)
		require.NoError(t, err)
		return u
	}
	signed := func(s *files.Storage, method string, u *url.URL) bool {
		got, ok := s.Signed(context.Background(), method, u)
		if ok {
			require.Equal(t, "documents/1/1", got)
		}
		return ok
	}
	good := sign(time.Hour)
	require.True(t, signed(s, http.MethodPut, good))
	require.False(t, signed(s, http.MethodGet, good), "for another method")
	require.False(t, signed(s, http.MethodPut, sign(-2*time.Second)), "expired")
	for name, value := range map[string]string{
		"obj": "documents/1/2", "expiry": "99999999999", "contentType": "text/html", "method": "GET", "signature": "",
	} {
		forged := *good
		q := forged.Query()
		q.Set(name, value)
		forged.RawQuery = q.Encode()
		require.False(t, signed(s, http.MethodPut, &forged), name)
	}
	other, err := files.Open(t.Context(), "file://"+t.TempDir(), served, []byte("another key"))
	require.NoError(t, err)
	require.False(t, signed(other, http.MethodPut, good), "by another")
	require.NoError(t, other.Close())
}

func TestInvalidStorageURLIsRefused(t *testing.T) {
	t.Parallel()
	for _, storage := range []string{"ftp://example.com", "nowhere", "file:///dev/null/x", "%"} {
		_, err := files.Open(t.Context(), storage, served, key)
		require.Error(t, err, storage)
	}
}

func TestTheStorageIsChecked(t *testing.T) {
	t.Parallel()
	storage, root := folder(t)
	require.NoError(t, storage.Check(t.Context()))
	left, err := filepath.Glob(filepath.Join(root, "doctor", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, os.RemoveAll(root))
	require.NoError(t, os.WriteFile(root, nil, 0o600)) // not a folder any more
	require.ErrorContains(t, storage.Check(t.Context()), "write a file")
}
