package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

// metric is a metric of the program, as its source or the page says it.
type metric struct {
	kind   string
	labels []string
}

// TestEveryMetricIsExplained holds docs/monitoring.md against the program.
func TestEveryMetricIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("monitoring.md")
	require.NoError(t, err)
	explained := map[string]metric{}
	row := regexp.MustCompile("(?m)^\\| `(waybill_\\w+)` \\| (\\w+) \\|([^|]*)\\| (.+) \\|$")
	for _, cells := range row.FindAllStringSubmatch(string(text), -1) {
		var labels []string
		for _, label := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[3], -1) {
			labels = append(labels, label[1])
		}
		require.NotContains(t, explained, cells[1])
		explained[cells[1]] = metric{cells[2], labels}
	}
	made := metricsOfTheProgram(t)
	require.Greater(t, len(made), 10)
	require.Equal(t, made, explained)
}

// metricsOfTheProgram finds the registrations of metrics in the source.
func metricsOfTheProgram(t *testing.T) map[string]metric {
	t.Helper()
	made := map[string]metric{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "bin", ".local", "node_modules", "bench", "tools"}, entry.Name()):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is {
				addMetric(t, path, call, made)
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	return made
}

// addMetric adds the metric that a call makes, if it makes one.
func addMetric(t *testing.T, path string, call *ast.CallExpr, made map[string]metric) {
	t.Helper()
	function, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) == 0 {
		return
	}
	kind := regexp.MustCompile(`^New(Counter|Gauge|Histogram|Summary)(Vec|Func)?$`).FindStringSubmatch(function.Sel.Name)
	if function.Sel.Name == "NewDesc" { // of values that are computed on request
		made[literal(t, path, call.Args[0])] = metric{kind: "gauge", labels: literals(t, path, call.Args[2])}
		return
	}
	options, is := call.Args[0].(*ast.CompositeLit)
	if kind == nil || !is {
		return
	}
	m, name := metric{kind: strings.ToLower(kind[1])}, ""
	for _, field := range options.Elts {
		pair := field.(*ast.KeyValueExpr)
		switch pair.Key.(*ast.Ident).Name {
		case "Name":
			name = literal(t, path, pair.Value)
		case "ConstLabels":
			for _, label := range pair.Value.(*ast.CompositeLit).Elts {
				m.labels = append(m.labels, literal(t, path, label.(*ast.KeyValueExpr).Key))
			}
		}
	}
	if kind[2] == "Vec" {
		m.labels = append(m.labels, literals(t, path, call.Args[1])...)
	}
	made[name] = m
}

func literals(t *testing.T, path string, list ast.Expr) (texts []string) {
	t.Helper()
	for _, text := range list.(*ast.CompositeLit).Elts {
		texts = append(texts, literal(t, path, text))
	}
	return texts
}

func literal(t *testing.T, path string, expression ast.Expr) string {
	t.Helper()
	text, is := expression.(*ast.BasicLit)
	require.True(t, is, "%s: names of metrics and labels are written out", path)
	value, err := strconv.Unquote(text.Value)
	require.NoError(t, err)
	return value
}

// rules are the alerts, as ops/monitoring/alerts.yaml has them.
type rules struct {
	Groups []struct {
		Rules []struct {
			Alert, Expr string
			Labels      map[string]string
			Annotations map[string]string
		}
	}
}

func readRules(t *testing.T) (all rules) {
	t.Helper()
	text, err := os.ReadFile("../ops/monitoring/alerts.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &all))
	require.NotEmpty(t, all.Groups)
	return all
}

// metricName finds the names of metrics of the program and of Temporal's SDK.
var metricName = regexp.MustCompile(`\b(waybill|temporal)_\w+`)

// requireServed fails unless the metrics of an expression are the program's, or in the table
// of those of Temporal's SDK.
func requireServed(t *testing.T, made map[string]metric, where, expr string) (asked int) {
	t.Helper()
	page, err := os.ReadFile("monitoring.md")
	require.NoError(t, err)
	for _, name := range metricName.FindAllString(expr, -1) {
		name = strings.TrimSuffix(name, "_bucket")
		if _, ours := made[name]; !ours || strings.HasPrefix(name, "temporal_") {
			require.Contains(t, string(page), "`"+name+"`", where)
			require.True(t, strings.HasPrefix(name, "temporal_"), "%s asks for %s, which is not served", where, name)
		}
		asked++
	}
	return asked
}

// TestAlertsAndDashboardsUseServedMetrics holds them against the program.
func TestAlertsAndDashboardsUseServedMetrics(t *testing.T) {
	t.Parallel()
	made, asked := metricsOfTheProgram(t), 0
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			asked += requireServed(t, made, rule.Alert, rule.Expr)
		}
	}
	require.Greater(t, asked, 30)
	text, err := os.ReadFile("../ops/monitoring/dashboard.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	require.Greater(t, len(dashboard.Panels), 10)
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			require.Positive(t, requireServed(t, made, panel.Title, target.Expr), panel.Title)
		}
	}
}

// TestAlertsSayWhatToDo follows each alert to the part of a document that is its runbook.
func TestAlertsSayWhatToDo(t *testing.T) {
	t.Parallel()
	tests, err := os.ReadFile("../ops/monitoring/alerts_test.yaml")
	require.NoError(t, err)
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
			require.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"], rule.Alert)
			path, anchor, found := strings.Cut(rule.Annotations["runbook_url"], "#")
			require.True(t, found, rule.Alert)
			text, err := os.ReadFile(filepath.Join("..", path))
			require.NoError(t, err, rule.Alert)
			require.Contains(t, anchorsOf(string(text)), anchor, rule.Alert)
			rings := regexp.MustCompile(`alertname: ` + rule.Alert + `\n        exp_alerts:\n`)
			require.Regexp(t, rings, string(tests), "no test shows that %s rings", rule.Alert)
		}
	}
}

// anchorsOf are those of a document's headings, as GitHub makes them.
func anchorsOf(text string) (anchors []string) {
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors = append(anchors, strings.ReplaceAll(plain, " ", "-"))
	}
	return anchors
}

// TestQueueAlertListsAllQueues: a queue without workers has no series that would say so.
func TestQueueAlertListsAllQueues(t *testing.T) {
	t.Parallel()
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			if rule.Alert != "WaybillQueueHasNoWorkers" {
				continue
			}
			var named, queues []string
			for _, queue := range regexp.MustCompile(`"task_queue", "([\w-]+)"`).FindAllStringSubmatch(rule.Expr, -1) {
				named = append(named, queue[1])
			}
			for _, queue := range workflows.Queues {
				queues = append(queues, string(queue))
			}
			require.ElementsMatch(t, queues, named)
			return
		}
	}
	require.Fail(t, "there is no such alert")
}
