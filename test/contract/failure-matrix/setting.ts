import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HookgateError } from '../../../src/model/errors.ts'
import { limits } from '../../../src/model/limits.ts'
import { askGate } from '../../../src/service/server/ask-gate.ts'
import { askStatus } from '../../../src/service/server/heartbeats.ts'
import { shellEvent } from './events.ts'
import { brokenRules, busyCommand, busyRules, failingRules, guardRules, type RulesFiles } from './failing-rules.ts'
import type { Address } from './post.ts'
import { childrenOf } from './program.ts'
import type { Cause } from './row.ts'
import { guardSays } from './rows.ts'
import { freePort, type ScratchGate, startGate } from './scratch-gate.ts'
import { type Scratch, type ScratchUser, writeFiles } from './scratch.ts'
import { gateGlanceMs } from '../../../src/service/server/ensure-gate.ts'
import { canaryMs } from '../../../src/install/canary.ts'

/** A program and its first arguments. */
export type CommandLine = readonly [file: string, ...args: string[]]

/** An environment in which a failure has been caused. */
export interface Setting {
  readonly user: ScratchUser
  readonly address: Address
  /** Wraps the command line of any program that runs there. */
  readonly wrapped: (commandLine: CommandLine) => CommandLine
  /** Flags of `hookgate run` beside the agent. */
  readonly runFlags: readonly string[]
  /** Runs before each request to the gate. */
  readonly beforeGate: () => Promise<void>
  /** Runs while a process without a gate decides. @returns whether the failure happened before `ended` */
  readonly whileAlone: (pid: number | undefined, ended: AbortSignal) => Promise<boolean>
  /** Checks the failure. @returns why it is not there */
  readonly missing: () => Promise<string | undefined>
  /** Whether concurrent requests would disturb each other. */
  readonly oneByOne: boolean
}

/** Names the setting: failures that can coexist share one. */
export function settingName(cause: Cause): string {
  switch (cause.kind) {
    case 'none':
    case 'event':
      return 'guarded'
    case 'rules':
      return cause.rules
    case 'gate':
      return cause.gate
    case 'hook':
    case 'server':
      return 'hooks'
    case 'policy':
      return 'policies'
  }
}

/** Starts what a failure needs. @param closing kills it */
export async function openSetting(
  cause: Cause,
  scratch: Scratch,
  hookgate: CommandLine,
  closing: AbortSignal,
): Promise<Setting> {
  const name = settingName(cause)
  const user = scratch.user(name, rulesOf(cause, scratch))
  const wrapped = name === 'diskFull' ? withoutDisk : (commandLine: CommandLine) => commandLine
  const runFlags = name === 'missing' ? ['--rules', join(user.rulesFolder, 'hooks.json')] : []
  // A gate does not start with a missing file, but with a folder from which it was removed.
  const gateFlags = name === 'missing' ? ['--rules', user.rulesFolder] : []
  const flags = name === 'busy' ? ['--concurrency', '1'] : gateFlags
  const launching = { user, cwd: scratch.work, hookgate: wrapped(hookgate), flags, closing }
  const gate = name === 'absent' ? undefined : await startGate(launching)
  return {
    user,
    address: {
      origin: gate?.origin ?? `http://127.0.0.1:${await freePort()}`,
      token: gate?.token ?? '',
      waitMs: name === 'stopped' ? gateGlanceMs : canaryMs,
    },
    wrapped,
    runFlags,
    beforeGate: async () => {},
    whileAlone: async () => true,
    missing: async () => undefined,
    oneByOne: false,
    ...(await causeFailure(cause, user, gate, scratch)),
  }
}

/** Simulates a full disk by a file size limit of 0. */
const withoutDisk = (commandLine: CommandLine): CommandLine => [
  '/bin/sh',
  '-c',
  'ulimit -f 0 && exec "$0" "$@"',
  ...commandLine,
]

