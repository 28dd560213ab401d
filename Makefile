# Everything on a fresh Debian 12 or 13 with a Swift 6.3 toolchain: `make run`, `make test`.
# Each target installs what it needs first; run as root, or with sudo at hand.

PYTHON = .venv/bin/python
PYTEST = $(PYTHON) -m pytest -q
# Prints at the end the command that runs a failed test by itself.
ALONE = $(PYTHON) Tests/Support/alone.py
# With Swift's own libraries inside: the command runs where no Swift is installed, and at rest takes less memory. All
# releases are built alike: another flag would build every package again. BoringSSL's sources name their files, which
# would put this folder into the command. The toolchain's lld packs the 100,000 addresses that a start adjusts, and drops
# what nobody calls because nothing is exported: 4 MB less, on the disk and at rest. It does not optimize across modules as
# it links: thin LTO takes 5 % from a verdict and minutes for each link, by an option that SwiftPM calls experimental. Each
# of a thousand objects names its libraries, until the linker runs out of mappings (vm.max_map_count); so it links only with
# `--no-dependent-libraries` and every library of Swift, Debian and this package named once. Debuggers find callers by
# tables; frame pointers besides would be 3 % of a verdict's instructions.
RELEASE = swift build --omit-frame-pointers --configuration release --static-swift-stdlib \
	-Xcxx -ffile-prefix-map='$(CURDIR)/=' -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
export PATH := $(CURDIR)/.venv/bin:$(PATH)

BUILD_PACKAGES = libcmark-gfm-dev libcmark-gfm-extensions-dev libcurl4-openssl-dev libgnutls28-dev libmicrohttpd-dev libre2-dev libpq-dev libqrencode-dev libsqlite3-dev libyaml-dev zlib1g-dev g++
DEB_PACKAGES = binutils debhelper dpkg-dev python3
TEST_PACKAGES = curl openssl strace tzdata python3-venv chromium chromium-driver firefox-esr webkit2gtk-driver xvfb \
	fonts-dejavu-core man-db valgrind zsh zbar-tools libreoffice-calc-nogui libjs-vue node-ajv node-react node-react-dom node-typescript esbuild prometheus systemd nginx-light caddy postgresql pgbouncer

.PHONY: accidents bench build build-packages build-tests check clean deb dist docs faults format fuzz help hooked install kill linkify \
	lint race release run sanitize schemas screenshots slow test test-agents test-agents-1 test-agents-2 test-api test-browser \
	test-chromium test-command test-deb test-debian test-firefox test-fuzz test-fuzz-doors test-fuzz-rules test-javascript \
	test-packages test-python test-server test-suite test-swift test-webkit walk worst

help: ## What there is to make
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

run: build ## Build and serve Examples/, live while you edit, at http://127.0.0.1:8080
	# From the folders, so that a change of a prompt, a template or a script shows at once, without a build.
	.build/release/okcancel serve Examples --port $(or $(PORT),8080) --templates Templates --public Public --watch

build: build-packages ## Build the okcancel command
	$(RELEASE) --product okcancel

check: build-tests .venv lint ## The tests for every day, in two minutes after a build: Swift, node, Chromium, formatting
	Tests/check

# For a make within `test`, which has just made both builds.
BUILT = --old-file=build-tests --old-file=build
test: ## Every test there is
	# SwiftPM makes one build after the other; packages come meanwhile.
	$(MAKE) --jobs=3 build-tests build .venv .venv/agents-1 .venv/agents-2
	# The Swift tests run one after the other and measure memory, so beside them runs only what computes on one core. The
	# others run four at a time, the longest first: they wait for servers and browsers more than they compute. A failure
	# does not keep the rest from running.
	$(ALONE) sh -c '$(MAKE) $(BUILT) --jobs=2 --keep-going test-swift test-fuzz test-javascript lint test-agents; first=$$?; \
		$(MAKE) $(BUILT) --jobs=4 --keep-going test-server test-chromium test-command test-firefox test-webkit && exit $$first'

build-tests: build-packages
	swift build --build-tests

test-swift: build-tests .venv ## Swift: units, and a live server
	$(ALONE) swift test --skip-build --no-parallel

test-javascript: .venv ## The browser's modules, in node
	$(ALONE) node --test Tests/JavaScript/*.test.mjs

test-browser: test-chromium test-firefox test-webkit ## The dialog in Chromium, Firefox and WebKit
test-python: test-command test-server ## A real server by HTTP and the command line, the JSON Schema
test-command: TESTS = Tests/CommandLine Tests/Package/test_everything.py Tests/Package/test_manual.py
test-server: TESTS = Tests/Conformance Tests/Durability Tests/Edge Tests/OpenAPI Tests/Schema Tests/Security Tests/Tools Tests/Worst
test-chromium: TESTS = Tests/Browser -k "not firefox and not webkit"
test-firefox: TESTS = Tests/Browser -k firefox
# A test in which WebKit itself crashed is repeated once.
test-webkit: TESTS = Tests/Browser -k webkit --reruns 1 --only-rerun '(WebDriver|InvalidSessionId)Exception: '
# The debug build is for `make walk`, the guide to the library and the judge of schemas.
test-server: build-tests
test-command test-server test-chromium test-firefox test-webkit: build .venv
	$(PYTEST) $(TESTS)

test-fuzz: test-fuzz-rules test-fuzz-doors ## Random rules and texts, and mutated bytes, from a fixed seed
test-fuzz-rules: build-tests .venv
	$(PYTHON) Tests/Fuzz/fuzz.py --judge .build/debug/VerdictJudge --seed 1 --count 20000
test-fuzz-doors: build-tests
	.build/debug/DoorFuzz --seed 1 --count 500

test-agents: test-agents-1 test-agents-2 ## The Model Context Protocol, with the official SDK, 1.x and 2.x
test-agents-1 test-agents-2: test-agents-%: build .venv/agents-%
	.venv/agents-$*/bin/python -m pytest -q Tests/Agents

