import { setOf, type ShellWord } from 'hookgate/policy'
import type { Call } from '../cli/calls.ts'

/** A request over HTTP, as far as a command line says. */
export interface Request {
  /** In upper case; `?` where it is not known. */
  readonly method: string
  readonly urls: readonly string[]
  /** Everything that is sent, one after another. */
  readonly body: string
}

/** Options of curl that take a value and are ignored here. */
const curlValued = setOf(
  (
    '-A -b -c -C -D -E -e -h -K -m -o -P -Q -r -t -u -U -w -x -y -Y -z --user-agent --cookie --cookie-jar --output --user --proxy --max-time ' +
    '--connect-timeout --retry --retry-delay --cert --key --cacert --capath --config --write-out --range --referer --resolve --interface ' +
    '--unix-socket --form --form-string --upload-file --dump-header --limit-rate --max-redirs --oauth2-bearer --aws-sigv4 --proxy-user ' +
    '--netrc-file --ciphers --tls-max --connect-to --abstract-unix-socket --noproxy --socks5 --stderr --trace --trace-ascii --pass --pinnedpubkey'
  ).split(' '),
)
const curlData = setOf([
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--data-urlencode',
  '--json',
  '-F',
  '--form',
  '--form-string',
  '--url-query',
])
/** Returns the rest of a word from an offset. */
const behind = (word: ShellWord, at: number): ShellWord => ({ ...word, value: word.value.slice(at) })

const curlLetters = 'AbcCDEehKmoPQrtuUwxyYzXdFHT'

function curlRequest({ args, command }: Call): Request {
  let method: string | undefined
  let overriding: string | undefined
  let isGet = false
  const urls: string[] = []
  const bodies: string[] = []
  const take = (name: string, value: ShellWord | undefined) => {
    const text = value?.value ?? ''
    if (name === '-X' || name === '--request') method = value?.unresolved === true ? '?' : text.toUpperCase()
    else if (curlData.has(name)) bodies.push(text === '@-' ? (command.stdin?.value ?? '') : text)
    else if (name === '--url') urls.push(text)
    else if ((name === '-H' || name === '--header') && /^x-(?:http-)?method(?:-override)?\s*:\s*delete/i.test(text))
      overriding = 'DELETE'
    else if (name === '-T' || name === '--upload-file') method ??= 'PUT'
  }
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) continue
    const text = word.value
    if (!text.startsWith('-') || text === '-') {
      urls.push(text)
      continue
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      if (equals !== -1) take(text.slice(0, equals), behind(word, equals + 1))
      else if (text === '--get') isGet = true
      else if (
        curlData.has(text) ||
        curlValued.has(text) ||
        ['--request', '--url', '--header', '--upload-file'].includes(text)
      ) {
        take(text, args[++at])
      }
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter)
      if (name === 'G') isGet = true
      if (!curlLetters.includes(name)) continue
      take(`-${name}`, letter + 1 < text.length ? behind(word, letter + 1) : args[++at])
      break
    }
  }
  return {
    method: overriding ?? method ?? (bodies.length > 0 && !isGet ? 'POST' : 'GET'),
    urls,
    body: bodies.join('\n'),
  }
}

function wgetRequest({ args }: Call): Request {
  const value = (name: string) => {
    const at = args.findIndex(({ value: text }) => text === name || text.startsWith(`${name}=`))
    const text = args[at]?.value ?? ''
    return at === -1 ? undefined : text.includes('=') ? text.slice(name.length + 1) : args[at + 1]?.value
  }
  const body = value('--post-data') ?? value('--body-data') ?? ''
  const method = value('--method')?.toUpperCase() ?? (value('--post-data') === undefined ? 'GET' : 'POST')
  return { method, urls: args.map((word) => word.value).filter((text) => !text.startsWith('-')), body }
}

const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|PURGE)$/i

/** HTTPie and its kin: `http DELETE :3000/users/1`. */
function httpieRequest({ args }: Call): Request {
  const operands = args.map((word) => word.value).filter((text) => !text.startsWith('-'))
  // Values of options may stand in front of the method.
  const at = operands.slice(0, 4).findIndex((text) => methods.test(text))
  const rest = operands.slice(at + 1)
  const body = rest.slice(1).join('\n')
  return {
    method: at === -1 ? (body === '' ? 'GET' : 'POST') : (operands[at] ?? '').toUpperCase(),
    urls: rest.slice(0, 1),
    body,
  }
}

/** `Invoke-RestMethod -Method Delete -Uri …`. */
function powershellRequest({ args }: Call): Request {
  const texts = args.map((word) => word.value)
  const valueBehind = (pattern: RegExp) => texts[texts.findIndex((text) => pattern.test(text)) + 1] ?? ''
  const isNamed = texts.some((text) => /^-m(?:e(?:t(?:h(?:o(?:d)?)?)?)?)?$/i.test(text))
  return {
    method: isNamed ? valueBehind(/^-m/i).toUpperCase() : 'GET',
    urls: texts.filter((text) => /^https?:/i.test(text)),
    body: valueBehind(/^-body$/i),
  }
}

const readers: Readonly<Record<string, (call: Call) => Request>> = {
  curl: curlRequest,
  curlie: curlRequest,
  'curl-impersonate': curlRequest,
  wget: wgetRequest,
  wget2: wgetRequest,
  http: httpieRequest,
  https: httpieRequest,
  httpie: httpieRequest,
  xh: httpieRequest,
  xhs: httpieRequest,
  ht: httpieRequest,
  'invoke-restmethod': powershellRequest,
  'invoke-webrequest': powershellRequest,
  irm: powershellRequest,
  iwr: powershellRequest,
}

export const requestPrograms = Object.keys(readers)

/** The request that a command sends, where its program is one that does. */
export const requestOf = (call: Call): Request | undefined =>
  Object.hasOwn(readers, call.program) ? readers[call.program]?.(call) : undefined
