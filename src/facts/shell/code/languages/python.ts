import { unknownPart } from '../../../../model/shell.ts'
import * as effects from '../effects.ts'
import type { Effect, Language } from '../language.ts'
import { python as lexis } from '../lexis.ts'
import { joined, pythonMethods as methods, subprocess } from './python-methods.ts'
import { either, everyPart, list, mapped, named, path, text, textsOf, unknown, unknownText } from '../value.ts'

const { both, deletes, marks, opens, reads, writes } = effects

/** `os.execv(path, [name, …])`, `os.execl(path, name, …)`; with a mode in front for `os.spawnv`. */
const replaces =
  (from: number): Effect =>
  ({ args, found }) => {
    const [program, ...rest] = args.slice(from)
    const words = rest.flatMap((one) => (one.kind === 'list' ? one.items : [one]))
    found.words([program, ...words.slice(1)])
    return unknown
  }

const talks: Effect = (call) => {
  call.found.network(call.arg(0, 'url'))
  return unknownText
}

const opensByFlags: Effect = (call) => {
  const flags = call.args[1]
  const name = flags?.kind === 'name' ? flags.name : ''
  call.found.path(call.args[0], flags === undefined || name.endsWith('O_RDONLY') ? 'read' : 'write')
  return unknown
}

const moves = both(deletes(0), writes(1))
/** Another name for the same file: what is written by one name is written by both. */
const links = both(marks(0), writes(1))
const chdir: Effect = () => undefined

