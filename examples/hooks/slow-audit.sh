#!/usr/bin/env bash
# Written for Claude Code: stands for a hook that asks a slow server, then tells the model something.
cat >/dev/null
sleep 0.4
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"AUDIT: this call was recorded"}}'
