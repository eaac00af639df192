// Package deploy_test tests the chart in deploy/helm with Helm itself, without a cluster.
package deploy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"waybill/workflows"
)

// tool finds a program that `make lint/chart` builds.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "bin", "tools", name))
	require.NoError(t, err)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		t.Skipf("bin/tools/%s is missing: make lint/chart builds it", name)
	}
	return path
}

// run runs a program and returns what it wrote to its two outputs.
func run(t *testing.T, name string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	err = command.Run()
	return out.String(), problems.String(), err
}

// template renders the chart with values of the examples, and then with more values.
func template(t *testing.T, example string, more ...string) (string, error) {
	t.Helper()
	args := []string{"template", "waybill", "helm", "--namespace", "waybill", "--values", filepath.Join("examples", example)}
	for _, value := range more {
		args = append(args, "--set-json", value)
	}
	out, problems, err := run(t, tool(t, "helm"), args...)
	if err != nil {
		return "", errors.New(problems)
	}
	return out, nil
}

// resource is a rendered resource.
type resource map[string]any

// at follows keys into a resource; it is nil where there is nothing.
func (r resource) at(keys ...string) any {
	var here any = map[string]any(r)
	for _, key := range keys {
		fields, is := here.(map[string]any)
		if !is {
			return nil
		}
		here = fields[key]
	}
	return here
}

func (r resource) kind() string { return r["kind"].(string) }

func (r resource) name() string { return r.at("metadata", "name").(string) }

// render renders an example, and fails if it cannot be.
func render(t *testing.T, example string, more ...string) (all []resource) {
	t.Helper()
	text, err := template(t, example, more...)
	require.NoError(t, err)
	for _, document := range regexp.MustCompile(`(?m)^---$`).Split(text, -1) {
		var one resource
		require.NoError(t, yaml.Unmarshal([]byte(document), &one), document)
		if one != nil {
			all = append(all, one)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// find returns the resource of a kind and a name.
func find(t *testing.T, all []resource, kind, name string) resource {
	t.Helper()
	for _, one := range all {
		if one.kind() == kind && one.name() == name {
			return one
		}
	}
	require.Failf(t, "resource not found", "no %s %s", kind, name)
	return nil
}

// examples are the files of values that are tested.
func examples(t *testing.T) (names []string) {
	t.Helper()
	found, err := filepath.Glob("examples/*.yaml")
	require.NoError(t, err)
	for _, path := range found {
		names = append(names, filepath.Base(path))
	}
	require.Contains(t, names, "smallest.yaml")
	require.Contains(t, names, "full.yaml")
	return names
}

func TestHelmFindsNoFault(t *testing.T) {
	t.Parallel()
	for _, example := range examples(t) {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			out, problems, err := run(t, tool(t, "helm"), "lint", "--strict", "helm", "--values", filepath.Join("examples", example))
			require.NoError(t, err, out+problems)
			require.Contains(t, out, "0 chart(s) failed")
			require.NotContains(t, out, "[WARNING]")
		})
	}
}

// TestResourcesFitTheirSchemas checks every resource, strictly, with the schemas of the oldest
// Kubernetes that the chart accepts and of the newest.
func TestResourcesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	kubeconform, schemas, folder := tool(t, "kubeconform"), tool(t, "kubernetes-schemas"), t.TempDir()
	resources := 0
	for _, example := range examples(t) {
		var text bytes.Buffer
		for _, one := range withTemplates(render(t, example)) {
			document, err := json.Marshal(one)
			require.NoError(t, err)
			text.WriteString("---\n" + string(document) + "\n")
			resources++
		}
		require.NoError(t, os.WriteFile(filepath.Join(folder, example), text.Bytes(), 0o600))
	}
	for _, release := range []string{"1.31.0", "1.37.0"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			out, problems, err := run(t, kubeconform, "-strict", "-summary", "-output", "json", "-kubernetes-version", release,
				"-schema-location", filepath.Join(schemas, "v"+release, "{{ .ResourceKind }}{{ .KindSuffix }}.json"),
				"-schema-location", "schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json", folder)
			require.NoError(t, err, out+problems)
			var found struct{ Summary struct{ Valid int } }
			require.NoError(t, json.Unmarshal([]byte(out), &found))
			require.Equal(t, resources, found.Summary.Valid, out)
		})
	}
}

// withTemplates adds the resources that the Worker Controller makes from templates, with what it
// fills in, and the Deployments that it makes.
func withTemplates(all []resource) []resource {
	made := slices.Clone(all)
	for _, one := range all {
		switch one.kind() {
		case "WorkerResourceTemplate":
			inner := resource(one.at("spec", "template").(map[string]any))
			inner["metadata"] = map[string]any{"name": one.name()}
			spec := inner["spec"].(map[string]any)
			if inner.kind() == "HorizontalPodAutoscaler" {
				spec["scaleTargetRef"] = map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": one.name()}
			}
			made = append(made, inner)
		case "WorkerDeployment":
			made = append(made, resource{
				"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": one.name()},
				"spec": map[string]any{"template": one.at("spec", "template"), "selector": map[string]any{}},
			})
		}
	}
	return made
}

