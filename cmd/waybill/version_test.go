package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"waybill"
	"waybill/api/contract"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	var about map[string]string
	require.NoError(t, json.Unmarshal([]byte(runProgram(t, nil, "version", "--json").stdout), &about))
	require.Equal(t, waybill.Version(), about["version"])
	require.Contains(t, runProgram(t, nil, "version").stdout, "waybill "+waybill.Version()+" (")
	require.Equal(t, runProgram(t, nil, "version").stdout, runProgram(t, nil, "--version").stdout)
	require.Contains(t, runProgram(t, nil, "completion", "bash").stdout, "bash completion")
}

// The contract, the changelog and the program speak of the same release.
func TestVersionIsThatOfTheContract(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^\d+\.\d+\.\d+$`, waybill.Version())
	var document struct {
		Info struct{ Version string }
	}
	require.NoError(t, yaml.Unmarshal(contract.Document(), &document))
	require.Equal(t, waybill.Version(), document.Info.Version)

	changes, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	require.Contains(t, string(changes), "\n## ["+waybill.Version()+"]")
}
