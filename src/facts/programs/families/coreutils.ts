import { byVerb } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import { wiped } from './disks.ts'
import { deletion } from './windows.ts'
import type { Family } from '../program.ts'
import { type ShellWord, unknownWord } from '../../../model/shell.ts'
import type { TouchedHow } from '../../paths/index.ts'
import { type EffectRecorder, leftBy } from '../effects.ts'
import type { CommandView, Line, Row } from '../row.ts'
import { wordOf } from '../words.ts'
import { alsoModes, changesRights, rights, rightsIn } from './rights.ts'

const attributes: Row = {
  options: 'n name v value x remove w p d',
  operands: 'mode',
  recursive: 'r R',
  silent: true,
}

const shredder: Row = {
  options: 'p D=write',
  operands: 'delete',
  recursive: true,
  silent: true,
  how: () => ({ change: 'wiped' }),
}

const lister: Row = {
  startsNothing: true,
  options: 'I ignore hide w width T tabsize block-size format time time-style sort quoting-style +all +recursive',
  operands: 'names',
  otherwise: ['.', 'names'],
  ignoresStdin: true,
  bareNames: true,
  search: ({ operands }) => ({ finds: 'entries', names: operands.map(({ value }) => value) }),
}

const pathReader: Row = {
  options: 's suffix relative-to=names relative-base=names p n',
  operands: 'names',
  ignoresStdin: true,
}

const temporaryMaker: Row = {
  output: 'temporary',
  options: 'p=into tmpdir?=into suffix',
  ignoresStdin: true,
  effects: (_, recorder) => recorder.prints({ value: '/tmp' }),
}

