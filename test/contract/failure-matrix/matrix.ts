import { setMaxListeners } from 'node:events'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { HookgateError } from '../../../src/model/errors.ts'
import type { GatePaths } from '../../../src/files/state/places.ts'
import { eventOf } from './events.ts'
import { type Judgement, judge } from './judge.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { post } from './post.ts'
import { type Program, run } from './program.ts'
import type { Row, Way } from './row.ts'
import { makeScratch } from './scratch.ts'
import { type AgentResponse, type Seen, seenIn } from './seen.ts'
import { openSetting, type Setting, settingName, type CommandLine } from './setting.ts'

/** The installation under test. */
export interface Subject {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The command line that starts hookgate. */
  readonly hookgate: CommandLine
  /** Returns the hook file that an agent runs before a tool, for a gate at these places. */
  readonly hookFor: (agent: KnownAgent, places: GatePaths) => string
}

/** The result of one agent in one row, by one way. */
export interface Observation {
  readonly seen: Seen
  readonly judgement: Judgement
  /** From the request to the answer. */
  readonly durationMs: number
}

export interface Matrix {
  /** A folder that `close` removes. */
  readonly folder: string
  /** Returns `undefined` where that way cannot fail so. Rejects if the failure cannot be caused. */
  ask(row: Row, agent: KnownAgent, way: Way): Promise<Observation | undefined>
  /** Stops every gate and removes the folder. */
  close(): void
}

/** Runs the matrix without touching the user's gate, rules or agent settings. */
export function openMatrix(subject: Subject): Matrix {
  const scratch = makeScratch(subject.env)
  const settings = new Map<string, Promise<Setting>>()
  const alone = oneAtATime()
  const closing = new AbortController()
  // Every running program listens to it.
  setMaxListeners(0, closing.signal)

  function settingOf(row: Row): Promise<Setting> {
    const name = settingName(row.cause)
    let setting = settings.get(name)
    if (setting === undefined) {
      setting = openSetting(row.cause, scratch, subject.hookgate, closing.signal)
      settings.set(name, setting)
    }
    return setting
  }

  async function send(row: Row, agent: KnownAgent, way: Way, setting: Setting) {
    if (way !== 'run') await setting.beforeGate()
    await check(setting)
    const event = await eventOf(row, agent, way, scratch.work)
    const startMs = performance.now()
    const response = await responseBy(way, {
      agent,
      event,
      setting,
      cwd: scratch.work,
      subject,
      closing: closing.signal,
    })
    const durationMs = performance.now() - startMs
    await check(setting)
    return { response, durationMs }
  }

  return {
    folder: scratch.folder,
    async ask(row, agent, way) {
      const expected = row.sees[way]
      if (expected === undefined) return undefined
      const setting = await settingOf(row)
      const observe = async (): Promise<Observation> => {
        const { response, durationMs } = await send(row, agent, way, setting)
        const seen = await seenIn(response, agent)
        return { seen, judgement: judge(expected, seen), durationMs }
      }
      const first = setting.oneByOne ? await alone(observe) : await observe()
      // On a loaded machine another failure may come first (timeout before out of memory), so retry alone.
      return first.judgement.kind === 'ok' ? first : alone(observe)
    },
    close() {
      closing.abort()
      scratch.remove()
    },
  }
}

async function check(setting: Setting): Promise<void> {
  const missing = await setting.missing()
  if (missing !== undefined) throw new HookgateError('unavailable', `the failure did not happen: ${missing}`)
}

interface Sending {
  readonly agent: KnownAgent
  readonly event: string
  readonly setting: Setting
  readonly cwd: string
  readonly subject: Subject
  readonly closing: AbortSignal
}

function responseBy(way: Way, sending: Sending): Promise<AgentResponse> {
  const { agent, event, setting, cwd, subject, closing } = sending
  const { user, address, wrapped, runFlags } = setting
  const started = ([file, ...args]: CommandLine) => ({ file, args, cwd, env: user.env })
  switch (way) {
    case 'client':
      return run(started(wrapped(hookCommandLine(sending))), event, closing)
    case 'http':
      return post(address, `/${agent}`, event)
    case 'run':
      return runAlone(started(wrapped([...subject.hookgate, 'run', '--agent', agent, ...runFlags])), sending)
  }
}

/** A look at a process that lives for some 100 ms misses it now and then where others take all processors. */
const missesMax = 10

async function runAlone(program: Program, { event, setting, closing }: Sending): Promise<AgentResponse> {
  for (let miss = 0; miss < missesMax; miss += 1) {
    let happened = true
    const cause = async (pid: number | undefined, ended: AbortSignal) => {
      happened = await setting.whileAlone(pid, ended)
    }
    // oxlint-disable-next-line no-await-in-loop -- once more only if the failure did not happen
    const response = await run(program, event, closing, cause)
    if (happened) return response
  }
  throw new HookgateError('unavailable', `the failure did not happen in ${missesMax} runs`)
}

/** Returns the interpreter command line of the hook file, since its folder may be mounted `noexec`. */
function hookCommandLine({ agent, setting: { user }, subject }: Sending): CommandLine {
  const { folder } = user.places
  const file = join(folder, `hook-of-${agent}`)
  const text = subject.hookFor(agent, user.places)
  // Written once: a shell reads its script while it runs it.
  if (!existsSync(file)) {
    preventGateStart(folder)
    writeFileSync(file, text, { mode: 0o700 })
  }
  const [shell = '/bin/sh', ...options] = (/^#!(.+)/.exec(text)?.[1] ?? '').split(' ').filter((word) => word !== '')
  return [shell, ...options, file]
}

/** Marks a gate as just started, so that a client without a gate does not start one. */
function preventGateStart(folder: string): void {
  const stamp = join(folder, 'last-start')
  const tomorrow = new Date(Date.now() + 86_400_000)
  writeFileSync(stamp, '')
  utimesSync(stamp, tomorrow, tomorrow)
}
