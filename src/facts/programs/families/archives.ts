import { behind } from '../../../words/options.ts'
import { type Row, type CommandView, type Line, turnedBack } from '../row.ts'
import type { Family } from '../program.ts'
import { type EffectRecorder, touchListed } from '../effects.ts'
import { inFolder, changed, remotePlace, splitWords, known } from '../words.ts'
import { type Judge, readLook, type LookRule, mayBeOption, namesIn } from '../looks/look.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'

const unpacker: Row = {
  options: 'o=into d=into output-directory=into p password',
  silent: true,
  effects(line, recorder) {
    const verb = line.program === 'unrar' ? 1 : 0
    recorder.touch(line.operands[verb], 'read')
    recorder.touch(line.value('o', 'd', 'output-directory') === undefined ? { value: '.' } : undefined, 'into')
  },
}

const packer: Row = {
  words: ({ args }) => [{ value: '--' }, ...args],
  listed: ({ operands }) => operands.slice(2).some(({ value }) => value.startsWith('@')),
  output: ({ operands }) =>
    /^[aum]$/.test(operands[0]?.value ?? '')
      ? 'archive'
      : operands.some(({ value }) => value === '-so')
        ? 'unpacked'
        : undefined,
  silent: true,
  effects: sevenZip,
}

const fileCompressor: Row = {
  output: turnedBack('unpacked', 'd decompress uncompress', 'form'),
  options:
    'S suffix o=write output=write T threads p processes M memlimit D=read +stdout +to-stdout +decompress +uncompress +keep +test +list +force +rm',
  effects: squeezed,
}

const decompressor: Row = {
  output: 'unpacked',
  options: 'S suffix o=write output=write T threads +stdout +to-stdout +keep +test +list +force',
  effects: squeezed,
}

const objectArchiver: Row = {
  output: ({ program }) => (program === 'ar' ? 'archive' : undefined),
  effects(line, recorder) {
    const [, archive, ...members] = line.program === 'ar' ? line.operands : [undefined, ...line.operands]
    recorder.touch(archive, 'edit')
    for (const word of members) recorder.touch(word, 'read')
  },
}

const sevenZipOnlyLists: Judge = ({ args }) => {
  const [verb] = args
  return (
    verb?.unresolved !== true &&
    /^[lthbi]$/.test(verb?.value ?? '') &&
    !args.slice(1).some((word) => word.several === true || /^-(?:o|w|sdel|v\d)/i.test(word.value))
  )
}

/** Judges `gzip` and its like: they replace files unless they list, test or write to stdout. */
const gzipOnlyLists: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'S suffix b T M threads D')
  const shows = names.some((name) => /^(?:c|l|t|stdout|to-stdout|list|test)$/.test(name))
  return !unknown && shows && !names.some((name) => /^(?:o|rm|output-dir.*|files.*|train.*)$/.test(name))
}

const unzipOnlyLists: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'd x P')
  return !unknown && names.some((name) => /^[lvtzZ]$/.test(name)) && !names.some((name) => /^[dopfunX]$/.test(name))
}

const cpioOnlyLists: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'F H I')
  return (
    !unknown &&
    (names.includes('t') || names.includes('list')) &&
    !names.some((name) => /^[opO]$|rsh-command/.test(name))
  )
}

const rarOnlyLists: LookRule = ({ args }) =>
  /^(?:l|lt|lta|lb|v|vt|vta|vb|t)$/.test(args[0]?.value ?? '') &&
  !args.some(({ value }) => /^-(?:o|w|ilog)/.test(value))

