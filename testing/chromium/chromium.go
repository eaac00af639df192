// Package chromium has the browser with which tests use pages as people do.
package chromium

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// programs are browsers in the order in which tests take them. The one without windows needs half the processor
// time of the others. It is named by its file, because Debian's script of that name starts it as a child, which
// would survive its script.
var programs = []string{
	"/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
}

// Path returns where the browser of this machine is. A test is skipped without one; CI installs it.
func Path(t *testing.T) string {
	t.Helper()
	for _, name := range programs {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skip("there is no Chromium on this machine, so nothing is tested in a browser")
	return ""
}

// Start starts a browser for one test, which ends with it.
func Start(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(Path(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}
