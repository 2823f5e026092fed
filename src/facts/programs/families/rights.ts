import type { PathRight } from '../../../model/shell.ts'
import type { TouchedHow } from '../../paths/index.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Line, Row } from '../row.ts'

/** What programs have in common that change the mode, the owner or the attributes of files. */
export const changesRights = (): TouchedHow => ({ change: 'rights' })
export const rights: Row = {
  options:
    'reference=names from +recursive +preserve-root +no-preserve-root +changes +verbose +silent +dereference +no-dereference',
  first: 'none',
  firstUnless: 'reference',
  operands: 'mode',
  recursive: 'R recursive',
  silent: true,
  ignoresStdin: true,
  effects: alsoModes,
  how: changesRights,
}

/** Returns what a mode of `chmod` means. */
export function rightsIn({ operands, given }: Line): readonly PathRight[] {
  // A mode may begin with a dash: `-x`.
  const words = [...operands.map(({ value }) => value), ...given.map(({ name }) => `-${name}`)]
  return modes.flatMap(([right, mode]) => (words.some((word) => mode.test(word)) ? [right] : []))
}
const modes: readonly (readonly [PathRight, RegExp])[] = [
  ['all-write', /^0?[0-7]?[0-7]{2}[2367]$|^(?=[ug]*[ao])[ugoa]*\+[rxXt]*w/],
  ['as-owner', /^0?[4-7][0-7]{3}$|^[ugoa]*[+=][rwxXt]*s/],
  ['runs', /^(?:[ugoa]*\+[rx]+|0?7[57][05])$/],
  ['others-lose', /^(?:0?[4-7]00|[go]+-[rwx]+|go=|u=rwx?,go=)$/],
  ['runs-not', /^(?:[0-7]?[0246][0-7]{2}|[augo]*-(?=[rw]*x)[rwx]*)$/],
]

/** Handles modes that begin with a dash, where all operands are paths: `chmod -x f`, `chattr -i f`. */
export function alsoModes(line: Line, recorder: EffectRecorder): void {
  const flags = line.program === 'chattr' ? 'RVfvp' : 'RfvcLPHh'
  const isMode = ({ name, value }: Line['given'][number]) =>
    value.value === '' && name.length === 1 && !flags.includes(name)
  if (!line.given.some(isMode)) return
  recorder.touch(line.operands[0], 'mode', line.has('R', 'recursive') ? { recursive: true } : undefined)
}
