import { chmodSync } from 'node:fs'
import { parse } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canAdminister, withManaged } from './administrator.ts'
import { changedIn } from './changed.ts'
import { launches } from './launch/index.ts'
import { type Pinned, pins, programOf } from './pins.ts'
import { type Started, type World, worldOf } from './world.ts'

/** One thing that somebody does against what an administrator has registered. */
interface Against {
  /** Files in the person's home, each by what is made of its present text. */
  readonly home?: Readonly<Record<string, (text: string) => string>>
  readonly project?: Readonly<Record<string, string>>
  readonly started?: Started
  /** What an administrator's file is turned into, and a plugin that it names. */
  readonly managed?: (text: string, file: string) => string
  /** What the script is turned into that each event runs; `undefined`: it is gone. */
  readonly script?: (text: string) => string | undefined
  /** Files of others in `/etc`, by path below it. */
  readonly beside?: Readonly<Record<string, string>>
  /** Flags of `enable --managed`. */
  readonly flags?: readonly string[]
  /** The right to write that the administrator's file has. */
  readonly mode?: number
  /** Set if a hook of the person's own, which makes the file `own-hook`, is to run beside. */
  readonly ownHook?: 'runs' | 'does not run'
}

type Outcome = 'refused' | 'runs' | 'does not start'
/** What becomes of a call that a rule refuses, and what `status --managed` says is open. */
type Row = readonly [title: string, against: Against, outcome: Outcome, open: readonly string[]]

const json = (value: object) => JSON.stringify(value)
// Copilot CLI begins its own settings with a comment.
const adding = (value: object) => (text: string) => json({ ...z.looseObject({}).parse(parse(text || '{}')), ...value })
const missing = (text: string) => text.replaceAll('/dist/cli/bin.js', '/dist/cli/gone.js')
const broken = (text: string, file: string) => (file.endsWith('.js') ? text : `${text}\n]]`)

/** A hook of the person's own in Claude Code's format. */
const ownHook = { PreToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command: 'touch own-hook' }] }] }
const onlyManaged = ['--only-managed-hooks']
/** Two rows: a hook of the person's own runs, unless the administrator wants no others. */
const besideOwn = (home: NonNullable<Against['home']>): readonly Row[] => [
  ['the user has a hook of their own', { home, ownHook: 'runs' }, 'refused', []],
  [
    'the same, and only hooks of administrators run',
    { home, flags: onlyManaged, ownHook: 'does not run' },
    'refused',
    [],
  ],
]
/** The first row of these, for an agent that cannot be kept from running such a hook. */
const withOwn = (home: NonNullable<Against['home']>): readonly Row[] => besideOwn(home).slice(0, 1)
/** Has each registered command come too late: in a line for a shell, in words for one, or in a plugin's. */
const late = (text: string) =>
  text
    .replaceAll(/"(command|bash)": "(?!\/bin\/sh")(?:[^"\\]|\\.)*"/g, '"$1": "sleep 20"')
    .replaceAll(/"(timeout(?:Sec)?)": \d+/g, '"$1": 1')
    .replaceAll(/^command = .*$/gm, 'command = "sleep 20"')
    .replaceAll(/^timeout = \d+$/gm, 'timeout = 1')
    .replaceAll(/"-c",\s*"(?:[^"\\]|\\.)*"/g, '"-c", "sleep 20"')
    .replaceAll(/"\/bin\/sh",\s*"[^"]*hookgate\.sh"/g, '"/bin/sh", "-c", "sleep 20"')
    .replace(/answerMs = \d+/, 'answerMs = 1000')

const scriptGone: Row = ['the script is gone', { script: () => undefined }, 'refused', ['program']]
const everywhere: readonly Row[] = [
  scriptGone,
  ['nothing', {}, 'refused', []],
  ['hookgate is gone from the machine', { script: missing }, 'refused', ['program']],
]
const refusesToStart: Row = ['the file is broken', { managed: broken }, 'does not start', ['malformed']]
const silent: Row = ['the file is broken', { managed: broken }, 'runs', ['malformed']]
const inProject = (agent: Pinned): Row => [
  'a project switches hooks off',
  { project: launches[agent].switchesHooksOff ?? {} },
  'refused',
  [],
]

