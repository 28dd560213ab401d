# Everything on a fresh Debian 12 or 13 with a Swift 6.3 toolchain: `make run`, `make test`.
# Each target installs what it needs first; run as root, or with sudo at hand.

PORT ?= 8080
BIN = .build/release/okcancel
PYTHON = .venv/bin/python
# What starts the command starts what `make build` makes; see Tests/Support/command.py.
PYTEST = $(PYTHON) -m pytest -q
# Prints at the end the command that runs a failed test by itself.
ALONE = $(PYTHON) Tests/Support/alone.py
# With Swift's own libraries inside: the command runs where no Swift is installed, and at rest takes less memory. All
# releases are built alike: another flag would build every package again. BoringSSL's sources name their files, which
# would put this folder into the command. The toolchain's lld packs the 100,000 addresses that a start adjusts, and drops
# what nobody calls because nothing is exported: 4 MB less, on the disk and at rest. It does not optimize across modules as
# it links (LTO): a verdict would cost 7 % less, but each of a thousand objects then opens its libraries for itself, and the
# linker runs out of mappings (vm.max_map_count).
RELEASE = swift build --configuration release --static-swift-stdlib \
	-Xcxx -ffile-prefix-map='$(CURDIR)/=' -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
export PATH := $(CURDIR)/.venv/bin:$(PATH)

BUILD_PACKAGES = libcurl4-openssl-dev libgnutls28-dev libmicrohttpd-dev libre2-dev libpq-dev libqrencode-dev libsqlite3-dev libyaml-dev zlib1g-dev g++
DEB_PACKAGES = binutils debhelper dpkg-dev python3
TEST_PACKAGES = curl openssl strace tzdata python3-venv chromium chromium-driver firefox-esr webkit2gtk-driver xvfb \
	fonts-dejavu-core man-db valgrind zsh zbar-tools libreoffice-calc-nogui libjs-vue node-ajv node-react node-react-dom node-typescript esbuild prometheus systemd nginx-light caddy postgresql pgbouncer
BENCH_PACKAGES = $(BUILD_PACKAGES) python3-venv wrk libjansson-dev nginx-light nodejs node-ajv chromium chromium-driver postgresql

.PHONY: accidents linkify bench check run build dist deb test-deb test-debian test-suite release test race kill faults test-api slow worst build-tests test-swift test-javascript test-python test-command test-server test-fuzz test-fuzz-rules test-fuzz-doors test-browser test-chromium test-firefox test-webkit test-agents test-agents-1 test-agents-2 lint format docs fuzz schemas sanitize screenshots walk \
	install build-packages test-packages clean help

help: ## What there is to make
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

run: build ## Build and serve Examples/, live while you edit, at http://127.0.0.1:8080
	# From the folders, so that a change of a prompt, a template or a script shows at once, without a build.
	$(BIN) serve Examples --port $(PORT) --templates Templates --public Public --watch

build: build-packages ## Build the okcancel command
	$(RELEASE) --product okcancel

# What takes most of the time: random patterns in a backtracking engine, and tests that must wait.
SLOW_SUITES = --skip PatternDifferentialTests --skip BacktrackingCostTests --skip UnicodeTableTests --skip PostgreSQL \
	--skip SharingTests --skip LanguageTests
check: build-tests .venv lint ## The tests for every day, in two minutes after a build: Swift, node, Chromium, formatting
	$(ALONE) swift test --skip-build --no-parallel $(SLOW_SUITES)
	$(MAKE) test-javascript
	# A change is in the debug build within seconds, in the release within minutes.
	OKCANCEL_BIN=.build/debug/okcancel $(PYTEST) \
		Tests/Browser/test_gate.py Tests/Browser/test_kinds.py Tests/Browser/test_sending.py -k chromium

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

test-python: test-command test-server ## A real server by HTTP and the command line, the JSON Schema

test-command: build .venv
	$(PYTEST) Tests/CommandLine Tests/Package/test_everything.py Tests/Package/test_manual.py

# The debug build is for `make walk`, the guide to the library and the judge of schemas.
test-server: build build-tests .venv
	$(PYTEST) Tests/Conformance Tests/Durability Tests/Edge Tests/OpenAPI Tests/Schema Tests/Security Tests/Tools Tests/Worst

test-fuzz: test-fuzz-rules test-fuzz-doors ## Random rules and texts, and mutated bytes, from a fixed seed

test-fuzz-rules: build-tests .venv
	$(PYTHON) Tests/Fuzz/fuzz.py --judge .build/debug/VerdictJudge --seed 1 --count 20000

test-fuzz-doors: build-tests
	.build/debug/DoorFuzz --seed 1 --count 500

test-browser: test-chromium test-firefox test-webkit ## The dialog in Chromium, Firefox and WebKit

test-chromium: build .venv
	$(PYTEST) Tests/Browser -k "not firefox and not webkit"

test-firefox test-webkit: test-%: build .venv
	$(PYTEST) Tests/Browser -k $*

test-agents: test-agents-1 test-agents-2 ## The Model Context Protocol, with the official SDK, 1.x and 2.x

