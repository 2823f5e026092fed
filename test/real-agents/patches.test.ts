import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestText } from '../../src/cli/text/refusal-text.ts'
import type { Call } from './model/script.ts'
import { type Pinned, pinned, pins, programOf } from './pins.ts'
import { requestsIn, whileAsked } from './waiting.ts'
import { type Inside, type Ran, type World, worldOf } from './world.ts'

// Each agent changes files by tools of its own, as its program gives them to the model, and by its shell.

/** The files of a project, each with one line, and what is put in its place. */
const changes = {
  'notes.txt': ['before', 'behind'],
  'src/b.txt': ['first', 'second'],
  '.claude/settings.json': ['{}', '{"disableAllHooks":true}'],
  '.gemini/settings.json': ['{}', '{"hooksConfig":{"enabled":false}}'],
  '.codex/config.toml': ['# nothing', 'features.hooks = false'],
} as const
type Name = keyof typeof changes
const files = Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, `${before}\n`]))
const changed = (ran: Ran) => Object.keys(files).filter((name) => ran.text(name) !== files[name])

const hunk = (name: Name) => `@@\n-${changes[name][0]}\n+${changes[name][1]}\n`
const section = (name: Name, blank = '') => `${blank}*** Update File: ${name}\n${hunk(name)}`
const patch = (...sections: readonly string[]) => `*** Begin Patch\n${sections.join('')}*** End Patch\n`
const diff = (name: Name) => `--- a/${name}\n+++ b/${name}\n${hunk(name).replace('@@', '@@ -1 +1 @@')}`
const document = (command: string, text: string) => `${command} <<'EOF'\n${text}EOF\n`
const applied = (...sections: readonly string[]): Call => ({ tool: 'apply_patch', input: patch(...sections) })

interface Editing {
  readonly agent: Pinned
  /** Words with which its program has these tools, and asks nobody itself. */
  readonly args: readonly string[]
  /** Files of which self-protection keeps it where hookgate is enabled for it, and in Codex's case for Claude Code too. */
  readonly kept: readonly Name[]
  /** Calls that change a file, the last of them by a tool. */
  readonly tools: Readonly<Record<string, (name: Name, path: string) => readonly Call[]>>
}

const everyEditing: readonly Editing[] = [
  {
    agent: 'claude-code',
    args: ['--allowedTools', 'Bash,Read,Edit,Write', '--permission-mode', 'acceptEdits'],
    kept: ['.claude/settings.json'],
    tools: {
      Edit: (name, file_path) => [
        { tool: 'Read', input: { file_path } },
        { tool: 'Edit', input: { file_path, old_string: changes[name][0], new_string: changes[name][1] } },
      ],
      Write: (name, file_path) => [
        { tool: 'Read', input: { file_path } },
        { tool: 'Write', input: { file_path, content: `${changes[name][1]}\n` } },
      ],
    },
  },
  {
    agent: 'gemini-cli',
    args: [],
    kept: ['.gemini/settings.json'],
    tools: {
      replace: (name, file_path) => {
        const [old_string, new_string] = changes[name]
        return [{ tool: 'replace', input: { file_path, old_string, new_string, instruction: 'as the test says' } }]
      },
      write_file: (name, file_path) => [{ tool: 'write_file', input: { file_path, content: `${changes[name][1]}\n` } }],
    },
  },
  // With a model that they know as OpenAI's, both give it a tool whose input is no JSON.
  {
    agent: 'codex',
    args: ['-m', 'gpt-5.5'],
    kept: ['.claude/settings.json', '.codex/config.toml'],
    tools: { apply_patch: (name) => [applied(section(name))] },
  },
  {
    agent: 'copilot-cli',
    args: ['--model', 'gpt-5.5'],
    kept: ['.claude/settings.json'],
    tools: { apply_patch: (name) => [applied(section(name))] },
  },
  {
    agent: 'copilot-cli',
    args: [],
    kept: ['.claude/settings.json'],
    tools: {
      edit: (name, path) => [{ tool: 'edit', input: { path, old_str: changes[name][0], new_str: changes[name][1] } }],
    },
  },
]

const isHere = pinned.filter(
  (agent) => programOf(agent) !== undefined && everyEditing.some((one) => one.agent === agent),
)

