import { chmodSync, closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { libraryTypesFile } from '../../../files/program-files.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { quoted } from '../../../model/text.ts'
import { undoMade } from '../../consent.ts'
import { makeFolders } from '../../../files/entries.ts'

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
  const types = editorTypes(folder, cwd)
  const made = [shown, ...(types.length === 0 ? [] : [relative(cwd, join(folder, 'tsconfig.json'))])]
  return [
    `wrote ${shown}`,
    ...types,
    `next: hookgate test ${shown}`,
    '      hookgate trust, so that it can do more than refuse',
    undoMade(made),
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
    '      or have hookgate among the project’s own packages instead',
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

const fileGuard = (id: string) => `import { abstains, definePolicy, denies, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Keeps generated files from being edited by hand',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['write', 'edit', 'shell'],
  params: {
    folder: { type: 'string', default: 'generated/', description: 'The folder of generated files' },
  },
  decide({ paths, params }) {
    // Of a file tool, or of any command that a shell would run; inRoot is relative to the workspace.
    const file = paths.find(({ access, inRoot }) => access !== 'read' && \`\${inRoot}/\`.startsWith(params.folder))
    return file && deny(\`\${file.written} is generated: change what it is generated from\`)
  },
  examples: [
    {
      name: 'a generated file',
      given: { input: { path: 'generated/api.ts' } },
      want: { effect: 'deny', reason: 'generated/api.ts is generated: change what it is generated from' },
    },
    denies('a command that writes one', 'cd generated && sed -i s/a/b/ api.ts', { tool: 'shell' }),
    denies('the folder itself', 'rm -r generated', { tool: 'shell' }),
    abstains('reading one', 'cat generated/api.ts', { tool: 'shell' }),
    abstains('a folder of that name elsewhere', { input: { path: 'docs/generated/a.md' } }),
    denies('another folder, by the rules file', {
      input: { path: 'src/gen/api.ts' },
      params: { folder: 'src/gen/' },
    }),
  ],
})
`

const commandGuard = (id: string) => `import { abstains, definePolicy, denies, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Leaves publishing to people',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    programs: { type: 'strings', default: ['npm', 'yarn'], description: 'Programs that publish' },
  },
  decide({ shell, params }) {
    // Every command that would run, wherever it stands: behind sudo, in a function, in the text of bash -c.
    const at = shell.commands.findIndex(
      ({ program, args }) => params.programs.includes(program) && args[0]?.value === 'publish',
    )
    return at < 0 ? undefined : deny('publishing is left to people: say that it is ready', { at })
  },
  examples: [
    {
      name: 'npm publish',
      given: { input: { command: 'npm publish --access public' } },
      want: { effect: 'deny', reason: 'publishing is left to people: say that it is ready' },
    },
    denies("sudo bash -c 'cd a && yarn publish'"),
    abstains('echo "npm publish"'),
    abstains('npm run publish'),
    abstains('npm'),
    abstains('cargo publish'),
    denies('another program, by the rules file', 'cargo publish', { params: { programs: ['cargo'] } }),
  ],
})
`

/** The kinds of tools that a template guards. */
export const guardedTools = ['write', 'shell'] as const
type GuardedTool = (typeof guardedTools)[number]

/**
 * Templates by the kind of tool they guard: each returns a policy's source, valid as JavaScript and as TypeScript.
 *
 * Its examples cover all of it, and no mutant survives them.
 */
const policyTemplates: Readonly<Record<GuardedTool, (id: string) => string>> = {
  write: fileGuard,
  shell: commandGuard,
}

/** @throws HookgateError `usage` if any of the files exists */
export function refuseExisting(...files: readonly string[]): void {
  const file = files.find((path) => existsSync(path))
  if (file === undefined) return
  throw new HookgateError('usage', 'the file already exists', { place: { file }, remedy: 'choose another name' })
}

/**
 * Creates a file and its parent folders. Never overwrites.
 *
 * @throws HookgateError `usage` if it cannot be written
 */
export function writeNew(file: string, content: string, mode?: number): void {
  let at = dirname(file)
  try {
    makeFolders(at)
    at = file
    writeWhole(file, content)
    if (mode !== undefined) chmodSync(file, mode)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : errorText(cause)
    const what = at === file ? 'it cannot be written' : 'the folder cannot be created'
    const remedy = remedies[code] ?? 'choose another folder with `--dir`'
    throw new HookgateError('usage', `${what} (${code})`, { place: { file: at }, remedy, cause })
  }
}

/**
 * Writes the file completely or removes it: a partial policy, or an empty file in its place, makes the gate refuse
 * every event.
 */
function writeWhole(file: string, content: string): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, content)
  } catch (cause) {
    rmSync(file, { force: true })
    throw cause
  } finally {
    closeSync(descriptor)
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'check that you may write there, or choose another folder with `--dir`',
  EPERM: 'check that you may write there, or choose another folder with `--dir`',
  EROFS: 'the file system is read-only: choose another folder with `--dir`',
  ENOSPC: 'the disk is full: free some space and run it again',
  EFBIG: 'the file size limit is too low (`ulimit -f`): raise it and run it again',
  EDQUOT: 'your quota is used up: free some space and run it again',
  ENOTDIR: 'something above it is not a folder: move that away',
  EEXIST: 'something of the same name is in the way: move that away',
}
