import type { Judge, Rule } from '../call.ts'
import { optionsOf } from '../table.ts'

const tarRuns = [
  'to-command',
  'use-compress-program',
  'checkpoint-action',
  'rsh-command',
  'info-script',
  'new-volume-script',
  'rmt-command',
  'index-file',
  'remove-files',
  'files-from',
  'I',
  'F',
  'M',
  'T',
  'recursive-unlink',
  'delete',
  'extract',
  'create',
  'get',
  'append',
  'update',
  'catenate',
  'concatenate',
]

/** tar: a list of what is in it. Its first word may go without a dash. */
const tar: Judge = (call) => {
  const [first, ...rest] = call.args
  if (first === undefined || first.unresolved === true) return false
  const bundled = !first.value.startsWith('-') && /^[A-Za-z]+$/.test(first.value)
  const valued = ['f', 'C', 'X', 'file', 'directory', 'exclude', 'exclude-from', 'strip-components']
  const args = bundled ? [{ value: `-${first.value.replace('f', '')}` }, ...rest] : call.args
  const { names, unknown } = optionsOf(args, bundled ? valued.filter((one) => one !== 'f') : valued, {})
  // The content goes to stdout, not to files.
  const prints =
    (names.includes('x') || names.includes('extract')) && (names.includes('O') || names.includes('to-stdout'))
  // `host:archive` is on another machine, behind a program that is started for it.
  const isElsewhere = call.args.some((word) => /^(--file=)?[^-/][^/]*:/.test(word.value))
  return (
    !unknown &&
    (names.includes('t') || names.includes('list') || prints) &&
    !isElsewhere &&
    !names.some(
      (name) =>
        (/^[xcruAdIFMTO]$/.test(name) && !(prints && /^[xO]$/.test(name))) ||
        (name.length > 1 &&
          tarRuns.some((one) => one.startsWith(name) && name !== 'file') &&
          !(prints && name === 'extract')),
    )
  )
}

const sevenZip: Judge = ({ args }) => {
  const [verb] = args.map((word) => word.value)
  const reads = verb === 'l' || verb === 't' || verb === 'h' || verb === 'b' || verb === 'i'
  return (
    args[0]?.unresolved !== true &&
    reads &&
    !args.slice(1).some((word) => word.several === true || /^-(o|w|sdel|v\d)/i.test(word.value))
  )
}

/** gzip and its like write in place, but for lists, tests and what goes to stdout. */
const gzip: Judge = ({ args }) => {
  const { names, unknown } = optionsOf(args, ['S', 'suffix', 'b', 'T', 'M', 'threads', 'D'], {})
  const shows = names.some((name) => /^(c|l|t|stdout|to-stdout|list|test)$/.test(name))
  return !unknown && shows && !names.some((name) => /^(o|rm|output-dir.*|files.*|train.*)$/.test(name))
}

export function archives(program: string): Rule | undefined {
  switch (program) {
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return tar
    case '7z':
    case '7za':
    case '7zr':
    case '7zz':
      return sevenZip
    case 'gzip':
    case 'gunzip':
    case 'pigz':
    case 'unpigz':
    case 'bzip2':
    case 'bunzip2':
    case 'xz':
    case 'unxz':
    case 'lzma':
    case 'unlzma':
    case 'zstd':
    case 'unzstd':
    case 'lz4':
    case 'brotli':
      return gzip
    case 'unzip':
      return ({ args }) => {
        const { names, unknown } = optionsOf(args, ['d', 'x', 'P'], {})
        return (
          !unknown &&
          names.some((name) => /^[lvtzZ]$/.test(name)) &&
          !names.some((name) => /^[dopfunxX]$/.test(name) && name !== 'x')
        )
      }
    case 'unrar':
    case 'rar':
      return ({ args }) =>
        /^(l|lt|lta|lb|v|vt|vta|vb|t)$/.test(args[0]?.value ?? '') &&
        !args.some((word) => /^-(o|w|ilog)/.test(word.value))
    case 'ar':
      return ({ args }) => /^-?[tpv]+$/.test(args[0]?.value ?? '') && /t/.test(args[0]?.value ?? '')
    case 'cpio':
      return ({ args }) => {
        const { names, unknown } = optionsOf(args, ['F', 'H', 'I'], {})
        return (
          !unknown &&
          (names.includes('t') || names.includes('list')) &&
          !names.some((name) => /^[opO]$|rsh-command/.test(name))
        )
      }
    case 'jar':
      return ({ args }) => /^-?t[vf]*$/.test(args[0]?.value ?? '')
    case 'lsar':
      return () => true
    default:
      return undefined
  }
}
