import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

interface Import {
  /** Paths relative to `src/`. */
  readonly from: string
  readonly to: string
  /** Whether nothing of it is left when types are stripped. */
  readonly isType: boolean
}

/** Type imports count: a type is as much of a dependency as a function when somebody has to understand the file. */
const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const textOf = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
const imports: readonly Import[] = files.flatMap((from) =>
  [...(textOf.get(from) ?? '').matchAll(importPattern)].map(([whole, named, bare, late]) => {
    const to = named ?? bare ?? late ?? ''
    const isType = /^(import|export) type\b/.test(whole)
    return { from, to: to.startsWith('.') ? relative(src, resolve(src, dirname(from), to)) : to, isType }
  }),
)
const packageImports = imports.filter(({ to }) => !textOf.has(to) && !to.startsWith('node:'))
const ownImports = imports.filter(({ to }) => textOf.has(to))
/** The room a file is in: its folder under `src/`, or its own name at the top. */
const roomOf = (file: string) => file.split('/')[0]?.replace(/\.ts$/, '') ?? ''
const broken = (rule: (one: Import) => boolean, among: readonly Import[]) =>
  among.filter((one) => !rule(one)).map(({ from, to }) => `${from} -> ${to}`)

describe('imports run one way', () => {
  const leaves = ['dialect', 'rules', 'facts', 'run', 'combine', 'record']
  const allowed: Readonly<Record<string, readonly string[]>> = {
    model: ['model'],
    files: ['model', 'files'],
    ...Object.fromEntries(leaves.map((room) => [room, ['model', room]])),
    rules: ['model', 'files', 'rules'],
    record: ['model', 'files', 'record'],
    engine: ['model', ...leaves],
    answer: ['model', 'dialect', 'engine'],
    policy: ['model'],
    sandbox: ['model', 'rules', 'run', 'facts'],
    'build-policies': ['model', 'rules', 'sandbox'],
    hooks: ['model', 'run'],
    gate: ['model', ...leaves, 'engine', 'answer', 'sandbox', 'hooks'],
    testing: ['model', 'rules', 'sandbox', 'testing'],
    bridge: ['model', 'files', 'bridge'],
    index: ['model', ...leaves, 'engine', 'answer', 'gate', 'testing'],
    server: ['model', 'files', ...leaves, 'engine', 'answer', 'gate', 'server'],
    client: ['model', 'files', 'dialect', 'client'],
    enable: ['model', 'files', 'dialect', 'server', 'client', 'enable'],
    doctor: ['model', 'dialect', 'rules', 'sandbox', 'server', 'client', 'enable', 'doctor'],
    cli: [
      'client',
      'model',
      ...leaves,
      'enable',
      'engine',
      'answer',
      'gate',
      'sandbox',
      'testing',
      'cli',
      'bridge',
      'server',
      'doctor',
    ],
  }

  it('every room is one of the design, and imports only what stands below it', () => {
    expect(broken(({ from, to }) => allowed[roomOf(from)]?.includes(roomOf(to)) ?? false, ownImports)).toEqual([])
  })

  it('every relative import leads to a file', () => {
    const dangling = imports.filter(({ to }) => !textOf.has(to) && /\.(ts|js)$/.test(to) && !to.startsWith('node:'))
    expect(dangling.filter(({ to }) => !packages.has(packageOf(to)))).toEqual([])
  })

  it('there is no cycle of any kind', () => {
    const next = Map.groupBy(ownImports, ({ from }) => from)
    const done = new Set<string>()
    const cycleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const { to } of next.get(file) ?? []) {
        const cycle = cycleFrom(to, [...path, file])
        if (cycle !== undefined) return cycle
      }
      done.add(file)
      return undefined
    }
    expect(files.map((file) => cycleFrom(file, [])).filter((cycle) => cycle !== undefined)).toEqual([])
  })
})

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
const manifest = JSON.parse(readFileSync(join(src, '..', 'package.json'), 'utf8')) as { dependencies: object }
const packages = new Set(Object.keys(manifest.dependencies))

