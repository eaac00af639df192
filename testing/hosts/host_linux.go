package hosts

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Host is a network namespace with one card and one or more addresses.
type Host struct {
	Name    string
	Address string

	network   *Network
	namespace *os.File
	port      *port
}

// newHost makes the namespace on a thread that ends with it: the namespace
// stays as long as its file is open.
func newHost(ctx context.Context, name, address string) (*Host, error) {
	h := &Host{Name: name, Address: address}
	made := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: nothing else may run in this namespace
		made <- h.enter(ctx)
	}()
	if err := <-made; err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

func (h *Host) enter(ctx context.Context) (err error) {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("make a network namespace: %w", err)
	}
	if h.namespace, err = os.Open("/proc/thread-self/ns/net"); err != nil {
		return err
	}
	if err := ip(ctx, "link", "set", "lo", "up"); err != nil {
		return err
	}
	return h.connect(ctx, "eth0")
}

// connect makes the host's card in the namespace of the calling thread.
func (h *Host) connect(ctx context.Context, name string) error {
	card, err := openCard(name)
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"address", "add", h.Address + "/24", "dev", name}, {"link", "set", name, "up"},
	} {
		if err := ip(ctx, args...); err != nil {
			return errors.Join(err, card.Close())
		}
	}
	address, err := hardwareOf(name)
	if err != nil {
		return errors.Join(err, card.Close())
	}
	h.port = newPort(card, address)
	return nil
}

// Within runs a function on a thread in the host's namespace. What the function
// starts is on the host.
func (h *Host) Within(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return err
	}
	defer func() { _ = own.Close() }()
	if err := unix.Setns(int(h.namespace.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter host %s: %w", h.Name, err)
	}
	err = do()
	if back := unix.Setns(int(own.Fd()), unix.CLONE_NEWNET); back != nil {
		panic(fmt.Sprintf("a thread is lost on host %s: %v", h.Name, back))
	}
	return err
}

// Cut cuts the host off from all others.
func (h *Host) Cut() { h.port.link.Store(&link{cut: true}) }

// Slow delays each frame that the host sends, and loses a part of them.
func (h *Host) Slow(delay time.Duration, loss float64) {
	h.port.link.Store(&link{delay: delay, loss: loss})
}

// Heal ends what Cut and Slow began.
func (h *Host) Heal() { h.port.link.Store(&link{}) }

// Take gives the host another address, and tells all others.
func (h *Host) Take(ctx context.Context, address string) error {
	err := h.Within(func() error { return ip(ctx, "address", "add", address+"/24", "dev", "eth0") })
	if err != nil {
		return err
	}
	h.network.announce(netip.MustParseAddr(address), h.port.hardware)
	return nil
}

// Drop takes an address from the host.
func (h *Host) Drop(ctx context.Context, address string) error {
	return h.Within(func() error { return ip(ctx, "address", "del", address+"/24", "dev", "eth0") })
}

// Signal sends a signal to every program on the host, as STOP and CONT do that
// freeze it and thaw it, and KILL that crashes it.
func (h *Host) Signal(s unix.Signal) error {
	var own unix.Stat_t
	if err := unix.Fstat(int(h.namespace.Fd()), &own); err != nil {
		return err
	}
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return err
	}
	for _, folder := range folders {
		var its unix.Stat_t
		if unix.Stat(folder+"/ns/net", &its) != nil || its.Ino != own.Ino {
			continue // it has ended, or is on another host
		}
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			return err
		}
		if pid == os.Getpid() {
			continue // whose first thread may have made the host, and stays on it
		}
		if err := unix.Kill(pid, s); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("signal a program on %s: %w", h.Name, err)
		}
	}
	return nil
}

func (h *Host) close() error {
	var errs []error
	if h.port != nil {
		errs = append(errs, h.port.card.Close())
	}
	if h.namespace != nil {
		errs = append(errs, h.namespace.Close())
	}
	return errors.Join(errs...)
}
