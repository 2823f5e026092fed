import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { ruby as lexis } from '../lexis.ts'
import { combine, joinPath, list, listsOf, mapped, text, textsOf, unknown, unknownText, type Value } from '../value.ts'

const { both, deletes, marks, reads, writes } = effects

const flat = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((one) => (one.kind === 'list' ? listsOf(one).flat() : [one]))
const all =
  (effect: Effect, from = 0): Effect =>
  (call) =>
    effect({ ...call, args: flat(call.args.slice(from)).filter((one) => one.kind !== 'map') })
const moves = both(all(deletes(0)), writes(1))
const copies = both(reads(0), writes(1))

/** In front of the program there may be a table of its environment; a lone text is for the shell. */
const starts: Effect = (call) => {
  const args = call.args.filter((one) => one.kind !== 'map')
  if (args.length === 1 && args[0]?.kind !== 'list') call.found.script(args[0])
  else call.found.words(args)
  return unknownText
}

/** `open('| command')` starts it. */
const opens: Effect = (call) => {
  for (const one of textsOf(call.args[0])) {
    if (one.startsWith('|')) call.found.script(text(one.slice(1)))
    else if (/^https?:/.test(one)) call.found.network(text(one))
    else effects.opens(0, 1)({ ...call, args: [text(one), ...call.args.slice(1)] })
  }
  return unknownText
}

const path: Effect = effects.asPath
const evaluates = effects.evaluates('ruby')

