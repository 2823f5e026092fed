import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { julia as lexis } from '../lexis.ts'
import { isTrue, list, text, unknown, unknownText } from '../value.ts'

const { both, deletes, marks, reads, writes } = effects

const calls: Record<string, Effect> = {
  rm: (call) => {
    call.found.path(call.args[0], 'delete', { recursive: isTrue(call.named.get('recursive')) })
    return undefined
  },
  mv: both(deletes(0), writes(1)),
  cp: both(reads(0), writes(1)),
  write: writes(0),
  open: effects.opens(0, 1),
  read: (call) => (call.args[0]?.kind === 'text' ? reads(0)(call) : unknownText),
  readlines: reads(0),
  touch: writes(0),
  mkdir: writes(0),
  mkpath: writes(0),
  chmod: marks(0),
  chown: marks(0),
  symlink: both(reads(0), writes(1)),
  hardlink: both(marks(0), writes(1)),
  truncate: writes(0),
  readdir: effects.listsNames,
  run: effects.scripts(),
  readchomp: effects.scripts(),
  pipeline: (call) => {
    for (const one of call.args) call.found.script(one)
    return text('true')
  },
  download: both(writes(1), effects.talks),
  'Downloads.download': both(writes(1), effects.talks),
  'HTTP.get': effects.talks,
  'HTTP.post': effects.talks,
  'HTTP.request': effects.talks,
  connect: effects.talks,
  'Meta.parse': effects.same,
  eval: (call) => {
    if (call.args[0]?.kind === 'text') call.found.code('julia', call.args[0])
    return unknown
  },
  include_string: effects.evaluates('julia', 1),
  base64decode: effects.decodes('base64'),
  'Base64.base64decode': effects.decodes('base64'),
  String: effects.same,
  string: effects.joinsTexts(''),
  joinpath: effects.joinsPaths,
  expanduser: effects.expandsHome,
  homedir: effects.homeOf,
  pwd: () => text('.'),
  abspath: effects.same,
  get: (call) =>
    call.args[0]?.kind === 'name' && call.args[0].name === 'ENV' ? effects.variableOf(call.args[1], call) : unknown,
  'Base.rm': deletes(0),
  'Base.run': effects.scripts(),
}

export const julia: Language = {
  lexis,
  concat: ['*'],
  members: ['.'],
  prefixes: new Set([
    'return',
    'local',
    'global',
    'const',
    'if',
    'elseif',
    'else',
    'while',
    'function',
    'begin',
    'end',
    'try',
    'catch',
    'let',
    'do',
  ]),
  lines: true,
  names: {},
  calls,
  methods: {},
  constants: (name, around) =>
    name === 'ARGS' ? list((around.parameters ?? []).map((one) => text(one.value))) : undefined,
  index: (name, key, around) => {
    if (name === 'ENV') return effects.variableOf(key, { around })
    return name === 'ARGS' && key.kind === 'number' ? effects.parameterAt(key.number - 1, around) : undefined
  },
}