// pods are the specs of all pods, by the name of the resource that they belong to.
func pods(all []resource) map[string]map[string]any {
	found := map[string]map[string]any{}
	for _, one := range all {
		switch one.kind() {
		case "Pod":
			found[one.name()] = one["spec"].(map[string]any)
		case "Deployment", "Job", "WorkerDeployment":
			found[one.name()] = one.at("spec", "template", "spec").(map[string]any)
		}
	}
	return found
}

func container(pod map[string]any) map[string]any {
	return pod["containers"].([]any)[0].(map[string]any)
}

// environment are the variables of a pod. Those from a Secret have its name and key.
func environment(t *testing.T, pod map[string]any) map[string]string {
	t.Helper()
	variables := map[string]string{}
	for _, one := range container(pod)["env"].([]any) {
		variable := resource(one.(map[string]any))
		name := variable["name"].(string)
		require.NotContains(t, variables, name, "a variable is set twice")
		if value, plain := variable["value"]; plain {
			variables[name] = value.(string)
		} else {
			variables[name] = "secret " + variable.at("valueFrom", "secretKeyRef", "name").(string) + "/" +
				variable.at("valueFrom", "secretKeyRef", "key").(string)
		}
	}
	return variables
}

// TestPodsAreConfined: a pod that is taken over can do little.
func TestPodsAreConfined(t *testing.T) {
	t.Parallel()
	for _, example := range examples(t) {
		all := pods(render(t, example))
		require.GreaterOrEqual(t, len(all), 5)
		for name, pod := range all {
			require.Equal(t, false, pod["automountServiceAccountToken"], name)
			require.Equal(t, true, resource(pod).at("securityContext", "runAsNonRoot"), name)
			confined := resource(container(pod))
			require.Equal(t, false, confined.at("securityContext", "allowPrivilegeEscalation"), name)
			require.Equal(t, true, confined.at("securityContext", "readOnlyRootFilesystem"), name)
			require.Equal(t, []any{"ALL"}, confined.at("securityContext", "capabilities", "drop"), name)
			require.NotNil(t, confined.at("resources", "limits", "memory"), name)
		}
	}
}

// TestOnlyMigrateOwnsTables: the owner's password is in one pod, and no secret is a value.
func TestOnlyMigrateOwnsTables(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	for _, one := range all {
		require.NotEqual(t, "Secret", one.kind(), "the chart contains no secrets")
	}
	for name, pod := range pods(all) {
		variables := environment(t, pod)
		require.Equal(t, "secret waybill/DATABASE_URL", variables["DATABASE_URL"], name)
		if name == "waybill-migrate" {
			require.Equal(t, "secret waybill-owner/DATABASE_MIGRATE_URL", variables["DATABASE_MIGRATE_URL"])
			continue
		}
		require.NotContains(t, variables, "DATABASE_MIGRATE_URL", name)
		if name != "waybill-roads" {
			require.Equal(t, "secret waybill-mail/url", variables["WAYBILL_SMTP_URL"], name)
			require.Equal(t, "secret waybill/WAYBILL_SEALING_SECRET", variables["WAYBILL_SEALING_SECRET"], name)
		}
	}
}

// TestGoLeavesRoomInMemory: GOMEMLIMIT is four fifths of the limit, in Mi and in Gi.
func TestGoLeavesRoomInMemory(t *testing.T) {
	t.Parallel()
	all := pods(render(t, "full.yaml"))
	require.Equal(t, "960MiB", environment(t, all["waybill-serve"])["GOMEMLIMIT"])          // 1200Mi
	require.Equal(t, "2457MiB", environment(t, all["waybill-work-planning"])["GOMEMLIMIT"]) // 3Gi
}

// settings are the lists of deploy/helm/settings.yaml.
type settings struct{ Config, Secrets, Chart, Versions, Never []string }

