import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwitchVariable } from '../../src/agents/install/switch-variables.ts'
import { descriptorOf } from '../../src/agents/registry.ts'
import { parseJsonObject } from '../../src/model/json.ts'
import { writeFiles } from '../support/workspace.ts'
import { changedIn } from './changed.ts'
import type { Call } from './model/script.ts'
import { type Pinned, pinned, pins, programOf } from './pins.ts'
import { type Started, type World, worldOf } from './world.ts'

/** The files from which each agent takes variables, by who writes them: below the home, or in the project. */
const files: Partial<Readonly<Record<Pinned, Partial<Readonly<Record<'project' | 'user', readonly string[]>>>>>> = {
  'claude-code': { user: ['.claude/settings.json'] },
  'gemini-cli': { project: ['.env', '.gemini/.env'], user: ['.env', '.gemini/.env'] },
  'qwen-code': { project: ['.env', '.qwen/.env', '.qwen/settings.json'], user: ['.env', '.qwen/.env'] },
  codex: { user: ['.codex/.env'] },
}

/** Where the loader lists libraries in place of each program, a shell's command would not run either. */
const writes: Partial<Readonly<Record<Pinned, Call>>> = {
  'claude-code': { tool: 'Write', input: { file_path: 'refused', content: 'x' } },
  'gemini-cli': { tool: 'write_file', input: { file_path: 'refused', content: 'x' } },
}
const isWhole = ({ name }: SwitchVariable) => /^(?:LD_(?:TRACE|AUDIT)|SHELLOPTS)/.test(name)

const tried = pinned.flatMap((agent) =>
  (descriptorOf(agent)?.variables?.rows ?? [])
    .filter((row) => row.passes.includes('own'))
    // On this machine `sh` is not bash, and not all hooks are started by bash.
    .filter((row) => row.name !== 'SHELLOPTS' || agent === 'gemini-cli')
    .filter((row) => !isWhole(row) || writes[agent] !== undefined)
    .flatMap((row) =>
      row.from
        .filter((from) => from !== 'administrator')
        .flatMap((from) => {
          const places = from === 'environment' ? [undefined] : (files[agent]?.[from] ?? [])
          return places.map((file) => ({ agent, row, from, file, where: `${from} ${file ?? ''}` }))
        }),
    ),
)

describe.each(pinned.filter((agent) => programOf(agent) !== undefined && tried.some((one) => one.agent === agent)))(
  'the variables that switch hooks off in %s',
  (agent) => {
    let world: World
    let folder = ''
    let preloaded = ''
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hookgate-leave-'))
      writeFiles(folder, { 'leave.c': leaving })
      preloaded = join(folder, 'leave.so')
      spawnSync('cc', ['-shared', '-fPIC', '-o', preloaded, join(folder, 'leave.c')])
      world = await worldOf(agent, [])
    })
    afterAll(async () => {
      await world.close()
      rmSync(folder, { recursive: true })
    })

    const valueOf = ({ name }: SwitchVariable) =>
      ({
        LD_PRELOAD: preloaded,
        LD_AUDIT: preloaded,
        SHELLOPTS: 'noexec',
        XDG_CONFIG_HOME: '/var/empty',
        QWEN_HOME: '/var/empty',
      })[name] ?? '1'

    it.each(tried.filter((one) => one.agent === agent))(
      `do so in ${pins[agent].version}, and \`status\` says so: $row.name, $where`,
      async ({ row, from, file }) => {
        const { name } = row
        const value = valueOf(row)
        const text =
          file?.endsWith('.json') === true ? JSON.stringify({ env: { [name]: value } }) : `${name}=${value}\n`
        const call = (isWhole(row) ? writes[agent] : undefined) ?? world.launch.shell('touch refused')
        const args = call.tool === 'Write' ? ['--permission-mode', 'acceptEdits'] : []
        const started: Started = from === 'environment' ? { env: { [name]: value }, args } : { args }
        const isOfHome = from === 'user' && file !== undefined
        const merged = (present: string) =>
          file?.endsWith('.json') === true
            ? JSON.stringify({ ...parseJsonObject(present), env: { [name]: value } })
            : text
        const restore = isOfHome ? changedIn(world.home, { [file]: merged }) : () => undefined
        try {
          const project = from === 'project' && file !== undefined ? { [file]: text } : {}
          const ran = await world.run(() => ({ main: [{ calls: [call] }] }), project, started)
          const { stdout, exitCode } = await ran.status(started.env)
          expect({ ran: ran.made('refused'), exitCode, named: stdout.includes(name), said: ran.said }).toMatchObject({
            ran: true,
            exitCode: 1,
            named: true,
          })
        } finally {
          restore()
        }
      },
    )
  },
)

/** A library with which a shell, or Node, ends at once and says that all is well. */
const leaving = `#include <stdio.h>
#include <string.h>
#include <unistd.h>
unsigned int la_version(unsigned int version) { _exit(0); }
__attribute__((constructor)) static void leave(void) {
  char name[64] = {0};
  FILE *file = fopen("/proc/self/comm", "r");
  if (file != NULL && fgets(name, sizeof name, file) != NULL && (strncmp(name, "sh", 2) == 0 || strncmp(name, "node", 4) == 0 || strncmp(name, "client-", 7) == 0)) _exit(0);
}
`
