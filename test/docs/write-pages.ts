// `npm run docs`: regenerates docs/cli.md from the commands' own help, docs/fields.md from types,
// and docs/known-programs.md from the tables.
import { writeFileSync } from 'node:fs'
import { cliPage } from './cli-page.ts'
import { fieldsPage } from './fields-page.ts'
import { knownProgramsPage } from './known-programs-page.ts'

const pageAt = (name: string) => new URL(`../../docs/${name}`, import.meta.url)

writeFileSync(pageAt('cli.md'), await cliPage())
writeFileSync(pageAt('fields.md'), fieldsPage())
writeFileSync(pageAt('known-programs.md'), knownProgramsPage())
