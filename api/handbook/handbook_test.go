package handbook_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill"
	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
)

// reader follows the pages as a browser without JavaScript does.
type reader struct {
	t       *testing.T
	handler http.Handler
}

func newReader(t *testing.T) *reader {
	t.Helper()
	return &reader{t, apitest.New(t).Server.Routes()}
}

func (r *reader) get(target string, headers ...string) *httptest.ResponseRecorder {
	r.t.Helper()
	return apitest.Serve(r.handler, http.MethodGet, target, "", headers...)
}

// page is an existing page.
func (r *reader) page(target string) string {
	r.t.Helper()
	w := r.get(target)
	require.Equal(r.t, http.StatusOK, w.Code, target)
	return w.Body.String()
}

var (
	hrefs    = regexp.MustCompile(`<(?:a|link)[^>]* href="([^"]*)"`)
	sources  = regexp.MustCompile(`<(?:img|script)[^>]* src="([^"]*)"`)
	headings = regexp.MustCompile(`<h([1-6])[ >]`)
	ids      = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinksOfPagesResolve begins at the landing page and follows each link to a page.
func TestLinksOfPagesResolve(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	bodies := map[string]string{}
	wanted := map[string]string{} // links with a fragment, and where they are
	for todo := []string{"/"}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if _, had := bodies[at]; had {
			continue
		}
		w := r.get(at)
		require.Equal(t, http.StatusOK, w.Code, at)
		bodies[at] = w.Body.String()
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || at == "/docs/try" {
			continue
		}
		requireSound(t, at, w)
		for _, href := range hrefs.FindAllStringSubmatch(bodies[at], -1) {
			target, fragment, _ := strings.Cut(href[1], "#")
			if target == "" {
				target = at
			}
			if strings.Contains(target, "://") || target == "data:," {
				continue
			}
			require.Regexp(t, `^/`, target, at)
			if isElsewhere(target) {
				continue
			}
			todo = append(todo, target)
			if fragment != "" && target != "/docs/try" {
				wanted[target+"#"+fragment] = at
			}
		}
	}
	require.Greater(t, len(bodies), 600, "pages, and each in Markdown")
	for link, at := range wanted {
		target, fragment, _ := strings.Cut(link, "#")
		require.Contains(t, bodies[target], ` id="`+fragment+`"`, "%s links to %s", at, link)
	}
	for _, tag := range apitest.Document(t).Tags {
		require.Contains(t, bodies, "/docs/reference/"+strings.ReplaceAll(strings.ToLower(tag.Name), " ", "-"))
	}
}

// isElsewhere reports whether other packages serve a link.
func isElsewhere(target string) bool {
	return strings.HasPrefix(target, "/console") || target == "/sign-in" || target == "/readyz" ||
		target == "/docs/waybill.postman_collection.json"
}

// requireSound checks properties of every page: it loads nothing from
// elsewhere, keeps its policy, and has headings in sequence.
func requireSound(t *testing.T, at string, w *httptest.ResponseRecorder) {
	t.Helper()
	body, header := w.Body.String(), w.Header()
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", at)
	require.NotContains(t, header.Get("Content-Security-Policy"), "unsafe", at)
	require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), at)
	for _, source := range sources.FindAllStringSubmatch(body, -1) {
		require.Regexp(t, `^/[^/]`, source[1], at)
	}
	const forbidden = `<[a-z][^>]* style="|<style|<script>|<[a-z][^>]* on[a-z]+="`
	require.NotRegexp(t, forbidden, body, "%s: the policy forbids it", at)
	require.Equal(t, 1, strings.Count(body, "<h1"), at)
	require.Equal(t, 1, strings.Count(body, "<main"), at)
	level := "1"
	main := body[strings.Index(body, "<main"):strings.Index(body, "</main>")]
	for _, heading := range headings.FindAllStringSubmatch(main, -1) {
		require.LessOrEqual(t, heading[1][0], level[0]+1, "%s leaves out a level of headings", at)
		level = heading[1]
	}
	seen := map[string]bool{}
	for _, id := range ids.FindAllStringSubmatch(body, -1) {
		require.False(t, seen[id[1]], "%s has two elements %s", at, id[1])
		seen[id[1]] = true
	}
	require.Less(t, strings.Count(body, "</"), 10_000, "%s is too large for a phone", at)
}

