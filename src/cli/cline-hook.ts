#!/usr/bin/env node
import process from 'node:process'

// The name that older configurations call: `hookgate cline-hook`, with all that `hookgate` itself does against failure.
process.argv.splice(2, 0, 'cline-hook')
await import('./bin.ts')