test-agents-1 test-agents-2: test-agents-%: build .venv/agents-%
	.venv/agents-$*/bin/python -m pytest -q Tests/Agents

docs: build-packages ## The library's documentation for a static web server: .build/documentation
	# It fails for targets in C, which have no symbols. If those of Swift are missing, the copy below fails.
	-swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null 2>&1
	rm -rf .build/symbols && mkdir .build/symbols
	# What OKCancel exports again is documented as its own, as a program that imports it sees it.
	cd "$$(dirname "$$(swift build --show-bin-path)")/symbolgraph" && for graph in OKCancel Prompts Asks MicroHTTP; do \
		sed 's/"module":{"name":"[A-Za-z]*"/"module":{"name":"OKCancel"/' $$graph.symbols.json \
			>$(CURDIR)/.build/symbols/$$graph.symbols.json || exit; \
	done
	docc convert Sources/OKCancel/OKCancel.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name OKCancel --fallback-bundle-identifier okcancel --transform-for-static-hosting \
		--output-dir .build/documentation

race: build .venv ## 50 answers to one ask at once, over HTTP, also to two servers on a PostgreSQL: N=…
	OKCANCEL_RACES=$(or $(N),200) $(PYTEST) -s Tests/CommandLine/test_race.py

kill: build .venv ## kill -9 while people answer, 2,000 times; servers and PostgreSQL 100 times: N=…
	$(RELEASE) --product AskStoreKill
	.build/release/AskStoreKill $(or $(N),2000)
	OKCANCEL_KILLS=$(or $(N),100) $(PYTEST) -s Tests/Durability/test_kill.py Tests/Durability/test_postgresql.py -k kill_9

faults: build .venv ## A failing disk and power, 300 times each: N=…
	OKCANCEL_FAULTS=$(or $(N),300) $(PYTEST) -s Tests/Durability/test_faults.py

fuzz: build-packages test-packages .venv ## Random rules and texts, one verdict everywhere; mutated bytes at every door: SEED=… N=…
	$(RELEASE) --product DoorFuzz
	.build/release/DoorFuzz $(if $(SEED),--seed $(SEED)) $(if $(N),--count $(N))
	$(RELEASE) --product VerdictJudge
	$(PYTHON) Tests/Fuzz/fuzz.py --judge .build/release/VerdictJudge $(if $(SEED),--seed $(SEED)) $(if $(N),--count $(N))

linkify: build .venv ## Titles that programs could link or act on, in notices: SEED=… N=…
	SEED=$(SEED) N=$(N) $(PYTEST) Tests/CommandLine/test_linkify.py

accidents: build-tests .venv ## Presses that nobody meant, on pages and in terminals, must answer nothing: SEED=…
	SEED=$(or $(SEED),1) node --test Tests/JavaScript/press-clock.test.mjs
	SEED=$(or $(SEED),1) swift test --skip-build --no-parallel --filter AccidentTests

schemas: build-packages .venv ## Random JSON Schemas and values, judged beside jsonschema-rs: N=20000 SEED=…
	$(RELEASE) --product VerdictJudge
	$(PYTHON) Tests/Schema/pairs.py --judge .build/release/VerdictJudge --schemas $(or $(N),20000) $(if $(SEED),--seed $(SEED))

test-api: build .venv ## The HTTP API by its document, at length: SEEDS=1,2,3 N=500
	SCHEMATHESIS_SEEDS=$(or $(SEEDS),1,2,3) SCHEMATHESIS_EXAMPLES=$(or $(N),500) $(PYTEST) -k schemathesis Tests/OpenAPI

BENCH_REQUIREMENTS = Benchmarks/requirements.txt Benchmarks/Peers/fastapi/requirements.txt
BENCH_PIP = Benchmarks/.venv/bin/python -m pip install --quiet
bench: build ## Speed, against peers: QUICK=1 for a rough run, SECTIONS=… for a part
	# If a package cannot be installed, the others still are, and the results say so.
	-@Packaging/install-packages $(BENCH_PACKAGES) || for package in $(BENCH_PACKAGES); do Packaging/install-packages $$package; done
	$(RELEASE) --product VerdictBench
	$(RELEASE) --product MicroHTTPPeer
	python3 -m venv Benchmarks/.venv
	-$(BENCH_PIP) --requirement Benchmarks/requirements.txt || sed '/^[#-]/d' $(BENCH_REQUIREMENTS) | xargs -n 1 $(BENCH_PIP)
	Benchmarks/.venv/bin/python Benchmarks/bench.py $(SECTIONS)

# Without the tests that measure memory: sanitizers take memory of their own.
SANITIZED = --no-parallel --skip 'in bounded memory' --skip '10,000 at once'
sanitize: build-packages ## The Swift tests under ThreadSanitizer, then under AddressSanitizer
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	clang -shared -fPIC -O1 -o .build/thread/mutex.so Tests/Sanitizers/mutex.c
	LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so swift test --skip-build --sanitize=thread --scratch-path .build/thread $(SANITIZED)
	# AddressSanitizer needs more stack: the deepest pattern would overflow that of a thread.
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/address $(SANITIZED) --skip 'within 511 others'

