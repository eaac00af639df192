package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/child"
	"waybill/testing/stack"
)

func TestPorts(t *testing.T) {
	t.Parallel()

	t.Run("ABusyOneIsNamedWithWhatMovesIt", func(t *testing.T) {
		t.Parallel()
		number, err := child.FreePort()
		require.NoError(t, err)
		s := settings{HTTPAddr: "127.0.0.1:0", SMTPPort: number}
		listener, err := net.Listen("tcp", s.ports()[4].address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })

		err = tryPorts(s.ports())
		require.ErrorContains(t, err, "(mailbox, SMTP) is in use; stop the process that uses it or set WAYBILL_SMTP_PORT=")
		require.NotContains(t, err.Error(), "Postgres")
	})

	t.Run("TwoPartsCannotHaveTheSame", func(t *testing.T) {
		t.Parallel()
		number, err := child.FreePort()
		require.NoError(t, err)
		s := settings{HTTPAddr: "127.0.0.1:0", PostgresPort: number, MailboxPort: number}
		require.ErrorContains(t, tryPorts(s.ports()), "(mailbox, page) is in use")
	})

	t.Run("TheAPIsAlternativeIsAnAddress", func(t *testing.T) {
		t.Parallel()
		p := port{address: "127.0.0.1:20000", whole: true}
		require.True(t, strings.HasPrefix(p.alternative(), "127.0.0.1:200"))
	})
}

func TestAPIURLIsReachableLocally(t *testing.T) {
	t.Parallel()
	for address, url := range map[string]string{
		"127.0.0.1:8080": "http://localhost:8080",
		"localhost:9000": "http://localhost:9000",
		":8080":          "http://localhost:8080",
		"0.0.0.0:8080":   "http://localhost:8080",
		"[::]:8080":      "http://localhost:8080",
		"[::1]:8080":     "http://[::1]:8080",
	} {
		require.Equal(t, url, settings{HTTPAddr: address}.apiURL(), address)
	}
}

func TestEnvironmentFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "waybill.env")
	written := []variable{{"PLAIN", "a b"}, {"ODD", `it's "$HOME"; rm`}}
	require.NoError(t, readEnvironmentFile(path).write(written))

	t.Run("OnlyItsOwnerReadsIt", func(t *testing.T) {
		t.Parallel()
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})

	t.Run("AShellReadsWhatWasWritten", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "seen")
		command, err := stack.Launch(stack.Command{
			Name: "sh", Path: "sh", Args: []string{"-c", `. "$0"; env`, path}, Log: file,
		})
		require.NoError(t, err)
		<-command.Done()
		seen, err := os.ReadFile(file)
		require.NoError(t, err)
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a log is its owner's, too")
		for _, v := range written {
			require.Contains(t, string(seen), v.name+"="+v.value+"\n")
		}
	})

	t.Run("TheNextRunReadsIt", func(t *testing.T) {
		t.Parallel()
		again := readEnvironmentFile(path)
		for _, v := range written {
			require.Equal(t, v.value, again.previous[v.name])
		}
	})
}

func TestSourcedValueIsNotAUsersSetting(t *testing.T) {
	file := environmentFile{previous: map[string]string{"WAYBILL_PUBLIC_URL": "http://old"}}
	t.Setenv("WAYBILL_PUBLIC_URL", "http://old")
	require.Equal(t, "http://new", file.chosen("WAYBILL_PUBLIC_URL", "http://new").value)
	t.Setenv("WAYBILL_PUBLIC_URL", "https://waybill.example")
	require.Equal(t, "https://waybill.example", file.chosen("WAYBILL_PUBLIC_URL", "http://new").value)
}

func TestOnlyOneRunsInAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := openState(dir)
	require.NoError(t, err)
	_, err = openState(dir)
	require.ErrorContains(t, err, "another run is using")
	require.NoError(t, first.close())
	second, err := openState(dir)
	require.NoError(t, err)
	require.NoError(t, second.close())
}

func TestTestCommand(t *testing.T) {
	t.Parallel()

	t.Run("PassesTheStatusOnAndRemovesTheServers", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "url")
		err := runTest(t.Context(), testOptions{temporal: temporalNone},
			[]string{"sh", "-c", `printf %s "$WAYBILL_TEST_DATABASE_URL" > "$0"; exit 7`, file})
		var status exitStatus
		require.ErrorAs(t, err, &status)
		require.Equal(t, exitStatus(7), status)
		url, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(url), "postgres://postgres:")
		_, address, _ := strings.Cut(string(url), "@")
		address, _, _ = strings.Cut(address, "/")
		_, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.Error(t, err)
	})

	t.Run("AnInterruptEndsTheCommand", func(t *testing.T) {
		t.Parallel()
		ctx, interrupt := context.WithCancel(t.Context())
		file := filepath.Join(t.TempDir(), "begun")
		ended := make(chan error, 1)
		go func() {
			ended <- runTest(
				ctx, testOptions{temporal: temporalNone}, []string{"sh", "-c", `echo > "$0"; exec sleep 1000`, file},
			)
		}()
		require.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, time.Minute, time.Millisecond)
		interrupt()
		require.Error(t, <-ended)
	})

	t.Run("AnUnknownServerIsRefused", func(t *testing.T) {
		t.Parallel()
		require.ErrorContains(t, runTest(t.Context(), testOptions{temporal: "big"}, []string{"true"}), "--temporal is big")
	})
}
