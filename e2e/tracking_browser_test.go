package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"waybill/testing/chromium"
)

// view is a way of looking at a page.
type view struct {
	name          string
	width, height int64
	dark          bool
	language      string
}

// look opens a page without JavaScript and returns its text and by how much it
// is too wide. It takes a screenshot, which go test -artifacts keeps.
func look(browser context.Context, t *testing.T, address string, v view) (seen string, overflow int64) {
	t.Helper()
	scheme := "light"
	if v.dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(browser, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	_, err = chromedp.Call(browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(t, err)
	_, err = chromedp.Call(browser, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{
		Headers: network.Headers{"Accept-Language": v.language},
	})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(browser, chromedp.EmulateViewport(v.width, v.height), chromedp.Navigate(address)))
	seen, err = chromedp.Run(browser, chromedp.Evaluate[string]("document.body.innerText"))
	require.NoError(t, err)
	overflow, err = chromedp.Run(browser, chromedp.Evaluate[int64]("document.documentElement.scrollWidth - window.innerWidth"))
	require.NoError(t, err)
	picture, err := chromedp.Run(browser, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(t.ArtifactDir(), v.name+".png"), picture, 0o600))
	return seen, overflow
}

func TestTrackingPageInABrowser(t *testing.T) {
	t.Parallel()
	browser := chromium.Start(t)
	o := shared.organization(t)
	o.importOrders(t, orders(richOrder("PAGE"), newOrder("LONG", object{"delivery": object{
		"name":     "Det Kongelige Norske Videnskabers Selskabs universitetsbiblioteksfjernlageravdelingskontor",
		"earliest": "2026-03-02T20:00:00Z", "latest": "2026-03-03T04:00:00Z",
		"address": object{"address1": "A", "city": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", "country": "NO"},
	}})))
	links, long := o.reserve(t, "PAGE"), o.reserve(t, "LONG")
	phone := view{width: 390, height: 844}
	small := view{width: 320, height: 568}
	desktop := view{width: 1280, height: 800}
	for _, page := range []struct {
		view
		name, address, language string
		status                  int
		dark                    bool
		shows                   []string
	}{
		{phone, "phone-nb-on-its-way", links.Delivery.TrackingLink, "nb", 4, false, []string{"Leveringen din er på vei", "mandag 2. mars 2026", "12:00–16:00", "Café Norden", "København"}},
		{phone, "phone-da-delivered-dark", links.Delivery.TrackingLink, "da", 6, true, []string{"Leveret", "mandag den 2. marts 2026"}},
		{desktop, "desktop-en-at-pickup", links.Pickup.TrackingLink, "en", 3, false, []string{"Pickup", "The driver has arrived"}},
		{desktop, "desktop-nb-failed", links.Delivery.TrackingLink, "nb", 7, false, []string{"Leveringen kunne ikke gjennomføres"}},
		{small, "small-en-long-names", long.Delivery.TrackingLink, "en", 0, false, []string{"Monday, 2 March 2026, 21:00 –", "Tuesday, 3 March 2026, 05:00"}},
		{phone, "phone-en-gone", fmt.Sprintf("http://%s/t/GONE", o.address), "en", 0, false, []string{"We cannot show this page", "no longer works"}},
	} {
		t.Run(page.name, func(t *testing.T) {
			if page.status != 0 {
				o.setStatus(t, "PAGE", page.status)
			}
			v := page.view
			v.name, v.language, v.dark = page.name, page.language, page.dark
			seen, overflow := look(browser, t, page.address, v)
			for _, words := range page.shows {
				require.Contains(t, seen, words)
			}
			require.LessOrEqual(t, overflow, int64(0), "nobody has to scroll sideways")
		})
	}
}