/** OpenCode, and what is derived from it. They know nothing of hooks, and load a plugin of each configuration. */
const pluginRows = (agent: 'opencode' | 'kilo'): readonly Row[] => [
  scriptGone,
  ['nothing', {}, 'refused', []],
  ['a variable', { started: { env: { [`${agent.toUpperCase()}_PURE`]: '1' } } }, 'runs', ['variable']],
  [
    'the plugin is broken',
    { managed: (text, file) => (file.endsWith('.js') ? `]]${text}` : text) },
    'runs',
    ['noAnswer'],
  ],
  refusesToStart,
]
const ownPlugin =
  "import { writeFileSync } from 'node:fs'\nexport const Own = async () => (writeFileSync('own-hook', ''), {})\n"

const table: Partial<Readonly<Record<Pinned, readonly Row[]>>> = {
  'claude-code': [
    ...everywhere,
    [
      'the user switches hooks off',
      { home: { '.claude/settings.json': adding({ disableAllHooks: true }) } },
      'refused',
      [],
    ],
    inProject('claude-code'),
    [
      'a project switches hooks off for one person',
      { project: { '.claude/settings.local.json': json({ disableAllHooks: true }) } },
      'refused',
      [],
    ],
    ['the option --bare', { started: { args: ['--bare'] } }, 'refused', []],
    ['the option --settings', { started: { args: ['--settings', json({ disableAllHooks: true })] } }, 'refused', []],
    ['the option --setting-sources', { started: { args: ['--setting-sources', ''] } }, 'refused', []],
    ['the option --safe-mode', { started: { args: ['--safe-mode'] } }, 'refused', []],
    [
      'the option --dangerously-skip-permissions',
      { started: { args: ['--dangerously-skip-permissions'], env: { IS_SANDBOX: '1' } } },
      'refused',
      [],
    ],
    ['a variable', { started: { env: { CLAUDE_CODE_MANAGED_SETTINGS_PATH: '/nowhere' } } }, 'refused', []],
    ...['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'].map((name): Row => [
      `the user sets ${name}`,
      { home: { '.claude/settings.json': adding({ env: { [name]: '1' } }) } },
      'refused',
      [],
    ]),
    [
      'the user has another program start what is started by a shell',
      { home: { '.claude/settings.json': adding({ env: { CLAUDE_CODE_SHELL_PREFIX: '/tmp/hookgate-prefix' } }) } },
      'refused',
      [],
    ],
    [
      // It leaves no trace of a call that ours refuses, and one of a call that ours lets pass.
      'the user has a hook of their own',
      { home: { '.claude/settings.json': adding({ hooks: ownHook }) }, ownHook: 'does not run' },
      'refused',
      [],
    ],
    ['the hook comes too late', { managed: late }, 'refused', ['notRegistered']],
    ['the hooks have another shape', { managed: adding({ hooks: 'none' }) }, 'runs', ['notRegistered']],
    ['the administrator switches hooks off', { managed: adding({ disableAllHooks: true }) }, 'runs', ['switchedOff']],
    refusesToStart,
  ],
  codex: [
    ...everywhere,
    [
      'the user switches hooks off',
      { home: { '.codex/config.toml': (text) => `${text}\n[features]\nhooks = false\n` } },
      'refused',
      [],
    ],
    inProject('codex'),
    [
      // A shell that is bash ends with 127 then, which Codex takes for no answer.
      'the script is gone, and nothing stands behind it',
      { managed: (text) => text.replaceAll(/\/bin\/sh \S+hookgate\.sh \|\| exit 2/g, '/bin/bash /nowhere.sh') },
      'runs',
      ['incomplete'],
    ],
    [
      'the user switches the hook itself off',
      {
        home: {
          '.codex/config.toml': (text) =>
            `${text}\n[hooks.state."/etc/codex/requirements.toml:pre_tool_use:0:0"]\nenabled = false\n`,
        },
      },
      'refused',
      [],
    ],
    ['the option --ignore-user-config', { started: { args: ['--ignore-user-config'] } }, 'refused', []],
    ['the hook comes too late', { managed: late }, 'runs', ['notRegistered']],
    ['the file has a key that Codex does not know', { managed: (text) => `unknown = 1\n${text}` }, 'refused', []],
    ['the option --disable', { started: { args: ['--disable', 'hooks'] } }, 'refused', []],
    ...besideOwn({ '.codex/hooks.json': () => json({ hooks: ownHook }) }),
    ['the option -c', { started: { args: ['-c', 'features.hooks=false'] } }, 'refused', []],
    [
      'the user switches hooks off, and the pin is gone',
      {
        home: { '.codex/config.toml': (text) => `${text}\n[features]\nhooks = false\n` },
        managed: (text) => text.replace('hooks = true # hookgate', ''),
      },
      'runs',
      ['unpinned'],
    ],
    refusesToStart,
  ],
  'copilot-cli': [
    ...everywhere,
    inProject('copilot-cli'),
    [
      'the user switches hooks off',
      { home: { '.copilot/config.json': adding({ disableAllHooks: true }) } },
      'refused',
      [],
    ],
    ['the hook comes too late', { managed: late }, 'runs', ['notRegistered']],
    silent,
    ['another file beside it is broken', { beside: { 'github-copilot/policy.d/10-other.json': ']]' } }, 'refused', []],
    [
      'the file has a key that Copilot CLI does not know',
      { managed: adding({ allowManagedHooksOnly: true }) },
      'runs',
      ['malformed'],
    ],
    ['everybody may write the file', { mode: 0o666 }, 'runs', ['changeable']],
  ],
  'gemini-cli': [
    ...everywhere,
    [
      'the user switches hooks off',
      { home: { '.gemini/settings.json': adding({ hooksConfig: { enabled: false } }) } },
      'refused',
      [],
    ],
    inProject('gemini-cli'),
    [
      'the user switches them off by name',
      { home: { '.gemini/settings.json': adding({ hooksConfig: { disabled: ['hookgate'] } }) } },
      'runs',
      ['switchedOff'],
    ],
    [
      // It is seen in that project only.
      'a project switches them off by name',
      { project: { '.gemini/settings.json': json({ hooksConfig: { disabled: ['hookgate'] } }) } },
      'runs',
      [],
    ],
    ['the hook comes too late', { managed: late }, 'runs', ['notRegistered']],
    ...withOwn({
      '.gemini/settings.json': adding({
        hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'touch own-hook' }] }] },
      }),
    }),
    ['a variable', { started: { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/nowhere' } } }, 'runs', ['variable']],
    [
      'a variable, where the administrator has a policy of Gemini CLI too',
      {
        started: { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/nowhere' } },
        beside: {
          'gemini-cli/policies/floor.toml':
            '[[rule]]\ntoolName = "run_shell_command"\ndecision = "deny"\npriority = 100\n',
        },
      },
      'refused',
      ['variable'],
    ],
    [
      'a variable in a file of the project',
      { project: { '.env': 'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/nowhere\n' } },
      'refused',
      [],
    ],
    refusesToStart,
  ],
  'qwen-code': [
    ...everywhere,
    [
      'the user switches hooks off',
      { home: { '.qwen/settings.json': adding({ disableAllHooks: true }) } },
      'refused',
      [],
    ],
    inProject('qwen-code'),
    [
      'a project switches hooks off, and the pin is gone',
      {
        project: launches['qwen-code'].switchesHooksOff ?? {},
        managed: (text) => text.replace(/"disableAllHooks": false,\s*/, ''),
      },
      'runs',
      ['unpinned'],
    ],
    ['the hook comes too late', { managed: late }, 'runs', ['notRegistered']],
    ...withOwn({ '.qwen/settings.json': adding({ hooks: ownHook }) }),
    ['a variable', { started: { env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: '/nowhere' } } }, 'runs', ['variable']],
    [
      'a variable in a file of the project',
      { project: { '.env': 'QWEN_CODE_SYSTEM_SETTINGS_PATH=/nowhere\n' } },
      'refused',
      [],
    ],
    refusesToStart,
  ],
  droid: [
    ...everywhere,
    [
      'the user switches hooks off',
      { home: { '.factory/settings.json': adding({ hooks: { hooksDisabled: true } }) } },
      'refused',
      [],
    ],
    inProject('droid'),
    [
      'a project switches hooks off, and the pin is gone',
      {
        project: launches.droid.switchesHooksOff ?? {},
        managed: (text) => text.replace(/"hooksDisabled": false,\s*/, ''),
      },
      'runs',
      ['unpinned'],
    ],
    ['a variable', { started: { env: { FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH: '/nowhere' } } }, 'refused', []],
    ...besideOwn({ '.factory/settings.json': adding({ hooks: ownHook }) }),
    ['the hook comes too late', { managed: late }, 'runs', ['notRegistered']],
    ['the hooks have another shape', { managed: adding({ hooks: 'none' }) }, 'runs', ['notRegistered']],
    silent,
  ],
  opencode: [
    ...pluginRows('opencode'),
    ['hookgate is gone from the machine', { script: missing }, 'refused', ['program']],
    [
      'the user names no plugins',
      { home: { '.config/opencode/opencode.json': adding({ plugin: [] }) } },
      'refused',
      [],
    ],
    ['a project names no plugins', { project: { 'opencode.json': json({ plugin: [] }) } }, 'refused', []],
    [
      'the user has a plugin of their own',
      { home: { '.config/opencode/plugins/own.js': () => ownPlugin }, ownHook: 'runs' },
      'refused',
      [],
    ],
    ['the option --pure', { started: { args: ['--pure'] } }, 'runs', []],
    [
      'a variable with another folder',
      { started: { env: { OPENCODE_TEST_MANAGED_CONFIG_DIR: '/nowhere' } } },
      'runs',
      ['variable'],
    ],
    ['a variable in a file of the project', { project: { '.env': 'OPENCODE_PURE=1\n' } }, 'refused', []],
    ['the hook comes too late', { managed: late }, 'refused', ['incomplete', 'noAnswer']],
  ],
  kilo: pluginRows('kilo'),
}

const Printed = z.array(z.looseObject({ file: z.string(), text: z.string() }))
const Asking = z.looseObject({ calls: z.boolean() })
const Report = z.looseObject({
  agents: z.tuple([z.looseObject({ holes: z.array(z.looseObject({ code: z.string() })) })]),
})

for (const [agent, rows = []] of Object.entries(table) as readonly (readonly [Pinned, readonly Row[]])[]) {
  describe.runIf(canAdminister && programOf(agent) !== undefined)(
    `${agent} ${pins[agent].version}, registered by an administrator`,
    () => {
      let world: World
      beforeAll(async () => {
        world = await worldOf(agent, [])
        // Nothing is left but what the administrator registers.
        await world.cli(['disable', agent])
      })
      afterAll(() => world.close())

      it.each(rows)('against it: %s', async (_, against, outcome, open) => {
        const { home = {}, project = {}, started = {}, managed = (text: string) => text } = against
        const { flags = [], mode, beside = {}, script = (text: string) => text } = against
        const printed = await world.cli(['enable', '--managed', agent, '--print', '--json', ...flags])
        const files = Printed.parse(JSON.parse(printed.stdout)).flatMap(({ file, text }) => {
          const turned = file.endsWith('.sh') ? script(text) : managed(text, file)
          return turned === undefined ? [] : [{ file, text: turned }]
        })
        const texts = files.map(({ file, text }) => [file.replace('/etc/', ''), text] as const)
        const restore = changedIn(world.home, home)
        try {
          await withManaged({ ...Object.fromEntries(texts), ...beside }, async () => {
            if (mode !== undefined) chmodSync(files.at(-1)?.file ?? '', mode)
            const model = () => ({ main: [{ calls: [world.launch.shell('touch refused')] }] })
            const ran = await world.run(model, project, started)
            // Where hookgate is gone or late, the prompt is refused as well, and the model is asked nothing.
            const starts = ran.asked.length > 0 || (outcome === 'refused' && open.length > 0)
            const became = ran.made('refused') ? 'runs' : starts ? 'refused' : 'does not start'
            expect({ became, said: ran.said }).toEqual({ became: outcome, said: ran.said })
            if (against.ownHook !== undefined) expect(ran.made('own-hook')).toBe(against.ownHook === 'runs')
            const status = await world.cli(['status', '--managed', agent, '--json'], started.env)
            const { agents } = Report.parse(JSON.parse(status.stdout))
            // What is printed has no program beside it that starts hooks: `skills.test.ts` tries that.
            const codes = agents[0].holes.map(({ code }) => code).filter((code) => code !== 'loader')
            expect(codes).toEqual(open)
            // Without the pin a project's settings count, in that project.
            const isOfProject = open.includes('unpinned')
            const asked = isOfProject
              ? ran.status(started.env, '--json')
              : world.cli(['status', agent, '--json'], started.env)
            const { calls } = Asking.parse(JSON.parse((await asked).stdout))
            if (open.length === 0 || outcome === 'runs') expect({ calls }).toEqual({ calls: open.length === 0 })
          })
        } finally {
          restore()
        }
      })
    },
  )
}
