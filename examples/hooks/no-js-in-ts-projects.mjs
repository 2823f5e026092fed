#!/usr/bin/env node
// Written for Claude Code: keeps JavaScript files out of a TypeScript project. It works with Cline's tools as well.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const { cwd, tool_input: input } = JSON.parse(readFileSync(0, 'utf8'))

if (input.file_path?.endsWith('.js') && existsSync(join(cwd, 'tsconfig.json'))) {
  const reason = `JavaScript files are not allowed in a TypeScript project: write ${input.file_path.replace(/js$/, 'ts')}`
  console.log(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: reason,
      },
    }),
  )
}
