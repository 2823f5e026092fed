import { codeLimits } from '../../../../model/limits.ts'
import { unknownPart } from '../../../../model/shell.ts'
import { functionsOf, type Language } from '../language.ts'
import {
  bracedCode,
  type CodeToken,
  firstOf,
  isMark,
  type StringPart,
  variableIn,
  markOf,
  nameOf,
  near,
} from '../tokens.ts'

const files = 'io.file microsoft.visualbasic.fileio.filesystem'

/** PowerShell's expressions: .NET's types, their static methods, and objects. Its cmdlets have a scanner of their own. */
export const dotNet: Language = {
  blank: /\s+|<#[\s\S]*?(?:#>|$)|#[^\n]*|`\n|\$(?=\()/y,
  name: /\$(?:\{[^}]{0,128}\}|[\w:]+)|\[[A-Za-z][\w+]*(?:\.[\w+]+)*\]|[A-Za-z_][\w-]*/y,
  strings: [
    { open: /@?(?<mark>')/y, escapes: 'none' },
    {
      open: /@?(?<mark>")/y,
      escapes: 'none',
      code: firstOf(bracedCode('$('), variableIn(/\$(?:\{[^}]{0,128}\}|[\w:]+)/y)),
    },
  ],
  concat: ['+'],
  members: ['::', '.'],
  bareCalls: /["']/,
  lines: true,
  calls: {
    deletes: functionsOf(files, 'delete deletefile'),
    deletesTree: 'io.directory.delete microsoft.visualbasic.fileio.filesystem.deletedirectory',
    moves: functionsOf(files, 'move movefile replace'),
    movesTree: 'io.directory.move microsoft.visualbasic.fileio.filesystem.movedirectory',
    copies: functionsOf(files, 'copy copyfile copydirectory'),
    copiesTree: functionsOf('io.compression.zipfile', 'extracttodirectory createfromdirectory'),
    writes: `${functionsOf(
      files,
      `writealltext writealllines writeallbytes writealltextasync writealllinesasync writeallbytesasync appendalltext
      appendalllines appendallbytes create createtext appendtext openwrite encrypt createsymboliclink`.replaceAll(
        /\s+/g,
        ' ',
      ),
    )} ${functionsOf('io.directory', 'createdirectory createsymboliclink')} io.streamwriter.new`,
    opensStream: `${functionsOf(files, 'open')} io.filestream.new`,
    reads: `${functionsOf(files, 'readalltext readalllines readallbytes readlines opentext openread')} io.streamreader.new`,
    marks: functionsOf(
      `io.directory ${files}`,
      'setattributes setaccesscontrol setlastwritetime setcreationtime setunixfilemode',
    ),
    startsLine: 'diagnostics.process.start',
    describesLine: 'diagnostics.processstartinfo.new',
    evaluates: 'scriptblock.create management.automation.scriptblock.create',
    downloads: 'net.webclient.downloadfile net.webclient.downloadfiletaskasync',
    connects: functionsOf(
      'net.webclient net.http.httpclient',
      'downloadstring downloaddata openread openwrite uploadstring uploaddata uploadvalues getasync getstringasync postasync',
    ),
    uploads: functionsOf('net.webclient', 'uploadfile uploadfiletaskasync'),
    module: 'client',
    joinsPaths: 'io.path.combine io.path.join',
    returnsFirst: `${functionsOf('io.path', 'getfullpath')} ${functionsOf('io.fileinfo io.directoryinfo', 'new')} io.fileinfo io.directoryinfo item`,
    home: 'home environment.getfolderpath',
    variable: 'env environment.getenvironmentvariable',
  },
  // A path that a file's or folder's object was made of.
  methods: {
    deletesTree: 'delete',
    moves: 'moveto',
    copies: 'copyto',
    writes: 'create createtext appendtext openwrite',
    reads: 'opentext openread',
    opensStream: 'open',
  },
  prepared: asExpressions,
  canonical: (name) => name.toLowerCase().replace(/^\[(?:system\.)?([\w.+]+)\]/, '$1'),
}

type TokenPlace = Pick<CodeToken, 'newLine' | 'apart'>
const textOf = (parts: readonly StringPart[], { newLine, apart }: TokenPlace): CodeToken => ({
  kind: 'string',
  text: '"',
  parts: parts.length === 0 ? [''] : parts,
  quoted: 'text',
  newLine,
  apart,
})

/** Joins the words of `Join-Path` to one text, which takes the place of the brackets around it. */
export function withJoinedPaths(given: readonly CodeToken[]): readonly CodeToken[] {
  const tokens = [...given]
  // From the end, so that one in the brackets of another is a text by then.
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]
    if (token?.kind !== 'name' || token.text.toLowerCase() !== 'join-path') continue
    const parts: StringPart[] = []
    let end = at + 1
    while (parts.length < codeLimits.itemsMax && isArgument(tokens[end])) {
      const [word, behind] = isMark(tokens[end], ',') ? [[], end + 1] : wordAt(tokens, end)
      if (word.length > 0 && !/^-[A-Za-z]+$/.test(plainOf(word)))
        parts.push(...(parts.length > 0 ? ['/'] : []), ...(word.length > wordPartsMax ? [unknownPart] : word))
      end = behind
    }
    const isInBrackets = isMark(tokens[at - 1], '(') && isMark(tokens[end], ')')
    const [start, behind] = isInBrackets ? [at - 1, end + 1] : [at, end]
    tokens.splice(start, behind - start, textOf(parts, tokens[start] ?? token))
  }
  return tokens
}