// TestTheChartKnowsAllSettings compares the lists with the program's settings, both ways.
func TestTheChartKnowsAllSettings(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../cmd/waybill/config.go")
	require.NoError(t, err)
	var program, secret []string
	for _, tag := range regexp.MustCompile("`envconfig:\"(\\w+)\"([^`]*)`").FindAllStringSubmatch(string(source), -1) {
		program = append(program, tag[1])
		if strings.Contains(tag[2], `secret:"text"`) || strings.HasPrefix(tag[1], "DATABASE_") || tag[1] == "WAYBILL_SMTP_URL" {
			secret = append(secret, tag[1])
		}
	}
	require.Greater(t, len(program), 70)
	text, err := os.ReadFile("helm/settings.yaml")
	require.NoError(t, err)
	var lists settings
	require.NoError(t, yaml.Unmarshal(text, &lists))
	require.ElementsMatch(t, program, slices.Concat(lists.Config, lists.Secrets, lists.Chart, lists.Versions, lists.Never),
		"deploy/helm/settings.yaml says who may set a setting")
	for _, name := range secret {
		require.NotContains(t, lists.Config, name, "secrets are not in config")
	}
}

// TestEveryQueueHasWorkers: the chart knows the program's queues, and its pools have all of them.
func TestEveryQueueHasWorkers(t *testing.T) {
	t.Parallel()
	var queues, worked []string
	for _, queue := range workflows.Queues {
		queues = append(queues, string(queue))
	}
	for name, pod := range pods(render(t, "smallest.yaml")) {
		if args := container(pod)["args"].([]any); strings.HasPrefix(name, "waybill-work-") {
			require.Equal(t, []any{"work", "--queues"}, args[:2])
			worked = append(worked, strings.Split(args[2].(string), ",")...)
		}
	}
	require.ElementsMatch(t, queues, worked)

	text, err := os.ReadFile("helm/values.schema.json")
	require.NoError(t, err)
	var schema resource
	require.NoError(t, json.Unmarshal(text, &schema))
	var allowed []string
	for _, queue := range schema.at("$defs", "pool", "properties", "queues", "items", "enum").([]any) {
		allowed = append(allowed, queue.(string))
	}
	require.ElementsMatch(t, queues, allowed)
	checks, err := os.ReadFile("helm/templates/_checks.tpl")
	require.NoError(t, err)
	require.Contains(t, string(checks), `range list "`+strings.Join(queues, `" "`)+`"`)
}

// TestMonitoringIsPackagedAsItIs: the chart has the alerts and the dashboard of ops/monitoring, and
// nothing but the address of runbooks differs.
func TestMonitoringIsPackagedAsItIs(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	dashboard, err := os.ReadFile("../ops/monitoring/dashboard.json")
	require.NoError(t, err)
	packaged := find(t, all, "ConfigMap", "waybill-dashboards").at("data", "waybill.json").(string)
	require.Equal(t, strings.TrimSpace(string(dashboard)), strings.TrimSpace(packaged))

	text, err := os.ReadFile("../ops/monitoring/alerts.yaml")
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte("runbook_url: "), []byte("runbook_url: https://git.example.com/waybill/blob/main/"))
	var alerts resource
	require.NoError(t, yaml.Unmarshal(text, &alerts))
	rules := find(t, all, "PrometheusRule", "waybill")
	require.Equal(t, alerts["groups"], rules.at("spec", "groups"))

	// What the alerts ask for is what Prometheus stores.
	require.Contains(t, string(text), `up{job="waybill"}`)
	monitor := find(t, all, "ServiceMonitor", "waybill")
	endpoint := monitor.at("spec", "endpoints").([]any)[0].(map[string]any)
	require.Contains(t, endpoint["relabelings"], map[string]any{"targetLabel": "job", "replacement": "waybill"})
}

// TestAPackageHasTheMonitoring: what `helm package` writes needs nothing of this repository.
func TestAPackageHasTheMonitoring(t *testing.T) {
	t.Parallel()
	helm, folder := tool(t, "helm"), t.TempDir()
	out, problems, err := run(t, helm, "package", "helm", "--destination", folder)
	require.NoError(t, err, out+problems)
	packages, err := filepath.Glob(filepath.Join(folder, "waybill-*.tgz"))
	require.NoError(t, err)
	require.Len(t, packages, 1)
	fromPackage, problems, err := run(t, helm, "template", "waybill", packages[0], "--namespace", "waybill",
		"--values", "examples/full.yaml")
	require.NoError(t, err, problems)
	fromFolder, err := template(t, "full.yaml")
	require.NoError(t, err)
	require.Equal(t, fromFolder, fromPackage)
}

// TestAChartIsOfItsRelease: the program and the chart have one version.
func TestAChartIsOfItsRelease(t *testing.T) {
	t.Parallel()
	release, err := os.ReadFile("../VERSION")
	require.NoError(t, err)
	text, err := os.ReadFile("helm/Chart.yaml")
	require.NoError(t, err)
	var chart resource
	require.NoError(t, yaml.Unmarshal(text, &chart))
	require.Equal(t, strings.TrimSpace(string(release)), chart["version"])
	require.Equal(t, strings.TrimSpace(string(release)), chart["appVersion"])
}
