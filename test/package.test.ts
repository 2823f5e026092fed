import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libraryName } from '../src/policy/compile/syntax/parse-module.ts'
import { hookgate } from './support/cli.ts'
import { asNode, asOldNode } from './support/old-node.ts'
import { policyText } from './support/policies.ts'
import { claudeShell } from './support/wire.ts'
import { folderWith, writeFiles } from './support/workspace.ts'
import { missing } from './support/own-folder.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly bin: { readonly hookgate: string }
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly scripts: { readonly build: string }
}

/** A copy: its first build fails, then it gets the program that the tests' set-up has built of the same sources. */
const built = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-package-')))
afterAll(() => rmSync(built, { recursive: true, force: true }))

interface Ran {
  readonly code: unknown
  readonly output: string
}

function run(file: string, args: readonly string[], cwd: string): Promise<Ran> {
  const PATH = [join(repository, 'node_modules', '.bin'), dirname(process.execPath), process.env['PATH']].join(
    delimiter,
  )
  return new Promise((ended) => {
    execFile(file, args, { cwd, env: { PATH, HOME: built } }, (error, stdout, stderr) => {
      ended({ code: error === null ? 0 : error.code, output: stdout + stderr })
    })
  })
}

const bin = join(built, manifest.bin.hookgate)
const schemaFile = join(built, 'dist/hooks.schema.json')

let failed: Ran | undefined
let leftBehind: readonly string[] = []

beforeAll(async () => {
  for (const name of ['package.json', 'tsconfig.json', 'build', 'src', 'policies']) {
    cpSync(join(repository, name), join(built, name), { recursive: true })
  }
  symlinkSync(join(repository, 'node_modules'), join(built, 'node_modules'))
  const earlier = ['chunks/old.js', 'hooks.schema.json', 'built-from']
  writeFiles(join(built, 'dist'), Object.fromEntries(earlier.map((name) => [name, ''])))
  writeFiles(built, { 'policies/broken/broken.policy.ts': 'export default 1' })
  failed = await run('/bin/sh', ['-c', manifest.scripts.build], built)
  leftBehind = earlier.filter((name) => existsSync(join(built, 'dist', name)))
  for (const name of ['policies/broken', 'dist']) rmSync(join(built, name), { recursive: true })
  cpSync(join(repository, 'dist'), join(built, 'dist'), { recursive: true })
})

const chunks = () =>
  readdirSync(join(built, 'dist/chunks')).flatMap((name) => (name.endsWith('.js') ? [`chunks/${name}`] : []))

/** Returns a built file and those that it imports at once, directly or not. */
function startOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(built, 'dist', name), 'utf8')
  for (const [, other = ''] of text.matchAll(/^import\b[^'"]*["'](\.[^'"]+)["']/gm)) {
    startOf(join(dirname(name), other), found)
  }
  return found
}

/** Statements of a module, and calls in what was bundled from CommonJS. */
const anImport = /^(?:import|export)\b(?:.*\bfrom)?\s*["'][^.'"]+["'];?$|__require\(["'][^.'"]+["']\)/gm

/** Lists the sources of a built file, by their paths in the repository. */
function sourcesOf(name: string): readonly string[] {
  const map = join(built, 'dist', `${name}.map`)
  if (!existsSync(map)) return []
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] }
  return sources.map((source) => relative(built, resolve(dirname(map), source)))
}

/** A preload script that prints which JavaScript parsers a program loads. */
const tellParsers = `import { registerHooks } from 'node:module'
import vm from 'node:vm'
registerHooks({
  load(url, context, next) {
    const parser = /(?:node_modules|chunks|dist)\\/(acorn|amaro)\\b/.exec(url)?.[1]
    if (parser !== undefined) process._rawDebug('loads ' + parser)
    return next(url, context)
  },
})
const { Script } = vm
vm.Script = class extends Script {
  constructor(text, options) {
    const parser = /program\\/(acorn)\\b/.exec(options.filename)?.[1]
    if (parser !== undefined) process._rawDebug('loads ' + parser)
    super(text, options)
  }
}`

/** Creates a project that depends on the package. */
function projectWith(files: Parameters<typeof folderWith>[0]): string {
  const root = folderWith({ 'package.json': { json: { type: 'module' } }, ...files })
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(built, join(root, 'node_modules/hookgate'))
  return root
}

