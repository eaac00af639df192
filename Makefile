# `make` lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The file VERSION has the release; the linker adds the revision of the
# repository.
REVISION ?= $(shell git describe --always --dirty 2>/dev/null || echo unknown)
RELEASE ?= v$(shell cat VERSION)

# Disables Go's own VCS stamp: git refuses to read a repository in another
# account's folder.
export GOFLAGS ?= -buildvcs=false

# A temporal on PATH is used instead of building ours.
TEMPORAL := $(if $(shell command -v temporal),,bin/tools/temporal)
# Vale needs a C compiler.
VALE := $(if $(shell command -v cc),bin/tools/vale)

.PHONY: help run test test/packages test/e2e test/quick test/race test/hosts record bench day profile check tidy/verify vulnerabilities lint lint/go lint/workflows lint/migrations lint/monitoring lint/chart lint/contract \
	lint/typescript lint/generators lint/web lint/words lint/clients release fmt generate generate/verify contract reasons client schema pictures build web web/dev hooks sbom containers images/pin images/verify deps clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9\/]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: deps build $(TEMPORAL) ## run Waybill and everything it needs until Ctrl-C
	@exec bin/devstack run

# The dev server keeps everything in SQLite, over one connection, which does not
# recover from requests that timed out: on a busy machine it then no longer
# finds its own namespace.
TEST_SERVERS := bin/devstack test --temporal=postgres

test: test/packages test/e2e ## run all tests on a temporary Postgres and a real Temporal server

test/packages: deps build $(TEMPORAL) bin/tools/server bin/tools/sql ## run the tests of all packages but e2e
	$(TEST_SERVERS) -- go test -timeout 30m $$(go list ./... | grep -v /e2e$$)
	go -C clients/go test ./...

# Apart from the others: its tests drive whole installations and browsers, and take
# whatever the machine has.
test/e2e: deps build $(TEMPORAL) bin/tools/server bin/tools/sql ## run the tests of whole installations, in a browser too
	$(TEST_SERVERS) -- go test -timeout 60m ./e2e

test/quick: ## run the tests that need no server: rules, replays, providers; under a minute
	go test ./domain/... ./internal/... ./activities ./migrations ./relay/followers ./providers/files/... ./providers/identity/... \
		./providers/internet/... ./providers/travel/... ./providers/webhooks/...
	go test ./workflows -run Replay

test/hosts: deps build bin/tools/server bin/tools/sql ## run several hosts in network namespaces, with faults and an upgrade under load (root, Linux, haproxy; an hour)
	WAYBILL_TEST_HOSTS=$(or $(FAULTS),all) bin/devstack test --temporal=none -- \
		go test -p 1 -timeout 120m -count=1 -v -run '^Test(Hosts|UpgradeUnderLoad)$$|^TestHostsReach|^TestAnAddressMoves$$|^TestSignalsReach' ./testing/hosts ./e2e

test/race: deps build $(TEMPORAL) bin/tools/server bin/tools/sql ## run all tests with the race detector, which takes a while
	$(TEST_SERVERS) -- go test -race -timeout 60m ./...
	go -C clients/go test -race ./...

record: deps build $(TEMPORAL) ## record histories of this release for the replay tests
	bin/devstack test -- go test ./workflows -count=1 -timeout 30m -v -run '^TestRecordHistories$$' -record $(RELEASE)

bench profile: PGO = $(CURDIR)/cmd/waybill/waybill.pgo

bench: deps build bin/tools/server bin/tools/sql ## run the benchmark against the bare engines
	$(TEST_SERVERS) --durable -- go run ./bench

day: deps build bin/tools/server bin/tools/sql ## simulate a day of 400 orders with incidents; fail if anything is lost or reported twice
	$(TEST_SERVERS) --durable -- go run ./bench -day

