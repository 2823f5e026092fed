import { cutFilter } from '../filters.ts'
import { type Row, type Line, turnedBack } from '../row.ts'
import type { Family } from '../program.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import type { Starts } from '../starts.ts'
import { type Judge, readLook } from '../looks/look.ts'

const encoder: Row = {
  // GNU's `-i` has no value: `base64 -id`.
  output: (line) => (line.has('d', 'D', 'decode') || /^[dD]/.test(line.value('i')?.value ?? '') ? 'decoded' : 'form'),
  options: 'w wrap b i=read o=write input=read output=write +decode',
  operands: 'read',
}

const comparer: Row = { options: 'output-delimiter a algorithm l length c? check? +tag +binary', operands: 'read' }

const differ: Row = {
  output: ({ has }) => (has('q', 'brief', 'report-identical-files') ? 'counts' : 'form'),
  options:
    'C U context? unified? W width I ignore-matching-lines F show-function-line x exclude X=read exclude-from=read S starting-file from-file=read to-file=read L label palette tabsize horizon-lines o output=write +recursive +report-identical-files',
  operands: 'read',
  recursive: 'r recursive',
}

/** Judges a pager. Its `+` operands are commands, and some options write a log; else it prints like `cat`. */
const onlyPages: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'p x y z P b h j')
  return (
    !unknown &&
    !args.some(({ value }) => value.startsWith('+')) &&
    !names.some((name) => /^(?:[oOkT]|log-file|LOG-FILE|lesskey.*|tag.*)$/i.test(name))
  )
}