/** Archives and compressed files. */
export const archives: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    zip: {
      output: 'archive',
      listed: '@',
      options:
        'b=into temp-path=into t tt unzip-command=script n P password O=write out=write output-file=write x exclude i include s ll lf=write logfile-path=write sf UN +recurse-paths +encrypt +move +junk-paths +update +freshen +delete',
      silent: true,
      // `-TT SCRIPT` tests the archive.
      starts(_, starts, { args }) {
        const script = args[args.findIndex(({ value }) => value === '-TT') + 1]
        if (script !== undefined && script !== args[0]) starts.script(script)
      },
      effects(line, recorder, command) {
        const [archive, ...members] = line.operands
        if (archive === undefined) return
        if (archive.value === '-') recorder.writesStdout()
        recorder.touch(archive, line.has('d', 'delete', 'u', 'update', 'f', 'freshen') ? 'append' : 'write')
        const recursive = line.has('r', 'R', 'recurse-paths')
        for (const word of members) recorder.touch(word, 'read', { recursive })
        if (line.has('m', 'move')) for (const word of members) recorder.touch(word, 'delete', { recursive })
        if (line.has('@')) touchListed(command.stdin, recorder.touch)
      },
      saysWhatChanges: true,
    },
    unzip: {
      output: turnedBack('unpacked', 'p'),
      options: 'd=into P x',
      first: 'read',
      silent: true,
      effects(line, recorder) {
        if (line.has('p', 'c')) recorder.writesStdout()
        else if (!line.has('l', 't', 'v', 'Z', 'z', 'd') && line.operands.length > 0)
          recorder.touch({ value: '.' }, 'into')
        if (!line.has('l', 't', 'v', 'Z', 'z', 'p', 'c'))
          for (const member of line.operands.slice(1)) {
            // Its patterns are its own: the shell leaves quoted ones alone.
            const plain = changed(member, folderBefore(member.value) || '.')
            recorder.touch(inFolder(line.value('d'), plain), 'into')
          }
      },
      looks: unzipOnlyLists,
    },
    unrar: { ...unpacker, looks: rarOnlyLists },
    'unar unace lha lhasa cabextract': unpacker,
    '7z 7za 7zr 7zz': { ...packer, looks: sevenZipOnlyLists },
    rar: { ...packer, looks: rarOnlyLists },
    p7zip: packer,
    'gzip pigz bzip2 xz lzma zstd lz4 brotli': { ...fileCompressor, looks: gzipOnlyLists, saysWhatChanges: true },
    'pbzip2 lbzip2 pixz pzstd lzip lzop compress': fileCompressor,
    'gunzip unpigz bunzip2 unxz unlzma unzstd': { ...decompressor, looks: gzipOnlyLists },
    'unlz4 uncompress lunzip unbrotli': decompressor,
    cpio: {
      output: ({ has }) => (has('o', 'create') ? 'archive' : undefined),
      listed: 'o create p pass-through',
      options:
        'F file O I E=read pattern-file=read D=names directory=names H format C io-size R owner M message rsh-command +create +extract +pass-through +list',
      effects(line, recorder, command) {
        if (line.has('o', 'create')) {
          recorder.touch(line.value('O', 'F', 'file'), 'write')
          touchListed(command.stdin, recorder.touch)
          if (line.has('O', 'F', 'file')) recorder.writesNoStdout()
        } else if (line.has('p', 'pass-through')) {
          touchListed(command.stdin, recorder.touch)
          recorder.touch(line.operands[0], 'into')
        } else {
          recorder.touch(line.value('I', 'F', 'file'), 'read')
          if (!line.has('t', 'list')) recorder.touch(line.value('D', 'directory') ?? { value: '.' }, 'into')
        }
      },
      looks: cpioOnlyLists,
    },
    pax: {
      output: ({ has }) => (has('w') && !has('r') ? 'archive' : undefined),
      listed: ({ has, operands }) => has('w') && operands.length === 0,
      options: 'f x s',
      effects(line, recorder) {
        const writing = line.has('w')
        recorder.touch(line.value('f'), writing ? 'write' : 'read')
        if (writing) for (const word of line.operands) recorder.touch(word, 'read', { recursive: true })
        else if (line.has('r')) recorder.touch({ value: '.' }, 'into')
      },
    },
    ar: {
      ...objectArchiver,
      looks: ({ args: [verb = { value: '' }] }) => /^-?[tpv]+$/.test(verb.value) && verb.value.includes('t'),
    },
    ranlib: objectArchiver,
    'mksquashfs genisoimage mkisofs xorriso shar': {
      output: 'archive',
      options: 'o=write output=write comp e',
      operands: 'read',
      recursive: true,
      oneDash: true,
    },
    unsquashfs: { options: 'd=into dest=into', first: 'read', oneDash: true },
    // With any words: no option of these programs writes a file, runs a program or sends something.
    zipinfo: { operands: 'read', looks: true, prints: true },
    lsar: { operands: 'read', looks: true },
    ouch: {
      subcommands: {
        'decompress, d, extract, x': { options: 'd=into dir=into p password', operands: 'read' },
        'compress, c': { operands: 'read', recursive: true, last: 'write' },
        'list, l, ls': { operands: 'read' },
      },
    },
    zipnote: { operands: 'read' },
    jar: { looks: ({ args }) => /^-?t[vf]*$/.test(args[0]?.value ?? '') },
    // `-J` passes an option to the machine that runs it, which may load code.
    javap: {
      looks: ({ args }) =>
        readLook(args, '').operands.length > 0 &&
        !args.some((word) => mayBeOption(word) || word.value.startsWith('-J')),
    },
  },
}

