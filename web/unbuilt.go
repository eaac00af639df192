package web

import (
	"net/http"
	"strings"
)

// unbuilt is shown if the binary has no app; APP is replaced with its name.
const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No APP · Waybill</title>
<h1>This Waybill was built without its APP</h1>
<p>The APP is built with Node 20.19 or later. Install it, run <code>make build</code>, and start Waybill again:
the page will be here.</p>
<p>Everything that the APP does, the API does too: <a href="/docs">its contract</a>.
ELSEWHERE</p>
</html>
`

// appNames are the names of the apps, and the alternatives to each.
var appNames = map[string][2]string{
	"/console": {"console", `<a href="/account">Your account</a> works without the console.`},
	"/driver":  {"drivers' app", `<a href="/driver/sign-in">A phone is connected</a> without it.`},
}

func serveUnbuilt(w http.ResponseWriter, base string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	name := appNames[base]
	_, _ = strings.NewReplacer("APP", name[0], "ELSEWHERE", name[1]).WriteString(w, unbuilt)
}
