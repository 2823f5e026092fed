import { unknownPart } from '../../../../model/shell.ts'
import type { Found } from '../found.ts'
import type { CodeSurroundings } from '../recognised.ts'
import { everyPart, joinPath, text, type Value, withoutEvery } from '../value.ts'
import { type PowershellWord, statementsOf } from './powershell-words.ts'

type Does = 'delete' | 'write' | 'read' | 'move' | 'copy' | 'mark' | 'evaluate' | 'start' | 'network' | 'say' | 'folder'

/** What commands do with the paths they are given, and what they are called for short. */
const commands: Readonly<Record<string, Does>> = {
  'remove-item': 'delete',
  ri: 'delete',
  rm: 'delete',
  rmdir: 'delete',
  del: 'delete',
  erase: 'delete',
  rd: 'delete',
  'clear-content': 'write',
  clc: 'write',
  'set-content': 'write',
  sc: 'write',
  'add-content': 'write',
  ac: 'write',
  'out-file': 'write',
  'new-item': 'write',
  ni: 'write',
  'tee-object': 'write',
  'export-csv': 'write',
  'get-content': 'read',
  gc: 'read',
  cat: 'read',
  type: 'read',
  'move-item': 'move',
  mi: 'move',
  mv: 'move',
  move: 'move',
  'rename-item': 'move',
  rni: 'move',
  ren: 'move',
  'copy-item': 'copy',
  copy: 'copy',
  cp: 'copy',
  cpi: 'copy',
  'set-acl': 'mark',
  'set-itemproperty': 'mark',
  'invoke-expression': 'evaluate',
  iex: 'evaluate',
  'start-process': 'start',
  saps: 'start',
  start: 'start',
  'invoke-webrequest': 'network',
  iwr: 'network',
  'invoke-restmethod': 'network',
  irm: 'network',
  curl: 'network',
  wget: 'network',
  'start-bitstransfer': 'network',
  'write-host': 'say',
  'write-output': 'say',
  'write-error': 'say',
  echo: 'say',
  'set-location': 'folder',
  cd: 'folder',
  sl: 'folder',
}

/** Parameters that have a value which is no path. */
const otherValues =
  /^-(?:filter|include|exclude|value|encoding|itemtype|type|credential|erroraction|ea|depth|stream|delimiter|first|tail|totalcount|method|headers|body|contenttype|useragent|name|argumentlist|args|verb|workingdirectory|inputobject)$/i
const pathParameters = /^-(?:path|literalpath|lp|pspath|destination|filepath|newname|outfile|uri)$/i

/** PowerShell, statement by statement: what its common commands do with paths, and what is no command of its own. */
export function recognisePowershell(source: string, found: Found, around: CodeSurroundings): void {
  const variables = new Map<string, string>([
    ['home', around.home ?? unknownPart],
    ['env:userprofile', around.home ?? unknownPart],
    ['env:home', around.home ?? unknownPart],
    ['pwd', '.'],
    ['true', 'True'],
  ])
  const lookUp = (name: string): string => {
    const lower = name.toLowerCase()
    return (
      variables.get(lower) ?? (lower.startsWith('env:') ? around.variable?.(name.slice(4)) : undefined) ?? unknownPart
    )
  }
  let carried: string | undefined
  const home = lookUp('home')
  for (const { words: written, piped, assigned } of statementsOf(source, lookUp)) {
    // It knows of homes itself, within quotes as well.
    const words = written.map(({ value, quoted, called }) => ({
      value: value.replace(/^~(?=[\\/]|$)/, () => home),
      quoted,
      called,
    }))
    if (assigned !== undefined)
      variables.set(assigned.toLowerCase(), words.length === 1 ? (words[0]?.value ?? unknownPart) : unknownPart)
    for (const [at, { value, quoted }] of words.entries()) {
      if (quoted || !/^[1-6*]?>{1,2}$/.test(value)) continue
      const file = words[at + 1]?.value
      if (file !== undefined && !/^(?:\$null|&\d)$/i.test(file)) found.path(text(file), 'write')
    }
    run(words, piped ? carried : undefined, found)
    const [first] = words
    const list = /^(?:get-childitem|gci|ls|dir)$/i.test(first?.value ?? '')
    const picks = /^(?:where|where-object|\?|select|select-object)$/i.test(first?.value ?? '')
    carried = list
      ? listedBy(words)
      : picks && carried !== undefined
        ? withoutEvery(carried)
        : first?.quoted === true
          ? first.value
          : piped
            ? carried
            : undefined
    const network = /\b(?:Net\.WebClient|Http\.HttpClient|Net\.Sockets)\b/i.test(
      words.map(({ value }) => value).join(' '),
    )
    if (network) found.network()
  }
  if (/FromBase64String/i.test(source)) found.does('decodes')
  for (const call of source.matchAll(
    /\[(?:System\.)?IO\.(?:File|Directory)\]::(Delete|WriteAll\w+|AppendAll\w+|Move|ReadAll\w+)\(\s*(?:"([^"]*)"|'([^']*)')(\s*,\s*\$true)?/gi,
  )) {
    const target = text((call[2] ?? call[3] ?? '').replaceAll(/\$\{?([\w:]+)\}?/g, (_, name: string) => lookUp(name)))
    const isRead = /^read/i.test(call[1] ?? '')
    found.path(target, isRead ? 'read' : /^(?:delete|move)$/i.test(call[1] ?? '') ? 'delete' : 'write', {
      recursive: call[4] !== undefined,
    })
  }
}

