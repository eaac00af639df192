package web

import "net/http"

// unbuilt is shown where the binary holds no console.
const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No console · Waybill</title>
<h1>This Waybill was built without its console</h1>
<p>The console is built with Node 20.19 or later. Install it, run <code>make build</code>, and start Waybill again:
the page will be here.</p>
<p>Everything that the console does, the API does too: <a href="/docs">its contract</a>.
<a href="/account">Your account</a> works without the console.</p>
</html>
`

func serveUnbuilt(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(unbuilt))
}
