import { isWithin } from '../../../words/paths.ts'
import { bothOutcomes, failed, type CommandOutcome, succeeded } from '../state/context.ts'
import { copyState, folders, type State } from '../state/state.ts'
import { assign, folderTexts, variableOf } from '../state/variables.ts'
import { fieldOfText } from '../values/text.ts'
import { type Builtin, type Called, operandsOf } from './builtin.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { type Folder, folderIn } from '../../paths/index.ts'

/** Folders that exist on every system, so that `cd` to them cannot fail. */
const everywhere = new Set([
  '/',
  '/tmp',
  '/etc',
  '/usr',
  '/var',
  '/home',
  '/bin',
  '/dev',
  '/usr/bin',
  '/var/tmp',
  '/var/log',
  '/opt',
  '/root',
])

const cd: Builtin = (called) => {
  const { context, state, args } = called
  const { rest } = operandsOf(args)
  const [target, more] = rest
  if (more !== undefined) return failed(state)
  const wordsOf = (name: string) => variableOf(context, state, name).texts.map((text) => fieldOfText(text).word)
  if (target === undefined) return go(called, wordsOf('HOME'))
  if (target.word.value === '-') return go(called, wordsOf('OLDPWD'))
  if (target.word.value === '') return succeeded(state)
  return go(called, [target.word])
}

/**
 * Changes to one of the target folders, relative to each possible current one. On failure the shell stays where it is.
 */
function go(called: Called, targets: readonly ShellWord[]): CommandOutcome {
  const { state, context } = called
  const next = state.folders.flatMap((from) => targets.map((target) => folderIn(from, target)))
  const home = context.around.home
  const certain = next.every(
    (one, at) => typeof one === 'string' && (everywhere.has(one) || one === home || isAbove(one, state.folders[at])),
  )
  const stays = certain ? undefined : copyState(state)
  moved(called, state, next)
  return { ok: state, fail: stays }
}

const isAbove = (folder: string, of: Folder) => typeof of === 'string' && isWithin(of, folder)

function moved({ context }: Called, state: State, next: readonly Folder[]): void {
  const before = variableOf(context, state, 'PWD').texts
  state.folders = folders(next)
  assign(context, state, 'OLDPWD', before)
  assign(context, state, 'PWD', folderTexts(state))
}

const pushd: Builtin = (called) => {
  const { state, args } = called
  const { rest } = operandsOf(args)
  const [target] = rest
  const [from] = state.folders
  if (target === undefined) {
    const [top] = state.pushed
    if (state.pushed.length === 0) return failed(state)
    state.pushed = [from, ...state.pushed.slice(1)]
    moved(called, state, [top])
    return bothOutcomes(state)
  }
  if (/^[-+]\d+$/.test(target.word.value)) {
    moved(called, state, [undefined])
    state.pushed = []
    return bothOutcomes(state)
  }
  const pushed = [state.folders.length === 1 ? from : undefined, ...state.pushed]
  const outcome = cd({ ...called, args: [target] })
  if (outcome.ok !== undefined) outcome.ok.pushed = pushed
  return outcome
}

const popd: Builtin = (called) => {
  const { state } = called
  const [top, ...rest] = state.pushed
  if (state.pushed.length === 0) return failed(state)
  state.pushed = rest
  moved(called, state, [top])
  return succeeded(state)
}

export const folderBuiltins: Readonly<Record<string, Builtin>> = { cd, chdir: cd, pushd, popd }
