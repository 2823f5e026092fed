import { unknownPart } from '../../../model/shell.ts'
import { commandCall, effectsByName } from './effects.ts'
import type { CodeEnvironment, Findings } from './findings.ts'
import { bracedCode, type CodeToken, firstOf, tokensOf, variableIn } from './tokens.ts'
import { dotNet, withJoinedPaths } from './languages/dot-net.ts'
import { scanCode } from './scan/scan.ts'
import { folderOfVariable, writtenOut } from './powershell-written.ts'
import { joinPath, text, unknownText } from './values.ts'

const powershell = {
  blank: /\s+|<#[\s\S]*?(?:#>|$)|#[^\n]*|`\n/y,
  name: /\$(?:\{[^}]{0,128}\}|[\w:]+)|(?:[^\s"';|{}(),$`]|`[^\n])+/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'none' },
    {
      open: /(?<mark>")/y,
      escapes: 'none',
      code: firstOf(bracedCode('$('), variableIn(/\$(?:\{[^}]{0,128}\}|[\w:]+)/y)),
    },
  ],
} as const

/** Cmdlets with effects, and their aliases. */
const cmdlets = effectsByName({
  deletes: 'remove-item ri rm rmdir del erase rd',
  writes: 'clear-content clc set-content sc add-content ac out-file new-item ni tee-object export-csv',
  reads: 'get-content gc cat type',
  moves: 'move-item mi mv move rename-item rni ren',
  copies: 'copy-item copy cp cpi',
  marks: 'set-acl set-itemproperty',
  evaluates: 'invoke-expression iex',
  startsProgram: 'start-process saps start',
  connects: 'invoke-webrequest iwr invoke-restmethod irm curl wget start-bitstransfer send-mailmessage',
})

/** Cmdlets and keywords that have no effects to record. */
const harmless =
  /^(?:if|else|elseif|foreach|for|while|do|function|param|return|try|catch|finally|switch|begin|process|end|throw|exit|break|continue|using|class|in|get-(?!clipboard$)\w+|gi|gp|rvpa|convert-path|test-\w+|where-object|where|foreach-object|select-object|sort-object|measure-object|format-\w+|import-module|new-object|join-path|split-path|resolve-path|out-null|out-string|out-host|convertto-\w+|convertfrom-\w+|ls|dir|pwd|gci|select|sort|measure|ft|fl|set-strictmode|set-executionpolicy|set-variable|set-location|cd|sl|echo|compare-object|group-object|write-\w+|clear-host|cls|clear|sleep|start-sleep|date)$/i

/** Parameters that take a value other than a path. */
const otherValues =
  /^-(?:filter|include|exclude|value|encoding|itemtype|type|credential|erroraction|ea|depth|stream|delimiter|first|tail|totalcount|method|headers|body|contenttype|useragent|name|verb|workingdirectory|inputobject)$/i

interface Word {
  readonly value: string
  readonly quoted: boolean
}

interface Statement {
  readonly words: readonly Word[]
  /** The output of the previous statement is piped into this one. */
  readonly piped: boolean
}

