import { setMaxListeners } from 'node:events'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { HookgateError } from '../../../src/model/errors.ts'
import type { GatePaths } from '../../../src/server/places.ts'
import { eventOf } from './events.ts'
import { type Judgement, judge } from './judge.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { post } from './post.ts'
import { run } from './program.ts'
import type { Row, Way } from './row.ts'
import { makeScratch } from './scratch.ts'
import { type Heard, type Seen, seenIn } from './seen.ts'
import { openSetting, type Setting, settingName, type Words } from './setting.ts'

/** Whose installation is looked at. */
export interface Subject {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The words that start hookgate. */
  readonly hookgate: Words
  /** The text of the file that an agent runs before a tool, as it would be for a gate at these places. */
  readonly hookFor: (agent: KnownAgent, places: GatePaths) => string
}

/** What one agent saw in one row, by one way. */
export interface Told {
  readonly seen: Seen
  readonly judgement: Judgement
  /** From the question to its answer. */
  readonly durationMs: number
}

export interface Matrix {
  /** For what else is to be gone when it is closed. */
  readonly folder: string
  /** `undefined` where that way has nothing that could fail so. Rejects where the failure cannot be brought about. */
  ask(row: Row, agent: KnownAgent, way: Way): Promise<Told | undefined>
  /** Ends every gate and takes everything away again. */
  close(): void
}

/** Nothing of it touches what is the user's: not their gate, not their rules, not their agents' settings. */
export function openMatrix(subject: Subject): Matrix {
  const scratch = makeScratch(subject.env)
  const settings = new Map<string, Promise<Setting>>()
  const alone = oneAtATime()
  const closing = new AbortController()
  // Of everything that is running at once.
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

  async function asked(row: Row, agent: KnownAgent, way: Way, setting: Setting) {
    if (way !== 'run') await setting.beforeGate()
    await check(setting)
    const event = await eventOf(row, agent, way, scratch.work)
    const startMs = performance.now()
    const heard = await heardBy(way, { agent, event, setting, cwd: scratch.work, subject, closing: closing.signal })
    const durationMs = performance.now() - startMs
    await check(setting)
    return { heard, durationMs }
  }

  return {
    folder: scratch.folder,
    async ask(row, agent, way) {
      const expected = row.sees[way]
      if (expected === undefined) return undefined
      const setting = await settingOf(row)
      const told = async (): Promise<Told> => {
        const { heard, durationMs } = await asked(row, agent, way, setting)
        const seen = await seenIn(heard, agent)
        return { seen, judgement: judge(expected, seen), durationMs }
      }
      const first = setting.oneByOne ? await alone(told) : await told()
      // On a loaded machine another failure may come first (a policy's time may end before its memory). Once more, alone.
      return first.judgement.kind === 'ok' ? first : alone(told)
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

interface Asking {
  readonly agent: KnownAgent
  readonly event: string
  readonly setting: Setting
  readonly cwd: string
  readonly subject: Subject
  readonly closing: AbortSignal
}

function heardBy(way: Way, asking: Asking): Promise<Heard> {
  const { agent, event, setting, cwd, subject, closing } = asking
  const { user, address, wrapped, runFlags, whileAlone } = setting
  const started = ([file, ...args]: Words) => ({ file, args, cwd, env: user.env })
  switch (way) {
    case 'client':
      return run(started(wrapped(hookWords(asking))), event, closing)
    case 'http':
      return post(address, `/${agent}`, event)
    case 'run':
      return run(
        started(wrapped([...subject.hookgate, 'run', '--agent', agent, ...runFlags])),
        event,
        closing,
        whileAlone,
      )
  }
}

/** As the system starts the file by its first line: it may lie where no file may be executed. */
function hookWords({ agent, setting: { user }, subject }: Asking): Words {
  const { folder } = user.places
  const file = join(folder, `hook-of-${agent}`)
  const text = subject.hookFor(agent, user.places)
  // Not again: a shell reads its script as it goes along.
  if (!existsSync(file)) {
    keepFromBringingUp(folder)
    writeFileSync(file, text, { mode: 0o700 })
  }
  const [shell = '/bin/sh', ...options] = (/^#!(.+)/.exec(text)?.[1] ?? '').split(' ').filter((word) => word !== '')
  return [shell, ...options, file]
}

/** A client that finds no gate has one brought up in the background, unless that was asked for only just now. */
function keepFromBringingUp(folder: string): void {
  const stamp = join(folder, 'last-start')
  const tomorrow = new Date(Date.now() + 86_400_000)
  writeFileSync(stamp, '')
  utimesSync(stamp, tomorrow, tomorrow)
}