func TestTheStartPageLeadsToTheRest(t *testing.T) {
	t.Parallel()
	home := newReader(t).page("/")
	for _, target := range []string{"/docs", "/docs/reference", "/docs/try", "/sign-in", "/readyz", "/openapi.yaml"} {
		require.Contains(t, home, `href="`+target+`"`)
	}
	require.NotContains(t, home, "/console/", "this program has none")
	private := apitest.New(t, func(c *api.Config, _ *api.Dependencies) { c.HasPrivateProbes = true })
	w := apitest.Serve(private.Server.Routes(), http.MethodGet, "/", "")
	require.Contains(t, w.Body.String(), `href="/healthz"`, "readers can't reach the other one")
}

func TestMarkdownIsTheSource(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	source := func(name string) string {
		content, err := os.ReadFile(filepath.Join("../../docs", name))
		require.NoError(t, err)
		return string(content)
	}
	for page, file := range map[string]string{
		"/docs/integrating.md": "integrating.md", "/docs/tutorial.md": "tutorial.md", "/docs/glossary.md": "glossary.md",
		"/docs/reasons.md": "reasons.md", "/docs/behavior.md": "behavior/README.md",
		"/docs/behavior/README.md": "behavior/README.md", "/docs/behavior/imports.md": "behavior/imports.md",
	} {
		require.Equal(t, source(file), r.page(page), page)
	}
	require.Equal(t, waybill.Changelog(), r.page("/docs/changelog.md"))
	whole := source("integrating.md")
	for _, chapter := range []string{
		"keys", "windows", "drafts", "merging", "status-feed", "webhooks", "errors", "testing", "going-live",
	} {
		text := r.page("/docs/" + chapter + ".md")
		require.Contains(t, whole, text, chapter)
		require.Regexp(t, `^##`, text, chapter)
	}
}

func TestEachOperationIsInMarkdown(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	text := r.page("/docs/reference/import/importOrders.md")
	for _, part := range []string{
		"# Import orders", "`POST /v3/orders/import`", "API keys", "- `orders` (list of ImportOrderRequest, required",
		"curl \"$WAYBILL_URL/v3/orders/import\"", "## Response 202",
	} {
		require.Contains(t, text, part)
	}
	list := r.get("/llms.txt")
	require.Equal(t, "text/plain; charset=utf-8", list.Header().Get("Content-Type"))
	for _, link := range regexp.MustCompile(`\]\((/[^)]*)\)`).FindAllStringSubmatch(list.Body.String(), -1) {
		require.Equal(t, http.StatusOK, r.get(link[1]).Code, link[1])
	}
	require.Contains(t, r.page("/docs.md"), "/docs/drafts.md")
}

func TestASearchFindsOperationsAndGuides(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	for query, want := range map[string]string{
		"cancel+an+order":     "/docs/reference/order-operations/cancelOrders",
		"importOrders":        "/docs/reference/import/importOrders",
		"orderstatusfeed":     "/docs/reference/status-feed/getOrderStatusFeed",
		"webhook+signature":   "/docs/webhooks",
		"time+window":         "/docs/windows",
		"ORDER_NOT_FOUND":     "/docs/reasons#ORDER_NOT_FOUND",
		"load+carrier":        "/docs/glossary#orders",
		"detachErpOrder":      "/docs/reference/order-operations/detachErpOrder",
		"hasOpeningTimes":     "/docs/reference/import/importOrders",
		"going+live":          "/docs/going-live",
		"fallbackVehicleType": "/docs/prerequisites",
	} {
		require.Contains(t, r.page("/docs/search?q="+query), `<a href="`+want+`">`, query)
	}
	require.Contains(t, r.page("/docs/search?q=zyzzyva"), "Nothing has")
	require.Contains(t, r.page("/docs/search"), "Type what you look for")
	hostile := r.page("/docs/search?q=%3Cscript%3E+%22%5B%28")
	require.NotContains(t, hostile, "<script> ")
	require.Equal(t, http.StatusOK, r.get("/docs/search?q="+strings.Repeat("a+", 5000)).Code)
}

