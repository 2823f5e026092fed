import type { ShellCommand, ShellFacts, ShellWord } from 'hookgate/policy'

/** Lines of a file of variables. A filter that lets no two signs of any value through hides them all. */
const samples = ['NAME=q7zk9', 'export KEY="q7 zk9#q7"', "A_B2='7z=k9/q7'", 'URL=zk://q7:k9@7z/7z?q7=zk', 'NUM=779977']
const shown = /q7|7z|zk|k9|77|99/

type LineFilter = (line: string) => string

/** True if a command shows no value of the variables that it reads, and neither do those that get its output. */
export const hidesValues = (shell: ShellFacts, at: number, command: ShellCommand): boolean =>
  showsNames(command) || showsPlainVariable(command) || isMasked(shell, at)

/** Names of variables that may hold a secret. */
const secretName =
  /secret|token|pass|pwd|key|cred|private|auth|dsn|url|uri|conn|jwt|cookie|salt|seed|sign|cert|webhook/i

/** Beginnings of names that frameworks put into what every visitor of a site gets. */
const publicly =
  /^\^?(?:NEXT_PUBLIC|VITE|EXPO_PUBLIC|REACT_APP|NUXT_PUBLIC|GATSBY|NG_APP|STORYBOOK|VUE_APP|PUBLIC)_\w*=?(?:\.\*)?$/
/** The names that a pattern of a search has, where it is a list of them: `^(A|B)_`. */
function namesIn(pattern: string): readonly string[] {
  const [, list, end = ''] = /^\^?\\?\(([\w|\\^]+?)\\?\)([\w=.*]*)$/.exec(pattern) ?? []
  return (list ?? pattern).split(/\\?\|/).map((name) => name + end)
}
/** Names of variables whose end says that they hold no secret. In front of `_URL` stands whose address it is: a database's has a password in it. */
const plainly =
  /^\^?(?:export )?(?:[A-Z][A-Z0-9]*_)+(?:HOST|HOSTNAME|PORT|PROVIDER|GATEWAY|NAME|ENV|MODE|LEVEL|REGION|ZONE|ENABLED|DISABLED|TIMEOUT|VERSION|MODEL|DRIVER|TYPE|BUCKET|DOMAIN|ORIGINS?|LOCALE|DIR|FORMAT|SIZE|LIMIT|(?:API|APP|BASE|SITE|WEB|FRONTEND|BACKEND|GATEWAY|CALLBACK|REDIRECT)_URL)=?(?:\.\*)?$/
/** True if a search for a pattern shows only lines of variables that hold no secret. */
export const showsPlainLines = (pattern: string): boolean =>
  namesIn(pattern).every((name) => plainly.test(name) || publicly.test(name))

/** Options of a search that have no other lines shown than those that match. */
const sameLines = /^-[EPnhoHirRsw]+$/
/** The `-r` of `rg` takes a text that is put into lines. */
const sameLinesOfRg = /^-[nhoHisw]+$/

/** True if a program prints one variable, whose name says that it is no secret, or those that everybody may know. */
function showsPlainVariable({ program, args }: ShellCommand, operands = 1): boolean {
  if (args.some((word) => word.unresolved === true || word.several === true)) return false
  if (!/^(?:[ef]?grep|rg)$/.test(program)) return false
  const words = args
    .map(({ value }) => value)
    .filter((word) => !(program === 'rg' ? sameLinesOfRg : sameLines).test(word))
  const [first = '', ...rest] = words
  if (rest.length < operands || rest.some((word) => word.startsWith('-'))) return false
  if (showsPlainLines(first)) return true
  if (rest.length > operands) return false
  if (words.length !== args.length || program === 'rg') return false
  const name = /^\^([A-Z][A-Z0-9_]*)=$/.exec(first)?.[1]
  return name !== undefined && !secretName.test(name)
}