describe.each(isHere)('%s', (agent) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, [])
    if (agent === 'codex') await world.cli(['enable', 'claude-code'])
  })
  afterAll(() => world.close())

  const editings = everyEditing.filter((one) => one.agent === agent)
  const [{ args, kept } = { args: [], kept: [] }] = editings
  const turns = (calls: readonly Call[]) => calls.map((call) => ({ calls: [call] }))
  const played = (calls: (inside: Inside) => readonly Call[], words = args) =>
    world.run((inside) => ({ main: turns(calls(inside)) }), files, { args: words })
  const isTold = ({ asked }: Ran) => asked.slice(1).some((body) => body.includes('hookgate:self-protection'))
  const outcome = (ran: Ran) => ({ changed: changed(ran), isTold: isTold(ran) })
  const passed = (...names: readonly Name[]) => ({ changed: names, isTold: false })
  const refused = { changed: [], isTold: true }

  describe.each(
    editings.flatMap((one) => Object.entries(one.tools).map(([tool, calls]) => ({ tool, calls, words: one.args }))),
  )(`$tool of ${pins[agent].version}`, ({ calls, words }) => {
    const edited = (name: Name) => played(({ project }) => calls(name, `${project}/${name}`), words)

    it('changes a file', async () => {
      expect(outcome(await edited('notes.txt'))).toEqual(passed('notes.txt'))
    })

    it.each(kept)('does not change %s', async (name) => {
      expect(outcome(await edited(name))).toEqual(refused)
    })
  })

  describe.runIf(editings.some(({ tools }) => Object.hasOwn(tools, 'apply_patch')))('a patch', () => {
    const blanks = [' ', '\t', '\u00A0', '\u2003', '\u0085'].map((blank) => ({
      blank,
      code: `U+${blank.codePointAt(0)?.toString(16).padStart(4, '0')}`,
    }))
    // Both take it for a header, or the next test would show nothing; to JavaScript's `trim`, U+0085 is no white space.
    it.each(blanks.filter(({ blank }) => agent === 'codex' || blank !== '\u0085'))(
      'changes a file whose name is behind $code',
      async ({ blank }) => {
        const ran = await played(() => [applied(section('notes.txt', blank))])
        expect(outcome(ran)).toEqual(passed('notes.txt'))
      },
    )

    it.each(blanks.flatMap((one) => kept.map((name) => ({ ...one, name }))))(
      'does not change $name behind $code',
      async ({ blank, name }) => {
        const ran = await played(() => [applied(section(name, blank))])
        expect(outcome(ran)).toEqual(refused)
      },
    )

    it.each(kept)('does not change %s as its second file', async (name) => {
      expect(outcome(await played(() => [applied(section('notes.txt'), section(name))]))).toEqual(refused)
    })

    it('is shown with all its files to whoever is asked', async () => {
      const { shown, ran } = await shownOf(() => [applied(section('notes.txt'), section('src/b.txt'))])
      expect(shown).toMatch(/notes\.txt[^]*behind[^]*src\/b\.txt[^]*second/)
      expect(changed(ran)).toEqual([])
    })
  })

  describe('a patch in the shell', () => {
    const commands = [
      ['patch -p1', (name: Name) => document('patch -p1', diff(name))],
      ['git apply -', (name: Name) => document('git apply -', diff(name))],
      ...(agent === 'codex'
        ? ([
            ['apply_patch', (name: Name) => document('apply_patch', patch(section(name)))],
            ['apply_patch, behind a blank', (name: Name) => document('apply_patch', patch(section(name, ' ')))],
          ] as const)
        : []),
    ] as const

    it.each(commands)('changes a file: %s', async (_, command) => {
      expect(outcome(await played(() => [world.launch.shell(command('notes.txt'))]))).toEqual(passed('notes.txt'))
    })

    it.each(commands.flatMap(([title, command]) => kept.map((name) => [name, title, command] as const)))(
      'does not change %s: %s',
      async (name, _, command) => {
        expect(outcome(await played(() => [world.launch.shell(command(name))]))).toEqual(refused)
      },
    )
  })

  /** What a person is shown of a call that waits, whose agent is then killed, and what they are told who approve it. */
  async function shownOf(calls: (inside: Inside) => readonly Call[], more: Readonly<Record<string, string>> = {}) {
    let [shown, answer, left] = ['', '', -1]
    const ran = await whileAsked(
      world,
      agent,
      (inside) => turns(calls(inside)),
      { waitSeconds: 100, ask: ['Edit(notes.txt)'], files: { ...files, ...more }, started: { args } },
      async (id, inside) => {
        // As it is shown in a terminal before an approval of a call counts that the list cuts.
        shown = (await requestsIn(world)).map((request) => requestText(request, Date.now())).join('')
        await inside.killAgent()
        // The test's own time limit ends it.
        // oxlint-disable-next-line no-await-in-loop -- waiting is the point
        do left = (await requestsIn(world)).length
        while (left > 0)
        answer = await world.atTerminal(['approvals', 'approve', id]).then(() => '', String)
      },
    )
    return { shown, ran, answer }
  }

  it('has every command of a call in the record', async () => {
    const command = "sh deploy refused; : '-----BEGIN PRIVATE KEY-----'; sh deploy production --wipe"
    const ran = await played(() => [world.launch.shell(command)])
    expect(changed(ran)).toEqual([])
    const { stdout } = await world.cli(['log', '--json'])
    expect(stdout).toMatch(/sh deploy refused[^\n]*; sh deploy production --wipe/)
  })

  it('has every command of a call shown that waits, until it is killed', async () => {
    const deploy = (words: string) => `sh deploy ${words}`
    const production = deploy('production --wipe')
    const command = `${deploy('asked-about')}; : '-----BEGIN PRIVATE KEY-----'; ${production}`
    const { shown, ran, answer } = await shownOf(() => [world.launch.shell(command)], { deploy: 'touch "$1"\n' })
    expect(shown).toContain(deploy('asked-about'))
    expect(shown).toContain(production)
    expect(answer).toMatch(/is over/)
    expect([ran.made('asked-about'), ran.made('production')]).toEqual([false, false])
  })
})
