import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { perl as lexis } from '../lexis.ts'
import { combine, list, listsOf, text, textsOf, unknown, unknownText, type Value } from '../value.ts'

const { both, deletes, reads, writes } = effects

const flat = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((one) => (one.kind === 'list' ? listsOf(one).flatMap(flat) : [one]))

/** `open(FH, '>', path)`, `open(FH, ">path")`, `open(FH, '-|', 'command')`, `open(FH, 'command|')`. */
const opens: Effect = ({ args, found }) => {
  const rest = args.slice(1)
  const [mode, target, ...more] = rest
  const modes = textsOf(mode)
  if (target === undefined) {
    for (const one of modes) {
      const whole = /^\s*(\+?[<>]{1,2}|\|)?\s*(.*?)\s*(\|)?\s*$/s.exec(one)
      const [, sign = '', name = '', pipe] = whole ?? []
      if (sign === '|' || pipe !== undefined) found.script(text(name))
      else found.path(text(name), sign.includes('>') || sign.includes('+') ? 'write' : 'read')
    }
    return unknown
  }
  const sign = modes[0] ?? ''
  if (sign.includes('|')) {
    if (more.length === 0 && target.kind !== 'list') found.script(target)
    else found.words([target, ...more])
  } else found.path(target, sign.includes('>') || sign.includes('+') ? 'write' : 'read')
  return unknown
}

const sysopens: Effect = ({ args, found }) => {
  const flags = args[2]
  found.path(
    args[1],
    flags === undefined || (flags.kind === 'name' && flags.name.endsWith('O_RDONLY')) ? 'read' : 'write',
  )
  return unknown
}

/** A list of files; without one, `$_`. */
const all =
  (effect: Effect, from = 0): Effect =>
  (call) =>
    effect({ ...call, args: flat(call.args.slice(from)).filter((one) => one.kind !== 'map') })
const deletesTree = all(deletes('all', true))
const moves = both(deletes(0), writes(1))
const talks = effects.talks
const decodes = effects.decodes('base64')

const starts: Effect = (call) => {
  const args = flat(call.args)
  if (args.length === 1) call.found.script(args[0])
  else call.found.words(call.args)
  return unknownText
}

/** The handles stand in front. */
const startsBehind =
  (handles: number): Effect =>
  (call) =>
    starts({ ...call, args: call.args.slice(handles) })

/** `do`, `eval` and `require` of a block are read where they stand. */
const evaluates: Effect = (call) => (call.args[0]?.kind === 'text' ? effects.evaluates('perl')(call) : unknown)

const calls: Record<string, Effect> = {
  unlink: all(deletes('all')),
  rmdir: all(deletes('all')),
  rmtree: deletesTree,
  remove_tree: deletesTree,
  'File::Path::rmtree': deletesTree,
  'File::Path::remove_tree': deletesTree,
  rename: moves,
  move: moves,
  copy: both(reads(0), writes(1)),
  'File::Copy::move': moves,
  'File::Copy::copy': both(reads(0), writes(1)),
  'CORE::unlink': all(deletes('all')),
  'CORE::system': starts,
  'POSIX::unlink': all(deletes('all')),
  open: opens,
  sysopen: sysopens,
  truncate: writes(0),
  mkdir: writes(0),
  make_path: writes(0),
  chmod: all(effects.marks('all'), 1),
  chown: all(effects.marks('all'), 2),
  utime: all(effects.marks('all'), 2),
  link: both(effects.marks(0), writes(1)),
  symlink: both(reads(0), writes(1)),
  write_file: writes(0),
  read_file: reads(0),
  'Path::Tiny::path': effects.asPath,
  path: effects.asPath,
  glob: effects.matches,
  bsd_glob: effects.matches,
  system: starts,
  exec: starts,
  readpipe: effects.scripts(),
  open2: startsBehind(2),
  open3: startsBehind(3),
  eval: evaluates,
  decode_base64: decodes,
  'MIME::Base64::decode_base64': decodes,
  'MIME::Base64::decode': decodes,
  pack: (call) =>
    (textsOf(call.args[0])[0] ?? '').startsWith('H')
      ? effects.decodes('hex')({ ...call, args: call.args.slice(1) })
      : unknownText,
  chr: ({ args }) => effects.characters(args.slice(0, 1)),
  join: ({ args: [between, ...parts] }) => {
    const [first, ...others] = flat(parts)
    return others.reduce(
      (left, right) => combine(left, right, (one, other) => one + (textsOf(between)[0] ?? '') + other),
      first ?? text(''),
    )
  },
  catfile: effects.joinsPaths,
  catdir: effects.joinsPaths,
  lc: effects.same,
  shift: ({ around }) => effects.parameterAt(0, around),
  get: talks,
  getstore: both(writes(1), talks),
  getprint: talks,
  'LWP::Simple::get': talks,
  'IO::Socket::INET->new': talks,
  socket: effects.talks,
}
const methods: Record<string, Effect> = {
  remove: (call) => (call.receiver?.kind === 'text' ? deletes('self')(call) : undefined),
  remove_tree: (call) => (call.receiver?.kind === 'text' ? deletes('self', true)(call) : undefined),
  spew: writes('self'),
  spew_utf8: writes('self'),
  append: writes('self'),
  slurp: reads('self'),
  get: (call) => (call.args[0]?.kind === 'text' ? talks(call) : undefined),
  post: (call) => (call.args[0]?.kind === 'text' ? talks(call) : undefined),
  mirror: (call) => (call.args.length === 2 ? both(writes(1), talks)(call) : undefined),
  catfile: effects.joinsPaths,
  catdir: effects.joinsPaths,
}

export const perl: Language = {
  lexis,
  concat: ['.'],
  members: ['->'],
  prefixes: new Set([
    'return',
    'my',
    'our',
    'local',
    'not',
    'print',
    'say',
    'die',
    'if',
    'unless',
    'and',
    'or',
    'while',
    'until',
    'else',
    'elsif',
    'sub',
    'do',
    'grep',
    'map',
    'sort',
    'reverse',
    'push',
    'printf',
    'warn',
    'for',
    'foreach',
    'BEGIN',
    'END',
  ]),
  bareCalls: true,
  braceIndex: true,
  variable: /^[$@%&]/,
  names: {},
  calls,
  methods,
  constants: (name, around) => {
    if (name === '@ARGV') return list((around.parameters ?? []).map((one) => text(one.value)))
    return undefined
  },
  index: (name, key, around) => {
    if (name === '$ENV') return effects.variableOf(key, { around })
    if (name === '$ARGV' && key.kind === 'number') return effects.parameterAt(key.number, around)
    return name.startsWith('$') ? unknownText : undefined
  },
}
