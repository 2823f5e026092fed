import type { ShellWord } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import type { Line } from './line.ts'
import type { Rows } from './row.ts'
import { sedScript } from '../sed-script.ts'
import { namesAsked } from './found-names.ts'

/** Programs that look for something: in files, or for files. */
export const search: Rows = {
  'grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep ggrep pcregrep pcre2grep ugrep ug': {
    options:
      'e regexp f=read file=read m max-count A after-context B before-context C context color? colour? d directories D devices include exclude exclude-from=read exclude-dir label binary-files group-separator +recursive +dereference-recursive +ignore-case +invert-match +files-with-matches +files-without-match +line-number +with-filename +no-filename +count +quiet +silent +only-matching',
    first: 'none',
    firstUnless: 'e regexp f file',
    operands: 'read',
    recursive: 'r R recursive dereference-recursive',
    also(line, doing, { stdin }) {
      if (stdin !== undefined || !line.has('r', 'R', 'recursive', 'dereference-recursive')) return
      const operands = line.operands.length - (line.has('e', 'regexp', 'f', 'file') ? 0 : 1)
      if (operands === 0) doing.touch({ value: '.' }, 'read', { recursive: true })
    },
  },
  'git-grep': { first: 'none', operands: 'read', recursive: true },
  'rg ripgrep': {
    options:
      'e regexp f=read file=read g glob iglob t type T type-not type-add type-clear A after-context B before-context C context m max-count M max-columns j threads r replace E encoding pre=execute pre-glob d max-depth maxdepth max-filesize sort sortr color colors path-separator context-separator field-match-separator ignore-file=read engine dfa-size-limit regex-size-limit hostname-bin=execute hyperlink-format generate',
    first: 'none',
    firstUnless: 'e regexp f file files type-list',
    operands: 'read',
    recursive: true,
    otherwise: ['.', 'read'],
  },
  'ag ack ack-grep pt sift': {
    options:
      'A after? B before? C context? m max-count g G file-search-regex ignore ignore-dir p=read path-to-ignore=read depth workers W width ackrc=read type color-match pager type-set type-add files-from=read',
    first: 'none',
    firstUnless: 'g f',
    operands: 'read',
    recursive: true,
    otherwise: ['.', 'read'],
  },
  'find gfind': { words: foundWords, also: found },
  'fd fdfind': {
    options:
      'e extension E exclude t type d max-depth maxdepth min-depth exact-depth S size c color j threads changed-within changed-before newer older o owner x exec X exec-batch search-path=names base-directory=names ignore-file=read max-results path-separator format',
    first: 'none',
    operands: 'names',
    recursive: true,
    otherwise: ['.', 'names'],
  },
  'locate mlocate plocate fzf sk peco updatedb apropos': { options: 'd=read database=read q query preview bind' },
  'sed gsed ssed': {
    options:
      'e expression f=read file=read i? in-place? l line-length +quiet +silent +regexp-extended +null-data +separate +posix +unbuffered',
    first: 'none',
    firstUnless: 'e expression f file',
    operands: 'read',
    also(line, doing) {
      const own = !line.has('e', 'expression', 'f', 'file')
      if (line.has('i', 'in-place')) for (const word of line.operands.slice(own ? 1 : 0)) doing.touch(word, 'write')
      const scripts = own ? line.operands.slice(0, 1) : []
      for (const { name, value } of line.given)
        if (value !== undefined && (name === 'e' || name === 'expression')) script(value, doing)
      for (const one of scripts) script(one, doing)
    },
  },
  'awk gawk mawk nawk goawk': {
    options:
      'F field-separator f=read file=read v assign E=read exec=read i include l load L? lint? o?=write d? dump-variables? D? debug? p? profile? e source +sandbox +posix +traditional +csv',
    first: 'none',
    firstUnless: 'f file e source E exec',
    also(line, doing) {
      const own = !line.has('f', 'file', 'e', 'source', 'E', 'exec')
      const inPlace = line.given.some(
        ({ name, value }) => (name === 'i' || name === 'include') && value?.value.startsWith('inplace') === true,
      )
      for (const word of line.operands.slice(own ? 1 : 0)) {
        if (!/^[A-Za-z_]\w*=/.test(word.value)) doing.touch(word, inPlace ? 'edit' : 'read')
      }
    },
  },
  'jq jaq gojq': {
    options:
      'f=read from-file=read L=names library-path=names arg:2 argjson:2 slurpfile:2=read rawfile:2=read argfile:2=read indent +args +jsonargs +raw-output',
    first: 'none',
    firstUnless: 'f from-file',
    operands: 'read',
  },
  yq: {
    options:
      'o output-format p input-format I indent expression from-file=read s split-exp arg:2 slurpfile:2=read rawfile:2=read +inplace +yaml-output',
    also(line, doing) {
      const [first] = line.operands
      const verb = first !== undefined && /^(?:e|ea|eval|eval-all|shell-completion)$/.test(first.value) ? 1 : 0
      for (const word of line.operands.slice(verb + 1)) doing.touch(word, line.has('i', 'inplace') ? 'edit' : 'read')
    },
  },
  'xmllint xmlstarlet xsltproc': {
    options: 'o=write output=write xpath format encode schema=read dtdvalid=read',
    operands: 'read',
  },
  'mlr csvcut csvgrep csvlook csvjson csvstat csvsort in2csv xsv qsv q dasel htmlq pup gron fx': {
    options: 'o=write output=write from=read n c d r m',
    operands: 'none',
    also(line, doing) {
      for (const word of line.operands)
        if (/[/.]/.test(word.value.slice(1)) && !/\s/.test(word.value)) doing.touch(word, 'read')
    },
  },
  'ctags etags cscope gtags': {
    options: 'f=write o=write L=read options=read exclude languages',
    operands: 'read',
    recursive: 'R recurse',
  },
  'cloc tokei scc sloccount gocyclo jscpd': { operands: 'read', recursive: true },
}

