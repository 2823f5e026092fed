import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { agentNames } from '../src/agents/registry.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

interface Import {
  /** Paths relative to `src/`. */
  readonly from: string
  readonly to: string
  /** Whether nothing of it is left when types are stripped. */
  readonly isType: boolean
  /** Whether it is loaded only when a function asks for it. */
  readonly isLate: boolean
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
    const target = to.startsWith('.') ? relative(src, resolve(src, dirname(from), to)) : to
    return { from, to: target, isType, isLate: late !== undefined }
  }),
)
const packageImports = imports.filter(({ to }) => !textOf.has(to) && !to.startsWith('node:'))
const ownImports = imports.filter(({ to }) => textOf.has(to))
/** The room a file is in: its folder under `src/`, or the file itself at the top. */
const roomOf = (file: string) => file.split('/')[0] ?? ''
/** A file and all that it imports, and what they import, packages included. */
function reachedFrom(file: string, counts: (one: Import) => boolean, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const one of imports) if (one.from === file && counts(one)) reachedFrom(one.to, counts, reached)
  return reached
}
const isCode = ({ isType }: Import) => !isType
/** Who imports whom, by the names of files or folders. */
type Edge = Pick<Import, 'from' | 'to'>
const edge = (from: string, to: string): Edge => ({ from, to })

/** Each cycle that is met on the way, once. */
function cyclesOf(edges: readonly Edge[]): readonly (readonly string[])[] {
  const next = Map.groupBy(edges, ({ from }) => from)
  const done = new Set<string>()
  const cycleFrom = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const { to } of next.get(name) ?? []) {
      const cycle = cycleFrom(to, [...path, name])
      if (cycle !== undefined) return cycle
    }
    done.add(name)
    return undefined
  }
  return [...next.keys()].flatMap((name) => {
    const cycle = cycleFrom(name, [])
    if (cycle === undefined) return []
    for (const one of cycle) done.add(one)
    return [cycle]
  })
}

/** The folders that a file stands in, `''` being `src/` itself. */
function ancestorsOf(file: string): readonly string[] {
  const folder = dirname(file) === '.' ? '' : dirname(file)
  return folder === '' ? [''] : [...ancestorsOf(folder), folder]
}

/** An import as one from a folder to another, where both stand in this one. */
function between(folder: string, { from, to }: Edge): readonly Edge[] {
  const inFolder = (file: string): string | undefined => {
    const ancestors = ancestorsOf(file)
    return ancestors.includes(folder) ? ancestors[ancestors.indexOf(folder) + 1] : undefined
  }
  const [ours, theirs] = [inFolder(from), inFolder(to)]
  return ours === undefined || theirs === undefined || ours === theirs ? [] : [edge(ours, theirs)]
}

const broken = (rule: (one: Import) => boolean, among: readonly Import[]) =>
  among.filter((one) => !rule(one)).map(({ from, to }) => `${from} -> ${to}`)

