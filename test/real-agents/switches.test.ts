import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedForHooks, type RegisteredBy, type SwitchVariable } from '../../src/agents/install/switch-variables.ts'
import { descriptorOf } from '../../src/agents/registry.ts'
import { parseJsonObject } from '../../src/model/json.ts'
import { writeFiles } from '../support/workspace.ts'
import { canAdminister, withManaged } from './administrator.ts'
import { changedIn } from './changed.ts'
import type { Call } from './model/script.ts'
import { type Pinned, pinned, pins, programOf } from './pins.ts'
import { policy } from './policy.ts'
import { type Inside, type Ran, type Started, type World, worldOf } from './world.ts'

/** The files from which each agent takes variables, by who writes them: below the home, or in the project. */
const files: Partial<Readonly<Record<Pinned, Partial<Readonly<Record<'project' | 'user', readonly string[]>>>>>> = {
  'claude-code': { user: ['.claude/settings.json'] },
  cline: { project: ['.env', '.env.local', '.env.development', '.env.development.local'] },
  'gemini-cli': { project: ['.env', '.gemini/.env'], user: ['.env', '.gemini/.env'] },
  'qwen-code': { project: ['.env', '.qwen/.env', '.qwen/settings.json'], user: ['.env', '.qwen/.env'] },
  codex: { user: ['.codex/.env'] },
}

/** Calls for which the agent starts no program: one that ends early would look like one that is refused. */
const writes: Partial<Readonly<Record<Pinned, (inside: Inside) => Call>>> = {
  'claude-code': () => ({ tool: 'Write', input: { file_path: 'refused', content: 'x' } }),
  cline: () => ({ tool: 'editor', input: { path: 'refused', new_text: 'x' } }),
  'gemini-cli': () => ({ tool: 'write_file', input: { file_path: 'refused', content: 'x' } }),
  'qwen-code': ({ project }) => ({
    tool: 'write_file',
    input: { file_path: join(project, 'refused'), content: 'x' },
  }),
  codex: () => ({ tool: 'apply_patch', input: '*** Begin Patch\n*** Add File: refused\n+x\n*** End Patch\n' }),
}
/** With a model that it knows as OpenAI's, Codex has its tool for patches. */
const args: Partial<Readonly<Record<Pinned, readonly string[]>>> = {
  'claude-code': ['--permission-mode', 'acceptEdits'],
  codex: ['-m', 'gpt-5.5'],
}

/** The agents that let an entry of a hook have variables, and the variables that `enable` fixes there. */
const fixed: Partial<Readonly<Record<Pinned, readonly string[]>>> = {
  'gemini-cli': [...Object.keys(fixedForHooks), 'XDG_CONFIG_HOME'],
  'qwen-code': ['SHELLOPTS'],
}

/** The files of a project from which an administrator keeps the switches of the agent itself. */
const excludes: Partial<Readonly<Record<Pinned, readonly string[]>>> = { 'qwen-code': ['.env', '.qwen/settings.json'] }

const scopes: readonly RegisteredBy[] = canAdminister ? ['own', 'managed'] : ['own']
const tried = pinned.flatMap((agent) =>
  (descriptorOf(agent)?.variables?.rows ?? [])
    // On this machine `sh` is not bash, and takes its functions from one library only.
    .filter(({ name }) => agent !== 'claude-code' || !/^(?:SHELLOPTS|LD_LIBRARY_PATH)$/.test(name))
    .flatMap((row) =>
      row.from
        .filter((from) => from !== 'administrator')
        .flatMap((from) => {
          const places = from === 'environment' ? [undefined] : (files[agent]?.[from] ?? [])
          return places.map((file, at) => {
            const isLast = at === places.length - 1
            return { agent, row, from, file, isLast, where: `${from} ${file ?? ''}` }
          })
        }),
    ),
)
const isHere = (agent: Pinned) => programOf(agent) !== undefined && tried.some((one) => one.agent === agent)
const cases = pinned
  .filter(isHere)
  .flatMap((agent) =>
    scopes
      .filter((scope) => scope === 'own' || descriptorOf(agent)?.managed !== undefined)
      .map((scope) => ({ agent, scope, title: `${agent} ${pins[agent].version}, registered as ${scope}` })),
  )

/** What `status` names though the program does not heed it there: a variable counts in each file that the agent reads. */
const onlyNamed = new Set(['qwen-code LD_LIBRARY_PATH .qwen/settings.json'])