/** Finds the effects of PowerShell's common cmdlets, and the programs started, statement by statement. */
export function scanPowershell(written: string, findings: Findings, environment: CodeEnvironment): void {
  const source = withJoined(writtenOut(written))
  if (calledParts.test(source)) findings.script(unknownText)
  const aliases = new Map<string, string>()
  const home = environment.home ?? unknownPart
  const variables = new Map([
    ...['home', 'env:userprofile', 'env:home', '~'].map((name): [string, readonly string[]] => [name, [home]]),
    ['pwd', ['.']],
  ])
  const assigned = new Map<string, string>()
  let piped: readonly string[] | undefined
  for (const statement of statementsOf(
    withJoinedPaths(tokensOf(source, powershell)),
    variables,
    assigned,
    environment,
  )) {
    const words = withoutRedirections(renamed(statement.words, aliases), findings)
    const received = statement.piped ? piped : undefined
    run(words, received, findings, environment, assigned)
    const [first] = words
    if (isListing.test(first?.value ?? '')) piped = [listedBy(words)]
    else piped = first?.quoted === true ? itemsIn(words) : received
  }
  const variable = (name: string) => variables.get(`env:${name.toLowerCase()}`)?.[0] ?? environment.variable?.(name)
  if (isDotNet.test(source)) scanCode('powershell', source, dotNet, findings, { ...environment, variable })
  for (const [, file = ''] of source.matchAll(sentFile)) findings.path(text(file), 'read')
  if (/\.(?:Bind|Listen)\(/i.test(source))
    for (const [, path = ''] of source.matchAll(endPoint)) findings.path(text(path), 'write')
  if (/\b(?:Net\.WebClient|Http\.HttpClient|Net\.Sockets)\b/i.test(source)) findings.network()
  if (/FromBase64String/i.test(source)) findings.does('decodes')
}

/** Puts together literals that are added to each other, and takes the brackets from a literal that is called. */
function withJoined(source: string): string {
  let joined = source
  for (let round = 0; round < joinedMax; round++) {
    const next = joined.replaceAll(
      addedLiterals,
      (_, mark: string, a: string, _other, b: string) => mark + a + b + mark,
    )
    if (next === joined) break
    joined = next
  }
  return joined.replaceAll(
    /(^|[\n;|{(]\s{0,8})([&.]|iex|invoke-expression)\s{0,8}\(\s{0,8}("[^"\n]*"|'[^'\n]*')\s{0,8}\)/gi,
    '$1$2 $3',
  )
}
/** A word of more parts is not put together. */
const joinedMax = 16
const addedLiterals = /(["'])([^"'`\n]{0,200})\1\s{0,8}\+\s{0,8}(["'])([^"'`\n]{0,200})\3/g

/** What is called is made of parts, or found by a pattern: `& ('{0}{1}' -f 'r', 'm')`, `& (gcm r*m)`. */
const calledParts =
  /(?:^|[\n;|{(]\s{0,8})[&.]\s{0,8}\((?!\s{0,8}(?:join|split|resolve)-path\b|[^)\n]{0,200}\.(?:ps1|psm1|exe|cmd|bat)\b)[^)\n]{0,200}(?:-f\s|-join|-replace|\[char|\+|[*?]|\.replace|\[\d)/i

/** Puts the command that an alias of the script stands for in its place. */
function renamed(words: readonly Word[], aliases: Map<string, string>): readonly Word[] {
  const [first, ...rest] = words
  if (first === undefined) return words
  const name = first.value.toLowerCase()
  if (/^(?:set-alias|new-alias|sal|nal)$/.test(name)) {
    const [alias, command] = rest.filter(({ value }) => !/^-(?:name|value|option|scope|force)$/i.test(value))
    if (alias !== undefined && command !== undefined) aliases.set(alias.value.toLowerCase(), command.value)
  }
  const command = aliases.get(name)
  return command === undefined ? words : [{ value: command, quoted: false }, ...rest]
}

/** A type, or an object of one. */
const isDotNet = /\[[A-Za-z][\w.+]*\]|\bNew-Object\b|\b(?:Get-Item|gi)\b/i

/** A file that is sent: `-InFile x`, `-Attachments x`, `-Form @{ f = Get-Item x }`. */
const sentFile = /(?:-(?:InFile|Attachments?)\s+|-Form\s+@\{[^}]{0,200}?Get-Item\s+)["']?([^\s"'$(),;|}]{1,400})/gi

/** The address of a Unix socket: `[Net.Sockets.UnixDomainSocketEndPoint]::new('/x')`. */
const endPoint = /\bUnixDomainSocketEndPoint\b[^"'\n]{0,40}["']([^"'$]{1,400})["']/gi

const isListing = /^(?:get-childitem|gci|ls|dir)$/i

const readers = /^(?:get-content|gc|cat|type)$/

/** Returns the path of an unknown entry of the listed folder. */
function listedBy(words: readonly Word[]): string {
  const folder = words.slice(1).find(({ value, quoted }) => quoted || !value.startsWith('-'))
  return joinPath(folder?.value ?? '.', unknownPart)
}

/** Yields the statements, including those in brackets and blocks, with the variables known so far substituted. */
function* statementsOf(
  tokens: readonly CodeToken[],
  variables: Map<string, readonly string[]>,
  ofEnvironment: Map<string, string>,
  { variable, home = unknownPart }: CodeEnvironment,
): Generator<Statement> {
  const valuesOf = (written: string): readonly string[] => {
    const name = written.replaceAll(/[${}]/g, '').toLowerCase()
    const key = written.replaceAll(/[${}]/g, '').slice('env:'.length)
    const given = name.startsWith('env:') ? (variable?.(key) ?? folderOfVariable(key, home)) : undefined
    return variables.get(name) ?? [given ?? unknownPart]
  }
  // Within a text, a list is taken for unknown.
  const valueOf = (written: string): string => {
    const [value = '', ...more] = valuesOf(written)
    return more.length === 0 ? value : unknownPart
  }
  /** Goes over the marks of a list that is written out, `@('a', 'b')`: it is the words in it. */
  const isOfList = (mark: string): boolean => {
    if (mark === '(' && words.at(-1)?.value === '@') {
      words.pop()
      lists++
      return true
    }
    if (mark !== ')' || lists === 0) return false
    lists--
    return true
  }
  const textOf = (token: CodeToken): string => {
    if (token.kind === 'string')
      return token.parts.map((part) => (typeof part === 'string' ? part : valueOf(part.code))).join('')
    return token.text.startsWith('$') ? valueOf(token.text) : token.text.replaceAll(/`(.)/g, '$1')
  }
  let words: Word[] = []
  let piped = false
  let assigned: string | undefined
  let lists = 0
  let looped: string | undefined
  for (const [at, token] of tokens.entries()) {
    const isEnd = token.kind === 'mark' && token.text !== ',' && !isOfList(token.text)
    if (isEnd || token.newLine) {
      if (assigned !== undefined) {
        variables.set(assigned, itemsIn(words))
        const name = assigned.replace(/^env:/, '').toUpperCase()
        // The search path of Windows is written in another way than programs take it here.
        if (name !== assigned.toUpperCase() && name !== 'PATH' && ofEnvironment.size < assignedMax)
          ofEnvironment.set(name, itemsIn(words)[0] ?? unknownPart)
      }
      if (looped !== undefined) variables.set(looped, itemsIn(words))
      if (words.length > 0 && words.every(({ quoted }) => quoted)) variables.set('_', itemsIn(words))
      else if (isEnd && token.text === '|') variables.delete('_')
      if (words.length > 0) yield { words, piped }
      words = []
      assigned = undefined
      looped = undefined
      if (!isEnd || !/[{(]/.test(token.text)) piped = isEnd && token.text === '|'
    }
    if (token.kind === 'mark') continue
    const value = textOf(token)
    const before = tokens[at - 1]
    const last = words.at(-1)
    if (words.length === 1 && token.text === '=' && before?.kind === 'name') {
      assigned = before.text.replaceAll(/[${}]/g, '').toLowerCase()
      words = []
    } else if (words.length === 1 && /^in$/i.test(token.text) && before?.kind === 'name') {
      looped = before.text.replaceAll(/[${}]/g, '').toLowerCase()
      words = []
    } else if (token.kind === 'name' && /^\$[\w:]+$/.test(token.text) && valuesOf(token.text).length > 1) {
      for (const one of valuesOf(token.text)) words.push({ value: one, quoted: true })
    } else if (token.apart || last === undefined || before?.kind === 'mark') {
      words.push({
        value: value.replace(/^~(?=[\\/]|$)/, () => valueOf('~')),
        quoted: token.kind === 'string' || token.text.startsWith('$'),
      })
    } else words[words.length - 1] = { value: last.value + value, quoted: last.quoted }
  }
  if (words.length > 0) yield { words, piped }
}

/** Variables of the environment that a script sets for the programs that it starts; those beyond it are not followed. */
const assignedMax = 16

/** Returns what an expression is the list of; one that calls something is not known. */
const itemsIn = (words: readonly Word[]): readonly string[] =>
  words.length > 0 && (words.length === 1 || words.every(({ quoted }) => quoted))
    ? words.map(({ value }) => value)
    : [unknownPart]

function withoutRedirections(words: readonly Word[], findings: Findings): readonly Word[] {
  const isRedirection = (word: Word | undefined): boolean =>
    word !== undefined && !word.quoted && /^[1-6*]?>{1,2}$/.test(word.value)
  return words.filter((word, at) => {
    if (isRedirection(word)) return false
    if (!isRedirection(words[at - 1])) return true
    if (!/^(?:\$null|&\d)$/i.test(word.value)) findings.path(text(word.value), 'write')
    return false
  })
}

/** A path within a folder, whose parts are the same with slashes. */
const relative = /^\.{0,2}[\w.-]*(?:\\[\w.*-]+)+\\?$/

function run(
  words: readonly Word[],
  piped: readonly string[] | undefined,
  findings: Findings,
  environment: CodeEnvironment,
  assigned: ReadonlyMap<string, string>,
): void {
  const called = words[0]?.value === '&' || words[0]?.value === '.'
  const [first, ...rest] = called ? words.slice(1) : words
  if (first === undefined || (first.quoted && !called) || first.value.startsWith('[')) return
  const name = first.value.toLowerCase().replace(/\.exe$/, '')
  const effect = cmdlets.get(name)
  if (effect === undefined) {
    // A member access or a comparison starts no program.
    const isProgram = called || /^[a-z][\w.+-]*$|[/\\]/i.test(first.value)
    if (!isProgram || harmless.test(name)) return
    const set = [...assigned].map(([variable, value]) => `${variable}=${value}`)
    const started = [first, ...rest].map(({ value }) => value)
    findings.words((set.length === 0 ? started : ['env', ...set, ...started]).map(text))
    return
  }
  const isParameter = (word: Word | undefined): boolean =>
    word !== undefined && !word.quoted && /^-[a-z]/i.test(word.value)
  const operands = rest.filter((word, at) => {
    const before = rest[at - 1]
    return !isParameter(word) && !(isParameter(before) && otherValues.test(before?.value ?? ''))
  })
  const recursive = rest.some((word) => isParameter(word) && /^-(?:r(?:ec(?:urse)?)?|rf|fr)$/i.test(word.value))
  // Piped input is the operand only if there is no other: a cmdlet that writes a named file receives its content.
  const own = operands.map(({ value }) =>
    relative.test(value) || value.startsWith('/') ? value.replaceAll('\\', '/') : value,
  )
  const all = piped === undefined ? own : own.length > 0 ? own : piped
  const call = commandCall(all.length > 0 ? all : [unknownPart], recursive, {
    language: 'powershell',
    findings,
    environment,
  })
  effect(call)
  // Only the first operand is what `Get-Content` reads, as the effect has it for other languages.
  if (readers.test(name)) for (const one of all.slice(1)) findings.path(text(one), 'read')
}

const commands = effectsByName({
  deletes: 'del erase rd rmdir',
  moves: 'move ren rename',
  copies: 'copy xcopy',
  reads: 'type',
  marks: 'attrib icacls takeown',
})
const printsOnly = /^(?:rem|echo|set)$/i
const option = /^\/[a-z?]+(?::\S+)?$/i

/** Finds the programs that a `cmd.exe` script starts, and the files it touches. */
export function scanCmd(source: string, findings: Findings, environment: CodeEnvironment): void {
  const { home = '%USERPROFILE%' } = environment
  for (const line of expanded(source)) {
    for (const [, quoted, bare = ''] of line.matchAll(/>{1,2}\s*(?:"([^"]+)"|([^\s"&|<>]+))/g)) {
      const file = quoted ?? bare
      if (!/^(?:nul|con|&\d)$/i.test(file)) findings.path(text(slashed(file)), 'write')
    }
    const [name = '', ...rest] = wordsOf(
      line
        .replaceAll(/\d?>{1,2}\s*(?:"[^"]+"|&?[^\s"&|<>]+)/g, '')
        .replaceAll(/%(?:USERPROFILE|HOME)%/gi, (variable) => environment.home ?? variable)
        .replaceAll(/%(\w{1,64})%/g, (written, variable: string) => folderOfVariable(variable, home) ?? written)
        .trim()
        .replace(/^@/, ''),
    )
    const effect = commands.get(name.toLowerCase())
    if (name === '' || printsOnly.test(name)) continue
    if (effect !== undefined) {
      const operands = rest.filter((word) => !option.test(word)).map(slashed)
      const recursive = rest.some((word) => /^\/s$/i.test(word))
      effect(commandCall(operands, recursive, { language: 'cmd', findings, environment }))
    } else {
      // `cmd.exe` searches the working directory before `PATH`.
      const program = /^[\w-]+\.(?:bat|cmd|exe|com|vbs|ps1)$/i.test(name) ? `./${name}` : name
      findings.words([program, ...rest].map(text))
    }
  }
}

/**
 * Returns the commands of a script without `^`, which escapes a character, `call`, and with the values of the variables
 * that it sets: `%a%`, with delayed expansion `!a!`, and the variable of a `for` over words.
 */
function expanded(source: string): readonly string[] {
  const values = new Map<string, string>()
  return source
    .replaceAll(/\^(?!\n)/g, '')
    .split(/\n|&&?|\|\|?/)
    .flatMap((line) => {
      const [, name, value = ''] = /^\s*@?set\s+"?(\w+)=([^"]*)/i.exec(line) ?? []
      if (name !== undefined) values.set(name.toLowerCase(), value.trimEnd())
      const known = line
        .replaceAll(/([%!])(\w{1,64})\1/g, (written, _, one: string) => values.get(one.toLowerCase()) ?? written)
        .replace(/^\s*@?call\s+(?!:)/i, '')
      const [, variable = '', words = '', body] =
        /^\s*@?for\s+%%?(\w)\s+in\s+\(([^)]*)\)\s+do\s+(.*)$/i.exec(known) ?? []
      if (body === undefined) return [known]
      return words.split(/[\s,;]+/, roundsMax).map((word) => body.replaceAll(new RegExp(`%%?${variable}`, 'g'), word))
    })
}
const roundsMax = 16

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[1] ?? found[2] ?? found[0])

/** Converts backslashes in an absolute path without a drive, such as `\tmp\x`, to slashes. */
const slashed = (path: string): string => (/^(?:\\[^\\]|\/)/.test(path) ? path.replaceAll('\\', '/') : path)
