package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/testing/chromium"
)

// TestTheExampleOnThePageForTryingMakesAnOrder presses Execute on what /docs/try fills in for an import:
// required parameters alone, and an example of tomorrow that the organization of the demo accepts.
func TestTheExampleOnThePageForTryingMakesAnOrder(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	browser := chromium.Start(t)
	require.NoError(t, chromedp.Do(browser, chromedp.Navigate("http://"+o.address+"/docs/try#/Import/importOrders")))
	becomesTrue(browser, t, `document.querySelector("textarea.body-param__text") !== null`)

	before := contract.Tomorrow(time.Now())
	body := evaluate[string](browser, t, `document.querySelector("textarea.body-param__text").value`)
	var filled struct {
		Orders []struct{ Date string }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &filled))
	require.Len(t, filled.Orders, 1)
	date, err := time.Parse(time.DateOnly, filled.Orders[0].Date)
	require.NoError(t, err)
	// The page takes the day of the browser, which may be another one than that in Oslo.
	require.WithinDuration(t, before, date, 24*time.Hour)
	require.Empty(t, evaluate[string](browser, t,
		`[...document.querySelectorAll(".opblock.is-open .parameters input, .opblock.is-open .parameters select")].map((e) => e.value)
			.filter((value) => value && value !== "--" && value !== "application/json").join()`))

	evaluate[bool](browser, t, fmt.Sprintf(`(() => {
		const key = document.getElementById("api-key");
		key.value = %q;
		key.dispatchEvent(new Event("input"));
		document.querySelector(".opblock.is-open button.execute").click();
		return true;
	})()`, o.key))
	becomesTrue(browser, t, `document.querySelector(".live-responses-table .response-col_description .microlight, `+
		`.live-responses-table .response-col_description pre") !== null`)
	answered := evaluate[string](browser, t, `document.querySelector(".live-responses-table").innerText`)
	require.Contains(t, answered, "orderCreated", answered)
}

// evaluate returns the value of an expression on the page.
func evaluate[T any](browser context.Context, t *testing.T, expression string) T {
	t.Helper()
	value, err := chromedp.Run(browser, chromedp.Evaluate[T](expression))
	require.NoError(t, err)
	return value
}

// becomesTrue waits until an expression on the page is true.
func becomesTrue(browser context.Context, t *testing.T, expression string) {
	t.Helper()
	require.Eventually(t, func() bool {
		is, err := chromedp.Run(browser, chromedp.Evaluate[bool](expression))
		return err == nil && is
	}, time.Minute, 100*time.Millisecond, expression)
}
