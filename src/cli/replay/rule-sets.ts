import { join } from 'node:path'
import type { GateOptions } from '../../gate.ts'
import { type Decider, openDecider } from '../../replay/decider.ts'
import { repositoryOf, rulesAtRevision } from '../../replay/rules-at-revision.ts'
import type { Invocation } from '../command.ts'
import { ownPlaces } from '../own-places.ts'
import type { ReplayFlags } from './flags.ts'
import type { RulesNames } from './report-text.ts'

/** The rules by which past calls are decided, ready to decide. */
export interface RuleSets {
  readonly now: Decider
  /** Decides by the rules that are compared with, if there are any. */
  readonly before: Decider | undefined
  readonly names: RulesNames
  /** Ends everything that was started, at once, and removes what was written. */
  end(): void
}

/** @throws HookgateError if rules do not load, or there is no such revision */
export async function openRuleSets(flags: ReplayFlags, { env, cwd }: Invocation): Promise<RuleSets> {
  const { against, againstGit } = flags
  const paths = flags.rules ?? (againstGit === undefined ? undefined : [join(await repositoryOf(cwd), '.hookgate')])
  // Rules in force include the one that protects hookgate, so that it must be on both sides or on none.
  const common: GateOptions = {
    env,
    runHooks: flags.runHooks,
    ...(paths === undefined && { stateFolder: ownPlaces(env).folder }),
  }
  const optionsFor = (rules: readonly string[] | undefined): GateOptions =>
    rules === undefined ? common : { ...common, rules, discover: false }
  const ends: (() => void)[] = []
  const end = () => ends.splice(0).forEach((one) => one())
  const opened = async (rules: readonly string[] | undefined, named?: (text: string) => string) => {
    const decider = await openDecider(optionsFor(rules), named)
    ends.push(() => decider.kill())
    return decider
  }
  try {
    const now = await opened(paths)
    const nameOfNow = flags.rules?.join(', ') ?? (paths === undefined ? 'the rules in force' : '.hookgate')
    if (against !== undefined) {
      return { now, before: await opened(against), names: { now: nameOfNow, before: against.join(', ') }, end }
    }
    if (againstGit === undefined || paths === undefined) {
      return { now, before: undefined, names: { now: nameOfNow, before: undefined }, end }
    }
    const old = await rulesAtRevision(againstGit, paths, cwd)
    ends.push(() => old.remove())
    const before = await opened(old.paths, (text) => old.named(text))
    return { now, before, names: { now: nameOfNow, before: `the same at ${againstGit}` }, end }
  } catch (error) {
    end()
    throw error
  }
}