docs: build-packages ## The library's documentation for a static web server: .build/documentation
	Packaging/documentation

# What each of these takes from a release build.
fuzz: PRODUCTS = DoorFuzz VerdictJudge
kill: PRODUCTS = AskStoreKill
schemas: PRODUCTS = VerdictJudge
bench: PRODUCTS = VerdictBench MicroHTTPPeer
LONG = accidents bench faults fuzz hooked kill linkify race sanitize schemas screenshots slow test-api walk worst
$(LONG):
	@for product in $(PRODUCTS); do $(RELEASE) --product $$product || exit; done
	@Tests/long $@
accidents: build-tests .venv ## Presses that nobody meant, on pages and in terminals, must answer nothing: SEED=…
bench: build ## Speed, against peers: QUICK=1 for a rough run, SECTIONS=… for a part
faults: build .venv ## A failing disk and power, 300 times each: N=…
fuzz: build-packages test-packages .venv ## Random rules and texts, one verdict everywhere; mutated bytes at every door: SEED=… N=…
hooked: build .venv ## 1,000 calls that a person allows an agent, while servers and commands are killed: SEED=… N=…
kill: build .venv ## kill -9 while people answer, 2,000 times; servers and PostgreSQL 100 times: N=…
linkify: build .venv ## Titles that programs could link or act on, in notices: SEED=… N=…
race: build .venv ## 50 answers to one ask at once, over HTTP, also to two servers on a PostgreSQL: N=…
sanitize: build-packages ## The Swift tests under ThreadSanitizer, then under AddressSanitizer
schemas: build-packages .venv ## Random JSON Schemas and values, judged beside jsonschema-rs: N=20000 SEED=…
screenshots: build .venv ## The pictures of Documentation/Images, from a real server
slow: build .venv ## A thousand slow clients, and what a normal one notices
test-api: build .venv ## The HTTP API by its document, at length: SEEDS=1,2,3 N=500
walk: build-packages ## The files that each kind of request runs through: FUNCTIONS=1
worst: build .venv ## The most expensive request of every route: MINUTES=5 SEED=…; LOAD=1 sends those found all at once

SWIFT_FILES = --recursive --parallel Package.swift Plugins Sources Tests Benchmarks/Peers/MicroHTTP Benchmarks/Verdicts
lint: ## Formatting, without changing a file
	swift format lint --strict $(SWIFT_FILES)
format: ## Format every Swift file
	swift format --in-place $(SWIFT_FILES)

# Files carry the version's date, so that every build is the same.
dist install: export SOURCE_DATE_EPOCH = $(shell date --date "$$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)

dist: build ## The command as one file to copy, with a checksum and an SBOM: .build/dist
	@Packaging/install-packages $(DEB_PACKAGES)
	Packaging/dist

install: dist ## Install the command, its manual, completions and systemd units under PREFIX
	Packaging/install

deb: ## A Debian package: .build/dist/okcancel_….deb
	@Packaging/install-packages $(DEB_PACKAGES)
	debian/rules clean binary

test-deb: deb test-packages .venv ## Install the package in a Debian without Swift, do everything with it, upgrade and remove it; needs root
	@Packaging/install-packages lintian debootstrap
	OKCANCEL_DEBIAN=1 $(PYTEST) -s Tests/Package

release: ## The files of a release, for each Debian, built twice and compared: VERSION=…; needs root
	@Packaging/install-packages $(DEB_PACKAGES)
	Packaging/release $(VERSION)

test-debian: ## The Swift tests, conformance, edge and durability on another Debian: SUITE=trixie BIND='FOLDER …'; needs root
	BIND='$(BIND)' Packaging/in-debian $(or $(SUITE),trixie) make test-suite

test-suite: build-tests build .venv
	swift test --skip-build --no-parallel
	$(PYTEST) Tests/Conformance Tests/Edge Tests/Durability

build-packages:
	@Packaging/install-packages $(BUILD_PACKAGES)

# After the others, so that two targets never run apt at once.
test-packages: build-packages
	@Packaging/install-packages $(TEST_PACKAGES)

.venv: Tests/requirements.txt $(wildcard Tests/*/requirements.txt) | test-packages
	Tests/environment $@ $<

# The two versions of the SDK cannot share an environment.
.venv/agents-%: Tests/Agents/requirements-%.txt | .venv
	Tests/environment $@ $<

clean: ## Remove what was built
	rm -rf .build .venv
