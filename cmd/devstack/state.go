package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"waybill/testing/stack"
)

// state is the folder that keeps everything between runs. While it is open, no
// other devstack can open it.
type state struct {
	dir  string
	lock *os.File
}

// openState creates the folder and locks it.
func openState(dir string) (*state, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", dir, err)
	}
	if err := os.MkdirAll(absolute, 0o755); err != nil {
		return nil, fmt.Errorf("create the state folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(absolute, "devstack.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%s belongs to another account: use that account, or run `make clean` with it", absolute)
	}
	if err != nil {
		return nil, fmt.Errorf("lock the state: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(lock.Name()) // the sentence does without it
		_ = lock.Close()
		return nil, fmt.Errorf("another run is using %s (process %s): stop it first with Ctrl-C", absolute,
			strings.TrimSpace(string(holder)))
	}
	_ = lock.Truncate(0)
	_, _ = fmt.Fprintln(lock, os.Getpid())
	return &state{absolute, lock}, nil
}

// path is a file or folder of the state.
func (s *state) path(name string) string { return filepath.Join(s.dir, name) }

// close lets others open the state.
func (s *state) close() error { return s.lock.Close() }

func newCleanCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Delete all data of earlier runs",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := openState(dir)
			if err != nil {
				return err
			}
			return errors.Join(stack.ForgetPostgres(s.path("pg")), os.RemoveAll(s.dir), s.close())
		},
	}
	cmd.Flags().StringVar(&dir, "state", defaultState, "folder for the data of this machine")
	return cmd
}