/** True for a word that may be an option: behind a folder, what is not known is none. */
const isUnknown = (word: ShellWord) => word.several === true || (word.unresolved === true && !/^\.?\//.test(word.value))

/** True if a command shows no values of a variables file: only a count, or whether a name is in it. */
export function showsNoValue({ program, args }: ShellCommand): boolean {
  if (program === 'wc') return args.every(({ value }) => /^-[clmLw]+$|^[^-]/.test(value))
  if (!/^(?:[ef]?grep|rg)$/.test(program) || args.some(isUnknown)) return false
  if (program === 'rg') return listsFiles(args)
  const words = args.map(({ value }) => value).filter((word) => !narrowing.test(word))
  const end = words.findIndex((word) => !plainOption.test(word))
  const options = end === -1 ? words : words.slice(0, end)
  // Behind an option with a value, `-c` may be that value.
  return (
    options.some((word) => counting.test(word)) && words.slice(options.length).every((word) => !word.startsWith('-'))
  )
}

/** True if `rg` answers with names of files and numbers alone. */
const listsFiles = (args: readonly ShellWord[]): boolean =>
  args.some(
    ({ value }, at) =>
      /^-[cl]$|^--(?:files|count|files-with(?:out)?-match(?:es)?)$/.test(value) &&
      !/^-\w*[efgr]$|^--(?:regexp|file|i?glob|replace)$/.test(args[at - 1]?.value ?? ''),
  )
/** Options that say which files of a folder are searched. */
const narrowing = /^--(?:include|exclude|exclude-dir)=/
const plainOption =
  /^-[cqlLisnwxEFGPhHvrR]+$|^--(?:count|quiet|silent|files-with(?:out)?-match(?:es)?|ignore-case|invert-match)$/
const counting = /^-\w*[cqlL]|^--(?:count|quiet|silent|files)/

/** True if a filter, given lines of variables, puts out no part of a value: it is tried on a few. */
export function showsNames(command: ShellCommand): boolean {
  const filter = filterOf(command)
  return filter !== undefined && samples.every((line) => !shown.test(filter(line)))
}

/** True if a filter, given lines of variables, puts out the values of all of them. */
export function showsAll(command: ShellCommand): boolean {
  const words = command.args.map(({ value }) => value)
  if (command.program === 'cut') return !showsNames(command)
  if (/^[ef]?grep$|^rg$/.test(command.program) && words.every((word) => /^-[EPhi]+$|^[=.^]?$|^\.\*$/.test(word)))
    return true
  const filter = filterOf(command)
  return filter !== undefined && samples.every((line) => shown.test(filter(line)))
}

/** Returns what a filter does to one line; `undefined` if it is none, or not known well enough. */
function filterOf({ program, args }: ShellCommand): LineFilter | undefined {
  if (args.some((word) => word.unresolved === true || word.several === true)) return undefined
  const words = args.map(({ value }) => value)
  const [first = '', second = ''] = words
  switch (program) {
    case 'cut': {
      const how = words.join(' ').replaceAll(/--(?:delimiter|fields)[= ]|-[df] ?/g, ' ')
      return /^ *(?:= +1|1 +=)(?: [^- ]\S*)*$/.test(how) && /-d|--del/.test(words.join(' '))
        ? (line) => line.split('=', 1).join('')
        : undefined
    }
    case 'awk':
    case 'gawk':
    case 'mawk': {
      const [separator, text = ''] = first === '-F' ? [second, words[2]] : [first.replace(/^-F/, ''), second]
      const isPlain = /^(?:!?\/[^/]*\/ *|NF *)?\{ ?printf? (?:(?:\$1|"[^"]*")[ ,]*)+;? ?\}$/.test(text)
      return /^(?:=|\[=\])$/.test(separator ?? '') && isPlain ? (line) => line.split('=', 1).join('') : undefined
    }
    case 'sed':
    case 'gsed':
      return edited(words, /^-(?:[Ernsu]+|-regexp-extended|-quiet)$/, /^-\w*[Er]|^--regexp/)
    case 'perl':
      return /^-[pl]*[ne]*e$/.test(first) && /p/.test(first) ? edited(words.slice(1), /^$/, /^/) : undefined
    case 'grep':
    case 'egrep': {
      const options = words.filter((word) => word.startsWith('-'))
      const only = options.every((word) => /^-[oEPhi]+$|^--only-matching$/.test(word)) && /o/.test(options.join(''))
      const pattern = words.find((word) => !word.startsWith('-')) ?? ''
      const isExtended = program === 'egrep' || options.some((word) => /[EP]/.test(word))
      const finds = only ? expressionOf(pattern, isExtended, 'g') : undefined
      return finds && ((line) => (line.match(finds) ?? []).join('\n'))
    }
    default:
      return undefined
  }
}

/** Applies a script of sed that has only `s` and `d` to a line. */
function edited(words: readonly string[], option: RegExp, extended: RegExp): LineFilter | undefined {
  const scripts: string[] = []
  let isExtended = false
  let isQuiet = false
  for (const [at, word] of words.entries()) {
    if (word === '-e' || word === '--expression') scripts.push(words[at + 1] ?? '')
    else if (option.test(word)) {
      isExtended ||= extended.test(word)
      isQuiet ||= /^-\w*n|^--quiet/.test(word)
    } else if (word.startsWith('-')) return undefined
  }
  if (scripts.length === 0) scripts.push(words.find((word) => !word.startsWith('-')) ?? '')
  if (extended.test('')) isExtended = true
  const steps: ((line: string, printed: string[]) => string)[] = []
  let rest = scripts.join(';')
  for (let step; (rest = rest.replace(/^[\s;]+/, '')) !== ''; rest = rest.slice(step[0].length)) {
    step =
      /^(?:\/(?:\\.|[^\\/])*\/d|s([^\w\s\\;])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1([gpIi]*))(?=[\s;]|$)/s.exec(
        rest,
      )
    if (step === null) return undefined
    const [, sign, pattern = '', put = '', flags = ''] = step
    if (sign === undefined) continue
    const finds = expressionOf(pattern, isExtended, flags.includes('g') ? 'g' : '')
    if (finds === undefined) return undefined
    steps.push((line, printed) => {
      const made = line.replace(finds, (whole, ...groups) => replacement(put, whole, groups))
      if (flags.includes('p') && finds.test(line)) printed.push(made)
      finds.lastIndex = 0
      return made
    })
  }
  if (steps.length === 0) return undefined
  return (line) => {
    const printed: string[] = []
    const last = steps.reduce((text, step) => step(text, printed), line)
    return [...printed, ...(isQuiet ? [] : [last])].join('\n')
  }
}

const replacement = (put: string, whole: string, groups: readonly unknown[]) =>
  put.replaceAll(/\\(.)|\$(\d|&)|&/gs, (_, quoted?: string, group?: string) => {
    if (quoted === undefined && (group ?? '&') === '&') return whole
    const at = quoted ?? group ?? ''
    if (!/\d/.test(at)) return at
    const part = at === '0' ? whole : groups[Number(at) - 1]
    return typeof part === 'string' ? part : ''
  })

const classes: Readonly<Record<string, string>> = {
  '[:alpha:]': 'A-Za-z',
  '[:alnum:]': 'A-Za-z0-9',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
  '[:space:]': '\\s',
  '[:blank:]': ' \\t',
}

/** A pattern of POSIX as one of JavaScript; `undefined` if it is not one. A `[` that nothing closes takes the rest. */
function expressionOf(pattern: string, isExtended: boolean, flags: string): RegExp | undefined {
  const source = pattern.replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\[.*|\\.|[(){}|+?]/gs, (token) => {
    if (token.startsWith('[')) return token.replaceAll(/\[:\w+:\]/g, (name) => classes[name] ?? '\\0')
    if (isExtended) return token
    if (/^\\[(){}|+?]$/.test(token)) return token.slice(1)
    return token.startsWith('\\') ? token : `\\${token}`
  })
  try {
    return source === '' ? undefined : new RegExp(source, flags)
  } catch {
    return undefined
  }
}

/** True for a program that passes on whole lines, and keeps none of them. */
const keepsLines = ({ output, paths }: ShellCommand): boolean =>
  (output === 'lines' || output === 'unpacked' || output === 'matches') &&
  !paths.some(({ access }) => access === 'write')
/** Programs that make variables of the words that they are given, and print none. */
const assigns = /^(?:export|declare|local|typeset|readonly)$/

/** True if what a command prints of variables, as it reads them, goes to others that print names alone or none of it. */
function isMasked({ commands, flows }: ShellFacts, at: number): boolean {
  const reached = new Set([at])
  for (const one of reached) {
    const giver = commands[one]
    const onward = flows.filter(({ from }) => from === one)
    if (giver === undefined || onward.length === 0) return false
    const isJoined = giver.program === 'xargs' && giver.args.length === 0
    if (!isJoined && !(keepsLines(giver) && !giver.args.some(({ value }) => /^-\w*o|^--only/.test(value)))) return false
    for (const { to, via } of onward) {
      const receiver = commands[to]
      if (receiver === undefined) return false
      if (via === 'argument' && assigns.test(receiver.program)) continue
      if (via !== 'pipe' || isJoined) return false
      if (!showsNames(receiver) && !showsNoValue(receiver) && !showsPlainVariable(receiver, 0)) reached.add(to)
    }
  }
  return true
}
