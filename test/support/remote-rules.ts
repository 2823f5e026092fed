import { join } from 'node:path'
import { folderWith } from './workspace.ts'

/** Rules that refuse a forced push, ask about a publication, and allow a look around. */
export const usualRules = {
  permissions: { deny: ['Bash(git push --force *)'], ask: ['Bash(npm publish *)'], allow: ['Bash(git status)'] },
}

/** Writes a rules file. @returns its path */
export const rulesFile = (rules: object | string = usualRules): string =>
  join(folderWith({ 'hooks.json': typeof rules === 'string' ? rules : JSON.stringify(rules) }), 'hooks.json')