describe('the build', () => {
  it('fails with a shipped policy that does not load', () => {
    expect(failed?.code).toBe(1)
    expect(failed?.output).toContain('broken.policy.ts:1:1')
  })

  it('removes the files of an earlier build, which would be published, also where it fails', () => {
    expect(leftBehind).toEqual([])
  })

  it('creates every file that the manifest names', () => {
    const named = Object.values(manifest.exports).flatMap((entry) => [entry.types, entry.default])
    const absent = [...named, manifest.bin.hookgate].filter((file) => !existsSync(join(built, file)))
    expect(absent).toEqual([])
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'policies']))
  })

  it('is whole in the tarball, so that an installation of that needs no clone', async () => {
    const lib = folderWith({ 'home/proj/x': '' })
    const packed = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', lib], built)
    const { version } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as { version: string }
    expect(packed).toMatchObject({ code: 0, output: `hookgate-${version}.tgz\n` })
    await run('tar', ['-xzf', `hookgate-${version}.tgz`], lib)
    mkdirSync(join(lib, 'node_modules'))
    const dependencies = readdirSync(join(repository, 'node_modules')).filter((name) => !name.startsWith('.'))
    for (const name of dependencies)
      symlinkSync(join(repository, 'node_modules', name), join(lib, 'node_modules', name))
    const files = readdirSync(join(lib, 'package'), { recursive: true, encoding: 'utf8' })
    const texts = files.filter((name) => /\.(?:js|json|sh|ts)$/.test(name))
    expect(texts.filter((name) => readFileSync(join(lib, 'package', name), 'utf8').includes(repository))).toEqual([])
    const installed = {
      cwd: join(lib, 'home/proj'),
      env: { HOME: join(lib, 'home'), HOOKGATE_HOME: join(lib, 'state') },
    }
    const ran = (...argv: string[]) =>
      spawnSync(process.execPath, [join(lib, 'package', manifest.bin.hookgate), ...argv], {
        ...installed,
        encoding: 'utf8',
      })
    expect(ran('enable', 'codex')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Codex now asks hookgate'),
    })
    expect(ran('explain', '--exit-code', 'git push --force')).toMatchObject({ status: 2 })
    expect(ran('status', 'codex').stdout).toMatch(/ answered in \d+ ms by a separate process/)
    expect(ran('disable', 'codex').status).toBe(0)
  })

  it('loads only the last resort before the command line begins', () => {
    const bundled = [...startOf('cli/bin.js')].flatMap(sourcesOf)
    const shared = [
      'agents/last-resort',
      'agents/last-resort-table',
      'cli/start/agent-named',
      'cli/bin',
      'cli/start/installed-node',
      'cli/start/write-whole',
    ]
    expect(shared.map((name) => `src/${name}.ts`)).toEqual(expect.arrayContaining(bundled))
    expect(bundled).toContain('src/agents/last-resort-table.ts')
  })

  it('keeps in files of their own what not every command needs', () => {
    const bundled = [...startOf('library/index.js')].flatMap(sourcesOf)
    expect(bundled).toContain('src/gate/gate.ts')
    const late = /node_modules\/(?:acorn|execa|unbash)\/|^src\/(?:install|service)\/|^src\/agents\/[\w-]+\/wire\.ts$/
    expect(bundled.filter((file) => late.test(file))).toEqual([])
  })

  it('bundles none of zod’s translations, and names the licence of each package that it bundles', () => {
    const bundled = [...chunks(), 'hooks/worker.js'].flatMap(sourcesOf)
    expect(bundled.filter((file) => /zod.*locales\/(?!en\.)/.test(file))).toEqual([])
    const packages = bundled.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
    expect(packages).toEqual(expect.arrayContaining(['acorn', 'execa', 'zod']))
    const licences = readFileSync(join(built, 'dist/third-party-licenses.txt'), 'utf8')
    expect(packages.filter((name) => !licences.includes(`${name} `))).toEqual([])
  })

  it('imports no package that is not installed with it, in its programs and in its types', () => {
    const files = readdirSync(join(built, 'dist'), { recursive: true, encoding: 'utf8' })
    const imported = files
      .filter((name) => /\.(?:c?js|ts)$/.test(name))
      .map((name) => readFileSync(join(built, 'dist', name), 'utf8'))
      .flatMap((text) => text.match(anImport) ?? [])
      .flatMap((line) => /["']([^.'"]+)["']/.exec(line)?.[1] ?? [])
    const packages = [...new Set(imported)].filter((name) => !isBuiltin(name))
    expect(packages.toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
  })

  it('has source maps, by which a stack trace names the sources', async () => {
    const script = `import { createGate } from './dist/library/index.js'
      try { createGate({ nope: 1 }) } catch ({ stack }) { console.log(stack) }`
    const argv = ['--enable-source-maps', '--input-type=module', '-e', script]
    expect((await run(process.execPath, argv, built)).output).toMatch(/src\/gate\/gate-options\.ts:\d+/)
  })

  it('writes the same schemas as the command prints', async () => {
    const { stdout } = await hookgate(['schema'], { bin })
    expect(readFileSync(schemaFile, 'utf8')).toBe(stdout)
    const decision = await hookgate(['schema', 'decision'], { bin })
    expect(readFileSync(join(built, 'dist/decision.schema.json'), 'utf8')).toBe(decision.stdout)
  })
})

