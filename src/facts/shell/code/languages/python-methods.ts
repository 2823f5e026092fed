import { unknownPart } from '../../../../model/shell.ts'
import * as effects from '../effects.ts'
import type { Call, Effect } from '../language.ts'
import {
  combine,
  either,
  isTrue,
  joinPath,
  list,
  listsOf,
  mapped,
  path,
  text,
  textsOf,
  unknown,
  unknownText,
  type Value,
} from '../value.ts'

const { both, deletes, marks, opens, reads, writes } = effects

/** `subprocess.run` and its kin: a list is a program with its arguments, a text a script where `shell` is true. */
export const subprocess: Effect = (call) => {
  const given = call.arg(0, 'args')
  const folder = call.named.get('executable')
  if (isTrue(call.named.get('shell'))) call.found.script(given?.kind === 'list' ? given.items[0] : given)
  else if (given?.kind === 'text')
    for (const words of given.texts) call.found.words(words.split(/\s+/).map((one) => text(one)))
  else
    call.found.words(
      folder === undefined ? [given] : [folder, ...(given?.kind === 'list' ? given.items.slice(1) : [unknown])],
    )
  return unknownText
}

/** A list's texts with one between them. */
export const joined = (between: string, value: Value | undefined): Value =>
  value?.kind === 'list'
    ? listsOf(value)
        .map((items) =>
          items.reduce(
            (left, right) => combine(left, right, (one, other) => (one === '' ? other : `${one}${between}${other}`)),
            text(''),
          ),
        )
        .reduce(either)
    : unknownText

const withName = ({ receiver, args }: Call): Value =>
  combine(receiver, args[0], (one, name) => one.replace(/[^/]*$/, () => name))
const isPath = (value: Value | undefined): boolean =>
  value === undefined || (value.kind === 'text' && (value.path === true || textsOf(value).includes(unknownPart)))

/** Only where the receiver is, or may be, a path. */
const ofPath =
  (effect: Effect): Effect =>
  (call) =>
    isPath(call.receiver) ? effect(call) : undefined

/** What paths, texts and lists of python do by themselves. */
export const pythonMethods: Readonly<Record<string, Effect>> = {
  unlink: ofPath(deletes('self')),
  rmdir: ofPath(deletes('self')),
  rmtree: ofPath(deletes('self', true)),
  rename: ofPath(both(deletes('self'), writes(0), ({ args }) => args[0])),
  replace: (call) => {
    if (call.args.length === 1) return ofPath(both(deletes('self'), writes(0), ({ args }) => args[0]))(call)
    const [from, to] = call.args.map((one) => textsOf(one)[0] ?? '')
    return from === undefined || to === undefined || from === ''
      ? unknownText
      : mapped(call.receiver, (one) => one.replaceAll(from, () => to))
  },
  write_text: writes('self'),
  write_bytes: writes('self'),
  touch: ofPath(writes('self')),
  chmod: ofPath(marks('self')),
  mkdir: ofPath(writes('self')),
  symlink_to: ofPath(both(writes('self'), reads(0))),
  hardlink_to: ofPath(both(writes('self'), marks(0))),
  read_text: reads('self'),
  read_bytes: reads('self'),
  open: ofPath(opens('self', 0)),
  iterdir: effects.listsFolder,
  glob: effects.matches,
  rglob: ({ receiver, args }) =>
    list([combine(effects.anyBelow(receiver ?? unknown), mapped(args[0] ?? text('*'), effects.patternOf), joinPath)]),
  joinpath: ({ receiver, args }) =>
    args.reduce((left, right) => combine(left, right, joinPath), receiver ?? path(['.'])),
  with_name: withName,
  with_suffix: ({ receiver, args }) =>
    combine(receiver, args[0], (one, suffix) => one.replace(/(\.[^./]*)?$/, () => suffix)),
  expanduser: effects.expandsHome,
  resolve: effects.same,
  absolute: effects.same,
  as_posix: effects.same,
  '.parent': ({ receiver }) =>
    mapped(receiver, (one) => (one.includes('/') ? one.replace(/\/+[^/]*$/, '') || '/' : '.')),
  '.name': ({ receiver }) => text(...textsOf(receiver).map((one) => one.replace(/^.*\//s, ''))),
  '.path': effects.same,
  decode: effects.same,
  encode: effects.same,
  strip: effects.same,
  rstrip: effects.same,
  lstrip: effects.same,
  lower: ({ receiver }) => mapped(receiver, (one) => one.toLowerCase()),
  format: ({ receiver, args }) => effects.formatted(receiver ?? unknown, args),
  join: ({ receiver, args }) => joined(textsOf(receiver)[0] ?? '', args[0]),
  split: ({ receiver, args, ...call }) =>
    args.length === 0 ? effects.splitsWords({ ...call, args, ...(receiver !== undefined && { receiver }) }) : unknown,
  splitlines: ({ receiver }) => list((textsOf(receiver)[0] ?? '').split('\n').map((one) => text(one))),
  read: () => unknownText,
  system: effects.scripts(),
  check_output: subprocess,
  exec_command: effects.scripts(),
}
