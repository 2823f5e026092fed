import { setOf, type ShellCommand } from 'hookgate/policy'

/** The kind of transformation that a command applies to its input. */
export type Decoding = 'hidden' | 'packed'

const has = (words: readonly string[], option: RegExp) => words.some((word) => option.test(word))

const encodings = setOf([
  'base64',
  'gbase64',
  'base32',
  'gbase32',
  'basenc',
  'base16',
  'b64',
  'base58',
  'base91',
  'base85',
])
const unpackers = setOf(
  'gunzip zcat gzcat bunzip2 bzcat unxz xzcat lzcat unlzma unzstd zstdcat lz4cat uncompress'.split(' '),
)
const packers = setOf(['gzip', 'bzip2', 'xz', 'lzma', 'zstd', 'lz4', 'brotli', 'pigz', 'lzop', 'compress'])

/** Programs that may decode something. */
export const decoders: readonly string[] = [
  ...[encodings, unpackers, packers].flatMap(({ members }) => members),
  'xxd openssl uudecode unhex rot13 caesar zbase32 rev tr certutil gpg gpg2 age sops unzip funzip 7z 7za ar tar bsdtar',
]

/** `hidden`: the input is unreadable; `packed`: it is only compressed. */
export function decodingOf({ program, args, code }: ShellCommand): Decoding | undefined {
  const words = args.map(({ value }) => value)
  if (words.includes('--help') || words.includes('--version')) return undefined
  if (encodings.has(program)) return has(words, /^-[a-zA-Z]*[dD]|^--dec/) ? 'hidden' : undefined
  if (unpackers.has(program)) return 'packed'
  if (packers.has(program)) return has(words, /^-[a-zA-Z0-9]*d|^--(?:decompress|uncompress)/) ? 'packed' : undefined
  switch (program) {
    case 'xxd':
      return has(words, /^-(?:[a-z]*r|revert)/) ? 'hidden' : undefined
    case 'openssl':
      // `openssl base64 -d`, `openssl enc -d -aes…`, `openssl aes-256-cbc -d`
      return has(words, /^-d$/) ? 'hidden' : undefined
    case 'uudecode':
    case 'unhex':
    case 'rot13':
    case 'caesar':
    case 'zbase32':
      return 'hidden'
    case 'rev':
    case 'tr':
      return 'packed'
    case 'certutil':
      return has(words, /^[-/]decode/i) ? 'hidden' : undefined
    case 'gpg':
    case 'gpg2':
      return has(words, /^(?:-[a-z]*d|--decrypt)$/) ? 'hidden' : undefined
    case 'age':
    case 'sops':
      return has(words, /^(?:-d|--decrypt|decrypt)$/) ? 'hidden' : undefined
    case 'unzip':
    case 'funzip':
      return program === 'funzip' || has(words, /^-[a-z]*p/) ? 'packed' : undefined
    case '7z':
    case '7za':
      return has(words, /^-so$/) ? 'packed' : undefined
    case 'ar':
    case 'tar':
    case 'bsdtar':
      return has(words, /^-?[a-zA-Z]*O|^--to-stdout/) ? 'packed' : undefined
    default:
      return code?.does.includes('decodes') === true && !code.does.includes('evaluates') ? 'hidden' : undefined
  }
}