const calls: Record<string, Effect> = {
  'os.remove': deletes(0),
  'os.unlink': deletes(0),
  'os.rmdir': deletes(0),
  'os.removedirs': deletes(0),
  'os.rename': moves,
  'os.renames': moves,
  'os.replace': moves,
  'os.link': links,
  'os.symlink': both(reads(0), writes(1)),
  'os.chmod': marks(0),
  'os.chown': marks(0),
  'os.lchown': marks(0),
  'os.utime': marks(0),
  'os.truncate': writes(0),
  'os.mkdir': writes(0),
  'os.makedirs': writes(0),
  'os.mkfifo': writes(0),
  'os.mknod': writes(0),
  'os.open': opensByFlags,
  'os.chdir': chdir,
  'os.listdir': effects.listsNames,
  'os.scandir': effects.listsFolder,
  'os.walk': ({ args: [top = unknown] }) => {
    const names = list([text(everyPart)])
    return list([list([either(top, effects.anyBelow(top)), names, names])])
  },
  'os.system': effects.scripts(),
  'os.popen': effects.scripts(),
  'os.startfile': effects.programs,
  'os.getenv': (call) => effects.variableOf(call.args[0], call),
  'os.environ.get': (call) => effects.variableOf(call.args[0], call),
  'os.path.join': effects.joinsPaths,
  'os.path.expanduser': effects.expandsHome,
  'os.path.expandvars': ({ args, around }) =>
    mapped(args[0], (one) =>
      one.replaceAll(
        /\$\{?(\w+)\}?/g,
        (_, name: string) => (name === 'HOME' ? around.home : around.variable?.(name)) ?? unknownPart,
      ),
    ),
  'os.path.abspath': effects.same,
  'os.path.realpath': effects.same,
  'os.path.normpath': effects.same,
  'os.path.dirname': ({ args }) => mapped(args[0], (one) => one.replace(/\/+[^/]*$/, '')),
  'os.path.basename': ({ args }) => mapped(args[0], (one) => one.replace(/^.*\//s, '')),
  'os.getcwd': () => text('.'),
  'os.fspath': effects.same,
  'shutil.rmtree': deletes(0, true),
  'shutil.move': moves,
  'shutil.copy': both(reads(0), writes(1)),
  'shutil.copy2': both(reads(0), writes(1)),
  'shutil.copyfile': both(reads(0), writes(1)),
  'shutil.copytree': both(reads(0), writes(1)),
  'shutil.copymode': marks(1),
  'shutil.chown': marks(0),
  'shutil.make_archive': both(reads(2), writes(0)),
  'shutil.unpack_archive': both(reads(0), writes(1)),
  'send2trash.send2trash': deletes(0),
  'glob.glob': effects.matches,
  'glob.iglob': effects.matches,
  open: opens(0, 1),
  'io.open': opens(0, 1),
  'codecs.open': opens(0, 1),
  'gzip.open': opens(0, 1),
  'zipfile.ZipFile': opens(0, 1),
  'tarfile.open': opens(0, 1),
  'pathlib.Path': effects.asPath,
  'pathlib.PurePath': effects.asPath,
  'pathlib.PosixPath': effects.asPath,
  'pathlib.Path.home': ({ around }) => path([around.home ?? unknownPart]),
  'pathlib.Path.cwd': () => path(['.']),
  'tempfile.mkdtemp': () => text(`/tmp/${unknownPart}`),
  'tempfile.gettempdir': () => text('/tmp'),
  'tempfile.NamedTemporaryFile': () => unknownText,
  'pty.spawn': effects.wordsOrScript,
  'pexpect.spawn': effects.scripts(),
  'pexpect.run': effects.scripts(),
  'asyncio.create_subprocess_shell': effects.scripts(),
  'asyncio.create_subprocess_exec': effects.programs,
  'commands.getoutput': effects.scripts(),
  'commands.getstatusoutput': effects.scripts(),
  'shlex.split': effects.splitsWords,
  'shlex.join': ({ args }) => joined(' ', args[0]),
  'shlex.quote': effects.same,
  exec: effects.evaluates('python'),
  eval: effects.evaluates('python'),
  compile: effects.same,
  __import__: ({ args }) => named(textsOf(args[0])[0] ?? ''),
  'importlib.import_module': ({ args }) => named(textsOf(args[0])[0] ?? ''),
  getattr: ({ args }) => {
    const [object, name] = args
    const member = textsOf(name)[0] ?? unknownPart
    return object?.kind === 'name' && !member.includes(unknownPart) ? named(`${object.name}.${member}`) : unknown
  },
  'base64.b64decode': effects.decodes('base64'),
  'base64.standard_b64decode': effects.decodes('base64'),
  'base64.urlsafe_b64decode': effects.decodes('base64'),
  'base64.decodebytes': effects.decodes('base64'),
  'base64.b16decode': effects.decodes('hex'),
  'base64.b32decode': effects.decodesSomehow,
  'base64.b85decode': effects.decodesSomehow,
  'binascii.unhexlify': effects.decodes('hex'),
  'binascii.a2b_base64': effects.decodes('base64'),
  'bytes.fromhex': effects.decodes('hex'),
  'codecs.decode': (call) => {
    const encoding = textsOf(call.args[1])[0] ?? ''
    if (/^rot_?13$/.test(encoding)) return mapped(call.args[0], rotated)
    return /hex/.test(encoding)
      ? effects.decodes('hex')(call)
      : /base64/.test(encoding)
        ? effects.decodes('base64')(call)
        : effects.decodesSomehow(call)
  },
  vars: effects.same,
  'zlib.decompress': effects.decodesSomehow,
  'marshal.loads': effects.decodesSomehow,
  'pickle.loads': (call) => {
    call.found.does('evaluates')
    return unknown
  },
  str: effects.same,
  bytes: ({ args }) => (args[0]?.kind === 'list' ? effects.characters(args[0].items) : (args[0] ?? unknownText)),
  bytearray: ({ args }) => (args[0]?.kind === 'list' ? effects.characters(args[0].items) : (args[0] ?? unknownText)),
  chr: ({ args }) => effects.characters(args.slice(0, 1)),
  map: ({ args: [callee, values], ...call }) => {
    if (values?.kind !== 'list') return unknown
    if (callee?.kind === 'name' && callee.name !== 'chr' && Object.hasOwn(calls, callee.name))
      return list(values.items.map((one) => calls[callee.name]?.({ ...call, args: [one], arg: () => one }) ?? unknown))
    return callee?.kind === 'name' && callee.name === 'chr'
      ? list(values.items.map((one) => effects.characters([one])))
      : values
  },
  list: effects.same,
  sorted: effects.same,
  reversed: effects.same,
  tuple: effects.same,
  input: ({ around }) => (around.stdin === undefined ? unknownText : text(around.stdin.value.trim())),
  'sys.stdin.read': ({ around }) => (around.stdin === undefined ? unknownText : text(around.stdin.value)),
  'socket.socket': (call) => {
    call.found.network()
    return unknown
  },
  'socket.create_connection': (call) => {
    const [address] = call.args
    call.found.network(address?.kind === 'list' ? address.items[0] : address)
    return unknown
  },
  'urllib.request.urlretrieve': both(writes(1), talks),
  'wget.download': both(writes(1), talks),
}

for (const name of ['run', 'call', 'check_call', 'check_output', 'Popen']) calls[`subprocess.${name}`] = subprocess
for (const name of ['getoutput', 'getstatusoutput']) calls[`subprocess.${name}`] = effects.scripts()
for (const kind of ['l', 'le', 'lp', 'lpe', 'v', 've', 'vp', 'vpe']) {
  calls[`os.exec${kind}`] = replaces(0)
  calls[`os.spawn${kind}`] = replaces(1)
}
calls['os.posix_spawn'] = replaces(0)
calls['os.posix_spawnp'] = replaces(0)
for (const name of ['requests', 'httpx', 'aiohttp', 'urllib3']) {
  for (const verb of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'stream'])
    calls[`${name}.${verb}`] = talks
  calls[`${name}.request`] = (call) => {
    call.found.network(call.arg(1, 'url'))
    return unknownText
  }
}
for (const name of ['urllib.request.urlopen', 'urllib.request.Request', 'urllib.urlopen', 'urllib2.urlopen'])
  calls[name] = talks
for (const name of [
  'http.client.HTTPConnection',
  'http.client.HTTPSConnection',
  'ftplib.FTP',
  'smtplib.SMTP',
  'smtplib.SMTP_SSL',
  'telnetlib.Telnet',
]) {
  calls[name] = talks
}

function rotated(one: string): string {
  return one.replaceAll(/[a-z]/gi, (char) => {
    const first = char <= 'Z' ? 65 : 97
    return String.fromCodePoint(((char.charCodeAt(0) - first + 13) % 26) + first)
  })
}

export const python: Language = {
  lexis,
  concat: ['+'],
  members: ['.'],
  prefixes: new Set([
    'return',
    'await',
    'not',
    'lambda',
    'yield',
    'print',
    'assert',
    'del',
    'global',
    'if',
    'elif',
    'while',
    'with',
    'else',
    'try',
    'def',
    'class',
    'and',
    'in',
    'is',
    'raise',
    'except',
    'finally',
  ]),
  adjacentTexts: true,
  lines: true,
  names: { Path: 'pathlib.Path' },
  calls,
  methods,
  constants: (name, around) => {
    if (name === 'os.sep') return text('/')
    if (name === 'os.curdir') return text('.')
    if (name === 'os.pardir') return text('..')
    if (name === 'sys.argv') return list([text('-c'), ...(around.parameters ?? []).map((one) => text(one.value))])
    return undefined
  },
  index: (name, key, around) => {
    if (name === 'os.environ') return effects.variableOf(key, { around })
    if (name === 'sys.argv' && key.kind === 'number') return effects.parameterAt(key.number - 1, around)
    return undefined
  },
  canonical: (name) =>
    name
      .replace(/^(?:posix|nt)(?=\.|$)/, 'os')
      .replace(/^posixpath(?=\.|$)/, 'os.path')
      .replace(/\.__dict__(?=\.|$)/, '')
      .replace(/^builtins\./, '')
      .replace(/^__builtins__\./, ''),
}
