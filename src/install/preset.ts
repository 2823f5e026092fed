import { existsSync } from 'node:fs'
import { HookgateError } from '../model/errors.ts'
import type { FileChange } from './files/change.ts'
import { allRecords } from './files/own-state.ts'
import { unwritable } from './files/replace-settings.ts'
import { isAsWritten, removedFiles, type WholeFile, wholeFileAt, written } from './files/whole-file.ts'
import type { InstallContext, InstallPlan } from './install-context.ts'
import { rulesFileOf } from './rules-file.ts'

/**
 * Looks at the user's rules file. It is the user's own unless it is as `enable` wrote it.
 *
 * @throws HookgateError `settingsMalformed`
 */
function rulesFileAt(context: InstallContext): WholeFile {
  const one = wholeFileAt(rulesFileOf(context), context, () => 'no')
  return one.own === 'no' && isAsWritten(one, context) ? { ...one, own: 'yes' } : one
}

/** Returns `undefined` for what is no readable file: loading the rules reports it. */
function readableRulesFile(context: InstallContext): WholeFile | undefined {
  try {
    return rulesFileAt(ofUser(context))
  } catch (error) {
    if (error instanceof HookgateError) return undefined
    throw error
  }
}

const ofUser = (context: InstallContext): InstallContext => ({ ...context, scope: 'user' })

/** Tells the user's rules file: `ours` if it is as an earlier `enable` wrote it. */
export function rulesFileState(context: InstallContext): 'absent' | 'ours' | 'theirs' {
  const own = readableRulesFile(context)?.own
  return own === 'absent' ? 'absent' : own === 'yes' ? 'ours' : 'theirs'
}

/** Plans to write a rules file with a preset, in which the user can go on writing. @throws HookgateError */
export function presetWritten(name: string, context: InstallContext): FileChange {
  const user = ofUser(context)
  const one = rulesFileAt(user)
  if (one.own === 'no') throw unwritable(one.file, 'it was written just now by another program', 'run it again')
  const text = `${JSON.stringify({ preset: name }, undefined, 2)}\n`
  return written(one, text, one.looked.present?.mode ?? 0o644, user)
}

/**
 * Plans to remove the rules file that `enable` wrote, with the last agent that is disabled.
 *
 * @param planned the changes that disable the agent
 */
export function presetRemoved(
  planned: readonly FileChange[],
  context: InstallContext,
): Pick<InstallPlan, 'changes' | 'notes'> {
  const user = ofUser(context)
  const one = readableRulesFile(user)
  const records = allRecords(context.places)
  const ours = records.find(({ file }) => file === one?.looked.real)
  if (one === undefined || ours === undefined || one.own === 'absent') return none
  const isGone = (file: string, agent: string | undefined) =>
    !existsSync(file) ||
    planned.some((change) => change.looked.real === file && change.agent === agent && change.record === undefined)
  if (!records.every((record) => record === ours || isGone(record.file, record.agent))) return none
  if (one.own === 'yes') return { changes: removedFiles([one], user), notes: [] }
  return { changes: [], notes: [`kept ${one.file}: it was changed since \`enable\` wrote it`] }
}

const none = { changes: [], notes: [] }
