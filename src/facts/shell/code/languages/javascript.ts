import * as effects from '../effects.ts'
import type { Call, Effect, Language } from '../language.ts'
import { javascript as lexis } from '../lexis.ts'
import { copies, files, moves } from './javascript-files.ts'
import { combine, isTrue, list, mapped, named, text, textsOf, unknown, unknownText, type Value } from '../value.ts'

const { deletes, deletesIf, marks, reads, writes } = effects

const option = (call: Call, name: string): Value | undefined =>
  call.args.flatMap((arg) => (arg.kind === 'map' && arg.entries.has(name) ? [arg.entries.get(name)] : []))[0]

/** `spawn(program, [arguments], {shell})`. */
const spawns: Effect = (call) => {
  const [program, args] = call.args
  if (isTrue(option(call, 'shell'))) {
    const rest = args?.kind === 'list' ? args.items : []
    call.found.script(
      [program ?? unknown, ...rest].reduce((left, right) => combine(left, right, (one, other) => `${one} ${other}`)),
    )
  } else call.found.words(args?.kind === 'list' || args?.kind === 'unknown' ? [program, args] : [program])
  return unknownText
}

const evaluates = effects.evaluates('javascript')

const calls: Record<string, Effect> = {
  require: ({ args }) => named(canonical(textsOf(args[0])[0] ?? '')),
  import: ({ args }) => named(canonical(textsOf(args[0])[0] ?? '')),
  'child_process.exec': effects.scripts(),
  'child_process.execSync': effects.scripts(),
  'child_process.execFile': spawns,
  'child_process.execFileSync': spawns,
  'child_process.spawn': spawns,
  'child_process.spawnSync': spawns,
  'child_process.fork': ({ args, found }) => {
    found.words([text('node'), args[0]])
    return unknown
  },
  execa: spawns,
  'execa.execa': spawns,
  'execa.execaSync': spawns,
  'execa.execaCommand': effects.scripts(),
  'execa.execaCommandSync': effects.scripts(),
  'cross-spawn': spawns,
  'cross-spawn.sync': spawns,
  'shelljs.exec': effects.scripts(),
  'shelljs.rm': ({ args, found }) => {
    found.words([text('rm'), ...args])
    return undefined
  },
  'shelljs.mv': moves,
  'shelljs.cp': copies,
  rimraf: deletes(0, true),
  'rimraf.sync': deletes(0, true),
  'rimraf.rimraf': deletes(0, true),
  'rimraf.rimrafSync': deletes(0, true),
  del: deletes(0, true),
  'del.deleteAsync': deletes(0, true),
  'del.deleteSync': deletes(0, true),
  'del.sync': deletes(0, true),
  trash: deletes(0, true),
  eval: evaluates,
  Function: (call) => {
    call.found.code('javascript', call.args.at(-1))
    return unknown
  },
  'vm.runInNewContext': evaluates,
  'vm.runInThisContext': evaluates,
  'vm.runInContext': evaluates,
  'vm.Script': evaluates,
  setTimeout: (call) => (call.args[0]?.kind === 'text' ? evaluates(call) : undefined),
  setInterval: (call) => (call.args[0]?.kind === 'text' ? evaluates(call) : undefined),
  atob: effects.decodes('base64'),
  'Buffer.from': (call) => {
    const encoding = textsOf(call.args[1])[0] ?? ''
    if (call.args[0]?.kind === 'list') return effects.characters(call.args[0].items)
    if (encoding.startsWith('base64')) return effects.decodes('base64')(call)
    return encoding === 'hex' ? effects.decodes('hex')(call) : call.args[0]
  },
  unescape: ({ args }) => mapped(args[0], unescaped),
  decodeURIComponent: ({ args }) => mapped(args[0], unescaped),
  'String.fromCharCode': ({ args }) => effects.characters(args),
  'String.fromCodePoint': ({ args }) => effects.characters(args),
  String: effects.same,
  'path.join': effects.joinsPaths,
  'path.resolve': effects.joinsPaths,
  'path.normalize': effects.same,
  'path.dirname': ({ args }) => mapped(args[0], (one) => one.replace(/\/+[^/]*$/, '')),
  'path.basename': ({ args }) => mapped(args[0], (one) => one.replace(/^.*\//s, '')),
  'os.homedir': effects.homeOf,
  'os.tmpdir': () => text('/tmp'),
  'process.cwd': () => text('.'),
  'process.binding': () => unknown,
  fetch: effects.talks,
  'Deno.remove': deletesIf(0, 'recursive'),
  'Deno.removeSync': deletesIf(0, 'recursive'),
  'Deno.rename': moves,
  'Deno.renameSync': moves,
  'Deno.writeTextFile': writes(0),
  'Deno.writeTextFileSync': writes(0),
  'Deno.writeFile': writes(0),
  'Deno.writeFileSync': writes(0),
  'Deno.readTextFile': reads(0),
  'Deno.readTextFileSync': reads(0),
  'Deno.readFile': reads(0),
  'Deno.readFileSync': reads(0),
  'Deno.truncate': writes(0),
  'Deno.chmod': marks(0),
  'Deno.chmodSync': marks(0),
  'Deno.copyFile': copies,
  'Deno.connect': effects.talks,
  'Deno.env.get': (call) => effects.variableOf(call.args[0], call),
  'Deno.Command': (call) => {
    call.found.words([call.args[0], option(call, 'args') ?? list([])])
    return unknown
  },
  'Deno.run': (call) => {
    call.found.words([option(call, 'cmd')])
    return unknown
  },
  'Bun.spawn': effects.wordsOrScript,
  'Bun.spawnSync': effects.wordsOrScript,
  'Bun.write': writes(0),
  'Bun.file': effects.asPath,
}
for (const [name, effect] of Object.entries(files)) {
  calls[`fs.${name}`] = effect
  calls[`fs.${name}Sync`] = effect
}
for (const name of ['http', 'https', 'axios', 'got', 'node-fetch', 'undici', 'superagent', 'needle']) {
  calls[name] = effects.talks
  for (const verb of ['get', 'request', 'post', 'put', 'patch', 'delete', 'head', 'fetch'])
    calls[`${name}.${verb}`] = effects.talks
}
for (const name of [
  'net.connect',
  'net.createConnection',
  'tls.connect',
  'dgram.createSocket',
  'WebSocket',
  'XMLHttpRequest',
  'dns.lookup',
  'dns.resolve',
  'net.Socket',
]) {
  calls[name] = (call: Call) => {
    call.found.network(call.args.find((one) => one.kind === 'text'))
    return unknown
  }
}

const unescaped = (one: string): string =>
  one.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))

