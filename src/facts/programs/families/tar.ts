import type { Family } from '../program.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { listed } from './archives.ts'
import { inFolder, remotePlace, splitWords, changed, known } from '../words.ts'
import { type Judge, namesIn, readLook } from '../looks/look.ts'
import type { CommandView, Line } from '../row.ts'

const options =
  'f file b blocking-factor C directory F=script info-script=script new-volume-script=script set-mtime-command=script set-mtime-format g=write listed-incremental=write H format I=words use-compress-program=words K starting-file L tape-length N newer newer-mtime T files-from V label X=read exclude-from=read exclude exclude-tag exclude-ignore=none mode mtime owner group owner-map=read group-map=read transform xform strip-components suffix backup? to-command=script rsh-command=words rmt-command=words checkpoint? checkpoint-action index-file=write sort level one-top-level? atime-preserve? quoting-style warning occurrence? hole-detection volno-file after-date record-size add-file pax-option sparse-version quote-chars no-quote-chars xattrs-include xattrs-exclude +create +extract +get +list +append +update +diff +compare +delete +concatenate +catenate +remove-files +no-recursion +force-local +to-stdout +absolute-names +gzip +bzip2 +xz +zstd +verbose +preserve-permissions +overwrite +keep-old-files +dereference +totals'

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
    'tar gtar bsdtar': {
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

function recordTar(line: Line, recorder: EffectRecorder, command: CommandView): void {
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
  if (list?.value === '-' || list?.value === '/dev/stdin') {
    if (isPacked) listed(command, recorder)
  } else recorder.touch(list, 'read')
  if (isPacked) {
    const recursive = !line.has('no-recursion')
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
