import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { agentNames } from '../src/agents/registry.ts'
import { families } from '../src/facts/programs/families.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

interface Import {
  /** Paths relative to `src/`. */
  readonly from: string
  readonly to: string
  /** Whether type stripping removes it. */
  readonly isType: boolean
  /** Whether it is a dynamic import. */
  readonly isLate: boolean
}

/** Matches type imports too: readers of a file depend on its types as much as on its functions. */
const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
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
/** Folders whose parts are modules of their own, each with its own imports. */
const grouping = new Set(['gate', 'service', 'review'])
/** Returns a file's module: its folder under `src/`, or the folder or file below one that groups. */
function moduleOf(file: string): string {
  const [folder = '', part = ''] = file.split('/')
  return grouping.has(folder) ? `${folder}/${part}` : folder
}
/** Returns a file and its transitive imports, packages included. */
function reachedFrom(file: string, counts: (one: Import) => boolean, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const one of imports) if (one.from === file && counts(one)) reachedFrom(one.to, counts, reached)
  return reached
}
const isCode = ({ isType }: Import) => !isType
/** An import between two files or folders. */
type Edge = Pick<Import, 'from' | 'to'>
const edge = (from: string, to: string): Edge => ({ from, to })

/** Returns each cycle once. */
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

/** Returns the folders that contain a file; `''` is `src/` itself. */
function ancestorsOf(file: string): readonly string[] {
  const folder = dirname(file) === '.' ? '' : dirname(file)
  return folder === '' ? [''] : [...ancestorsOf(folder), folder]
}

