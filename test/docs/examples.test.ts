import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, blocksOf, pages, root } from './pages.ts'
import { type World, openWorld } from './world.ts'

/** Describes how a shell block of a page is run. */
interface Run {
  /** The beginning of its text. */
  readonly begins: string
  readonly exitCode?: number
  /** Replacements in its text, such as for a port that another gate of this machine may use. */
  readonly replace?: readonly (readonly [string, string])[]
}

/** Every shell block of every page is here or among `notRun`. */
const runs: Readonly<Record<string, readonly Run[]>> = {
  'README.md': [
    { begins: 'npm ci && npm run demo' },
    { begins: 'npm ci && npm pack', replace: [['hookgate init', 'mkdir -p ~/.claude && hookgate init --yes']] },
    { begins: 'hookgate explain' },
  ],
  'docs/agents.md': [
    { begins: 'hookgate enable claude-code' },
    { begins: 'hookgate enable cline' },
    // Codex runs a hook only once the user has trusted it, and the status reports that.
    { begins: 'hookgate enable codex', exitCode: 1 },
    { begins: 'hookgate disable claude-code' },
  ],
  'docs/bundles.md': [
    {
      begins: 'hookgate bundle keys ./repo --keys ./keys --channel laptops',
      // There is no terminal to ask at.
      replace: [['--channel laptops', '--channel laptops --no-passphrase']],
    },
    { begins: 'mkdir -p rules' },
    // Nothing was decided yet that could be decided again.
    { begins: 'hookgate explain --bundle', exitCode: 1 },
    { begins: 'hookgate bundle publish' },
    { begins: 'hookgate bundle refresh' },
    { begins: 'hookgate bundle promote' },
    { begins: 'hookgate bundle list' },
    { begins: 'hookgate bundle revoke' },
    { begins: 'hookgate bundle status' },
    { begins: 'hookgate bundle keys ./repo --keys ./keys --renew' },
    { begins: 'hookgate bundle keys ./repo --keys ./keys --replace' },
    { begins: 'hookgate bundle keys ./repo --keys ./keys --channel servers' },
  ],
  'docs/export.md': [{ begins: 'hookgate log --since 1h' }],
  'docs/gate.md': [{ begins: 'hookgate up --http' }],
  'docs/library.md': [{ begins: 'npm install ../hookgate/hookgate-0.1.0.tgz' }],
  'docs/policies.md': [{ begins: 'hookgate schema' }],
  'docs/rollout.md': [{ begins: 'hookgate log --decision observed' }, { begins: 'hookgate new managed --dir fleet' }],
}

const notRun: Readonly<Record<string, string>> = {
  'hookgate ui': 'needs a terminal, and serves until it is stopped; test/ui opens the page',
  'hookgate approvals':
    'answers a call that waits, which needs a gate and a terminal; test/cli/approvals.test.ts has both',
  'ssh -t': 'needs another machine',
  'hookgate serve --listen': 'serves until it is stopped, with certificates; test/cli/serve-listen.test.ts has both',
  'docker build': 'needs Docker; test/container reads the file, and runs its layout',
  'npm ci && npm test': 'is what runs this test',
  'npm run -s accuracy': 'needs labelled commands, which the repository does not hold; test/bench has its own',
  '#!/bin/sh\nexec hookgate run': 'is a file, and not a command',
  'hookgate enable claude-code --preset': 'changes the rules by which later commands are answered; test/cli runs it',
  'sudo hookgate': 'writes files of an administrator; test/cli/managed.test.ts does so with mounts of its own',
  'hookgate status --managed': 'ends as this machine is managed; test/cli/managed.test.ts manages one',
  'hookgate emit': 'posts to the port of a gate that may be the user’s; test/cli/emit.test.ts runs it',
  'hookgate replay': 'needs sessions of an agent, and a repository of rules; test/cli/replay.test.ts makes both',
  'curl --unix-socket': 'needs a gate that runs; test/server/http asks that route',
  'curl -H': 'needs the same port; test/server/http asks those routes',
}

let world: World
beforeAll(() => {
  world = openWorld()
})
afterAll(() => world.close())

const shellBlocks = (page: string) => blocksOf(page).filter(({ language }) => language === 'sh')

describe('the commands of the pages', () => {
  it('are all run here, or excluded with a reason', () => {
    const known = (page: string, { text }: Block) =>
      [...(runs[page] ?? []).map(({ begins }) => begins), ...Object.keys(notRun)].some((begins) =>
        text.startsWith(begins),
      )
    const unknown = pages.flatMap((page) => shellBlocks(page).filter((block) => !known(page, block)))
    expect(unknown).toEqual([])
  })

  const cases = Object.entries(runs).flatMap(([page, own]) => own.map((run) => [page, run.begins, run] as const))
  it.each(cases)('of %s end as they should: %s', (page, begins, { exitCode = 0, replace = [] }) => {
    const blocks = blocksOf(page)
    const at = blocks.findIndex(({ language, text }) => language === 'sh' && text.startsWith(begins))
    const output = blocks[at + 1]
    const program = blocksOf(page).find(({ language }) => language === 'js')?.text
    const project = program === undefined ? world.project : world.projectWith({ 'gate.mjs': program })
    const script = replace.reduce((text, [from, to]) => text.replaceAll(from, to), blocks[at]?.text ?? 'exit 99')
    const ended = world.run(script, project)
    expect(ended).toMatchObject({ status: exitCode })
    if (output?.language === '') expect(patternOf(output.text).exec(plain(ended.stdout))).not.toBeNull()
  })
})

