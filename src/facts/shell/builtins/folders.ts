import { posix } from 'node:path'
import { bothOutcomes, failed, type CommandOutcome, succeeded } from '../state/context.ts'
import { copyState, folders, type State } from '../state/state.ts'
import { assign, folderTexts, variableOf } from '../state/variables.ts'
import { isKnown } from '../values/text.ts'
import { type Builtin, type Called, operandsOf } from './builtin.ts'
import { unknownPart } from '../../../model/shell.ts'

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
  const valuesOf = (name: string) => variableOf(context, state, name).texts.map(({ value }) => value)
  if (target === undefined) return go(called, valuesOf('HOME'))
  if (target.word.value === '-') return go(called, valuesOf('OLDPWD'))
  if (target.word.value === '') return succeeded(state)
  return go(called, [target.word.pattern === undefined ? target.word.value : unknownPart])
}

/**
 * Changes to one of the target folders, relative to each possible current one. On failure the shell stays where it is.
 */
function go(called: Called, targets: readonly string[]): CommandOutcome {
  const { state, context } = called
  const next = state.folders.flatMap((from) => targets.map((target) => below(from, target)))
  const home = context.around.home
  const certain = next.every(
    (one, at) => one !== undefined && (everywhere.has(one) || one === home || isAbove(one, state.folders[at] ?? '')),
  )
  const stays = certain ? undefined : copyState(state)
  moved(called, state, next)
  return { ok: state, fail: stays }
}

const isAbove = (folder: string, of: string) => of === folder || of.startsWith(folder === '/' ? '/' : `${folder}/`)

function below(from: string | undefined, target: string): string | undefined {
  if (!isKnown({ value: target })) return undefined
  if (target.startsWith('/')) return posix.normalize(target).replace(/(.)\/$/, '$1')
  return from === undefined ? undefined : posix.join(from, target).replace(/(.)\/$/, '$1')
}

function moved({ context }: Called, state: State, next: readonly (string | undefined)[]): void {
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
