import type { Family } from '../program.ts'
import { type ShellCommand, type ShellSearch, type ShellWord, unknownWord } from '../../../model/shell.ts'
import { grepFilter, queryFilter, searchFilter } from '../filters.ts'
import type { Line, Row } from '../row.ts'
import { changed } from '../words.ts'
import { type Judge, readLook, isKnown } from '../looks/look.ts'

/** Matches actions of fzf that run a command; one that is never closed runs the rest, so that no text is read twice. */
const fzfActions =
  /\b(?:execute|execute-silent|reload|reload-sync|become|transform\w*(?:-\w+)?|preview|change-preview)(?:[([{~!@#$%^&*;/|]([^]*?)(?:[)\]}~!@#$%^&*;/|](?=$|[+,])|$)|:([^]*))/g

/** What a search puts out: with one of these options, no line of what it searches. */
const matches =
  (...counting: readonly string[]) =>
  (line: Line): 'counts' | 'matches' =>
    !line.uncertain && line.surely(...counting) ? 'counts' : 'matches'

/** What a search of lines is narrowed to; `undefined` if it reads files of any name. */
const linesOf = (words: readonly ShellWord[]): ShellSearch | undefined =>
  words.length === 0 ? undefined : { finds: 'lines', names: words.map(({ value }) => value) }

const grep: Row = {
  filter: grepFilter,
  output: matches('c', 'count', 'q', 'quiet', 'silent', 'l', 'files-with-matches', 'L', 'files-without-match'),
  options:
    'e regexp f=read file=read m max-count A after-context B before-context C context color? colour? d directories D devices include exclude exclude-from=read exclude-dir label binary-files group-separator +recursive +dereference-recursive +ignore-case +invert-match +files-with-matches +files-without-match +line-number +with-filename +no-filename +count +quiet +silent +only-matching',
  search: ({ values }) => linesOf(values('include')),
  first: 'none',
  firstUnless: 'e regexp f file',
  operands: 'read',
  recursive: 'r R recursive dereference-recursive',
  namesRead: 'r R recursive dereference-recursive l files-with-matches L files-without-match H with-filename c count',
  effects(line, recorder, { stdin }) {
    if (stdin !== undefined || !line.has('r', 'R', 'recursive', 'dereference-recursive')) return
    const operands = line.operands.length - (line.has('e', 'regexp', 'f', 'file') ? 0 : 1)
    if (operands === 0) recorder.touch({ value: '.' }, 'read', { recursive: true })
  },
}

const codeSearch: Row = {
  filter: searchFilter,
  output: matches(
    'c',
    'count',
    'count-matches',
    'q',
    'quiet',
    'l',
    'files',
    'files-with-matches',
    'files-without-match',
  ),
  options:
    'e regexp f=read file=read g glob iglob t type T type-not type-add type-clear A after-context B before-context C context m max-count M max-columns j threads r replace E encoding pre=execute pre-glob d max-depth maxdepth max-filesize sort sortr color colors path-separator context-separator field-match-separator ignore-file=read engine dfa-size-limit regex-size-limit hostname-bin=execute hyperlink-format generate',
  search: ({ values }) => linesOf(values('g', 'glob', 'iglob').filter(({ value }) => !value.startsWith('!'))),
  first: 'none',
  firstUnless: 'e regexp f file files type-list',
  operands: 'read',
  recursive: true,
  otherwise: ['.', 'read'],
  namesRead: true, // `--pre` starts a program for each file searched.
  starts(line, starts) {
    for (const program of line.values('pre', 'hostname-bin'))
      if (program.value !== '') starts.words([program, line.operands[1] ?? unknownWord])
  },
}

const treeSearch: Row = {
  filter: searchFilter,
  output: matches('c', 'count', 'l', 'L', 'files-with-matches', 'files-without-matches'),
  options:
    'A after? B before? C context? m max-count g G file-search-regex ignore ignore-dir p=read path-to-ignore=read depth workers W width ackrc=read type color-match pager type-set type-add files-from=read',
  first: 'none',
  firstUnless: 'g f',
  operands: 'read',
  recursive: true,
  otherwise: ['.', 'read'],
  namesRead: true,
}

const indexed = (words: readonly ShellWord[]): ShellSearch => ({
  finds: 'indexed',
  names: words.map(({ value }) => value),
})

const locator: Row = {
  search: ({ operands }) => indexed(operands),
  options: 'd=read database=read q query preview bind',
}

const jsonFilter: Row = {
  output: 'parts',
  filter: queryFilter,
  startsNothing: true,
  options:
    'f=read from-file=read L=names library-path=names arg:2 argjson:2 slurpfile:2=read rawfile:2=read argfile:2=read indent +args +jsonargs +raw-output',
  first: 'none',
  firstUnless: 'f from-file',
  operands: 'read',
  effects(line, recorder) {
    if (line.has('i', 'in-place', 'inplace'))
      for (const word of line.operands.slice(line.has('f', 'from-file') ? 0 : 1)) recorder.touch(word, 'edit')
  },
}

const xmlTool: Row = {
  options: 'o=write output=write xpath format encode schema=read dtdvalid=read',
  operands: 'read',
}

/** Subcommands of dasel that rewrite the file that it is given. */
const isPut = /^(?:put|delete)$/

const tableTool: Row = {
  output: 'parts',
  options: 'f=read file=read o=write output=write from=read n c d r m',
  operands: 'none',
  effects(line, recorder) {
    const isChanged =
      line.program === 'mlr' ? line.has('I') : line.program === 'dasel' && isPut.test(line.operands[0]?.value ?? '')
    for (const word of line.operands)
      if (/[/.]/.test(word.value.slice(1)) && !/\s/.test(word.value))
        recorder.touch(word, isChanged && line.program === 'mlr' ? 'edit' : 'read')
    if (isChanged) recorder.touch(line.value('f', 'file'), 'write')
  },
}

/** Matches other actions of fzf that run a command. */
const running =
  /\b(?:execute|execute-silent|execute-multi|become|reload|reload-sync|transform[\w-]*|preview|bg-[\w-]+|print-command|change-preview)\s*[([{<~!@#$%^&*;|/:+]/

/** Returns a pattern for the action of fzf that lists the output of a command. */
const reloads = () => /\breload(-sync)?\(([^()]*)\)/g
const fzfOptions =
  'f filter q query n nth d delimiter with-nth tiebreak bind height min-height layout border margin padding info prompt pointer marker header header-lines color preview preview-window expect jump-labels tabstop history history-size walker walker-root walker-skip scheme algo with-shell'

/** Judges fzf: it only looks if its previews and reloads do, and no other action runs a command. */
const onlyChooses: Judge = (look, { isHarmlessText }) => {
  const { names, values } = readLook(look.args, fzfOptions)
  return (
    isKnown(look) &&
    !names.some((name) => /^(?:listen-.*|history|with-shell)$/.test(name)) &&
    values('preview').every(({ value }) => isHarmlessText(value.replace(/^execute\s+/, ''))) &&
    values('bind').every(
      ({ value }) =>
        !running.test(value.replace(reloads(), '')) &&
        [...value.matchAll(reloads())].every(([, , text = '']) => isHarmlessText(text)),
    )
  )
}

/** True for a query of the environment that needs no input. */
const queriesEnvironment = ({ args }: ShellCommand): boolean =>
  args.some(({ value }) => /(?<![.\w$"])(?:\$ENV|env)(?![.\w[:]|\s*\|\s*keys)/.test(value)) &&
  args.some(({ value }) => /^-[a-zA-Z]*n|^--null-input$/.test(value))

/** Programs that search in files, or for files. */
export const search: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'grep egrep fgrep': {
      ...grep,
      saysWhatChanges: true,
      startsNothing: true,
      looks: true,
      prints: true,
      greps: true,
      onlyPrints: true,
      patternsFirst: true,
    },
    'zgrep zegrep zfgrep bzgrep xzgrep': { ...grep, looks: true, prints: true, saysWhatChanges: true },
    'pcregrep pcre2grep ugrep ug': grep,
    rg: {
      ...codeSearch,
      looks: '!--pre|--hostname-bin',
      prints: true,
      greps: true,
      patternsFirst: true,
      saysWhatChanges: true,
    },
    ripgrep: { ...codeSearch, saysWhatChanges: true },
    ag: { ...treeSearch, looks: '!--pager', prints: true, greps: true, patternsFirst: true, saysWhatChanges: true },
    ack: {
      ...treeSearch,
      looks: '!--pager|--ackrc|--output',
      prints: true,
      greps: true,
      patternsFirst: true,
      saysWhatChanges: true,
    },
    'ack-grep pt sift': treeSearch,
    findstr: { output: 'matches', first: 'none', operands: 'read', looks: true, prints: true },
    'locate mlocate plocate apropos': { ...locator, looks: true, prints: true, saysWhatChanges: true },
    sk: { ...locator, looks: onlyChooses },
    'peco updatedb': locator,
    mdfind: {
      search: ({ operands, values }) => indexed([...operands, ...values('name')]),
      options: 'name onlyin=names',
      oneDash: true,
      looks: true,
    },
    fzf: {
      options: 'preview=script q query f filter d delimiter n nth m bind',
      operands: 'none', // `--bind 'start:execute(SCRIPT)+abort'`, also with other brackets, or `execute:SCRIPT` to the end.
      starts(line, starts) {
        for (const word of line.values('bind'))
          for (const [, inside, rest] of word.value.matchAll(fzfActions))
            starts.script(changed(word, inside ?? rest ?? ''))
      },
      variables: 'FZF_DEFAULT_COMMAND',
      looks: onlyChooses,
      namesSecrets: true,
    },
    'jq gojq': {
      text: 'jq',
      printsVariables: queriesEnvironment,
      ...jsonFilter,
      looks: true,
      saysWhatChanges: true,
      prints: true,
      patternsFirst: true,
      queries: true,
    },
    jaq: {
      text: 'jq',
      printsVariables: queriesEnvironment,
      ...jsonFilter,
      looks: '!-i|--in-place',
      prints: true,
      patternsFirst: true,
      queries: true,
      saysWhatChanges: true,
    },
    'yq tomlq xq': {
      output: 'parts',
      filter: queryFilter,
      options:
        'o output-format p input-format I indent expression from-file=read s split-exp arg:2 slurpfile:2=read rawfile:2=read +inplace +yaml-output',
      effects(line, recorder) {
        const [first] = line.operands
        const verb = first !== undefined && /^(?:e|ea|eval|eval-all|shell-completion)$/.test(first.value) ? 1 : 0
        for (const word of line.operands.slice(verb + 1))
          recorder.touch(word, line.has('i', 'inplace', 'in-place') ? 'edit' : 'read')
      },
      looks: { lines: '!-i|--inplace|--in-place|-s|--split-exp|--split-exp-file' },
      saysWhatChanges: true,
      prints: true,
      patternsFirst: true,
      queries: true,
    },
    xmllint: {
      ...xmlTool,
      looks: {
        oneDash: true,
        lines:
          '[--noout|--format|--html|--recover|--nonet|--nowarning|--noblanks|--huge|--c14n|--nsclean|--version|--xpath=|--pretty=|--encode=|--schema=|--relaxng=]',
      },
    },
    xmlstarlet: {
      ...xmlTool,
      options:
        'o=write output=write xpath u update v value d delete s subnode i insert a append m move r rename t type n name x expr N',
      operands: 'none',
      effects({ operands: [verb, ...files], has }, recorder) {
        const isEdited = /^(?:ed|edit)$/.test(verb?.value ?? '') && has('L', 'inplace')
        for (const word of files) recorder.touch(word, isEdited ? 'edit' : 'read')
      },
    },
    xsltproc: xmlTool,
    'csvcut csvgrep csvlook csvjson csvstat csvsort': { ...tableTool, looks: true, prints: true },
    'mlr in2csv xsv qsv dasel htmlq pup gron': tableTool,
    fx: { output: 'parts', first: 'read', operands: 'none' },
    'ctags etags cscope gtags': {
      options: 'f=write o=write L=read options=read exclude languages',
      operands: 'read',
      recursive: 'R recurse',
    },
    cloc: {
      operands: 'read',
      recursive: true,
      looks: '!--out|--report-file|--extract-with|--sum-reports|--sql|--write-lang-def',
      prints: true,
    },
    tokei: { operands: 'read', recursive: true, looks: true, prints: true },
    scc: { operands: 'read', recursive: true, looks: '!-o|--output', prints: true },
    'sloccount gocyclo jscpd': { operands: 'read', recursive: true },
  },
}