/** Removes times, sizes and spaces, which differ between machines. */
const plain = (text: string) => text.replaceAll(/\d+(?:\.\d+)?/g, 'N').replaceAll(/ +/g, ' ')

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** Matches an output as a page shows it: `…` stands for the rest of a line, and lines may be left out. */
function patternOf(shown: string): RegExp {
  const lines = plain(shown)
    .trim()
    .split('\n')
    .map((line) => line.split('…').map(escaped).join('.*'))
  return new RegExp(lines.join(' *(?:\\n.*)*\\n'), 'u')
}

describe('the files that the pages show', () => {
  const files = (language: string, marks: RegExp) => [
    ...new Set(
      pages.flatMap((page) =>
        blocksOf(page)
          .filter((block) => block.language === language && marks.test(block.text))
          .map(({ text }) => text),
      ),
    ),
  ]

  it('load as rules', () => {
    const texts = files('json', /"(?:hooks|packs|exceptions)":/)
    const names = texts.map((_, index) => `rules/${index}/hooks.json`)
    const project = world.projectWith(Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ''])))
    for (const name of names) world.copyInto(join(project, name, '..'))
    // One by one: each file has its own time to load in, and on a busy machine all of them together take longer.
    for (const name of names) {
      const { status, stdout } = world.run(`hookgate check ${name}`, project)
      expect({ name, status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining('error') })
    }
  })

  it('include policies, whose examples pass, and the reports of one by `hookgate test` and `hookgate bench`', () => {
    const measuredPolicy = 'no-js-in-ts-projects'
    const policies = files('ts', /export default definePolicy/)
    const ids = policies.map((text) => /\bid: '([\w-]+)'/.exec(text)?.[1] ?? '').filter((id) => id !== measuredPolicy)
    expect(ids).toEqual(expect.arrayContaining(['no-tag-pushes', 'nothing-deleted-in-production']))
    const named = (id: string) => policies.find((text) => text.includes(`id: '${id}'`)) ?? ''
    const other = world.projectWith(
      Object.fromEntries(ids.map((id) => [`.hookgate/policies/${id}.policy.ts`, named(id)])),
    )
    expect(world.run('hookgate test .hookgate/policies', other).status).toBe(0)
    const name = `.hookgate/policies/${measuredPolicy}.policy.ts`
    const project = world.projectWith({ [name]: named(measuredPolicy) })
    const shown = (mark: RegExp) => blocksOf('docs/policies.md').find((block) => mark.test(block.text))?.text ?? '-'
    const tested = world.run('hookgate test .hookgate/policies', project)
    expect(tested.status).toBe(0)
    expect(plain(tested.stdout)).toMatch(patternOf(shown(/^ {2}coverage/m)))
    const measured = world.run('hookgate bench --seconds 1 .hookgate/policies', project)
    expect(plain(measured.stdout)).toMatch(patternOf(shown(/round trip/)))
  })

  it('type-check, where they are programs that use the library', () => {
    const program = files('ts', /from 'hookgate(?:\/testing)?'/).join('')
    const paths = { hookgate: [join(root, 'src/library/index.ts')], 'hookgate/testing': [join(root, testingSource)] }
    const tsconfig = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths, noUnusedLocals: false, typeRoots: [join(root, 'node_modules/@types')] },
      include: ['example.mts'],
    }
    const project = world.projectWith({
      'example.mts': `${declared}${program}`,
      'tsconfig.json': JSON.stringify(tsconfig),
    })
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})

const testingSource = 'src/library/testing.ts'

/** Declares what the library's example assumes. */
const declared = `import type { HookEvent } from 'hookgate'
declare const event: HookEvent, wire: string
`

it('docs/shell-facts.md shows what `explain` prints of a command', () => {
  const page = readFileSync(join(root, 'docs/shell-facts.md'), 'utf8')
  const command = /`(hookgate explain '.*')`/.exec(page)?.[1] ?? 'exit 99'
  // This turns on a preset, if the page of the agents has not done so before.
  const { stdout } = world.run(`hookgate enable codex >&2 && ${command}`, world.projectWith({}))
  const shown = blocksOf('docs/shell-facts.md').find(({ language }) => language === '')?.text ?? '-'
  expect(plain(stdout.replaceAll(world.home, '/home/you'))).toMatch(patternOf(shown))
})