/** Lifts an import to one between subfolders of this folder, if both files are in it. */
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
  const stages = ['agents', 'rules', 'facts', 'past', 'hooks', 'policy', 'record']
  const own = ['combine', 'builtin', 'exceptions', 'approvals', 'memory']
  const parts = [
    ...own,
    'by-past.ts',
    'carried.ts',
    'replaced-output.ts',
    'shown-text.ts',
    'lift.ts',
    'run.ts',
    'engine.ts',
  ]
  const gate = parts.map((part) => `gate/${part}`)
  const deciding = [...stages, ...gate]
  const below = ['model', 'words', 'tools', 'mask', 'files']
  const allowed: Readonly<Record<string, readonly string[]>> = {
    model: [],
    words: ['model'],
    tools: ['model', 'words'],
    mask: ['model'],
    files: ['model', 'words', 'mask'],
    bundle: below,
    past: below,
    ...Object.fromEntries(stages.map((module) => [module, below])),
    // What the last look for a bundle came to is exported.
    record: [...below, 'bundle'],
    // Only for agents' names of tools and events: see below.
    facts: [...below, 'agents'],
    rules: [...below, 'agents', 'bundle', 'facts'],
    policy: [...below, 'agents', 'past'],
    'gate/combine': ['model', 'mask'],
    'gate/builtin': ['model', 'words', 'tools', 'mask', 'past', 'rules', 'agents'],
    'gate/exceptions': ['model', 'words', 'files', 'rules', 'gate/builtin'],
    'gate/run.ts': ['model', 'files', 'hooks', 'policy', 'gate/builtin'],
    'gate/memory': below,
    'gate/carried.ts': ['model', 'policy', 'rules'],
    'gate/by-past.ts': ['model', 'agents', 'past'],
    'gate/approvals': [...below, 'rules', 'gate/memory', 'gate/shown-text.ts'],
    'gate/lift.ts': [
      ...below,
      'policy',
      'rules',
      'gate/combine',
      'gate/exceptions',
      'gate/approvals',
      'gate/memory',
      'gate/shown-text.ts',
    ],
    'gate/engine.ts': [...below, ...stages, ...gate],
    'gate/checked-event.ts': ['model', 'words', 'agents'],
    'gate/replaced-output.ts': ['model'],
    'gate/shown-text.ts': ['model', 'mask'],
    'gate/answer.ts': ['model', 'words', 'files', 'agents', 'gate/engine.ts', 'gate/checked-event.ts'],
    'gate/gate-options.ts': ['model', 'words', 'record'],
    'gate/first-look.ts': ['model', 'bundle', 'facts', 'policy', 'rules'],
    'gate/gate-memory.ts': ['model', 'files', 'past', 'gate/memory', 'gate/gate-options.ts'],
    'gate/gate.ts': [
      ...below,
      ...deciding,
      'gate/answer.ts',
      'gate/gate-options.ts',
      'gate/gate-memory.ts',
      'gate/first-look.ts',
      'gate/checked-event.ts',
    ],
    library: ['model', 'words', ...deciding, 'gate/answer.ts', 'gate/gate.ts'],
    'review/replay': [...below, ...deciding, 'gate/checked-event.ts', 'gate/gate.ts', 'gate/gate-memory.ts'],
    'review/suggest': [...below, ...deciding, 'gate/gate.ts', 'gate/gate-memory.ts', 'review/replay'],
    'review/machines': below,
    'review/state': [...below, ...deciding],
    'review/why': [...below, ...deciding, 'review/replay', 'review/state'],
    'service/bridge': ['model', 'files'],
    'service/frames.ts': ['files'],
    'service/client': ['model', 'files', 'agents', 'service/frames.ts'],
    'service/server': [
      ...below,
      'bundle',
      ...deciding,
      'gate/answer.ts',
      'gate/first-look.ts',
      'gate/gate.ts',
      'service/frames.ts',
    ],
    install: [
      ...below,
      'agents',
      'rules',
      'policy',
      'facts',
      'record',
      'review/replay',
      'past',
      'service/server',
      'service/client',
    ],
    changes: [...below, 'agents', 'rules', 'past', 'service/server', 'install'],
    ui: [
      ...below,
      ...deciding,
      'gate/gate.ts',
      'review/replay',
      'review/state',
      'review/why',
      'service/server',
      'install',
      'changes',
    ],
    cli: [
      ...below,
      'bundle',
      ...deciding,
      'gate/first-look.ts',
      'gate/gate.ts',
      'library',
      'review/replay',
      'review/suggest',
      'review/state',
      'review/why',
      'review/machines',
      'service/bridge',
      'service/client',
      'service/server',
      'install',
      'changes',
      'ui',
    ],
  }

  it('every module is part of the design, and imports only what is below it', () => {
    const isAllowed = (from: string, to: string) => from === to || (allowed[from]?.includes(to) ?? false)
    expect(broken(({ from, to }) => isAllowed(moduleOf(from), moduleOf(to)), ownImports)).toEqual([])
  })

  it('every relative import resolves to a file', () => {
    const dangling = imports.filter(({ to }) => !textOf.has(to) && /\.(tsx?|js)$/.test(to) && !to.startsWith('node:'))
    expect(dangling.filter(({ to }) => !packages.has(packageOf(to)) && !bundled.has(packageOf(to)))).toEqual([])
  })

  it('there is no import cycle, types included', () => {
    expect(cyclesOf(ownImports)).toEqual([])
  })

  it('sibling folders have no cycle either', () => {
    const folders = new Set(files.flatMap((file) => ancestorsOf(file)))
    expect([...folders].flatMap((folder) => cyclesOf(ownImports.flatMap((one) => between(folder, one))))).toEqual([])
  })

  it('a cycle of any length is detected', () => {
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
const manifest = JSON.parse(readFileSync(join(src, '..', 'package.json'), 'utf8')) as {
  dependencies: object
  devDependencies: object
}
const packages = new Set(Object.keys(manifest.dependencies))
const bundled = new Set(Object.keys(manifest.devDependencies))

describe('packages', () => {
  const homes: Readonly<Record<string, readonly RegExp[]>> = {
    execa: [/^hooks\//],
    'p-limit': [/^hooks\//],
    piscina: [/^hooks\/pool\.ts$/, /^policy\/sandbox\/thread\/sandbox-main\.ts$/],
    'isolated-vm': [/^policy\/sandbox\/thread\//],
    acorn: [/^policy\//],
    amaro: [/^policy\//],
    'prom-client': [/^service\/server\/http\//],
    'jsonc-parser': [/^install\//, /^facts\/carried\//, /^files\/(?:parse-json|settings-values)\.ts$/],
    jose: [/^service\/server\/remote\/listen-remote\.ts$/],
    fastify: [/^service\/server\//, /^ui\/serve\.ts$/],
    preact: [/^ui\/page\//],
    '@preact/signals': [/^ui\/page\//],
    '@tanstack/virtual-core': [/^ui\/page\/parts\/virtual-list\.tsx$/],
    uplot: [/^ui\/page\/views\/history\/course\.tsx$/],
    'fastest-levenshtein': [/^words\/suggest\.ts$/],
    'smol-toml': [/^files\/settings-values\.ts$/],
    pino: [/^service\/server\/log-file\.ts$/],
    unbash: [/^facts\//],
    '@tufjs/models': [/^bundle\//],
    'tuf-js': [/^bundle\/machine\/(?:fetch|update)\.ts$/],
    '@opentelemetry/api': [/^record\/export\//],
    '@opentelemetry/otlp-transformer': [/^record\/export\//],
    '@opentelemetry/resources': [/^record\/export\//],
    '@opentelemetry/sdk-logs': [/^record\/export\//],
    '@opentelemetry/sdk-metrics': [/^record\/export\//],
    zod: [
      /^gate\/(?:gate-options|checked-event)\.ts$/,
      /^(model|words|agents|bundle|past|rules|policy|record|review|service|install|changes|cli|ui(?!\/page))\//,
      /^(?:hooks|files\/state)\//,
    ],
  }

  it('each is imported only by its own modules', () => {
    const atHome = ({ from, to }: Import) => homes[packageOf(to)]?.some((home) => home.test(from)) ?? false
    expect(broken(atHome, packageImports)).toEqual([])
  })

  it('the model imports only zod', () => {
    expect(
      broken(
        ({ to }) => to === 'zod',
        imports.filter(({ from, to }) => moduleOf(from) === 'model' && !textOf.has(to)),
      ),
    ).toEqual([])
  })

  it('files imports only the parsers of JSON and TOML, and loads nothing that opens a database', () => {
    const mine = imports.filter(
      ({ from, to, isType }) =>
        moduleOf(from) === 'files' &&
        !/parse-json|settings-values|^files\/state\//.test(from) &&
        !textOf.has(to) &&
        !isType,
    )
    expect(mine).not.toEqual([])
    expect(broken(({ to }) => to.startsWith('node:') && to !== 'node:sqlite', mine)).toEqual([])
  })

  it('every dependency is imported', () => {
    expect([...packages].filter((name) => !packageImports.some(({ to }) => packageOf(to) === name))).toEqual([])
  })
})

describe('the library that policies import', () => {
  it('consists of pure modules without other imports, since it runs inside the sandbox', () => {
    const loaded = reachedFrom('library/policy.ts', isCode)
    expect([...loaded].toSorted()).toEqual([
      'library/policy.ts',
      'library/state.ts',
      'model/look-ups.ts',
      'model/shell-traits.ts',
      'model/shell.ts',
      'words/calls.ts',
      'words/impact-words.ts',
      'words/loose-line.ts',
      'words/names.ts',
      'words/options.ts',
      'words/paths.ts',
      'words/plain-reading.ts',
      'words/request.ts',
      'words/typed-words.ts',
      'words/variables.ts',
    ])
    for (const file of loaded) expect(textOf.get(file)).not.toMatch(/^(?:export )?(?:let|var) /m)
  })
})

describe('threads that evaluate policies', () => {
  it('load no schemas, which would take longer than the rest of their startup', () => {
    const loaded = reachedFrom('policy/sandbox/thread/worker.ts', isCode)
    expect(loaded).toContain('policy/sandbox/realm/realm.ts')
    expect(loaded).not.toContain('zod')
  })
})

describe('the last resort', () => {
  // Types included, so that a reader can verify that nothing else can keep it from loading.
  const loaded = reachedFrom('cli/bin.ts', ({ isLate }) => !isLate)

  it('loads only node: modules and the answers of the last resort', () => {
    expect([...loaded].filter((file) => !file.startsWith('node:')).toSorted()).toEqual(
      [
        'cli/bin.ts',
        'cli/start/agent-named.ts',
        'cli/start/write-whole.ts',
        'agents/last-resort.ts',
        'agents/last-resort-table.ts',
      ].toSorted(),
    )
  })
})

describe('the thin client', () => {
  it.each([
    'service/client/thin.ts',
    'service/client/without-gate.ts',
    'service/client/endings.ts',
    'service/frames.ts',
  ])('%s loads only node: modules, its own, the frames, the variable names and the proof', (file) => {
    const mine = imports.filter(({ from }) => from === file)
    const own =
      /^service\/client\/(without-gate|endings)\.ts$|^service\/frames\.ts$|^model\/node-environment\.ts$|^files\/proof\.ts$/
    expect(broken(({ to }) => to.startsWith('node:') || own.test(to), mine)).toEqual([])
    expect(imports.filter(({ from }) => /^(?:model\/node-environment|files\/proof)\.ts$/.test(from))).toEqual([])
  })

  it('imports nothing of the dialects but the last resort', () => {
    const taken = ownImports.filter(({ from, to }) => from.startsWith('service/client/') && to.startsWith('agents/'))
    expect(broken(({ to }) => to === 'agents/last-resort.ts', taken)).toEqual([])
  })
})

describe('a start that an agent waits for', () => {
  // Type imports are no loading.
  const loaded = reachedFrom('cli/commands/run.ts', ({ isType, isLate, to }) => !isType && !isLate && to !== '')

  it('loads nothing that fetches or verifies bundles', () => {
    expect([...loaded].filter((file) => /^(?:@tufjs|tuf-js)/.test(file))).toEqual([])
    expect(loaded).toContain('rules/read-rules.ts')
  })

  it('and a gate loads the client of TUF only once it follows a channel', () => {
    const resident = reachedFrom('service/server/serve.ts', ({ isType, isLate }) => !isType && !isLate)
    expect([...resident].filter((file) => /^(?:@tufjs|tuf-js)/.test(file))).toEqual([])
    expect(resident).toContain('bundle/machine/poller.ts')
  })
})

describe('a start of what only reads rules, settings or the record', () => {
  it.each([
    ...['packs', 'status', 'explain', 'log', 'stats', 'suggest', 'allow', 'trust', 'init', 'enable', 'uninstall'].map(
      (name) => `cli/commands/${name}.ts`,
    ),
    'rules/index.ts',
    'install/index.ts',
    'install/gate-report.ts',
  ])('loads neither the table of programs nor the log of a gate: %s', (file) => {
    const loaded = reachedFrom(file, ({ isType, isLate }) => !isType && !isLate)
    const dear = ['facts/programs/table.ts', 'facts/shell/shell-facts.ts', 'service/server/log-file.ts', 'pino']
    expect(dear.filter((one) => loaded.has(one))).toEqual([])
  })
})

describe('the page', () => {
  const ofPage = imports.filter(({ from }) => from.startsWith('ui/page/'))

  it('takes nothing of the program but types, and two packages for what it shows', () => {
    const ownPackages = /^(?:preact(?:\/hooks)?|@preact\/signals|uplot|@tanstack\/virtual-core)$/
    const isFine = ({ to, isType }: Import) => isType || to.startsWith('ui/page/') || ownPackages.test(to)
    expect(ofPage).not.toEqual([])
    expect(broken(isFine, ofPage)).toEqual([])
  })

  it('is nothing that the program loads', () => {
    const loading = ownImports.filter(({ from, to }) => !from.startsWith('ui/page/') && to.startsWith('ui/page/'))
    expect(loading).toEqual([])
  })

  it('makes no markup of a text', () => {
    const makers = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
    const making = files.filter((file) => file.startsWith('ui/page/') && makers.test(textOf.get(file) ?? ''))
    expect(making).toEqual([])
  })
})

describe('the pure modules', () => {
  const pure = files.filter((file) => /^gate\/(?:combine|builtin)\/|^rules\/(merge|plan|match\/[\w-]+)\.ts$/.test(file))

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
  /** Matches a comparison with an agent's name: `agent === 'cline'`, `'cline' !== agent`, `case 'cline':`. */
  const quotedName = `['"\`](?:${agentNames.join('|')})['"\`]`
  const comparing = new RegExp(`(?:[!=]=|\\bcase)\\s*${quotedName}|${quotedName}\\s*[!=]=`)

  it('rules, facts and policies import only names from agents/', () => {
    const named = ownImports.filter(
      ({ from, to }) => /^(?:rules|facts|policy)\//.test(from) && moduleOf(to) === 'agents',
    )
    const names = /^agents\/(?:registry|event-names|tool-names|mcp-names|codec\/(?:edits|patch))\.ts$/
    // The one place that looks at agents' own settings.
    const switches = /^agents\/install\/(?:hook-switches|install)\.ts$/
    const isOfSwitches = ({ from, to }: Import) => from === 'rules/hook-switches.ts' && switches.test(to)
    expect(broken((one) => names.test(one.to) || isOfSwitches(one), named)).toEqual([])
  })

  it('no module outside agents/ compares agent names', () => {
    const offenders = files.filter((file) => !file.startsWith('agents/') && comparing.test(textOf.get(file) ?? ''))
    expect(offenders.toSorted()).toEqual([])
  })

  it.each(['agent === "cline"', "agent !== 'windsurf'", "'codex' == agent", "  case 'vscode':"])(
    'detects %s',
    (text) => {
      expect(text).toMatch(comparing)
    },
  )

  it('only an agent’s own folder and a few listed files name it', () => {
    const named = new RegExp(quotedName)
    const isComment = /^\s*(?:\/\/|\/?\*)/
    const names = (file: string) =>
      (textOf.get(file) ?? '').split('\n').some((line) => named.test(line) && !isComment.test(line))
    const ownFolders = agentNames.map((agent) => `agents/${agent}/`)
    const naming = files.filter((file) => !ownFolders.some((folder) => file.startsWith(folder)) && names(file))
    expect(naming.toSorted()).toEqual(mayName.toSorted())
  })

  /** Files that may name an agent, each with its reason. */
  const mayName = [
    // A call that is asked about by AuthZEN is put into its form.
    'service/server/remote/authzen-routes.ts',
    // Lists every agent's last resort without the registry, and takes an unknown one for one of two.
    'agents/last-resort.ts',
    'agents/last-resort-table.ts',
    // Tests a hook with Claude Code's call, which every dialect can encode.
    'agents/neutral-call.ts',
    // Knows agents as programs that a command starts, by other names than those of their descriptors too.
    'facts/programs/may-start.ts',
    // The bridge has its own list, since an agent waits for it and the registry would load more.
    'service/bridge/agents.ts',
    // Rules are written in Claude Code's format.
    'rules/load/hook-rules.ts',
    'rules/load/draft.ts',
    'rules/load/load.ts',
    'rules/load/wire.ts',
    'rules/plan.ts',
    // Discovers hooks in the folders of Claude Code and Cline.
    'rules/find/discover.ts',
    'rules/find/search.ts',
    'rules/places.ts',
    // Defaults for examples, new hooks and checked scripts.
    'policy/policy-input.ts',
    'cli/commands/new/new.ts',
    'cli/commands/check/rule-problems.ts',
    // Probes a client with one event of one agent.
    'service/client/probe.ts',
  ]

  const folders = files.flatMap((file) => /^agents\/([\w-]+)\/index\.ts$/.exec(file)?.[1] ?? [])
  it('have a folder each', () => {
    expect(folders.toSorted()).toEqual(agentNames.toSorted())
  })

  it.each(folders)('have a descriptor that imports only the model and shared files of agents/: %s', (agent) => {
    const reached = [...reachedFrom(`agents/${agent}/index.ts`, () => true)]
    const ours = new RegExp(
      `^(?:model/|words/|tools/|files/script-language\\.ts$|agents/(?:${agent}/|table/|codec/|install/|[\\w-]+\\.ts$)|node:path$|node:zlib$|zod$)`,
    )
    expect(reached.filter((file) => !ours.test(file))).toEqual([])
    expect(reached).not.toContain('agents/registry.ts')
  })

  it.each(folders)('have a lazily loaded wire file that exports the dialect: %s', (agent) => {
    expect(textOf.get(`agents/${agent}/wire.ts`)).toMatch(/^export const dialect\b/m)
  })
})

describe('the map of `src/` in docs/architecture.md', () => {
  it('names exactly the files and folders there', () => {
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
  it('have unique names across files', () => {
    const homes = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map(([, name = '']) => ({ name, file })),
    )
    const shared = [...Map.groupBy(homes, ({ name }) => name)].filter(([, all]) => all.length > 1)
    expect(shared.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([])
  })
})

describe('files', () => {
  it('are short enough for one responsibility', () => {
    // At 300, the number cut thoughts into crumbs: most files stay below 400 by themselves.
    const isTable = (file: string) => file === 'facts/programs/option-groups.ts'
    const long = files.filter((file) => !isTable(file) && (textOf.get(file) ?? '').split('\n').length > 500)
    expect(long).toEqual([])
  })
})

describe('programs', () => {
  const policies = fileURLToPath(new URL('../policies', import.meta.url))
  const known = new Set(
    families.flatMap(({ programs }) => Object.keys(programs).flatMap((names) => names.split(/\s+/))),
  )
  const texts = [
    ...[...textOf].map(([file, text]) => [`src/${file}`, text] as const),
    ...readdirSync(policies, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [`policies/${file}`, readFileSync(join(policies, file), 'utf8')] as const),
  ]
  const name = String.raw`[a-z][\w.+-]*`
  /** In a text, programs of a shell may have signs for names. */
  const spoken = String.raw`(?:${name}|\[\[?|[.:])`
  /** Alternatives of a pattern, names in a text or an array, and cases of a switch, in which four or more stand side by side. */
  const listed = new RegExp(
    [
      String.raw`\((?:\?:)?((?:${name}\|){3,}${name})\)`,
      `(?:'|"|\`)\\s*((?:${spoken}\\s+){3,}${spoken})\\s*(?:'|"|\`)`,
      String.raw`\[\s*((?:'${name}',\s*){3,}'${name}',?)\s*\]`,
      String.raw`((?:\bcase '${name}':\s*){4,})`,
    ].join('|'),
    'g',
  )
  /** Comparisons of a command's program with a name, or with a pattern of names. */
  const compared =
    /\bprogram\s*[!=]==\s*'([^']+)'|'([^']+)'\s*[!=]==\s*(?:\w+\??\.)*program\b|\/\^([^/\n]+)\$\/i?\.test\((?:\w+\??\.)*program\)/g

  /** Returns a text without its examples and comments. */
  const codeOf = (text: string) =>
    text.replace(/^ {2}examples: \[[^]*/m, '').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')
  const namesIn = (words: readonly string[]) => words.filter((word) => known.has(word))

  /** Returns the lists of a text of which most words are names of programs. */
  const listsIn = (text: string) =>
    [...codeOf(text).matchAll(listed)]
      .map((found) =>
        (
          found
            .slice(1)
            .join('')
            .match(/[a-z][\w.+-]*/g) ?? []
        ).filter((word) => word !== 'case'),
      )
      .filter((words) => namesIn(words).length >= 3 && namesIn(words).length >= 0.6 * words.length)

  /** What stands for any letter in a pattern is no name: `w` in `\\w`, `a-z` in brackets. */
  const anyLetters = /\\[a-z]|(?<!\\)\[(?:\\.|[^\]\\])+\]/g

  /** Returns the comparisons of a text with the names of programs. */
  const comparisonsIn = (text: string) =>
    [...codeOf(text).matchAll(compared)].filter(
      (found) =>
        namesIn(
          found
            .slice(1)
            .join('')
            .replaceAll(anyLetters, ' ')
            .match(/[\w.+-]+|\[\[?/g) ?? [],
        ).length > 0,
    )
  const isOfTable = (file: string) => /^src\/(?:facts\/programs|ui\/page|cli)\//.test(file)

  /** Files that list programs outside of the table, by the reason. A file that no longer does leaves this list. */
  const outside: Readonly<Record<string, readonly string[]>> = {
    'Names of files and folders, or of hosts, which are no programs.': [
      'policies/destructive-commands/machine-control.policy.ts',
      'policies/protected-paths/search-path.policy.ts',
      'policies/protected-paths/startup-files.policy.ts',
      'src/facts/carried/commands-in.ts',
      'src/facts/impacts/edits/trades.ts',
      'src/facts/impacts/apis.ts',
      'src/facts/harmless/reading.ts',
      'src/facts/shell/start/made.ts',
      'src/words/request.ts',
    ],
    "Words of tools' names and keys, verbs, or suffixes of files, which are no programs.": [
      'policies/protected-paths/agent-configuration.policy.ts',
      'src/mask/arguments.ts',
      'src/service/server/http/receive.ts',
      'src/tools/carried-use.ts',
      'src/gate/builtin/self-protection.ts',
      'src/facts/impacts/readers/stages.ts',
      'src/facts/impacts/readers/secret-searches.ts',
    ],
    'Functions, cmdlets and modules of a language, and programs that its code names in texts.': [
      'src/gate/builtin/ended-gate.ts',
      'src/facts/shell/code/languages/others.ts',
      'src/facts/shell/code/languages/perl.ts',
      'src/facts/shell/code/powershell.ts',
      'src/facts/impacts/by-deeds.ts',
      'src/facts/impacts/code/sdk.ts',
      'src/facts/impacts/readers/run-code.ts',
    ],
    'Builtins of the shell and its own words.': [
      'src/facts/shell/run/simple.ts',
      'src/policy/hidden-secrets.ts',
      'src/words/variables.ts',
    ],
    'How a name is written: with a version behind it, in the first line of a script, or in letters that only look like it.':
      [
        'policies/destructive-commands/disguised-commands.policy.ts',
        'src/files/script-language.ts',
        'src/words/calls.ts',
      ],
    'It says nothing of what a program does, only how its own program may be reached, pinned or written in a setting.':
      ['src/gate/builtin/own-commands.ts', 'src/rules/match/pattern.ts', 'src/rules/trust/pinned-files.ts'],
  }

  it('are listed in the table of programs, and outside of it only where a reason says why', () => {
    const found = texts.filter(([file, text]) => !isOfTable(file) && listsIn(text).length > 0)
    expect(found.map(([file]) => file).toSorted()).toEqual(Object.values(outside).flat().toSorted())
  })

  /** Files that compare a program with one name or two, by the reason, and how often. Any other says it as a trait of the entry. */
  const comparing: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'It is hookgate itself.': { 'src/gate/builtin/own-commands.ts': 1 },
    'A bracket in a pattern is a sign, and a program only where it stands alone.': {
      'src/rules/match/condition.ts': 2,
    },
    'Its code is not found in its words.': { 'src/words/variables.ts': 1 },
  }

  it('are compared by name only where a reason says why', () => {
    const counts = texts.map(([file, text]) => [file, isOfTable(file) ? 0 : comparisonsIn(text).length] as const)
    expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(
      Object.assign({}, ...Object.values(comparing)),
    )
  })

  /** Looks at the dash of a word, or compares a word with an option: what the reader of options does. */
  const readsDash =
    /startsWith\('--?'\)|(?:includes\(|[!=]==\s*)'--?[a-zA-Z][\w-]*'|\/\^?\(?(?:\?:)?\^?\(?(?:\?:)?-(?:\(\?!|[-\\\w[.?^]|\(\?:-)[^\n]*?\/[a-z]*\.(?:test|exec)\(|\.(?:replace|replaceAll|match|search)\(\/\^?\(?(?:\?:)?--?[^\n/]*\//
  const readersIn = (text: string) =>
    codeOf(text)
      .split('\n')
      .filter((line) => readsDash.test(line))

  /** What reads no command, and the reader itself, with the entries, which say by functions what no row can. */
  const isApart = (file: string) =>
    /^src\/(?:cli|ui|install|service|bundle|changes|agents|model|files|mask|record|policy)\//.test(file) ||
    /^src\/(?:words\/(?:options|loose-line)\.ts|facts\/programs\/families\/)/.test(file)

  /** Files that look at dashes outside of the reader of options, by the reason, and on how many lines. */
  const dashes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'Signs, numbers, operators and comments, which are no options.': {
      'policies/destructive-commands/unknown-deletion.policy.ts': 1,
      'policies/git-safety/force-push.policy.ts': 1,
      'policies/protected-paths/guard-commands.policy.ts': 4,
      'src/facts/impacts/mcp/doings.ts': 1,
      'src/facts/programs/sql-reads.ts': 2,
      'src/facts/shell/builtins/builtin.ts': 3,
      'src/facts/shell/code/effects.ts': 1,
      'src/facts/shell/code/languages/dot-net.ts': 1,
      'src/facts/shell/expand/arithmetic.ts': 1,
      'src/facts/shell/expand/fields.ts': 2,
      'src/facts/shell/expand/parameters.ts': 3,
      'src/facts/shell/run/branches.ts': 2,
      'src/facts/shell/run/loops.ts': 1,
      'src/facts/shell/shell-facts.ts': 1,
      'src/past/seen-values.ts': 1,
    },
    'It is told options by entries and rules, and compares them with those that the reader has found.': {
      'src/facts/impacts/git/losses.ts': 3,
      'src/facts/impacts/naming.ts': 3,
      'src/facts/programs/deeds/packages.ts': 3,
      'src/facts/programs/deeds/pattern.ts': 1,
      'src/facts/programs/looks/line-rules.ts': 2,
      'src/facts/programs/looks/look.ts': 2,
      'src/review/why/hook-files.ts': 1,
      'src/rules/load/hook-rules.ts': 1,
      'src/rules/match/shell-condition.ts': 2,
      'src/rules/match/word-pattern.ts': 2,
      'src/words/typed-words.ts': 9,
    },
    'It evaluates builtins and filters: an option that it does not know makes the result unknown.': {
      'src/facts/impacts/readers/shown-variables.ts': 1,
      'src/facts/programs/looks/plain-variables.ts': 3,
      'src/facts/shell/builtins/control.ts': 6,
      'src/facts/shell/builtins/input.ts': 3,
      'src/facts/shell/builtins/variables.ts': 4,
      'src/facts/shell/outputs/outputs.ts': 23,
      'src/facts/shell/outputs/shaped-lines.ts': 2,
      'src/facts/shell/run/simple.ts': 1,
      'src/facts/shell/start/redirect.ts': 2,
      'src/facts/text-changes.ts': 3,
      'src/words/variables.ts': 2,
    },
    'No row has the options: the program is unknown, is started by another, or is of another language.': {
      'policies/data-flow/leaving.ts': 1,
      'policies/destructive-commands/disk-tools.policy.ts': 1,
      'policies/destructive-commands/windows-destruction.policy.ts': 1,
      'policies/infrastructure/data/test-databases.ts': 1,
      'policies/read-only-allow/why-not.ts': 1,
      'policies/secrets/secret-messages.policy.ts': 2,
      'policies/secrets/served-secrets.policy.ts': 1,
      'src/facts/carried/lines.ts': 1,
      'src/facts/flows/index.ts': 1,
      'src/facts/harmless/doubts.ts': 4,
      'src/facts/impacts/code/sdk.ts': 3,
      'src/facts/impacts/readers/going-live.ts': 2,
      'src/facts/impacts/readers/opened-to-all.ts': 1,
      'src/facts/programs/describe.ts': 1,
      'src/facts/programs/may-start.ts': 4,
      'src/facts/shell/code/powershell.ts': 2,
      'src/facts/shell/start/made.ts': 3,
      'src/gate/builtin/own-commands.ts': 2,
      'src/gate/builtin/searched-names.ts': 6,
      'src/past/step.ts': 1,
      'src/review/suggest/dangers.ts': 2,
      'src/rules/trust/pinned-files.ts': 2,
      'src/tools/carried-use.ts': 1,
      'src/words/calls.ts': 5,
    },
  }

  it('have their options read by the one reader, and elsewhere only where a reason says why', () => {
    const counts = texts.map(([file, text]) => [file, isApart(file) ? 0 : readersIn(text).length] as const)
    expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(
      Object.assign({}, ...Object.values(dashes)),
    )
  })

  it.each([
    ["if (args.some(({ value }) => value.startsWith('-'))) return", 1],
    ["words.includes('--force')", 1],
    ['return /^-[a-z]*f/.test(word)', 1],
    ["const name = word.replace(/^--?/, '')", 1],
    ["if (line.has('f', 'force')) return", 0],
    ["if (a - b > 0 || name === 'no-clobber') return", 0],
  ])('have their options read where a file looks at dashes: %s', (text, count) => {
    expect(readersIn(text)).toHaveLength(count)
  })

  it.each([
    ["if (program === 'git') return", 1],
    ["if (command.program !== 'kill' && 'ps' !== one.program) return", 2],
    ['return /^(?:g?find|bfs)$/.test(command.program)', 1],
    ["if (program === '' || kind === 'git') return", 0],
    ["// program === 'git'", 0],
  ])('are found where a file compares them: %s', (text, count) => {
    expect(comparisonsIn(text)).toHaveLength(count)
  })

  it('are found where a file lists them', () => {
    expect(listsIn("const pushers = 'docker podman nerdctl buildah'")).toHaveLength(1)
    expect(listsIn('/^(?:npm|pnpm|yarn|bun)$/.test(program)')).toHaveLength(1)
    expect(listsIn('/^(docker|podman|nerdctl|buildah)$/')).toHaveLength(1)
    expect(listsIn("new Set(['docker', 'podman',\n 'nerdctl', 'buildah'])")).toHaveLength(1)
    expect(listsIn('new Set(`docker podman\n nerdctl buildah`.split(/ /))')).toHaveLength(1)
    expect(listsIn('`ls cat test [ [[ cd true : . export`')).toHaveLength(1)
    expect(listsIn("case 'docker':\n case 'podman':\n case 'nerdctl':\n case 'buildah':\n return")).toHaveLength(1)
    expect(listsIn("const words = 'red green blue yellow'")).toEqual([])
  })
})