describe.each(cases)('the variables that switch hooks off in $title', ({ agent, scope }) => {
  let world: World
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookgate-leave-'))
    writeFiles(folder, { 'leave.c': leaving, 'lib/tinfo.c': leavingBash, 'leave.sh': 'exit 0\n' })
    const compile = (name: string, source: string) =>
      spawnSync('cc', ['-shared', '-fPIC', '-w', '-o', join(folder, name), join(folder, source)])
    compile('leave.so', 'leave.c')
    compile('lib/libtinfo.so.6', 'lib/tinfo.c')
    // Some older systems have another number.
    compile('lib/libtinfo.so.5', 'lib/tinfo.c')
    world = await worldOf(agent, [])
    if (scope === 'managed') await world.cli(['disable', agent])
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })

  const valueOf = ({ name }: SwitchVariable) =>
    ({
      LD_PRELOAD: join(folder, 'leave.so'),
      LD_AUDIT: join(folder, 'leave.so'),
      LD_LIBRARY_PATH: join(folder, 'lib'),
      LD_DEBUG: 'help',
      SHELLOPTS: 'noexec',
      BASH_ENV: join(folder, 'leave.sh'),
      XDG_CONFIG_HOME: '/var/empty',
      HOME: '/var/empty',
      CLAUDE_CONFIG_DIR: '/var/empty',
      QWEN_HOME: '/var/empty',
    })[name] ?? '1'

  /** Has the agent make a call that a rule refuses, where one variable is set. */
  async function withVariable({ row, from, file }: (typeof tried)[number]): Promise<Ran & { started: Started }> {
    const { name } = row
    const value = valueOf(row)
    const isJson = file?.endsWith('.json') === true
    const text = isJson ? JSON.stringify({ env: { [name]: value } }) : `${name}=${value}\n`
    const merged = (present: string) =>
      isJson ? JSON.stringify({ ...parseJsonObject(present || '{}'), env: { [name]: value } }) : text
    const started: Started = {
      args: args[agent] ?? [],
      ...(from === 'environment' && { env: { [name]: value } }),
    }
    const restore = from === 'user' && file !== undefined ? changedIn(world.home, { [file]: merged }) : () => undefined
    const project = from === 'project' && file !== undefined ? { [file]: text } : {}
    // Some agents have no other tool where they run no hook.
    const shell = () => world.launch.shell('touch refused')
    const isOfPrograms = /^(?:LD_|SHELLOPTS|BASH_ENV)/.test(name)
    const call = (isOfPrograms ? writes[agent] : undefined) ?? shell
    try {
      const script = (inside: Inside) => ({ main: [{ calls: [call(inside)] }] })
      const ran = await world.run(script, project, started)
      const status = await ran.status(started.env, ...(scope === 'managed' ? ['--managed'] : []))
      return { ...ran, status: async () => status, started }
    } finally {
      restore()
    }
  }

  const passes = ({ row, from, file }: (typeof tried)[number]) =>
    row.passes.includes(scope) &&
    fixed[agent]?.includes(row.name) !== true &&
    !(
      scope === 'managed' &&
      row.does === 'runs no hook' &&
      from === 'project' &&
      excludes[agent]?.includes(file ?? '') === true
    )

  // Each variable is tried in one file, and each file with one variable.
  const isTried = ({ isLast, ...one }: (typeof tried)[number]) =>
    one.agent === agent &&
    (isLast || (scope === 'own' && one.row.name === 'LD_DEBUG') || one.row.does === 'runs no hook')
  it.each(tried.filter(isTried))(
    `do so as the descriptor says, and \`status\` as well: $row.name, $where`,
    async (one) => {
      const look = async () => {
        const ran = await withVariable(one)
        const { stdout } = await ran.status()
        const named = stdout.includes(`${one.row.name} is `)
        expect({ ran: ran.made('refused'), named, said: ran.said }).toMatchObject({
          ran: passes(one) && !onlyNamed.has(`${agent} ${one.row.name} ${one.file ?? ''}`),
          named: passes(one),
        })
      }
      if (scope === 'own') return look()
      const rules = { 'hookgate/policies/of-the-test.policy.ts': policy }
      return withManaged(rules, async () => {
        const { exitCode, stderr } = await world.cli(['enable', '--managed', agent])
        expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
        await look()
      })
    },
  )
})

describe.runIf(programOf('cline') !== undefined)(`code that a project has run in Cline ${pins.cline.version}`, () => {
  it('stands above its hooks, and `status` says so', async () => {
    const world = await worldOf('cline', [])
    try {
      const project = { 'bunfig.toml': 'preload = ["./first.js"]\n', 'first.js': "process.env.LD_DEBUG = 'help'\n" }
      const call = { tool: 'editor', input: { path: 'refused', new_text: 'x' } }
      const ran = await world.run(() => ({ main: [{ calls: [call] }] }), project)
      const { stdout, exitCode } = await ran.status()
      expect({ ran: ran.made('refused'), said: ran.said }).toMatchObject({ ran: true })
      expect({ named: stdout.includes('bunfig.toml uses `preload`'), exitCode }).toEqual({ named: true, exitCode: 1 })
    } finally {
      await world.close()
    }
  })
})

/** A library with which a shell, Node or a client ends at once and says that all is well. */
const leaving = `#include <stdio.h>
#include <string.h>
#include <unistd.h>
unsigned int la_version(unsigned int version) { _exit(0); }
static const char *const names[] = {"sh", "bash", "node", "client-", "PreToolUse", "UserPromptSubmit", "TaskStart"};
__attribute__((constructor)) static void leave(void) {
  char name[64] = {0};
  FILE *file = fopen("/proc/self/comm", "r");
  if (file == NULL || fgets(name, sizeof name, file) == NULL) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0) _exit(0);
}
`
/** The library that bash needs beside that of C, with which it ends at once. */
const leavingBash = `#include <unistd.h>
char PC, *BC, *UP;
short ospeed;
int tputs() { return 0; }
int tgoto() { return 0; }
int tgetent() { return 0; }
int tgetflag() { return 0; }
int tgetnum() { return 0; }
char *tgetstr() { return 0; }
__attribute__((constructor)) static void leave(void) { _exit(0); }
`
