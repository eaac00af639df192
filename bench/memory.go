package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
)

// peakMemory is the most memory that a process has held, in MiB, as the
// kernel counts it.
func peakMemory(pid int) (float64, error) { return memoryOf(pid, "VmHWM:") }

// memoryOf reads one of the kernel's figures about a process, in MiB.
func memoryOf(pid int, figure string) (float64, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("read a process's memory: %w", err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), figure); found {
			var kibibytes float64
			_, err := fmt.Sscanf(rest, "%f kB", &kibibytes)
			return kibibytes / 1024, err
		}
	}
	return 0, errors.New("read a process's memory: not reported by the kernel")
}
