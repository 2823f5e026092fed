import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { libraryTypesFile } from '../../../files/program-files.ts'
import { HookgateError } from '../../../model/errors.ts'
import { quoted } from '../../../model/text.ts'
import { type GuardedTool, policyTemplates } from './policy-templates.ts'
import { refuseExisting, writeNew } from './write-new.ts'

interface NewPolicy {
  readonly tool: GuardedTool
  readonly js: boolean
  /** The folder of the project. */
  readonly dir: string
  readonly cwd: string
}

/**
 * Writes a policy and, if an editor would not find its types, a `tsconfig.json` that points to them.
 *
 * @returns a message for the person
 * @throws HookgateError `usage`
 */
export function makePolicy(name: string, { tool, js, dir, cwd }: NewPolicy): string {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 100) {
    throw new HookgateError('usage', `${quoted(name)} is not a valid policy name`, {
      remedy: 'write it like `no-force-push`',
    })
  }
  const folder = join(dir, '.hookgate', 'policies')
  const file = join(folder, `${name}.policy.${js ? 'js' : 'ts'}`)
  refuseExisting(file, join(folder, `${name}.policy.${js ? 'ts' : 'js'}`))
  writeNew(file, policyTemplates[tool](name))
  const shown = relative(cwd, file)
  return [
    `wrote ${shown}`,
    ...editorTypes(folder, cwd),
    `next: hookgate test ${shown}`,
    '      hookgate trust, so that it can do more than refuse',
    '',
  ].join('\n')
}

/** Writes a `tsconfig.json` with a `paths` entry for the types. Any other way would leave less obvious files behind. */
function editorTypes(folder: string, cwd: string): readonly string[] {
  const config = join(folder, 'tsconfig.json')
  if (existsSync(config) || isResolved(folder)) return []
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: [],
    strict: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths: { 'hookgate/policy': [libraryTypesFile] },
  }
  writeNew(config, `${JSON.stringify({ compilerOptions, include: ['.'] }, undefined, 2)}\n`)
  return [
    `wrote ${relative(cwd, config)}, so that editors find this machine's hookgate: keep it out of the repository,`,
    '      or use `npm install --save-dev hookgate` instead',
  ]
}

/** Checks whether the project has hookgate as a dependency. */
function isResolved(folder: string): boolean {
  try {
    createRequire(join(folder, 'policy.js')).resolve('hookgate/policy')
    return true
  } catch {
    return false
  }
}
