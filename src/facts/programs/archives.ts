import { type ShellWord, unknownPart } from '../../model/shell.ts'
import { splitWords } from './listed.ts'
import type { Doing } from './doing.ts'
import type { Line } from './line.ts'
import { listed } from './listed.ts'
import { remotePlace } from './looks.ts'
import type { Described, Rows } from './row.ts'
import { behind } from './behind.ts'

/** Archives and compressed files. */
export const archives: Rows = {
  'tar gtar bsdtar': {
    options:
      'f file b blocking-factor C directory F info-script g=write listed-incremental=write H format I use-compress-program K starting-file L tape-length N newer newer-mtime T files-from V label X=read exclude-from=read exclude exclude-tag exclude-ignore=none mode mtime owner group owner-map=read group-map=read transform xform strip-components suffix backup? to-command rsh-command rmt-command checkpoint? checkpoint-action index-file=write sort level one-top-level? atime-preserve? quoting-style warning occurrence? hole-detection volno-file +create +extract +get +list +append +update +diff +compare +delete +concatenate +catenate +remove-files +no-recursion +force-local +to-stdout +absolute-names +gzip +bzip2 +xz +zstd +verbose +preserve-permissions +overwrite +keep-old-files +dereference +totals',
    words: tarWords,
    also: tar,
  },
  zip: {
    options:
      'b=into temp-path=into t tt n P password O=write out=write output-file=write x exclude i include s ll lf=write logfile-path=write sf UN +recurse-paths +encrypt +move +junk-paths +update +freshen +delete',
    silent: true,
    also(line, doing, command) {
      const [archive, ...members] = line.operands
      if (archive === undefined) return
      if (archive.value === '-') doing.speaks()
      doing.touch(archive, line.has('d', 'delete', 'u', 'update', 'f', 'freshen') ? 'append' : 'write')
      const recursive = line.has('r', 'R', 'recurse-paths')
      for (const word of members) doing.touch(word, 'read', { recursive })
      if (line.has('m', 'move')) for (const word of members) doing.touch(word, 'delete', { recursive })
      if (line.has('@')) listed(command, doing)
    },
  },
  unzip: {
    options: 'd=into P x',
    first: 'read',
    silent: true,
    also(line, doing) {
      if (line.has('p', 'c')) doing.speaks()
      else if (!line.has('l', 't', 'v', 'Z', 'z', 'd') && line.operands.length > 0) doing.touch({ value: '.' }, 'into')
    },
  },
  'unrar unar unace lha lhasa cabextract': {
    options: 'o=into d=into output-directory=into p password',
    silent: true,
    also(line, doing) {
      const verb = line.program === 'unrar' ? 1 : 0
      doing.touch(line.operands[verb], 'read')
      doing.touch(line.value('o', 'd', 'output-directory') === undefined ? { value: '.' } : undefined, 'into')
    },
  },
  '7z 7za 7zr 7zz p7zip rar': { words: ({ args }) => [{ value: '--' }, ...args], silent: true, also: sevenZip },
  'gzip pigz bzip2 pbzip2 lbzip2 xz lzma pixz zstd pzstd lz4 lzip lzop brotli compress': {
    options:
      'S suffix o=write output=write T threads p processes M memlimit D=read +stdout +to-stdout +decompress +uncompress +keep +test +list +force +rm',
    also: squeezed,
  },
  'gunzip unpigz bunzip2 unxz unlzma unzstd unlz4 uncompress lunzip unbrotli': {
    options: 'S suffix o=write output=write T threads +stdout +to-stdout +keep +test +list +force',
    also: squeezed,
  },
  cpio: {
    options:
      'F file O I E=read pattern-file=read D=names directory=names H format C io-size R owner M message rsh-command +create +extract +pass-through +list',
    also(line, doing, command) {
      if (line.has('o', 'create')) {
        doing.touch(line.value('O', 'F', 'file'), 'write')
        listed(command, doing)
        if (line.has('O', 'F', 'file')) doing.silent()
      } else if (line.has('p', 'pass-through')) {
        listed(command, doing)
        doing.touch(line.operands[0], 'into')
      } else {
        doing.touch(line.value('I', 'F', 'file'), 'read')
        if (!line.has('t', 'list')) doing.touch(line.value('D', 'directory') ?? { value: '.' }, 'into')
      }
    },
  },
  pax: {
    options: 'f x s',
    also(line, doing) {
      const writing = line.has('w')
      doing.touch(line.value('f'), writing ? 'write' : 'read')
      if (writing) for (const word of line.operands) doing.touch(word, 'read', { recursive: true })
      else if (line.has('r')) doing.touch({ value: '.' }, 'into')
    },
  },
  'ar ranlib': {
    also(line, doing) {
      const [, archive, ...members] = line.program === 'ar' ? line.operands : [undefined, ...line.operands]
      doing.touch(archive, 'edit')
      for (const word of members) doing.touch(word, 'read')
    },
  },
  'mksquashfs genisoimage mkisofs xorriso shar': {
    options: 'o=write output=write comp e',
    operands: 'read',
    recursive: true,
    oneDash: true,
  },
  unsquashfs: { options: 'd=into dest=into', first: 'read', oneDash: true },
  'zipinfo zipnote lsar': { operands: 'read' },
}

const tarValued = 'fbCFgHIKLNTVX'