/** A path of more parts, joined within each other, is not known. */
const wordPartsMax = 64

const isArgument = (token: CodeToken | undefined) =>
  token?.newLine === false && !isMark(token, '(', ')', '{', '}', ';', '|')

/** Reads a word of a command: a text, a variable, or signs up to a blank. */
function wordAt(tokens: readonly CodeToken[], from: number): readonly [parts: readonly StringPart[], end: number] {
  const parts: StringPart[] = []
  let at = from
  for (let token = tokens[at]; token !== undefined && (at === from || !token.apart); token = tokens[++at]) {
    if (at > from && isMark(token, '(', ')', '{', '}', ';', '|', ',')) break
    if (token.kind === 'string') parts.push(...token.parts)
    else if (token.text.startsWith('$')) parts.push({ code: token.text })
    else if (at === from && token.text.startsWith('~')) parts.push({ code: '$home' }, token.text.slice(1))
    else parts.push(token.text)
  }
  return [parts, at]
}

const plainOf = (parts: readonly StringPart[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.code)).join('')

/** Writes what is PowerShell's own as other languages do: names in small letters, objects as calls of their type's `new`. */
function asExpressions(given: readonly CodeToken[]): readonly CodeToken[] {
  const tokens = withJoinedPaths(given)
  const made: CodeToken[] = []
  /** Where the brackets end that are put around the arguments of an object without any. */
  const ends: number[] = []
  for (let at = 0; at <= tokens.length; at++) {
    for (let end = ends.at(-1); end !== undefined && end <= at; end = ends.at(-1)) {
      made.push(markOf(')'))
      ends.pop()
    }
    const token = tokens[at]
    if (token === undefined) continue
    const name = token.kind === 'name' ? token.text.toLowerCase() : ''
    const variable = /^\$\{?(?:env:(\w+)|home)\}?$/.exec(name)
    if (variable !== null) {
      const own = /^(?:home|userprofile)$/.test(variable[1] ?? 'home') ? 'HOME' : (variable[1] ?? '').toUpperCase()
      made.push(nameOf('env', token), markOf('('), textOf([own], near), markOf(')'))
    } else if (name === 'get-item' || name === 'gi') {
      const start = parameterAt(tokens, at + 1, 'path', 'literalpath')
      const [word, end] = isMark(tokens[start], '(') ? [[], start] : wordAt(tokens, start)
      made.push(nameOf('item', token))
      if (word.length > 0) made.push(markOf('('), textOf(word, near), markOf(')'))
      at = end - 1
    } else if (name === 'new-object') {
      const [type, behind] = wordAt(tokens, parameterAt(tokens, at + 1, 'typename'))
      const start = parameterAt(tokens, behind, 'argumentlist', 'args')
      let end = start
      while (end < start + codeLimits.itemsMax && isArgument(tokens[end])) end++
      const named = `[${plainOf(type).toLowerCase()}]`
      if (client.test(named)) {
        made.push(...clientOf(named, token))
        at = isMark(tokens[end], '(') ? end + 1 : end - 1
        continue
      }
      made.push(nameOf(named, token), markOf('::'), nameOf('new', near))
      const isOpen = isMark(tokens[start], '(')
      if (!isOpen) made.push(markOf('('))
      if (!isOpen) ends.push(end)
      at = start - 1
    } else if (client.test(name) && isMark(tokens[at + 1], '::')) {
      made.push(...clientOf(name, token))
      at += isMark(tokens[at + 3], '(') ? 4 : 2
    } else if (token.kind === 'string') made.push(textOf(token.parts.map(withSlashes), token))
    else made.push(name === '' ? token : nameOf(name, token))
  }
  return made
}

/** Objects whose methods are known by their type alone, since they are made of nothing. */
const client = /^\[(?:system\.)?(?:net\.webclient|net\.http\.httpclient)\]$/
const clientOf = (type: string, place: TokenPlace) => [
  nameOf('client', place),
  markOf('('),
  textOf([type.replace(/^\[(?:system\.)?|\]$/g, '')], near),
  markOf(')'),
]

const withSlashes = (part: StringPart): StringPart => (typeof part === 'string' ? part.replaceAll('\\', '/') : part)

/** Returns the place behind a parameter's name, if it is there. */
const parameterAt = (tokens: readonly CodeToken[], at: number, ...names: readonly string[]): number => {
  const [sign, name] = [tokens[at], tokens[at + 1]]
  return isMark(sign, '-') && name?.kind === 'name' && names.includes(name.text.toLowerCase()) ? at + 2 : at
}
