# Every target is one script in scripts/; see CONTRIBUTING.md.
#
#   make run                              the dashboard on a live demo
#   make run ARGS="--follow ledger.jsonl" the dashboard on your own data
#   make test                             everything that has to hold

ARGS ?=

.PHONY: all run build test setup sweep interop benchmark soak sanitize screenshots clean

all: build

run:
	@scripts/run.sh $(ARGS)

build:
	@scripts/setup.sh
	@scripts/build.sh

test:
	@scripts/setup.sh tmux
	@scripts/test.sh

setup:
	@scripts/setup.sh tmux

# The tests again with every size and split instead of a sample of them.
sweep:
	@scripts/setup.sh tmux
	@PERFTOP_SWEEP=full scripts/test.sh

# Compares the report with an independent reading, and what is received with what the official exporters send;
# only the report: make interop ARGS=capture.jsonl; only the exporters: make interop ARGS=--senders
interop:
	@scripts/setup.sh
	@scripts/build.sh --quiet
	@scripts/interop.sh $(ARGS)

# Times beside those of peers: make benchmark ARGS="--quick", ARGS="--only report,layers"
benchmark:
	@scripts/benchmark.sh $(ARGS)

# Sends 5,000 spans a second for twenty minutes and watches the memory: make soak ARGS="--minutes 60"
soak:
	@scripts/setup.sh
	@scripts/build.sh --quiet
	@scripts/soak.sh $(ARGS)

# make sanitize ARGS=thread, ARGS=address: only the one
sanitize:
	@scripts/setup.sh
	@scripts/sanitize.sh $(ARGS)

screenshots:
	@scripts/setup.sh
	@scripts/build.sh --quiet
	@scripts/screenshots.sh $(ARGS)

clean:
	rm -rf .build .build-*
