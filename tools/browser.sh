#!/usr/bin/env bash
# Finds a Chromium and a Firefox for the browser tests, or installs Playwright's Chromium; says what to do where
# neither is possible.
set -euo pipefail
cd "$(dirname "$0")/.."

find_chromium() {
  for name in "${QUIZ_WIDGETS_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then return; fi
  done
  if .venv/bin/python - <<'PYTHON'; then return; fi
import sys
from pathlib import Path
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not Path(playwright.chromium.executable_path).exists())
PYTHON
  echo "No Chromium found: downloading Playwright's."
  if .venv/bin/playwright install chromium; then return; fi
  cat >&2 <<'MESSAGE'
The browser tests need Chromium and none could be downloaded. Install one:
  Debian:  sudo apt-get install chromium fonts-noto-core fonts-lmodern
  Fedora:  sudo dnf install chromium
  macOS:   brew install --cask chromium
or name one that is not on the PATH: QUIZ_WIDGETS_CHROMIUM=/path/to/chromium make test
MESSAGE
  return 1
}

find_firefox() {
  for name in "${QUIZ_WIDGETS_FIREFOX:-}" firefox-esr firefox; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then return; fi
  done
  cat >&2 <<'MESSAGE'
The tests in tests/firefox need Firefox. Install it:
  Debian:  sudo apt-get install firefox-esr
  Fedora:  sudo dnf install firefox
  macOS:   brew install --cask firefox
or name one that is not on the PATH: QUIZ_WIDGETS_FIREFOX=/path/to/firefox make test
MESSAGE
  return 1
}

find_chromium
find_firefox
