package main

import (
	"encoding/json"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newSBOMCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sbom",
		Short: "List the program's components (CycloneDX)",
		Long: `Print the modules that this program was built from, with their versions, as a CycloneDX
document for scanners. The list comes from the program itself, so it describes what is
running rather than what the repository would build today.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return errors.New("this program was built without modules")
			}
			out := json.NewEncoder(cmd.OutOrStdout())
			out.SetIndent("", "  ")
			return out.Encode(materials(info))
		},
	}
}

// bom is a bill of materials in CycloneDX 1.6.
type bom struct {
	Format      string       `json:"bomFormat"`
	SpecVersion string       `json:"specVersion"`
	Version     int          `json:"version"`
	Metadata    bomMetadata  `json:"metadata"`
	Components  []component  `json:"components"`
	Relations   []dependency `json:"dependencies"`
}

type bomMetadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// materials are the modules of a program and Go's own library, which scanners
// identify by the version of the compiler.
func materials(info *debug.BuildInfo) bom {
	self := module("application", info.Main.Path, version)
	self.Properties = []property{{"waybill:revision", revision}, {"waybill:platform", runtime.GOOS + "/" + runtime.GOARCH}}
	all := []component{module("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		part := module("library", m.Path, m.Version)
		if m.Sum != "" {
			part.Properties = []property{{"go:sum", m.Sum}}
		}
		all = append(all, part)
	}
	refs := make([]string, len(all))
	for i := range all {
		refs[i] = all[i].Ref
	}
	return bom{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: bomMetadata{Component: self},
		Components: all, Relations: []dependency{{Ref: self.Ref, DependsOn: refs}},
	}
}

// module is a Go module by its package URL.
func module(kind, path, version string) component {
	url := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: kind, Ref: url, Name: path, Version: version, PURL: url}
}
