package hosts_test

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"waybill/internal/child"
	"waybill/testing/hosts"
)

// twoHosts are two hosts that this program reaches at 10.77.0.1.
func twoHosts(t *testing.T) (a, b *hosts.Host) {
	t.Helper()
	if os.Getenv("WAYBILL_TEST_HOSTS") == "" {
		t.Skip("make test/hosts runs it, as root")
	}
	network, err := hosts.New()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, network.Close()) })
	_, err = network.Here(t.Context(), "10.77.0.1")
	require.NoError(t, err)
	a, err = network.Host(t.Context(), "a", "10.77.0.2")
	require.NoError(t, err)
	b, err = network.Host(t.Context(), "b", "10.77.0.3")
	require.NoError(t, err)
	return a, b
}

// echo answers on a host with what it is sent.
func echo(t *testing.T, h *hosts.Host) {
	t.Helper()
	require.NoError(t, h.Within(func() error {
		listener, err := net.Listen("tcp", "0.0.0.0:7")
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					buffer := make([]byte, 64)
					for {
						n, err := c.Read(buffer)
						if err != nil {
							return
						}
						_, _ = c.Write(buffer[:n])
					}
				}()
			}
		}()
		return nil
	}))
}

// asked is how long an echo takes, and false if it does not come.
func asked(c net.Conn) (time.Duration, bool) {
	start := time.Now()
	_ = c.SetDeadline(start.Add(3 * time.Second))
	if _, err := c.Write([]byte("hello")); err != nil {
		return 0, false
	}
	_, err := c.Read(make([]byte, 64))
	return time.Since(start), err == nil
}

func TestHostsReachEachOtherUntilOneIsCutOff(t *testing.T) {
	a, b := twoHosts(t)
	echo(t, b)
	var c net.Conn
	require.NoError(t, a.Within(func() (err error) {
		c, err = net.Dial("tcp", "10.77.0.3:7")
		return err
	}))
	took, ok := asked(c)
	require.True(t, ok)
	require.Less(t, took, 200*time.Millisecond)
	require.True(t, strings.HasPrefix(c.LocalAddr().String(), "10.77.0.2:"), "it comes from its own host")

	b.Slow(300*time.Millisecond, 0)
	took, ok = asked(c)
	require.True(t, ok)
	require.GreaterOrEqual(t, took, 300*time.Millisecond)

	b.Cut()
	_, ok = asked(c)
	require.False(t, ok)
	b.Heal()
	_, ok = asked(c)
	require.True(t, ok, "the connection has survived")
}

func TestAnAddressMoves(t *testing.T) {
	a, b := twoHosts(t)
	echo(t, a)
	echo(t, b)
	const floating = "10.77.0.9"
	require.NoError(t, a.Take(t.Context(), floating))
	c, err := net.DialTimeout("tcp", floating+":7", 3*time.Second)
	require.NoError(t, err)
	_, ok := asked(c)
	require.True(t, ok)
	require.NoError(t, a.Drop(t.Context(), floating))
	require.NoError(t, b.Take(t.Context(), floating))
	_, ok = asked(c)
	require.False(t, ok, "the connection was to the other host")
	again, err := net.DialTimeout("tcp", floating+":7", 3*time.Second)
	require.NoError(t, err)
	_, ok = asked(again)
	require.True(t, ok)
}

func TestSignalsReachTheProgramsOfAHost(t *testing.T) {
	a, b := twoHosts(t)
	var programs []*child.Process
	for _, h := range []*hosts.Host{a, b} {
		p, err := child.StartWithin(exec.Command("sleep", "1000"), syscall.SIGKILL, h.Within)
		require.NoError(t, err)
		t.Cleanup(func() { p.Stop(syscall.SIGKILL, 0) })
		programs = append(programs, p)
	}
	require.NoError(t, a.Signal(unix.SIGKILL))
	<-programs[0].Done()
	select {
	case <-programs[1].Done():
		t.Fatal("the signal reached the other host")
	default:
	}
}