/** What is in a folder: every name, at any depth with -Recurse, or some of them where only those of one kind are listed. */
function listedBy(words: readonly PowershellWord[]): string {
  const operands = words.slice(1).filter(({ value, quoted }) => quoted || !value.startsWith('-'))
  const switches = words.filter(({ quoted }) => !quoted).map(({ value }) => value)
  const picks = operands.length > 1 || switches.some((one) => /^-(?:fi|inc|exc|dep|att|pat|li)/i.test(one))
  const folder = operands[0]?.value ?? '.'
  if (picks || /[*?[]/.test(folder)) return `${folder}/${unknownPart}`
  const isDeep = switches.some((one) => /^-r(?:ec(?:urse)?)?$|^-s$/i.test(one))
  return joinPath(folder, isDeep ? `${everyPart}${everyPart}/${everyPart}` : everyPart)
}

function run(words: readonly PowershellWord[], carried: string | undefined, found: Found): void {
  const [first, ...rest] = words
  if (first === undefined || (first.quoted && !first.called)) return
  const name = first.value.toLowerCase().replace(/\.exe$/, '')
  const does = commands[name]
  if (does === undefined) {
    // A member of an object, a comparison, a keyword: no program.
    if (first.called || /^[a-z][\w.+-]*$|[/\\]/i.test(first.value)) other(first, rest, found)
    return
  }
  const paths: Value[] = carried === undefined ? [] : [text(carried)]
  let recursive = false
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]
    if (word === undefined) continue
    if (!word.quoted && /^-[a-z]/i.test(word.value)) {
      if (/^-r(?:ec(?:urse)?)?$/i.test(word.value) || /^-rf$|^-fr$/i.test(word.value)) recursive = true
      else if (otherValues.test(word.value)) at++
      else if (pathParameters.test(word.value) && rest[at + 1] !== undefined) paths.push(text(rest[++at]?.value ?? ''))
    } else if (word.value !== ',') paths.push(text(word.value))
  }
  act(does, paths, recursive, rest, found, carried)
}

function act(
  does: Does,
  paths: readonly Value[],
  recursive: boolean,
  rest: readonly PowershellWord[],
  found: Found,
  carried: string | undefined,
): void {
  switch (does) {
    case 'delete':
      for (const path of paths) found.path(path, 'delete', { recursive })
      return
    case 'write':
      // What is piped into it is what it writes, and not where.
      found.path(carried !== undefined && paths.length > 1 ? paths[1] : paths[0], 'write')
      return
    case 'read':
      for (const path of paths) found.path(path, 'read')
      return
    case 'move':
    case 'copy':
      found.path(paths[0], does === 'move' ? 'delete' : 'read', { recursive })
      found.path(paths[1], 'write')
      return
    case 'mark':
      found.path(paths[0], 'write', { metadata: true })
      return
    case 'evaluate':
      found.code('powershell', paths[0])
      return
    case 'start':
      found.words(
        rest
          .filter(
            ({ value, quoted }) =>
              value !== ',' &&
              (quoted || !/^-(?:filepath|argumentlist|args|wait|nonewwindow|verb|windowstyle|passthru)$/i.test(value)),
          )
          .map(({ value }) => text(value)),
      )
      return
    case 'network':
      found.network(
        paths.find((one) => one.kind === 'text' && one.texts.some((url) => url.includes('://'))) ?? paths[0],
      )
      return
    case 'say':
    case 'folder':
  }
}

const keywords =
  /^(?:if|else|elseif|foreach|for|while|do|function|param|return|try|catch|finally|switch|begin|process|end|throw|exit|break|continue|using|class|in|get-\w+|test-\w+|where-object|where|foreach-object|select-object|sort-object|measure-object|format-\w+|import-module|new-object|join-path|split-path|resolve-path|out-null|out-string|out-host|convertto-\w+|convertfrom-\w+|ls|dir|pwd|gci|select|sort|measure|ft|fl|set-strictmode|set-executionpolicy|set-variable|compare-object|group-object|write-\w+|clear-host|cls|clear|sleep|start-sleep|date)$/i

function other(first: PowershellWord, rest: readonly PowershellWord[], found: Found): void {
  if (keywords.test(first.value)) return
  found.words([
    text(first.value),
    ...rest.filter(({ value, quoted }) => quoted || value !== ',').map(({ value }) => text(value)),
  ])
}
