import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GateOptions } from '../../gate/gate.ts'
import { type Decider, openDecider } from './decider.ts'
import { repositoryOf, rulesAtRevision } from './rules-at-revision.ts'
import type { ReplayQuestion, ReplaySite } from './question.ts'

/** Names of the two sets of rules. */
export interface RulesNames {
  readonly now: string
  readonly before: string | undefined
}

/** The rules by which past calls are decided, ready to decide. */
interface RuleSets {
  readonly now: Decider
  /** Decides by the rules that are compared with, if there are any. */
  readonly before: Decider | undefined
  readonly names: RulesNames
  /** Ends everything that was started, at once, and removes what was written. */
  end(): void
}

/** @throws HookgateError if rules do not load, or there is no such revision */
export async function openRuleSets(question: ReplayQuestion, site: ReplaySite): Promise<RuleSets> {
  const { against, againstGit, againstCurrent, preset } = question
  const { env } = site
  const tried = preset === undefined ? undefined : rulesOfPreset(preset)
  const paths =
    tried?.paths ??
    question.rules ??
    (againstGit === undefined ? undefined : [join(await repositoryOf(site), '.hookgate')])
  // Rules in force include the one that protects hookgate, so that it must be on both sides or on none.
  const common: GateOptions = {
    env,
    runHooks: question.runHooks,
    ...(paths === undefined && { state: site.places.folder, keeps: false }),
  }
  const optionsFor = (rules: readonly string[] | undefined): GateOptions =>
    rules === undefined ? common : { ...common, rules, discover: false }
  const ends: (() => void)[] = tried === undefined ? [] : [tried.remove]
  const end = () => ends.splice(0).forEach((one) => one())
  const opened = async (rules: readonly string[] | undefined, named?: (text: string) => string) => {
    const decider = await openDecider(optionsFor(rules), named)
    ends.push(() => decider.kill())
    return decider
  }
  try {
    const now = await opened(paths, tried?.named)
    const nameOfNow = tried?.name ?? question.rules?.join(', ') ?? (paths === undefined ? currentRules : '.hookgate')
    if (against !== undefined) {
      return { now, before: await opened(against), names: { now: nameOfNow, before: against.join(', ') }, end }
    }
    if (againstCurrent) {
      return { now, before: await opened(undefined), names: { now: nameOfNow, before: currentRules }, end }
    }
    if (againstGit === undefined || paths === undefined) {
      return { now, before: undefined, names: { now: nameOfNow, before: undefined }, end }
    }
    const old = await rulesAtRevision(againstGit, paths, site)
    ends.push(() => old.remove())
    const before = await opened(old.paths, (text) => old.named(text))
    return { now, before, names: { now: nameOfNow, before: `the same at ${againstGit}` }, end }
  } catch (error) {
    end()
    throw error
  }
}

const currentRules = 'the rules in force'

/** Writes a rules file that turns on a preset and nothing else, into a private folder. */
function rulesOfPreset(preset: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-replay-')))
  const file = join(folder, 'hooks.json')
  const name = `the preset ${preset}`
  writeFileSync(file, JSON.stringify({ preset }))
  return {
    name,
    paths: [file],
    named: (text: string) => text.replaceAll(file, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
