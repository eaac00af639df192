// Writes the schemas of the custom resources that deploy/helm renders, for kubeconform, from the
// definitions of their projects:
//
//	node tools/crd-schemas.mjs DEFINITION.yaml...
//
// deploy/schemas/README.md says where the definitions are.
import { readFileSync, writeFileSync } from 'node:fs'
import yaml from 'js-yaml'

// What kubeconform does not need: texts, and rules in CEL, which only the API server checks.
const unneeded = new Set(['description', 'default', 'x-kubernetes-validations', 'x-kubernetes-map-type',
	'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'])

// strict turns a schema of a definition into one of JSON Schema that refuses unknown fields.
function strict(node) {
	if (Array.isArray(node)) return node.map(strict)
	if (node === null || typeof node !== 'object') return node
	if (node['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] }
	if (node['x-kubernetes-preserve-unknown-fields']) return node.type ? { type: node.type } : {}
	const made = {}
	for (const [key, value] of Object.entries(node)) {
		if (key === 'properties') {
			made.properties = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, strict(field)]))
		} else if (!unneeded.has(key)) {
			made[key] = strict(value)
		}
	}
	// A field that may be null is one that may be left out, to the API server.
	if (made.nullable) {
		delete made.nullable
		if (made.type) made.type = [made.type, 'null']
	}
	if (made.properties && !('additionalProperties' in made)) made.additionalProperties = false
	return made
}

for (const path of process.argv.slice(2)) {
	// The definitions of Temporal's controller are templates of Helm, with nothing but conditions.
	const text = readFileSync(path, 'utf8').replace(/^\s*\{\{.*\}\}\s*$/gm, '')
	const definition = yaml.load(text)
	for (const version of definition.spec.versions.filter((v) => v.served)) {
		const { spec } = version.schema.openAPIV3Schema.properties
		// Deployments have the same pods, and Kubernetes' own schema is complete.
		if (definition.spec.names.kind === 'WorkerDeployment') spec.properties.template = { type: 'object' }
		const schema = {
			type: 'object', additionalProperties: false, required: ['apiVersion', 'kind', 'metadata', 'spec'],
			properties: {
				apiVersion: { enum: [`${definition.spec.group}/${version.name}`] },
				kind: { enum: [definition.spec.names.kind] },
				metadata: { type: 'object', required: ['name'] },
				spec: strict(spec),
			},
		}
		const name = `${definition.spec.names.kind}-${definition.spec.group.split('.')[0]}-${version.name}.json`.toLowerCase()
		writeFileSync(new URL(`../deploy/schemas/${name}`, import.meta.url), JSON.stringify(schema) + '\n')
	}
}
