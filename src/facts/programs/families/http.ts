import { liveByVerbs } from '../deeds/deeds.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import { behind, readPrepared } from '../../../words/options.ts'
import type { EffectRecorder } from '../effects.ts'
import { isUrl, known, names, wordOf } from '../words.ts'
import { isKnown, type Judge, type ProgramCall, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { type Line, optionsOf, type Row } from '../row.ts'

const curl: Row = {
  // All options of curl 8 that take a value. If one were missing, its value would be taken for an operand.
  options:
    'abstract-unix-socket alt-svc=write aws-sigv4 A user-agent b=login cookie=login c=write cookie-jar=write C continue-at ca-native cacert=key capath=read E=key cert=key cert-type ciphers config K connect-timeout connect-to create-file-mode crlfile=read curves d=data data=data data-ascii=data data-binary=data data-raw=data data-urlencode=data delegation D=write dump-header=write dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url e referer ech egd-file=read engine etag-compare=read etag-save=write expect100-timeout F=data form=data form-string=data ftp-account ftp-alternative-to-user ftp-method ftp-port P ftp-ssl-ccc-mode H=login header=login happy-eyeballs-timeout-ms haproxy-clientip hostpubmd5 hostpubsha256 hsts=append interface ipfs-gateway json=data keepalive-cnt keepalive-time key=key key-type krb libcurl=write limit-rate local-port login-options m max-time mail-auth mail-from mail-rcpt max-filesize max-redirs netrc-file=key noproxy oauth2-bearer=login o output output-dir parallel-max pass=login pinnedpubkey Q quote postquote prequote preproxy=login proto proto-default proto-redir proxy=login x=login proxy-cacert=key proxy-capath=read proxy-cert=key proxy-cert-type proxy-ciphers proxy-crlfile=read proxy-header=login proxy-key=key proxy-key-type proxy-pass=login proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword=login proxy-tlsuser=login proxy1.0 pubkey=key random-file=read range r rate request X request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit Y speed-time y stderr=write t telnet-option T=data upload-file=data tftp-blksize tls-max tls13-ciphers tlsauthtype tlspassword=login tlsuser=login trace=write trace-ascii=write trace-config U=login proxy-user=login u=login user=login unix-socket=read url url-query=data w write-out z time-cond variable vlan-priority ip-tos help? h? +get +head +include +remote-name +remote-name-all +remote-header-name +location +silent +show-error +insecure +fail +compressed +create-dirs +globoff +verbose +netrc +manual +parallel +next +proxy-tunnel',
  ignoresStdin: true,
  echoes: 'v verbose trace trace-ascii',
  starts(line, starts) {
    for (const config of line.values('K', 'config')) {
      const text = starts.content(config.value === '-' ? { value: '/dev/stdin' } : config)
      if (text !== undefined) starts.words([known('curl'), ...settingsIn(text)])
    }
  },
  effects(line, recorder) {
    // `-h CATEGORY` prints help, `-V` the version.
    if (line.has('h', 'V', 'M', 'manual')) return
    const urls = [...line.operands, ...line.values('url')]
    for (const config of line.values('K', 'config')) fileOrStdin(config, recorder)
    const target = urls.find((url) => !isFileUrl(url.value))
    for (const url of urls) if (isFileUrl(url.value)) recorder.touch(behind(url, fileUrlPrefix(url.value)), 'read')
    const sends = uploads(line, recorder)
    downloads(line, urls, recorder)
    if (target !== undefined || line.has('K', 'config')) recorder.network(http(sends ? 'both' : 'receive', target))
  },
}

/** Returns the options that the lines of curl's settings stand for: `data = "@a"` is `--data @a`. */
function settingsIn({ value: text }: ShellWord): readonly ShellWord[] {
  const words: ShellWord[] = []
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*-*([\w-]+)\s*[\s=:]?\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) continue
    words.push(known(`--${name}`))
    if (value !== '') words.push(wordOf(value.replace(/^"(.*)"$/, '$1')))
  }
  return words
}

const isFileUrl = (value: string): boolean => /^file:/i.test(value)
const fileUrlPrefix = (value: string): number =>
  /^file:(?:\/\/(?:localhost|127\.0\.0\.1)?(?=\/))?/i.exec(value)?.[0].length ?? 0

function fileOrStdin(word: ShellWord, recorder: EffectRecorder): void {
  if (isStdin(word.value)) recorder.readsStdin()
  else recorder.touch(word, 'read')
}
const isStdin = (value: string): boolean =>
  value === '-' || value === '.' || value === '/dev/stdin' || value === '/dev/fd/0'

