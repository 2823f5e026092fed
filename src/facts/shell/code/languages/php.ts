import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { php as lexis } from '../lexis.ts'
import { combine, list, mapped, text, textsOf, unknown, unknownText } from '../value.ts'

const { both, deletes, marks, reads, writes } = effects

const reading: Effect = (call) => {
  for (const one of textsOf(call.args[0])) {
    if (/^(?:https?|ftp):/.test(one)) call.found.network(text(one))
    else if (one !== 'php://stdin' && one !== 'php://input') call.found.path(text(one), 'read')
  }
  return unknownText
}
const evaluates = effects.evaluates('php')

/** `call_user_func('system', …)` is the call of that name. */
const callsByName: Effect = (call) => {
  const [callee, ...args] = call.args
  const effect = calls[textsOf(callee)[0] ?? '']
  const flat = args.flatMap((one) => (one.kind === 'list' ? one.items : [one]))
  return effect?.({ ...call, args: flat, arg: (at) => flat[at] }) ?? unknown
}

const calls: Record<string, Effect> = {
  unlink: deletes(0),
  rmdir: deletes(0),
  rename: both(deletes(0), writes(1)),
  copy: both(reads(0), writes(1)),
  move_uploaded_file: writes(1),
  file_put_contents: writes(0),
  file_get_contents: reading,
  readfile: reading,
  file: reading,
  include: reads(0),
  require: reads(0),
  fopen: effects.opens(0, 1),
  SplFileObject: effects.opens(0, 1),
  chmod: marks(0),
  chown: marks(0),
  chgrp: marks(0),
  touch: writes(0),
  mkdir: writes(0),
  symlink: both(reads(0), writes(1)),
  link: both(marks(0), writes(1)),
  glob: effects.matches,
  scandir: effects.listsNames,
  exec: effects.scripts(),
  shell_exec: effects.scripts(),
  system: effects.scripts(),
  passthru: effects.scripts(),
  popen: effects.scripts(),
  proc_open: (call) => {
    if (call.args[0]?.kind === 'list') call.found.words([call.args[0]])
    else call.found.script(call.args[0])
    return unknown
  },
  pcntl_exec: effects.programs,
  eval: evaluates,
  assert: (call) => (call.args[0]?.kind === 'text' ? evaluates(call) : undefined),
  create_function: effects.evaluates('php', 1),
  base64_decode: effects.decodes('base64'),
  hex2bin: effects.decodes('hex'),
  gzinflate: effects.decodesSomehow,
  gzuncompress: effects.decodesSomehow,
  str_rot13: effects.decodesSomehow,
  strrev: ({ args }) => mapped(args[0], (one) => Array.from(one).toReversed().join('')),
  chr: ({ args }) => effects.characters(args.slice(0, 1)),
  getenv: (call) => effects.variableOf(call.args[0], call),
  dirname: ({ args }) => mapped(args[0], (one) => one.replace(/\/+[^/]*$/, '')),
  getcwd: () => text('.'),
  sys_get_temp_dir: () => text('/tmp'),
  trim: effects.same,
  escapeshellarg: effects.same,
  realpath: effects.same,
  implode: ({ args: [between, parts] }) =>
    parts?.kind === 'list' && parts.items.length > 0
      ? parts.items.reduce((left, right) =>
          combine(left, right, (one, other) => one + (textsOf(between)[0] ?? '') + other),
        )
      : unknownText,
  call_user_func: callsByName,
  call_user_func_array: callsByName,
  DirectoryIterator: effects.listsFolder,
  FilesystemIterator: effects.listsFolder,
  RecursiveDirectoryIterator: ({ args }) => list([effects.anyBelow(args[0] ?? text('.'))]),
  RecursiveIteratorIterator: effects.same,
  array_map: callsByName,
  array_walk: ({ args, ...call }) => callsByName({ ...call, args: args.toReversed() }),
  curl_init: effects.talks,
  fsockopen: effects.talks,
  pfsockopen: effects.talks,
  stream_socket_client: effects.talks,
}

export const php: Language = {
  lexis,
  concat: ['.'],
  members: ['->', '::', '?->'],
  prefixes: new Set([
    'return',
    'echo',
    'print',
    'new',
    'if',
    'else',
    'elseif',
    'while',
    'and',
    'or',
    'function',
    'fn',
    'static',
    'global',
    'try',
    'throw',
    'die',
    'exit',
    'include',
    'require',
    'include_once',
    'require_once',
    'case',
  ]),
  variable: /^\$/,
  names: {},
  calls,
  methods: {},
  constants: (name, around) => {
    if (name === '__DIR__') return text('.')
    if (name === 'DIRECTORY_SEPARATOR') return text('/')
    if (name === '$argv') return list([text('-'), ...(around.parameters ?? []).map((one) => text(one.value))])
    return undefined
  },
  index: (name, key, around) => {
    if (name === '$_SERVER' || name === '$_ENV') return effects.variableOf(key, { around })
    if (name === '$argv' && key.kind === 'number') return effects.parameterAt(key.number - 1, around)
    return name.startsWith('$') ? unknownText : undefined
  },
  canonical: (name) => name.replace(/^\\/, ''),
}