describe('a shipped policy', () => {
  const rules = {
    packs: [{ pack: 'git-safety' }],
    hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: 'hookgate/no-force-push' }] }] },
  }
  const evaluated = async () => {
    const root = folderWith({ 'hooks.json': { json: rules }, 'tell.mjs': tellParsers })
    const stdin = JSON.stringify(claudeShell('git push --force', root))
    const argv = ['run', '--agent', 'claude-code', '--no-discover', '--rules', root, '--json']
    const env = { NODE_OPTIONS: `--import ${join(root, 'tell.mjs')}` }
    const { stdout, stderr } = await hookgate(argv, { bin, stdin, cwd: root, env })
    const { decision, evaluations } = JSON.parse(stdout) as {
      readonly decision: string
      readonly evaluations: readonly { readonly ruleId: string; readonly reason?: string }[]
    }
    const own = evaluations.find(({ ruleId, reason }) => reason !== undefined && !ruleId.includes('git-safety'))
    return { decision, reason: own?.reason, parsers: stderr.match(/(?<=^loads )\w+/gm) ?? [] }
  }
  const policy = join(built, 'policies/no-force-push/no-force-push.policy.ts')

  it('is evaluated without being compiled', async () => {
    const { decision, reason, parsers } = await evaluated()
    expect({ decision, parsers }).toEqual({ decision: 'deny', parsers: [] })
    expect(reason).toContain('git push with --force')
  })

  it('is compiled where it was changed', async () => {
    const text = readFileSync(policy, 'utf8')
    try {
      writeFileSync(policy, text.replace('git push with', 'changed: git push with'))
      const changed = await evaluated()
      expect(changed.reason).toContain('changed: git push with --force')
      expect(changed.parsers).toEqual(expect.arrayContaining(['acorn', 'amaro']))
    } finally {
      writeFileSync(policy, text)
    }
    expect(await evaluated()).toMatchObject({ parsers: [] })
  })

  it.each(['shipped-policies/no-force-push.json', 'policy-library.json'])(
    'is compiled where %s is missing or broken',
    async (name) => {
      const file = join(built, 'dist', name)
      const text = readFileSync(file, 'utf8')
      try {
        for (const broken of [text.slice(0, text.length / 2), undefined]) {
          if (broken === undefined) rmSync(file)
          else writeFileSync(file, broken)
          // oxlint-disable-next-line no-await-in-loop -- one file, in one state at a time
          const { decision, reason, parsers } = await evaluated()
          expect(decision).toBe('deny')
          expect(reason).toContain('git push with --force')
          expect(parsers).toContain('acorn')
        }
      } finally {
        writeFileSync(file, text)
      }
    },
  )
})