/** The options of old tars stand without a dash, their values behind them in order; `TAR_OPTIONS` comes first. */
function tarWords({ args, assignments }: Described): readonly ShellWord[] {
  const words: ShellWord[] = []
  const more = assignments.findLast(({ name }) => name === 'TAR_OPTIONS')?.value
  if (more !== undefined) words.push(...splitWords(more))
  const [first] = args
  if (first === undefined || first.value.startsWith('-') || !/^[A-Za-z0-9]+$/.test(first.value))
    return [...words, ...args]
  let at = 1
  for (const letter of first.value) {
    words.push({ value: `-${letter}` })
    const value = args[at]
    if (!tarValued.includes(letter) || value === undefined) continue
    words.push(value)
    at++
  }
  return [...words, ...args.slice(at)]
}

function tar(line: Line, doing: Doing, command: Described): void {
  const creates = line.has('c', 'create', 'r', 'append', 'u', 'update', 'A', 'concatenate', 'catenate')
  const extracts = line.has('x', 'extract', 'get')
  const archive = line.value('f', 'file')
  const remote = archive === undefined || line.has('force-local') ? undefined : remotePlace(archive.value)
  if (remote !== undefined) doing.network({ direction: creates ? 'send' : 'receive', ...host(remote.host) })
  else if (archive !== undefined) {
    if (creates) doing.touch(archive, line.has('c', 'create') ? 'write' : 'append')
    else doing.touch(archive, 'read')
  }
  if (creates && archive !== undefined && archive.value !== '-') doing.silent()
  const folder = line.value('C', 'directory')
  const list = line.value('T', 'files-from')
  if (list?.value === '-' || list?.value === '/dev/stdin') {
    if (creates) listed(command, doing)
  } else doing.touch(list, 'read')
  if (creates) {
    const recursive = !line.has('no-recursion')
    for (const word of line.operands) {
      const member = inFolder(folder, word)
      doing.touch(member, 'read', { recursive })
      if (line.has('remove-files')) doing.touch(member, 'delete', { recursive })
    }
  } else if (extracts && !line.has('O', 'to-stdout')) {
    doing.touch(folder ?? line.value('one-top-level') ?? { value: '.' }, 'into')
    if (line.has('P', 'absolute-names')) doing.touch({ value: '/' }, 'into')
    doing.silent()
  } else if (line.has('delete')) doing.touch(archive, 'write')
}

const host = (name: string): { readonly host?: string } => (name.includes(unknownPart) ? {} : { host: name })

/** A word as it is from a folder that an option changes to. */
export function inFolder(folder: ShellWord | undefined, word: ShellWord): ShellWord {
  if (folder === undefined || word.value.startsWith('/')) return word
  const base = folder.value.replace(/\/+$/, '')
  const value = `${base}/${word.value}`
  const unresolved = folder.unresolved === true || word.unresolved === true
  const { pattern } = word
  const escaped = base.replace(/[*?[\]\\]/g, '\\$&')
  return {
    value,
    ...(unresolved && { unresolved }),
    ...(pattern !== undefined && { pattern: `${escaped}/${pattern}` }),
  }
}

function sevenZip(line: Line, doing: Doing): void {
  const [verb, ...rest] = line.operands
  const operands = rest.filter(({ value }) => !/^-./.test(value))
  const out = rest.find(({ value }) => /^-o./.test(value))
  const [archive, ...members] = operands
  if (verb === undefined) return
  switch (verb.value) {
    case 'a':
    case 'u':
    case 'm':
      doing.touch(archive, 'append')
      for (const word of members) doing.touch(word, 'read', { recursive: true })
      if (verb.value === 'm' || rest.some(({ value }) => value === '-sdel')) {
        for (const word of members) doing.touch(word, 'delete', { recursive: true })
      }
      break
    case 'x':
    case 'e':
      doing.touch(archive, 'read')
      doing.touch(out === undefined ? { value: '.' } : behind(out, 2), 'into')
      break
    case 'd':
    case 'rn':
      doing.touch(archive, 'edit')
      break
    default:
      doing.touch(archive, 'read')
  }
}

const suffixes: Readonly<Record<string, string>> = {
  gzip: '.gz',
  pigz: '.gz',
  bzip2: '.bz2',
  pbzip2: '.bz2',
  lbzip2: '.bz2',
  xz: '.xz',
  pixz: '.xz',
  lzma: '.lzma',
  zstd: '.zst',
  pzstd: '.zst',
  lz4: '.lz4',
  lzip: '.lz',
  lzop: '.lzo',
  brotli: '.br',
  compress: '.Z',
}
const keepers = new Set(['zstd', 'pzstd', 'unzstd', 'lz4', 'unlz4', 'brotli', 'unbrotli', 'lzop'])

/** `gzip f` leaves `f.gz` in its place, unless it is told otherwise. */
function squeezed(line: Line, doing: Doing): void {
  const { program, operands } = line
  for (const word of operands) doing.touch(word, 'read', { recursive: line.has('r', 'recursive') })
  if (operands.length === 0 || line.has('c', 'stdout', 'to-stdout')) return
  doing.silent()
  if (line.has('t', 'test', 'l', 'list')) return
  const expands = line.has('d', 'decompress', 'uncompress') || suffixes[program] === undefined
  const suffix = line.value('S', 'suffix')?.value ?? suffixes[program] ?? '.gz'
  const keeps = line.has('k', 'keep') || (keepers.has(program) && !line.has('rm'))
  for (const word of operands) {
    const value = expands
      ? word.value.replace(/\.(?:gz|tgz|bz2|xz|lzma|zst|lz4|lz|lzo|br|Z|z)$/, '')
      : word.value + suffix
    if (!line.has('o', 'output')) {
      const { pattern: _, ...rest } = word
      doing.touch({ ...rest, value }, 'write')
    }
    if (!keeps) doing.touch(word, 'delete')
  }
}
