#!/usr/bin/env node
import process from 'node:process'

// Alias for older configurations: runs `hookgate cline-hook`, with all fallbacks of `hookgate` itself.
process.argv.splice(2, 0, 'cline-hook')
await import('./bin.ts')