slow: build .venv ## A thousand slow clients, and what a normal one notices
	@Packaging/install-packages slowhttptest
	PYTHONPATH=Tests $(PYTHON) Tests/Edge/slow.py

worst: build .venv ## The most expensive request of every route: MINUTES=5 SEED=…; LOAD=1 sends those found all at once
	PYTHONPATH=Tests $(PYTHON) Tests/Worst/worst.py --minutes $(or $(MINUTES),5) --seed $(or $(SEED),1) $(if $(LOAD),--load)

walk: build-packages ## The files that each kind of request runs through: FUNCTIONS=1
	swift build --product okcancel
	python3 Tests/Tools/walk.py $(if $(FUNCTIONS),--functions)

lint: ## Formatting, without changing a file
	swift format lint --strict --recursive --parallel Package.swift Plugins Sources Tests Benchmarks/Peers/MicroHTTP Benchmarks/Verdicts

format: ## Format every Swift file
	swift format --in-place --recursive --parallel Package.swift Plugins Sources Tests Benchmarks/Peers/MicroHTTP Benchmarks/Verdicts

screenshots: build .venv ## The pictures of Documentation/Images, from a real server
	PYTHONPATH=Tests $(PYTHON) Tests/Browser/screenshots.py

DIST = .build/dist
# Files carry the version's date, so that every build is the same.
dist install: export SOURCE_DATE_EPOCH = $(shell date --date "$$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)

dist: build ## The command as one file to copy, with a checksum and an SBOM: .build/dist
	@Packaging/install-packages $(DEB_PACKAGES)
	mkdir -p $(DIST)
	strip --remove-section=.comment --remove-section=.note -o $(DIST)/okcancel $(BIN)
	Packaging/reproducible.py $(DIST)/okcancel
	swift package show-dependencies --format json | Packaging/sbom.py $(DIST)/okcancel > $(DIST)/okcancel.cdx.json
	cd $(DIST) && sha256sum okcancel okcancel.cdx.json > SHA256SUMS

deb: ## A Debian package: .build/dist/okcancel_….deb
	@Packaging/install-packages $(DEB_PACKAGES)
	debian/rules clean binary

test-deb: deb test-packages .venv ## Install the package in a Debian without Swift, do everything with it, upgrade and remove it; needs root
	@Packaging/install-packages lintian debootstrap
	OKCANCEL_DEBIAN=1 $(PYTEST) -s Tests/Package

release: ## The files of a release, for each Debian, built twice and compared: VERSION=…; needs root
	@Packaging/install-packages $(DEB_PACKAGES)
	Packaging/release $(VERSION)

SUITE ?= trixie
test-debian: ## The Swift tests, conformance, edge and durability on another Debian: SUITE=trixie BIND='FOLDER …'; needs root
	BIND='$(BIND)' Packaging/in-debian $(SUITE) make test-suite

test-suite: build-tests build .venv
	swift test --skip-build --no-parallel
	$(PYTEST) Tests/Conformance Tests/Edge Tests/Durability

PREFIX ?= /usr/local
UNITS ?= $(PREFIX)/lib/systemd/system
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
install: dist ## Install the command, its manual, completions and systemd units under PREFIX
	install -D $(DIST)/okcancel $(DESTDIR)$(PREFIX)/bin/okcancel
	Packaging/manual.py $(DIST)/okcancel $(DESTDIR)$(PREFIX)/share/man/man1
	mkdir -p $(addprefix $(DESTDIR),$(PREFIX)/share/bash-completion/completions $(PREFIX)/share/fish/vendor_completions.d \
		$(ZSH_COMPLETIONS) $(UNITS))
	$(DIST)/okcancel --generate-completion-script bash | sed '1{/^#!/d}' > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/okcancel
	$(DIST)/okcancel --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/okcancel.fish
	$(DIST)/okcancel --generate-completion-script zsh > $(DESTDIR)$(ZSH_COMPLETIONS)/_okcancel
	sed 's|/usr/local|$(PREFIX)|' Packaging/okcancel.service > $(DESTDIR)$(UNITS)/okcancel.service
	install -m 644 Packaging/okcancel.socket $(DESTDIR)$(UNITS)/

build-packages:
	@Packaging/install-packages $(BUILD_PACKAGES)

# After the others, so that two targets never run apt at once.
test-packages: build-packages
	@Packaging/install-packages $(TEST_PACKAGES)

.venv: Tests/requirements.txt $(wildcard Tests/*/requirements.txt) | test-packages
	python3 -m venv .venv
	# If half of it stayed, make would take it for the whole the next time.
	$(PYTHON) -m pip install --quiet --requirement Tests/requirements.txt || { rm -rf .venv; exit 1; }
	@touch .venv

# The two versions of the SDK cannot share an environment.
.venv/agents-%: Tests/Agents/requirements-%.txt | .venv
	python3 -m venv $@
	$@/bin/python -m pip install --quiet --requirement $< || { rm -rf $@; exit 1; }
	@touch $@

clean: ## Remove what was built
	rm -rf .build .venv