/** Programs that copy, move, delete, create and describe files: coreutils and similar ones. */
export const coreutils: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    file: {
      options: 'e f=read files-from=read F separator m=read magic-file=read P parameter',
      operands: 'names',
      looks: '!-C|--compile|-m|--magic-file',
      saysWhatChanges: true,
      prints: true,
    },
    stat: {
      options: 'c format printf',
      operands: 'names',
      ignoresStdin: true,
      looks: true,
      saysWhatChanges: true,
      prints: true,
      namesOnly: true,
    },
    'ls dir vdir': { ...lister, looks: true, prints: true, namesOnly: true, saysWhatChanges: true },
    'll la l': { ...lister, saysWhatChanges: true },
    'exa eza lsd': {
      options: 'L level I ignore-glob s sort t time time-style',
      operands: 'names',
      otherwise: ['.', 'names'],
      ignoresStdin: true,
      bareNames: true,
      looks: true,
      saysWhatChanges: true,
      prints: true,
    },
    tree: {
      options: 'L P I o=write H T filelimit charset fromfile?',
      operands: 'names',
      otherwise: ['.', 'names'],
      recursive: true,
      ignoresStdin: true,
      bareNames: true,
      looks: { lines: '!-o|--output' },
      saysWhatChanges: true,
      prints: true,
    },
    'du df': {
      options:
        'd max-depth B block-size t threshold type x exclude-type X=read exclude-from=read exclude files0-from=list time-style +all +total +summarize',
      operands: 'names',
      ignoresStdin: true,
      looks: true,
      saysWhatChanges: true,
      prints: true,
    },
    basename: {
      text: 'last-name',
      options: 's suffix',
      operands: 'names',
      ignoresStdin: true,
      bareNames: true,
      looks: true,
      saysWhatChanges: true,
      prints: true,
      namesOnly: true,
    },
    'pathchk namei lsattr getfacl mountpoint findmnt': {
      ...pathReader,
      looks: true,
      prints: true,
    },
    readlink: { ...pathReader, text: 'link', looks: true, prints: true, locatesPrograms: true, saysWhatChanges: true },
    realpath: {
      ...pathReader,
      text: 'real-path',
      looks: true,
      prints: true,
      locatesPrograms: true,
      saysWhatChanges: true,
    },
    dirname: {
      text: 'folder-before',
      ...pathReader,
      looks: true,
      saysWhatChanges: true,
      prints: true,
      locatesPrograms: true,
      namesOnly: true,
    },
    lsof: {
      ...pathReader,
      looks: '!-D',
      prints: true,
      saysWhatChanges: true,
      chooses: {
        operands: 'file',
        options: { pattern: 'c', owner: 'u', id: 'p g', port: 'i' },
        valued: 'd k m e',
        joined: 's F T S r o L',
      },
    },
    getfattr: pathReader,

    // zsh's own, in `zsh/files`.
    'rm zf_rm safe-rm': {
      options: 'interactive? preserve-root? +recursive +force +dir +no-preserve-root +one-file-system +verbose',
      operands: 'delete',
      recursive: 'r R recursive',
      silent: true,
      ignoresStdin: true,
      how: (line) => (isForced(line) ? {} : { change: 'asked' }),
      saysWhatChanges: true,
      quiet: true,
    },

    unlink: { operands: 'delete', silent: true, ignoresStdin: true, saysWhatChanges: true },

    'trash-put rmtrash rimraf del-cli rip gomi rmw': {
      operands: 'delete',
      recursive: true,
      silent: true,
      ignoresStdin: true,
    },
    gtrash: { subcommands: { 'put, rm': { operands: 'delete', recursive: true, silent: true, ignoresStdin: true } } },
    // They delete what nothing has used for the time that comes first.
    'tmpreaper tmpwatch': {
      options: 'protect x exclude X exclude-pattern U exclude-user T +all +force +mtime',
      first: 'none',
      operands: 'delete',
      recursive: true,
      silent: true,
    },
    // What rmlint writes: it deletes the files that rmlint found, which nobody has named.
    'rmlint.sh': {
      options: '+d +n',
      effects: (line, recorder) =>
        line.surely('n') ? undefined : recorder.touch(unknownWord, 'delete', { recursive: true }),
    },
    fdupes: {
      options: 'o order l log=append',
      effects: (line, recorder) => {
        for (const word of line.operands)
          recorder.touch(word, line.has('d', 'delete') ? 'delete' : 'read', { recursive: true })
      },
    },
    'del erase': {
      silent: true,
      ignoresStdin: true,
      effects: deletedAsOnWindows,
      does: {
        area: 'windows',
        ...deletion,
        object: 'files in all folders below',
        windows: 'slashes',
        never: ['/s'],
        when: (_, { has }) => has('s'),
      },
    },

    shred: {
      options: 'n iterations s size u? remove? random-source=read +force +zero',
      operands: 'write',
      silent: true,
      effects: alsoDeletes,
      how: () => ({ change: 'wiped' }),
      saysWhatChanges: true,
    },
    wipe: { ...shredder, does: { area: 'disks', ...wiped, names: 'first' } },
    'srm scrub sdelete sdelete64 bcwipe': shredder,
    'mv advmv': {
      copies: true,
      output: 'names',
      options:
        't target-directory S suffix backup? update? Z? context? +force +interactive +no-clobber +no-target-directory +strip-trailing-slashes +verbose',
      silent: true,
      ignoresStdin: true,
      effects: (line, recorder) => carried(line, recorder, 'move'),
      saysWhatChanges: true,
    },
    'cp xcp fcp advcp': {
      copies: true,
      output: 'files',
      options:
        't target-directory S suffix backup? no-preserve preserve? reflink? sparse update? Z? context? +archive +attributes-only +recursive +force +link +symbolic-link +no-clobber +parents +no-target-directory +dereference +no-dereference +verbose +one-file-system +remove-destination',
      silent: true,
      ignoresStdin: true,
      effects(line, recorder) {
        const metadata = line.has('attributes-only')
        const recursive = line.has('r', 'R', 'a', 'recursive', 'archive')
        if (line.has('l', 'link', 's', 'symbolic-link')) linked(line, recorder, recursive)
        else carried(line, recorder, metadata ? 'names' : 'read', recursive)
      },
      saysWhatChanges: true,
    },
    install: {
      output: 'files',
      options:
        't target-directory S suffix m mode o owner g group backup? context? Z? strip-program +directory +compare +preserve-timestamps +strip +verbose +no-target-directory',
      silent: true,
      ignoresStdin: true,
      effects(line, recorder) {
        if (line.has('d', 'directory')) for (const word of line.operands) recorder.touch(word, 'write')
        else carried(line, recorder, 'read')
      },
      saysWhatChanges: true,
    },
    'ln link': {
      output: 'names',
      options:
        't target-directory S suffix backup? +symbolic +force +relative +no-dereference +no-target-directory +interactive +logical +physical +verbose',
      silent: true,
      ignoresStdin: true,
      effects: (line, recorder) => linked(line, recorder),
      saysWhatChanges: true,
      quiet: true,
    },
    symlink: { output: 'names', silent: true, effects: (line, recorder) => linked(line, recorder) },
    'dd sg_dd': { output: 'files', effects: copiedBlocks, silent: true, saysWhatChanges: true },
    tee: {
      text: 'copy',
      output: 'lines',
      options: 'output-error?',
      operands: 'write',
      effects: alsoAppends,
      how: leftByText,
      looks: ({ args }) =>
        args.every(
          (word) => word.unresolved !== true && /^(?:-[aip]+|\/dev\/(?:null|stdout|stderr|tty))$/.test(word.value),
        ),
      saysWhatChanges: true,
    },
    sponge: { text: 'kept', operands: 'write', effects: alsoAppends, how: leftByText, saysWhatChanges: true },
    truncate: {
      options: 's size r=names reference=names',
      operands: 'append',
      silent: true,
      ignoresStdin: true,
      how: () => ({ change: 'resized' }),
      fillsSize: true,
      saysWhatChanges: true,
    },
    'mkfile xfs_mkfile': { options: '+n +v +p', first: 'none', operands: 'write', fillsSize: true },
    fallocate: {
      options: 'l length o offset',
      operands: 'append',
      silent: true,
      ignoresStdin: true,
      how: () => ({ change: 'resized' }),
      fillsSize: true,
    },
    touch: {
      copies: true,
      options: 'd date t r=names reference=names time',
      operands: 'append',
      silent: true,
      ignoresStdin: true,
      how: () => ({ change: 'touched' }),
      saysWhatChanges: true,
      quiet: true,
    },
    'mkdir md': {
      options: 'm mode Z? context? +parents +verbose',
      operands: 'write',
      silent: true,
      ignoresStdin: true,
      how: () => ({ change: 'made' }),
      saysWhatChanges: true,
      quiet: true,
    },
    mkfifo: { makesPipe: true, options: 'm mode', operands: 'write', silent: true, ignoresStdin: true },
    mknod: { options: 'm mode', first: 'write', silent: true, ignoresStdin: true },
    mktemp: { text: 'temporary', ...temporaryMaker, looks: '-u', prints: true },
    tempfile: temporaryMaker,
    chmod: {
      ...rights,
      how: (line) => ({ change: 'rights', rights: rightsIn(line) }),
      quiet: true,
      saysWhatChanges: true,
    },
    'chown chgrp': { ...rights, quiet: true, saysWhatChanges: true },
    chcon: {
      options: 'reference=names u user r role t type l range +recursive',
      first: 'none',
      firstUnless: 'reference u user r role t type l range',
      operands: 'mode',
      recursive: 'R recursive',
      silent: true,
      ignoresStdin: true,
      how: changesRights,
    },

    setfacl: {
      options:
        'm modify x remove M=read modify-file=read X=read remove-file=read set set-file=read restore=read +recursive +remove-all +remove-default',
      operands: 'mode',
      recursive: 'R recursive',
      silent: true,
      how: changesRights,
    },
    'chattr chflags': {
      options: 'v p',
      first: 'none',
      operands: 'mode',
      recursive: 'R',
      silent: true,
      effects: alsoModes,
      how: changesRights,
    },
    xattr: {
      ...attributes,
      how: changesRights,
      does: {
        area: 'defences',
        kind: 'weaken',
        thing: 'guard',
        object: 'the check of what was downloaded',
        names: 'none',
        work: ['-d=com.apple.quarantine', 'com.apple.quarantine -d|-dr|-rd', '-c|-cr|-rc'],
      },
      looks: '!-w|-d|-c',
    },
    'setfattr restorecon': attributes,
    split: {
      output: 'files',
      options:
        'a suffix-length b bytes C line-bytes l lines n number t separator filter=script numeric-suffixes? hex-suffixes? additional-suffix +verbose',
      first: 'read',
      operands: 'none',
      silent: true,
      effects: (line, recorder) => pieces(recorder, line.operands[1]),
      does: { area: 'accounts-and-payments', ...byVerb, verbs: 'kill archive', work: ['splits update'] },
      looks: '--help|--version ..0',
      prints: true,
    },
    csplit: {
      options: 'b suffix-format f prefix n digits',
      first: 'read',
      operands: 'none',
      silent: true,
      effects: (line, recorder) => pieces(recorder, line.value('f', 'prefix')),
    },
    sync: { operands: 'names' },
  },
}

