import { lineOf, type ShellCommand, type ShellFacts, type ShellFilter } from 'hookgate/policy'

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

/** True if a search shows one variable, whose name says that it is no secret, or those that everybody may know. */
function showsPlainVariable({ filter }: ShellCommand): boolean {
  if (filter?.by !== 'pattern') return false
  const name = /^\^([A-Z][A-Z0-9_]*)=$/.exec(filter.text)?.[1]
  return showsPlainLines(filter.text) || (name !== undefined && !secretName.test(name))
}

/** True if a filter, given lines of variables, puts out no part of a value: it is tried on a few. */
export function showsNames(command: ShellCommand): boolean {
  const filter = filterOf(command)
  return filter !== undefined && samples.every((line) => !shown.test(filter(line)))
}

/** True if a filter, given lines of variables, puts out the values of all of them. */
export function showsAll(command: ShellCommand): boolean {
  const { filter } = command
  if (filter?.by === 'fields' || filter?.by === 'characters') return !showsNames(command)
  if (filter?.by === 'pattern' && filter.only !== true) return /^(?:[=.^]?|\.\*)$/.test(filter.text)
  const tried = filterOf(command)
  return tried !== undefined && samples.every((line) => shown.test(tried(line)))
}

/** A rule that prints the first field, or the name that a line begins with. */
const printsFirst = /^(?:!?\/[^/]*\/ *|NF *)?\{ ?printf? (?:(?:\$1|"[^"]*")[ ,]*)+;? ?\}$/
const first: LineFilter = (line) => line.split('=', 1).join('')

/** Returns what a filter does to one line; `undefined` if it is none, or not known well enough. */
function filterOf({ filter }: ShellCommand): LineFilter | undefined {
  switch (filter?.by) {
    case 'fields':
      return filter.separator === '=' && filter.text === '1' ? first : undefined
    case 'rules':
      return /^(?:=|\[=\])$/.test(filter.separator ?? '') && printsFirst.test(filter.text) ? first : undefined
    case 'edits':
      return edited(filter)
    case 'pattern': {
      const finds = filter.only === true ? expressionOf(filter.text, filter.extended === true, 'g') : undefined
      return finds && ((line) => (line.match(finds) ?? []).join('\n'))
    }
    case 'characters':
    case 'query':
    case undefined:
      return undefined
  }
}

/** Applies a script that has only `s` and `d` to a line. */
function edited({ text, extended, only }: ShellFilter): LineFilter | undefined {
  const steps: ((line: string, printed: string[]) => string)[] = []
  let rest = text
  for (let step; (rest = rest.replace(/^[\s;]+/, '')) !== ''; rest = rest.slice(step[0].length)) {
    step =
      /^(?:\/(?:\\.|[^\\/])*\/d|s([^\w\s\\;])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1([gpIi]*))(?=[\s;]|$)/s.exec(
        rest,
      )
    if (step === null) return undefined
    const [, sign, pattern = '', put = '', flags = ''] = step
    if (sign === undefined) continue
    const finds = expressionOf(pattern, extended === true, flags.includes('g') ? 'g' : '')
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
    const last = steps.reduce((made, step) => step(made, printed), line)
    return [...printed, ...(only === true ? [] : [last])].join('\n')
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
/** True if what a command prints of variables, as it reads them, goes to others that print names alone or none of it. */
function isMasked({ commands, flows }: ShellFacts, at: number): boolean {
  const reached = new Set([at])
  for (const one of reached) {
    const giver = commands[one]
    const onward = flows.filter(({ from }) => from === one)
    if (giver === undefined || onward.length === 0) return false
    // In another form, it may only be kept.
    const isJoined = giver.output === 'form'
    if (!isJoined && !(keepsLines(giver) && lineOf(giver)?.has('o', 'only-matching') !== true)) return false
    for (const { to, via } of onward) {
      const receiver = commands[to]
      if (receiver === undefined) return false
      if (via === 'argument' && receiver.output === 'kept') continue
      if (via !== 'pipe' || isJoined) return false
      if (!showsNames(receiver) && receiver.output !== 'counts' && !showsPlainVariable(receiver)) reached.add(to)
    }
  }
  return true
}