func TestReferenceShowsPermissionsOfKeys(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	all := r.page("/docs/reference")
	require.Contains(t, all, `id="only-keys"`)
	require.Contains(t, all, `<li><a href="/docs/reference/import/importOrders">`)
	require.Contains(t, all, `<li class="not-for-keys"><a href="/docs/reference/people/createUser">`)
	require.Contains(t, r.page("/docs/reference/people/createUser"), "<dd>admin</dd>")
	operation := r.page("/docs/reference/import/importOrders")
	for _, part := range []string{
		"<dd>API keys, admin, dispatcher</dd>", `<code class="name">validateOnly</code>`, "client.Orders.Import(ctx",
		"await client.orders.import", "<details><summary>What is in it", `href="/docs/try#/Import/importOrders"`,
	} {
		require.Contains(t, operation, part)
	}
	require.NotContains(t, all, "Unreleased", "the changelog has a page of its own")
	require.Contains(t, r.page("/docs/changelog"), "Unreleased")
	require.Contains(t, r.page("/docs/reference/webhook-endpoints/receiveOrderEvent"), "Waybill calls it; you answer.")
}

// An example that is pasted makes an order of tomorrow.
func TestExamplesAreOfTomorrow(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	before := contract.Tomorrow(time.Now())
	drawn, plain := r.page("/docs/reference/import/importOrders"), r.page("/docs/reference/import/importOrders.md")
	if contract.Tomorrow(time.Now()) != before {
		t.Skip("it is midnight")
	}
	for _, page := range []string{strings.ReplaceAll(drawn, "&#34;", `"`), plain} {
		require.Contains(t, page, `"date": "`+before.Format(time.DateOnly)+`"`)
		require.NotContains(t, page, `"date": "2026-03-02"`)
	}
}

func TestPagesAreKeptAndCompressed(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	for target, contentType := range map[string]string{
		"/":                              "text/html; charset=utf-8",
		"/docs":                          "text/html; charset=utf-8",
		"/docs/":                         "text/html; charset=utf-8",
		"/docs/drafts":                   "text/html; charset=utf-8",
		"/docs/drafts.md":                "text/markdown; charset=utf-8",
		"/docs/reference/import":         "text/html; charset=utf-8",
		"/docs/docs.css":                 "text/css; charset=utf-8",
		"/docs/pictures/window.svg":      "image/svg+xml",
		"/docs/contract.yaml":            "application/yaml",
		"/openapi.yaml":                  "application/yaml",
		"/openapi-3.1.yaml":              "application/yaml",
		"/docs/try":                      "text/html; charset=utf-8",
		"/docs/try.js":                   "text/javascript; charset=utf-8",
		"/docs/swagger-ui.css":           "text/css; charset=utf-8",
		"/docs/swagger-ui.LICENSE.txt":   "text/plain; charset=utf-8",
		"/docs/pictures/console-day.png": "image/png",
	} {
		w := r.get(target, "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, w.Code, target)
		require.Equal(t, contentType, w.Header().Get("Content-Type"), target)
		require.Equal(t, "no-cache", w.Header().Get("Cache-Control"), target)
		if len(r.page(target)) > 4<<10 && contentType != "image/png" {
			require.Equal(t, "gzip", w.Header().Get("Content-Encoding"), target)
		}
		again := r.get(target, "If-None-Match", w.Header().Get("ETag"))
		require.Equal(t, http.StatusNotModified, again.Code, target)
		require.Empty(t, again.Body.Bytes(), target)
	}
	require.Equal(t, contract.Published(), r.get("/openapi.yaml").Body.Bytes())
	require.Equal(t, contract.Published31(), r.get("/openapi-3.1.yaml").Body.Bytes())
}

func TestUnknownPagesAreNotFound(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	for _, target := range []string{
		"/docs/nothing", "/docs/nothing.js", "/docs/nothing.md", "/docs/..%2fserver.go", "/docs/try.html",
		"/docs/openapi.yaml", "/docs/openapi-3.1.yaml", "/docs/production.md",
		"/docs/reference/import/nothing", "/docs/pictures/", "/docs/home",
	} {
		require.Equal(t, http.StatusNotFound, r.get(target).Code, target)
	}
	w := r.get("/docs/nothing", "Accept", "text/html,*/*")
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "There is no such page")
}

func TestPostmanCollectionIsServed(t *testing.T) {
	t.Parallel()
	w := newReader(t).get("/docs/waybill.postman_collection.json")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	collection, err := contract.Postman()
	require.NoError(t, err)
	require.Equal(t, collection, w.Body.Bytes())
}
