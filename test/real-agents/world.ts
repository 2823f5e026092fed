import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, freePort, kill } from '../support/resident.ts'
import { type Ended, hookgate } from '../support/cli.ts'
import { liveCommands, liveProcesses, processTag, until } from '../support/processes.ts'
import { writeFiles } from '../support/workspace.ts'
import type { Launch } from './launch/launch.ts'
import { launches } from './launch/index.ts'
import { mark, type Script } from './model/script.ts'
import { scriptedModel } from './model/server.ts'
import { folderOf, type Pinned, programOf } from './pins.ts'
import { policy, rewritingHook } from './policy.ts'

/**
 * When a program is ended that does not end by itself: only a program that hangs takes so long for a conversation. Some
 * take 40 s of CPU time, and many minutes on a machine that does other things.
 */
export const programMs = 840_000

/** Starts what follows in a terminal, and ends as it does. */
const inTerminal = [
  'python3',
  '-c',
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))',
]

/** What came of one conversation. */
export interface Ran {
  /** What `hookgate status AGENT` then says in the project, from wherever hookgate is installed by then. */
  readonly status: (env?: Readonly<Record<string, string>>, ...flags: readonly string[]) => Promise<Ended>
  readonly said: string
  readonly exitCode: number | null
  /** What the model was asked, as it came. */
  readonly asked: readonly string[]
  /** Whether a file was made in the project. */
  readonly made: (name: string) => boolean
  /** The text of a file in the project. */
  readonly text: (name: string) => string
}

