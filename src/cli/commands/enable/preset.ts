import { join } from 'node:path'
import { presetNames } from '../../../files/policy-files.ts'
import { HookgateError } from '../../../model/errors.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import type { InstallContext } from '../../../install/index.ts'
import { type Protection, shippedPreset } from '../../../rules/index.ts'
import type { Invocation } from '../../command.ts'
import { rulesAt, type RulesHere } from '../../../install/rules-here.ts'
import { protectionLines } from '../../args/protection.ts'

/** The rules that `enable` turns on. */
interface PresetChoice {
  /** The preset to turn on; `undefined` for none. */
  readonly preset: string | undefined
  /** True if anything is checked then. */
  readonly protection: Protection | undefined
  readonly switchedOff: readonly string[]
  readonly selfProtectionOff: string | undefined
  /** The rules file of the scope. */
  readonly file: string
}

const byDefault = 'recommended'

/**
 * Chooses the preset that `enable` turns on, where no rules are in force: the one named, else the person's at a
 * terminal, else the default.
 *
 * @param ask absent where no person can answer
 * @throws HookgateError `usage` for a preset that is unknown, or would change rules that are in force
 */
export async function choosePreset(
  named: string | undefined,
  context: InstallContext,
  ask: Invocation['ask'],
): Promise<PresetChoice> {
  if (named !== undefined) checkName(named)
  const isProject = context.scope === 'project'
  const { cwd } = context
  const here = await rulesAt(context, isProject ? [cwd] : [])
  const file = isProject ? join(cwd, '.hookgate', 'hooks.json') : here.file
  const { protection, switchedOff, selfProtectionOff } = here
  const unchanged = { preset: undefined, protection, switchedOff, selfProtectionOff, file }
  if (named === none || (isProject && named === undefined)) return unchanged
  if (isProject) {
    const remedy = `write \`{"preset": "${named}"}\` to ${file}`
    throw new HookgateError('usage', '`--preset` turns on rules of your own, not of a project', { remedy })
  }
  const { rulesFileState } = await import('../../../install/index.ts')
  const state = rulesFileState(context)
  const isFresh = state === 'absent' && protection === 'none'
  if (named === undefined && !isFresh) return unchanged
  if (!isFresh && state !== 'ours') throw inForceAlready(here)
  const preset = named ?? (ask === undefined ? byDefault : await askPreset(ask))
  if (preset === none) return unchanged
  return { ...unchanged, preset, protection: shippedPreset(preset).mode ?? 'enforce' }
}

function inForceAlready({ rules, protection, file }: RulesHere): HookgateError {
  const from = [...new Set(rules.map(({ source }) => source.id))].map(quoted).join(', ')
  const message =
    protection === 'none' || from === ''
      ? 'there is a rules file already: `--preset` does not change it'
      : `rules are in force already, from ${from}: \`--preset\` does not change them`
  return new HookgateError('usage', message, { remedy: `edit \`"preset"\` in ${file}` })
}

const none = 'none'
const known = () => [...presetNames(), none]

/** @throws HookgateError `usage` */
function checkName(name: string): void {
  if (known().includes(name)) return
  const remedy = didYouMean(name, known()) ?? `there are ${choiceOf(known())}`
  throw new HookgateError('usage', `hookgate has no preset ${quoted(name)}`, { remedy })
}

/** Asks once, and takes an empty answer for the default. @throws HookgateError `usage` */
async function askPreset(ask: NonNullable<Invocation['ask']>): Promise<string> {
  const rows = inOrder().map((name) => `  ${name.padEnd(12)} ${shippedPreset(name).description}\n`)
  const nothing = `  ${none.padEnd(12)} Nothing is checked until you write rules\n`
  const question = `No rules are in force. Which preset should be turned on?\n${rows.join('')}${nothing}preset [${byDefault}]: `
  const answer = (await ask(question)).trim()
  if (answer === '') return byDefault
  checkName(answer)
  return answer
}

/** The default first. */
const inOrder = () => presetNames().toSorted((a, b) => Number(b === byDefault) - Number(a === byDefault))

/** Tells which preset is on and what it would refuse, or that nothing is checked. */
export function presetLines(choice: PresetChoice, isDry: boolean): readonly string[] {
  const { preset, file } = choice
  if (preset === undefined) return protectionLines(choice)
  const { description, mode, refuses } = shippedPreset(preset)
  const observes = mode === 'observe'
  const verb = isDry ? 'would be turned on' : 'is on'
  return [
    `the preset ${quoted(preset)} ${verb}: ${description}`,
    observes ? '  it would report, and not refuse:' : '  it would refuse:',
    ...refuses.map((command) => `    ${command}`),
    `  \`hookgate packs ${preset}\` shows its rules; to change them, edit ${file}`,
  ]
}
