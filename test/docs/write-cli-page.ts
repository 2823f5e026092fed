// `npm run docs`: regenerates docs/cli.md from the commands' own help.
import { writeFileSync } from 'node:fs'
import { cliPage } from './cli-page.ts'

writeFileSync(new URL('../../docs/cli.md', import.meta.url), await cliPage())
