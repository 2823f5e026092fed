import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { lua as lexis } from '../lexis.ts'
import { named, textsOf, unknown, unknownText } from '../value.ts'

const { both, deletes, reads, writes } = effects
const evaluates: Effect = (call) => (call.args[0]?.kind === 'text' ? effects.evaluates('lua')(call) : undefined)

const calls: Record<string, Effect> = {
  'os.remove': deletes(0),
  'os.rename': both(deletes(0), writes(1)),
  'os.execute': effects.scripts(),
  'os.getenv': (call) => effects.variableOf(call.args[0], call),
  'os.tmpname': () => unknownText,
  'io.popen': effects.scripts(),
  'io.open': effects.opens(0, 1),
  'io.lines': reads(0),
  'io.output': writes(0),
  'io.input': reads(0),
  'lfs.rmdir': deletes(0),
  'lfs.mkdir': writes(0),
  'posix.unlink': deletes(0),
  'posix.exec': effects.programs,
  load: evaluates,
  loadstring: evaluates,
  dofile: reads(0),
  require: ({ args }) => named(textsOf(args[0])[0] ?? ''),
  'string.char': ({ args }) => effects.characters(args),
  'vim.fn.system': effects.wordsOrScript,
  'vim.fn.systemlist': effects.wordsOrScript,
  'vim.fn.delete': (call) => {
    call.found.path(call.args[0], 'delete', { recursive: textsOf(call.args[1])[0] === 'rf' })
    return undefined
  },
  'vim.fn.writefile': writes(1),
  'vim.system': effects.programs,
  'vim.uv.fs_unlink': deletes(0),
  'socket.http.request': effects.talks,
  'socket.connect': effects.talks,
  'socket.tcp': (call) => {
    call.found.network()
    return unknown
  },
}

export const lua: Language = {
  lexis,
  concat: ['..'],
  members: ['.', ':'],
  prefixes: new Set([
    'return',
    'local',
    'not',
    'if',
    'elseif',
    'then',
    'else',
    'do',
    'while',
    'repeat',
    'until',
    'function',
    'and',
    'end',
    'in',
  ]),
  textCalls: true,
  names: {},
  calls,
  methods: { execute: effects.scripts(), rep: () => unknownText },
  constants: () => undefined,
  index: (name, key, around) =>
    name === 'arg' && key.kind === 'number'
      ? effects.parameterAt(key.number - 1, around)
      : name === '_G'
        ? named(textsOf(key)[0] ?? '')
        : undefined,
  canonical: (name) => name.replace(/^_G\./, ''),
}
