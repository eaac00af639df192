package deploy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrongValuesAreRefused: an error says which value is wrong, before anything is applied.
func TestWrongValuesAreRefused(t *testing.T) {
	t.Parallel()
	cases := []struct{ subject, value, says string }{
		{"versions without the controller", `config={"WAYBILL_BUILD_ID":"0.2.0"}`, "WAYBILL_BUILD_ID gives workers a version"},
		{
			"versions from a Secret", `secrets.more=[{"env":"WAYBILL_BUILD_ID","secret":"a","key":"b"}]`,
			"set workerController.enabled",
		},
		{"the controller's own names", `config={"TEMPORAL_WORKER_BUILD_ID":"0.2.0"}`, "TEMPORAL_WORKER_BUILD_ID gives workers a version"},
		{"a secret as a value", `config={"WAYBILL_SMS_TOKEN":"x"}`, "config.WAYBILL_SMS_TOKEN is a secret"},
		{"a password in a URL", `config={"WAYBILL_TRAVEL_URL":"osrm+http://u:p@host"}`, "config.WAYBILL_TRAVEL_URL is a secret"},
		{"a misspelled setting", `config={"WAYBILL_RATE_LIMTI":"1"}`, "config.WAYBILL_RATE_LIMTI is not a setting"},
		{"a setting of the chart", `config={"GOMEMLIMIT":"1GiB"}`, "config.GOMEMLIMIT is set by the chart"},
		{"a number as a setting", `config={"WAYBILL_RATE_LIMIT":10}`, "/config/WAYBILL_RATE_LIMIT"},
		{"a queue without workers", `work.pools.planning=null`, "no pool has the queue planning"},
		{"an unknown queue", `work.pools.planning.queues=["plannings"]`, "/work/pools/planning"},
		{"an unknown value", `serve.replica=3`, "'replica' not allowed"},
		{"an unknown value on top", `server={}`, "'server' not allowed"},
		{"documents on one host", `blobUrl="file:///var/lib/waybill"`, "/blobUrl"},
		{"no address of Temporal", `temporal.address=""`, "/temporal/address"},
		{"a public address with a path", `publicUrl="https://example.com/waybill"`, "/publicUrl"},
		{"a password in a value", `secrets.database={"secret":"a","key":"b","value":"c"}`, "'value' not allowed"},
		{"memory in other units", `serve.resources.limits.memory="1200M"`, "/serve/resources/limits/memory"},
		{"roads without regions", `roads.enabled=true`, "roads.enabled needs regions.claim"},
		{"an unknown autoscaler", `work.autoscaling.kind="hpa"`, "/work/autoscaling/kind"},
	}
	for _, tc := range cases {
		t.Run(tc.subject, func(t *testing.T) {
			t.Parallel()
			_, err := template(t, "smallest.yaml", tc.value)
			require.ErrorContains(t, err, tc.says)
		})
	}
	for value, says := range map[string]string{
		`work.autoscaling.kind="keda"`: "KEDA can't follow",
		`temporal.apiKey.secret="a"`:   "not both",
		`work.pools.general.queues=["imports","recurring-orders","notifications","exports","driving","sandbox","webhooks",` +
			`"places","housekeeping","planning"]`: "a queue belongs to one pool",
		`workerController.rollout.steps=[]`: "/workerController/rollout",
	} {
		_, err := template(t, "versions.yaml", value)
		require.ErrorContains(t, err, says, value)
	}
}

// TestWithoutRequiredValuesNothingIsRendered: the defaults alone are no installation.
func TestWithoutRequiredValuesNothingIsRendered(t *testing.T) {
	t.Parallel()
	_, problems, err := run(t, tool(t, "helm"), "template", "waybill", "helm")
	require.Error(t, err)
	for _, value := range []string{"/image/repository", "/publicUrl", "/blobUrl", "/temporal/address"} {
		require.Contains(t, problems, value)
	}
}

// TestWorkersWithAVersionAreNotRolled: with the Worker Controller, no Deployment has workers, and the
// controller alone says where Temporal is and which version a worker has.
func TestWorkersWithAVersionAreNotRolled(t *testing.T) {
	t.Parallel()
	all := render(t, "versions.yaml")
	controlled := 0
	for _, one := range all {
		if one.kind() == "Deployment" {
			require.Equal(t, "serve", one.at("metadata", "labels", "app.kubernetes.io/component"))
		}
		if one.kind() != "WorkerDeployment" {
			continue
		}
		controlled++
		variables := environment(t, one.at("spec", "template", "spec").(map[string]any))
		for name := range variables {
			if strings.HasPrefix(name, "TEMPORAL_") {
				require.Equal(t, "TEMPORAL_TLS_SERVER_CA_CERT_PATH", name, "the controller sets it")
			}
		}
		require.Equal(t, "waybill", one.at("spec", "workerOptions", "connectionRef", "name"))
		require.Nil(t, one.at("spec", "replicas"), "the autoscaler sets it")
	}
	require.Equal(t, 2, controlled)
	require.Equal(t, "temporal.example.com:7233", find(t, all, "Connection", "waybill").at("spec", "hostPort"))
	for name, pod := range pods(all) {
		require.NotContains(t, environment(t, pod), "WAYBILL_BUILD_ID", name)
	}
}

