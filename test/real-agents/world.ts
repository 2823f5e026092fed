import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { commandLine, freePort, kill } from '../support/resident.ts'
import { type Ended, hookgate } from '../support/cli.ts'
import { liveProcesses, processTag, until } from '../support/processes.ts'
import { writeFiles } from '../support/workspace.ts'
import type { Launch } from './launch/launch.ts'
import { launches } from './launch/index.ts'
import { mark, type Script } from './model/script.ts'
import { scriptedModel } from './model/server.ts'
import { type Pinned, programOf } from './pins.ts'
import { policy } from './policy.ts'

/** How long a program may take for a whole conversation: some take 15 s of CPU time, and minutes on a busy machine. */
const programMs = 115_000

/** What came of one conversation. */
export interface Ran {
  readonly said: string
  readonly exitCode: number | null
  /** What the model was asked, as it came. */
  readonly asked: readonly string[]
  /** Whether a file was made in the project. */
  readonly made: (name: string) => boolean
}

/** A user with a home of their own, in which hookgate is enabled for one agent, and a gate of their own. */
export interface World {
  readonly launch: Launch
  /** Has the agent carry out a script in a new project, to its end. `during` is given what the script needs of the world. */
  run(script: (world: Inside) => Script): Promise<Ran>
  close(): Promise<void>
}

/** What a script can do to the world while it is played. */
export interface Inside {
  /** Ends every gate at once, as a machine that is out of memory would. */
  killGates(): Promise<void>
  removeClients(): void
  /** The file that the agent was told to run before a tool is run. */
  removeToolHook(): void
  waitFor(name: string): Promise<void>
}

export async function worldOf(agent: Pinned, flags: readonly string[]): Promise<World> {
  const program = programOf(agent) ?? ''
  const launch: Launch = launches[agent]
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-agents-')))
  const at = (...names: string[]) => join(folder, ...names)
  const model = await scriptedModel()
  const { tag, env: tagged } = processTag()
  const around = { origin: model.origin, home: at('home'), project: at('projects') }
  const isScript = /\.m?js$/.test(program)
  const started = isScript ? [process.execPath, program] : [program]
  writeFiles(folder, {
    [`bin/${launch.name}`]: { script: `#!/bin/sh\nexec ${started.map((word) => `'${word}'`).join(' ')} "$@"\n` },
    'home/.config/hookgate/policies/of-the-test.policy.ts': policy,
    'projects/x': '',
  })
  writeFiles(at('home'), launch.files?.(around) ?? {})
  mkdirSync(at('state'), { mode: 0o700 })
  // What a program asks of the world outside goes to a port where nobody is.
  const nowhere = {
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  }
  const env = {
    ...tagged,
    ...nowhere,
    http_proxy: nowhere.HTTP_PROXY,
    https_proxy: nowhere.HTTPS_PROXY,
    no_proxy: nowhere.NO_PROXY,
    PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: at('home'),
    HOOKGATE_HOME: at('state'),
    TMPDIR: at('tmp'),
    ...launch.env?.(around),
  }
  mkdirSync(at('tmp'))
  const port = flags.includes('http') ? `${await freePort()}` : undefined
  const own = (argv: readonly string[]) => succeeded(argv, hookgate(argv, { cwd: at('projects'), env }))
  const enable = () => own(['enable', agent, ...flags, ...(port === undefined ? [] : ['--port', port])])
  await enable()
  let isDamaged = false
  const remove = (...names: string[]) => {
    rmSync(at(...names), { recursive: true })
    isDamaged = true
  }
  const gates = () => liveProcesses(tag).filter((pid) => commandLine(pid).includes('bin.ts serve'))
  let project = at('projects')

  const inside: Inside = {
    async killGates() {
      const alive = gates()
      if (alive.length === 0) throw new Error('there is no gate to be killed')
      for (const pid of alive) kill(pid)
      await until(() => gates().length === 0)
    },
    removeClients: () => remove('state', 'clients'),
    removeToolHook() {
      if (agent === 'cline') remove('home', 'Documents', 'Cline', 'Hooks', 'PreToolUse')
      else remove('state', 'hooks', agent, launch.toolEvent ?? 'PreToolUse')
    },
    waitFor: async (name) => void (await until(() => existsSync(join(project, name)), 20_000)),
  }

  return {
    launch,
    async run(scriptOf) {
      if (isDamaged) await enable()
      isDamaged = false
      await own(['up', ...(port === undefined ? [] : ['--http', port])])
      project = mkdtempSync(at('projects', 'p-'))
      model.play(scriptOf(inside))
      const words = launch.args(`${mark.main}: do as the test says`, { ...around, project })
      const ended = await ranToItsEnd(at('bin', launch.name), words, { cwd: project, env })
      const here = project
      return { ...ended, asked: [...model.asked()], made: (name) => existsSync(join(here, name)) }
    },
    async close() {
      for (const pid of liveProcesses(tag)) kill(pid)
      await until(() => liveProcesses(tag).length === 0)
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function succeeded(argv: readonly string[], ending: Promise<Ended>): Promise<void> {
  const { exitCode, stdout, stderr } = await ending
  if (exitCode !== 0) throw new Error(`hookgate ${argv.join(' ')}: ${exitCode} ${stdout}${stderr}`)
}

function ranToItsEnd(
  program: string,
  words: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<{ said: string; exitCode: number | null }> {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const late = setTimeout(() => kill(-(child.pid ?? 0)), programMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // Not `close`: what a program leaves behind may hold its output open.
    child.on('exit', (exitCode) => {
      clearTimeout(late)
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        resolve({ said: Buffer.concat(chunks).toString(), exitCode })
      }, 100)
    })
  })
}