profile: deps build bin/tools/server bin/tools/sql ## record a new CPU profile of the benchmark for release builds
	@rm -rf bin/profiles && mkdir -p bin/profiles
	WAYBILL_CPU_PROFILE=$(CURDIR)/bin/profiles $(TEST_SERVERS) --durable -- go run ./bench \
		-only imports,rules,small-imports,reads,many-orders,bookings,feed,acknowledgements,export-feed,driving
	go tool pprof -proto bin/waybill bin/profiles/*.pprof > bin/profiles/merged && mv bin/profiles/merged cmd/waybill/waybill.pgo

check: tidy/verify lint vulnerabilities generate/verify test ## run everything that CI runs

tidy/verify: ## fail if go.mod is not tidy
	go mod tidy -diff
	go -C clients/go mod tidy -diff

vulnerabilities: bin/tools/govulncheck ## check for known vulnerabilities, if the database can be reached
	tools/vulnerabilities

lint: lint/go lint/workflows lint/migrations lint/monitoring lint/chart lint/contract lint/typescript lint/generators lint/web lint/words lint/clients ## run every linter

lint/go: bin/tools/golangci-lint
	bin/tools/golangci-lint run
	cd clients/go && ../../bin/tools/golangci-lint run

lint/workflows: bin/tools/workflowcheck
	bin/tools/workflowcheck ./workflows/...

lint/migrations: ## check migrations after v0.2.0 for statements that block writers
	@tools/python/install
	@tools/migrations

lint/monitoring: bin/tools/promtool ## check the alert rules and run their tests
	bin/tools/promtool check rules ops/monitoring/alerts.yaml
	bin/tools/promtool test rules ops/monitoring/alerts_test.yaml

lint/chart: bin/tools/helm bin/tools/kubeconform ## check the Helm chart, and each resource that it renders
	@tools/python/install
	@tools/install-kubernetes-schemas
	go test ./deploy -count=1

lint/contract: tools/node_modules/.package-lock.json
	npm run --silent --prefix tools lint

lint/typescript: tools/node_modules/.package-lock.json ## compile a TypeScript client, which a test then uses
	npm run --silent --prefix tools typescript

lint/generators: bin/tools/oapi-codegen tools/node_modules/.package-lock.json ## generate clients as others do, which take what later releases add
	@tools/python/install
	tools/generators/run

lint/clients: clients/typescript/node_modules/.package-lock.json ## build and test the TypeScript and Python clients
	npm run --silent --prefix clients/typescript build
	npm run --silent --prefix clients/typescript test
	@tools/python/install
	tools/python/client

release: clients/typescript/node_modules/.package-lock.json ## build the packages of the clients, as they are published, into bin/release
	@tools/python/install
	@tools/release

lint/words: $(VALE) tools/node_modules/.package-lock.json ## check the English of documents, screens, errors and the contract
	@tools/words

lint/web: ## type-check and lint the web apps, if Node is installed
	@tools/web lint

fmt: bin/tools/golangci-lint ## format the Go code
	bin/tools/golangci-lint fmt
	cd clients/go && ../../bin/tools/golangci-lint fmt

# Generated answers write instants as all others do.
ONE_WIRE = sed -i.bak 's|^\t"encoding/json"$$|\tjson "waybill/domain/outward"|'

generate: bin/tools/sqlc bin/tools/oapi-codegen contract client ## generate the code from the SQL and the contract
	bin/tools/sqlc generate
	bin/tools/oapi-codegen -config api/contract/oapi-codegen.yaml api/contract/openapi.yaml
	@$(ONE_WIRE) api/contract/contract.gen.go && rm api/contract/contract.gen.go.bak

contract: reasons tools/node_modules/.package-lock.json ## bundle the files of the contract into one document
	npm run --silent --prefix tools contract

reasons: ## generate the catalogue of reasons, in the contract and docs/reasons.md
	go run ./docs/reasons

client: contract ## generate the clients in Go, TypeScript and Python from the contract
	go run ./clients/generate

schema: deps build ## write the present schema to store/schema.sql, for people who read it
	$(TEST_SERVERS) -- go test ./store/schema -run '^TestTheSchemaFileIsUpToDate$$' -count=1 -update

pictures: ## draw the diagrams of the documentation from their text files
	go run ./docs/pictures

generate/verify: bin/tools/sqlc bin/tools/oapi-codegen tools/node_modules/.package-lock.json ## fail if generated code is not up to date
	@mkdir -p bin/generated
	@node tools/contract.mjs bin/generated/openapi.yaml
	@sed 's|^output:.*|output: bin/generated/contract.go.txt|' api/contract/oapi-codegen.yaml > bin/generated/oapi-codegen.yaml
	@bin/tools/oapi-codegen -config bin/generated/oapi-codegen.yaml api/contract/openapi.yaml
	@$(ONE_WIRE) bin/generated/contract.go.txt
	@bin/tools/sqlc diff && diff -u api/contract/openapi.yaml bin/generated/openapi.yaml && diff -u api/contract/published bin/generated/published && \
		diff -u api/contract/contract.gen.go bin/generated/contract.go.txt && \
		go run ./clients/generate -verify || \
		{ echo 'generated code is not up to date: run make generate' >&2; exit 1; }

# Released and measured programs are compiled with a profile of the bench, which
# takes minutes the first time; tests are not.
PGO ?= off

build: web ## build waybill and devstack into bin/
	@mkdir -p bin
	@go build -pgo=$(PGO) -ldflags '-X main.revision=$(REVISION)' -o bin/ ./cmd/...

web: ## build the console and the drivers' app, if Node is installed and something has changed
	@tools/web build

web/dev: ## serve the console's sources, connected to a running service
	@tools/web dev

sbom: build ## write the program's components to bin/waybill.cdx.json (CycloneDX)
	@bin/waybill sbom > bin/waybill.cdx.json
	@if [ -f web/package-lock.json ]; then \
		npm sbom --prefix web --package-lock-only --sbom-format cyclonedx > bin/web.cdx.json; fi
	@ls bin/*.cdx.json

containers: ## run everything in containers; the first run generates passwords
	tools/container-passwords .env
	REVISION=$(REVISION) docker compose up --build

images/pin: ## pin the container images to the current digests of their registries
	tools/pin-images

images/verify: ## fail if an image is not pinned by its digest
	tools/pin-images --verify

deps: ## install the Postgres server programs, if missing, the Python tools, OSRM, Valhalla and tilemaker
	@tools/install-postgres
	@tools/python/install
	@tools/install-engine osrm
	@tools/install-engine valhalla
	@tools/install-tilemaker

hooks: ## let git check commit messages in this clone
	git config core.hooksPath tools/hooks

clean: ## delete the data of earlier runs and everything built except the tools
	@if [ -x bin/devstack ]; then bin/devstack clean; fi
	rm -rf .local bin/devstack bin/waybill bin/generated web/console/.svelte-kit web/driver/.svelte-kit
	find web/console/dist web/driver/dist -mindepth 1 ! -name .gitkeep -delete

# The tools are pinned in tools/go.mod, and built again only when it changes.
bin/tools/temporal: TOOL = github.com/temporalio/cli/cmd/temporal
bin/tools/server: TOOL = go.temporal.io/server/cmd/server
bin/tools/sql: TOOL = go.temporal.io/server/cmd/tools/sql
bin/tools/sqlc: TOOL = github.com/sqlc-dev/sqlc/cmd/sqlc
bin/tools/oapi-codegen: TOOL = github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen
bin/tools/golangci-lint: TOOL = github.com/golangci/golangci-lint/v2/cmd/golangci-lint
bin/tools/workflowcheck: TOOL = go.temporal.io/sdk/contrib/tools/workflowcheck
bin/tools/govulncheck: TOOL = golang.org/x/vuln/cmd/govulncheck

bin/tools/%: tools/go.mod
	@echo 'building $@, once (up to three minutes)'
	@mkdir -p bin/tools
	@go -C tools build -o ../$@ $(TOOL)

# Their dependencies are not those of the tools above.
bin/tools/helm: TOOL = helm.sh/helm/v4/cmd/helm
bin/tools/kubeconform: TOOL = github.com/yannh/kubeconform/cmd/kubeconform

bin/tools/helm bin/tools/kubeconform: tools/helm/go.mod
	@echo 'building $@, once (up to three minutes)'
	@mkdir -p bin/tools
	@CGO_ENABLED=0 go -C tools/helm build -o ../../$@ $(TOOL)

bin/tools/vale: tools/vale/go.mod
	@echo 'building $@, once (up to two minutes)'
	@mkdir -p bin/tools
	@CGO_ENABLED=1 go -C tools/vale build -o ../../$@ github.com/vale-cli/vale/v3/cmd/vale 2>/dev/null

bin/tools/promtool: tools/install-promtool
	tools/install-promtool

tools/node_modules/.package-lock.json: tools/package-lock.json
	npm ci --prefix tools --no-audit --no-fund
	@touch $@

clients/typescript/node_modules/.package-lock.json: clients/typescript/package-lock.json
	npm ci --prefix clients/typescript --no-audit --no-fund
	@touch $@