function sevenZip(line: Line, recorder: EffectRecorder): void {
  const [verb, ...rest] = line.operands
  const operands = rest.filter(({ value }) => !/^-./.test(value))
  const out = rest.find(({ value }) => /^-o./.test(value))
  const [archive, ...members] = operands
  if (verb === undefined) return
  switch (verb.value) {
    case 'a':
    case 'u':
    case 'm':
      recorder.touch(archive, 'append')
      for (const word of members) recorder.touch(word, 'read', { recursive: true })
      if (verb.value === 'm' || rest.some(({ value }) => value === '-sdel')) {
        for (const word of members) recorder.touch(word, 'delete', { recursive: true })
      }
      break
    case 'x':
    case 'e':
      recorder.touch(archive, 'read')
      recorder.touch(out === undefined ? { value: '.' } : behind(out, 2), 'into')
      break
    case 'd':
    case 'rn':
      recorder.touch(archive, 'edit')
      break
    default:
      recorder.touch(archive, 'read')
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

/** Records the effects of a compressor: `gzip f` replaces `f` with `f.gz`, unless an option keeps it. */
function squeezed(line: Line, recorder: EffectRecorder): void {
  const { program, operands } = line
  for (const word of operands) recorder.touch(word, 'read', { recursive: line.has('r', 'recursive') })
  if (operands.length === 0 || line.has('c', 'stdout', 'to-stdout')) return
  recorder.writesNoStdout()
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
      recorder.touch({ ...rest, value }, 'write')
    }
    if (!keeps) recorder.touch(word, 'delete')
  }
}

/** Returns the folder in front of the first name with a wildcard. */
function folderBefore(pattern: string): string {
  const at = pattern.search(/[*?[]/)
  return at === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', at) + 1)
}

const options =
  'f file b blocking-factor C directory F=script info-script=script new-volume-script=script set-mtime-command=script set-mtime-format g=write listed-incremental=write H format I=words use-compress-program=words K starting-file L tape-length N newer newer-mtime T=list files-from=list V label X=read exclude-from=read exclude exclude-tag exclude-ignore=none mode mtime owner group owner-map=read group-map=read transform xform strip-components suffix backup? to-command=script rsh-command=words rmt-command=words checkpoint? checkpoint-action index-file=write sort level one-top-level? atime-preserve? quoting-style warning occurrence? hole-detection volno-file after-date record-size add-file pax-option sparse-version quote-chars no-quote-chars xattrs-include xattrs-exclude +create +extract +get +list +append +update +diff +compare +delete +concatenate +catenate +remove-files +no-recursion +force-local +to-stdout +absolute-names +gzip +bzip2 +xz +zstd +verbose +preserve-permissions +overwrite +keep-old-files +dereference +totals'

/** Options of tar with which it writes, or starts something. */
const tarActs =
  /^(?:[xcruAdIFMTO]|to-command|use-compress-program|checkpoint-action|rsh-command|info-script|new-volume-script|rmt-command|index-file|remove-files|files-from|recursive-unlink|delete|extract|create|get|append|update|catenate|concatenate|add-file|set-mtime-command|listed-incremental|g|one-top-level)$/

/** Judges `tar`: it only looks if it lists an archive, or extracts to stdout. */
const onlyLists: Judge = ({ args, command }) => {
  const words = command === undefined ? args : tarWords(command)
  if (command?.assignments.some(({ name }) => name === 'TAR_OPTIONS') === true) return false
  const { names, unknown, values } = readLook(words, options)
  const whole = names.map((name) => wholeOf(name))
  const prints =
    whole.some((name) => /^(?:x|extract)$/.test(name)) && whole.some((name) => /^(?:O|to-stdout)$/.test(name))
  // For `host:archive`, tar starts a program that connects to the other machine.
  const isElsewhere = [...values('f', 'file'), ...args].some(({ value }) => /^(?:--file=)?[^-/][^/]*:/.test(value))
  return (
    !unknown &&
    (prints || whole.some((name) => /^(?:t|list)$/.test(name))) &&
    !isElsewhere &&
    !whole.some((name) => name === '' || (tarActs.test(name) && !(prints && /^(?:x|O|extract)$/.test(name))))
  )
}

/** Returns the option that a name abbreviates; `''` if it may abbreviate an option of `tarActs`. */
function wholeOf(name: string): string {
  if (name.length === 1) return name
  const all = namesIn(options)
  if (all.includes(name)) return name
  return all.some((one) => one.startsWith(name) && tarActs.test(one)) ? '' : name
}

/** tar, whose options may have no dash, and may come from the variable `TAR_OPTIONS`. */
export const tar: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'tar bsdtar star': {
      copies: true,
      output: (line) => (creates(line) ? 'archive' : line.has('O', 'to-stdout') ? 'unpacked' : undefined),
      options,
      words: tarWords,
      looks: onlyLists,
      effects: recordTar,
      starts(line, starts, { args, assignments, written }) {
        const more = assignments.some(({ name }) => name === 'TAR_OPTIONS') ? undefined : starts.variable('TAR_OPTIONS')
        if (more !== undefined && more.value !== '') {
          const empty = { name: 'TAR_OPTIONS', value: known('') }
          starts.words([written ?? known('tar'), ...splitWords(more.value), ...dashed(args)], { assignments: [empty] })
        }
        for (const action of line.values('checkpoint-action'))
          if (action.value.startsWith('exec=')) starts.script(changed(action, action.value.slice('exec='.length)))
      },
      saysWhatChanges: true,
    },
  },
}