describe('a project that depends on the package', () => {
  it('resolves the library that policies import by name', () => {
    expect(Object.keys(manifest.exports)).toContain(libraryName.replace('hookgate', '.'))
  })

  it('imports every entry, and evaluates its own and a shipped policy', async () => {
    const root = projectWith({
      'rules/hooks.json': {
        json: {
          hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'policy', policy: 'hookgate/no-force-push' }] }] },
        },
      },
      'rules/policies/own.policy.ts': policyText('own', "tool: 'shell',", "return ask('as you wish')"),
      'script.js': `import { createGate } from 'hookgate'
import { deny } from 'hookgate/policy'
import { testPolicies } from 'hookgate/testing'
const gate = createGate({ rules: ['rules'], discover: false })
const { verdict } = await gate.answer({ ...${JSON.stringify(claudeShell('git push --force', ''))}, cwd: process.cwd() }, { agent: 'claude-code' })
await gate.close()
const [report] = await testPolicies(['rules/policies'], { mutants: false })
const effects = verdict.evaluations.map(({ effect }) => effect)
console.log(JSON.stringify([verdict.decision, effects.toSorted(), report.id, deny('no').effect]))`,
    })
    const { output } = await run(process.execPath, ['script.js'], root)
    expect(output).toBe('["deny",["ask","deny"],"own","deny"]\n')
  })

  it('judges shell commands by enabled packs and its own policies', async () => {
    const own = policyText(
      'own',
      "tool: 'shell', examples: [],",
      'return ask(readOptions(shell.commands[0].args).operands[0].value)',
    )
    const root = projectWith({
      'hooks.json': { json: { packs: [{ pack: 'git-safety' }] } },
      'policies/own.policy.ts': own
        .replace('{ tool, facts, params }', '{ shell }')
        .replace('{ allow,', '{ readOptions, allow,'),
    })
    const stdin = JSON.stringify(claudeShell("sudo bash -c 'git push --force'", root))
    const argv = ['run', '--agent', 'claude-code', '--no-discover', '--rules', '.', '--json']
    const { stdout } = await hookgate(argv, { bin, stdin, cwd: root })
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'deny',
      determining: ['explicit:hooks.json/git-safety/force-push'],
      evaluations: expect.arrayContaining([
        expect.objectContaining({ ruleId: 'explicit:policies#own', reason: 'bash' }),
      ]),
    })
  })

  it('lists the packs', async () => {
    const { stdout, exitCode } = await hookgate(['packs', 'git-safety'], { bin })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\n {2}off +high +force-push\n/)
  })

  it('runs the command line', async () => {
    const root = projectWith({ 'x.policy.ts': policyText('x', '', "return deny('not today')") })
    const stdin = JSON.stringify(claudeShell('ls', root))
    const argv = ['run', '--agent', 'claude-code', '--no-discover', '--rules', 'x.policy.ts']
    const { stdout, exitCode } = await hookgate(argv, { bin, stdin, cwd: root })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('not today')
  })

  it.each([
    ['without a mistake', "onFailure: 'ask', decide({ tool }) { return deny(tool.name) }", undefined],
    ['with a misspelt field', "onFailur: 'ask', decide() {}", "'onFailur' does not exist"],
    ['with an unknown event', "onFailure: 'ask', on: 'PreToolUs', decide() {}", 'Did you mean \'"PreToolUse"'],
    [
      'that reads an undeclared fact',
      "facts: { a: { exists: 'a' } }, decide({ facts }) { facts.b }",
      "'b' does not exist",
    ],
    ['that reads an undeclared param', 'decide({ params }) { params.b }', "'b' does not exist"],
    ['that returns an unknown effect', "decide() { return { effect: 'dney' } }", '"dney"'],
    ['that is async', 'async decide() {}', 'Promise<void>'],
  ])('type-checks a policy in the editor: one %s', async (_, body, mistake) => {
    const on = body.includes(' on: ') ? '' : "on: 'PreToolUse', "
    const root = projectWith({
      'x.policy.ts': `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({ id: 'x', description: 'a test', ${on}${body} })`,
      'tsconfig.json': {
        json: {
          compilerOptions: {
            target: 'es2024',
            module: 'nodenext',
            strict: true,
            noEmit: true,
            types: [],
            skipLibCheck: true,
          },
        },
      },
    })
    const { output } = await run('tsc', [], root)
    expect(output).toEqual(mistake === undefined ? '' : expect.stringContaining(mistake))
  })
})

describe('the command line, started by a Node that it is not made for', () => {
  const record = join(built, 'installed-with')
  const event = JSON.stringify(claudeShell('git push --force', '/'))
  const started = (name: string, argv: readonly string[], asAnother = asOldNode) => {
    const words = [...asAnother, join(built, 'dist/cli', name), ...argv]
    const home = folderWith({ '.config/hookgate/hooks.json': { json: { packs: [{ pack: 'git-safety' }] } } })
    const env = { HOME: home, HOOKGATE_HOME: join(home, 'state'), PATH: '/usr/bin:/bin' }
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { input: event, env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  it.each(['24.14.9', '25.9.0'])('does not run on Node %s, as little as npm installs it there', (version) => {
    rmSync(record, { force: true })
    const { status, stderr } = started('bin.js', ['--version'], asNode(version))
    expect({ status, stderr }).toEqual({ status: 70, stderr: expect.stringContaining(`this is Node ${version}`) })
  })

  it('runs on the Node that it was installed with: words, stdin and exit code are passed on', () => {
    const other = join(built, 'other-node')
    symlinkSync(process.execPath, other)
    writeFileSync(record, other)
    expect(started('bin.js', ['run', '--agent', 'claude-code'])).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('git-safety/force-push'),
    })
    expect(started('bin.js', ['enable', 'emacs'])).toMatchObject({ status: 1 })
    expect(started('claude-hook.js', ['--status'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Claude Code does not ask hookgate'),
    })
  })

  it.each([
    ['none is recorded', undefined, `no file ${record} names the one`],
    ['that is too old too', process.execPath, 'hookgate was installed with it'],
    ['that is gone', missing, `${missing}, with which hookgate was installed, does not start`],
  ])('refuses where %s, and says why', (_what, node, why) => {
    rmSync(record, { force: true })
    if (node !== undefined) writeFileSync(record, node)
    const { status, stdout, stderr } = started('bin.js', ['run', '--agent', 'claude-code'])
    expect({ status, stdout }).toEqual({ status: 2, stdout: expect.stringContaining('"permissionDecision":"deny"') })
    expect(stderr).toContain(
      `hookgate needs Node 24 (from 24.15) or Node 26 and newer, and this is Node 20.0.0 (${why}`,
    )
    expect(stderr).toContain('install it, and put it first on the PATH')
  })
})
