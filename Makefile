# Every target is one script in scripts/; see CONTRIBUTING.md.
#
#   make run                              the dashboard on a live demo
#   make run ARGS="--follow ledger.jsonl" the dashboard on your own data
#   make test                             everything that has to hold

ARGS ?=

.PHONY: all run build test setup sweep interop benchmark sanitize screenshots clean

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

# Compares the report with an independent reading: make interop ARGS=capture.jsonl
interop:
	@scripts/setup.sh
	@scripts/build.sh --quiet
	@scripts/interop.sh $(ARGS)

# Times beside those of peers: make benchmark ARGS="--quick", ARGS="--only report,layers"
benchmark:
	@scripts/benchmark.sh $(ARGS)

sanitize:
	@scripts/setup.sh
	@scripts/sanitize.sh

screenshots:
	@scripts/setup.sh
	@scripts/build.sh --quiet
	@scripts/screenshots.sh $(ARGS)

clean:
	rm -rf .build .build-*
