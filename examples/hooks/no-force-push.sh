#!/usr/bin/env bash
# Written for Claude Code: refuses a forced push. No jq, so that it runs anywhere.
if grep -qE '"command":"[^"]*git [^"]*push [^"]*(--force|-f)( |")'; then
  echo "A forced push rewrites what others have pulled: use --force-with-lease" >&2
  exit 2
fi
