package stack_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/testing/stack"
)

// portsTaken is how many ports each process takes: enough for processes that
// ignored each other to collide.
const portsTaken = 300

// takePorts takes ports, prints them, and holds them until its input ends.
func takePorts() {
	for range portsTaken {
		port, err := stack.FreePort()
		if err != nil {
			panic(err)
		}
		fmt.Println(port)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func TestAFreePortIsGivenToOneProcessOnly(t *testing.T) {
	t.Parallel()
	owners := map[string]int{}
	for process := range 4 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "STACK_TEST_PORTS=1")
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

func TestAFreePortCanBeListenedOn(t *testing.T) {
	t.Parallel()
	for range 20 {
		port, err := stack.FreePort()
		require.NoError(t, err)
		require.False(t, stack.PortInUse(port))
		listener, err := stack.Listen(fmt.Sprintf("127.0.0.1:%d", port))
		require.NoError(t, err)
		require.True(t, stack.PortInUse(port))
		require.NoError(t, listener.Close())
		again, err := net.ListenPacket("udp", fmt.Sprintf("127.0.0.1:%d", port))
		require.Error(t, err, "it is reserved")
		require.Nil(t, again)
	}
}
