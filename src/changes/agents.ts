import { join } from 'node:path'
import type { KnownAgent } from '../agents/registry.ts'
import { presetNames } from '../files/policy-files.ts'
import { ensurePlaces } from '../files/state/own-folder.ts'
import { checkFlags, type Done, enable, type InstallContext, rulesFileState } from '../install/index.ts'
import { rulesAt, type RulesHere } from '../install/rules-here.ts'
import { HookgateError } from '../model/errors.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { choiceOf, quoted } from '../model/text.ts'
import { type Protection, shippedPreset } from '../rules/index.ts'
import { keepEnvironment } from '../service/server/gate-environment.ts'
import { didYouMean } from '../words/suggest.ts'

/** An agent that was enabled, and the rules that it meets. */
export interface Enabled {
  readonly done: Done
  readonly choice: PresetChoice
}

/**
 * Registers hookgate with an agent, and turns a preset on where no rules are in force.
 *
 * @param ask asks the person for a preset; absent where no person can answer
 * @throws HookgateError as `enable` and `choosePreset`
 */
export async function enableAgent(
  agent: KnownAgent,
  context: InstallContext,
  preset: string | undefined,
  ask?: () => Promise<string>,
): Promise<Enabled> {
  checkFlags(agent, context)
  const choice = await choosePreset(preset, context, ask)
  const done = await enable(agent, { ...context, preset: choice.preset })
  if (!context.dryRun) keepEnvironmentFor(context)
  return { done, choice }
}

/** Stores this environment for gates that are started by a session: they use it instead of the session's. */
function keepEnvironmentFor({ places, env }: InstallContext): void {
  ensurePlaces(places)
  keepEnvironment(places, env)
}

/** Returns what was done to files, as every command reports it. */
export const changesBy = ({ changed, files, notes }: Done, isDry: boolean): FileChanges => ({
  changed: !isDry && changed.length > 0,
  files,
  copies: changed.flatMap(({ backup }) => backup ?? []),
  notes,
})

/** The rules that `enable` turns on. */
export interface PresetChoice {
  /** The preset to turn on; `undefined` for none. */
  readonly preset: string | undefined
  /** Whether rules are in force after the change, and enforce. */
  readonly protection: Protection | undefined
  readonly switchedOff: readonly string[]
  readonly selfProtectionOff: string | undefined
  /** The rules file of the scope. */
  readonly file: string
  /** The managed rules file; `undefined` if there is none. */
  readonly managedFile: string | undefined
}

export const presetByDefault = 'recommended'

/**
 * Chooses the preset that `enable` turns on where no rules are in force: by its name in `named`, by a person's answer,
 * or the default.
 *
 * @param ask absent where no person can answer
 * @throws HookgateError `usage` for a preset that is unknown, or would change rules that are in force
 */
async function choosePreset(
  named: string | undefined,
  context: InstallContext,
  ask: (() => Promise<string>) | undefined,
): Promise<PresetChoice> {
  if (named !== undefined) checkName(named)
  const isProject = context.scope === 'project'
  const { cwd } = context
  const here = await rulesAt(context, isProject ? [cwd] : [])
  const file = isProject ? join(cwd, '.hookgate', 'hooks.json') : here.file
  const { protection, switchedOff, selfProtectionOff, managedFile } = here
  const unchanged = { preset: undefined, protection, switchedOff, selfProtectionOff, file, managedFile }
  if (named === noPreset || (isProject && named === undefined)) return unchanged
  if (isProject) {
    const remedy = `write \`{"preset": "${named}"}\` to ${file}`
    throw new HookgateError('usage', '`--preset` turns on rules of your own, not of a project', { remedy })
  }
  const state = rulesFileState(context)
  const isFresh = state === 'absent' && protection === 'none'
  if (named === undefined && !isFresh) return unchanged
  if (!isFresh && state !== 'ours') throw rulesInForceError(here)
  const preset = named ?? (ask === undefined ? presetByDefault : await askForPreset(ask))
  if (preset === noPreset) return unchanged
  return { ...unchanged, preset, protection: shippedPreset(preset).mode ?? 'enforce' }
}

function rulesInForceError({ rules, protection, file }: RulesHere): HookgateError {
  const from = [...new Set(rules.map(({ source }) => source.id))].map(quoted).join(', ')
  const message =
    protection === 'none' || from === ''
      ? 'there is a rules file already: `--preset` does not change it'
      : `rules are in force already, from ${from}: \`--preset\` does not change them`
  return new HookgateError('usage', message, { remedy: `edit \`"preset"\` in ${file}` })
}

/** The answer, and the value of `--preset`, with which no preset is turned on. */
export const noPreset = 'none'
const choices = () => [...presetNames(), noPreset]

/** @throws HookgateError `usage` if there is no preset of that name */
function checkName(name: string): void {
  if (choices().includes(name)) return
  const remedy = didYouMean(name, choices()) ?? `there are ${choiceOf(choices())}`
  throw new HookgateError('usage', `hookgate has no preset ${quoted(name)}`, { remedy })
}

/** Asks a person for a preset: an empty answer means the default. @throws HookgateError `usage` for an unknown preset */
async function askForPreset(ask: () => Promise<string>): Promise<string> {
  const answer = (await ask()).trim()
  if (answer === '') return presetByDefault
  checkName(answer)
  return answer
}