const joined: Effect = ({ receiver, args }) =>
  receiver?.kind === 'list'
    ? receiver.items.reduce((left, right) =>
        combine(left, right, (one, other) => `${one}${textsOf(args[0] ?? text(','))[0] ?? ''}${other}`),
      )
    : unknownText

const methods: Record<string, Effect> = {
  require: ({ args }) => named(canonical(textsOf(args[0])[0] ?? '')),
  toString: effects.same,
  trim: effects.same,
  join: joined,
  concat: ({ receiver, args }) =>
    receiver?.kind === 'list'
      ? list([...receiver.items, ...args.flatMap((one) => (one.kind === 'list' ? one.items : [one]))])
      : args.reduce((left, right) => combine(left, right, (one, other) => one + other), receiver ?? unknownText),
  replace: ({ receiver, args }) => {
    const [from, to] = args.map((one) => textsOf(one)[0] ?? '')
    return args[0]?.kind === 'text' && from !== undefined && to !== undefined
      ? mapped(receiver, (one) => one.replace(from, () => to))
      : unknownText
  },
  split: ({ receiver, args }) => {
    const between = textsOf(args[0])[0] ?? ''
    return receiver?.kind === 'text' ? list((receiver.texts[0] ?? '').split(between).map((one) => text(one))) : unknown
  },
  reverse: ({ receiver }) => (receiver?.kind === 'list' ? list(receiver.items.toReversed()) : unknown),
  map: effects.same,
  filter: effects.same,
  // oxlint-disable-next-line unicorn/no-thenable -- a table of methods is never awaited
  then: ({ args, found }) => {
    if (args[0]?.kind === 'name' && args[0].name === 'eval') found.code('javascript', unknown)
    return unknown
  },
  constructor: (call: Call) =>
    call.args.some((one) => one.kind === 'text') ? evaluates({ ...call, args: call.args.slice(-1) }) : undefined,
  delete: (call) => (call.receiver?.kind === 'text' && call.receiver.path === true ? deletes('self')(call) : undefined),
}

/** The built-in modules by whichever of their names. */
function canonical(name: string): string {
  return name
    .replace(/^node:/, '')
    .replace(/^(?:fs\/promises|fs-extra|graceful-fs|fs\.promises|fsPromises|original-fs)(?=\.|$)/, 'fs')
    .replace(/^fs\.default(?=\.|$)/, 'fs')
    .replace(/^(?:globalThis|global|window|self)\./, '')
    .replace(/^path\.(?:posix|win32)(?=\.)/, 'path')
    .replace(/^(\w+)\.default(?=\.|$)/, '$1')
    .replace(/\.(?:call|apply|bind)$/, '')
}

export const javascript: Language = {
  lexis,
  concat: ['+'],
  members: ['.', '?.'],
  prefixes: new Set([
    'return',
    'await',
    'new',
    'typeof',
    'void',
    'delete',
    'throw',
    'yield',
    'const',
    'let',
    'var',
    'async',
    'function',
    'else',
    'do',
    'try',
    'finally',
    'export',
    'default',
    'case',
    'in',
    'of',
    'instanceof',
  ]),
  names: {
    fsp: 'fs',
    cp: 'child_process',
    childProcess: 'child_process',
    ...Object.fromEntries(
      [
        'unlinkSync',
        'rmSync',
        'rmdirSync',
        'writeFileSync',
        'readFileSync',
        'renameSync',
        'chmodSync',
        'appendFileSync',
      ].map((name) => [name, `fs.${name}`]),
    ),
    ...Object.fromEntries(
      ['execSync', 'spawnSync', 'execFileSync', 'spawn'].map((name) => [name, `child_process.${name}`]),
    ),
    shell: 'shelljs',
  },
  calls,
  methods,
  constants: (name, around) => {
    const variable = /^(?:process|Bun)\.env\.(\w+)$/.exec(name)?.[1]
    if (variable !== undefined) return effects.variableOf(text(variable), { around })
    if (name === '__dirname' || name === 'import.meta.dirname') return text('.')
    if (name === 'path.sep') return text('/')
    if (name === 'Deno.args') return list((around.parameters ?? []).map((one) => text(one.value)))
    if (name === 'process.argv') return list([text('node'), ...(around.parameters ?? []).map((one) => text(one.value))])
    return undefined
  },
  index: (name, key, around) => (name === 'process.env' ? effects.variableOf(key, { around }) : undefined),
  canonical,
}