const tarValued = 'fbCFgHIKLNTVX'

/** Returns tar's arguments, preceded by the options in `TAR_OPTIONS`. */
function tarWords({ args, assignments }: CommandView): readonly ShellWord[] {
  const more = assignments.findLast(({ name }) => name === 'TAR_OPTIONS')?.value
  return more === undefined ? dashed(args) : [...splitWords(more.value), ...dashed(args)]
}

/** Adds dashes to old-style options, whose values follow in order: `tar cIf xz a.tar`. */
function dashed(args: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...rest] = args
  if (first === undefined || !/^[A-Za-z0-9]+$/.test(first.value)) return args
  const words: ShellWord[] = []
  for (const letter of first.value) {
    const value = tarValued.includes(letter) ? rest.shift() : undefined
    words.push(known(`-${letter}`), ...(value === undefined ? [] : [value]))
  }
  return [...words, ...rest]
}

const creates = (line: Line): boolean =>
  line.has('c', 'create', 'r', 'append', 'u', 'update', 'A', 'concatenate', 'catenate')

function recordTar(line: Line, recorder: EffectRecorder): void {
  const isPacked = creates(line)
  const extracts = line.has('x', 'extract', 'get')
  const archive = line.value('f', 'file')
  const remote = archive === undefined || line.has('force-local') ? undefined : remotePlace(archive.value)
  if (remote !== undefined)
    recorder.network({ kind: 'stream', direction: isPacked ? 'send' : 'receive', ...host(remote.host) })
  else if (archive !== undefined) {
    if (isPacked) recorder.touch(archive, line.has('c', 'create') ? 'write' : 'append')
    else recorder.touch(archive, 'read')
  }
  if (isPacked && archive !== undefined && archive.value !== '-') recorder.writesNoStdout()
  const folder = line.value('C', 'directory')
  const list = line.value('T', 'files-from')
  if (isPacked) {
    const recursive = !line.has('no-recursion')
    // What the list names is below the folder.
    if (list !== undefined) recorder.touch(folder, 'read', { recursive })
    for (const word of line.operands) {
      const member = inFolder(folder, word)
      recorder.touch(member, 'read', { recursive })
      if (line.has('remove-files')) recorder.touch(member, 'delete', { recursive })
    }
  } else if (extracts && !line.has('O', 'to-stdout')) {
    const top = line.value('one-top-level')
    recorder.touch(folder ?? (top === undefined || top.value === '' ? known('.') : top), 'into')
    for (const word of line.operands) recorder.touch(inFolder(folder, word), 'into')
    if (line.has('P', 'absolute-names')) recorder.touch({ value: '/' }, 'into')
    recorder.writesNoStdout()
  } else if (line.has('delete')) recorder.touch(archive, 'write')
}

const host = (name: string): { readonly host?: string } => (name.includes(unknownPart) ? {} : { host: name })