const calls: Record<string, Effect> = {
  'FileUtils.rm': all(deletes('all')),
  'FileUtils.rm_f': all(deletes('all')),
  'FileUtils.remove_file': deletes(0),
  'FileUtils.safe_unlink': all(deletes('all')),
  'FileUtils.rmdir': all(deletes('all')),
  'FileUtils.mv': moves,
  'FileUtils.move': moves,
  'FileUtils.cp': copies,
  'FileUtils.copy': copies,
  'FileUtils.cp_r': copies,
  'FileUtils.copy_file': copies,
  'FileUtils.install': copies,
  'FileUtils.chmod': all(marks('all'), 1),
  'FileUtils.chmod_R': all(marks('all', true), 1),
  'FileUtils.chown': all(marks('all'), 2),
  'FileUtils.chown_R': all(marks('all', true), 2),
  'FileUtils.touch': all(writes('all')),
  'FileUtils.mkdir': all(writes('all')),
  'FileUtils.mkdir_p': all(writes('all')),
  'FileUtils.ln': both(marks(0), writes(1)),
  'FileUtils.ln_s': both(reads(0), writes(1)),
  'FileUtils.ln_sf': both(reads(0), writes(1)),
  'File.delete': all(deletes('all')),
  'File.unlink': all(deletes('all')),
  'File.rename': moves,
  'File.open': opens,
  'File.new': effects.opens(0, 1),
  'File.truncate': writes(0),
  'File.chmod': all(marks('all'), 1),
  'File.chown': all(marks('all'), 2),
  'File.symlink': both(reads(0), writes(1)),
  'File.link': both(marks(0), writes(1)),
  'File.join': ({ args }) => flat(args).reduce((left, right) => combine(left, right, joinPath)),
  'File.expand_path': ({ args, around, ...call }) => {
    const [first, base] = args
    const whole = effects.expandsHome({ ...call, args: first === undefined ? [] : [first], around })
    return base === undefined ? whole : combine(base, whole, joinPath)
  },
  'File.absolute_path': effects.same,
  'File.realpath': effects.same,
  'File.dirname': ({ args }) => mapped(args[0], (one) => one.replace(/\/+[^/]*$/, '')),
  'File.basename': ({ args }) => mapped(args[0], (one) => one.replace(/^.*\//s, '')),
  'Dir.rmdir': deletes(0),
  'Dir.delete': deletes(0),
  'Dir.unlink': deletes(0),
  'Dir.mkdir': writes(0),
  'Dir.home': effects.homeOf,
  'Dir.pwd': () => text('.'),
  'Dir.glob': effects.matches,
  'Dir.children': effects.listsNames,
  'Dir.entries': effects.listsNames,
  'Dir.each_child': effects.listsNames,
  Pathname: path,
  'Pathname.new': path,
  open: opens,
  'Kernel.open': opens,
  'URI.open': effects.talks,
  'IO.popen': starts,
  'IO.sysopen': effects.opens(0, 1),
  'Process.spawn': starts,
  'Process.exec': starts,
  'PTY.spawn': starts,
  eval: evaluates,
  instance_eval: evaluates,
  class_eval: evaluates,
  'Kernel.eval': evaluates,
  load: reads(0),
  'Base64.decode64': effects.decodes('base64'),
  'Base64.strict_decode64': effects.decodes('base64'),
  'Base64.urlsafe_decode64': effects.decodes('base64'),
  'ENV.fetch': (call) => effects.variableOf(call.args[0], call),
  Shellwords: effects.same,
  'Shellwords.escape': effects.same,
  'Shellwords.split': effects.splitsWords,
  gets: ({ around }) => (around.stdin === undefined ? unknownText : text(around.stdin.value.trim())),
  send: ({ args, ...call }) => sent(args, call),
  __send__: ({ args, ...call }) => sent(args, call),
  public_send: ({ args, ...call }) => sent(args, call),
  'TCPSocket.new': effects.talks,
  'TCPSocket.open': effects.talks,
  'UDPSocket.new': effects.talks,
  'HTTParty.get': effects.talks,
  'RestClient.get': effects.talks,
  'RestClient.post': effects.talks,
  'Faraday.get': effects.talks,
}

/** `send(:system, …)` is the call of that name. */
function sent(args: readonly Value[], call: Omit<Parameters<Effect>[0], 'args'>, module = ''): Value {
  const name = textsOf(args[0])[0] ?? ''
  const effect = calls[`${module}${name}`] ?? calls[name]
  return (
    effect?.({ ...call, args: args.slice(1), arg: (at, ...names) => args[at + 1] ?? call.arg(-1, ...names) }) ?? unknown
  )
}

for (const name of ['rm_r', 'rm_rf', 'rmtree', 'remove_dir', 'remove_entry', 'remove_entry_secure', 'remove']) {
  calls[`FileUtils.${name}`] = all(deletes('all', name !== 'remove'))
}
for (const module of ['', 'Kernel.', 'Object.']) {
  for (const name of ['system', 'exec', 'spawn', '`']) calls[`${module}${name}`] = starts
}
for (const name of ['capture2', 'capture2e', 'capture3', 'popen2', 'popen2e', 'popen3', 'pipeline'])
  calls[`Open3.${name}`] = starts
for (const module of ['File', 'IO']) {
  for (const name of ['write', 'binwrite']) calls[`${module}.${name}`] = writes(0)
  for (const name of ['read', 'binread', 'readlines', 'foreach']) calls[`${module}.${name}`] = reads(0)
}
for (const name of ['get', 'get_response', 'post', 'post_form', 'start', 'new'])
  calls[`Net.HTTP.${name}`] = effects.talks
for (const module of ['FileUtils', 'File', 'Kernel', 'Dir']) {
  for (const name of ['send', '__send__', 'public_send'])
    calls[`${module}.${name}`] = ({ args, ...call }) => sent(args, call, `${module}.`)
}

const methods: Record<string, Effect> = {
  delete: (call) => (call.receiver?.kind === 'text' && call.receiver.path === true ? deletes('self')(call) : undefined),
  unlink: deletes('self'),
  rmtree: deletes('self', true),
  rmdir: deletes('self'),
  write: (call) => (call.receiver?.kind === 'text' && call.receiver.path === true ? writes('self')(call) : undefined),
  read: (call) => (call.receiver?.kind === 'text' && call.receiver.path === true ? reads('self')(call) : unknownText),
  rename: (call) =>
    call.receiver?.kind === 'text' && call.receiver.path === true ? both(deletes('self'), writes(0))(call) : undefined,
  join: ({ receiver, args }) => {
    if (receiver?.kind !== 'list')
      return args.reduce((left, right) => combine(left, right, joinPath), receiver ?? unknownText)
    return receiver.items.reduce((left, right) =>
      combine(left, right, (one, other) => one + (textsOf(args[0] ?? text(''))[0] ?? '') + other),
    )
  },
  to_s: effects.same,
  strip: effects.same,
  chomp: effects.same,
  freeze: effects.same,
  unpack1: (call) => ((textsOf(call.args[0])[0] ?? '').startsWith('m') ? decodesReceiver(call) : unknownText),
  unpack: (call) => list([(textsOf(call.args[0])[0] ?? '').startsWith('m') ? decodesReceiver(call) : unknownText]),
  first: ({ receiver }) => (receiver?.kind === 'list' ? (receiver.items[0] ?? unknown) : unknown),
  pack: ({ receiver }) => (receiver?.kind === 'list' ? effects.characters(receiver.items) : unknownText),
  send: ({ args, ...call }) => sent(args, call),
  children: effects.listsFolder,
  call: () => unknown,
}
const decodesReceiver = (call: Parameters<Effect>[0]): Value =>
  effects.decodes('base64')({ ...call, args: call.receiver === undefined ? [] : [call.receiver] }) ?? unknownText

export const ruby: Language = {
  lexis,
  concat: ['+'],
  members: ['.', '::', '&.'],
  prefixes: new Set([
    'return',
    'puts',
    'print',
    'p',
    'if',
    'unless',
    'while',
    'until',
    'not',
    'and',
    'or',
    'do',
    'then',
    'else',
    'elsif',
    'begin',
    'rescue',
    'ensure',
    'raise',
    'yield',
    'def',
    'end',
    'in',
    'case',
    'when',
  ]),
  bareCalls: true,
  lines: true,
  names: {},
  calls,
  methods,
  constants: (name, around) =>
    name === 'ARGV' ? list((around.parameters ?? []).map((one) => text(one.value))) : undefined,
  index: (name, key, around) => {
    if (name === 'ENV') return effects.variableOf(key, { around })
    if (name === 'ARGV' && key.kind === 'number') return effects.parameterAt(key.number, around)
    if (name === 'Dir') return list([mapped(key, effects.patternOf)])
    return undefined
  },
}
