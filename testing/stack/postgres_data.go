package stack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"waybill/internal/child"
)

const temporaryPrefix = "waybill-postgres-"

// folder makes the cluster's folder, a temporary one unless it was named.
func (pg *Postgres) folder() (string, error) {
	if pg.options.Dir != "" {
		dir, err := filepath.Abs(pg.options.Dir)
		if err != nil {
			return "", err
		}
		return dir, os.MkdirAll(dir, 0o755)
	}
	base, err := reachable(pg.account, os.TempDir(), "/tmp", "/var/tmp")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(base, temporaryPrefix)
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711) // passable for the account, and only that
}

func (pg *Postgres) temporary() bool {
	return strings.HasPrefix(filepath.Base(pg.options.Dir), temporaryPrefix)
}

// reachable picks the first folder that the account can get to.
func reachable(a *account, dirs ...string) (string, error) {
	for _, dir := range dirs {
		if a.reaches(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("account %s has no access to any of %s", a.name, strings.Join(dirs, ", "))
}

// placeData chooses where the cluster in dir keeps its data: in dir or, if dir
// is in a home that the server's account may not enter, in a system folder that
// dir then links to.
func placeData(dir string, a *account) (string, error) {
	data := filepath.Join(dir, "data")
	if target, err := os.Readlink(data); err == nil {
		return target, os.MkdirAll(filepath.Dir(target), 0o711)
	}
	if _, err := os.Stat(data); err == nil || a.reaches(dir) {
		return data, nil
	}
	base, err := reachable(a, "/var/lib", "/var/tmp", "/tmp")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(dir))
	elsewhere := filepath.Join(base, "waybill-devstack-"+hex.EncodeToString(sum[:6]))
	if err := os.MkdirAll(elsewhere, 0o711); err != nil {
		return "", err
	}
	target := filepath.Join(elsewhere, "data")
	return target, os.Symlink(target, data)
}

// ForgetPostgres removes the cluster in dir, wherever its data is.
func ForgetPostgres(dir string) error {
	if target, err := os.Readlink(filepath.Join(dir, "data")); err == nil {
		if err := os.RemoveAll(filepath.Dir(target)); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// create runs initdb, or copies another cluster, unless there is one. The data
// folder gets its name when it is complete.
func (pg *Postgres) create(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(pg.data, "PG_VERSION")); err == nil {
		return nil
	}
	unfinished := pg.data + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if like := pg.options.Like; like != nil {
		printed, err := exec.CommandContext(ctx, "cp", "-Rp", like.data, unfinished).CombinedOutput()
		if err != nil {
			return fmt.Errorf("copy a cluster: %w: %s", err, printed)
		}
		return os.Rename(unfinished, pg.data)
	}
	if err := pg.account.own(unfinished); err != nil {
		return err
	}
	if err := pg.initdb(ctx, unfinished); err != nil {
		return err
	}
	return os.Rename(unfinished, pg.data)
}

func (pg *Postgres) initdb(ctx context.Context, dir string) error {
	passwordFile := pg.data + ".password"
	if err := pg.account.write(passwordFile, pg.secret.password(Superuser)); err != nil {
		return err
	}
	defer func() { _ = os.Remove(passwordFile) }()
	args := []string{
		"-D", dir, "--username=" + Superuser, "--auth=scram-sha-256", "--pwfile=" + passwordFile,
		"--encoding=UTF8", "--locale=" + locale(), "--lc-messages=C",
	}
	if pg.options.NoSync {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, pg.programs.path("initdb"), args...)
	cmd.Dir = dir
	cmd.SysProcAttr = child.Attributes(syscall.SIGTERM)
	if pg.account != nil {
		cmd.SysProcAttr.Credential = pg.account.credential()
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, child.LastLines(out, child.TailBytes))
	}
	return nil
}

// locale supports every letter, and sorts the same on every machine of its
// kind.
func locale() string {
	if runtime.GOOS == "darwin" {
		return "en_US.UTF-8"
	}
	return "C.UTF-8"
}

// endStale cleans up after a crashed run: it stops a server that still runs,
// and removes the PID file of one that doesn't.
func (pg *Postgres) endStale(ctx context.Context) error {
	file := filepath.Join(pg.data, "postmaster.pid")
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find another Postgres on the same data: %w", err)
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	pid, err := strconv.Atoi(strings.TrimSpace(string(first)))
	if err != nil || !pg.serves(ctx, pid) {
		return os.Remove(file)
	}
	_ = syscall.Kill(pid, syscall.SIGINT)
	deadline := time.Now().Add(postgresPatience)
	for pg.serves(ctx, pid) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("an earlier Postgres (process %d) is still running on %s and does not stop", pid, pg.data)
		}
		time.Sleep(pollInterval)
	}
	return nil
}

// serves reports whether the process is a server on this cluster's data, and
// not another program with the same PID.
func (pg *Postgres) serves(ctx context.Context, pid int) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if runtime.GOOS != "linux" {
		command, err = exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	}
	return err == nil && bytes.Contains(command, []byte(pg.data))
}