/** Records the file that an option's value names, if it names one. */
type FileInValue = (value: ShellWord, recorder: EffectRecorder) => void

const isAtFile = ({ value }: ShellWord): boolean => value.startsWith('@')
const atFile: FileInValue = (value, recorder) => {
  if (isAtFile(value)) fileOrStdin(behind(value, 1), recorder)
}
/** A cookie file: a value without `=`. */
const cookieFile: FileInValue = (value, recorder) => {
  if (!value.value.includes('=') && !value.value.includes(unknownPart)) recorder.touch(value, 'read')
}
/** The file of `name@file`. */
const fileBehindName: FileInValue = (value, recorder) => {
  const at = value.value.indexOf('@')
  if (at !== -1) fileOrStdin(behind(value, at + 1), recorder)
}

/** The file in the value of an option of curl, and whether the value means that curl sends something. */
interface UploadOption {
  readonly file?: FileInValue
  readonly sends?: (value: ShellWord) => boolean
}

const always = (): boolean => true
const uploadOptions: ReadonlyMap<string, UploadOption> = new Map(
  Object.entries<UploadOption>({
    'd data data-ascii data-binary json': { file: atFile, sends: always },
    'data-raw form-string': { sends: always },
    'data-urlencode url-query': { file: urlencoded, sends: always },
    'F form': { file: formField, sends: always },
    'T upload-file': { file: fileOrStdin, sends: always },
    'H header proxy-header': { file: atFile, sends: isAtFile },
    'b cookie': { file: cookieFile },
    variable: { file: fileBehindName },
    'w write-out': { file: atFile },
    'X request': { sends: ({ value }) => /^(?:post|put|patch)$/i.test(value) },
  }).flatMap(([options, upload]) => names(options).map((name) => [name, upload] as const)),
)

/** Records the files that curl sends, from all options for data; returns whether it sends anything. */
function uploads(line: Line, recorder: EffectRecorder): boolean {
  let sends = false
  for (const { name, value } of line.given) {
    const option = uploadOptions.get(name)
    option?.file?.(value, recorder)
    if (option?.sends?.(value) === true) sends = true
  }
  return sends
}

/** Records the file of `@file` and `name@file`. After an `=`, an `@` is literal text. */
function urlencoded(word: ShellWord, recorder: EffectRecorder): void {
  const at = word.value.indexOf('@')
  const equals = word.value.indexOf('=')
  if (at !== -1 && (equals === -1 || at < equals)) fileOrStdin(behind(word, at + 1), recorder)
}

/** Records the files of a form field: `name=@file;type=text/plain`, `name=<file`, `name=@a,b`; `name@file` of curlie. */
function formField(word: ShellWord, recorder: EffectRecorder): void {
  const equals = word.value.indexOf('=')
  const sign = word.value.charAt(equals + 1)
  if (equals === -1) return fileBehindName(word, recorder)
  if (sign !== '@' && sign !== '<') return
  const rest = behind(word, equals + 2)
  const quotedName = /^"([^"]*)"/.exec(rest.value)?.[1]
  const files = quotedName === undefined ? (rest.value.split(';')[0] ?? '').split(',') : [quotedName]
  for (const value of files) fileOrStdin({ ...rest, value }, recorder)
}

function downloads(line: Line, urls: readonly ShellWord[], recorder: EffectRecorder): void {
  const folder = line.value('output-dir')
  const inFolder = (file: ShellWord): ShellWord => {
    if (folder === undefined || file.value.startsWith('/')) return file
    const value = `${folder.value}/${file.value}`
    return { ...folder, ...file, value, ...(value.includes(unknownPart) && { unresolved: true }) }
  }
  let files = 0
  let speaks = false
  for (const { name, value } of line.given) {
    if (name === 'o' || name === 'output') {
      files++
      if (value.value === '-' || value.value === '/dev/stdout') speaks = true
      else recorder.touch(inFolder(value), 'write')
    } else if (name === 'O' || name === 'remote-name' || name === 'remote-name-all') {
      const url = urls[name === 'remote-name-all' ? 0 : files]
      files += name === 'remote-name-all' ? urls.length : 1
      if (url !== undefined) recorder.touch(inFolder(lastPart(url)), 'write')
      if (line.has('J', 'remote-header-name')) recorder.touch(folder ?? { value: '.' }, 'into')
    }
  }
  if (files >= Math.max(1, urls.length) && !speaks) recorder.writesNoStdout()
}

