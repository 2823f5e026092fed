// `npm run docs`: writes docs/cli.md anew from the commands' own help.
import { writeFileSync } from 'node:fs'
import { cliPage } from './cli-page.ts'

writeFileSync(new URL('../../docs/cli.md', import.meta.url), await cliPage())
