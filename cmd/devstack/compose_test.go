package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// composeFile is the part of docker-compose.yml that the tests below check.
type composeFile struct {
	Services map[string]struct {
		Image       string            `yaml:"image"`
		Build       any               `yaml:"build"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		Volumes     []string          `yaml:"volumes"`
		Healthcheck any               `yaml:"healthcheck"`
		Restart     string            `yaml:"restart"`
		Ports       []string          `yaml:"ports"`
		Networks    []string          `yaml:"networks"`
		ReadOnly    bool              `yaml:"read_only"`
		CapDrop     []string          `yaml:"cap_drop"`
		CapAdd      []string          `yaml:"cap_add"`
		Privileged  bool              `yaml:"privileged"`
		SecurityOpt []string          `yaml:"security_opt"`
		Memory      string            `yaml:"mem_limit"`
		CPUs        float64           `yaml:"cpus"`
		Processes   int               `yaml:"pids_limit"`
		DependsOn   map[string]struct {
			Condition string `yaml:"condition"`
		} `yaml:"depends_on"`
	} `yaml:"services"`
	Volumes  map[string]any `yaml:"volumes"`
	Networks map[string]struct {
		Internal bool `yaml:"internal"`
	} `yaml:"networks"`
}

func readCompose(t *testing.T) (file composeFile, text string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "docker-compose.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalWithOptions(content, &file, yaml.AllowDuplicateMapKey()))
	require.NotEmpty(t, file.Services)
	return file, string(content)
}

func TestComposeWaitsOnlyForWhatCanHappen(t *testing.T) {
	t.Parallel()
	file, _ := readCompose(t)
	for name, service := range file.Services {
		for other, wait := range service.DependsOn {
			require.Contains(t, file.Services, other, name)
			switch wait.Condition {
			case "service_healthy":
				require.NotNil(t, file.Services[other].Healthcheck, "%s waits for %s to be healthy", name, other)
			case "service_completed_successfully":
				require.Empty(t, file.Services[other].Restart, "%s waits for %s to end", name, other)
			default:
				require.Fail(t, "unknown condition", "%s: %s", name, wait.Condition)
			}
		}
	}
}

func TestComposePinsItsImages(t *testing.T) {
	t.Parallel()
	file, _ := readCompose(t)
	for name, service := range file.Services {
		if service.Build == nil {
			require.Regexp(t, `:v?\d+\.\d+`, service.Image, name)
		}
	}
}

func TestComposeNamesVolumesAndFoldersThatAreThere(t *testing.T) {
	t.Parallel()
	file, _ := readCompose(t)
	for name, service := range file.Services {
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if strings.HasPrefix(source, ".") {
				require.DirExists(t, filepath.Join(root, source), name)
				continue
			}
			require.Contains(t, file.Volumes, source, name)
		}
	}
}

// The programs' sources have the names that they read.
func TestComposeSetsOnlyVariablesThatAreRead(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, pattern := range []string{"cmd/waybill/*.go", "cmd/devstack/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			sources.Write(text)
		}
	}
	file, _ := readCompose(t)
	for service, part := range file.Services {
		if part.Build == nil {
			continue
		}
		for name := range part.Environment {
			require.Contains(t, sources.String(), `"`+name+`"`, service)
		}
	}
}

func TestComposeCanBeMovedByDocumentedVariablesOnly(t *testing.T) {
	t.Parallel()
	known := append([]string{
		"REVISION", "WAYBILL_HTTP_PORT", "WAYBILL_TEMPORAL_PORT",
		"WAYBILL_TEMPORAL_UI_PORT", "WAYBILL_MAILBOX_PORT", "WAYBILL_RATE_LIMIT", "WAYBILL_RATE_BURST", "WAYBILL_IMPORT_WAIT",
		"WAYBILL_SMS_ACCOUNT", "WAYBILL_SMS_TOKEN", "WAYBILL_SANDBOX_SENDS", "WAYBILL_CARRIER_POSTNORD",
	}, composeSecrets...)
	_, text := readCompose(t)
	for _, match := range regexp.MustCompile(`\$\{(\w+)(:.)?`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, known, match[1])
		want := ":-"
		if slices.Contains(composeSecrets, match[1]) {
			want = ":?"
		}
		require.Equal(t, want, match[2], "%s has a default, unless it is a secret", match[1])
	}
}