/** A user with a home of their own, in which hookgate is enabled for one agent, and a gate of their own. */
export interface World {
  readonly launch: Launch
  readonly home: string
  /** Where the scripted model listens. */
  readonly origin: string
  /** Has the agent carry out a script in a new project with these files, to its end. */
  run(script: (world: Inside) => Script, files?: Readonly<Record<string, string>>, more?: Started): Promise<Ran>
  /** Runs hookgate as the user does. */
  cli(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** Runs hookgate in a terminal of its own. */
  atTerminal(argv: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** What the agent is started with beside what it always is. */
export interface Started {
  readonly args?: readonly string[]
  /** The words for another way to run it, without a prompt. */
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What a script can do to the world while it is played. */
export interface Inside {
  /** The folder in which the agent works. */
  readonly project: string
  /** Ends every gate at once, as a machine that is out of memory would. */
  killGates(): Promise<void>
  /** Kills the agent's own processes, and none that it has started for others. */
  killAgent(): Promise<void>
  removeClients(): void
  /** Listens at the gate's socket in its place, and lets everything pass. */
  takeSocket(): Promise<void>
  /** Has the hooks run the client in Node, as on a machine without a compiler. */
  useNodeClient(): void
  /** The file that the agent was told to run before a tool is run. */
  removeToolHook(): void
  /** The same file in the folder that another part of the agent reads. */
  removeOtherHook(): void
  /** As a person moves a clone, or an upgrade of Node removes global packages. */
  moveInstallation(): void
  waitFor(name: string): Promise<void>
  /** What the model has been asked so far, oldest first. */
  readonly heard: () => readonly string[]
}

/** @param behind words before every program that is started, such as of a namespace */
export async function worldOf(agent: Pinned, flags: readonly string[], behind: readonly string[] = []): Promise<World> {
  const program = programOf(agent) ?? ''
  const agentFolder = folderOf(agent)
  const launch: Launch = launches[agent]
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-agents-')))
  const at = (...names: string[]) => join(folder, ...names)
  const model = await scriptedModel()
  const { tag, env: tagged } = processTag()
  const around = { origin: model.origin, home: at('home'), project: at('projects') }
  const isScript = /\.m?js$/.test(program)
  const started = [...behind, ...(isScript ? [process.execPath, program] : [program])]
  writeFiles(folder, {
    [`bin/${launch.name}`]: { script: `#!/bin/sh\nexec ${started.map((word) => `'${word}'`).join(' ')} "$@"\n` },
    'home/.config/hookgate/policies/of-the-test.policy.ts': policy,
    'home/.config/hookgate/hooks.json': JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: at('home/hook') }] }] },
    }),
    'home/hook': { script: rewritingHook },
    'projects/x': '',
    // What it prints on Linux, where it is not installed everywhere.
    'bin/xdg-user-dir': { script: '#!/bin/sh\n. "$HOME/.config/user-dirs.dirs" && echo "$XDG_DOCUMENTS_DIR"\n' },
  })
  install(at('installation'))
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
  let installation = at('installation')
  const called = (argv: readonly string[], cwd = at('projects'), moreEnv = {}) =>
    hookgate(argv, { cwd, env: { ...env, ...moreEnv }, bin: join(installation, 'dist/cli/bin.js'), behind })
  /** A call with more than a command, as Qwen Code's are, is shown whole at the terminal, where `y` is typed. */
  const calledAtTerminal = (argv: readonly string[]) =>
    hookgate(argv, {
      cwd: at('projects'),
      env,
      bin: join(installation, 'dist/cli/bin.js'),
      behind: [...inTerminal, ...behind],
      stdin: 'y\n',
    })
  const own = (argv: readonly string[]) => succeeded(argv, called(argv))
  const enable = () => own(['enable', agent, ...flags, ...(port === undefined ? [] : ['--port', port])])
  await enable()
  let isDamaged = false
  let impostor: Server | undefined
  const remove = (...names: string[]) => {
    rmSync(at(...names), { recursive: true })
    isDamaged = true
  }
  const gates = () => liveProcesses(tag).filter((pid) => commandLine(pid).includes('bin.js serve'))
  let project = at('projects')

  const inside: Inside = {
    get project() {
      return project
    },
    async killGates() {
      const alive = gates()
      if (alive.length === 0) throw new Error('there is no gate to be killed')
      for (const pid of alive) kill(pid)
      await until(() => gates().length === 0)
    },
    async killAgent() {
      // Pi gives its process a name, in place of the command line.
      const named = () => liveProcesses(tag).filter((pid) => commandLine(pid).trim() === launch.name)
      const alive = () => [...liveCommands(tag, agentFolder), ...named()]
      if (alive().length === 0) throw new Error('there is no agent to be killed')
      for (const pid of alive()) kill(pid)
      await until(() => alive().length === 0)
    },
    removeClients: () => remove('state', 'clients'),
    async takeSocket() {
      rmSync(at('state', 'gate.sock'), { force: true })
      impostor = createServer((request, response) => {
        const headers = { 'hookgate-exit-code': '0', 'hookgate-stderr-bytes': '0', 'content-length': '0' }
        request.resume().on('end', () => response.writeHead(200, headers).end())
      })
      await new Promise<void>((resolve) => impostor?.listen(at('state', 'gate.sock'), resolve))
    },
    useNodeClient() {
      const hooks = at('state', 'hooks', agent)
      for (const name of readdirSync(hooks)) {
        const text = readFileSync(join(hooks, name), 'utf8')
        const thin = `'${process.execPath}' '${at('installation', 'dist', 'service', 'client', 'thin.js')}'`
        const changed = text.replace(/(?<= )(?<!-e )\S+\/clients\/client-[\w-]+(?= )/, thin)
        if (changed === text) throw new Error(`${name} does not run the native client`)
        writeFileSync(join(hooks, name), changed)
      }
      isDamaged = true
    },
    removeToolHook() {
      if (agent === 'cline') remove('home', 'Documents', 'Cline', 'Hooks', 'PreToolUse')
      else remove('state', 'hooks', agent, launch.toolEvent ?? 'PreToolUse')
    },
    removeOtherHook: () => remove('home', 'Papers', 'Cline', 'Hooks', 'PreToolUse'),
    moveInstallation() {
      installation = at('moved')
      renameSync(at('installation'), installation)
      isDamaged = true
    },
    heard: () => model.asked(),
    waitFor: async (name) => void (await until(() => existsSync(join(project, name)), 20_000)),
  }

  return {
    launch,
    home: at('home'),
    origin: model.origin,
    cli: (argv, given) => called(argv, at('projects'), given),
    atTerminal: (argv) => succeeded(argv, calledAtTerminal(argv)),
    async run(scriptOf, files = {}, { args = [], words: ownWords, env: moreEnv } = {}) {
      if (isDamaged) {
        if (installation !== at('installation')) renameSync(installation, at('installation'))
        installation = at('installation')
        await own(['down'])
        await enable()
      }
      isDamaged = false
      impostor?.close()
      impostor = undefined
      await own(['up', ...(port === undefined ? [] : ['--http', port])])
      project = mkdtempSync(at('projects', 'p-'))
      writeFiles(project, files)
      model.play(scriptOf(inside))
      const words = ownWords ?? launch.args(`${mark.main}: do as the test says`, { ...around, project })
      const ended = await ranToItsEnd(at('bin', launch.name), [...words, ...args], {
        cwd: project,
        env: { ...env, ...moreEnv },
      })
      const here = project
      const made = (name: string) => existsSync(join(here, name))
      const text = (name: string) => readFileSync(join(here, name), 'utf8')
      return {
        ...ended,
        asked: [...model.asked()],
        made,
        text,
        status: (given, ...more) => called(['status', ...more, agent], here, given),
      }
    },
    async close() {
      for (const pid of liveProcesses(tag)) kill(pid)
      await until(() => liveProcesses(tag).length === 0)
      impostor?.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Installs what the build has made, as npm does, but for the packages that it needs. */
function install(folder: string): void {
  for (const name of ['dist', 'policies', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

const root = fileURLToPath(new URL('../..', import.meta.url))

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