function rulesOf(cause: Cause, { hooksFolder }: Scratch): RulesFiles {
  switch (cause.kind) {
    case 'hook':
    case 'server':
      return failingRules(['hook', 'server'], hooksFolder)
    case 'policy':
      return failingRules(['policy'], hooksFolder)
    case 'rules':
      if (cause.rules === 'malformed') return brokenRules
      return cause.rules === 'brokenLater' ? guardRules : {}
    case 'gate':
      return cause.gate === 'busy' ? busyRules : guardRules
    case 'none':
    case 'event':
      return guardRules
  }
}

async function causeFailure(
  cause: Cause,
  user: ScratchUser,
  gate: ScratchGate | undefined,
  scratch: Scratch,
): Promise<Partial<Setting>> {
  if (cause.kind === 'rules' && cause.rules === 'brokenLater') {
    const says = (text: string) => async () => (await guardedAnswer(user, scratch)).includes(text)
    await until(says(guardSays), "the doctor's rules do not load")
    writeFiles(user.rulesFolder, brokenRules)
    await until(says('hooks.json:'), 'the gate does not notice that its rules are broken')
    return {}
  }
  if (cause.kind !== 'gate') return {}
  switch (cause.gate) {
    case 'absent':
      return { missing: async () => (existsSync(user.places.socket) ? 'a gate is running' : undefined) }
    case 'stopped':
      if (gate !== undefined) process.kill(gate.pid, 'SIGSTOP')
      return {}
    case 'busy': {
      await fill(user, scratch.work)
      const isBusy = async () => (await inFlight(user)) >= limits.httpRequestsMax
      await until(isBusy, 'the gate accepts more events than it should')
      return { missing: async () => ((await isBusy()) ? undefined : 'the gate is no longer busy') }
    }
    case 'sandboxKilled':
      return {
        oneByOne: true,
        beforeGate: () => until(() => killSandboxOf(gate?.pid), 'there is no sandbox process that could die'),
        whileAlone: killFirstSandboxOf,
      }
    case 'diskFull':
      return { missing: async () => (existsSync(user.places.state) ? 'the gate can write' : undefined) }
  }
}

/** Returns the gate's whole answer to an event that its rules deny. */
async function guardedAnswer({ places }: ScratchUser, { work }: Scratch): Promise<string> {
  const body = JSON.stringify(await shellEvent('cline', 'hookgate-doctor guarded', work))
  // What is wrong with the rules is said on stderr.
  const { stdout, stderr } = await askGate(places, { to: 'hook', agent: 'cline', body, timeoutMs: canaryMs })
  return stdout + stderr
}

async function inFlight({ places }: ScratchUser): Promise<number> {
  const status = await askStatus(places)
  return status.running ? status.inFlight : 0
}

/** Sends as many events as a gate decides at once, each waiting for a hook that does not exit. */
async function fill({ places }: ScratchUser, work: string): Promise<void> {
  const body = JSON.stringify(await shellEvent('cline', busyCommand, work))
  for (let count = 0; count < limits.httpRequestsMax; count += 1) {
    askGate(places, { to: 'hook', agent: 'cline', body, timeoutMs: limits.hookTimeoutMsMax }).catch(() => {})
  }
}

/** Kills the policy sandbox process of a gate or of a `hookgate run`. @returns whether there was one */
async function killSandboxOf(pid: number | undefined): Promise<boolean> {
  const sandbox = (await childrenOf(pid ?? 0)).find(({ commandLine }) => /sandbox-main\.[jt]s/.test(commandLine))
  if (sandbox !== undefined) process.kill(sandbox.pid, 'SIGKILL')
  return sandbox !== undefined
}

async function killFirstSandboxOf(pid: number | undefined, ended: AbortSignal): Promise<boolean> {
  // oxlint-disable no-await-in-loop -- polling
  while (!ended.aborted) {
    if (await killSandboxOf(pid)) return true
    await sleep(1)
  }
  // oxlint-enable no-await-in-loop
  return false
}

async function until(condition: () => Promise<boolean>, problem: string): Promise<void> {
  const deadlineMs = performance.now() + canaryMs
  // oxlint-disable no-await-in-loop -- polling
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new HookgateError('unavailable', problem)
    await sleep(limits.gateLookMs)
  }
  // oxlint-enable no-await-in-loop
}
