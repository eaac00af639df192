package child_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/child"
)

// portsTaken is how many ports each process takes: enough for processes that
// ignored each other to collide.
const portsTaken = 300

// takePorts takes ports, prints them, and holds them until its input ends.
func takePorts() {
	for range portsTaken {
		port, err := child.FreePort()
		if err != nil {
			panic(err)
		}
		fmt.Println(port)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// TestMain lets this program be a process that reserves ports.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD_TEST_PORTS") != "" {
		takePorts()
	}
	os.Exit(m.Run())
}

func TestAFreePortIsGivenToOneProcessOnly(t *testing.T) {
	t.Parallel()
	owners := map[string]int{}
	for process := range 4 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "CHILD_TEST_PORTS=1")
		hold, err := command.StdinPipe()
		require.NoError(t, err)
		out, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		t.Cleanup(func() {
			_ = hold.Close()
			require.NoError(t, command.Wait())
		})
		lines := bufio.NewScanner(out)
		for range portsTaken {
			require.True(t, lines.Scan())
			owner, taken := owners[lines.Text()]
			require.False(t, taken, "process %d has the port %s of process %d", process, lines.Text(), owner)
			owners[lines.Text()] = process
		}
	}
	require.Len(t, owners, 4*portsTaken)
}

// soon opens something that a process that is about to start may still have for a moment.
func soon[T io.Closer](t *testing.T, open func() (T, error)) (opened T) {
	t.Helper()
	require.Eventually(t, func() (isOpen bool) {
		var err error
		opened, err = open()
		return err == nil
	}, time.Minute, time.Millisecond)
	return opened
}

func TestAFreePortCanBeListenedOn(t *testing.T) {
	t.Parallel()
	for range 20 {
		port, err := child.FreePort()
		require.NoError(t, err)
		require.False(t, child.PortInUse(port))
		listener := soon(t, func() (net.Listener, error) { return child.Listen(child.Local(port)) })
		require.True(t, child.PortInUse(port))
		require.NoError(t, listener.Close())
		again, err := net.ListenPacket("udp", child.Local(port))
		require.Error(t, err, "it is reserved")
		require.Nil(t, again)
		child.ReleasePort(port)
		again = soon(t, func() (net.PacketConn, error) { return net.ListenPacket("udp", child.Local(port)) })
		require.NoError(t, again.Close())
	}
}

// TestAPortThatIsLetGoSoonIsFree has a listener for a moment, as a process has that is about to start.
func TestAPortThatIsLetGoSoonIsFree(t *testing.T) {
	t.Parallel()
	port, err := child.FreePort()
	require.NoError(t, err)
	listener := soon(t, func() (net.Listener, error) { return child.Listen(child.Local(port)) })
	time.AfterFunc(5*time.Millisecond, func() { _ = listener.Close() })
	require.False(t, child.PortInUse(port))
}