/** Programs that show, sort, cut and compare the content of files. */
export const readers: Family = {
  rows: { saysWhatStarts: true, saysWhatChanges: true },
  programs: {
    // hookgate itself: known, so that it is found behind whatever starts programs. Self-protection judges its commands.
    'hookgate hookgate.cmd hookgate.ps1': { first: 'none', operands: 'read' },
    cat: {
      text: 'input',
      output: 'lines',
      operands: 'read',
      startsNothing: true,
      looks: true,
      prints: true,
      onlyPrints: true,
      passesIds: true,
    },
    'zcat gzcat bzcat xzcat lz4cat zstdcat': { output: 'unpacked', operands: 'read', looks: true, prints: true },
    'lzcat funzip': { output: 'unpacked', operands: 'read' },
    zless: { output: 'lines', operands: 'read', looks: onlyPages },
    'zmore bzmore': { output: 'lines', operands: 'read', looks: true, prints: true },
    'source-highlight': { output: 'lines', options: 'i=read input=read o=write output=write s f', operands: 'read' },
    'ccat xzless lolcat': { output: 'lines', operands: 'read' },
    rev: { text: 'reversed', output: 'unpacked', operands: 'read', looks: true, prints: true },
    'bat batcat': {
      output: 'lines',
      options:
        'l language H highlight-line r line-range style theme m map-syntax pager paging wrap tabs file-name terminal-width diff-context color',
      operands: 'read',
      looks: '!--pager|--config-file|--generate-config-file',
      prints: true,
    },
    tac: { output: 'lines', options: 's separator', operands: 'read', looks: true, prints: true },
    nl: {
      output: 'form',
      options:
        'b body-numbering d section-delimiter f footer-numbering h header-numbering i line-increment l join-blank-lines n number-format s number-separator v starting-line-number w number-width',
      operands: 'read',
      looks: true,
      prints: true,
      onlyPrints: true,
    },
    'fold expand unexpand fmt': {
      output: 'form',
      options: 'w width t tabs p prefix g goal',
      operands: 'read',
      looks: true,
      prints: true,
    },
    pr: {
      output: 'form',
      options: 'D date-format h header l length N first-line-number o indent w width W page-width',
      operands: 'read',
      looks: true,
      prints: true,
    },
    pv: {
      output: 'lines',
      options: 'o=write output=write s size L rate-limit N name i interval B buffer-size w width F format',
      operands: 'read',
    },

    head: {
      output: 'lines',
      startsNothing: true,
      options: 'n lines c bytes s sleep-interval pid max-unchanged-stats +follow +quiet +verbose +retry',
      operands: 'read',
      looks: true,
      prints: true,
      onlyPrints: true,
      fillsSize: true,
      limits: true,
    },
    tail: {
      output: 'lines',
      startsNothing: true,
      options: 'n lines c bytes s sleep-interval pid max-unchanged-stats +follow +quiet +verbose +retry',
      operands: 'read',
      looks: true,
      prints: true,
      onlyPrints: true,
      passesIds: true,
    },
    od: {
      output: 'form',
      options: 'A address-radix j skip-bytes N read-bytes S? strings? t format w? width?',
      operands: 'read',
      looks: true,
      prints: true,
    },
    'hexdump hd': { output: 'form', options: 'e f=read n s', operands: 'read', looks: true, prints: true },
    xxd: {
      text: 'xxd',
      output: turnedBack('decoded', 'r', 'form'),
      options: 'c cols g groupsize l len n name o s seek R',
      operands: 'read', // The second operand is the output file.
      effects: (line, recorder) => recorder.touch(line.operands[1], 'write'),
      looks: { valued: 'offset', lines: '!-r|--revert|-R ..1' },
      prints: true,
    },

    strings: {
      output: 'form',
      options: 'n bytes t radix e encoding T target s output-separator U unicode m +all',
      operands: 'read',
      looks: true,
      prints: true,
    },
    base64: { text: 'base64', ...encoder, looks: { valued: 'break', lines: '!-o|--output' }, prints: true },
    basenc: { ...encoder, looks: true, prints: true },
    base32: { ...encoder, text: 'base32', looks: true, prints: true },
    'base16 b64 base58 base85 base91': encoder,
    uuencode: { output: 'form', operands: 'read' },
    uudecode: { output: 'decoded', options: 'o=write', operands: 'read' },
    'unhex rot13 caesar zbase32': { output: 'decoded', operands: 'read' },
    wc: {
      // Of a file of names it says which there are not.
      output: (line) => (line.has('files0-from') ? undefined : 'counts'),
      options: 'files0-from=list total',
      operands: 'read',
      startsNothing: true,
      looks: true,
      prints: true,
      onlyPrints: true,
    },
    uniq: {
      output: 'lines',
      options: 'f skip-fields s skip-chars w check-chars all-repeated? group?',
      first: 'read',
      operands: 'write',
      looks: { valued: 'f s w skip-fields skip-chars check-chars', lines: '..1' },
      prints: true,
      passesIds: true,
    },
    sort: {
      output: 'lines',
      options:
        'k key t field-separator S buffer-size T=names temporary-directory=names o=write output=write files0-from=list compress-program=words batch-size parallel random-source=read sort? +reverse +numeric-sort +unique +check',
      operands: 'read',
      looks: { lines: '!-o|--output|--compress-program|--files0-from' },
      prints: true,
      passesIds: true,
    },
    shuf: {
      output: 'lines',
      options: 'i input-range n head-count o=write output=write random-source=read +echo +repeat +zero-terminated',
      operands: 'read',
      looks: '!-o|--output',
      prints: true,
    },
    cut: {
      output: 'parts',
      filter: cutFilter,
      options: 'b bytes c characters d delimiter f fields output-delimiter',
      operands: 'read',
      startsNothing: true,
      looks: true,
      prints: true,
      onlyPrints: true,
      passesIds: true,
    },
    tr: {
      text: 'letters',
      output: 'unpacked',
      startsNothing: true,
      looks: true,
      prints: true,
      onlyPrints: true,
      passesIds: true,
    },
    column: {
      output: 'form',
      options:
        'c output-width s separator o output-separator N table-columns l table-columns-limit R table-right H table-hide O table-order T table-truncate W table-wrap n table-name r tree i tree-id p tree-parent',
      operands: 'read',
      looks: true,
      prints: true,
    },

    paste: { output: 'form', options: 'd delimiters', operands: 'read', looks: true, prints: true },
    join: { options: '1 2 a e j o t v', operands: 'read', looks: true, prints: true },
    'comm tsort sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum md5 shasum crc32 xxhsum': {
      ...comparer,
      looks: true,
      prints: true,
    },
    rhash: comparer,
    'diff colordiff': { ...differ, looks: '!-l|--paginate', prints: true },
    sdiff: { ...differ, looks: '!-o|--output|--diff-program', prints: true },
    diff3: { ...differ, looks: '!--diff-program', prints: true },
    delta: { ...differ, looks: '!--pager|--paging|--config', prints: true },
    difft: { ...differ, looks: true, prints: true },
    wdiff: differ,
    cmp: { options: 'i ignore-initial n bytes', operands: 'read', looks: true, prints: true },
    less: {
      output: 'lines',
      options:
        'b buffers h max-back-scroll x tabs z window p pattern t tag j jump-target y max-forw-scroll k=read lesskey-file=read lesskey-src=read lesskey-content T=read tag-file=read o=write O=write log-file=write LOG-FILE=write D color P prompt +quit-if-one-screen',
      operands: 'read',
      starts: startFilters,
      looks: onlyPages,
    },
    more: { output: 'lines', options: 'n lines', operands: 'read', looks: onlyPages },
    'most pg': { output: 'lines', options: 'n lines', operands: 'read' },
  },
}

/** Starts the preprocessors of `less` (`LESSOPEN`, `LESSCLOSE`), and the shell commands of its `+!` arguments. */
function startFilters(_: Line, starts: Starts, { args }: ShellCommand): void {
  for (const name of ['LESSOPEN', 'LESSCLOSE']) {
    const value = starts.variable(name)
    const text = value?.value.replace(/^\|{1,2}-?/, '').replaceAll('%s', args.at(-1)?.value ?? '')
    if (text !== undefined && text !== '') starts.script({ ...value, value: text })
  }
  for (const { value } of args) if (/^\+{1,2}!/.test(value)) starts.script({ value: value.replace(/^\+{1,2}!/, '') })
}