// labelsOfPods are those of all pods, by the name of the resource that they belong to.
func labelsOfPods(all []resource) map[string]map[string]any {
	found := map[string]map[string]any{}
	for _, one := range all {
		switch one.kind() {
		case "Pod":
			found[one.name()] = one.at("metadata", "labels").(map[string]any)
		case "Deployment", "Job", "WorkerDeployment":
			found[one.name()] = one.at("spec", "template", "metadata", "labels").(map[string]any)
		}
	}
	return found
}

// selects reports whether a selector matches labels.
func selects(selector, labels map[string]any) bool {
	wanted, _ := selector["matchLabels"].(map[string]any)
	for key, value := range wanted {
		if labels[key] != value {
			return false
		}
	}
	expressions, _ := selector["matchExpressions"].([]any)
	for _, one := range expressions {
		expression := one.(map[string]any)
		if !slices.Contains(expression["values"].([]any), labels[expression["key"].(string)]) {
			return false
		}
	}
	return len(wanted) > 0
}

// TestEveryPodHasOneNetworkPolicy: a pod without one may be called by anybody.
func TestEveryPodHasOneNetworkPolicy(t *testing.T) {
	t.Parallel()
	for _, example := range examples(t) {
		all := render(t, example)
		for pod, labels := range labelsOfPods(all) {
			var policies []string
			for _, one := range all {
				if one.kind() == "NetworkPolicy" && selects(one.at("spec", "podSelector").(map[string]any), labels) {
					policies = append(policies, one.name())
				}
			}
			require.Len(t, policies, 1, "%s: %s", example, pod)
		}
	}
}

// TestServicesReachTheirPodsAlone: requests of callers go to serve, and Prometheus sees serve and work.
func TestServicesReachTheirPodsAlone(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	reached := func(service string) (names []string) {
		selector := map[string]any{"matchLabels": find(t, all, "Service", service).at("spec", "selector")}
		for name, labels := range labelsOfPods(all) {
			if selects(selector, labels) {
				names = append(names, name)
			}
		}
		return names
	}
	require.Equal(t, []string{"waybill-serve"}, reached("waybill-serve"))
	require.Equal(t, []string{"waybill-roads"}, reached("waybill-roads"))
	require.ElementsMatch(t, []string{
		"waybill-serve", "waybill-work-general", "waybill-work-imports", "waybill-work-messages", "waybill-work-planning",
	}, reached("waybill-private"))
}

// TestEveryDeploymentKeepsPods: a drained host never takes all pods of a Deployment.
func TestEveryDeploymentKeepsPods(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	labels := labelsOfPods(all)
	deployments := 0
	for _, one := range all {
		if one.kind() != "Deployment" {
			continue
		}
		deployments++
		budget := find(t, all, "PodDisruptionBudget", one.name())
		require.Equal(t, one.at("spec", "selector"), budget.at("spec", "selector"), "the budget is for its pods")
		require.True(t, selects(one.at("spec", "selector").(map[string]any), labels[one.name()]), one.name())
		require.EqualValues(t, 0, one.at("spec", "strategy", "rollingUpdate", "maxUnavailable"), one.name())
	}
	require.Equal(t, 6, deployments)
}

// TestPoolsScaleWithTheirQueues: each queue counts, and nothing else sets the number of pods.
func TestPoolsScaleWithTheirQueues(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	scaled := 0
	for _, one := range all {
		if one.kind() != "ScaledObject" {
			continue
		}
		scaled++
		deployment := find(t, all, "Deployment", one.at("spec", "scaleTargetRef", "name").(string))
		require.Nil(t, deployment.at("spec", "replicas"))
		args := container(deployment.at("spec", "template", "spec").(map[string]any))["args"].([]any)
		var asked []string
		for _, trigger := range one.at("spec", "triggers").([]any) {
			of := resource(trigger.(map[string]any))
			if of["type"] == "temporal" {
				asked = append(asked, of.at("metadata", "taskQueue").(string))
				require.Equal(t, "true", of.at("metadata", "enableTLS"), "an API key is sent over TLS only")
				find(t, all, "TriggerAuthentication", of.at("authenticationRef", "name").(string))
			}
		}
		require.ElementsMatch(t, strings.Split(args[2].(string), ","), asked, one.name())
	}
	require.Equal(t, 4, scaled)
	require.NotNil(t, find(t, render(t, "smallest.yaml"), "Deployment", "waybill-work-planning").at("spec", "replicas"))
}

// TestMigrateRunsBeforeEverything: also before its network policy would be there otherwise.
func TestMigrateRunsBeforeEverything(t *testing.T) {
	t.Parallel()
	all := render(t, "full.yaml")
	for _, one := range []resource{find(t, all, "Job", "waybill-migrate"), find(t, all, "NetworkPolicy", "waybill-migrate")} {
		require.Equal(t, "pre-install,pre-upgrade", one.at("metadata", "annotations", "helm.sh/hook"))
	}
	pod := pods(all)["waybill-migrate"]
	require.Equal(t, []any{"migrate", "--skip-temporal"}, container(pod)["args"])
	require.NotContains(t, pod, "serviceAccountName", "a hook comes before the account")
}