describe('packages', () => {
  const homes: Readonly<Record<string, readonly RegExp[]>> = {
    execa: [/^run\/command\//],
    'p-limit': [/^run\/command\//],
    piscina: [/^run\/(command|policy)\/pool\.ts$/],
    'isolated-vm': [/^run\/policy\//],
    acorn: [/^rules\/load\/policy\//],
    amaro: [/^rules\/load\/policy\//],
    '@humanwhocodes/momoa': [/^rules\//],
    'prom-client': [/^server\/http\//],
    'jsonc-parser': [/^enable\//],
    fastify: [/^server\//],
    pino: [/^server\/log\.ts$/],
    unbash: [/^facts\//],
    zod: [/^(model|dialect|rules|record|server|enable|doctor|cli)\//, /^run\/(command|policy)\//],
  }

  it('each has one home', () => {
    const atHome = ({ from, to }: Import) => homes[packageOf(to)]?.some((home) => home.test(from)) ?? false
    expect(broken(atHome, packageImports)).toEqual([])
  })

  it('the model imports only zod', () => {
    expect(
      broken(
        ({ to }) => to === 'zod',
        imports.filter(({ from, to }) => roomOf(from) === 'model' && !textOf.has(to)),
      ),
    ).toEqual([])
  })

  it('files imports none, and nothing at load that opens a database', () => {
    const mine = imports.filter(({ from, to, isType }) => roomOf(from) === 'files' && !textOf.has(to) && !isType)
    expect(mine).not.toEqual([])
    expect(broken(({ to }) => to.startsWith('node:') && to !== 'node:sqlite', mine)).toEqual([])
  })

  it('every dependency that is installed is imported', () => {
    expect([...packages].filter((name) => !packageImports.some(({ to }) => packageOf(to) === name))).toEqual([])
  })
})

describe('what policies import', () => {
  it('is that module and pure ones of the model, which import nothing else: they are run inside of their sandbox', () => {
    const loaded = new Set<string>()
    const load = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const { from, to, isType } of imports) if (from === file && !isType) load(to)
    }
    load('policy.ts')
    expect([...loaded].toSorted()).toEqual(['model/look-ups.ts', 'model/options.ts', 'model/shell.ts', 'policy.ts'])
    for (const file of loaded) expect(textOf.get(file)).not.toMatch(/^(?:export )?(?:let|var) /m)
  })
})

describe('threads that evaluate policies', () => {
  it('load no schemas, which would take longer than the rest of their start', () => {
    const loaded = new Set<string>()
    const load = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const { from, to, isType } of imports) if (from === file && !isType) load(to)
    }
    load('run/policy/worker.ts')
    expect(loaded).toContain('run/policy/realm.ts')
    expect(loaded).not.toContain('zod')
  })
})

describe('what answers when everything else fails', () => {
  it.each([
    'cli/write-whole.ts',
    'dialect/last-resort.ts',
    'dialect/claude-code/last-resort.ts',
    'dialect/cline/last-resort.ts',
    'cli/bin.ts',
  ])('%s imports nothing at load but node: modules and last-resort tables', (file) => {
    const lazily = file === 'cli/bin.ts' ? ['cli/main.ts', 'cli/observe.ts', 'cli/quick-imports.ts'] : []
    const mine = imports.filter(({ from, to }) => from === file && !lazily.includes(to))
    expect(broken(({ to }) => to.startsWith('node:') || /(last-resort|write-whole)\.ts$/.test(to), mine)).toEqual([])
  })
})

describe('what asks a gate that is there', () => {
  it.each(['client/thin.ts', 'client/alone.ts', 'client/reply.ts'])(
    '%s loads nothing but node: modules, its own, and the names of variables',
    (file) => {
      const mine = imports.filter(({ from }) => from === file)
      const own = /^client\/(alone|reply)\.ts$|^model\/node-environment\.ts$/
      expect(broken(({ to }) => to.startsWith('node:') || own.test(to), mine)).toEqual([])
      expect(imports.filter(({ from }) => from === 'model/node-environment.ts')).toEqual([])
    },
  )

  it('takes of the dialects only what answers when everything else fails', () => {
    const taken = ownImports.filter(({ from, to }) => from.startsWith('client/') && to.startsWith('dialect/'))
    expect(broken(({ to }) => to === 'dialect/last-resort.ts', taken)).toEqual([])
  })
})

describe('the pure rooms', () => {
  const pure = files.filter((file) => /^combine\/|^rules\/(merge|plan|match\/[\w-]+)\.ts$/.test(file))

  it.each(pure)('%s has no clock, no I/O and nothing asynchronous', (file) => {
    const text = textOf.get(file) ?? ''
    expect(text).not.toMatch(
      /\basync\s*(\(|function\b|\w+\s*=>)|\bawait\s|Promise|Date\.now|performance\.|Math\.random|new Date\b|setTimeout/,
    )
    const outside = imports.filter(({ from, to }) => from === file && to.startsWith('node:'))
    expect(broken(({ to }) => ['node:util', 'node:path'].includes(to), outside)).toEqual([])
  })
})

describe('dialects', () => {
  it('nobody outside of dialect/ asks which agent it is', () => {
    const asking = files.filter(
      (file) =>
        !file.startsWith('dialect/') &&
        /(agent|dialect)(\.\w+)?\s*[!=]==\s*['"](claude-code|cline)/.test(textOf.get(file) ?? ''),
    )
    // Templates for new hooks are written per agent; the choice is the user's, not the event's.
    expect(asking.filter((file) => file !== 'cli/new.ts')).toEqual([])
  })

  it('have the same files in each folder', () => {
    const shared = [
      'decode-answer',
      'decode-event',
      'encode-event',
      'encode-verdict',
      'index',
      'last-resort',
      'wire',
      'carries',
      'tools',
    ]
    const missing = ['claude-code', 'cline'].flatMap((agent) =>
      shared.map((name) => `dialect/${agent}/${name}.ts`).filter((file) => !files.includes(file)),
    )
    expect(missing).toEqual([])
  })
})

describe('files', () => {
  it('are short enough to have one reason', () => {
    const long = files.filter((file) => (textOf.get(file) ?? '').split('\n').length > 300)
    expect(long).toEqual([])
  })
})