/** Records sources that are copied or moved to the last operand, or into the folder of `--target-directory`. */
function carried(line: Line, recorder: EffectRecorder, role: 'move' | 'read' | 'names', recursive = false): void {
  const into = line.value('t', 'target-directory')
  const sources = into === undefined ? line.operands.slice(0, -1) : line.operands
  const to = into ?? (line.operands.length > 1 ? line.operands.at(-1) : undefined)
  for (const source of sources) recorder.touch(source, role, recursive ? { recursive } : undefined)
  const several = sources.length > 1 || into !== undefined
  const how = { ...(recursive && { recursive }), ...emptiedBy(sources) }
  if (role === 'names') recorder.touch(to, 'mode')
  else recorder.touch(to, several ? 'into' : 'write', how)
}

/** Devices that a copy of empties a file, or fills it with noise. */
const nothing = /^(?:if=)?\/dev\/(?:null|zero|u?random|full)$/

/** Returns what becomes of a file in whose place these are put. */
export const emptiedBy = (sources: readonly ShellWord[]): TouchedHow =>
  sources.some(({ value }) => nothing.test(value)) ? { change: 'emptied' } : {}

/** Returns whether `rm` asks nothing first: the last of `-f`, `-i` and `-I` counts. */
const isForced = ({ given }: Line): boolean =>
  given.findLast(({ name }) => /^(?:[fiI]|force|interactive)$/.test(name))?.name.startsWith('f') === true

