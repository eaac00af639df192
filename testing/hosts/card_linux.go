package hosts

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// openCard makes a network card in the namespace of the calling thread, whose
// frames are read from and written to the file.
func openCard(name string) (*os.File, error) {
	descriptor, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err != nil {
		return nil, err
	}
	request.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(descriptor, unix.TUNSETIFF, request); err != nil {
		_ = unix.Close(descriptor)
		return nil, fmt.Errorf("make the network card %s: %w", name, err)
	}
	return os.NewFile(uintptr(descriptor), name), nil
}

// hardwareOf is the address of a card in the namespace of the calling thread.
func hardwareOf(name string) (hardware, error) {
	card, err := net.InterfaceByName(name)
	if err != nil {
		return hardware{}, err
	}
	return hardware(card.HardwareAddr), nil
}
