import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { r as lexis } from '../lexis.ts'
import { isTrue, list, text, textsOf, unknown, unknownText } from '../value.ts'

const { both, deletes, marks, reads, writes } = effects

/** `unlink` leaves folders where it is not told to go into them. */
const unlinks: Effect = (call) => {
  for (const value of call.args.slice(0, 1))
    call.found.path(value, 'delete', { recursive: isTrue(call.named.get('recursive')) || isTrue(call.args[1]) })
  return undefined
}

const calls: Record<string, Effect> = {
  'file.remove': deletes('all'),
  unlink: unlinks,
  'file.rename': both(deletes(0), writes(1)),
  'file.copy': both(reads(0), writes(1)),
  'file.append': writes(0),
  'file.create': writes('all'),
  'file.symlink': both(reads(0), writes(1)),
  'file.link': both(marks(0), writes(1)),
  'dir.create': writes(0),
  'Sys.chmod': marks(0),
  'Sys.setFileTime': marks(0),
  writeLines: writes(1),
  write: writes(1),
  'write.csv': writes(1),
  'write.table': writes(1),
  saveRDS: writes(1),
  save: (call) => {
    if (call.named.has('file')) call.found.path(call.named.get('file'), 'write')
    return undefined
  },
  cat: (call) => {
    if (call.named.has('file')) call.found.path(call.named.get('file'), 'write')
    return undefined
  },
  sink: writes(0),
  readLines: reads(0),
  readRDS: reads(0),
  'read.csv': reads(0),
  'read.table': reads(0),
  scan: reads(0),
  file: effects.opens(0, 1),
  system: effects.scripts(),
  shell: effects.scripts(),
  pipe: effects.scripts(),
  system2: ({ args, found, named }) => {
    found.words([args[0], args[1] ?? named.get('args') ?? list([])])
    return unknownText
  },
  'processx::run': effects.programs,
  eval: (call) => {
    if (call.args[0]?.kind === 'text') call.found.code('r', call.args[0])
    return unknown
  },
  evalq: effects.evaluates('r'),
  parse: (call) => call.named.get('text') ?? unknownText,
  source: reads(0),
  str2lang: effects.same,
  c: ({ args }) => list(args),
  list: ({ args }) => list(args),
  paste0: effects.joinsTexts(''),
  paste: effects.joinsTexts(' '),
  'file.path': effects.joinsPaths,
  'path.expand': effects.expandsHome,
  normalizePath: effects.same,
  'Sys.getenv': (call) => effects.variableOf(call.args[0], call),
  commandArgs: ({ around }) => list((around.parameters ?? []).map((one) => text(one.value))),
  'list.files': (call) => (isTrue(call.named.get('full.names')) ? effects.listsFolder(call) : effects.listsNames(call)),
  'Sys.glob': effects.matches,
  tempfile: () => text(`/tmp/${textsOf(undefined)[0] ?? ''}`),
  'fs::file_delete': deletes(0),
  'fs::dir_delete': deletes(0, true),
  'download.file': both(writes(1), effects.talks),
  url: effects.talks,
  'httr::GET': effects.talks,
  'httr::POST': effects.talks,
  'base64enc::base64decode': effects.decodes('base64'),
  rawToChar: effects.same,
  getwd: () => text('.'),
  'do.call': (call) => {
    const args = call.args[1]?.kind === 'list' ? call.args[1].items : []
    return calls[textsOf(call.args[0])[0] ?? '']?.({ ...call, args, arg: (at) => args[at] })
  },
}

export const r: Language = {
  lexis,
  concat: [],
  members: ['::', ':::', '$'],
  prefixes: new Set(['return', 'function', 'if', 'else', 'while', 'repeat', 'print', 'invisible']),
  lines: true,
  names: {},
  calls: Object.fromEntries(Object.entries(calls).map(([name, effect]) => [name.replaceAll('::', '.'), effect])),
  methods: {},
  constants: () => undefined,
  index: () => undefined,
  canonical: (name) => name.replace(/^(?:base|utils)\./, ''),
}