/** Returns the file name under which a URL is saved. */
function lastPart(url: ShellWord): ShellWord {
  const path = url.value.replace(/[?#].*$/s, '')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const word = wordOf(name === '' ? 'index.html' : name)
  return url.variable === undefined ? word : { ...word, variable: url.variable }
}

/** Makes a network effect with the URL and its host, as far as they are known. */
export function http(
  direction: ShellNetwork['direction'],
  url: ShellWord | undefined,
  kind: ShellNetwork['kind'] = 'request',
): ShellNetwork {
  if (url === undefined) return { kind, direction }
  return {
    kind,
    direction,
    ...hostName(url),
    ...(!url.value.includes(unknownPart) && { url: url.value }),
  }
}

export function hostOf(url: string): string | undefined {
  const host = /^(?:[A-Za-z][\w+.-]*:\/\/)?(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#\s]+)/.exec(url)?.[1]
  return host === undefined || host.includes(unknownPart) ? undefined : host.toLowerCase()
}

export function hostName(word: ShellWord | undefined): { readonly host?: string } {
  const host = word === undefined ? undefined : hostOf(word.value)
  return host === undefined ? {} : { host }
}

const wget: Row = {
  options:
    'a=append append-output=append accept A accept-regex B base backups? bind-address body-data=data body-file=data ca-certificate=key ca-directory=read certificate=key certificate-type ciphers compression config=read connect-timeout crl-file=read cut-dirs D domains default-page directory-prefix P=into dns-timeout dot-style e execute egd-file exclude-directories X exclude-domains follow-tags ftp-user=login ftp-password=login G ignore-tags header=login hsts-file=append http-user=login http-password=login I include-directories i input-file input-metalink=read l level n limit-rate load-cookies=read local-encoding method O output-document o=write output-file=write password=login pinnedpubkey post-data=data post-file=data prefer-family preferred-location private-key=key private-key-type progress proxy-user=login proxy-password=login Q quota R reject reject-regex random-file=read read-timeout referer regex-type rejected-log=write remote-encoding report-speed restrict-file-names retry-on-http-error save-cookies=write secure-protocol start-pos T timeout t tries U user-agent unlink use-askpass=words user=login wait w waitretry warc-file=write warc-header warc-max-size warc-tempdir=into warc-dedup=read Y proxy +quiet +recursive +mirror +no-check-certificate +continue +no-clobber +spider +background +no-verbose +delete-after +page-requisites +debug',
  silent: true,
  echoes: 'd debug',
  ignoresStdin: true,
  effects(line, recorder) {
    if (line.has('h', 'V')) return
    const sent = line.values('post-file', 'body-file')
    for (const file of sent) fileOrStdin(file, recorder)
    for (const list of line.values('i', 'input-file')) if (!isUrl(list.value)) fileOrStdin(list, recorder)
    const [url] = line.operands
    const out = line.value('O', 'output-document')
    if (out !== undefined) {
      if (out.value === '-' || out.value === '/dev/stdout') recorder.writesStdout()
      else recorder.touch(out, 'write')
    } else if (!line.has('spider')) {
      const folder = line.value('P', 'directory-prefix')
      if (
        line.has('r', 'm', 'recursive', 'mirror', 'p', 'page-requisites', 'i', 'input-file', 'x') ||
        folder !== undefined
      ) {
        recorder.touch(folder ?? { value: '.' }, 'into')
      }
      for (const one of line.operands) {
        const name = lastPart(one)
        recorder.touch(folder === undefined ? name : { ...name, value: `${folder.value}/${name.value}` }, 'write')
      }
    }
    const sends = sent.length > 0 || line.has('post-data', 'body-data')
    if (url !== undefined || line.has('i', 'input-file')) recorder.network(http(sends ? 'both' : 'receive', url))
  },
}

const httpMethod = /^(?:[A-Z]+|get|head|post|put|patch|delete|options|purge)$/
const isItem = ({ value }: ShellWord): boolean => /[:@=]/.test(value) && !/^[\w+.-]+:\/\//.test(value)

/**
 * Makes the words of a program with HTTPie's operands, `METHOD ADDRESS ITEM…`, such that options say what each item is: a
 * header to log in with (`Name:value`), or something that is sent along.
 */
function itemsAsOptions(row: Row, header: string, item: string, method?: string): NonNullable<Row['words']> {
  const options = optionsOf(row)
  return ({ args }) => {
    const { operands } = readPrepared(args, options)
    // The value of an option that is not known may stand in front of the method.
    const at = operands
      .slice(0, 4)
      .findIndex(({ value }, place) => httpMethod.test(value) && place + 1 < operands.length)
    const items = new Set(operands.slice(at + 2).filter(isItem))
    if (items.size === 0 && (method === undefined || at === -1)) return args
    return args.map((word) => {
      const as = items.has(word) ? (/^[^:=@]+:(?!=)/.test(word.value) ? header : item) : undefined
      const option = as ?? (word === operands[at] ? method : undefined)
      return option === undefined ? word : { ...word, value: `--${option}=${word.value}` }
    })
  }
}

const httpieOptions: Row = {
  options:
    'header=login item=data raw=data boundary compress-level A auth-type a=login auth=login bearer=login max-headers max-redirects timeout proxy=login ssl ciphers cert=key cert-key=key cert-key-pass=login verify default-scheme session session-read-only o output p print P history-print s style pretty format-options response-charset response-mime unsorted +json +form +multipart +headers +body +download +continue +verbose +follow +ignore-stdin +check-status +offline +stream',
}

const httpie: Row = {
  ...httpieOptions,
  words: itemsAsOptions(httpieOptions, 'header', 'item'),
  // `--print` names what is printed: `H` and `B` are of the request.
  echoes: (line) =>
    line.has('v', 'verbose', 'offline') || line.values('p', 'print').some(({ value }) => /[HB\uFDD0]/.test(value)),
  effects(line, recorder) {
    const named = line.operands.findLast(({ value }) => httpMethod.test(value))
    const url = line.operands.at(-1)
    for (const item of line.values('header', 'item')) {
      const file = /^[^=:@]*(?::=@|=@|:@|@)/.exec(item.value)
      if (file !== null) recorder.touch(behind(item, file[0].length), 'read')
    }
    const out = line.value('o', 'output')
    recorder.touch(out, 'write')
    if (out !== undefined || line.has('d', 'download')) recorder.writesNoStdout()
    const isDeaf = line.has('I', 'ignore-stdin')
    if (isDeaf) recorder.readsNoStdin()
    const sends =
      !isDeaf ||
      line.has('item', 'raw') ||
      line.values('header').some(({ value }) => value.includes(':@')) ||
      /^(?:post|put|patch)$/i.test(named?.value ?? '')
    if (url !== undefined && !line.has('offline')) recorder.network(http(sends ? 'both' : 'receive', url))
  },
}

/** curl with HTTPie's operands, which it hands to curl as options. */
const curlie: Row = { ...curl, words: itemsAsOptions(curl, 'header', 'form', 'request') }

/** An address, in the words of programs whose names other programs have too. */
const isAddress = /^(?:https?|ftp):\/\/|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/:?]|$)/i

const namesFile = /^@|^\w*@\/|%output|^[\w.-]+@[^:]*$/

/** Options whose value may name a file that is read or written. */
const mayName = names('b cookie H header w write-out url-query proxy-header E cert key')

/** Commands for an FTP server that only look. */
const ftpLooks = /^[-+*]?(?:cdup|cwd|pwd|list|nlst|noop|stat|syst|help|feat|size|mdtm|type)\b/i

const curlFlags: ReadonlySet<string> = new Set(
  names(`s silent S show-error J remote-header-name L location location-trusted I head i include k insecure v verbose f fail
  fail-with-body fail-early g globoff G get 0 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only 1 2 3 tlsv1
  tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 4 ipv4 6 ipv6 n netrc netrc-optional compressed tr-encoding raw N no-buffer
  no-keepalive no-progress-meter progress-bar j junk-session-cookies q disable basic digest ntlm negotiate anyauth ssl
  ssl-reqd ssl-no-revoke ssl-revoke-best-effort ssl-allow-beast ssl-auto-client-cert tcp-nodelay tcp-fastopen no-alpn
  no-npn no-sessionid path-as-is post301 post302 post303 retry-all-errors retry-connrefused styled-output
  no-styled-output Z parallel parallel-immediate proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate
  proxy-ntlm p proxytunnel suppress-connect-headers list-only l B use-ascii ignore-content-length disable-epsv
  disable-eprt ftp-pasv ftp-skip-pasv-ip ftp-ssl-control cert-status doh-insecure show-headers false-start h help V
  version M manual sasl-ir crlf remove-on-error next : ca-native proxy-ca-native disallow-username-in-url http0.9 mptcp
  trace-time trace-ids no-location no-fail a append R remote-time compressed-ssh doh-cert-status expect100 ftp-pret
  ftp-ssl ftp-ssl-ccc ftp-ssl-reqd mail-rcpt-allowfails no-clobber no-eprt no-epsv ntlm-wb proxy-http2
  proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 socks5-basic socks5-gssapi socks5-gssapi-nec ssl-sessions
  tftp-no-options tls-earlydata no-ssl no-compressed no-insecure no-tcp-nodelay no-netrc skip-existing`),
)

/** Options of curl with a value. Only these and `curlFlags` are known to send and write nothing. */
const curlValued = `A user-agent H header b cookie e referer m max-time connect-timeout r range x proxy u user U proxy-user
  w write-out z time-cond X request y Y speed-time speed-limit retry retry-delay retry-max-time max-redirs resolve connect-to
  interface limit-rate cacert capath E cert cert-type key key-type pass ciphers tls-max tls13-ciphers dns-servers doh-url
  noproxy proto proto-redir proto-default url max-filesize C keepalive-time local-port continue-at o output P t unix-socket
  abstract-unix-socket socks4 socks4a socks5 socks5-hostname preproxy proxy-header oauth2-bearer service-name krb
  happy-eyeballs-timeout-ms expect100-timeout dns-interface dns-ipv4-addr dns-ipv6-addr aws-sigv4 delegation crlfile
  pinnedpubkey curves rate parallel-max login-options sasl-authzid request-target url-query ftp-account
  ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode ftp-port keepalive-cnt ipfs-gateway hostpubmd5 hostpubsha256
  netrc-file etag-compare egd-file random-file ech telnet-option tftp-blksize tlsauthtype tlspassword tlsuser proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0
  pubkey socks5-gssapi-service vlan-priority trace-config haproxy-clientip ip-tos Q quote`

const curlKnown: ReadonlySet<string> = new Set([...names(curlValued), ...curlFlags])

/** Options of curl whose value is sent. With `-G` it becomes a part of the address, which may contain any text. */
const curlSends = ['d', 'data', 'data-urlencode', 'data-raw', 'data-ascii', 'data-binary']
const curlOptions = `${curlValued} ${curlSends.join(' ')}`

/** Names of files that store nothing. */
const nowhere = /^(?:-|\/dev\/(?:null|stdout|stderr|fd\/[12]))$/

/** Addresses at which a cloud machine gets its own credentials. */
const handsOut =
  /169\.254\.169\.254|169\.254\.170\.2|metadata\.google|fd00:ec2|100\.100\.100\.200|\/\/metadata(?:[/:]|$)/i

/** Judges curl: a download to stdout only looks; a call that sends something or writes a file does not. */
const judgeCurl: Judge = (look) => {
  if (!isKnown(look)) return false
  const words = look.args.map(({ value }) => value)
  const { names: given, values } = readLook(look.args, curlOptions)
  // `-G` no longer applies behind `--next`.
  const asks = given.some((name) => /^(?:G|get)$/.test(name)) && !given.some((name) => /^(?:next|:)$/.test(name))
  const all = (options: readonly string[], isFine: (value: string) => boolean) =>
    values(...options).every(({ value }) => isFine(value))
  return (
    given.every((name) => curlKnown.has(name) || (asks && curlSends.includes(name))) &&
    all(['o', 'output'], (file) => nowhere.test(file)) &&
    all(curlSends, (value) => !value.includes('@')) &&
    all(['X', 'request'], (method) => /^(?:get|head|options)$/i.test(method)) &&
    all(['Q', 'quote'], (command) => ftpLooks.test(command)) &&
    all(mayName, (value) => !namesFile.test(value)) &&
    // Metadata services hand out the machine's credentials.
    !words.some((word) => handsOut.test(word)) &&
    !words.some((word) =>
      /^(?:file|gopher|dict|smtps?|scp|sftp|telnet|tftp|ldaps?|mqtts?|smbs?|imaps?|pop3s?):/i.test(word),
    )
  )
}

/** Harmless options of a download to stdout. */
const wgetShows: ReadonlySet<string> = new Set(
  names(
    'q quiet nv no-verbose O output-document S server-response T timeout t tries U user-agent header no-check-certificate 4 6 max-redirect no-cache no-hsts no-proxy compression connect-timeout read-timeout dns-timeout no-config show-progress',
  ),
)

/** True for `wget -qO- …`, which prints a page and writes no file. `-nv` is one option of two letters. */
function isShown({ args }: ProgramCall): boolean {
  const words = args.map((word) => (word.value === '-nv' ? { value: '--no-verbose' } : word))
  const { names: given, values } = readLook(
    words,
    'O output-document T timeout t tries U user-agent header max-redirect',
  )
  const files = values('O', 'output-document')
  return (
    given.every((name) => wgetShows.has(name)) &&
    files.length > 0 &&
    files.every(({ value }) => nowhere.test(value)) &&
    !words.some(({ value }) => /^(?:file|ftps?):/i.test(value) || handsOut.test(value))
  )
}

/** Options of wget that send something, write a file, start a program or read settings. */
const wgetRefused = names(
  'post-data post-file method body-data body-file use-askpass execute config output-file append-output input-file load-cookies save-cookies warc-file background ask-password hsts-file mirror recursive rejected-log timestamping output-document directory-prefix delete-after page-requisites continue',
)

const isNotForWget = (name: string): boolean =>
  /^[eaoibPBmrNpKOcxk]$/.test(name) || (name.length > 1 && wgetRefused.some((one) => one.startsWith(name)))

/** Judges wget: it only looks with `--spider`, or if it prints a page. */
const judgeWget: Judge = (look) => {
  if (!isKnown(look)) return false
  const { names: given } = readLook(look.args, 'T t U w Q')
  return isShown(look) || (given.includes('spider') && !given.some(isNotForWget))
}

/** Clients of HTTP and similar protocols, each with its own options for sending a file. */
export const httpClients: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    curl: {
      ...curl,
      looks: judgeCurl,
      does: liveByVerbs('publish', 'deploy'),
      opensSockets: true,
      request: 'curl',
      usesKeys: true,
      fetches: true,
      saysWhatChanges: true,
    },
    'curl-impersonate': { ...curl, request: 'curl' },
    curlie: { ...curlie, request: 'curl' },
    wget: {
      ...wget,
      looks: judgeWget,
      opensSockets: true,
      request: 'wget',
      usesKeys: true,
      fetches: true,
      saysWhatChanges: true,
    },
    wget2: { ...wget, request: 'wget' },
    'http https httpie xh xhs ht restish': { ...httpie, opensSockets: true, request: 'httpie' },
    aria2c: {
      options:
        'd=into dir=into o=write out=write i=read input-file=read s x k j l=write log=write on-download-start=words on-download-pause=words on-download-stop=words on-download-complete=words on-download-error=words on-bt-download-complete=words +continue',
      silent: true,
      ignoresStdin: true,
      network: (line) => http('receive', line.operands[0]),
      effects(line, recorder) {
        if (!line.has('o', 'out')) for (const url of line.operands) recorder.touch(lastPart(url), 'write')
      },
    },
    axel: {
      options: 'o=write output=write n num-connections s max-speed U H=login',
      silent: true,
      ignoresStdin: true,
      network: (line) => http('receive', line.operands[0]),
      effects(line, recorder) {
        if (!line.has('o', 'output')) for (const url of line.operands) recorder.touch(lastPart(url), 'write')
      },
    },
    // They ask nothing but the service of a cloud for its machines.
    'ec2metadata ec2-metadata': { network: { kind: 'request', direction: 'receive', host: '169.254.169.254' } },
    'fetch get hget puf': {
      options: 'o=write O=write m method H=login +verbose',
      echoes: 'U',
      network(line) {
        const sends = /^(?:post|put|patch)$/i.test(line.value('m', 'method')?.value ?? '')
        const url = line.operands.find(({ value }) => isAddress.test(value))
        return url && http(sends ? 'both' : 'receive', url)
      },
    },
    'lynx w3m links elinks': {
      options: 'cmd_script=read cmd_log=write dump_charset post_data=data cfg=read +dump +source',
      oneDash: true,
      network: (line) =>
        line.operands.some(({ value }) => !value.startsWith('file:') && !value.startsWith('/'))
          ? http(line.has('post_data') ? 'both' : 'receive', line.operands[0])
          : undefined,
      effects(line, recorder) {
        for (const word of line.operands) {
          if (word.value.startsWith('file:')) recorder.touch(behind(word, fileUrlPrefix(word.value)), 'read')
          else if (word.value.startsWith('/')) recorder.touch(word, 'read')
        }
      },
    },
    'yt-dlp youtube-dl': {
      options:
        'o=write output=write a=read batch-file=read cookies=read P=into paths=into f r exec=script exec-before-download=script netrc-cmd=script',
      network: (line) => http('receive', line.operands[0]),
      silent: true,
    },
  },
}