function linked(line: Line, recorder: EffectRecorder, recursive = false): void {
  const symbolic = line.has('s', 'symbolic', 'symbolic-link')
  const into = line.value('t', 'target-directory')
  const [first] = line.operands
  if (first === undefined) return
  const targets = into !== undefined || line.operands.length === 1 ? line.operands : line.operands.slice(0, -1)
  const name = into ?? (line.operands.length === 1 ? { value: '.' } : line.operands.at(-1))
  // A hard link is the file itself under another name.
  for (const target of targets)
    recorder.touch(target, symbolic ? 'names' : 'read', { change: 'linked', ...(recursive && { recursive }) })
  recorder.touch(name, into !== undefined || targets.length > 1 ? 'into' : 'write', emptiedBy(targets))
  if (name !== undefined) for (const target of targets) recorder.link(target, [name])
}

function copiedBlocks(line: Line, recorder: EffectRecorder): void {
  let out = false
  for (const word of line.operands) {
    if (word.value.startsWith('if=')) {
      recorder.touch(behind(word, 3), 'read')
      recorder.readsNoStdin()
    } else if (word.value.startsWith('of=')) {
      const appends = line.operands.some(({ value }) => /^(?:conv=.*notrunc|oflag=.*append)/.test(value))
      recorder.touch(behind(word, 3), appends ? 'append' : 'write', emptiedBy(line.operands))
      out = true
    }
  }
  if (!out) recorder.writesStdout()
}

function leftByText(line: Line, { writes }: CommandView): TouchedHow {
  return line.has('a', 'append') ? {} : leftBy(writes)
}

/** Marks the writes of `tee -a` as appending. */
function alsoAppends(line: Line, recorder: EffectRecorder): void {
  if (line.has('a', 'append')) recorder.appendsAll()
}

function alsoDeletes(line: Line, recorder: EffectRecorder): void {
  if (line.has('u', 'remove')) for (const word of line.operands) recorder.touch(word, 'delete')
}

/** Records the output files of `split` and the like, which are named by a prefix and a suffix. */
function pieces(recorder: EffectRecorder, prefix: ShellWord | undefined): void {
  const name = prefix?.value ?? 'xx'
  const slash = name.lastIndexOf('/')
  recorder.touch(slash === -1 ? { value: '.' } : wordOf(name.slice(0, slash + 1)), 'into')
}

const windowsOption = /^\/{1,2}[a-z](?::[\w-]*)?$/i

/** `del /f /q a.txt`: files, with `/s` those of the folders below too. Its options begin with a slash. */
function deletedAsOnWindows({ operands }: Line, recorder: EffectRecorder): void {
  const recursive = operands.some((word) => /^\/{1,2}s$/i.test(word.value))
  for (const word of operands) if (!windowsOption.test(word.value)) recorder.touch(word, 'delete', { recursive })
}