/** `find` reads its own words: paths up to the first that is none, and then an expression. */
function foundWords({ args }: { readonly args: readonly ShellWord[] }): readonly ShellWord[] {
  return [{ value: '--' }, ...args]
}

interface Found {
  readonly starts: readonly ShellWord[]
  readonly deletes: boolean
  readonly names: readonly string[]
}

const starters = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const fileTests: Readonly<Record<string, 'names' | 'write' | 'read'>> = {
  '-newer': 'names',
  '-anewer': 'names',
  '-cnewer': 'names',
  '-samefile': 'names',
  '-files0-from': 'read',
  '-fprint': 'write',
  '-fprint0': 'write',
  '-fls': 'write',
  '-fprintf': 'write',
}
const valuedTests = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -user -group -uid -gid -perm -links -inum -maxdepth -mindepth -fstype -printf -used -regextype -context'.split(
    ' ',
  ),
)

function found({ operands }: Line, doing: Doing): void {
  const { starts, deletes, names } = expression(operands, doing)
  for (const start of starts.length > 0 ? starts : [{ value: '.' }]) {
    doing.touch(start, 'names', { recursive: true })
    if (!deletes) continue
    if (names.length === 0 || start.unresolved === true) doing.touch(start, 'delete', { recursive: true })
    else for (const name of names) doing.touch(below(start, name), 'delete', { recursive: true })
  }
}

/** What has a name, at any depth below a folder. */
function below(start: ShellWord, name: string): ShellWord {
  const folder = start.pattern ?? start.value.replace(/[*?[\]\\]/g, '\\$&')
  const pattern = `${folder.replace(/\/+$/, '')}/**/${name}`
  return { value: start.value, pattern }
}

function expression(words: readonly ShellWord[], doing: Doing): Found {
  let at = 0
  while (/^-(?:[HLP]|O\d*|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1
  const starts: ShellWord[] = []
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || /^(?:-.|[!(),]$)/.test(word.value)) break
    starts.push(word)
  }
  const asked = namesAsked()
  const deleted: (readonly string[])[] = []
  for (; at < words.length; at++) {
    const test = words[at]?.value ?? ''
    const role = fileTests[test]
    if (asked.join(test)) continue
    if (starters.has(test)) {
      while (
        at < words.length &&
        words[at]?.value !== ';' &&
        !(words[at]?.value === '+' && words[at - 1]?.value === '{}')
      )
        at++
    } else if (role !== undefined) doing.touch(words[++at], role)
    else if (valuedTests.has(test)) {
      const value = words[++at]
      const isName = (test === '-name' || test === '-iname') && value?.unresolved !== true
      asked.test(isName ? value?.value : undefined)
      continue
    } else if (test === '-delete') deleted.push(asked.here())
    asked.test()
  }
  // What one of several deletions gets by any name, all of them together get by any.
  const names = deleted.every((some) => some.length > 0) ? deleted.flat() : []
  return { starts, deletes: deleted.length > 0, names }
}

/** `r FILE`, `w FILE` and `s/…/…/w FILE` in a script of sed. */
function script(word: ShellWord, doing: Doing): void {
  const { reads, writes } = sedScript(word.value)
  for (const file of reads) doing.touch({ ...word, value: file }, 'read')
  for (const file of writes) doing.touch({ ...word, value: file }, 'write')
}