describe('imports run one way', () => {
  const stages = ['agents', 'rules', 'facts', 'hooks', 'policy', 'combine', 'record']
  const deciding = [...stages, 'run.ts', 'engine.ts']
  const allowed: Readonly<Record<string, readonly string[]>> = {
    model: [],
    files: ['model'],
    ...Object.fromEntries(stages.map((room) => [room, ['model', 'files']])),
    // Only by which names agents call things: see below.
    facts: ['model', 'files', 'agents'],
    rules: ['model', 'files', 'agents'],
    policy: ['model', 'files', 'agents'],
    'run.ts': ['model', 'hooks', 'policy'],
    'engine.ts': ['model', ...stages, 'run.ts'],
    'checked-event.ts': ['model', 'agents'],
    'answer.ts': ['model', 'agents', 'engine.ts', 'checked-event.ts'],
    'policy.ts': ['model'],
    'testing.ts': ['model', 'facts', 'policy'],
    'gate-options.ts': ['model', 'record'],
    'gate.ts': ['model', ...deciding, 'answer.ts', 'gate-options.ts', 'checked-event.ts'],
    'index.ts': ['model', ...deciding, 'answer.ts', 'gate.ts'],
    bridge: ['model', 'files'],
    server: ['model', 'files', ...deciding, 'answer.ts', 'gate.ts'],
    client: ['model', 'files', 'agents'],
    install: ['model', 'files', 'agents', 'rules', 'policy', 'facts', 'server', 'client'],
    cli: ['model', 'files', ...deciding, 'answer.ts', 'gate.ts', 'testing.ts', 'bridge', 'server', 'client', 'install'],
  }

  it('every room is one of the design, and imports only what stands below it', () => {
    const isAllowed = (from: string, to: string) => from === to || (allowed[from]?.includes(to) ?? false)
    expect(broken(({ from, to }) => isAllowed(roomOf(from), roomOf(to)), ownImports)).toEqual([])
  })

  it('every relative import leads to a file', () => {
    const dangling = imports.filter(({ to }) => !textOf.has(to) && /\.(ts|js)$/.test(to) && !to.startsWith('node:'))
    expect(dangling.filter(({ to }) => !packages.has(packageOf(to)))).toEqual([])
  })

  it('there is no cycle of any kind', () => {
    expect(cyclesOf(ownImports)).toEqual([])
  })

  it('folders that stand side by side import one another one way too', () => {
    const folders = new Set(files.flatMap((file) => ancestorsOf(file)))
    expect([...folders].flatMap((folder) => cyclesOf(ownImports.flatMap((one) => between(folder, one))))).toEqual([])
  })

  it('a cycle is seen, however long', () => {
    expect(cyclesOf([edge('a', 'b'), edge('b', 'c')])).toEqual([])
    expect(cyclesOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'a')])).toEqual([['a', 'b', 'c', 'a']])
    const both = [edge('policy/x/a.ts', 'policy/y/a.ts'), edge('policy/y/b.ts', 'policy/x/b.ts')]
    expect(cyclesOf(both.flatMap((one) => between('policy', one)))).toEqual([['policy/x', 'policy/y', 'policy/x']])
    expect(both.flatMap((one) => between('', one))).toEqual([])
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
    execa: [/^hooks\//],
    'p-limit': [/^hooks\//],
    piscina: [/^hooks\/pool\.ts$/, /^policy\/sandbox\/thread\/pool\.ts$/],
    'isolated-vm': [/^policy\/sandbox\/thread\//, /^policy\/sandbox\/host\/thread-placement\.ts$/],
    acorn: [/^policy\//],
    amaro: [/^policy\//],
    'prom-client': [/^server\/http\//],
    'jsonc-parser': [/^install\//, /^files\/parse-json\.ts$/],
    fastify: [/^server\//],
    'fastest-levenshtein': [/^model\/suggest\.ts$/],
    'smol-toml': [/^install\/settings-reader\.ts$/],
    pino: [/^server\/log\.ts$/],
    unbash: [/^facts\//],
    zod: [
      /^(?:gate-options|checked-event)\.ts$/,
      /^(model|agents|rules|policy|record|server|install|cli)\//,
      /^hooks\//,
    ],
  }

  it('each has one home', () => {
    const atHome = ({ from, to }: Import) => homes[packageOf(to)]?.some((home) => home.test(from)) ?? false
    expect(broken(atHome, packageImports)).toEqual([])
  })

  it('the model imports only zod, and one file of it what compares words', () => {
    expect(
      broken(
        ({ from, to }) => to === 'zod' || from === 'model/suggest.ts',
        imports.filter(({ from, to }) => roomOf(from) === 'model' && !textOf.has(to)),
      ),
    ).toEqual([])
  })

  it('files imports none but the reader of JSON, and nothing at load that opens a database', () => {
    const mine = imports.filter(
      ({ from, to, isType }) =>
        roomOf(from) === 'files' && from !== 'files/parse-json.ts' && !textOf.has(to) && !isType,
    )
    expect(mine).not.toEqual([])
    expect(broken(({ to }) => to.startsWith('node:') && to !== 'node:sqlite', mine)).toEqual([])
  })

  it('every dependency that is installed is imported', () => {
    expect([...packages].filter((name) => !packageImports.some(({ to }) => packageOf(to) === name))).toEqual([])
  })
})

describe('what policies import', () => {
  it('is that module and pure ones of the model, which import nothing else: they are run inside of their sandbox', () => {
    const loaded = reachedFrom('policy.ts', isCode)
    expect([...loaded].toSorted()).toEqual(['model/look-ups.ts', 'model/options.ts', 'model/shell.ts', 'policy.ts'])
    for (const file of loaded) expect(textOf.get(file)).not.toMatch(/^(?:export )?(?:let|var) /m)
  })
})

describe('threads that evaluate policies', () => {
  it('load no schemas, which would take longer than the rest of their start', () => {
    const loaded = reachedFrom('policy/sandbox/thread/worker.ts', isCode)
    expect(loaded).toContain('policy/sandbox/realm/realm.ts')
    expect(loaded).not.toContain('zod')
  })
})

describe('what answers when everything else fails', () => {
  // Types included: whoever wants to know that nothing can keep it from loading reads no more than this.
  const loaded = reachedFrom('cli/bin.ts', ({ isLate }) => !isLate)
  const tables = agentNames.map((agent) => `agents/${agent}/last-resort.ts`)

  it('loads nothing but node: modules and what each agent is told then', () => {
    expect([...loaded].filter((file) => !file.startsWith('node:')).toSorted()).toEqual(
      [
        'cli/agent-named.ts',
        'cli/bin.ts',
        'cli/write-whole.ts',
        'agents/last-resort.ts',
        'agents/last-resort-table.ts',
        ...tables,
      ].toSorted(),
    )
  })
})

describe('what asks a gate that is there', () => {
  it.each(['client/thin.ts', 'client/without-gate.ts', 'client/reply.ts'])(
    '%s loads nothing but node: modules, its own, and the names of variables',
    (file) => {
      const mine = imports.filter(({ from }) => from === file)
      const own = /^client\/(without-gate|reply)\.ts$|^model\/node-environment\.ts$/
      expect(broken(({ to }) => to.startsWith('node:') || own.test(to), mine)).toEqual([])
      expect(imports.filter(({ from }) => from === 'model/node-environment.ts')).toEqual([])
    },
  )

  it('takes of the dialects only what answers when everything else fails', () => {
    const taken = ownImports.filter(({ from, to }) => from.startsWith('client/') && to.startsWith('agents/'))
    expect(broken(({ to }) => to === 'agents/last-resort.ts', taken)).toEqual([])
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
  /** Where an agent's name is compared with something: `agent === 'cline'`, `'cline' !== agent`, `case 'cline':`. */
  const quotedName = `['"\`](?:${agentNames.join('|')})['"\`]`
  const comparing = new RegExp(`(?:[!=]=|\\bcase)\\s*${quotedName}|${quotedName}\\s*[!=]=`)

  it('rules, facts and policies know of agents only by which names they call things', () => {
    const named = ownImports.filter(({ from, to }) => /^(?:rules|facts|policy)\//.test(from) && roomOf(to) === 'agents')
    expect(broken(({ to }) => /^agents\/(?:registry|event-names|tool-names|mcp-names)\.ts$/.test(to), named)).toEqual(
      [],
    )
  })

  it('nobody outside of agents/ asks which agent it is', () => {
    const asking = files.filter((file) => !file.startsWith('agents/') && comparing.test(textOf.get(file) ?? ''))
    expect(asking.toSorted()).toEqual([])
  })

  it.each(['agent === "cline"', "agent !== 'windsurf'", "'codex' == agent", "  case 'vscode':"])(
    'sees that %s asks',
    (text) => {
      expect(text).toMatch(comparing)
    },
  )

  it('only an agent’s own folder, and these few files, name it', () => {
    const named = new RegExp(quotedName)
    const isComment = /^\s*(?:\/\/|\/?\*)/
    const names = (file: string) =>
      (textOf.get(file) ?? '').split('\n').some((line) => named.test(line) && !isComment.test(line))
    const ownFolders = agentNames.map((agent) => `agents/${agent}/`)
    const naming = files.filter((file) => !ownFolders.some((folder) => file.startsWith(folder)) && names(file))
    expect(naming.toSorted()).toEqual(mayName.toSorted())
  })

  /** Files and folders that name an agent, each with its reason. */
  const mayName = [
    // The list of those who answer when nothing else loads.
    'agents/last-resort.ts',
    // A hook is tried with a call as Claude Code makes it; every dialect can encode that.
    'agents/shell-call.ts',
    // The bridge has a list of its own: an agent waits while it runs, and the registry would load more.
    'bridge/agents.ts',
    // Rules are written in Claude Code's format.
    'rules/load/command-hook.ts',
    'rules/load/draft.ts',
    'rules/load/load.ts',
    'rules/load/wire.ts',
    'rules/match/match.ts',
    // Hooks are found in the folders of Claude Code and Cline.
    'rules/find/discover.ts',
    'rules/find/explicit.ts',
    'rules/find/search.ts',
    'rules/places.ts',
    // Defaults for what a user leaves out: of an example, of a new hook, of a script that is checked.
    'model/policy-input.ts',
    'cli/new.ts',
    'cli/check/script-problems.ts',
    // A client is tried with one event of one agent.
    'client/probe.ts',
  ]

  const folders = files.flatMap((file) => /^agents\/([\w-]+)\/index\.ts$/.exec(file)?.[1] ?? [])
  it('have a folder each', () => {
    expect(folders.toSorted()).toEqual(agentNames.toSorted())
  })

  it.each(folders)(
    'have a descriptor that imports nothing but the model and what is shared in agents/: %s',
    (agent) => {
      const reached = [...reachedFrom(`agents/${agent}/index.ts`, () => true)]
      const ours = new RegExp(`^(?:model/|agents/(?:${agent}/|table/|[\\w-]+\\.ts$)|node:path$|zod$)`)
      expect(reached.filter((file) => !ours.test(file))).toEqual([])
      expect(reached).not.toContain('agents/registry.ts')
    },
  )

  it.each(folders)('have a wire file that exports the dialect, by which it is loaded: %s', (agent) => {
    expect(textOf.get(`agents/${agent}/wire.ts`)).toMatch(/^export const dialect\b/m)
  })
})

describe('the map of `src/` in docs/architecture.md', () => {
  it('names every file and folder there, and no other', () => {
    const page = readFileSync(join(src, '..', 'docs/architecture.md'), 'utf8')
    const map = /^src\/\n((?:[├└]── .*\n)+)/m.exec(page)?.[1] ?? ''
    const named = [...map.matchAll(/^[├└]── ([\w-]+\/|[\w-]+\.ts) +\S/gm)].map(([, name]) => name)
    const there = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    expect(new Set(named)).toEqual(new Set(there))
  })
})

describe('types', () => {
  it('have a name each, that no other file gives to another', () => {
    const homes = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map(([, name = '']) => ({ name, file })),
    )
    const shared = [...Map.groupBy(homes, ({ name }) => name)].filter(([, all]) => all.length > 1)
    expect(shared.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([])
  })
})

describe('files', () => {
  it('are short enough to have one reason', () => {
    const long = files.filter((file) => file !== 'model/limits.ts' && (textOf.get(file) ?? '').split('\n').length > 300)
    expect(long).toEqual([])
  })
})
