package docs_test

import (
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

// metricsOfTheProgram finds what is registered where it is made.
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
	if function.Sel.Name == "NewDesc" { // of what is read when it is asked for
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

// TestAlertsAskForMetricsThatAreThere holds the alerts against the page's tables.
func TestAlertsAskForMetricsThatAreThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("monitoring.md")
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), "## Alerts")
	_, after, _ = strings.Cut(after, "```yaml\n")
	block, _, found := strings.Cut(after, "```")
	require.True(t, found)
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(block), &alerts))
	tables, _, _ := strings.Cut(string(text), "## Alerts")
	asked := 0
	for _, rule := range alerts.Groups[0].Rules {
		for _, name := range regexp.MustCompile(`\b(waybill|temporal)_\w+`).FindAllString(rule.Expr, -1) {
			require.Contains(t, tables, "`"+strings.TrimSuffix(name, "_bucket")+"`", rule.Alert)
			asked++
		}
		require.NotEmpty(t, rule.Alert)
	}
	require.Greater(t, asked, 10)
}
